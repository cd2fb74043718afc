/* cktune gen --target hip: a folder with the source of every kernel that some architecture can have, and a manifest of
 * all instances:
 *
 *   manifest.json
 *   forward/nhwgc_fp16/grouped_convolution_forward_tile_nhwgc_fp16_17.hip */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/file.h"
#include "common/log.h"
#include "common/number.h"
#include "driver/gen_hip_clean.h"
#include "driver/gen_parts.h"
#include "driver/list_choice.h"
#include "gen/applicable.h"
#include "gen/emit_hip.h"
#include "gen/outcome.h"
#include "results/json_number.h"

struct hip_tree {
  const char *output;
  const struct ckt_arch *archs; /* that are asked for */
  size_t arch_count;
  struct ckt_instance_list *lists; /* one for each choice */
  struct ckt_list_choices choices;
  struct ckt_text manifest, source, path;
  struct ckt_sources earlier, sources; /* of the manifest that was there, and of this one */
  size_t listed, written, unchanged, removed;
};

static int no_memory(struct ckt_error *error) {
  return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
}

/* ---- the manifest ---- */

/* "128x128x32" and "8,8,8" as an array, "true" as a truth value, "17" as a number, other words as text. */
static cJSON *value_of(const char *text) {
  int64_t number;
  if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
    return cJSON_CreateBool(text[0] == 't');
  if (ckt_parse_i64(text, strlen(text), &number) == CKT_NUMBER_OK)
    return cJSON_CreateRaw(text);
  if (text[strspn(text, "-0123456789x,")] != '\0')
    return cJSON_CreateString(text);
  cJSON *array = cJSON_CreateArray();
  for (const char *at = text; array != NULL && *at != '\0'; at += strcspn(at, "x,"), at += *at != '\0') {
    char item[24];
    snprintf(item, sizeof item, "%.*s", (int)strcspn(at, "x,"), at);
    cJSON_AddItemToArray(array, cJSON_CreateRaw(item));
  }
  return array;
}

/* The key says every field of the instance as name=value; so do the parameters. */
static bool add_parameters(cJSON *object, char key[CKT_INSTANCE_KEY_MAX]) {
  cJSON *parameters = cJSON_AddObjectToObject(object, "parameters");
  bool added = parameters != NULL;
  char *rest = NULL;
  for (char *word = strtok_r(key, " ", &rest); word != NULL && added; word = strtok_r(NULL, " ", &rest)) {
    char *value = strchr(word, '=');
    *value = '\0';
    added = cJSON_AddItemToObject(parameters, word, value_of(value + 1));
  }
  return added;
}

static bool add_archs(const struct hip_tree *tree, unsigned built, cJSON *object) {
  cJSON *archs = cJSON_AddArrayToObject(object, "archs");
  bool added = archs != NULL;
  for (size_t i = 0; i < tree->arch_count && added; i++)
    if (built >> i & 1)
      added = cJSON_AddItemToArray(archs, cJSON_CreateString(tree->archs[i].name));
  return added;
}

/* What the manifest says of one instance. */
struct verdict {
  unsigned built; /* a bit for each architecture of the tree that can have it */
  char reason[CKT_REASON_MAX];
};

static bool describe(const struct hip_tree *tree, const struct ckt_instance_entry *entry,
                     const struct verdict *verdict, const char *source, cJSON *object) {
  char key[CKT_INSTANCE_KEY_MAX];
  ckt_instance_key(&entry->instance, key);
  bool added = ckt_json_add_i64(object, "id", entry->id);
  if (entry->point >= 0)
    added &= ckt_json_add_i64(object, "point", entry->point);
  added &= ckt_json_add_text(object, "name", entry->name);
  added &= ckt_json_add_text(object, "line", entry->line);
  added &= ckt_json_add_text(object, "key", key);
  added &= ckt_json_add_text(object, "status", verdict->built != 0 ? "generated" : "not_applicable");
  added &= ckt_json_add_text(object, "reason", verdict->built != 0 ? NULL : verdict->reason);
  added &= ckt_json_add_text(object, "source", verdict->built != 0 ? source : NULL);
  return added && add_archs(tree, verdict->built, object) && add_parameters(object, key);
}

static int add_to_manifest(struct hip_tree *tree, const struct ckt_instance_entry *entry,
                           const struct verdict *verdict, const char *source, struct ckt_error *error) {
  cJSON *object = cJSON_CreateObject();
  char *text = describe(tree, entry, verdict, source, object) ? cJSON_PrintUnformatted(object) : NULL;
  if (text != NULL)
    ckt_text_printf(&tree->manifest, "%s\n  %s", tree->listed > 0 ? "," : "", text);
  cJSON_free(text);
  cJSON_Delete(object);
  return text != NULL ? CKT_OK : no_memory(error);
}

/* ---- the sources ---- */

/* The reason of the last architecture, which has most of everything, is kept when there is none that can. */
static struct verdict judge(const struct hip_tree *tree, const struct ckt_instance *instance) {
  struct verdict verdict = {0};
  for (size_t i = 0; i < tree->arch_count; i++)
    if (ckt_buildable(instance, &tree->archs[i], verdict.reason))
      verdict.built |= 1U << i;
  return verdict;
}

static int write_source(struct hip_tree *tree, const struct ckt_instance *instance, struct ckt_error *error) {
  bool changed;
  ckt_text_clear(&tree->source);
  CKT_TRY(ckt_emit_hip(instance, &tree->source, error));
  CKT_TRY(ckt_file_update(ckt_text_string(&tree->path), ckt_text_string(&tree->source), tree->source.length,
                          &changed, error));
  tree->written += changed;
  tree->unchanged += !changed;
  return CKT_OK;
}

static int add_entry(struct hip_tree *tree, const struct ckt_instance_entry *entry, struct ckt_error *error) {
  const struct ckt_instance *instance = &entry->instance;
  const struct verdict verdict = judge(tree, instance);
  ckt_text_clear(&tree->path);
  ckt_text_printf(&tree->path, "%s/%s/%s_%s/%s.hip", tree->output, ckt_direction_word(instance->direction),
                  ckt_layout_word(instance->spatial), ckt_dtype_word(instance->dtype), entry->name);
  CKT_TRY(ckt_text_status(&tree->path, error));
  const char *source = ckt_text_string(&tree->path) + strlen(tree->output) + 1;
  if (verdict.built != 0) {
    CKT_TRY(write_source(tree, instance, error));
    CKT_TRY(ckt_sources_add(&tree->sources, source, error));
  }
  CKT_TRY(add_to_manifest(tree, entry, &verdict, source, error));
  tree->listed++;
  return CKT_OK;
}

static int write_sources(struct hip_tree *tree, struct ckt_error *error) {
  ckt_text_append(&tree->manifest,
                  "{\"schema\":1,\"target\":\"hip\",\"kernel\":\"" CKT_KERNEL_ENTRY "\",\"instances\":[");
  for (size_t i = 0; i < tree->choices.count; i++)
    for (size_t j = 0; j < tree->lists[i].count; j++)
      CKT_TRY(add_entry(tree, &tree->lists[i].entries[j], error));
  return CKT_OK;
}

static int write_manifest(struct hip_tree *tree, struct ckt_error *error) {
  ckt_text_append(&tree->manifest, "\n]}\n");
  ckt_text_clear(&tree->path);
  ckt_text_printf(&tree->path, "%s/manifest.json", tree->output);
  CKT_TRY(ckt_text_status(&tree->path, error));
  CKT_TRY(ckt_text_status(&tree->manifest, error));
  return ckt_file_update(ckt_text_string(&tree->path), ckt_text_string(&tree->manifest),
                         tree->manifest.length, NULL, error);
}

/* ---- all of it ---- */

/* Every list is read, so that the bad lines of all are shown in one run. */
static int read_all(const struct ckt_options *options, struct hip_tree *tree, struct ckt_text *faults,
                    struct ckt_error *error) {
  int result = CKT_OK;
  for (size_t i = 0; i < tree->choices.count; i++) {
    const struct ckt_list_choice *choice = &tree->choices.items[i];
    struct ckt_error fault = {0};
    const int status = (options->keep_going ? ckt_instance_list_read_good : ckt_instance_list_read)(
        choice->path, &choice->kind, &tree->lists[i], faults, &fault);
    if (status != CKT_OK && result == CKT_OK)
      result = ckt_fail(error, status, "%s", fault.text);
    else if (status != CKT_OK)
      ckt_text_printf(faults, "%s\n", fault.text);
  }
  return result;
}

static int check_count(const struct ckt_options *options, const struct hip_tree *tree, size_t kept,
                       struct ckt_error *error) {
  if (kept > 0)
    return CKT_OK;
  if (options->filter != NULL)
    return ckt_fail(error, CKT_E_USAGE, "--filter: no instance contains '%s'", options->filter);
  return ckt_fail(error, CKT_E_INPUT, "%s holds no instance", ckt_list_name(tree->choices.items[0].path));
}

static int read_lists(const struct ckt_options *options, struct hip_tree *tree, struct ckt_error *error) {
  size_t kept = 0, bad_lines = 0;
  struct ckt_text faults = {0};
  CKT_TRY(ckt_list_choices_make(options, &tree->choices, error));
  tree->lists = calloc(tree->choices.count, sizeof *tree->lists);
  if (tree->lists == NULL)
    return no_memory(error);
  const int status = read_all(options, tree, &faults, error);
  ckt_log_lines(status == CKT_OK ? CKT_LOG_WARNING : CKT_LOG_ERROR, ckt_text_string(&faults));
  ckt_text_free(&faults);
  CKT_TRY(status);
  for (size_t i = 0; i < tree->choices.count; i++) {
    bad_lines += tree->lists[i].bad_lines;
    ckt_list_filter(&tree->lists[i], options->filter);
    kept += tree->lists[i].count;
  }
  ckt_gen_say_left_out(bad_lines);
  return check_count(options, tree, kept, error);
}

static int make_tree(const struct ckt_options *options, struct hip_tree *tree, struct ckt_error *error) {
  tree->archs = ckt_arch_list(&tree->arch_count);
  if (options->arch != NULL) {
    CKT_TRY(ckt_arch_parse(options->arch, &tree->archs, error));
    tree->arch_count = 1;
  }
  CKT_TRY(read_lists(options, tree, error));
  if (options->clean)
    CKT_TRY(ckt_sources_of_manifest(tree->output, &tree->earlier, error));
  /* The manifest comes last: what it names is there, and a run that ends before leaves the one that names what is
   * still to be removed. */
  CKT_TRY(write_sources(tree, error));
  if (options->clean)
    CKT_TRY(ckt_sources_clean(tree->output, &tree->earlier, &tree->sources, &tree->removed, error));
  CKT_TRY(write_manifest(tree, error));
  ckt_log(CKT_LOG_NOTE,
          "%s: %zu instances, %zu sources written, %zu as they were, %zu not applicable, %zu removed",
          tree->output, tree->listed, tree->written, tree->unchanged,
          tree->listed - tree->written - tree->unchanged, tree->removed);
  return CKT_OK;
}

static void free_tree(struct hip_tree *tree) {
  for (size_t i = 0; tree->lists != NULL && i < tree->choices.count; i++)
    ckt_instance_list_free(&tree->lists[i]);
  free(tree->lists);
  ckt_list_choices_free(&tree->choices);
  ckt_sources_free(&tree->earlier);
  ckt_sources_free(&tree->sources);
  ckt_text_free(&tree->manifest);
  ckt_text_free(&tree->source);
  ckt_text_free(&tree->path);
}

int ckt_gen_hip(const struct ckt_options *options, int *status, struct ckt_error *error) {
  (void)status;
  if (options->output == NULL)
    return ckt_fail(error, CKT_E_USAGE, "where to write was not said: --output DIR");
  struct hip_tree tree = {.output = options->output};
  const int code = make_tree(options, &tree, error);
  free_tree(&tree);
  return code;
}
