/* Vector ALU on 32-bit and 16-bit integers. Semantics: CDNA2 ISA guide, chapter "Instructions". */
#include "bench/hipsim/sim_valu.h"

/* Handlers by number of sources; the expression speaks of a, b, c (uint32_t). */
#define INT1(name, expression)                                                                               \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, room;                                                                                      \
    const uint32_t *pa = sim_src(w, inst, 0, ra);                                                            \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    LANES {                                                                                                  \
      uint32_t a = pa[l];                                                                                    \
      d[l] = (uint32_t)(expression);                                                                         \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
#define LOOP2(expression)                                                                                    \
  LANES {                                                                                                    \
    uint32_t a = pa[l], b = pb[l];                                                                           \
    d[l] = (uint32_t)(expression);                                                                           \
  }
#define INT2(name, expression)                                                                               \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, room;                                                                                  \
    const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb);                             \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    LOOP2(expression)                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
/* With the clamp modifier the result saturates. */
#define INT2_CLAMP(name, expression, saturated)                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, room;                                                                                  \
    const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb);                             \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    if (inst->flags & SIM_F_CLAMP)                                                                           \
      LOOP2(saturated)                                                                                       \
    else                                                                                                     \
      LOOP2(expression)                                                                                      \
    sim_end(w, inst, d, room);                                                                               \
  }
#define LOOP3(expression)                                                                                    \
  LANES {                                                                                                    \
    uint32_t a = pa[l], b = pb[l], c = pc[l];                                                                \
    d[l] = (uint32_t)(expression);                                                                           \
  }
#define INT3(name, expression)                                                                               \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, rc, room;                                                                              \
    const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb),                             \
                   *pc = sim_src(w, inst, 2, rc);                                                            \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    LOOP3(expression)                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
#define INT3_CLAMP(name, expression, saturated)                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, rc, room;                                                                              \
    const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb),                             \
                   *pc = sim_src(w, inst, 2, rc);                                                            \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    if (inst->flags & SIM_F_CLAMP)                                                                           \
      LOOP3(saturated)                                                                                       \
    else                                                                                                     \
      LOOP3(expression)                                                                                      \
    sim_end(w, inst, d, room);                                                                               \
  }

/* ---- small helpers on one lane ---- */

static inline int32_t s32(uint32_t x) {
  return (int32_t)x;
}

static inline int32_t s16(uint32_t x) {
  return (int16_t)x;
}

static inline uint32_t u16(uint32_t x) {
  return (uint16_t)x;
}

static inline int32_t s24(uint32_t x) {
  return (int32_t)(x << 8) >> 8;
}

static inline uint32_t u24(uint32_t x) {
  return x & 0xffffff;
}

static inline uint32_t saturate_u32(int64_t x) {
  return x < 0 ? 0 : x > (int64_t)UINT32_MAX ? UINT32_MAX : (uint32_t)x;
}

static inline int32_t saturate_i32(int64_t x) {
  return x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : (int32_t)x;
}

static inline uint32_t saturate_u16(int32_t x) {
  return x < 0 ? 0 : x > 0xffff ? 0xffff : (uint32_t)x;
}

static inline int32_t saturate_i16(int32_t x) {
  return x < -32768 ? -32768 : x > 32767 ? 32767 : x;
}

static inline int32_t min_i(int32_t x, int32_t y) {
  return x < y ? x : y;
}

static inline int32_t max_i(int32_t x, int32_t y) {
  return x > y ? x : y;
}

static inline uint32_t min_u(uint32_t x, uint32_t y) {
  return x < y ? x : y;
}

static inline uint32_t max_u(uint32_t x, uint32_t y) {
  return x > y ? x : y;
}

static inline uint32_t bit_reverse(uint32_t x) {
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
  return x >> 16 | x << 16;
}

static inline uint32_t sign_distance(int32_t x) {
  uint32_t differs = (uint32_t)(x < 0 ? ~x : x);
  return differs == 0 ? UINT32_MAX : (uint32_t)__builtin_clz(differs);
}

/* v_bfe: an offset and a width of five bits each. */
static inline uint32_t extract_u(uint32_t x, uint32_t offset, uint32_t width) {
  return x >> (offset & 31) & ((1u << (width & 31)) - 1);
}

static inline uint32_t extract_i(uint32_t x, uint32_t offset, uint32_t width) {
  uint32_t n = width & 31, o = offset & 31;
  uint32_t shift =
      o + n > 32 ? o : 32 - n; /* a field past bit 31 is what the shifted register's sign fills */
  uint32_t top = o + n > 32 ? x : x << ((32 - n - o) & 31);
  return n == 0 ? 0 : (uint32_t)((int32_t)top >> (shift & 31));
}

static inline uint32_t distance(uint32_t x, uint32_t y) {
  return x > y ? x - y : y - x;
}

static inline uint32_t sum_of_byte_distances(uint32_t a, uint32_t b) {
  return distance(a & 0xff, b & 0xff) + distance(a >> 8 & 0xff, b >> 8 & 0xff) +
         distance(a >> 16 & 0xff, b >> 16 & 0xff) + distance(a >> 24, b >> 24);
}

static inline int32_t median_i(int32_t a, int32_t b, int32_t c) {
  return max_i(min_i(a, b), min_i(max_i(a, b), c));
}

static inline uint32_t median_u(uint32_t a, uint32_t b, uint32_t c) {
  return max_u(min_u(a, b), min_u(max_u(a, b), c));
}

/* ---- 32 bits ---- */

INT1(v_not_b32, ~a)
INT1(v_bfrev_b32, bit_reverse(a))
INT1(v_ffbh_u32, a == 0 ? -1 : __builtin_clz(a))
INT1(v_ffbl_b32, a == 0 ? -1 : __builtin_ctz(a))
INT1(v_ffbh_i32, sign_distance(s32(a)))
INT1(v_sat_pk_u8_i16, min_u((uint32_t)max_i(s16(a), 0), 255) | min_u((uint32_t)max_i(s16(a >> 16), 0), 255)
                                                                   << 8)

INT2_CLAMP(v_add_u32, a + b, saturate_u32((int64_t)a + b))
INT2_CLAMP(v_sub_u32, a - b, saturate_u32((int64_t)a - b))
INT2_CLAMP(v_subrev_u32, b - a, saturate_u32((int64_t)b - a))
INT2_CLAMP(v_add_i32, a + b, saturate_i32((int64_t)s32(a) + s32(b)))
INT2_CLAMP(v_sub_i32, a - b, saturate_i32((int64_t)s32(a) - s32(b)))
INT2(v_min_i32, min_i(s32(a), s32(b)))
INT2(v_max_i32, max_i(s32(a), s32(b)))
INT2(v_min_u32, min_u(a, b))
INT2(v_max_u32, max_u(a, b))
INT2(v_lshrrev_b32, b >> (a & 31))
INT2(v_ashrrev_i32, s32(b) >> (a & 31))
INT2(v_lshlrev_b32, b << (a & 31))
INT2(v_and_b32, a &b)
INT2(v_or_b32, a | b)
INT2(v_xor_b32, a ^ b)
INT2(v_xnor_b32, ~(a ^ b))
INT2(v_mul_i32_i24, (int64_t)s24(a) * s24(b))
INT2(v_mul_hi_i32_i24, (int64_t)s24(a) * s24(b) >> 32)
INT2(v_mul_u32_u24, u24(a) * u24(b))
INT2(v_mul_hi_u32_u24, (uint64_t)u24(a) * u24(b) >> 32)
INT2(v_mul_lo_u32, a *b)
INT2(v_mul_hi_u32, (uint64_t)a *b >> 32)
INT2(v_mul_hi_i32, (int64_t)s32(a) * s32(b) >> 32)
INT2(v_bcnt_u32_b32, (uint32_t)__builtin_popcount(a) + b)
INT2(v_bfm_b32, ((1u << (a & 31)) - 1) << (b & 31))
INT2(v_cvt_pk_u16_u32, min_u(a, 0xffff) | min_u(b, 0xffff) << 16)
INT2(v_cvt_pk_i16_i32, u16((uint32_t)saturate_i16(s32(a))) | (uint32_t)saturate_i16(s32(b)) << 16)

INT3(v_add3_u32, a + b + c)
INT3(v_lshl_add_u32, (a << (b & 31)) + c)
INT3(v_add_lshl_u32, (a + b) << (c & 31))
INT3(v_lshl_or_b32, (a << (b & 31)) | c)
INT3(v_and_or_b32, (a & b) | c)
INT3(v_or3_b32, a | b | c)
INT3(v_xad_u32, (a ^ b) + c)
INT3(v_bfe_u32, extract_u(a, b, c))
INT3(v_bfe_i32, extract_i(a, b, c))
INT3(v_bfi_b32, (a & b) | (~a & c))
INT3(v_alignbit_b32, sim_join(b, a) >> (c & 31))
INT3(v_alignbyte_b32, sim_join(b, a) >> 8 * (c & 3))
INT3(v_min3_i32, min_i(min_i(s32(a), s32(b)), s32(c)))
INT3(v_max3_i32, max_i(max_i(s32(a), s32(b)), s32(c)))
INT3(v_med3_i32, median_i(s32(a), s32(b), s32(c)))
INT3(v_min3_u32, min_u(min_u(a, b), c))
INT3(v_max3_u32, max_u(max_u(a, b), c))
INT3(v_med3_u32, median_u(a, b, c))
INT3_CLAMP(v_mad_i32_i24, (uint32_t)(s24(a) * (int64_t)s24(b)) + c,
           saturate_i32((int64_t)s24(a) * s24(b) + s32(c)))
INT3_CLAMP(v_mad_u32_u24, u24(a) * u24(b) + c, saturate_u32((int64_t)u24(a) * u24(b) + c))
INT3_CLAMP(v_mad_u32_u16, u16(a) * u16(b) + c, saturate_u32((int64_t)u16(a) * u16(b) + c))
INT3_CLAMP(v_mad_i32_i16, (uint32_t)(s16(a) * s16(b)) + c, saturate_i32((int64_t)s16(a) * s16(b) + s32(c)))
INT3_CLAMP(v_sad_u8, sum_of_byte_distances(a, b) + c, saturate_u32((int64_t)sum_of_byte_distances(a, b) + c))
INT3_CLAMP(v_sad_hi_u8, (sum_of_byte_distances(a, b) << 16) + c,
           saturate_u32(((int64_t)sum_of_byte_distances(a, b) << 16) + c))
INT3_CLAMP(v_sad_u16, distance(u16(a), u16(b)) + distance(a >> 16, b >> 16) + c,
           saturate_u32((int64_t)distance(u16(a), u16(b)) + distance(a >> 16, b >> 16) + c))
INT3_CLAMP(v_sad_u32, distance(a, b) + c, saturate_u32((int64_t)distance(a, b) + c))

/* ---- bytes ---- */

/* v_perm_b32: each byte of the selector c picks one of the eight bytes of {a, b}, one of their signs (8 to 11: of bytes 1,
 * 3, 5 and 7), 0 (12) or 255. */
static inline uint32_t permuted(uint32_t a, uint32_t b, uint32_t c) {
  uint64_t bytes = sim_join(b, a), result = 0;
  for (unsigned i = 0; i < 32; i += 8) {
    uint32_t select = c >> i & 0xff;
    uint64_t sign = 0u - (bytes >> (16 * (select & 3) + 15) & 1u), constant = select == 12 ? 0 : 0xff;
    uint64_t special = select < 12 ? sign : constant;
    result |= ((select < 8 ? bytes >> 8 * (select & 7) : special) & 0xff) << i;
  }
  return (uint32_t)result;
}

#ifdef __AVX2__
/* The same in eight lanes: bytes 0 to 3 are found in b, 4 to 7 in a, each in its lane's own dword. */
static inline __m256i permuted_8(__m256i a, __m256i b, __m256i c) {
  const __m256i base =
      _mm256_set_epi32(0x0c0c0c0c, 0x08080808, 0x04040404, 0, 0x0c0c0c0c, 0x08080808, 0x04040404, 0);
  __m256i place = _mm256_or_si256(_mm256_and_si256(c, _mm256_set1_epi8(3)), base);
  __m256i of_b = _mm256_shuffle_epi8(b, place), of_a = _mm256_shuffle_epi8(a, place);
  __m256i picked = _mm256_blendv_epi8(of_b, of_a, _mm256_slli_epi16(c, 5)); /* by bit 2 of each selector */
  __m256i high = _mm256_cmpeq_epi8(_mm256_max_epu8(c, _mm256_set1_epi8(8)), c);
  if (_mm256_testz_si256(high, high))
    return picked;
  /* byte 1 or 3, by bit 0, of b or a, by bit 1 */
  __m256i odd = _mm256_and_si256(_mm256_add_epi8(c, c), _mm256_set1_epi8(2));
  place = _mm256_or_si256(_mm256_or_si256(odd, _mm256_set1_epi8(1)), base);
  __m256i signed_byte = _mm256_blendv_epi8(_mm256_shuffle_epi8(b, place), _mm256_shuffle_epi8(a, place),
                                           _mm256_slli_epi16(c, 6));
  __m256i sign = _mm256_cmpgt_epi8(_mm256_setzero_si256(), signed_byte);
  __m256i over_11 = _mm256_cmpeq_epi8(_mm256_max_epu8(c, _mm256_set1_epi8(12)), c);
  __m256i constant = _mm256_andnot_si256(_mm256_cmpeq_epi8(c, _mm256_set1_epi8(12)), _mm256_set1_epi8(-1));
  return _mm256_blendv_epi8(picked, _mm256_blendv_epi8(sign, constant, over_11), high);
}
#endif

SIM_DO(v_perm_b32) {
  sim_lanes ra, rb, rc, room;
  const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb), *pc = sim_src(w, inst, 2, rc);
  uint32_t *d = sim_begin(w, inst, room);
#ifdef __AVX2__
  for (unsigned l = 0; l < SIM_LANES; l += 8) {
    __m256i a = _mm256_load_si256((const void *)(pa + l)), b = _mm256_load_si256((const void *)(pb + l)),
            c = _mm256_load_si256((const void *)(pc + l));
    _mm256_store_si256((void *)(d + l), permuted_8(a, b, c));
  }
#else
  for (unsigned l = 0; l < SIM_LANES; l++)
    d[l] = permuted(pa[l], pb[l], pc[l]);
#endif
  sim_end(w, inst, d, room);
}

/* ---- 16 bits ---- */

INT2_CLAMP(v_add_u16, u16(a) + u16(b), saturate_u16((int32_t)(u16(a) + u16(b))))
INT2_CLAMP(v_sub_u16, u16(a) - u16(b), saturate_u16((int32_t)u16(a) - (int32_t)u16(b)))
INT2_CLAMP(v_subrev_u16, u16(b) - u16(a), saturate_u16((int32_t)u16(b) - (int32_t)u16(a)))
INT2_CLAMP(v_add_i16, s16(a) + s16(b), saturate_i16(s16(a) + s16(b)))
INT2_CLAMP(v_sub_i16, s16(a) - s16(b), saturate_i16(s16(a) - s16(b)))
INT2(v_mul_lo_u16, u16(a) * u16(b))
INT2(v_lshlrev_b16, u16(b) << (a & 15))
INT2(v_lshrrev_b16, u16(b) >> (a & 15))
INT2(v_ashrrev_i16, s16(b) >> (a & 15))
INT2(v_max_u16, max_u(u16(a), u16(b)))
INT2(v_min_u16, min_u(u16(a), u16(b)))
INT2(v_max_i16, max_i(s16(a), s16(b)))
INT2(v_min_i16, min_i(s16(a), s16(b)))
INT3(v_min3_i16, min_i(min_i(s16(a), s16(b)), s16(c)))
INT3(v_max3_i16, max_i(max_i(s16(a), s16(b)), s16(c)))
INT3(v_med3_i16, median_i(s16(a), s16(b), s16(c)))
INT3(v_min3_u16, min_u(min_u(u16(a), u16(b)), u16(c)))
INT3(v_max3_u16, max_u(max_u(u16(a), u16(b)), u16(c)))
INT3(v_med3_u16, median_u(u16(a), u16(b), u16(c)))
INT3_CLAMP(v_mad_u16, u16(a) * u16(b) + u16(c), min_u(u16(a) * u16(b) + u16(c), 0xffff))
INT3_CLAMP(v_mad_i16, s16(a) * s16(b) + s16(c), saturate_i16(s16(a) * s16(b) + s16(c)))
INT3_CLAMP(v_mad_legacy_u16, u16(a) * u16(b) + u16(c), min_u(u16(a) * u16(b) + u16(c), 0xffff))
INT3_CLAMP(v_mad_legacy_i16, s16(a) * s16(b) + s16(c), saturate_i16(s16(a) * s16(b) + s16(c)))

/* ---- carries ---- */

/* A mask destination takes the carries of active lanes; the others' bits are zero. */
static void write_carry(struct sim_wave *w, const struct sim_inst *inst, const uint32_t *carry) {
  sim_write_s64(w, inst->sdst, sim_mask_of(carry) & SIM_NAME(sim_write_mask)(w, inst));
}

/* carries: ~0 where the 32-bit result did not fit; with clamp such a result saturates at `limit`. */
#define CARRY2(name, expression, carries, limit)                                                             \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, room, carry;                                                                           \
    const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb);                             \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    uint32_t clamped = inst->flags & SIM_F_CLAMP ? UINT32_MAX : 0;                                           \
    LANES {                                                                                                  \
      uint32_t a = pa[l], b = pb[l], sum = (expression), out = 0u - (uint32_t)(carries);                     \
      carry[l] = out;                                                                                        \
      d[l] = (out & clamped) ? (limit) : sum;                                                                \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
    write_carry(w, inst, carry);                                                                             \
  }
CARRY2(v_add_co_u32, a + b, sum < a, UINT32_MAX)
CARRY2(v_sub_co_u32, a - b, a < b, 0)
CARRY2(v_subrev_co_u32, b - a, b < a, 0)

/* c: 0 or 1, the carry that comes in. */
#define CARRY3(name, expression, carries, limit)                                                             \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, room, carry, in;                                                                       \
    const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb);                             \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    uint32_t clamped = inst->flags & SIM_F_CLAMP ? UINT32_MAX : 0;                                           \
    sim_spread(sim_scalar64(w, inst, inst->src[2], false), in);                                              \
    LANES {                                                                                                  \
      uint32_t a = pa[l], b = pb[l], c = in[l] & 1, sum = (expression), out = 0u - (uint32_t)(carries);      \
      carry[l] = out;                                                                                        \
      d[l] = (out & clamped) ? (limit) : sum;                                                                \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
    write_carry(w, inst, carry);                                                                             \
  }
CARRY3(v_addc_co_u32, a + b + c, (sum < a) | ((sum == a) & c), UINT32_MAX)
CARRY3(v_subb_co_u32, a - b - c, (a < b) | ((a == b) & c), 0)
CARRY3(v_subbrev_co_u32, b - a - c, (b < a) | ((b == a) & c), 0)
