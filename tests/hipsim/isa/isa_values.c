#include "isa_values.h"

static const uint32_t i32[] = {
    0,          1,          2,          3,          5,          8,          15,         16,        24,
    31,         32,         33,         63,         64,         127,        128,        255,       256,
    0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffff,   0x800000,   0xffffff,   0x1000000, 0x7fffffff,
    0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x12345678, 0xdeadbeef, 0x0c0d0e05, 0x080b0a09};

static const uint64_t i64[] = {0,
                               1,
                               2,
                               3,
                               31,
                               32,
                               33,
                               63,
                               64,
                               0x7fffffff,
                               0x80000000,
                               0xffffffff,
                               UINT64_C(0x100000000),
                               UINT64_C(0x100000001),
                               UINT64_C(0x123456789abcdef0),
                               UINT64_C(0x7fffffffffffffff),
                               UINT64_C(0x8000000000000000),
                               UINT64_C(0x8000000000000001),
                               UINT64_C(0xffffffff00000000),
                               UINT64_C(0xfffffffffffffffe),
                               UINT64_C(0xffffffffffffffff),
                               UINT64_C(0xff00ff00deadbeef)};

static const uint32_t i16[] = {0,      1,      2,      3,      7,      8,      15,     16,
                               17,     127,    128,    255,    256,    0x7ffe, 0x7fff, 0x8000,
                               0x8001, 0xff80, 0xfffe, 0xffff, 0x1234, 0xdead};

/* Zeros, denormals, around 1, ties, limits of integers and of f16, extremes, infinities, NaNs quiet and signalling. */
static const uint32_t f32[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000,
    0xc0200000, 0x4b000001, 0x4b7fffff, 0x4f000000, 0xcf000000, 0x4effffff, 0x4f800000, 0x4f7fffff,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00123, 0x7f800001, 0xffbfffff,
    0x477fefff, 0x477ff000, 0x33000000, 0x33000001, 0x387fe000, 0x38800000, 0x42c80001, 0xc3000000};

static const uint32_t f16[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400,
                               0x3c00, 0xbc00, 0x3bff, 0x3c01, 0x3800, 0xb800, 0x3e00, 0x4100,
                               0xc100, 0x6401, 0x7800, 0xf800, 0x77ff, 0x7bff, 0xfbff, 0x7c00,
                               0xfc00, 0x7e00, 0xfe12, 0x7c01, 0xfdff, 0x1400, 0x5bff, 0xd800};

static const uint64_t f64[] = {
    UINT64_C(0x0000000000000000), UINT64_C(0x8000000000000000), UINT64_C(0x0000000000000001),
    UINT64_C(0x8000000000000001), UINT64_C(0x000fffffffffffff), UINT64_C(0x800fffffffffffff),
    UINT64_C(0x0010000000000000), UINT64_C(0x8010000000000000), UINT64_C(0x3ff0000000000000),
    UINT64_C(0xbff0000000000000), UINT64_C(0x3fefffffffffffff), UINT64_C(0x3ff0000000000001),
    UINT64_C(0x3fe0000000000000), UINT64_C(0xbfe0000000000000), UINT64_C(0x4004000000000000),
    UINT64_C(0xc004000000000000), UINT64_C(0x4330000000000001), UINT64_C(0x41e0000000000000),
    UINT64_C(0xc1e0000000000000), UINT64_C(0x41dfffffffe00000), UINT64_C(0x41f0000000000000),
    UINT64_C(0x41efffffffefffff), UINT64_C(0x7fefffffffffffff), UINT64_C(0xffefffffffffffff),
    UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000), UINT64_C(0x7ff8000000000000),
    UINT64_C(0xfff8000000000123), UINT64_C(0x7ff0000000000001), UINT64_C(0xfff7ffffffffffff),
    UINT64_C(0x47efffffe0000000), UINT64_C(0x47effffff0000000), UINT64_C(0x36a0000000000000),
    UINT64_C(0x3690000000000000)};

static const uint32_t bf16[] = {0x0000, 0x8000, 0x0001, 0x807f, 0x0080, 0x3f80, 0xbf80, 0x3f81,
                                0x4040, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7f81, 0x4300};

#define COUNT(list) (sizeof(list) / sizeof *(list))

unsigned isa_dwords(char type) {
  return type == 'x' ? 4 : type == 'l' || type == 'd' || type == 'w' ? 2 : 1;
}

uint64_t isa_random(uint64_t *state) { /* splitmix64 */
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

size_t isa_value_count(char type) {
  switch (type) {
  case 's':
  case 'p':
    return COUNT(i16);
  case 'l':
  case 'x':
    return COUNT(i64);
  case 'f':
  case 'w':
    return COUNT(f32);
  case 'd':
    return COUNT(f64);
  case 'h':
  case 'q':
    return COUNT(f16);
  case 't':
    return COUNT(bf16);
  default:
    return COUNT(i32);
  }
}

/* The index-th value in the low half, another one in the high. */
static uint64_t pair(const uint32_t *list, size_t count, size_t index, unsigned width) {
  return list[index] | (uint64_t)list[(index * 7 + 3) % count] << width;
}

uint64_t isa_value(char type, size_t index) {
  uint64_t noise = index * 0x9e3779b1u << 16;
  switch (type) {
  case 's':
    return i16[index] | (noise & 0xffff0000);
  case 'p':
    return pair(i16, COUNT(i16), index, 16);
  case 'l':
  case 'x':
    return i64[index];
  case 'f':
    return f32[index];
  case 'w':
    return pair(f32, COUNT(f32), index, 32);
  case 'd':
    return f64[index];
  case 'h':
    return f16[index] | (noise & 0xffff0000);
  case 'q':
    return pair(f16, COUNT(f16), index, 16);
  case 't':
    return pair(bf16, COUNT(bf16), index, 16);
  default:
    return i32[index];
  }
}

/* Random sign, exponent and fraction; with one in four, an exponent near that of 1, so that sums and products meet. */
static uint64_t random_float(unsigned width, unsigned fraction, uint64_t *state) {
  uint64_t bits = isa_random(state), one = (UINT64_C(1) << (width - 2)) - (UINT64_C(1) << fraction);
  uint64_t low = (UINT64_C(1) << (fraction + 2)) - 1, sign = UINT64_C(1) << (width - 1);
  if (isa_random(state) & 3)
    return width == 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
  return (one - (UINT64_C(1) << (fraction + 1)) + (bits & low)) | (bits & sign);
}

uint64_t isa_random_value(char type, uint64_t *state) {
  uint64_t low, high;
  if (isa_random(state) % 8 == 0)
    return isa_value(type, isa_random(state) % isa_value_count(type));
  switch (type) {
  case 'f':
    return random_float(32, 23, state);
  case 'd':
    return random_float(64, 52, state);
  case 'h':
  case 'q':
    low = random_float(16, 10, state);
    high = random_float(16, 10, state);
    return low | high << 16;
  case 't':
    low = random_float(16, 7, state);
    high = random_float(16, 7, state);
    return low | high << 16;
  case 'w':
    low = random_float(32, 23, state);
    high = random_float(32, 23, state);
    return low | high << 32;
  default:
    return isa_dwords(type) == 1 ? (uint32_t)isa_random(state) : isa_random(state);
  }
}
