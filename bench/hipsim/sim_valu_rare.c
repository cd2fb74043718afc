/* Vector ALU: instructions that compilers seldom emit. Semantics: CDNA2 and CDNA4 ISA guides, chapter "Instructions". */
#include "bench/hipsim/sim_valu_functions.h"

/* ---- handlers by type of sources and result ---- */

#define INT_LANES(name, count, expression)                                                                   \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, rc, room;                                                                              \
    const uint32_t *pa = sim_src(w, inst, 0, ra);                                                            \
    const uint32_t *pb = count > 1 ? sim_src(w, inst, 1, rb) : pa;                                           \
    const uint32_t *pc = count > 2 ? sim_src(w, inst, 2, rc) : pa;                                           \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    LANES {                                                                                                  \
      uint32_t a = pa[l], b = pb[l], c = pc[l];                                                              \
      (void)b;                                                                                               \
      (void)c;                                                                                               \
      d[l] = (uint32_t)(expression);                                                                         \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
#define F32_LANES(name, count, expression)                                                                   \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, rc, room;                                                                              \
    const sim_f32 *pa = sim_src_f32(w, inst, 0, ra);                                                         \
    const sim_f32 *pb = count > 1 ? sim_src_f32(w, inst, 1, rb) : pa;                                        \
    const sim_f32 *pc = count > 2 ? sim_src_f32(w, inst, 2, rc) : pa;                                        \
    sim_f32 *d = sim_begin_f32(w, inst, room);                                                               \
    LANES {                                                                                                  \
      float a = pa[l], b = pb[l], c = pc[l];                                                                 \
      (void)b;                                                                                               \
      (void)c;                                                                                               \
      d[l] = (expression);                                                                                   \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
/* f32 sources, bits as the result. */
#define PACK_LANES(name, expression)                                                                         \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, room;                                                                                  \
    const sim_f32 *pa = sim_src_f32(w, inst, 0, ra), *pb = sim_src_f32(w, inst, 1, rb);                      \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    LANES {                                                                                                  \
      float a = pa[l], b = pb[l];                                                                            \
      d[l] = (uint32_t)(expression);                                                                         \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }

/* ---- bytes and nibbles ---- */

static inline uint32_t lerp_u8(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t d = 0;
  for (unsigned i = 0; i < 32; i += 8)
    d |= (((a >> i & 0xff) + (b >> i & 0xff) + (c >> i & 1)) >> 1) << i;
  return d;
}

/* Sum of the distances of bytes; masked: not of those where b has a zero. */
static inline uint32_t byte_distances(uint32_t a, uint32_t b, bool masked) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < 32; i += 8) {
    int32_t x = (int32_t)(a >> i & 0xff), y = (int32_t)(b >> i & 0xff);
    sum += masked && y == 0 ? 0u : (uint32_t)(x > y ? x - y : y - x);
  }
  return sum;
}

static inline uint32_t add_u32(uint32_t a, uint32_t b, bool clamps) {
  return clamps && a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

INT_LANES(v_lerp_u8, 3, lerp_u8(a, b, c))
INT_LANES(v_msad_u8, 3, add_u32(byte_distances(a, b, true), c, (inst->flags & SIM_F_CLAMP) != 0))

/* Distances of b from the four windows of a that begin at bytes 0 to 3, each added to 16 bits of c. */
static void quad_distances(struct sim_wave *w, const struct sim_inst *inst, bool masked) {
  sim_lanes64 ra, rc, room;
  sim_lanes rb;
  const uint32_t *pa = sim_src64(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb),
                 *pc = sim_src64(w, inst, 2, rc);
  bool clamps = (inst->flags & SIM_F_CLAMP) != 0;
  for (unsigned l = 0; l < SIM_LANES; l++) {
    uint64_t a = sim_join(pa[l], pa[SIM_LANES + l]), c = sim_join(pc[l], pc[SIM_LANES + l]), d = 0;
    for (unsigned i = 0; i < 4; i++) {
      uint32_t sum = byte_distances((uint32_t)(a >> 8 * i), pb[l], masked) + (uint32_t)(c >> 16 * i & 0xffff);
      d |= (uint64_t)(clamps && sum > 0xffff ? 0xffff : sum & 0xffff) << 16 * i;
    }
    room[l] = (uint32_t)d;
    room[SIM_LANES + l] = (uint32_t)(d >> 32);
  }
  SIM_NAME(sim_store64)(w, inst, room);
}

SIM_DO(v_qsad_pk_u16_u8) {
  quad_distances(w, inst, false);
}

SIM_DO(v_mqsad_pk_u16_u8) {
  quad_distances(w, inst, true);
}

/* The same with 32-bit sums: c and d are four registers. */
SIM_DO(v_mqsad_u32_u8) {
  sim_lanes64 ra;
  sim_lanes rb, result[4];
  const uint32_t *pa = sim_src64(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb);
  unsigned code = inst->src[2];
  bool clamps = (inst->flags & SIM_F_CLAMP) != 0;
  for (unsigned i = 0; i < 4; i++)
    for (unsigned l = 0; l < SIM_LANES; l++) {
      uint32_t c = code >= SIM_VGPR0 ? w->v[code - SIM_VGPR0 + i][l]
                   : code < 128      ? w->s[code + i]
                   : i == 0          ? sim_scalar32(w, inst, code)
                                     : 0;
      uint64_t a = sim_join(pa[l], pa[SIM_LANES + l]);
      result[i][l] = add_u32(byte_distances((uint32_t)(a >> 8 * i), pb[l], true), c, clamps);
    }
  for (unsigned i = 0; i < 4; i++)
    sim_blend(w->v[inst->dst - SIM_VGPR0 + i], result[i], sim_exec(w));
}

/* ---- dot products of nibbles ---- */

static inline int64_t dot_i4(uint32_t a, uint32_t b) {
  int64_t sum = 0;
  for (unsigned i = 0; i < 32; i += 4)
    sum += ((int32_t)(a << (28 - i)) >> 28) * ((int32_t)(b << (28 - i)) >> 28);
  return sum;
}

static inline uint64_t dot_u4(uint32_t a, uint32_t b) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < 32; i += 4)
    sum += (a >> i & 15) * (b >> i & 15);
  return sum;
}

static inline uint32_t bound_i32(int64_t x, bool clamps) {
  return (uint32_t)(!clamps ? x : x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x);
}

static inline uint32_t bound_u32(uint64_t x, bool clamps) {
  return clamps && x > UINT32_MAX ? UINT32_MAX : (uint32_t)x;
}

INT_LANES(v_dot8_i32_i4, 3, bound_i32(dot_i4(a, b) + (int32_t)c, (inst->flags & SIM_F_CLAMP) != 0))
INT_LANES(v_dot8_u32_u4, 3, bound_u32(dot_u4(a, b) + c, (inst->flags & SIM_F_CLAMP) != 0))

SIM_DO(v_dot8c_i32_i4) {
  sim_lanes ra, rb, room;
  const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb),
                 *pc = w->v[inst->dst - SIM_VGPR0];
  uint32_t *d = sim_begin(w, inst, room);
  LANES
  d[l] = bound_i32(dot_i4(pa[l], pb[l]) + (int32_t)pc[l], (inst->flags & SIM_F_CLAMP) != 0);
  sim_end(w, inst, d, room);
}

/* ---- bits ---- */

/* Bit i of the table is the result where the sources' bits make up i (a most significant). */
static inline uint32_t truth_table(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t d = 0;
  for (unsigned i = 0; i < 8; i++)
    if (table >> i & 1)
      d |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return d;
}

INT_LANES(v_bitop3_b32, 3, truth_table(a, b, c, inst->lane_ctl))
INT_LANES(v_bitop3_b16, 3, truth_table(a, b, c, inst->lane_ctl) & 0xffff)
INT_LANES(v_prng_b32, 1, a << 1 ^ (a >> 31 ? 197u : 0u))

SIM_DO(v_clrexcp) { /* there are no exceptions to forget */
  (void)w;
  (void)inst;
}

/* ---- conversions ---- */

static inline double bounded(double x, double low) {
  return x > low ? (x < 1.0 ? x : 1.0) : low;
}

/* To 16 bits of [-1, 1] and [0, 1]; NaN is 0. Products are exact in f64. */
static inline uint32_t normal_i16(float x) {
  return x != x ? 0 : (uint32_t)(int32_t)rint(bounded((double)x, -1.0) * 32767.0) & 0xffff;
}

static inline uint32_t normal_u16(float x) {
  return x != x ? 0 : (uint32_t)(int32_t)rint(bounded((double)x, 0.0) * 65535.0);
}

/* The same of f16 sources, which flush denormals when MODE says so; count: one half or two. */
static void normals_f16(struct sim_wave *w, const struct sim_inst *inst, unsigned count,
                        uint32_t (*normal)(float)) {
  sim_lanes ra, rb, room;
  const uint32_t *pa = sim_src_f16(w, inst, 0, ra), *pb = count > 1 ? sim_src_f16(w, inst, 1, rb) : pa;
  uint32_t *d = sim_begin(w, inst, room);
  for (unsigned l = 0; l < SIM_LANES; l++) {
    uint32_t high = count > 1 ? normal(sim_f16_to_f32(pb[l] & 0xffff)) << 16 : 0;
    d[l] = normal(sim_f16_to_f32(pa[l] & 0xffff)) | high;
  }
  sim_end(w, inst, d, room);
}

SIM_DO(v_cvt_norm_i16_f16) {
  normals_f16(w, inst, 1, normal_i16);
}

SIM_DO(v_cvt_norm_u16_f16) {
  normals_f16(w, inst, 1, normal_u16);
}

SIM_DO(v_cvt_pknorm_i16_f16) {
  normals_f16(w, inst, 2, normal_i16);
}

SIM_DO(v_cvt_pknorm_u16_f16) {
  normals_f16(w, inst, 2, normal_u16);
}

PACK_LANES(v_cvt_pknorm_i16_f32, normal_i16(a) | normal_i16(b) << 16)
PACK_LANES(v_cvt_pknorm_u16_f32, normal_u16(a) | normal_u16(b) << 16)

/* A signed nibble in sixteenths. */
SIM_DO(v_cvt_off_f32_i4) {
  sim_lanes ra, room;
  const uint32_t *pa = sim_src(w, inst, 0, ra);
  sim_f32 *d = sim_begin_f32(w, inst, room);
  LANES
  d[l] = (float)((int32_t)(pa[l] << 28) >> 28) * 0.0625f;
  sim_end(w, inst, d, room);
}

/* ---- f32 ---- */

/* minimum and maximum of IEEE 754-2019: a NaN wins, -0 is less than +0. */
static inline float minimum(float a, float b) {
  if (a != a || b != b)
    return sim_as_f32(sim_bits_f32(a != a ? a : b) | 0x00400000);
  return a < b ? a : a > b ? b : sim_as_f32(sim_bits_f32(a) | sim_bits_f32(b));
}

static inline float maximum(float a, float b) {
  if (a != a || b != b)
    return sim_as_f32(sim_bits_f32(a != a ? a : b) | 0x00400000);
  return a > b ? a : a < b ? b : sim_as_f32(sim_bits_f32(a) & sim_bits_f32(b));
}

/* The axis of a cube map's face: the largest coordinate, z before y before x. */
static inline unsigned major_axis(float x, float y, float z) {
  return fabsf(z) >= fabsf(x) && fabsf(z) >= fabsf(y) ? 2 : fabsf(y) >= fabsf(x) ? 1 : 0;
}

static inline float cube_face(float x, float y, float z) {
  unsigned axis = major_axis(x, y, z);
  return (float)(2 * axis) + ((axis == 2 ? z : axis == 1 ? y : x) < 0 ? 1.0f : 0.0f);
}

static inline float cube_s(float x, float y, float z) {
  unsigned axis = major_axis(x, y, z);
  return axis == 2 ? (z < 0 ? -x : x) : axis == 1 ? x : x < 0 ? z : -z;
}

static inline float cube_t(float x, float y, float z) {
  return major_axis(x, y, z) == 1 ? (y < 0 ? -z : z) : -y;
}

static inline float cube_major(float x, float y, float z) {
  unsigned axis = major_axis(x, y, z);
  return 2.0f * (axis == 2 ? z : axis == 1 ? y : x);
}

static inline float flush(float x) {
  return sim_as_f32(sim_flush_bits(sim_bits_f32(x)));
}

F32_LANES(v_minimum3_f32, 3, minimum(minimum(a, b), c))
F32_LANES(v_maximum3_f32, 3, maximum(maximum(a, b), c))
F32_LANES(v_cubeid_f32, 3, cube_face(a, b, c))
F32_LANES(v_cubesc_f32, 3, cube_s(a, b, c))
F32_LANES(v_cubetc_f32, 3, cube_t(a, b, c))
F32_LANES(v_cubema_f32, 3, cube_major(a, b, c))
F32_LANES(v_exp_legacy_f32, 1, flush(sim_exp2(flush(a))))
F32_LANES(v_log_legacy_f32, 1, sim_log2(flush(a)))
