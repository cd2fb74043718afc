/* Vector ALU: two 16-bit or two f32 operations a lane, mixed precision, dot products (VOP3P).
 *
 * op_sel chooses, for each source, which half the low operation reads, op_sel_hi which one the high operation
 * reads; neg and neg_hi negate what they read. */
#include "bench/hipsim/sim_valu.h"

/* ---- sources ---- */

/* A source as dwords: of a constant, what the instruction's width makes of it. */
static const uint32_t *packed(const struct sim_wave *w, const struct sim_inst *inst, unsigned i,
                              uint32_t *room) {
  return sim_src(w, inst, i, room);
}

/* Halves of source i as the low and high operation see them, unsigned. */
static void halves(const struct sim_wave *w, const struct sim_inst *inst, unsigned i, uint32_t *low,
                   uint32_t *high) {
  const uint32_t *p = packed(w, inst, i, low);
  unsigned low_shift = inst->op_sel >> i & 1 ? 16 : 0, high_shift = inst->op_sel_hi >> i & 1 ? 16 : 0;
  uint32_t low_sign = inst->neg >> i & 1 ? 0x8000 : 0, high_sign = inst->neg_hi >> i & 1 ? 0x8000 : 0;
  LANES {
    uint32_t x = p[l];
    low[l] = (x >> low_shift & 0xffff) ^ low_sign;
    high[l] = (x >> high_shift & 0xffff) ^ high_sign;
  }
}

/* The same for the integer operations, which have no negation: SIM_K_P16. */
struct packed_sources {
  sim_lanes low[3], high[3];
};

static void load_all(const struct sim_wave *w, const struct sim_inst *inst, unsigned count,
                     struct packed_sources *s) {
  for (unsigned i = 0; i < count; i++)
    halves(w, inst, i, s->low[i], s->high[i]);
}

/* ---- f16 ---- */

static inline float clamp01(float x) {
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

/* Halves of every source as the operation sees them. */
static void load_f16(const struct sim_wave *w, const struct sim_inst *inst, unsigned count,
                     struct packed_sources *s) {
  load_all(w, inst, count, s);
  if (w->mode & SIM_MODE_F16_IN)
    return;
  for (unsigned i = 0; i < count; i++)
    LANES {
      s->low[i][l] = sim_flush_f16(s->low[i][l]);
      s->high[i][l] = sim_flush_f16(s->high[i][l]);
    }
}

/* Puts halves together, clamped and flushed as the instruction and MODE want. */
static void store_f16(struct sim_wave *w, const struct sim_inst *inst, uint32_t *low, uint32_t *high) {
  sim_lanes room;
  for (unsigned i = 0; i < 2; i++) {
    uint32_t *half = i ? high : low;
    if (inst->flags & SIM_F_CLAMP)
      LANES
    half[l] = sim_f32_to_f16(clamp01(sim_f16_to_f32(half[l])));
    if (!(w->mode & SIM_MODE_F16_OUT))
      LANES
    half[l] = sim_flush_f16(half[l]);
  }
  uint32_t *d = sim_begin(w, inst, room);
  LANES
  d[l] = low[l] | high[l] << 16;
  sim_end(w, inst, d, room);
}

/* expression over float a, b, c, of one half of all lanes: to f16 bits. */
#define HALF_LOOP(which, count, expression)                                                                  \
  for (unsigned i = 0; i < count; i++)                                                                       \
    sim_widen(s.which[i], s.which[i]);                                                                       \
  LANES {                                                                                                    \
    float a = sim_as_f32(s.which[0][l]), b = sim_as_f32(s.which[1][l]),                                      \
          c = count > 2 ? sim_as_f32(s.which[count - 1][l]) : 0;                                             \
    (void)c;                                                                                                 \
    s.which[0][l] = sim_bits_f32(expression);                                                                \
  }                                                                                                          \
  sim_narrow(s.which[0], s.which[0]);
#define PACKED_F16(name, count, expression)                                                                  \
  SIM_DO(name) {                                                                                             \
    struct packed_sources s;                                                                                 \
    load_f16(w, inst, count, &s);                                                                            \
    HALF_LOOP(low, count, expression)                                                                        \
    HALF_LOOP(high, count, expression)                                                                       \
    store_f16(w, inst, s.low[0], s.high[0]);                                                                 \
  }
PACKED_F16(v_pk_add_f16, 2, sim_sum_f32(a, b))
PACKED_F16(v_pk_mul_f16, 2, sim_product_f32(a, b))
PACKED_F16(v_pk_fma_f16, 3, sim_nan3(a, b, c, sim_fma_f16(a, b, c)))

#define PACKED_EXTREME(name, least)                                                                          \
  SIM_DO(name) {                                                                                             \
    struct packed_sources s;                                                                                 \
    sim_lanes low, high;                                                                                     \
    const bool ieee = (w->mode & SIM_MODE_IEEE) != 0;                                                        \
    load_f16(w, inst, 2, &s);                                                                                \
    LANES                                                                                                    \
    low[l] = sim_extreme_f16(s.low[0][l], s.low[1][l], least, ieee);                                         \
    LANES                                                                                                    \
    high[l] = sim_extreme_f16(s.high[0][l], s.high[1][l], least, ieee);                                      \
    store_f16(w, inst, low, high);                                                                           \
  }
PACKED_EXTREME(v_pk_min_f16, true)
PACKED_EXTREME(v_pk_max_f16, false)

/* A two-source instruction whose destination is the third source: as v_pk_fma_f16 with that spelt out. */
SIM_DO(v_pk_fmac_f16) {
  struct sim_inst fma = *inst;
  fma.src[2] = inst->dst;
  fma.op_sel_hi = 7;
  SIM_NAME(sim_do_v_pk_fma_f16)(w, &fma);
}

/* ---- 16-bit integers ---- */

static inline int32_t s16(uint32_t x) {
  return (int16_t)x;
}

static inline uint32_t bound_u16(int64_t x) {
  return x < 0 ? 0 : x > 0xffff ? 0xffff : (uint32_t)x;
}

static inline uint32_t bound_i16(int64_t x) {
  return (uint32_t)(x < -32768 ? -32768 : x > 32767 ? 32767 : (int32_t)x);
}

#define INT_LOOP(which, expression)                                                                          \
  LANES {                                                                                                    \
    uint32_t a = s.which[0][l], b = s.which[1][l], c = s.which[2][l];                                        \
    (void)c;                                                                                                 \
    s.which[0][l] = (uint32_t)(expression)&0xffff;                                                           \
  }
#define PACKED_INT(name, count, expression, clamped)                                                         \
  SIM_DO(name) {                                                                                             \
    struct packed_sources s;                                                                                 \
    sim_lanes room;                                                                                          \
    load_all(w, inst, count, &s);                                                                            \
    if (count < 3) {                                                                                         \
      memset(s.low[2], 0, sizeof s.low[2]);                                                                  \
      memset(s.high[2], 0, sizeof s.high[2]);                                                                \
    }                                                                                                        \
    if (inst->flags & SIM_F_CLAMP) {                                                                         \
      INT_LOOP(low, clamped)                                                                                 \
      INT_LOOP(high, clamped)                                                                                \
    } else {                                                                                                 \
      INT_LOOP(low, expression)                                                                              \
      INT_LOOP(high, expression)                                                                             \
    }                                                                                                        \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    LANES                                                                                                    \
    d[l] = s.low[0][l] | s.high[0][l] << 16;                                                                 \
    sim_end(w, inst, d, room);                                                                               \
  }
PACKED_INT(v_pk_mad_i16, 3, a *b + c, bound_i16((int64_t)s16(a) * s16(b) + s16(c)))
PACKED_INT(v_pk_mad_u16, 3, a *b + c, bound_u16((int64_t)a *b + c))
PACKED_INT(v_pk_mul_lo_u16, 2, a *b, a *b)
PACKED_INT(v_pk_add_i16, 2, a + b, bound_i16(s16(a) + s16(b)))
PACKED_INT(v_pk_sub_i16, 2, a - b, bound_i16(s16(a) - s16(b)))
PACKED_INT(v_pk_add_u16, 2, a + b, bound_u16((int64_t)a + b))
PACKED_INT(v_pk_sub_u16, 2, a - b, bound_u16((int64_t)a - b))
PACKED_INT(v_pk_lshlrev_b16, 2, b << (a & 15), b << (a & 15))
PACKED_INT(v_pk_lshrrev_b16, 2, b >> (a & 15), b >> (a & 15))
PACKED_INT(v_pk_ashrrev_i16, 2, s16(b) >> (a & 15), s16(b) >> (a & 15))
PACKED_INT(v_pk_max_i16, 2, s16(a) > s16(b) ? a : b, s16(a) > s16(b) ? a : b)
PACKED_INT(v_pk_min_i16, 2, s16(a) < s16(b) ? a : b, s16(a) < s16(b) ? a : b)
PACKED_INT(v_pk_max_u16, 2, a > b ? a : b, a > b ? a : b)
PACKED_INT(v_pk_min_u16, 2, a < b ? a : b, a < b ? a : b)

/* ---- two f32 ---- */

/* One f32 of source i for the low (high = false) or the high operation. */
static const sim_f32 *float_part(const struct sim_wave *w, const struct sim_inst *inst, unsigned i, bool high,
                                 uint32_t *room) {
  unsigned code = inst->src[i], select = (high ? inst->op_sel_hi : inst->op_sel) >> i & 1;
  bool negated = (high ? inst->neg_hi : inst->neg) >> i & 1;
  bool flushed = !(w->mode & SIM_MODE_F32_IN);
  if (code >= SIM_VGPR0 && !negated && !flushed)
    return sim_const_floats(w->v[code - SIM_VGPR0 + select]);
  /* A constant fills the low part alone; a scalar register pair has both. */
  uint32_t value = code < 128               ? w->s[code + select]
                   : code >= SIM_VGPR0      ? 0
                   : select == 0            ? sim_scalar32(w, inst, code)
                   : sim_inline_float(code) ? 0
                                            : 0u - (sim_scalar32(w, inst, code) >> 31);
  uint32_t sign = negated ? 0x80000000 : 0;
  if (code < SIM_VGPR0) {
    value ^= sign;
    LANES
    room[l] = value;
  } else {
    const uint32_t *from = w->v[code - SIM_VGPR0 + select];
    LANES
    room[l] = from[l] ^ sign;
  }
  if (flushed)
    LANES
  room[l] = sim_flush_bits(room[l]);
  return sim_const_floats(room);
}

static void finish_pair(const struct sim_wave *w, const struct sim_inst *inst, uint32_t *value) {
  sim_f32 *f = sim_floats(value);
  if (inst->flags & SIM_F_CLAMP)
    for (unsigned l = 0; l < 2 * SIM_LANES; l++)
      f[l] = clamp01(f[l]);
  if (!(w->mode & SIM_MODE_F32_OUT))
    for (unsigned l = 0; l < 2 * SIM_LANES; l++)
      value[l] = sim_flush_bits(value[l]);
}

/* Results go to a room first: the high operation may read what the low one would write. */
#define PACKED_F32(name, count, expression)                                                                  \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, rc;                                                                                    \
    sim_lanes64 result;                                                                                      \
    for (unsigned high = 0; high < 2; high++) {                                                              \
      const sim_f32 *pa = float_part(w, inst, 0, high, ra), *pb = float_part(w, inst, 1, high, rb);          \
      const sim_f32 *pc = count > 2 ? float_part(w, inst, 2, high, rc) : pa;                                 \
      sim_f32 *d = sim_floats(result) + SIM_LANES * high;                                                    \
      LANES {                                                                                                \
        float a = pa[l], b = pb[l], c = pc[l];                                                               \
        (void)c;                                                                                             \
        d[l] = (expression);                                                                                 \
      }                                                                                                      \
    }                                                                                                        \
    if ((inst->flags & SIM_F_CLAMP) || !(w->mode & SIM_MODE_F32_OUT))                                        \
      finish_pair(w, inst, result);                                                                          \
    uint32_t *to = w->v[inst->dst - SIM_VGPR0];                                                              \
    sim_blend(to, result, sim_exec(w));                                                                      \
    sim_blend(to + SIM_LANES, result + SIM_LANES, sim_exec(w));                                              \
  }
PACKED_F32(v_pk_add_f32, 2, sim_sum_f32(a, b))
PACKED_F32(v_pk_mul_f32, 2, sim_product_f32(a, b))
PACKED_F32(v_pk_fma_f32, 3, sim_fused_f32(a, b, c))

/* The low dword of the result comes from source 0, the high one from source 1; op_sel says which of their dwords. */
SIM_DO(v_pk_mov_b32) {
  sim_lanes64 ra, rb, result;
  const uint32_t *pa = sim_src64(w, inst, 0, ra), *pb = sim_src64(w, inst, 1, rb);
  uint32_t *to = w->v[inst->dst - SIM_VGPR0];
  memcpy(result, pa + (inst->op_sel & 1 ? SIM_LANES : 0), sizeof(sim_vreg));
  memcpy(result + SIM_LANES, pb + (inst->op_sel & 2 ? SIM_LANES : 0), sizeof(sim_vreg));
  sim_blend(to, result, sim_exec(w));
  sim_blend(to + SIM_LANES, result + SIM_LANES, sim_exec(w));
}

/* ---- mixed precision ---- */

/* Source i of v_fma_mix: op_sel_hi says that it is f16, op_sel which half; neg_hi is abs here. */
static const sim_f32 *mixed(const struct sim_wave *w, const struct sim_inst *inst, unsigned i,
                            uint32_t *room) {
  unsigned code = inst->src[i];
  bool half = inst->op_sel_hi >> i & 1;
  unsigned shift = inst->op_sel >> i & 1 ? 16 : 0;
  const uint32_t *from = room;
  if (code >= SIM_VGPR0) {
    from = w->v[code - SIM_VGPR0];
  } else {
    uint32_t value = half ? sim_scalar16(w, inst, code) : sim_scalar32(w, inst, code);
    LANES
    room[l] = value;
  }
  uint32_t keep = inst->neg_hi >> i & 1 ? 0x7fffffff : UINT32_MAX, sign = inst->neg >> i & 1 ? 0x80000000 : 0;
  bool discarded = !half && !(w->mode & SIM_MODE_F32_IN);
  if (half) {
    bool kept = (w->mode & SIM_MODE_F16_IN) != 0;
    LANES {
      uint32_t bits = from[l] >> shift & 0xffff;
      room[l] = kept ? bits : sim_flush_f16(bits);
    }
    sim_widen(room, room);
    from = room;
  }
  LANES
  room[l] = ((discarded ? sim_flush_bits(from[l]) : from[l]) & keep) ^ sign;
  return sim_const_floats(room);
}

static void mix(const struct sim_wave *w, const struct sim_inst *inst, sim_f32 *result) {
  sim_lanes ra, rb, rc;
  const sim_f32 *pa = mixed(w, inst, 0, ra), *pb = mixed(w, inst, 1, rb), *pc = mixed(w, inst, 2, rc);
  LANES
  result[l] = sim_fused_f32(pa[l], pb[l], pc[l]);
  if (inst->flags & SIM_F_CLAMP)
    LANES
  result[l] = clamp01(result[l]);
}

SIM_DO(v_fma_mix_f32) {
  sim_lanes room;
  mix(w, inst, sim_floats(room));
  SIM_NAME(sim_store)(w, inst, room);
}

static void mix_f16(struct sim_wave *w, const struct sim_inst *inst, unsigned shift) {
  sim_lanes result;
  uint32_t *d = w->v[inst->dst - SIM_VGPR0], keep = 0xffff0000 >> shift;
  mix(w, inst, sim_floats(result));
  bool kept = (w->mode & SIM_MODE_F16_OUT) != 0;
  sim_narrow(result, result);
  LANES
  result[l] = (kept ? result[l] : sim_flush_f16(result[l])) << shift | (d[l] & keep);
  sim_blend(d, result, sim_exec(w));
}

SIM_DO(v_fma_mixlo_f16) {
  mix_f16(w, inst, 0);
}

SIM_DO(v_fma_mixhi_f16) {
  mix_f16(w, inst, 16);
}

/* ---- dot products ---- */

/* Source c of the two-source forms is the destination. */
static const uint32_t *accumulator(const struct sim_wave *w, const struct sim_inst *inst, uint32_t *room) {
  return sim_info[inst->op].src[2] == SIM_K_NONE ? w->v[inst->dst - SIM_VGPR0] : sim_src(w, inst, 2, room);
}

/* Halves for dot products: the short forms have no op_sel. */
static void dot_halves(const struct sim_wave *w, const struct sim_inst *inst, unsigned i, uint32_t *low,
                       uint32_t *high) {
  if (sim_info[inst->op].format == SIM_FMT_VOP3P) {
    halves(w, inst, i, low, high);
    return;
  }
  const uint32_t *p = sim_src(w, inst, i, low);
  LANES {
    uint32_t x = p[l];
    low[l] = x & 0xffff;
    high[l] = x >> 16;
  }
}

#define DOT2(name, type, begin_at, expression)                                                               \
  SIM_DO(name) {                                                                                             \
    sim_lanes a0, a1, b0, b1, rc, room;                                                                      \
    dot_halves(w, inst, 0, a0, a1);                                                                          \
    dot_halves(w, inst, 1, b0, b1);                                                                          \
    const uint32_t *pc = accumulator(w, inst, rc);                                                           \
    void *begin = begin_at(w, inst, room);                                                                   \
    type *d = begin;                                                                                         \
    LANES {                                                                                                  \
      uint32_t c = pc[l];                                                                                    \
      d[l] = (type)(expression);                                                                             \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
/* Sums are rounded one after the other, in the guide's order: of f16, and in the short form of bf16, the low products
 * onto the addend, then the high ones; in the long form of bf16 the addend comes last. Those of f16 flush denormals of
 * f32 whatever MODE says (LLVM AMDGPU, performFMACombine). */
static inline float dot2(float low_a, float low_b, float high_a, float high_b, float c) {
  return sim_sum_f32(sim_sum_f32(c, sim_product_f32(low_a, low_b)), sim_product_f32(high_a, high_b));
}

static inline float flushed(float x) {
  return sim_as_f32(sim_flush_bits(sim_bits_f32(x)));
}

static inline float bf16(uint32_t bits) {
  return sim_as_f32(bits << 16);
}

static void dot2_f16(struct sim_wave *w, const struct sim_inst *inst) {
  sim_lanes a0, a1, b0, b1, rc;
  uint32_t *const halves_of[] = {a0, a1, b0, b1};
  dot_halves(w, inst, 0, a0, a1);
  dot_halves(w, inst, 1, b0, b1);
  for (unsigned i = 0; i < 4; i++)
    sim_widen(halves_of[i], halves_of[i]);
  const uint32_t *pc = accumulator(w, inst, rc);
  LANES {
    float c = flushed(sim_as_f32(pc[l]));
    float sum = dot2(sim_as_f32(a0[l]), sim_as_f32(b0[l]), sim_as_f32(a1[l]), sim_as_f32(b1[l]), c);
    a0[l] = sim_bits_f32(flushed(sum));
  }
  SIM_NAME(sim_store)(w, inst, a0);
}

SIM_DO(v_dot2_f32_f16) {
  dot2_f16(w, inst);
}

SIM_DO(v_dot2c_f32_f16) {
  dot2_f16(w, inst);
}

/* The addend of bf16, flushed when MODE says so. */
static inline float addend(const struct sim_wave *w, uint32_t bits) {
  return sim_as_f32(w->mode & SIM_MODE_F32_IN ? bits : sim_flush_bits(bits));
}

#define SUM_BF16                                                                                             \
  sim_sum_f32(                                                                                               \
      sim_sum_f32(sim_product_f32(bf16(a0[l]), bf16(b0[l])), sim_product_f32(bf16(a1[l]), bf16(b1[l]))),     \
      addend(w, c))
DOT2(v_dot2_f32_bf16, sim_f32, sim_begin_f32, SUM_BF16)
DOT2(v_dot2c_f32_bf16, sim_f32, sim_begin_f32,
     dot2(bf16(a0[l]), bf16(b0[l]), bf16(a1[l]), bf16(b1[l]), addend(w, c)))

static inline uint32_t sum_i(const struct sim_inst *inst, int64_t sum) {
  if (!(inst->flags & SIM_F_CLAMP))
    return (uint32_t)sum;
  return (uint32_t)(sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : (int32_t)sum);
}

static inline uint32_t sum_u(const struct sim_inst *inst, uint64_t sum) {
  return (inst->flags & SIM_F_CLAMP) && sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
}

#define DOT_I16 sum_i(inst, (int64_t)s16(a0[l]) * s16(b0[l]) + (int64_t)s16(a1[l]) * s16(b1[l]) + (int32_t)c)
DOT2(v_dot2_i32_i16, uint32_t, sim_begin, DOT_I16)
DOT2(v_dot2c_i32_i16, uint32_t, sim_begin, DOT_I16)
DOT2(v_dot2_u32_u16, uint32_t, sim_begin, sum_u(inst, (uint64_t)a0[l] * b0[l] + (uint64_t)a1[l] * b1[l] + c))

static inline int64_t dot_i8(uint32_t a, uint32_t b) {
  int64_t sum = 0;
  for (unsigned i = 0; i < 32; i += 8)
    sum += (int8_t)(a >> i) * (int8_t)(b >> i);
  return sum;
}

static inline uint64_t dot_u8(uint32_t a, uint32_t b) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < 32; i += 8)
    sum += (a >> i & 0xff) * (b >> i & 0xff);
  return sum;
}

#define DOT4(name, expression)                                                                               \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, rc, room;                                                                              \
    const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb),                             \
                   *pc = accumulator(w, inst, rc);                                                           \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    LANES {                                                                                                  \
      uint32_t a = pa[l], b = pb[l], c = pc[l];                                                              \
      d[l] = (expression);                                                                                   \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
DOT4(v_dot4_i32_i8, sum_i(inst, dot_i8(a, b) + (int32_t)c))
DOT4(v_dot4c_i32_i8, sum_i(inst, dot_i8(a, b) + (int32_t)c))
DOT4(v_dot4_u32_u8, sum_u(inst, dot_u8(a, b) + c))
