#include "gen/outcome.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "gen/capitals.h"
#include "gen/ck_derive.h"
#include "gen/instance_reader.h"

/* Lists are read whole; one of this size has over two hundred thousand lines. */
#define LIST_BYTES_MAX ((size_t)64 << 20)
/* What is kept of a line takes more room than a short one does. */
#define LIST_LINES_MAX ((size_t)1000000)

/* The list being read, and where. */
struct reader {
  struct ckt_outcome_list *list;
  struct ckt_outcome_request request;
  size_t capacity;
  bool ended; /* the line at hand has an end */
};

const char *ckt_outcome_status_word(enum ckt_outcome_status status) {
  static const char *const words[] = {
#define ROW(name, word) word,
      CKT_OUTCOME_STATUSES(ROW)
#undef ROW
  };
  return words[status];
}

const char *ckt_outcome_stage_word(enum ckt_outcome_stage stage) {
  static const char *const words[] = {
#define ROW(name, word) word,
      CKT_OUTCOME_STAGES(ROW)
#undef ROW
  };
  return words[stage];
}

void ckt_outcome_number(const struct ckt_line_outcome *outcome, enum ckt_outcome_number number,
                        struct ckt_text *text) {
  const struct ckt_instance *instance = &outcome->instance;
  const int64_t values[] = {
#define ROW(suffix, member) instance->member,
      CKT_OUTCOME_NUMBERS(ROW)
#undef ROW
  };
  if (outcome->exact != NULL && outcome->exact->numbers[number] != NULL)
    ckt_text_append(text, outcome->exact->numbers[number]);
  else
    ckt_text_printf(text, "%" PRId64, values[number]);
}

void ckt_outcome_pipeline(const struct ckt_line_outcome *outcome, struct ckt_text *text) {
  if (outcome->exact != NULL && outcome->exact->pipeline != NULL) {
    ckt_text_append(text, outcome->exact->pipeline);
    return;
  }
  ckt_append_capitals(ckt_span_of(ckt_pipeline_word(outcome->instance.pipeline)), text);
}

/* --- one line --- */

static int fail_memory(struct ckt_error *error) {
  return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
}

/* Hands the fault over to the outcome. */
static int keep_fault(const struct reader *reader, struct ckt_line_outcome *outcome,
                      struct ckt_ck_fault *fault) {
  const size_t column = fault->at != NULL ? (size_t)(fault->at - outcome->text.text) : 0;
  outcome->status = CKT_OUTCOME_ERROR;
  outcome->stage = fault->late ? CKT_STAGE_GENERATE : CKT_STAGE_PARSE;
  outcome->error_type =
      reader->request.rules == CKT_RULES_SEED ? ckt_ck_fault_word(fault->type) : ckt_code_name(CKT_E_INPUT);
  outcome->column = column + 1;
  outcome->sentence = strdup(fault->error.text);
  const bool own_words = fault->reason.length == 0;
  outcome->reason = own_words ? strdup(fault->error.text) : ckt_text_take(&fault->reason, NULL);
  return outcome->sentence != NULL && outcome->reason != NULL ? CKT_OK : CKT_E_NOMEM;
}

/* A fault of the text itself, wherever the line goes on. */
static int check_text(const struct reader *reader, struct ckt_span line, struct ckt_ck_fault *fault) {
  for (size_t at = 0, size; at < line.length; at += size) {
    at += ckt_ascii_run(line.text + at, line.length - at);
    if (at == line.length)
      break;
    unsigned point = 0;
    size = ckt_utf8_decode(line.text + at, line.length - at, &point);
    if (size == 0)
      return ckt_ck_fail(fault, CKT_CK_UnicodeDecodeError, line.text + at,
                         "the line is not UTF-8 text, expected an instance");
    if (point == 0 && reader->request.rules == CKT_RULES_HARDWARE)
      return ckt_ck_fail(fault, CKT_CK_ValueError, line.text + at,
                         "the line holds a NUL byte, expected text");
  }
  return CKT_OK;
}

static bool holds(struct ckt_span line, char byte) {
  return line.length > 0 && memchr(line.text, byte, line.length) != NULL;
}

/* By the seed's rules: everything that is no comment is in Composable Kernel's notation. */
static int read_seed(const struct reader *reader, struct ckt_line_outcome *outcome,
                     struct ckt_ck_fault *fault) {
  struct ckt_ck_statement statement;
  if (holds(outcome->text, '#') || holds(outcome->text, ';')) {
    outcome->status = CKT_OUTCOME_COMMENT;
    return CKT_OK;
  }
  CKT_TRY(ckt_ck_state(outcome->text, reader->ended, reader->request.kind.direction, CKT_RULES_SEED,
                       &statement, fault));
  return ckt_ck_derive_seed(&statement, &reader->request, outcome, fault);
}

/* Our own notation: an instance, or a space whose points are computed once, so that what cannot be computed shows
 * with the other faults. */
static int read_own(const struct reader *reader, struct ckt_line_outcome *outcome,
                    struct ckt_ck_fault *fault) {
  struct ckt_span at = outcome->text;
  int status = ckt_space_parse(outcome->text, &reader->request.kind, &outcome->space, &at, &fault->error);
  if (status == CKT_OK)
    status = ckt_space_count(outcome->space, &outcome->kept, &at, &fault->error);
  fault->at = at.text;
  if (status != CKT_OK)
    return status;
  outcome->instance = *ckt_space_first(outcome->space);
  if (!ckt_space_is_plain(outcome->space)) {
    outcome->status = CKT_OUTCOME_SPACE;
    return CKT_OK;
  }
  ckt_space_free(outcome->space);
  outcome->space = NULL;
  return CKT_OK;
}

static int read_hardware(const struct reader *reader, struct ckt_line_outcome *outcome,
                         struct ckt_ck_fault *fault) {
  const enum ckt_line_kind kind = ckt_instance_line_kind(outcome->text);
  if (kind == CKT_LINE_BLANK || kind == CKT_LINE_COMMENT) {
    outcome->status = CKT_OUTCOME_COMMENT;
    return CKT_OK;
  }
  fault->type = CKT_CK_ValueError;
  if (kind == CKT_LINE_OWN)
    return read_own(reader, outcome, fault);
  size_t column = 1;
  const int status = ckt_instance_read(outcome->text, &reader->request.kind, &outcome->instance,
                                       &outcome->specialization, &column, &fault->error);
  fault->at = outcome->text.text + column - 1;
  return status;
}

static int read_line(const struct reader *reader, struct ckt_line_outcome *outcome) {
  struct ckt_ck_fault fault; /* not cleared as a whole: it has room for long sentences */
  fault.late = false;
  fault.reason = (struct ckt_text){0};
  int status = check_text(reader, outcome->text, &fault);
  if (status == CKT_OK)
    status = reader->request.rules == CKT_RULES_SEED ? read_seed(reader, outcome, &fault)
                                                     : read_hardware(reader, outcome, &fault);
  if (status == CKT_E_INPUT)
    status = keep_fault(reader, outcome, &fault);
  ckt_text_free(&fault.reason);
  return status;
}

/* --- the list --- */

static struct ckt_line_outcome *new_outcome(struct reader *reader) {
  struct ckt_outcome_list *list = reader->list;
  if (list->count == reader->capacity) {
    const size_t capacity = reader->capacity > 0 ? 2 * reader->capacity : 64;
    struct ckt_line_outcome *items = realloc(list->items, capacity * sizeof *items);
    if (items == NULL)
      return NULL;
    list->items = items;
    reader->capacity = capacity;
  }
  list->items[list->count] = (struct ckt_line_outcome){.line = (int64_t)list->count};
  return &list->items[list->count++];
}

/* A byte order mark is no part of the text by our own rules; Python reads it as a character of the first line. */
static struct ckt_span skip_mark(const struct reader *reader, struct ckt_span text) {
  static const char mark[] = "\xef\xbb\xbf";
  const size_t size = sizeof mark - 1;
  if (reader->request.rules == CKT_RULES_SEED || text.length < size || memcmp(text.text, mark, size) != 0)
    return text;
  return (struct ckt_span){text.text + size, text.length - size};
}

static int read_lines(struct reader *reader, struct ckt_error *error) {
  struct ckt_outcome_list *list = reader->list;
  struct ckt_span rest =
      skip_mark(reader, (struct ckt_span){ckt_text_string(&list->text), list->text.length});
  struct ckt_span line;
  while (ckt_span_cut_line(&rest, &line)) {
    if (list->count == LIST_LINES_MAX)
      return ckt_fail(error, CKT_E_INPUT, "%s has more than the %zu lines that are read of a list",
                      ckt_list_name(list->path), LIST_LINES_MAX);
    struct ckt_line_outcome *outcome = new_outcome(reader);
    if (outcome == NULL)
      return fail_memory(error);
    outcome->text = line;
    reader->ended = rest.text > line.text + line.length;
    if (read_line(reader, outcome) != CKT_OK)
      return fail_memory(error);
    list->counts[outcome->status]++;
  }
  return CKT_OK;
}

const char *ckt_list_name(const char *path) {
  return strcmp(path, "-") == 0 ? "stdin" : path;
}

/* Opening and reading fail with CKT_E_IO; for the user an unreadable list is wrong input. */
static int read_text(struct ckt_outcome_list *list, struct ckt_error *error) {
  ckt_text_init(&list->text, LIST_BYTES_MAX);
  const int status = strcmp(list->path, "-") == 0
                         ? ckt_file_read_fd(STDIN_FILENO, ckt_list_name(list->path), &list->text, error)
                         : ckt_file_read(list->path, &list->text, error);
  if (status == CKT_E_IO && error != NULL)
    error->code = CKT_E_INPUT;
  return status == CKT_E_IO ? CKT_E_INPUT : status;
}

int ckt_outcomes_read(const char *path, const struct ckt_outcome_request *request,
                      struct ckt_outcome_list *list, struct ckt_error *error) {
  *list = (struct ckt_outcome_list){.path = strdup(path)};
  if (list->path == NULL)
    return fail_memory(error);
  CKT_TRY(read_text(list, error));
  struct reader reader = {.list = list, .request = *request};
  return read_lines(&reader, error);
}

struct ckt_line_outcome ckt_outcome_of_point(const struct ckt_line_outcome *space,
                                             struct ckt_space_walk *walk) {
  return (struct ckt_line_outcome){.line = space->line,
                                   .status = walk->rule == NULL ? CKT_OUTCOME_INSTANCE : CKT_OUTCOME_REJECTED,
                                   .text = space->text,
                                   .instance = walk->instance,
                                   .is_point = true,
                                   .point = walk->number,
                                   .rule = walk->rule,
                                   .reason = walk->reason};
}

static void free_outcome(struct ckt_line_outcome *outcome) {
  ckt_space_free(outcome->space);
  free(outcome->reason);
  free(outcome->sentence);
  if (outcome->exact == NULL)
    return;
  for (size_t i = 0; i < CKT_OUTCOME_NUMBER_COUNT; i++)
    free(outcome->exact->numbers[i]);
  free(outcome->exact->pipeline);
  free(outcome->exact);
}

void ckt_outcomes_free(struct ckt_outcome_list *list) {
  for (size_t i = 0; i < list->count; i++)
    free_outcome(&list->items[i]);
  free(list->items);
  free(list->path);
  ckt_text_free(&list->text);
  *list = (struct ckt_outcome_list){0};
}

void ckt_outcome_report(const struct ckt_outcome_list *list, const struct ckt_line_outcome *outcome,
                        struct ckt_text *text) {
  ckt_text_printf(text, "%s:%" PRId64 ":%zu: %s\n", ckt_list_name(list->path), outcome->line + 1,
                  outcome->column, outcome->sentence);
}

void ckt_outcomes_report(const struct ckt_outcome_list *list, struct ckt_text *text) {
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i].status == CKT_OUTCOME_ERROR)
      ckt_outcome_report(list, &list->items[i], text);
}
