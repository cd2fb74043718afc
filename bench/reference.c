#include "bench/reference.h"

#include <stdbool.h>
#include <stdlib.h>

#include "bench/direct.h"
#include "bench/dtype.h"
#include "bench/fill.h"
#include "bench/parallel.h"
#include "common/machine.h"
#include "common/number.h"

/* Sizes of one reference, in elements. */
struct sizes {
  int64_t in, wei, out;
  bool padded; /* some output element reads padding, so the number of terms differs from element to element */
};

static bool has_padding(const struct ckt_problem *p) {
  for (int axis = 0; axis < CKT_AXES; axis++)
    if (p->pad_left[axis] > 0 || p->pad_right[axis] > 0)
      return true;
  return false;
}

static struct sizes sizes_of(const struct ckt_problem *p) {
  return (struct sizes){.in = ckt_problem_input_elements(p),
                        .wei = ckt_problem_weight_elements(p),
                        .out = ckt_problem_output_elements(p),
                        .padded = has_padding(p)};
}

/* The sum of the products, or INT64_MAX. */
static int64_t weighted(const int64_t counts[4], const int64_t bytes[4]) {
  int64_t sum = 0;
  for (int i = 0; i < 4; i++) {
    int64_t product;
    if (!ckt_mul_i64(counts[i], bytes[i], &product) || !ckt_add_i64(sum, product, &sum))
      return INT64_MAX;
  }
  return sum;
}

static int check_limits(const struct ckt_problem *p, const struct sizes *sizes, int workers,
                        struct ckt_error *error) {
  const int64_t macs = ckt_problem_flops(p) / 2;
  if (macs > CKT_REFERENCE_MAX_MACS)
    return ckt_fail(
        error, CKT_E_DEVICE,
        "the problem takes %.3g multiply-adds and the host's reference stops at %.3g: no result could "
        "be verified; choose a smaller problem, for instance a smaller batch N",
        (double)macs, (double)CKT_REFERENCE_MAX_MACS);
  const int64_t element = ckt_dtype_bytes(p->dtype);
  const int64_t counts[4] = {sizes->in, sizes->wei, sizes->out, sizes->wei / p->g / p->k};
  const int64_t out_bytes = (int64_t)sizeof(double) + (int64_t)sizeof(float) + (sizes->padded ? 8 : 0);
  const int64_t bytes[4] = {element + 4, element + 4, out_bytes, workers * CKT_DIRECT_PANEL_BYTES};
  const int64_t needed = weighted(counts, bytes);
  const int64_t available = ckt_available_memory();
  if (needed > available)
    return ckt_fail(
        error, CKT_E_DEVICE,
        "the host's reference needs %.1f MiB of memory and %.1f MiB are free: choose a smaller problem "
        "or free memory",
        (double)needed / 0x1p20, (double)available / 0x1p20);
  return CKT_OK;
}

static bool allocate(struct ckt_reference *reference, const struct sizes *sizes) {
  const size_t element = (size_t)ckt_dtype_bytes(reference->problem.dtype);
  reference->in = calloc((size_t)sizes->in, element);
  reference->wei = calloc((size_t)sizes->wei, element);
  reference->out = calloc((size_t)sizes->out, sizeof *reference->out);
  reference->magnitude = calloc((size_t)sizes->out, sizeof *reference->magnitude);
  if (sizes->padded)
    reference->terms = calloc((size_t)sizes->out, sizeof *reference->terms);
  reference->out_elements = sizes->out;
  return reference->in != NULL && reference->wei != NULL && reference->out != NULL &&
         reference->magnitude != NULL && (!sizes->padded || reference->terms != NULL);
}

static int fail_memory(struct ckt_error *error) {
  return ckt_fail(error, CKT_E_NOMEM, "memory ran out for the host's reference: choose a smaller problem");
}

/* The tensors as floats, for the time the reference is computed. */
static int compute(struct ckt_reference *reference, const struct sizes *sizes, int workers,
                   struct ckt_error *error) {
  float *in = malloc((size_t)sizes->in * sizeof *in);
  float *wei = malloc((size_t)sizes->wei * sizeof *wei);
  int status;
  if (in != NULL && wei != NULL) {
    const enum ckt_dtype dtype = reference->problem.dtype;
    ckt_dtype_decode(dtype, reference->in, 0, sizes->in, in);
    ckt_dtype_decode(dtype, reference->wei, 0, sizes->wei, wei);
    const struct ckt_direct direct = {.problem = &reference->problem,
                                      .in = in,
                                      .wei = wei,
                                      .out = reference->out,
                                      .magnitude = reference->magnitude,
                                      .terms = reference->terms};
    status = ckt_direct_forward(&direct, workers, error);
  } else {
    status = fail_memory(error);
  }
  free(in);
  free(wei);
  return status;
}

int ckt_reference_create(const struct ckt_problem *problem, enum ckt_init init, uint64_t seed, int threads,
                         struct ckt_reference *reference, struct ckt_error *error) {
  *reference = (struct ckt_reference){.problem = *problem, .seed = seed};
  if (problem->direction != CKT_FORWARD)
    return ckt_fail(error, CKT_E_UNSUPPORTED, "the reference for %s is not built yet: only forward is",
                    ckt_direction_word(problem->direction));
  const struct sizes sizes = sizes_of(problem);
  const int workers = threads > 0 ? threads : ckt_usable_cpus();
  CKT_TRY(check_limits(problem, &sizes, workers, error));
  reference->max_terms = problem->c * problem->filter[0] * problem->filter[1] * problem->filter[2];
  int status = CKT_OK;
  if (!allocate(reference, &sizes))
    status = fail_memory(error);
  if (status == CKT_OK) {
    ckt_fill(problem->dtype, init, seed, CKT_FILL_INPUT, sizes.in, workers, reference->in);
    ckt_fill(problem->dtype, init, seed, CKT_FILL_WEIGHT, sizes.wei, workers, reference->wei);
    status = compute(reference, &sizes, workers, error);
  }
  if (status != CKT_OK)
    ckt_reference_free(reference);
  return status;
}

void ckt_reference_free(struct ckt_reference *reference) {
  free(reference->in);
  free(reference->wei);
  free(reference->out);
  free(reference->magnitude);
  free(reference->terms);
  *reference = (struct ckt_reference){0};
}
