/* Matrix products a register of D at a time: which elements of A and B each of its lanes multiplies. */
#ifndef SIM_MFMA_LANES_H
#define SIM_MFMA_LANES_H

#include "bench/hipsim/sim_mfma.h"

enum { MAX_K = 32 };

/* Element k for every lane of a register of D. */
typedef float operand[MAX_K][SIM_LANES] __attribute__((aligned(64)));

/* How many registers a step of the loop over blocks makes: blocks of 4 rows lie side by side in the lanes. */
static inline unsigned steps_of(const struct shape *s) {
  return s->m == 4 ? 1 : s->blocks;
}

static inline unsigned registers_of(const struct shape *s) {
  return s->m == 32 ? 16 : 4;
}

/* Row of D that register r has in a lane. */
static inline unsigned row_of(const struct shape *s, unsigned r, unsigned lane) {
  switch (s->m) {
  case 32:
    return r % 4 + r / 4 * 8 + lane / 32 * 4;
  case 16:
    return r + lane / 16 * 4;
  default:
    return r;
  }
}

static inline unsigned block_of(const struct shape *s, unsigned step, unsigned lane) {
  return s->m == 4 ? lane / 4 : step;
}

/* The lane of A or B that has (row or column, k) of a block. */
static inline unsigned input_lane(const struct shape *s, unsigned block, unsigned i, unsigned k) {
  return i + s->m * (block + s->blocks * (k / s->per_lane));
}

static inline void spread_a(const struct shape *s, const struct sim_inst *inst, const input a, unsigned step,
                            unsigned r, operand to) {
  unsigned from[SIM_LANES];
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    from[lane] = input_lane(s, block_of_a(inst, s->blocks, block_of(s, step, lane)), row_of(s, r, lane), 0);
  for (unsigned k = 0; k < s->k; k++) {
    const float *row = &a[k % s->per_lane][k / s->per_lane * s->m * s->blocks];
    if (s->m == 4) {
      for (unsigned lane = 0; lane < SIM_LANES; lane++)
        to[k][lane] = row[from[lane]];
      continue;
    }
    for (unsigned part = 0; part < SIM_LANES; part += s->m) /* the same row in the lanes of a part */
      for (unsigned lane = part; lane < part + s->m; lane++)
        to[k][lane] = row[from[part]];
  }
}

static inline void spread_b(const struct shape *s, const input b, unsigned step, operand to) {
  for (unsigned k = 0; k < s->k; k++)
    for (unsigned lane = 0; lane < SIM_LANES; lane++)
      to[k][lane] = b[k % s->per_lane][input_lane(s, block_of(s, step, lane), lane % s->m, k)];
}

#endif
