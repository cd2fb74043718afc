#include "driver/list_choice.h"

#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/log.h"
#include "common/place.h"
#include "gen/instance_short.h"

bool ckt_list_is_shipped(const char *instances) {
  return strcmp(instances, "profiler") == 0 || strcmp(instances, "tests") == 0;
}

char *ckt_list_path(const char *instances, const struct ckt_problem_defaults *kind, struct ckt_error *error) {
  if (!ckt_list_is_shipped(instances)) {
    char *copy = strdup(instances);
    if (copy == NULL)
      ckt_fail(error, CKT_E_NOMEM, "memory ran out");
    return copy;
  }
  struct ckt_text relative = {0};
  ckt_text_printf(&relative, "configs/%s/%s/%s_%s.conf", ckt_direction_word(kind->direction), instances,
                  ckt_layout_word(kind->spatial), ckt_dtype_word(kind->dtype));
  char *path = ckt_place_data(ckt_text_string(&relative), error);
  ckt_text_free(&relative);
  return path;
}

static bool matches(const struct ckt_instance_entry *entry, const char *text,
                    const struct ckt_short_form *form) {
  char key[CKT_INSTANCE_KEY_MAX];
  if (form->complete && ckt_short_form_matches(form, &entry->instance))
    return true;
  ckt_instance_key(&entry->instance, key);
  return strstr(entry->name, text) != NULL || strstr(entry->line, text) != NULL || strstr(key, text) != NULL;
}

void ckt_list_filter(struct ckt_instance_list *list, const char *text) {
  size_t kept = 0;
  struct ckt_short_form form;
  if (text == NULL)
    return;
  ckt_short_form_read(ckt_span_of(text), &form);
  for (size_t i = 0; i < list->count; i++) {
    if (matches(&list->entries[i], text, &form)) {
      list->entries[kept++] = list->entries[i];
      continue;
    }
    free(list->entries[i].name);
    free(list->entries[i].line);
  }
  list->count = kept;
}

int ckt_directions_parse(const char *word, bool wanted[CKT_DIRECTION_COUNT], struct ckt_error *error) {
  const bool all = strcmp(word, "all") == 0;
  enum ckt_direction one = CKT_FORWARD;
  if (!all)
    CKT_TRY(ckt_direction_parse(word, &one, error));
  for (unsigned i = 0; i < CKT_DIRECTION_COUNT; i++)
    wanted[i] = all || i == one;
  return CKT_OK;
}

static int add(struct ckt_list_choices *choices, const char *path, const struct ckt_problem_defaults *kind,
               struct ckt_error *error) {
  struct ckt_list_choice *items = realloc(choices->items, (choices->count + 1) * sizeof *items);
  if (items == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  choices->items = items;
  items[choices->count] = (struct ckt_list_choice){.path = strdup(path), .kind = *kind};
  return items[choices->count++].path != NULL ? CKT_OK : ckt_fail(error, CKT_E_NOMEM, "memory ran out");
}

/* What the options say; all that is possible where they say nothing. */
struct wanted {
  const char *instances;
  bool direction[CKT_DIRECTION_COUNT];
  bool dtype[CKT_BF16 + 1];
  bool spatial[4]; /* by number of dimensions */
};

static int read_wanted(const struct ckt_options *options, struct wanted *wanted, struct ckt_error *error) {
  enum ckt_dtype dtype = CKT_FP16;
  wanted->instances = options->instances != NULL ? options->instances : "profiler";
  CKT_TRY(ckt_directions_parse(options->direction, wanted->direction, error));
  if (options->dtype != NULL)
    CKT_TRY(ckt_dtype_parse(options->dtype, &dtype, error));
  for (unsigned i = 0; i <= CKT_BF16; i++)
    wanted->dtype[i] = options->dtype == NULL || i == dtype;
  for (int i = 2; i <= 3; i++)
    wanted->spatial[i] = options->spatial == 0 || i == options->spatial;
  return CKT_OK;
}

/* ---- a file ---- */

/* As Composable Kernel's generator finds it: fp32 before fp16 before bf16, anywhere in the name. */
static bool find_dtype(const char *name, enum ckt_dtype *dtype) {
  for (unsigned i = 0; i <= CKT_BF16; i++)
    if (strstr(name, ckt_dtype_word(i)) != NULL) {
      *dtype = i;
      return true;
    }
  return false;
}

static int add_file(const struct ckt_options *options, const struct wanted *wanted,
                    struct ckt_list_choices *choices, struct ckt_error *error) {
  const char *slash = strrchr(wanted->instances, '/');
  const char *name = slash != NULL ? slash + 1 : wanted->instances;
  struct ckt_problem_defaults kind = {.dtype = CKT_FP16, .spatial = (int)options->spatial};
  if (strcmp(options->direction, "all") == 0)
    return ckt_fail(error, CKT_E_USAGE,
                    "--instances %s is read as one direction's list: say --direction forward, backward_data "
                    "or backward_weight",
                    wanted->instances);
  while (!wanted->direction[kind.direction])
    kind.direction++;
  const bool named = options->dtype == NULL && find_dtype(name, &kind.dtype);
  if (options->dtype != NULL)
    CKT_TRY(ckt_dtype_parse(options->dtype, &kind.dtype, error));
  if (kind.spatial == 0)
    kind.spatial = strstr(name, ckt_layout_word(3)) != NULL ? 3 : 2;
  CKT_TRY(add(choices, wanted->instances, &kind, error));
  choices->items[choices->count - 1].dtype_unknown = options->dtype == NULL && !named;
  return CKT_OK;
}

/* ---- lists that come with the program ---- */

static int add_shipped_list(const char *instances, const struct ckt_problem_defaults *kind,
                            struct ckt_list_choices *choices, struct ckt_error *error) {
  char *path = ckt_list_path(instances, kind, error);
  if (path == NULL)
    return error->code;
  int status = CKT_OK;
  if (ckt_file_exists(path))
    status = add(choices, path, kind, error);
  else
    ckt_log(CKT_LOG_DEBUG, "%s does not come with cktune", path);
  free(path);
  return status;
}

static int add_shipped(const struct ckt_options *options, const struct wanted *wanted,
                       struct ckt_list_choices *choices, struct ckt_error *error) {
  for (unsigned direction = 0; direction < CKT_DIRECTION_COUNT; direction++)
    for (int spatial = 2; spatial <= 3; spatial++)
      for (unsigned dtype = 0; dtype <= CKT_BF16; dtype++) {
        const struct ckt_problem_defaults kind = {direction, dtype, spatial};
        if (wanted->direction[direction] && wanted->spatial[spatial] && wanted->dtype[dtype])
          CKT_TRY(add_shipped_list(wanted->instances, &kind, choices, error));
      }
  if (choices->count > 0)
    return CKT_OK;
  return ckt_fail(error, CKT_E_INPUT,
                  "no %s list for --direction %s%s%s comes with cktune; --instances FILE names one",
                  wanted->instances, options->direction, options->dtype != NULL ? " --dtype " : "",
                  options->dtype != NULL ? options->dtype : "");
}

int ckt_list_choices_make(const struct ckt_options *options, struct ckt_list_choices *choices,
                          struct ckt_error *error) {
  struct wanted wanted = {0};
  *choices = (struct ckt_list_choices){0};
  int status = read_wanted(options, &wanted, error);
  if (status == CKT_OK)
    status = ckt_list_is_shipped(wanted.instances) ? add_shipped(options, &wanted, choices, error)
                                                   : add_file(options, &wanted, choices, error);
  if (status != CKT_OK)
    ckt_list_choices_free(choices);
  return status;
}

void ckt_list_choices_free(struct ckt_list_choices *choices) {
  for (size_t i = 0; i < choices->count; i++)
    free(choices->items[i].path);
  free(choices->items);
  *choices = (struct ckt_list_choices){0};
}
