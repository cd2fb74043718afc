/* 2^x and log2 x of all lanes: in double, by polynomials without branches, so that they vectorise. Nothing is fused, so that
 * every variant gives the same; the polynomials are exact to 2^-28, so that results are within 0.6 of a unit of f32's last
 * place. */
#ifndef SIM_VALU_FUNCTIONS_H
#define SIM_VALU_FUNCTIONS_H

#include "bench/hipsim/sim_valu.h"

/* Through the Chebyshev nodes of -0.5 to 0.5: 2^f. */
static inline double sim_power_part(double f) {
  double p = 0x1.443fffc90db59p-13;
  p = p * f + 0x1.5f48c04f62e50p-10;
  p = p * f + 0x1.3b2a1b7152befp-7;
  p = p * f + 0x1.c6aecc669b6ddp-5;
  p = p * f + 0x1.ebfbe045f4d3cp-3;
  p = p * f + 0x1.62e430d034702p-1;
  return p * f + 0x1.0000000000000p+0;
}

/* Through the Chebyshev nodes of sqrt(1/2) - 1 to sqrt(2) - 1: log2(1 + u) / u. */
static inline double sim_logarithm_part(double u) {
  double p = 0x1.84608c53495b9p-4;
  p = p * u - 0x1.575927a6433c3p-3;
  p = p * u + 0x1.60f5273d78770p-3;
  p = p * u - 0x1.6efd906076542p-3;
  p = p * u + 0x1.a3ec05c6d0a22p-3;
  p = p * u - 0x1.ec6fc6a720248p-3;
  p = p * u + 0x1.27805c014f843p-2;
  p = p * u - 0x1.7154b2b66b068p-2;
  p = p * u + 0x1.ec708011658a9p-2;
  p = p * u - 0x1.7154760a19c37p-1;
  return p * u + 0x1.71547656718f6p+0;
}

static inline float sim_exp2(float x) {
  uint32_t bits = sim_bits_f32(x), magnitude = bits & 0x7fffffff, most = sim_bits_f32(160.0f);
  float limited = sim_as_f32((magnitude > most ? most : magnitude) | (bits & 0x80000000));
  float shifted = limited + 0x1.8p23f; /* rounds to a whole number, which its low bits hold */
  uint32_t whole = sim_bits_f32(shifted) - sim_bits_f32(0x1.8p23f);
  double part = sim_power_part((double)(limited - (shifted - 0x1.8p23f)));
  double scale = sim_as_f64((uint64_t)(whole + 1023) << 52);
  return sim_nan1(x, (float)(part * scale));
}

/* Of numbers that are not denormal. */
static inline float sim_log2(float x) {
  const uint32_t root_half = 0x3f3504f3;
  uint32_t bits = sim_bits_f32(x);
  int32_t exponent = (int32_t)(bits - root_half) >> 23;
  double u = (double)sim_as_f32(bits - ((uint32_t)exponent << 23)) - 1.0;
  float result = (float)(sim_logarithm_part(u) * u + (double)exponent);
  float positive = bits == 0x7f800000 ? INFINITY : result,
        any = bits >> 31 ? sim_as_f32(0xffc00000) : positive;
  return sim_nan1(x, (bits & 0x7fffffff) == 0 ? -INFINITY : any);
}

#endif
