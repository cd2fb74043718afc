/* MFMA on f16 and bf16 as gfx908 computes it (MMA-Sim, arXiv 2511.10909): the accumulator and four products (bf16: two)
 * are summed exactly and rounded once, to the nearest, ties to even; subnormals are kept.
 *
 * The sum of products is formed in f64. When the inputs' exponents lie so close together that it must be exact
 * there, one addition is left, which is rounded to odd and then to f32; that is a single rounding. Else each lane is
 * summed in a fixed-point number wide enough for everything. */
#include "bench/hipsim/sim_mfma_lanes.h"

/* ---- the wide sum ---- */

enum {
  LIMBS = 20,
  LIMB_BITS = 32,
  LOWEST = -300, /* exponent of the lowest bit: no product of two significands has a lower one */
  EXPONENT_BITS = 0x7f800000,
};

/* A number as limbs, each of which may hold carries and be negative, the lowest first. */
struct wide {
  int64_t limb[LIMBS];
};

static uint32_t significand_of(uint32_t bits) {
  return (bits & 0x7fffffu) | ((bits & EXPONENT_BITS) != 0 ? 0x800000u : 0u);
}

/* Exponent of the significand's lowest bit. */
static int scale_of(uint32_t bits) {
  int field = (int)(bits >> 23 & 0xffu);
  return (field > 0 ? field : 1) - 150;
}

/* Adds +-significand * 2^scale. */
static void add_wide(struct wide *sum, bool negative, uint64_t significand, int scale) {
  unsigned position = (unsigned)(scale - LOWEST), at = position / LIMB_BITS;
  unsigned __int128 shifted = (unsigned __int128)significand << position % LIMB_BITS;
  for (unsigned i = 0; i < 3; i++) {
    int64_t part = (int64_t)(uint32_t)(shifted >> LIMB_BITS * i);
    sum->limb[at + i] += negative ? -part : part;
  }
}

/* Makes every limb lie in 0 .. 2^32-1 of the magnitude; true when the number was negative. */
static bool settle(struct wide *sum) {
  bool negative = false;
  for (unsigned turn = 0; turn < 2; turn++) {
    int64_t carry = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
      int64_t value = (negative ? -sum->limb[i] : sum->limb[i]) + carry;
      carry = value >> LIMB_BITS;
      sum->limb[i] = value & 0xffffffff;
    }
    if (carry >= 0)
      return negative;
    /* Below zero: the limbs are 2^640 + the number. Its magnitude is their negation. */
    negative = true;
  }
  return negative;
}

/* Rounds once: the 52 highest bits, with one more that stands for all below, are exact in f64. */
static float round_wide(struct wide *sum) {
  bool negative = settle(sum);
  int top = LIMBS - 1;
  while (top > 0 && sum->limb[top] == 0)
    top--;
  if (top < 2) /* below 2^-192: no f32, and no product with an f32 beside it, is that small */
    top = 2;
  unsigned __int128 high = (unsigned __int128)(uint64_t)sum->limb[top] << 64 |
                           (uint64_t)sum->limb[top - 1] << 32 | (uint64_t)sum->limb[top - 2];
  bool rest = false;
  for (int i = 0; i < top - 2; i++)
    rest |= sum->limb[i] != 0;
  int shift = 0;
  while (high >> shift >> 52 != 0)
    shift++;
  rest |= (high & (((unsigned __int128)1 << shift) - 1u)) != 0;
  double magnitude = (double)((uint64_t)(high >> shift) << 1 | rest);
  double value = ldexp(magnitude, shift - 1 + LIMB_BITS * (top - 2) + LOWEST);
  return (float)(negative ? -value : value);
}

/* One lane, with whatever numbers. */
static float sum_slowly(float c, const operand a, const operand b, unsigned first, unsigned count,
                        unsigned lane) {
  struct wide sum = {{0}};
  double plain = (double)c;
  bool finite = true;
  for (unsigned i = 0; i < count; i++) {
    uint32_t x = sim_bits_of(a[first + i][lane]), y = sim_bits_of(b[first + i][lane]);
    finite &= (x & EXPONENT_BITS) != EXPONENT_BITS && (y & EXPONENT_BITS) != EXPONENT_BITS;
    plain += (double)a[first + i][lane] * (double)b[first + i][lane];
    add_wide(&sum, (x ^ y) >> 31, (uint64_t)significand_of(x) * significand_of(y), scale_of(x) + scale_of(y));
  }
  uint32_t bits = sim_bits_of(c);
  if (!finite || (bits & EXPONENT_BITS) == EXPONENT_BITS)
    return plain == plain ? (float)plain : sim_float_of(0x7fc00000);
  add_wide(&sum, bits >> 31, significand_of(bits), scale_of(bits));
  return round_wide(&sum);
}

/* ---- all lanes ---- */

/* c + sum, where both are exact, rounded once to f32. */
static inline float round_sum(double c, double sum) {
  double high = sum + c, part = high - sum;
  double error = (sum - (high - part)) + (c - part);
  int64_t bits;
  memcpy(&bits, &high, sizeof bits);
  bool finite = (bits & 0x7ff0000000000000) != 0x7ff0000000000000;
  bool adjust = finite && error != 0 && !(bits & 1);
  int64_t odd = bits + ((error > 0) == (high > 0) ? 1 : -1);
  bits = adjust ? odd : bits;
  memcpy(&high, &bits, sizeof high);
  return (float)high + 0.0f; /* a zero is positive */
}

SIM_ALWAYS void sum_group(float c[SIM_LANES], const operand a, const operand b, unsigned first,
                          unsigned count) {
#pragma GCC ivdep
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    double sum = (double)a[first][lane] * (double)b[first][lane];
    for (unsigned i = 1; i < count; i++)
      sum += (double)a[first + i][lane] * (double)b[first + i][lane];
    c[lane] = round_sum((double)c[lane], sum);
  }
}

/* ---- may it be done in f64? ---- */

struct range {
  int low, high; /* exponents of the smallest and the largest number but zero */
  bool finite;
};

static struct range range_of(const input x, unsigned per_lane) {
  struct range r = {.low = 1000, .high = -1000, .finite = true};
  for (unsigned e = 0; e < per_lane; e++)
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
      uint32_t magnitude = sim_bits_of(x[e][lane]) & 0x7fffffffu;
      int exponent = (int)(magnitude >> 23) - 127;
      r.low = magnitude != 0 && exponent < r.low ? exponent : r.low;
      r.high = exponent > r.high ? exponent : r.high;
    }
  r.finite = r.high < 128;
  return r;
}

/* The sum of `count` products has its lowest bit and its highest within the 53 of an f64. */
static bool sums_are_exact(const input a, const input b, const struct shape *s, unsigned count) {
  struct range x = range_of(a, s->per_lane), y = range_of(b, s->per_lane);
  int precision = s->kind == F16 ? 10 : 7;
  int least = s->kind == F16 ? -14 : -126; /* subnormals have the last place of this exponent */
  int low = (x.low > least ? x.low : least) + (y.low > least ? y.low : least) - 2 * precision;
  int growth = count == 4 ? 2 : 1;
  return x.finite && y.finite && x.high + y.high + 2 + growth - low <= 53;
}

void SIM_NAME(sim_mfma_exact)(struct sim_wave *w, const struct sim_inst *inst, const struct shape *s) {
  input a, b;
  sim_vreg spare[32];
  operand left, right;
  unsigned registers = registers_of(s), count = s->kind == F16 ? 4 : 2;
  read_input(a, sim_vector(w, inst->src[0]), s->per_lane, s->kind, false);
  read_input(b, sim_vector(w, inst->src[1]), s->per_lane, s->kind, false);
  permute_input(b, s->per_lane, inst->lane_ctl >> 16 & 7u);
  bool quick = sums_are_exact(a, b, s, count);
  const sim_vreg *c = read_accumulator(w, inst, spare, registers * steps_of(s));
  sim_vreg *d = sim_vector(w, inst->dst);
  for (unsigned step = 0; step < steps_of(s); step++) {
    spread_b(s, b, step, right);
    for (unsigned r = 0; r < registers; r++) {
      float sum[SIM_LANES] __attribute__((aligned(64)));
      memcpy(sum, c[registers * step + r], sizeof sum);
      spread_a(s, inst, a, step, r, left);
      for (unsigned k = 0; k < s->k; k += count) {
        if (quick && count == 4) {
          sum_group(sum, left, right, k, 4);
        } else if (quick) {
          sum_group(sum, left, right, k, 2);
        } else {
          for (unsigned lane = 0; lane < SIM_LANES; lane++)
            sum[lane] = sum_slowly(sum[lane], left, right, k, count, lane);
        }
      }
      memcpy(d[registers * step + r], sum, sizeof sum);
    }
  }
}
