#include "bench/tensors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"

enum { POISON = 0xff, GUARD_BYTES = 4096 }; /* a multiple of every alignment a kernel may count on */

/* What a device keeps for itself besides: code objects, scratch, queues. */
#define DEVICE_RESERVE ((int64_t)64 << 20)

static const char *const tensor_names[CKT_TENSORS] = {"input", "weight", "output"};

static size_t guard_of(const struct ckt_hip *hip) {
  return hip->simulated ? 0 : GUARD_BYTES;
}

static void byte_sizes(const struct ckt_problem *problem, int64_t bytes[CKT_TENSORS]) {
  const int64_t element = ckt_dtype_bytes(problem->dtype);
  bytes[CKT_TENSOR_IN] = ckt_problem_input_elements(problem) * element;
  bytes[CKT_TENSOR_WEI] = ckt_problem_weight_elements(problem) * element;
  bytes[CKT_TENSOR_OUT] = ckt_problem_output_elements(problem) * element;
}

int ckt_tensors_check_memory(const struct ckt_hip *hip, const struct ckt_problem *problem,
                             struct ckt_error *error) {
  int64_t bytes[CKT_TENSORS];
  byte_sizes(problem, bytes);
  int64_t needed = hip->simulated ? 0 : DEVICE_RESERVE;
  for (int i = 0; i < CKT_TENSORS; i++)
    if (!ckt_add_i64(needed, bytes[i], &needed) || !ckt_add_i64(needed, (int64_t)2 * GUARD_BYTES, &needed))
      needed = INT64_MAX;
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  CKT_TRY(ckt_hip_check(hip, hip->hipMemGetInfo(&free_bytes, &total_bytes), CKT_E_DEVICE,
                        "cannot read the device's free memory", error));
  if ((uint64_t)needed <= free_bytes)
    return CKT_OK;
  return ckt_fail(
      error, CKT_E_DEVICE,
      "the problem needs %.1f MiB of device memory and %.1f of %.1f MiB are free: choose a smaller "
      "problem, or end what else runs on the device",
      (double)needed / 0x1p20, (double)free_bytes / 0x1p20, (double)total_bytes / 0x1p20);
}

static int create_one(const struct ckt_hip *hip, struct ckt_tensors *tensors, int which, const void *content,
                      struct ckt_error *error) {
  const size_t bytes = tensors->tensor[which].bytes;
  const size_t whole = bytes + 2 * tensors->guard;
  void *base = NULL;
  char what[96];
  snprintf(what, sizeof what, "cannot allocate the %s tensor of %zu bytes on the device", tensor_names[which],
           bytes);
  CKT_TRY(ckt_hip_check(hip, hip->hipMalloc(&base, whole), CKT_E_DEVICE, what, error));
  tensors->tensor[which].base = base;
  snprintf(what, sizeof what, "cannot fill the %s tensor", tensor_names[which]);
  CKT_TRY(ckt_hip_check(hip, hip->hipMemset(base, POISON, whole), CKT_E_DEVICE, what, error));
  if (content == NULL)
    return CKT_OK;
  return ckt_hip_check(
      hip,
      hip->hipMemcpy(tensors->tensor[which].base + tensors->guard, content, bytes, hipMemcpyHostToDevice),
      CKT_E_DEVICE, what, error);
}

int ckt_tensors_create(const struct ckt_hip *hip, const struct ckt_reference *reference,
                       struct ckt_tensors *tensors, struct ckt_error *error) {
  *tensors = (struct ckt_tensors){.guard = guard_of(hip)};
  int64_t bytes[CKT_TENSORS];
  byte_sizes(&reference->problem, bytes);
  const void *const content[CKT_TENSORS] = {reference->in, reference->wei, NULL};
  const size_t out = (size_t)bytes[CKT_TENSOR_OUT];
  tensors->host = malloc(out > GUARD_BYTES ? out : GUARD_BYTES);
  int status = CKT_OK;
  if (tensors->host == NULL)
    status = ckt_fail(error, CKT_E_NOMEM, "memory ran out for a copy of the output of %zu bytes", out);
  for (int i = 0; i < CKT_TENSORS && status == CKT_OK; i++) {
    tensors->tensor[i].bytes = (size_t)bytes[i];
    status = create_one(hip, tensors, i, content[i], error);
  }
  if (status != CKT_OK)
    ckt_tensors_free(hip, tensors);
  return status;
}

void ckt_tensors_free(const struct ckt_hip *hip, struct ckt_tensors *tensors) {
  for (int i = 0; i < CKT_TENSORS; i++)
    if (tensors->tensor[i].base != NULL)
      (void)hip->hipFree(tensors->tensor[i].base);
  free(tensors->host);
  *tensors = (struct ckt_tensors){0};
}

static char *tensor_address(const struct ckt_tensors *tensors, int which) {
  return tensors->tensor[which].base + tensors->guard;
}

void ckt_tensors_bind(const struct ckt_tensors *tensors, struct ckt_conv_args *args) {
  args->in = (CKT_U64)(uintptr_t)tensor_address(tensors, CKT_TENSOR_IN);
  args->wei = (CKT_U64)(uintptr_t)tensor_address(tensors, CKT_TENSOR_WEI);
  args->out = (CKT_U64)(uintptr_t)tensor_address(tensors, CKT_TENSOR_OUT);
}

hipError_t ckt_tensors_poison(const struct ckt_hip *hip, const struct ckt_tensors *tensors) {
  const hipError_t status =
      hip->hipMemset(tensor_address(tensors, CKT_TENSOR_OUT), POISON, tensors->tensor[CKT_TENSOR_OUT].bytes);
  return status == hipSuccess ? hip->hipDeviceSynchronize() : status;
}

/* ---- judging ---- */

/* Elements that still hold the poison, which no arithmetic gives (it makes other NaNs). */
static int64_t count_unwritten(const void *out, size_t bytes, size_t element) {
  static const unsigned char poison[4] = {POISON, POISON, POISON, POISON};
  int64_t count = 0;
  for (size_t at = 0; at + element <= bytes; at += element)
    count += memcmp((const char *)out + at, poison, element) == 0;
  return count;
}

/* "n=1 d=0 h=3 w=5 g=0 k=17" of a linear index into NDHWGK. */
static void describe_index(const struct ckt_problem *p, int64_t index, char text[128]) {
  int64_t out[CKT_AXES];
  ckt_problem_output(p, out);
  const int64_t extents[] = {p->k, p->g, out[CKT_WIDTH], out[CKT_HEIGHT], out[CKT_DEPTH]};
  int64_t at[5];
  for (int i = 0; i < 5; i++) {
    at[i] = index % extents[i];
    index /= extents[i];
  }
  char depth[32] = "";
  if (p->spatial == 3)
    snprintf(depth, sizeof depth, " d=%lld", (long long)at[4]);
  snprintf(text, 128, "n=%lld%s h=%lld w=%lld g=%lld k=%lld", (long long)index, depth, (long long)at[3],
           (long long)at[2], (long long)at[1], (long long)at[0]);
}

static void describe_wrong(const struct ckt_reference *reference, const struct ckt_verdict *v,
                           int64_t unwritten, char reason[CKT_MEASUREMENT_REASON_MAX]) {
  const long long total = (long long)reference->out_elements;
  if (unwritten == reference->out_elements) {
    snprintf(reason, CKT_MEASUREMENT_REASON_MAX, "the kernel wrote none of the %lld output elements", total);
    return;
  }
  char where[128];
  char never[64] = "";
  describe_index(&reference->problem, v->worst_index, where);
  if (unwritten > 0)
    snprintf(never, sizeof never, ", %lld of them never written", (long long)unwritten);
  snprintf(reason, CKT_MEASUREMENT_REASON_MAX,
           "%lld of %lld output elements are wrong%s; the worst, at %s, is %.9g where %.9g was expected, "
           "%.3g times the tolerance",
           (long long)v->wrong_elements, total, never, where, v->worst_out, v->worst_ref, v->error_ratio);
}

static bool guard_is_whole(const unsigned char *guard, size_t bytes, size_t *where) {
  for (*where = 0; *where < bytes; (*where)++)
    if (guard[*where] != POISON)
      return false;
  return true;
}

/* Bytes that were written outside a tensor; they are put right again. */
static hipError_t check_guards(const struct ckt_hip *hip, const struct ckt_tensors *tensors,
                               char reason[CKT_MEASUREMENT_REASON_MAX]) {
  for (int i = 0; i < 2 * CKT_TENSORS && tensors->guard > 0; i++) {
    const bool after = i % 2 != 0;
    const int which = i / 2;
    char *address = tensors->tensor[which].base + (after ? tensors->guard + tensors->tensor[which].bytes : 0);
    const hipError_t status = hip->hipMemcpy(tensors->host, address, tensors->guard, hipMemcpyDeviceToHost);
    if (status != hipSuccess)
      return status;
    size_t where;
    if (guard_is_whole(tensors->host, tensors->guard, &where))
      continue;
    snprintf(reason, CKT_MEASUREMENT_REASON_MAX, "the kernel wrote outside a tensor: %zu bytes %s the %s",
             after ? where : tensors->guard - where, after ? "behind the end of" : "before the start of",
             tensor_names[which]);
    return hip->hipMemset(address, POISON, tensors->guard);
  }
  return hipSuccess;
}

hipError_t ckt_tensors_verify(const struct ckt_hip *hip, const struct ckt_tensors *tensors,
                              const struct ckt_reference *reference, struct ckt_output_verdict *verdict) {
  const size_t bytes = tensors->tensor[CKT_TENSOR_OUT].bytes;
  *verdict = (struct ckt_output_verdict){0};
  const hipError_t status =
      hip->hipMemcpy(tensors->host, tensor_address(tensors, CKT_TENSOR_OUT), bytes, hipMemcpyDeviceToHost);
  if (status != hipSuccess)
    return status;
  ckt_verify(reference, tensors->host, &verdict->verdict);
  if (verdict->verdict.wrong_elements > 0) {
    const size_t element = (size_t)ckt_dtype_bytes(reference->problem.dtype);
    describe_wrong(reference, &verdict->verdict, count_unwritten(tensors->host, bytes, element),
                   verdict->reason);
  }
  return check_guards(hip, tensors, verdict->reason); /* a stray write explains more than wrong elements do */
}
