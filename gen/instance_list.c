#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gen/outcome.h"

/* Instances of one list: spaces may have far more, which nobody can compile. */
#define ENTRIES_MAX 200000

/* The list being made. */
struct list_reader {
  struct ckt_instance_list *list;
  struct ckt_text *faults; /* may be NULL */
  bool keep_going;         /* bad lines are left out */
  struct ckt_error *error;
};

static int fail_memory(struct list_reader *reader) {
  return ckt_fail(reader->error, CKT_E_NOMEM, "memory ran out");
}

static char *entry_name(const struct ckt_line_outcome *outcome) {
  struct ckt_text name = {0};
  ckt_text_printf(&name, "grouped_convolution_%s_tile_%s_%s_%" PRId64,
                  ckt_direction_word(outcome->instance.direction), ckt_layout_word(outcome->instance.spatial),
                  ckt_dtype_word(outcome->instance.dtype), outcome->line);
  if (outcome->is_point)
    ckt_text_printf(&name, "_%" PRId64, outcome->point);
  return ckt_text_take(&name, NULL);
}

/* Takes `line` over. */
static int add_entry(struct list_reader *reader, const struct ckt_line_outcome *outcome, char *line) {
  struct ckt_instance_entry *entry = &reader->list->entries[reader->list->count++];
  *entry = (struct ckt_instance_entry){.instance = outcome->instance,
                                       .id = outcome->line,
                                       .point = outcome->is_point ? outcome->point : -1,
                                       .name = entry_name(outcome),
                                       .line = line};
  return entry->name != NULL && entry->line != NULL ? CKT_OK : fail_memory(reader);
}

static int add_points(struct list_reader *reader, const struct ckt_line_outcome *space) {
  struct ckt_space_walk walk;
  struct ckt_span fault;
  bool more;
  ckt_space_start(&walk, space->space, NULL, false);
  CKT_TRY(ckt_space_next(&walk, &more, &fault, reader->error));
  while (more) {
    const struct ckt_line_outcome point = ckt_outcome_of_point(space, &walk);
    CKT_TRY(add_entry(reader, &point, ckt_space_point_line(space->space, &walk.instance)));
    CKT_TRY(ckt_space_next(&walk, &more, &fault, reader->error));
  }
  return CKT_OK;
}

/* All bad lines are told, or where nobody asks for them the first one. */
static int fail_lines(struct list_reader *reader, const struct ckt_outcome_list *lines) {
  const size_t bad = lines->counts[CKT_OUTCOME_ERROR];
  struct ckt_text report = {0};
  ckt_outcomes_report(lines, &report);
  const char *text = ckt_text_string(&report);
  if (reader->faults != NULL) {
    ckt_text_append(reader->faults, text);
    ckt_fail(reader->error, CKT_E_INPUT, "%s has %zu bad line%s, expected none", ckt_list_name(lines->path),
             bad, bad == 1 ? "" : "s");
  } else {
    ckt_fail(reader->error, CKT_E_INPUT, "%.*s", (int)strcspn(text, "\n"), text);
  }
  ckt_text_free(&report);
  return CKT_E_INPUT;
}

static int count_entries(struct list_reader *reader, const struct ckt_outcome_list *lines, size_t *count) {
  *count = lines->counts[CKT_OUTCOME_INSTANCE];
  if (*count > ENTRIES_MAX)
    return ckt_fail(reader->error, CKT_E_INPUT, "%s has %zu instances, expected at most %d",
                    ckt_list_name(lines->path), *count, ENTRIES_MAX);
  for (size_t i = 0; i < lines->count; i++) {
    const struct ckt_line_outcome *line = &lines->items[i];
    if (line->status != CKT_OUTCOME_SPACE)
      continue;
    *count += (size_t)line->kept;
    if (*count > ENTRIES_MAX)
      return ckt_fail(reader->error, CKT_E_INPUT,
                      "%s:%" PRId64 ":1: with the %" PRId64
                      " instances of this space the list has more than %d, "
                      "expected fewer: a where clause makes it smaller",
                      ckt_list_name(lines->path), line->line + 1, line->kept, ENTRIES_MAX);
  }
  return CKT_OK;
}

static int add_entries(struct list_reader *reader, const struct ckt_outcome_list *lines) {
  if (lines->counts[CKT_OUTCOME_ERROR] > 0 && !reader->keep_going)
    return fail_lines(reader, lines);
  if (reader->keep_going)
    ckt_outcomes_report(lines, reader->faults);
  reader->list->bad_lines = lines->counts[CKT_OUTCOME_ERROR];
  size_t count = 0;
  CKT_TRY(count_entries(reader, lines, &count));
  reader->list->entries = calloc(count + 1, sizeof *reader->list->entries);
  if (reader->list->entries == NULL)
    return fail_memory(reader);
  for (size_t i = 0; i < lines->count; i++) {
    const struct ckt_line_outcome *line = &lines->items[i];
    if (line->status == CKT_OUTCOME_INSTANCE)
      CKT_TRY(add_entry(reader, line, ckt_span_copy(line->text)));
    else if (line->status == CKT_OUTCOME_SPACE)
      CKT_TRY(add_points(reader, line));
  }
  return CKT_OK;
}

/* --- duplicates --- */

struct keyed {
  char key[CKT_INSTANCE_KEY_MAX];
  size_t index;
};

static int by_key_then_index(const void *left, const void *right) {
  const struct keyed *a = left, *b = right;
  const int order = strcmp(a->key, b->key);
  return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static void free_entry(struct ckt_instance_entry *entry) {
  free(entry->name);
  free(entry->line);
  *entry = (struct ckt_instance_entry){0};
}

/* Entries without a line are gone: moves the others together. */
static void compact(struct ckt_instance_list *list) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++)
    if (list->entries[i].line != NULL)
      list->entries[kept++] = list->entries[i];
  list->count = kept;
}

/* Lines that differ only in what no kernel of ours depends on have one key; the first of them stays. */
static int drop_duplicates(struct list_reader *reader) {
  struct ckt_instance_list *list = reader->list;
  struct keyed *keys = calloc(list->count + 1, sizeof *keys);
  if (keys == NULL)
    return fail_memory(reader);
  for (size_t i = 0; i < list->count; i++) {
    ckt_instance_key(&list->entries[i].instance, keys[i].key);
    keys[i].index = i;
  }
  qsort(keys, list->count, sizeof *keys, by_key_then_index);
  for (size_t i = 1; i < list->count; i++)
    if (strcmp(keys[i].key, keys[i - 1].key) == 0)
      free_entry(&list->entries[keys[i].index]);
  free(keys);
  compact(list);
  return CKT_OK;
}

static int read_list(struct list_reader *reader, const char *path,
                     const struct ckt_problem_defaults *defaults) {
  const struct ckt_outcome_request request = {.rules = CKT_RULES_HARDWARE, .kind = *defaults};
  struct ckt_outcome_list lines = {0};
  *reader->list = (struct ckt_instance_list){.path = strdup(path)};
  int status = reader->list->path != NULL ? ckt_outcomes_read(path, &request, &lines, reader->error)
                                          : fail_memory(reader);
  if (status == CKT_OK)
    status = add_entries(reader, &lines);
  if (status == CKT_OK)
    status = drop_duplicates(reader);
  ckt_outcomes_free(&lines);
  if (status != CKT_OK)
    ckt_instance_list_free(reader->list);
  return status;
}

int ckt_instance_list_read(const char *path, const struct ckt_problem_defaults *defaults,
                           struct ckt_instance_list *list, struct ckt_text *faults, struct ckt_error *error) {
  struct list_reader reader = {.list = list, .faults = faults, .error = error};
  return read_list(&reader, path, defaults);
}

int ckt_instance_list_read_good(const char *path, const struct ckt_problem_defaults *defaults,
                                struct ckt_instance_list *list, struct ckt_text *faults,
                                struct ckt_error *error) {
  struct list_reader reader = {.list = list, .faults = faults, .keep_going = true, .error = error};
  return read_list(&reader, path, defaults);
}

void ckt_instance_list_free(struct ckt_instance_list *list) {
  for (size_t i = 0; i < list->count; i++)
    free_entry(&list->entries[i]);
  free(list->entries);
  free(list->path);
  *list = (struct ckt_instance_list){0};
}
