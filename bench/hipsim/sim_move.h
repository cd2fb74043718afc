/* Moves between vector registers and memory. In a file that is compiled once a variant. */
#ifndef SIM_MOVE_H
#define SIM_MOVE_H

#include <emmintrin.h>

#include "bench/hipsim/sim_access.h"

#define SIM_ALWAYS static inline __attribute__((always_inline))

/* What the lanes' addresses look like together. */
struct sim_footprint {
  uint64_t begin, end; /* all bytes lie in [begin, end) */
  uint32_t lines;      /* of the vector cache, a line counted anew when lanes come back to it */
  bool contiguous;     /* all 64 lanes active, each right behind the one before */
};

/* Fills in addresses of inactive lanes: the active one in front of each, else the first active one. */
SIM_ALWAYS void sim_fill_inactive(struct sim_lanes *lanes) {
  if (lanes->exec == ~UINT64_C(0)) {
    return;
  }
  int64_t last = lanes->address[__builtin_ctzll(lanes->exec)];
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    last = lanes->exec >> lane & 1u ? lanes->address[lane] : last;
    lanes->address[lane] = last;
  }
}

/* `line_bits`: log2 of a line's bytes. */
SIM_ALWAYS struct sim_footprint sim_measure(const struct sim_lanes *lanes, uint32_t size,
                                            unsigned line_bits) {
  const int64_t *a = lanes->address;
  int64_t low = a[0], high = a[0];
  uint64_t different = 0;
  for (unsigned i = 0; i < SIM_LANES; i++) {
    low = a[i] < low ? a[i] : low;
    high = a[i] > high ? a[i] : high;
    different |= (uint64_t)a[i] ^ ((uint64_t)a[0] + i * size);
  }
  struct sim_footprint f = {.begin = (uint64_t)low, .end = (uint64_t)high + size};
  f.contiguous = different == 0 && lanes->exec == ~UINT64_C(0);
  if (f.contiguous) {
    f.lines = (uint32_t)(((f.end - 1u) >> line_bits) - (f.begin >> line_bits)) + 1u;
    return f;
  }
  const int64_t line = (int64_t)1 << line_bits;
  uint64_t changes = 1, straddles = 0;
  for (unsigned i = 1; i < SIM_LANES; i++) {
    changes += a[i] >> line_bits != a[i - 1] >> line_bits;
  }
  for (unsigned i = 0; i < SIM_LANES; i++) {
    straddles += (uint64_t)((a[i] & (line - 1)) + (int64_t)size > line);
  }
  f.lines = (uint32_t)(changes + straddles);
  return f;
}

/* Registers v[0..3] of four lanes from their 16 bytes each, and back: a transposition of 4x4 dwords. */
SIM_ALWAYS void sim_transpose(__m128i row[4]) {
  __m128i a = _mm_unpacklo_epi32(row[0], row[1]), b = _mm_unpackhi_epi32(row[0], row[1]);
  __m128i c = _mm_unpacklo_epi32(row[2], row[3]), d = _mm_unpackhi_epi32(row[2], row[3]);
  row[0] = _mm_unpacklo_epi64(a, c);
  row[1] = _mm_unpackhi_epi64(a, c);
  row[2] = _mm_unpacklo_epi64(b, d);
  row[3] = _mm_unpackhi_epi64(b, d);
}

/* The same for the 8 bytes of four lanes. */
SIM_ALWAYS void sim_gather_pairs(sim_vreg *v, unsigned lane, const uint8_t *const from[4]) {
  __m128i row[4];
  for (unsigned i = 0; i < 4; i++) {
    row[i] = _mm_loadl_epi64((const __m128i *)(const void *)from[i]);
  }
  __m128i a = _mm_unpacklo_epi32(row[0], row[1]), b = _mm_unpacklo_epi32(row[2], row[3]);
  _mm_store_si128((__m128i *)(void *)&v[0][lane], _mm_unpacklo_epi64(a, b));
  _mm_store_si128((__m128i *)(void *)&v[1][lane], _mm_unpackhi_epi64(a, b));
}

SIM_ALWAYS void sim_scatter_pairs(const sim_vreg *v, unsigned lane, uint8_t *const to[4]) {
  __m128i low = _mm_load_si128((const __m128i *)(const void *)&v[0][lane]);
  __m128i high = _mm_load_si128((const __m128i *)(const void *)&v[1][lane]);
  __m128i a = _mm_unpacklo_epi32(low, high), b = _mm_unpackhi_epi32(low, high);
  _mm_storel_epi64((__m128i *)(void *)to[0], a);
  _mm_storel_epi64((__m128i *)(void *)to[1], _mm_unpackhi_epi64(a, a));
  _mm_storel_epi64((__m128i *)(void *)to[2], b);
  _mm_storel_epi64((__m128i *)(void *)to[3], _mm_unpackhi_epi64(b, b));
}

SIM_ALWAYS void sim_load_lane(sim_vreg *v, unsigned lane, const uint8_t *from, unsigned dwords) {
  for (unsigned d = 0; d < dwords; d++) {
    memcpy(&v[d][lane], from + 4u * d, 4);
  }
}

SIM_ALWAYS void sim_store_lane(const sim_vreg *v, unsigned lane, uint8_t *to, unsigned dwords) {
  for (unsigned d = 0; d < dwords; d++) {
    memcpy(to + 4u * d, &v[d][lane], 4);
  }
}

/* `at(lane)` is where the bytes of a lane are: a function that is inlined with its two arguments. */
typedef uint8_t *sim_place(const void *context, unsigned lane);

SIM_ALWAYS void sim_gather(sim_vreg *v, unsigned dwords, uint64_t exec, sim_place *at, const void *context) {
  for (unsigned lane = 0; lane < SIM_LANES; lane += 4) {
    unsigned active = exec >> lane & 15u;
    if (active == 15u && dwords == 4) {
      __m128i row[4];
      for (unsigned i = 0; i < 4; i++) {
        row[i] = _mm_loadu_si128((const __m128i *)(const void *)at(context, lane + i));
      }
      sim_transpose(row);
      for (unsigned i = 0; i < 4; i++) {
        _mm_store_si128((__m128i *)(void *)&v[i][lane], row[i]);
      }
      continue;
    }
    if (active == 15u && dwords == 2) {
      const uint8_t *const from[4] = {at(context, lane), at(context, lane + 1), at(context, lane + 2),
                                      at(context, lane + 3)};
      sim_gather_pairs(v, lane, from);
      continue;
    }
    for (unsigned i = 0; i < 4; i++) {
      if (active >> i & 1u) {
        sim_load_lane(v, lane + i, at(context, lane + i), dwords);
      }
    }
  }
}

SIM_ALWAYS void sim_scatter(const sim_vreg *v, unsigned dwords, uint64_t exec, sim_place *at,
                            const void *context) {
  for (unsigned lane = 0; lane < SIM_LANES; lane += 4) {
    unsigned active = exec >> lane & 15u;
    if (active == 15u && dwords == 4) {
      __m128i row[4];
      for (unsigned i = 0; i < 4; i++) {
        row[i] = _mm_load_si128((const __m128i *)(const void *)&v[i][lane]);
      }
      sim_transpose(row);
      for (unsigned i = 0; i < 4; i++) {
        _mm_storeu_si128((__m128i *)(void *)at(context, lane + i), row[i]);
      }
      continue;
    }
    if (active == 15u && dwords == 2) {
      uint8_t *const to[4] = {at(context, lane), at(context, lane + 1), at(context, lane + 2),
                              at(context, lane + 3)};
      sim_scatter_pairs(v, lane, to);
      continue;
    }
    for (unsigned i = 0; i < 4; i++) {
      if (active >> i & 1u) {
        sim_store_lane(v, lane + i, at(context, lane + i), dwords);
      }
    }
  }
}

/* Sub-dword forms: how a byte or short becomes a register, or the part of one that it replaces. */
enum sim_narrow {
  SIM_UBYTE,
  SIM_SBYTE,
  SIM_USHORT,
  SIM_SSHORT,
  SIM_UBYTE_D16,
  SIM_UBYTE_D16_HI,
  SIM_SBYTE_D16,
  SIM_SBYTE_D16_HI,
  SIM_SHORT_D16,
  SIM_SHORT_D16_HI,
};

SIM_ALWAYS unsigned sim_narrow_bytes(enum sim_narrow form) {
  return form == SIM_USHORT || form == SIM_SSHORT || form == SIM_SHORT_D16 || form == SIM_SHORT_D16_HI ? 2
                                                                                                       : 1;
}

SIM_ALWAYS uint32_t sim_narrow_load(enum sim_narrow form, const uint8_t *from, uint32_t old) {
  uint16_t value = from[0];
  if (sim_narrow_bytes(form) == 2) {
    memcpy(&value, from, 2);
  }
  bool is_signed = form == SIM_SBYTE || form == SIM_SBYTE_D16 || form == SIM_SBYTE_D16_HI;
  uint32_t extended = value;
  if (is_signed) {
    extended = (uint32_t)(int32_t)(int8_t)value;
  } else if (form == SIM_SSHORT) {
    extended = (uint32_t)(int32_t)(int16_t)value;
  }
  switch (form) {
  case SIM_UBYTE_D16:
  case SIM_SBYTE_D16:
  case SIM_SHORT_D16:
    return (old & 0xffff0000u) | (extended & 0xffffu);
  case SIM_UBYTE_D16_HI:
  case SIM_SBYTE_D16_HI:
  case SIM_SHORT_D16_HI:
    return (old & 0xffffu) | extended << 16;
  default:
    return extended;
  }
}

#endif
