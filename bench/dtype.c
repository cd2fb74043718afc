#include "bench/dtype.h"

#include <string.h>

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Exponent and mantissa shifted into place, the exponent's bias put right by a multiplication, which also
 * normalises subnormals. */
static float decode_fp16(uint16_t half) {
  const uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
  const uint32_t rest = (uint32_t)(half & 0x7fffu) << 13;
  const uint32_t special = (half & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u; /* infinity, NaN */
  return float_of(sign | special | bits_of(float_of(rest) * 0x1p112f));
}

static uint16_t encode_fp16(float value) {
  const uint32_t bits = bits_of(value);
  const uint32_t sign = bits >> 16 & 0x8000u;
  const uint32_t rest = bits & 0x7fffffffu;
  uint32_t half;
  if (rest > 0x7f800000u)
    half = 0x7e00u; /* NaN */
  else if (rest >= 0x477ff000u)
    half = 0x7c00u; /* 65520 and more: infinity */
  else if (rest < 0x38800000u)
    /* Below 2^-14: the addition rounds to a multiple of 2^-24, nearest even. */
    half = bits_of(float_of(rest) + 0.5f) - bits_of(0.5f);
  else
    half = (rest + 0xfffu + (rest >> 13 & 1u) - (112u << 23)) >> 13;
  return (uint16_t)(sign | half);
}

static float decode_bf16(uint16_t half) {
  return float_of((uint32_t)half << 16);
}

static uint16_t encode_bf16(float value) {
  const uint32_t bits = bits_of(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return (uint16_t)(bits >> 16 | 0x40u); /* a NaN stays one */
  return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

void ckt_dtype_decode(enum ckt_dtype dtype, const void *tensor, int64_t first, int64_t count, float *to) {
  const uint16_t *halves = (const uint16_t *)tensor + (dtype == CKT_FP32 ? 0 : first);
  switch (dtype) {
  case CKT_FP32:
    memcpy(to, (const float *)tensor + first, (size_t)count * sizeof *to);
    break;
  case CKT_FP16:
    for (int64_t i = 0; i < count; i++)
      to[i] = decode_fp16(halves[i]);
    break;
  case CKT_BF16:
    for (int64_t i = 0; i < count; i++)
      to[i] = decode_bf16(halves[i]);
    break;
  }
}

void ckt_dtype_encode(enum ckt_dtype dtype, const float *from, int64_t first, int64_t count, void *tensor) {
  uint16_t *halves = (uint16_t *)tensor + (dtype == CKT_FP32 ? 0 : first);
  switch (dtype) {
  case CKT_FP32:
    memcpy((float *)tensor + first, from, (size_t)count * sizeof *from);
    break;
  case CKT_FP16:
    for (int64_t i = 0; i < count; i++)
      halves[i] = encode_fp16(from[i]);
    break;
  case CKT_BF16:
    for (int64_t i = 0; i < count; i++)
      halves[i] = encode_bf16(from[i]);
    break;
  }
}

struct ckt_dtype_facts ckt_dtype_facts(enum ckt_dtype dtype) {
  static const struct ckt_dtype_facts facts[] = {
      [CKT_FP32] = {0x1p-23, 0x1p-126, 0x1p-149}, /* twice the half unit, as the tolerance has it */
      [CKT_FP16] = {0x1p-11, 0x1p-14, 0x1p-24},
      [CKT_BF16] = {0x1p-8, 0x1p-126, 0x1p-133},
  };
  return facts[dtype];
}
