#include "bench/fill.h"

#include <math.h>

#include "bench/dtype.h"
#include "bench/parallel.h"
#include "common/number.h"

enum { CHUNK = 4096 }; /* even, since normal numbers come in pairs */

struct fill {
  enum ckt_dtype dtype;
  enum ckt_init init;
  uint64_t key;
  int64_t count;
  void *tensor;
};

/* The finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014) over
 * a counter. */
static uint64_t mix(uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

static uint64_t random_bits(uint64_t key, uint64_t counter) {
  return mix(mix(counter) ^ key);
}

/* Two independent N(0,1) numbers by Box and Muller's transform. */
static void normal_pair(uint64_t key, uint64_t pair, double numbers[2]) {
  const double two_pi = 6.283185307179586;
  const double u = ((double)(random_bits(key, 2 * pair) >> 11) + 1.0) * 0x1p-53; /* (0, 1] */
  const double v = (double)(random_bits(key, 2 * pair + 1) >> 11) * 0x1p-53;     /* [0, 1) */
  const double radius = sqrt(-2.0 * log(u));
  numbers[0] = radius * cos(two_pi * v);
  numbers[1] = radius * sin(two_pi * v);
}

static void fill_normal(const struct fill *fill, int64_t first, int64_t count, float *values) {
  const double smallest = ckt_dtype_facts(fill->dtype).smallest_normal;
  for (int64_t i = 0; i < count; i += 2) {
    double numbers[2];
    normal_pair(fill->key, (uint64_t)(first + i) / 2, numbers);
    for (int64_t j = 0; j < 2 && i + j < count; j++)
      values[i + j] = fabs(numbers[j]) < smallest ? 0.0f : (float)numbers[j];
  }
}

static void fill_integer(const struct fill *fill, int64_t first, int64_t count, float *values) {
  for (int64_t i = 0; i < count; i++)
    values[i] = (float)(int)(random_bits(fill->key, (uint64_t)(first + i)) % 9) - 4.0f;
}

static void fill_item(void *context, int worker, int64_t item) {
  (void)worker;
  const struct fill *fill = context;
  float values[CHUNK];
  const int64_t first = item * CHUNK;
  const int64_t count = fill->count - first < CHUNK ? fill->count - first : CHUNK;
  if (fill->init == CKT_INIT_INTEGER)
    fill_integer(fill, first, count, values);
  else
    fill_normal(fill, first, count, values);
  ckt_dtype_encode(fill->dtype, values, first, count, fill->tensor);
}

void ckt_fill(enum ckt_dtype dtype, enum ckt_init init, uint64_t seed, enum ckt_fill_stream stream,
              int64_t count, int workers, void *tensor) {
  struct fill fill = {.dtype = dtype,
                      .init = init,
                      .key = mix(mix(seed) + (uint64_t)stream),
                      .count = count,
                      .tensor = tensor};
  ckt_parallel(workers, ckt_ceil_div_i64(count, CHUNK), fill_item, &fill);
}
