#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "gen/instance_reader.h"

/* Instance lists are read whole; one of this size has over a hundred thousand lines. */
#define LIST_BYTES_MAX ((size_t)16 << 20)

/* The list being read, and where. */
struct list_reader {
  struct ckt_instance_list *list;
  const struct ckt_problem_defaults *defaults;
  bool has_ck_lines;
  size_t capacity;
  int64_t id; /* of the line at hand, 0-based */
  struct ckt_error *error;
};

static int fail_at(struct list_reader *reader, size_t column, int code, const char *sentence) {
  return ckt_fail(reader->error, code, "%s:%" PRId64 ":%zu: %s", reader->list->path, reader->id + 1, column,
                  sentence);
}

static int fail_memory(struct list_reader *reader) {
  return ckt_fail(reader->error, CKT_E_NOMEM, "memory ran out");
}

/* Names every byte that a reader of text would stumble over. */
static int check_text(struct list_reader *reader, struct ckt_span line) {
  for (size_t at = 0, size; at < line.length; at += size) {
    unsigned point = 0;
    size = ckt_utf8_decode(line.text + at, line.length - at, &point);
    if (size == 0)
      return fail_at(reader, at + 1, CKT_E_INPUT, "the line is not UTF-8 text, expected an instance");
    if (point == 0)
      return fail_at(reader, at + 1, CKT_E_INPUT, "the line holds a NUL byte, expected text");
  }
  return CKT_OK;
}

static struct ckt_instance_entry *new_entry(struct list_reader *reader) {
  struct ckt_instance_list *list = reader->list;
  if (list->count == reader->capacity) {
    const size_t capacity = reader->capacity > 0 ? 2 * reader->capacity : 64;
    struct ckt_instance_entry *entries = realloc(list->entries, capacity * sizeof *entries);
    if (entries == NULL)
      return NULL;
    list->entries = entries;
    reader->capacity = capacity;
  }
  list->entries[list->count] = (struct ckt_instance_entry){.id = reader->id};
  return &list->entries[list->count++];
}

static char *entry_name(const struct ckt_instance *instance, int64_t id) {
  struct ckt_text name = {0};
  ckt_text_printf(&name, "grouped_convolution_%s_tile_%s_%s_%" PRId64,
                  ckt_direction_word(instance->direction), ckt_layout_word(instance->spatial),
                  ckt_dtype_word(instance->dtype), id);
  return ckt_text_take(&name, NULL);
}

static int read_entry(struct list_reader *reader, struct ckt_span line) {
  struct ckt_instance_entry *entry = new_entry(reader);
  if (entry == NULL || (entry->line = ckt_span_copy(line)) == NULL)
    return fail_memory(reader);
  struct ckt_error fault;
  size_t column = 1;
  const int status = ckt_instance_parse(entry->line, reader->defaults, &entry->instance, &column, &fault);
  if (status != CKT_OK)
    return fail_at(reader, column, status, fault.text);
  entry->name = entry_name(&entry->instance, entry->id);
  return entry->name != NULL ? CKT_OK : fail_memory(reader);
}

static int read_line(struct list_reader *reader, struct ckt_span line) {
  CKT_TRY(check_text(reader, line));
  switch (ckt_instance_line_kind(line)) {
  case CKT_LINE_COMMENT:
    return CKT_OK;
  case CKT_LINE_BLANK:
    if (!reader->has_ck_lines)
      return CKT_OK;
    return fail_at(reader, 1, CKT_E_INPUT,
                   "the line is blank, which Composable Kernel's reader refuses in a list in its notation: "
                   "remove it or start it with '#'");
  case CKT_LINE_CK:
  case CKT_LINE_OWN:
    break;
  }
  return read_entry(reader, line);
}

static bool has_ck_lines(struct ckt_span rest) {
  struct ckt_span line;
  while (ckt_span_cut_line(&rest, &line))
    if (ckt_instance_line_kind(line) == CKT_LINE_CK)
      return true;
  return false;
}

static int read_lines(struct list_reader *reader, struct ckt_span rest) {
  struct ckt_span line;
  reader->has_ck_lines = has_ck_lines(rest);
  for (; ckt_span_cut_line(&rest, &line); reader->id++)
    CKT_TRY(read_line(reader, line));
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

/* Opening and reading fail with CKT_E_IO; for the user an unreadable list is wrong input. */
static int read_text(const char *path, struct ckt_text *text, struct ckt_error *error) {
  const int status = ckt_file_read(path, text, error);
  if (status == CKT_E_IO && error != NULL)
    error->code = CKT_E_INPUT;
  return status == CKT_E_IO ? CKT_E_INPUT : status;
}

int ckt_instance_list_read(const char *path, const struct ckt_problem_defaults *defaults,
                           struct ckt_instance_list *list, struct ckt_error *error) {
  *list = (struct ckt_instance_list){.path = strdup(path)};
  struct list_reader reader = {.list = list, .defaults = defaults, .error = error};
  struct ckt_text text;
  ckt_text_init(&text, LIST_BYTES_MAX);
  int status = list->path != NULL ? read_text(path, &text, error) : fail_memory(&reader);
  if (status == CKT_OK)
    status = read_lines(&reader, (struct ckt_span){ckt_text_string(&text), text.length});
  if (status == CKT_OK)
    status = drop_duplicates(&reader);
  ckt_text_free(&text);
  if (status != CKT_OK)
    ckt_instance_list_free(list);
  return status;
}

void ckt_instance_list_free(struct ckt_instance_list *list) {
  for (size_t i = 0; i < list->count; i++)
    free_entry(&list->entries[i]);
  free(list->entries);
  free(list->path);
  *list = (struct ckt_instance_list){0};
}
