/* The second half of a plan: what is applicable, sources, code objects, pairs. */
#include "driver/plan.h"

#include <stdlib.h>
#include <string.h>

#include "bench/rtc.h"
#include "common/file.h"
#include "common/text.h"
#include "gen/applicable.h"
#include "gen/emit_hip.h"

static int no_memory(struct ckt_error *error) {
  return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
}

char *ckt_code_sibling(const struct ckt_plan_code *code, const char *suffix, struct ckt_error *error) {
  const char *dot = strrchr(code->path, '.'), *slash = strrchr(code->path, '/');
  const size_t stem =
      dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - code->path) : strlen(code->path);
  struct ckt_text path = {0};
  ckt_text_append_bytes(&path, code->path, stem);
  ckt_text_append(&path, suffix);
  return ckt_text_take(&path, error);
}

struct maker {
  const struct ckt_session *session;
  const struct ckt_arch *arch;
  struct ckt_code_cache *cache;
};

static int write_source(const struct ckt_plan_code *code, const struct ckt_text *source,
                        struct ckt_error *error) {
  char *path = ckt_code_sibling(code, ".hip", error);
  if (path == NULL)
    return CKT_E_NOMEM;
  int status = CKT_OK;
  if (!ckt_file_exists(path))
    status = ckt_file_write(path, source->data, source->length, error);
  if (status == CKT_E_IO)
    status = error->code = CKT_E_CACHE;
  free(path);
  return status;
}

static int place_code(const struct maker *maker, struct ckt_plan_code *code, const struct ckt_text *source,
                      struct ckt_error *error) {
  const struct ckt_code_key key = {.source = ckt_text_string(source),
                                   .headers_digest = maker->session->headers_digest,
                                   .options = ckt_rtc_options,
                                   .toolchain = maker->session->rtc_version,
                                   .target = maker->session->device.target,
                                   .kernel = CKT_KERNEL_ENTRY};
  ckt_code_cache_key(&key, code->key);
  if (code->key[0] == '\0') /* no hash could be made: a key that others would share */
    return no_memory(error);
  code->path = ckt_code_cache_path(maker->cache, code->key, error);
  if (code->path == NULL)
    return error->code;
  code->state = ckt_code_cache_has(maker->cache, code->key) ? CKT_CODE_READY : CKT_CODE_MISSING;
  return write_source(code, source, error); /* also of a ready one: it may turn out not to load */
}

/* A code that a pair needs: emits its source unless that was done. */
static int want_code(const struct maker *maker, struct ckt_plan_code *code, struct ckt_error *error) {
  if (code->state != CKT_CODE_UNWANTED)
    return CKT_OK;
  struct ckt_text source = {0};
  int status = ckt_emit_hip(&code->entry->instance, &source, error);
  if (status == CKT_OK)
    status = ckt_text_status(&source, error);
  if (status == CKT_OK)
    status = place_code(maker, code, &source, error);
  ckt_text_free(&source);
  return status;
}

static int prepare_pair(const struct maker *maker, struct ckt_plan *plan, size_t problem, size_t entry,
                        struct ckt_error *error) {
  const size_t list = plan->problems[problem].list;
  struct ckt_plan_list *of = &plan->lists[list];
  struct ckt_plan_pair *pair = &plan->pairs[plan->pair_count++];
  char reason[CKT_REASON_MAX];
  *pair = (struct ckt_plan_pair){
      .problem = problem, .list = list, .code = CKT_NO_CODE, .entry = &of->list.entries[entry]};
  if (ckt_applicable(&pair->entry->instance, &plan->problems[problem].problem, maker->arch, reason)) {
    pair->code = of->first_code + entry;
    return want_code(maker, &plan->codes[pair->code], error);
  }
  pair->reason = strdup(reason);
  return pair->reason != NULL ? CKT_OK : no_memory(error);
}

/* Room for every code and every pair there can be. */
static int allocate(struct ckt_plan *plan, struct ckt_error *error) {
  size_t pairs = 0;
  plan->code_count = 0;
  for (size_t i = 0; i < plan->list_count; i++) {
    plan->lists[i].first_code = plan->code_count;
    plan->code_count += plan->lists[i].list.count;
  }
  for (size_t i = 0; i < plan->problem_count; i++)
    pairs += plan->lists[plan->problems[i].list].list.count;
  plan->codes = calloc(plan->code_count + 1, sizeof *plan->codes);
  plan->pairs = calloc(pairs + 1, sizeof *plan->pairs);
  if (plan->codes == NULL || plan->pairs == NULL) {
    plan->code_count = 0;
    return no_memory(error);
  }
  for (size_t i = 0; i < plan->list_count; i++)
    for (size_t j = 0; j < plan->lists[i].list.count; j++)
      plan->codes[plan->lists[i].first_code + j].entry = &plan->lists[i].list.entries[j];
  return CKT_OK;
}

int ckt_plan_prepare(struct ckt_plan *plan, const struct ckt_session *session, const struct ckt_arch *arch,
                     struct ckt_code_cache *cache, struct ckt_error *error) {
  const struct maker maker = {.session = session, .arch = arch, .cache = cache};
  CKT_TRY(allocate(plan, error));
  for (size_t i = 0; i < plan->problem_count; i++) {
    struct ckt_plan_problem *problem = &plan->problems[i];
    problem->first = plan->pair_count;
    problem->listed = plan->lists[problem->list].list.count;
    for (size_t j = 0; j < problem->listed; j++)
      CKT_TRY(prepare_pair(&maker, plan, i, j, error));
  }
  return CKT_OK;
}

/* The codes' keys stand for sources, kernel headers, compile options, toolchain and target. */
int ckt_plan_identity(const struct ckt_plan *plan, const struct ckt_session *session,
                      const struct ckt_options *options, const char *version, char identity[CKT_HASH_TEXT],
                      struct ckt_error *error) {
  struct ckt_hash *hash = ckt_hash_create();
  const struct ckt_device *device = &session->device;
  const int64_t numbers[] = {
      options->seed,    device->index, device->simulated, device->compute_units, ckt_device_memory(device),
      device->clock_khz};
  ckt_hash_string(hash, version);
  ckt_hash_string(hash, options->init);
  ckt_hash_part(hash, numbers, sizeof numbers);
  ckt_hash_string(hash, device->name);
  ckt_hash_string(hash, device->target);
  ckt_hash_string(hash, session->hip_version);
  ckt_hash_string(hash, session->rtc_version);
  ckt_hash_string(hash, session->headers_digest);
  for (size_t i = 0; i < plan->pair_count; i++) {
    char key[CKT_INSTANCE_KEY_MAX];
    ckt_instance_key(&plan->pairs[i].entry->instance, key);
    ckt_hash_string(hash, plan->problems[plan->pairs[i].problem].key);
    ckt_hash_string(hash, key);
    ckt_hash_string(hash, plan->pairs[i].code != CKT_NO_CODE ? plan->codes[plan->pairs[i].code].key : "");
  }
  ckt_hash_digest(hash, identity);
  ckt_hash_free(hash);
  return identity[0] != '\0' ? CKT_OK : no_memory(error);
}
