/* Instructions in which lanes see one another: data-parallel primitives, single lanes, swaps, accumulation registers; and
 * divisions, which take several instructions (CDNA ISA guides, chapters "Vector ALU operations" and "Instructions"). */
#include "isa_cross_lane.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../alu_wave.h"
#include "isa_assemble.h"
#include "isa_coverage.h"
#include "isa_real.h"
#include "isa_values.h"

static const char *const proven[] = {
    "v_nop",          "v_clrexcp",         "v_readfirstlane_b32", "v_readlane_b32",      "v_writelane_b32",
    "v_swap_b32",     "v_accvgpr_mov_b32", "v_accvgpr_read_b32",  "v_accvgpr_write_b32", "v_div_scale_f32",
    "v_div_scale_f64"};

const char *isa_proven_cross_lane(size_t index) {
  return index < sizeof proven / sizeof *proven ? proven[index] : NULL;
}

/* Runs a line that has been assembled. */
static void step(struct alu_wave *a, const struct isa_code *code) {
  struct sim_inst inst;
  assert_int_not_equal(sim_decode(code->words, ISA_WORDS, a->code.arch, &inst), 0);
  a->w.now = &inst;
  a->handlers[inst.op](&a->w, &inst);
}

/* Runs `test` on every variant, with the lines assembled for an arch, which comgr has to know. */
static void on_variants(enum sim_arch arch, const char (*lines)[ISA_TEXT], size_t count,
                        void (*test)(struct alu_wave *a, const struct isa_code *code)) {
  struct isa_code code[64];
  assert_true(count <= sizeof code / sizeof *code);
  assert_true(isa_assemble(arch, lines, count, code));
  for (sim_handler *const *const *v = alu_variants(); *v; v++) {
    struct alu_wave a;
    alu_open(&a, *v);
    a.code.arch = a.dispatch.arch = arch;
    test(&a, code);
    alu_free(&a);
  }
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- data-parallel primitives ---- */

enum motion {
  QUAD,
  SHL,
  SHR,
  ROR,
  WAVE_SHL,
  WAVE_ROL,
  WAVE_SHR,
  WAVE_ROR,
  MIRROR,
  HALF_MIRROR,
  BCAST15,
  BCAST31,
  NEWBCAST
};

struct primitive {
  const char *text;
  enum motion motion;
  int n; /* distance, or the four lanes of a quad as digits */
};

static const struct primitive primitives[] = {
    {"quad_perm:[0,1,2,3]", QUAD, 123},
    {"quad_perm:[3,2,1,0]", QUAD, 3210},
    {"quad_perm:[1,1,3,3]", QUAD, 1133},
    {"quad_perm:[2,0,0,1]", QUAD, 2001},
    {"row_shl:1", SHL, 1},
    {"row_shl:7", SHL, 7},
    {"row_shl:15", SHL, 15},
    {"row_shr:1", SHR, 1},
    {"row_shr:8", SHR, 8},
    {"row_shr:15", SHR, 15},
    {"row_ror:1", ROR, 1},
    {"row_ror:9", ROR, 9},
    {"wave_shl:1", WAVE_SHL, 0},
    {"wave_rol:1", WAVE_ROL, 0},
    {"wave_shr:1", WAVE_SHR, 0},
    {"wave_ror:1", WAVE_ROR, 0},
    {"row_mirror", MIRROR, 0},
    {"row_half_mirror", HALF_MIRROR, 0},
    {"row_bcast:15", BCAST15, 0},
    {"row_bcast:31", BCAST31, 0},
    {"row_newbcast:3", NEWBCAST, 3},
};

/* Where a lane reads from; -1: nowhere. */
static int source_lane(const struct primitive *p, int lane) {
  static const int power[] = {1000, 100, 10, 1};
  int first = lane / 16 * 16, at = lane % 16;
  switch (p->motion) {
  case QUAD:
    return lane / 4 * 4 + p->n / power[lane % 4] % 10;
  case SHL:
    return at + p->n <= 15 ? lane + p->n : -1;
  case SHR:
    return at - p->n >= 0 ? lane - p->n : -1;
  case ROR:
    return first + (at + 16 - p->n) % 16;
  case WAVE_SHL:
    return lane == 63 ? -1 : lane + 1;
  case WAVE_ROL:
    return (lane + 1) % 64;
  case WAVE_SHR:
    return lane - 1;
  case WAVE_ROR:
    return (lane + 63) % 64;
  case MIRROR:
    return first + 15 - at;
  case HALF_MIRROR:
    return lane / 8 * 8 + 7 - lane % 8;
  case BCAST15: /* the last lane of a row to all of the next */
    return first - 1;
  case BCAST31: /* lane 31 to the upper two rows */
    return lane < 32 ? -1 : 31;
  default:
    return first + p->n;
  }
}

/* Masks of rows and banks (a bank: four neighbouring lanes of a row), with bound_ctrl or without. */
static const struct {
  const char *text;
  unsigned rows, banks;
  bool bound;
} masks[] = {{" row_mask:0xf bank_mask:0xf", 15, 15, false},
             {" row_mask:0xf bank_mask:0xf bound_ctrl:0", 15, 15, true},
             {" row_mask:0x5 bank_mask:0x3", 5, 3, false},
             {" row_mask:0xa bank_mask:0xc bound_ctrl:0", 10, 12, true}};

enum { PRIMITIVES = COUNT(primitives), MASKS = COUNT(masks) };

static uint64_t dpp_exec; /* of the run */
static enum sim_arch dpp_arch;

/* v[2] moved and added to v[4]: what v[10] holds in a lane afterwards, which was 0x1111 * lane. */
static uint32_t dpp_expected(const struct alu_wave *a, const struct primitive *p, unsigned mask, int lane) {
  uint32_t before = 0x1111u * (uint32_t)lane;
  int from = source_lane(p, lane);
  bool valid = from >= 0 && dpp_exec >> from & 1;
  bool written =
      dpp_exec >> lane & 1 && masks[mask].rows >> lane / 16 & 1 && masks[mask].banks >> lane / 4 % 4 & 1;
  if (!written || (!valid && !masks[mask].bound))
    return before;
  return (valid ? a->w.v[2][from] : 0) + a->w.v[4][lane];
}

static size_t dpp_count(void) { /* row_newbcast came with gfx90a */
  return dpp_arch == SIM_GFX908 ? PRIMITIVES - 1 : PRIMITIVES;
}

static void check_dpp(struct alu_wave *a, const struct isa_code *code) {
  for (size_t i = 0; i < dpp_count(); i++)
    for (unsigned m = 0; m < MASKS; m++) {
      for (unsigned l = 0; l < SIM_LANES; l++) {
        a->w.v[2][l] = 0x01000000 + 0x10001 * l;
        a->w.v[4][l] = 0x77 * l;
        a->w.v[10][l] = 0x1111 * l;
      }
      sim_write_s64(&a->w, SIM_EXEC_LO, dpp_exec);
      step(a, &code[i * MASKS + m]);
      for (int l = 0; l < SIM_LANES; l++)
        if (a->w.v[10][l] != dpp_expected(a, &primitives[i], m, l))
          fail_msg("%s%s: lane %d has 0x%x, expected 0x%x (EXEC 0x%llx)", primitives[i].text, masks[m].text,
                   l, a->w.v[10][l], dpp_expected(a, &primitives[i], m, l), (unsigned long long)dpp_exec);
    }
}

void isa_run_dpp(void) {
  static const uint64_t execs[] = {UINT64_MAX, 0, UINT64_C(0x00ff00ff0f0f3333), UINT64_C(0x8000000000000001)};
  static char lines[PRIMITIVES * MASKS][ISA_TEXT];
  static struct isa_code code[PRIMITIVES * MASKS];
  for (size_t i = 0; i < PRIMITIVES * MASKS; i++)
    snprintf(lines[i], sizeof lines[i], "v_add_u32_dpp v10, v2, v4 %s%s", primitives[i / MASKS].text,
             masks[i % MASKS].text);
  for (unsigned arch = 0; arch < SIM_ARCHS; arch++) {
    dpp_arch = (enum sim_arch)arch;
    if (!isa_knows(dpp_arch))
      continue;
    assert_true(isa_assemble(dpp_arch, (const char(*)[ISA_TEXT])lines, dpp_count() * MASKS, code));
    for (sim_handler *const *const *v = alu_variants(); *v; v++)
      for (size_t e = 0; e < COUNT(execs); e++) {
        struct alu_wave a;
        alu_open(&a, *v);
        a.code.arch = dpp_arch;
        dpp_exec = execs[e];
        check_dpp(&a, code);
        alu_free(&a);
      }
  }
}

/* ---- single lanes ---- */

static const char lane_lines[][ISA_TEXT] = {"v_nop",
                                            "v_clrexcp",
                                            "v_readfirstlane_b32 s8, v2",
                                            "v_readlane_b32 s8, v2, 63",
                                            "v_readlane_b32 s8, v2, s4",
                                            "v_writelane_b32 v10, s4, 62",
                                            "v_writelane_b32 v10, -7, m0",
                                            "v_swap_b32 v10, v2",
                                            "v_accvgpr_write_b32 a3, v2",
                                            "v_accvgpr_read_b32 v10, a3",
                                            "v_accvgpr_mov_b32 a5, a3"};

static void start_lanes(struct alu_wave *a, uint64_t exec) {
  for (unsigned l = 0; l < SIM_LANES; l++) {
    a->w.v[2][l] = 100 + l;
    a->w.v[10][l] = 5000 + l;
    a->w.v[256 + 3][l] = 7000 + l;
    a->w.v[256 + 5][l] = 8000 + l;
  }
  sim_write_s64(&a->w, SIM_EXEC_LO, exec);
  sim_write_s64(&a->w, 8, 0);
  a->w.s[4] = 64 + 9; /* six bits of a lane number count */
  a->w.s[SIM_M0] = 128 + 33;
}

static void nothing_changes(struct alu_wave *a, const struct isa_code *code) {
  start_lanes(a, UINT64_MAX);
  step(a, code);
  for (unsigned l = 0; l < SIM_LANES; l++) {
    assert_int_equal(a->w.v[2][l], 100 + l);
    assert_int_equal(a->w.v[10][l], 5000 + l);
  }
}

static void check_reads(struct alu_wave *a, const struct isa_code *code) {
  static const struct {
    uint64_t exec;
    uint32_t first;
  } firsts[] = {{UINT64_MAX, 100}, {UINT64_C(1) << 63, 163}, {UINT64_C(0xff00), 108}, {0, 100}};
  for (size_t i = 0; i < COUNT(firsts); i++) {
    start_lanes(a, firsts[i].exec);
    step(a, &code[2]);
    assert_int_equal(a->w.s[8], firsts[i].first);
    step(a, &code[3]); /* EXEC does not matter */
    assert_int_equal(a->w.s[8], 163);
    step(a, &code[4]);
    assert_int_equal(a->w.s[8], 109);
    assert_int_equal(a->w.s[9], 0);
  }
}

static void check_writes(struct alu_wave *a, const struct isa_code *code) {
  start_lanes(a, 0);
  step(a, &code[5]);
  step(a, &code[6]);
  for (unsigned l = 0; l < SIM_LANES; l++)
    assert_int_equal(a->w.v[10][l], l == 62 ? 73 : l == 33 ? UINT32_MAX - 6 : 5000 + l);
}

static void check_moves(struct alu_wave *a, const struct isa_code *code) {
  static const uint64_t execs[] = {UINT64_MAX, 0, UINT64_C(0xf0f0f0f012345678)};
  for (size_t i = 0; i < COUNT(execs); i++) {
    start_lanes(a, execs[i]);
    step(a, &code[7]);
    for (unsigned l = 0; l < SIM_LANES; l++) {
      bool active = execs[i] >> l & 1;
      assert_int_equal(a->w.v[10][l], (active ? 100 : 5000) + l);
      assert_int_equal(a->w.v[2][l], (active ? 5000 : 100) + l);
    }
    start_lanes(a, execs[i]);
    step(a, &code[8]);
    step(a, &code[9]);
    if (a->code.arch != SIM_GFX908)
      step(a, &code[10]);
    for (unsigned l = 0; l < SIM_LANES; l++) {
      bool active = execs[i] >> l & 1;
      assert_int_equal(a->w.v[256 + 3][l], (active ? 100 : 7000) + l);
      assert_int_equal(a->w.v[10][l], (active ? 100 : 5000) + l);
      assert_int_equal(a->w.v[256 + 5][l], (active && a->code.arch != SIM_GFX908 ? 100 : 8000) + l);
    }
  }
}

static void check_lanes(struct alu_wave *a, const struct isa_code *code) {
  nothing_changes(a, &code[0]);
  nothing_changes(a, &code[1]);
  check_reads(a, code);
  check_writes(a, code);
  check_moves(a, code);
}

void isa_run_lanes(void) {
  for (unsigned arch = 0; arch < SIM_ARCHS; arch++)
    if (isa_knows((enum sim_arch)arch)) /* v_accvgpr_mov_b32 came with gfx90a */
      on_variants((enum sim_arch)arch, lane_lines, COUNT(lane_lines) - (arch == SIM_GFX908), check_lanes);
}

/* ---- division ---- */

/* The sequence that LLVM makes of a division (AMDGPU, LowerFDIV32 and LowerFDIV64): v[2:3] by v[4:5] into v[20:21]. */
static const char division_f32[][ISA_TEXT] = {"v_div_scale_f32 v10, s[10:11], v4, v4, v2",
                                              "v_div_scale_f32 v11, vcc, v2, v4, v2",
                                              "v_rcp_f32 v12, v10",
                                              "v_fma_f32 v13, -v10, v12, 1.0",
                                              "v_fma_f32 v12, v13, v12, v12",
                                              "v_mul_f32 v13, v11, v12",
                                              "v_fma_f32 v14, -v10, v13, v11",
                                              "v_fma_f32 v13, v14, v12, v13",
                                              "v_fma_f32 v10, -v10, v13, v11",
                                              "v_div_fmas_f32 v10, v10, v12, v13",
                                              "v_div_fixup_f32 v20, v10, v4, v2"};

static const char division_f64[][ISA_TEXT] = {"v_div_scale_f64 v[10:11], s[10:11], v[4:5], v[4:5], v[2:3]",
                                              "v_rcp_f64 v[12:13], v[10:11]",
                                              "v_fma_f64 v[14:15], -v[10:11], v[12:13], 1.0",
                                              "v_fma_f64 v[12:13], v[12:13], v[14:15], v[12:13]",
                                              "v_fma_f64 v[14:15], -v[10:11], v[12:13], 1.0",
                                              "v_fma_f64 v[12:13], v[12:13], v[14:15], v[12:13]",
                                              "v_div_scale_f64 v[16:17], vcc, v[2:3], v[4:5], v[2:3]",
                                              "v_mul_f64 v[18:19], v[16:17], v[12:13]",
                                              "v_fma_f64 v[10:11], -v[10:11], v[18:19], v[16:17]",
                                              "v_div_fmas_f64 v[10:11], v[10:11], v[12:13], v[18:19]",
                                              "v_div_fixup_f64 v[20:21], v[10:11], v[4:5], v[2:3]"};

/* The quotient rounded once, from a division of integers. */
static uint64_t quotient(enum isa_format f, uint64_t a, uint64_t b) {
  struct isa_real x = isa_real(f, a), y = isa_real(f, b), q = {.negative = x.negative != y.negative};
  if (x.kind == ISA_NAN || y.kind == ISA_NAN || (x.kind == y.kind && x.kind != ISA_FINITE))
    return isa_quiet(f, isa_infinity(f));
  if (x.kind == ISA_ZERO || y.kind == ISA_INFINITE)
    return q.negative ? isa_sign_bit(f) : 0;
  if (x.kind == ISA_INFINITE || y.kind == ISA_ZERO)
    return isa_infinity(f) | (q.negative ? isa_sign_bit(f) : 0);
  while (!(y.magnitude >>
           52)) { /* the divisor has 53 bits, the numerator 126 or so: more than enough quotient */
    y.magnitude <<= 1;
    y.exponent--;
  }
  while (!(x.magnitude >> 125)) {
    x.magnitude <<= 1;
    x.exponent--;
  }
  q.kind = ISA_FINITE;
  q.magnitude = x.magnitude / y.magnitude;
  q.sticky = x.magnitude % y.magnitude != 0;
  q.exponent = x.exponent - y.exponent;
  return isa_round(q, f, ISA_NEAREST);
}

static uint64_t get(const struct alu_wave *a, enum isa_format f, unsigned vgpr, unsigned lane) {
  return a->w.v[vgpr][lane] | (f == ISA_F64 ? (uint64_t)a->w.v[vgpr + 1][lane] << 32 : 0);
}

static void put(struct alu_wave *a, unsigned vgpr, unsigned lane, uint64_t value) {
  a->w.v[vgpr][lane] = (uint32_t)value;
  a->w.v[vgpr + 1][lane] = (uint32_t)(value >> 32);
}

static void divide(struct alu_wave *a, enum isa_format f, const struct isa_code *code) {
  for (unsigned i = 0; i < COUNT(division_f32); i++)
    step(a, &code[i]);
  for (unsigned l = 0; l < SIM_LANES; l++) {
    uint64_t x = get(a, f, 2, l), y = get(a, f, 4, l), got = get(a, f, 20, l), expected = quotient(f, x, y);
    if (got != expected && !(isa_is_nan(f, got) && isa_is_nan(f, expected)))
      fail_msg("0x%llx / 0x%llx: 0x%llx, expected 0x%llx", (unsigned long long)x, (unsigned long long)y,
               (unsigned long long)got, (unsigned long long)expected);
  }
}

/* Edge values by one another, then random ones: of any exponents, and near quotients that are ties or denormal. */
static void check_division(struct alu_wave *a, enum isa_format f, const struct isa_code *code) {
  char type = f == ISA_F64 ? 'd' : 'f';
  size_t count = isa_value_count(type);
  uint64_t state = 1;
  for (size_t i = 0; i < count * count; i += SIM_LANES) {
    for (unsigned l = 0; l < SIM_LANES; l++) {
      put(a, 2, l, isa_value(type, (i + l) / count % count));
      put(a, 4, l, isa_value(type, (i + l) % count));
    }
    divide(a, f, code);
  }
  for (unsigned i = 0; i < 2000; i++) {
    for (unsigned l = 0; l < SIM_LANES; l++) {
      put(a, 2, l, isa_random_value(type, &state));
      put(a, 4, l, isa_random_value(type, &state));
    }
    divide(a, f, code);
  }
}

static void check_f32(struct alu_wave *a, const struct isa_code *code) {
  check_division(a, ISA_F32, code);
}

static void check_f64(struct alu_wave *a, const struct isa_code *code) {
  check_division(a, ISA_F64, code);
}

void isa_run_divisions(void) {
  on_variants(SIM_GFX90A, division_f32, COUNT(division_f32), check_f32);
  on_variants(SIM_GFX90A, division_f64, COUNT(division_f64), check_f64);
}
