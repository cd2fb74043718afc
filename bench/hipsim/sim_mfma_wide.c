/* Matrix cores: MFMA on 8-bit integers and on f64. Layouts: see sim_mfma.c. Few kernels use them, so they are plain
 * loops. */
#include "bench/hipsim/sim_atomic.h"
#include "bench/hipsim/sim_handlers.h"
#include "bench/hipsim/sim_mfma_blocks.h"

struct shape {
  unsigned m, k, blocks, per_lane;
};

/* The lane that holds element (i, k) of a block of A or B. */
static unsigned input_lane(struct shape s, unsigned block, unsigned i, unsigned k) {
  return i + s.m * (block + s.blocks * (k / s.per_lane));
}

/* Of integers BLGP permutes B, of f64 it negates (gfx942); neither was seen in a kernel. */
static bool has_blgp(struct sim_wave *w, const struct sim_inst *inst) {
  unsigned blgp = inst->lane_ctl >> 16 & 7u;
  if (blgp != 0) {
    sim_wave_fault(w, -1, "blgp:%u of this instruction is not simulated", blgp);
  }
  return blgp != 0;
}

/* ---- 8-bit integers ---- */

static int32_t byte_of(const sim_vreg *v, unsigned lane, unsigned element) {
  return (int8_t)(v[element / 4u][lane] >> element % 4u * 8u);
}

/* Register and lane of D[i][j]. */
static uint32_t *int_place(struct shape s, sim_vreg *v, unsigned block, unsigned i, unsigned j) {
  switch (s.m) {
  case 32:
    return &v[16u * block + i % 4u + i / 8u * 4u][j + i / 4u % 2u * 32u];
  case 16:
    return &v[4u * block + i % 4u][j + i / 4u * 16u];
  default:
    return &v[i][j + 4u * block];
  }
}

static uint32_t inline_int(unsigned operand) {
  return operand <= 192 ? operand - SIM_INLINE_INT_0 : (uint32_t)(192 - (int)operand);
}

/* Sums wrap, as the hardware's do without clamp. */
static void multiply_int8(struct sim_wave *w, const struct sim_inst *inst, struct shape s) {
  if (has_blgp(w, inst)) {
    return;
  }
  sim_vreg a[4], b[4], c[32];
  unsigned inputs = s.per_lane / 4u, total = s.m == 4 ? 4u : s.m * s.m * s.blocks / SIM_LANES;
  memcpy(a, sim_vector(w, inst->src[0]), sizeof a[0] * inputs);
  memcpy(b, sim_vector(w, inst->src[1]), sizeof b[0] * inputs);
  if (inst->src[2] >= SIM_VGPR0) {
    memcpy(c, sim_vector(w, inst->src[2]), sizeof c[0] * total);
  } else {
    for (unsigned i = 0; i < total * SIM_LANES; i++) {
      c[i / SIM_LANES][i % SIM_LANES] = inline_int(inst->src[2]);
    }
  }
  sim_vreg *d = sim_vector(w, inst->dst);
  for (unsigned block = 0; block < s.blocks; block++) {
    for (unsigned i = 0; i < s.m; i++) {
      for (unsigned j = 0; j < s.m; j++) {
        uint32_t sum = *int_place(s, c, block, i, j);
        for (unsigned k = 0; k < s.k; k++) {
          int32_t left = byte_of(a, input_lane(s, block_of_a(inst, s.blocks, block), i, k), k % s.per_lane);
          sum += (uint32_t)(left * byte_of(b, input_lane(s, block, j, k), k % s.per_lane));
        }
        *int_place(s, d, block, i, j) = sum;
      }
    }
  }
}

/* ---- f64: a chain of fused multiply-adds ---- */

static double pair(const sim_vreg *v, unsigned lane) {
  return sim_double_of((uint64_t)v[1][lane] << 32 | v[0][lane]);
}

static void set_pair(sim_vreg *v, unsigned lane, double value) {
  uint64_t bits = sim_bits_of_double(value);
  v[0][lane] = (uint32_t)bits;
  v[1][lane] = (uint32_t)(bits >> 32);
}

static double inline_double(unsigned operand) {
  static const double floats[] = {0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0, 0.15915494309189532};
  if (operand >= SIM_INLINE_FLOAT_0 && operand < SIM_INLINE_FLOAT_0 + sizeof floats / sizeof floats[0]) {
    return floats[operand - SIM_INLINE_FLOAT_0];
  }
  return sim_double_of((uint64_t)(int64_t)(int32_t)inline_int(operand));
}

static void multiply_f64(struct sim_wave *w, const struct sim_inst *inst, struct shape s) {
  if (has_blgp(w, inst)) {
    return;
  }
  sim_vreg a[2], b[2], c[8];
  bool has_c = inst->src[2] >= SIM_VGPR0;
  memcpy(a, sim_vector(w, inst->src[0]), sizeof a);
  memcpy(b, sim_vector(w, inst->src[1]), sizeof b);
  if (has_c) {
    memcpy(c, sim_vector(w, inst->src[2]), s.m == 16 ? sizeof c : sizeof c / 4u);
  }
  sim_vreg *d = sim_vector(w, inst->dst);
  for (unsigned block = 0; block < s.blocks; block++) {
    for (unsigned i = 0; i < s.m; i++) {
      for (unsigned j = 0; j < s.m; j++) {
        unsigned reg = s.m == 16 ? i / 4u * 2u : 0;
        unsigned lane = s.m == 16 ? j + 16u * (i % 4u) : j + 4u * block + 16u * i;
        double sum = has_c ? pair(&c[reg], lane) : inline_double(inst->src[2]);
        for (unsigned k = 0; k < s.k; k++) {
          sum = fma(pair(a, input_lane(s, block_of_a(inst, s.blocks, block), i, k)),
                    pair(b, input_lane(s, block, j, k)), sum);
        }
        set_pair(&d[reg], lane, sum);
      }
    }
  }
}

/* ---- handlers: names until gfx90a, and since gfx942 ---- */

#define MFMA(name, function, m, k, blocks, per_lane)                                                         \
  SIM_DO(v_mfma_##name) {                                                                                    \
    function(w, inst, (struct shape){m, k, blocks, per_lane});                                               \
  }

MFMA(i32_32x32x4i8, multiply_int8, 32, 4, 2, 4)
MFMA(i32_32x32x4_2b_i8, multiply_int8, 32, 4, 2, 4)
MFMA(i32_16x16x4i8, multiply_int8, 16, 4, 4, 4)
MFMA(i32_16x16x4_4b_i8, multiply_int8, 16, 4, 4, 4)
MFMA(i32_4x4x4i8, multiply_int8, 4, 4, 16, 4)
MFMA(i32_4x4x4_16b_i8, multiply_int8, 4, 4, 16, 4)
MFMA(i32_32x32x8i8, multiply_int8, 32, 8, 1, 4)
MFMA(i32_16x16x16i8, multiply_int8, 16, 16, 1, 4)
MFMA(i32_32x32x16_i8, multiply_int8, 32, 16, 1, 8)
MFMA(i32_16x16x32_i8, multiply_int8, 16, 32, 1, 8)
MFMA(i32_32x32x32_i8, multiply_int8, 32, 32, 1, 16)
MFMA(i32_16x16x64_i8, multiply_int8, 16, 64, 1, 16)
MFMA(f64_16x16x4f64, multiply_f64, 16, 4, 1, 1)
MFMA(f64_16x16x4_f64, multiply_f64, 16, 4, 1, 1)
MFMA(f64_4x4x4f64, multiply_f64, 4, 4, 4, 1)
MFMA(f64_4x4x4_4b_f64, multiply_f64, 4, 4, 4, 1)
