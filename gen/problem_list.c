#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "gen/problem.h"
#include "gen/span.h"

/* Problem lists are read whole; one of this size has over a million lines. */
#define LIST_BYTES_MAX ((size_t)64 << 20)

/* Opening and reading fail with CKT_E_IO; for the user an unreadable list is wrong input. */
static int read_text(const char *path, struct ckt_text *text, struct ckt_error *error) {
  const int status = strcmp(path, "-") == 0 ? ckt_file_read_fd(STDIN_FILENO, "stdin", text, error)
                                            : ckt_file_read(path, text, error);
  if (status == CKT_E_IO && error != NULL)
    error->code = CKT_E_INPUT;
  return status == CKT_E_IO ? CKT_E_INPUT : status;
}

/* The line up to its comment. A '#' inside a word is none: MIOpenDriver has an option "-#". */
static struct ckt_span without_comment(struct ckt_span line) {
  for (size_t i = 0; i < line.length; i++)
    if (line.text[i] == '#' && (i == 0 || line.text[i - 1] == ' ' || line.text[i - 1] == '\t'))
      return (struct ckt_span){line.text, i};
  return line;
}

static int append(struct ckt_problem_list *list, const struct ckt_problem *problem, struct ckt_error *error) {
  if ((list->count & (list->count - 1)) == 0) { /* full at every power of two */
    const size_t capacity = list->count > 0 ? 2 * list->count : 1;
    struct ckt_problem *items = realloc(list->items, capacity * sizeof *items);
    if (items == NULL)
      return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
    list->items = items;
  }
  list->items[list->count++] = *problem;
  return CKT_OK;
}

/* What is wrong with a line of the list, in *fault; CKT_OK with *problem filled when nothing is. */
static int read_line(struct ckt_span line, const struct ckt_problem_defaults *defaults,
                     struct ckt_problem *problem, size_t *column, struct ckt_error *fault) {
  const char *nul = memchr(line.text, '\0', line.length);
  if (nul != NULL) {
    *column = (size_t)(nul - line.text) + 1;
    return ckt_fail(fault, CKT_E_INPUT, "the line holds a NUL byte, expected text");
  }
  char *spec = ckt_span_copy(line);
  if (spec == NULL)
    return ckt_fail(fault, CKT_E_NOMEM, "memory ran out");
  const int status = ckt_problem_parse_at(spec, defaults, problem, column, fault);
  free(spec);
  return status;
}

static int read_lines(const char *name, struct ckt_span rest, const struct ckt_problem_defaults *defaults,
                      struct ckt_problem_list *list, struct ckt_text *errors, struct ckt_error *error) {
  struct ckt_span line;
  for (size_t number = 1; ckt_span_cut_line(&rest, &line); number++) {
    line = without_comment(line);
    if (ckt_span_trim(line).length == 0)
      continue;
    struct ckt_problem problem;
    struct ckt_error fault;
    size_t column = 1;
    const int status = read_line(line, defaults, &problem, &column, &fault);
    if (status == CKT_OK) {
      CKT_TRY(append(list, &problem, error));
    } else if (status == CKT_E_INPUT) {
      list->bad_lines++;
      ckt_text_printf(errors, "%s:%zu:%zu: %s\n", name, number, column, fault.text);
    } else {
      return ckt_fail(error, status, "%s", fault.text);
    }
  }
  return CKT_OK;
}

int ckt_problem_list_read(const char *path, const struct ckt_problem_defaults *defaults,
                          struct ckt_problem_list *list, struct ckt_text *errors, struct ckt_error *error) {
  static const char byte_order_mark[] = "\xef\xbb\xbf";
  *list = (struct ckt_problem_list){0};
  struct ckt_text text;
  ckt_text_init(&text, LIST_BYTES_MAX);
  int status = read_text(path, &text, error);
  if (status == CKT_OK) {
    struct ckt_span all = {ckt_text_string(&text), text.length};
    if (all.length >= 3 && memcmp(all.text, byte_order_mark, 3) == 0)
      all = (struct ckt_span){all.text + 3, all.length - 3};
    const char *name = strcmp(path, "-") == 0 ? "stdin" : path;
    status = read_lines(name, all, defaults, list, errors, error);
  }
  ckt_text_free(&text);
  if (status != CKT_OK)
    ckt_problem_list_free(list);
  return status;
}

void ckt_problem_list_free(struct ckt_problem_list *list) {
  free(list->items);
  *list = (struct ckt_problem_list){0};
}
