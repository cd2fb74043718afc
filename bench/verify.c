#include "bench/verify.h"

#include <math.h>

#include "bench/dtype.h"

enum { CHUNK = 4096 };

double ckt_tolerance(enum ckt_dtype dtype, int64_t terms, double magnitude, double ref) {
  const struct ckt_dtype_facts facts = ckt_dtype_facts(dtype);
  const double n = (double)terms;
  const double size = fabs(ref);
  const double rounding = fmax(facts.roundoff * size, facts.smallest_subnormal / 2);
  return rounding + 0x1p-24 * (8 * sqrt(n) + n / 4) * fmax(magnitude, size);
}

/* |out-ref| / allowed; infinity when out is no number. */
static double ratio_of(enum ckt_dtype dtype, int64_t terms, double magnitude, double ref, double out) {
  if (!isfinite(out))
    return INFINITY;
  const double difference = fabs(out - ref);
  return difference == 0 ? 0 : difference / ckt_tolerance(dtype, terms, magnitude, ref);
}

void ckt_verify(const struct ckt_reference *reference, const void *out, struct ckt_verdict *verdict) {
  const enum ckt_dtype dtype = reference->problem.dtype;
  *verdict = (struct ckt_verdict){.error_ratio = -1};
  float values[CHUNK];
  for (int64_t first = 0; first < reference->out_elements; first += CHUNK) {
    const int64_t left = reference->out_elements - first;
    const int64_t count = left < CHUNK ? left : CHUNK;
    ckt_dtype_decode(dtype, out, first, count, values);
    for (int64_t i = 0; i < count; i++) {
      const int64_t at = first + i;
      const int64_t terms = reference->terms != NULL ? reference->terms[at] : reference->max_terms;
      const double ratio =
          ratio_of(dtype, terms, (double)reference->magnitude[at], reference->out[at], (double)values[i]);
      verdict->wrong_elements += ratio > 1;
      if (ratio <= verdict->error_ratio)
        continue;
      verdict->error_ratio = ratio;
      verdict->worst_index = at;
      verdict->worst_out = (double)values[i];
      verdict->worst_ref = reference->out[at];
    }
  }
}
