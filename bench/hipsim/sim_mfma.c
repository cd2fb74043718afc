/* Matrix cores: dense MFMA.
 *
 * Register layouts (ROCm/amd_matrix_instruction_calculator). For MxMxK with B blocks and P elements of A or B a lane:
 *   A[i][k] of block b: element k % P of lane i + M*b + M*B*(k / P); B[k][j] the same with j for i.
 *   D[i][j] of block b, 32 bits: M = 32: register 16*b + i%4 + 4*(i/8), lane j + 32*(i/4%2);
 *   M = 16: register 4*b + i%4, lane j + 16*(i/4); M = 4: register i, lane j + 4*b.
 *   64 bits: M = 16: pair i/4, lane j + 16*(i%4); M = 4: one pair, lane j + 4*b + 16*i.
 *
 * Arithmetic: MMA-Sim (arXiv 2511.10909) models each architecture and finds its models equal to hardware bit for bit.
 * f32 is a chain of fused multiply-adds in the order of k everywhere. f16 and bf16 on gfx90a: subnormal inputs and
 * accumulators are zero, products round to f32, four of them are added as (p0+p1)+(p2+p3), two in the bf16 forms
 * without _1k, and the sum is added to the accumulator, every step flushing. gfx908: sim_mfma_exact.c; gfx942, and
 * gfx950 for want of a model of its own: sim_mfma_aligned.c. HIPSIM_MFMA=fast makes f16 and bf16 a chain of fused
 * multiply-adds, too. EXEC is ignored. */
#include "bench/hipsim/sim_mfma.h"

SIM_ALWAYS vector fused(vector a, vector b, vector c) {
#if defined(__AVX512F__)
  return (vector)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__AVX2__)
  return (vector)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
  vector result = c;
  for (unsigned i = 0; i < WIDTH; i++) {
    result[i] = fmaf(a[i], b[i], c[i]);
  }
  return result;
#endif
}

/* a*b + c where a*b is exact: fused or not, it rounds once. */
SIM_ALWAYS vector exact_product_plus(vector a, vector b, vector c) {
#if defined(__AVX2__)
  return fused(a, b, c);
#else
  return a * b + c;
#endif
}

/* ---- accumulators ---- */

SIM_ALWAYS vector flush_subnormal(vector v) {
  ivector bits = (ivector)v;
  ivector tiny = (bits & 0x7f800000) == 0;
  return (vector)(bits & ~(tiny & 0x7fffffff));
}

/* ---- one vector of a row ----
 * `a` and `b` point at element 0 of k = 0; element e of the lanes of k / per_lane lies at
 * [e * SIM_LANES + k / per_lane * lanes]. a is broadcast. */

SIM_ALWAYS unsigned place_of(struct shape s, unsigned k) {
  return k % s.per_lane * SIM_LANES + k / s.per_lane * s.m * s.blocks;
}

SIM_ALWAYS vector sum_of_two(struct shape s, const float *a, const float *b, unsigned k) {
  vector a0 = splat(a[place_of(s, k)]), b0 = load_vector(b + place_of(s, k));
  vector a1 = splat(a[place_of(s, k + 1)]), b1 = load_vector(b + place_of(s, k + 1));
  /* The product of two f16 is exact in f32; that of two bf16 may be flushed. */
  return s.kind == F16 ? exact_product_plus(a1, b1, a0 * b0) : a0 * b0 + a1 * b1;
}

SIM_ALWAYS vector accumulate(struct shape s, vector sum, const float *a, const float *b) {
  if (s.kind == F32 || s.fast) {
#pragma GCC unroll 32
    for (unsigned k = 0; k < s.k; k++) {
      vector left = splat(a[place_of(s, k)]), right = load_vector(b + place_of(s, k));
      sum = s.kind == F16 ? exact_product_plus(left, right, sum) : fused(left, right, sum);
    }
    return sum;
  }
  if (s.kind == F16) {
    sum = flush_subnormal(sum);
  }
  if (s.kind == BF16_PAIRS) {
#pragma GCC unroll 16
    for (unsigned k = 0; k < s.k; k += 2) {
      sum = sum + sum_of_two(s, a, b, k);
    }
    return sum;
  }
#pragma GCC unroll 8
  for (unsigned k = 0; k < s.k; k += 4) {
    sum = sum + (sum_of_two(s, a, b, k) + sum_of_two(s, a, b, k + 2));
  }
  return sum;
}

/* ---- shapes of 32 and 16 rows ---- */

SIM_ALWAYS void multiply_block(struct shape s, const float *a, const float *b, const sim_vreg *c,
                               sim_vreg *d) {
  unsigned registers = s.m == 32 ? 16 : 4;
  for (unsigned r = 0; r < registers; r++) {
    for (unsigned part = 0; part < SIM_LANES / s.m; part++) {
      unsigned row = s.m == 32 ? r % 4 + r / 4 * 8 + part * 4 : r + part * 4;
#pragma GCC unroll 8
      for (unsigned j = 0; j < s.m; j += WIDTH) {
        vector sum = load_vector(&c[r][part * s.m + j]);
        store_vector(&d[r][part * s.m + j], accumulate(s, sum, a + row, b + j));
      }
    }
  }
}

/* ---- 4 rows: 16 blocks side by side in the lanes ---- */

SIM_ALWAYS void multiply_fours(struct shape s, const struct sim_inst *inst, const input a, const input b,
                               const sim_vreg *c, sim_vreg *d) {
  for (unsigned r = 0; r < 4; r++) {
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
      unsigned from = 4u * block_of_a(inst, s.blocks, lane / 4u) + r;
      /* Widths of one lane would do; a vector of equal values keeps one copy of the arithmetic. */
      float column[MAX_PER_LANE * SIM_LANES];
      for (unsigned k = 0; k < s.k; k++) {
        for (unsigned i = 0; i < WIDTH; i++) {
          column[place_of(s, k) + i] = b[k][lane];
        }
      }
      vector sum = accumulate(s, splat(sim_float_of(c[r][lane])), &a[0][from], column);
      uint32_t bits[WIDTH];
      store_vector(bits, sum);
      d[r][lane] = bits[0];
    }
  }
}

/* ---- putting them together ---- */

SIM_ALWAYS void multiply(struct sim_wave *w, const struct sim_inst *inst, struct shape s) {
  input a, b;
  sim_vreg spare[32];
  unsigned registers = s.m == 32 ? 16 : 4, total = s.m == 4 ? 4 : registers * s.blocks;
  bool flushes = w->code->arch == SIM_GFX90A;
  read_input(a, sim_vector(w, inst->src[0]), s.per_lane, s.kind, flushes);
  read_input(b, sim_vector(w, inst->src[1]), s.per_lane, s.kind, flushes);
  permute_input(b, s.per_lane, inst->lane_ctl >> 16 & 7u);
  const sim_vreg *c = read_accumulator(w, inst, spare, total);
  sim_vreg *d = sim_vector(w, inst->dst);
  if (s.m == 4) {
    multiply_fours(s, inst, a, b, c, d);
    return;
  }
  for (unsigned block = 0; block < s.blocks; block++) {
    multiply_block(s, a[0] + s.m * block_of_a(inst, s.blocks, block), b[0] + s.m * block,
                   c + registers * block, d + registers * block);
  }
}

/* Not inlined: the switch of the floating-point mode must stay outside. */
#define MULTIPLY(name, m, k, blocks, per_lane, kind)                                                         \
  static __attribute__((noinline)) void name##_model(struct sim_wave *w, const struct sim_inst *inst) {      \
    multiply(w, inst, (struct shape){m, k, blocks, per_lane, kind, false});                                  \
  }                                                                                                          \
  static __attribute__((noinline)) void name##_fast(struct sim_wave *w, const struct sim_inst *inst) {       \
    multiply(w, inst, (struct shape){m, k, blocks, per_lane, kind, true});                                   \
  }                                                                                                          \
  static void name(struct sim_wave *w, const struct sim_inst *inst) {                                        \
    static const struct shape shape = {m, k, blocks, per_lane, kind, false};                                 \
    run_in_mode(w, inst, &shape, name##_model, name##_fast);                                                 \
  }

enum { FLUSH_OUTPUTS = 0x8000, INPUTS_ARE_ZERO = 0x40 };

SIM_ALWAYS void run_in_mode(struct sim_wave *w, const struct sim_inst *inst, const struct shape *s,
                            sim_handler *model, sim_handler *fast) {
  enum sim_arch arch = w->code->arch;
  if (s->kind == F32 || w->mfma_fast) {
    fast(w, inst);
  } else if (arch == SIM_GFX908) {
    SIM_NAME(sim_mfma_exact)(w, inst, s);
  } else if (arch >= SIM_GFX942) {
    SIM_NAME(sim_mfma_aligned)(w, inst, s);
  } else if (s->kind == F16) {
    model(w, inst); /* sums of f16 products are zero or normal: nothing to flush but C */
  } else {
    unsigned mode = _mm_getcsr();
    _mm_setcsr(mode | FLUSH_OUTPUTS | INPUTS_ARE_ZERO);
    model(w, inst);
    _mm_setcsr(mode);
  }
}

MULTIPLY(f32_32x32x1, 32, 1, 2, 1, F32)
MULTIPLY(f32_16x16x1, 16, 1, 4, 1, F32)
MULTIPLY(f32_4x4x1, 4, 1, 16, 1, F32)
MULTIPLY(f32_32x32x2, 32, 2, 1, 1, F32)
MULTIPLY(f32_16x16x4, 16, 4, 1, 1, F32)
MULTIPLY(f16_32x32x4, 32, 4, 2, 4, F16)
MULTIPLY(f16_16x16x4, 16, 4, 4, 4, F16)
MULTIPLY(f16_4x4x4, 4, 4, 16, 4, F16)
MULTIPLY(f16_32x32x8, 32, 8, 1, 4, F16)
MULTIPLY(f16_16x16x16, 16, 16, 1, 4, F16)
MULTIPLY(f16_32x32x16, 32, 16, 1, 8, F16)
MULTIPLY(f16_16x16x32, 16, 32, 1, 8, F16)
MULTIPLY(bf16_32x32x4, 32, 4, 2, 4, BF16)
MULTIPLY(bf16_16x16x4, 16, 4, 4, 4, BF16)
MULTIPLY(bf16_4x4x4, 4, 4, 16, 4, BF16)
MULTIPLY(bf16_32x32x8, 32, 8, 1, 4, BF16)
MULTIPLY(bf16_16x16x16, 16, 16, 1, 4, BF16)
MULTIPLY(bf16_32x32x16, 32, 16, 1, 8, BF16)
MULTIPLY(bf16_16x16x32, 16, 32, 1, 8, BF16)
MULTIPLY(pairs_32x32x2, 32, 2, 2, 2, BF16_PAIRS)
MULTIPLY(pairs_16x16x2, 16, 2, 4, 2, BF16_PAIRS)
MULTIPLY(pairs_4x4x2, 4, 2, 16, 2, BF16_PAIRS)
MULTIPLY(pairs_32x32x4, 32, 4, 1, 2, BF16_PAIRS)
MULTIPLY(pairs_16x16x8, 16, 8, 1, 2, BF16_PAIRS)

/* xf32 has no fast form: few kernels ask for it. */
SIM_DO(v_mfma_f32_16x16x8_xf32) {
  SIM_NAME(sim_mfma_aligned)(w, inst, &(const struct shape){16, 8, 1, 2, XF32, false});
}

SIM_DO(v_mfma_f32_32x32x4_xf32) {
  SIM_NAME(sim_mfma_aligned)(w, inst, &(const struct shape){32, 4, 1, 2, XF32, false});
}

#define MFMA(name, function)                                                                                 \
  SIM_DO(v_mfma_##name) {                                                                                    \
    function(w, inst);                                                                                       \
  }

/* Names until gfx90a, and since gfx942. */
MFMA(f32_32x32x1f32, f32_32x32x1)
MFMA(f32_32x32x1_2b_f32, f32_32x32x1)
MFMA(f32_16x16x1f32, f32_16x16x1)
MFMA(f32_16x16x1_4b_f32, f32_16x16x1)
MFMA(f32_4x4x1f32, f32_4x4x1)
MFMA(f32_4x4x1_16b_f32, f32_4x4x1)
MFMA(f32_32x32x2f32, f32_32x32x2)
MFMA(f32_32x32x2_f32, f32_32x32x2)
MFMA(f32_16x16x4f32, f32_16x16x4)
MFMA(f32_16x16x4_f32, f32_16x16x4)
MFMA(f32_32x32x4f16, f16_32x32x4)
MFMA(f32_32x32x4_2b_f16, f16_32x32x4)
MFMA(f32_16x16x4f16, f16_16x16x4)
MFMA(f32_16x16x4_4b_f16, f16_16x16x4)
MFMA(f32_4x4x4f16, f16_4x4x4)
MFMA(f32_4x4x4_16b_f16, f16_4x4x4)
MFMA(f32_32x32x8f16, f16_32x32x8)
MFMA(f32_32x32x8_f16, f16_32x32x8)
MFMA(f32_16x16x16f16, f16_16x16x16)
MFMA(f32_16x16x16_f16, f16_16x16x16)
MFMA(f32_32x32x16_f16, f16_32x32x16)
MFMA(f32_16x16x32_f16, f16_16x16x32)
MFMA(f32_32x32x4bf16_1k, bf16_32x32x4)
MFMA(f32_32x32x4_2b_bf16, bf16_32x32x4)
MFMA(f32_16x16x4bf16_1k, bf16_16x16x4)
MFMA(f32_16x16x4_4b_bf16, bf16_16x16x4)
MFMA(f32_4x4x4bf16_1k, bf16_4x4x4)
MFMA(f32_4x4x4_16b_bf16, bf16_4x4x4)
MFMA(f32_32x32x8bf16_1k, bf16_32x32x8)
MFMA(f32_32x32x8_bf16, bf16_32x32x8)
MFMA(f32_16x16x16bf16_1k, bf16_16x16x16)
MFMA(f32_16x16x16_bf16, bf16_16x16x16)
MFMA(f32_32x32x16_bf16, bf16_32x32x16)
MFMA(f32_16x16x32_bf16, bf16_16x16x32)
MFMA(f32_32x32x2bf16, pairs_32x32x2)
MFMA(f32_16x16x2bf16, pairs_16x16x2)
MFMA(f32_4x4x2bf16, pairs_4x4x2)
MFMA(f32_32x32x4bf16, pairs_32x32x4)
MFMA(f32_16x16x8bf16, pairs_16x16x8)
