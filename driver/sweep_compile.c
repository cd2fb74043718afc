/* The sweep's compile half: code objects in the order in which pairs need them. */
#include <stdio.h>
#include <stdlib.h>

#include "driver/sweep_parts.h"
#include "driver/worker.h"
#include "gen/emit_hip.h"

/* The next missing code; SIZE_MAX when there is none. Codes stand in the order of their lists, which is the
 * order in which the first problem of each list needs them. */
static size_t next_missing(struct sweep *sweep) {
  while (sweep->next_code < sweep->plan->code_count &&
         sweep->plan->codes[sweep->next_code].state != CKT_CODE_MISSING)
    sweep->next_code++;
  return sweep->next_code < sweep->plan->code_count ? sweep->next_code : SIZE_MAX;
}

static int send_compile(struct sweep *sweep, size_t slot, size_t index, struct ckt_error *error) {
  struct ckt_plan_code *code = &sweep->plan->codes[index];
  char *source = ckt_code_sibling(code, ".hip", error), *log = ckt_code_sibling(code, ".log", error);
  cJSON *request = cJSON_CreateObject();
  cJSON_AddStringToObject(request, "source", source != NULL ? source : "");
  cJSON_AddStringToObject(request, "target", sweep->session->device.target);
  cJSON_AddStringToObject(request, "kernel", CKT_KERNEL_ENTRY);
  cJSON_AddStringToObject(request, "output", code->path);
  cJSON_AddStringToObject(request, "log", log != NULL ? log : "");
  free(source);
  free(log);
  code->state = CKT_CODE_COMPILING;
  sweep->slots[slot].state = SLOT_BUSY;
  sweep->slots[slot].code = index;
  return ckt_pool_send(sweep->session->pool, slot, request, sweep->setup->compile_timeout, error);
}

/* Workers are started one by one as there is work for them. */
int ckt_sweep_give_compiles(struct sweep *sweep, struct ckt_error *error) {
  size_t starting = 0, missing = 0;
  for (size_t slot = CKT_FIRST_COMPILE_SLOT; slot < sweep->slot_count; slot++) {
    const size_t index = next_missing(sweep);
    if (index == SIZE_MAX)
      return CKT_OK;
    if (sweep->slots[slot].state == SLOT_IDLE)
      CKT_TRY(send_compile(sweep, slot, index, error));
    starting += sweep->slots[slot].state == SLOT_STARTING;
  }
  for (size_t i = next_missing(sweep); i < sweep->plan->code_count && missing <= sweep->slot_count; i++)
    missing += sweep->plan->codes[i].state == CKT_CODE_MISSING;
  for (size_t slot = CKT_FIRST_COMPILE_SLOT; slot < sweep->slot_count && starting < missing; slot++)
    if (sweep->slots[slot].state == SLOT_FREE) {
      CKT_TRY(ckt_sweep_launch(sweep, slot, error));
      starting++;
    }
  return CKT_OK;
}

static void fail_code(struct ckt_plan_code *code, enum ckt_pair_status failure, const char *prefix,
                      const char *reason) {
  code->state = CKT_CODE_FAILED;
  code->failure = failure;
  snprintf(code->reason, sizeof code->reason, "%s%s", prefix, reason);
}

static int compile_answered(struct sweep *sweep, struct ckt_plan_code *code, const cJSON *message,
                            struct ckt_error *error) {
  const char *complaint = ckt_json_text(message, "error");
  const int failure = (int)ckt_json_number(message, "code", CKT_OK);
  code->seconds = ckt_json_number(message, "seconds", 0);
  sweep->result->compile_seconds += code->seconds;
  if (complaint == NULL) {
    code->state = CKT_CODE_READY;
    sweep->progress.compiled++;
    return CKT_OK;
  }
  if (failure == CKT_E_CACHE || failure == CKT_E_IO)
    return ckt_fail(error, CKT_E_CACHE, "%s", complaint);
  fail_code(code, CKT_COMPILE_FAILED, "", complaint);
  return CKT_OK;
}

int ckt_sweep_compiled(struct sweep *sweep, const struct ckt_pool_event *event, struct ckt_error *error) {
  struct ckt_plan_code *code = &sweep->plan->codes[sweep->slots[event->slot].code];
  char prefix[128];
  switch (event->kind) {
  case CKT_EVENT_MESSAGE:
    return compile_answered(sweep, code, event->message, error);
  case CKT_EVENT_DEADLINE:
    snprintf(prefix, sizeof prefix,
             "the compile was not done after %g s (--compile-timeout): ", sweep->setup->compile_timeout);
    fail_code(code, CKT_COMPILE_TIMEOUT, prefix, event->cause);
    return CKT_OK;
  default:
    fail_code(code, CKT_COMPILE_CRASHED, "the compile worker ended: ", event->cause);
    return CKT_OK;
  }
}
