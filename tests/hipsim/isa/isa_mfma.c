/* Dense matrix instructions: D = A * B + C of small whole numbers, which every type holds exactly, so that layouts and sums are
 * proven (their rounding: test_mfma_models.c). Layouts after AMD's matrix instruction calculator (github.com/ROCm). And
 * v_accvgpr_read_b32 and v_accvgpr_write_b32. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../alu_wave.h"
#include "isa_coverage.h"
#include "isa_lines.h"
#include "isa_memory.h"

enum type { F32, F16, BF16, F64, I8 };

struct shape {
  const char *name;
  unsigned m, k, blocks; /* m rows and m columns */
  enum type type;        /* of A and B; C and D are i32 for I8, F64 for F64, f32 otherwise */
};

static const struct shape shapes[] = {
    {"v_mfma_f32_32x32x1f32", 32, 1, 2, F32},       {"v_mfma_f32_32x32x1_2b_f32", 32, 1, 2, F32},
    {"v_mfma_f32_16x16x1f32", 16, 1, 4, F32},       {"v_mfma_f32_16x16x1_4b_f32", 16, 1, 4, F32},
    {"v_mfma_f32_4x4x1f32", 4, 1, 16, F32},         {"v_mfma_f32_4x4x1_16b_f32", 4, 1, 16, F32},
    {"v_mfma_f32_32x32x2f32", 32, 2, 1, F32},       {"v_mfma_f32_32x32x2_f32", 32, 2, 1, F32},
    {"v_mfma_f32_16x16x4f32", 16, 4, 1, F32},       {"v_mfma_f32_16x16x4_f32", 16, 4, 1, F32},
    {"v_mfma_f32_16x16x8_xf32", 16, 8, 1, F32},     {"v_mfma_f32_32x32x4_xf32", 32, 4, 1, F32},
    {"v_mfma_f32_32x32x4f16", 32, 4, 2, F16},       {"v_mfma_f32_32x32x4_2b_f16", 32, 4, 2, F16},
    {"v_mfma_f32_16x16x4f16", 16, 4, 4, F16},       {"v_mfma_f32_16x16x4_4b_f16", 16, 4, 4, F16},
    {"v_mfma_f32_4x4x4f16", 4, 4, 16, F16},         {"v_mfma_f32_4x4x4_16b_f16", 4, 4, 16, F16},
    {"v_mfma_f32_32x32x8f16", 32, 8, 1, F16},       {"v_mfma_f32_32x32x8_f16", 32, 8, 1, F16},
    {"v_mfma_f32_16x16x16f16", 16, 16, 1, F16},     {"v_mfma_f32_16x16x16_f16", 16, 16, 1, F16},
    {"v_mfma_f32_16x16x32_f16", 16, 32, 1, F16},    {"v_mfma_f32_32x32x16_f16", 32, 16, 1, F16},
    {"v_mfma_f32_32x32x2bf16", 32, 2, 2, BF16},     {"v_mfma_f32_16x16x2bf16", 16, 2, 4, BF16},
    {"v_mfma_f32_4x4x2bf16", 4, 2, 16, BF16},       {"v_mfma_f32_32x32x4bf16", 32, 4, 1, BF16},
    {"v_mfma_f32_16x16x8bf16", 16, 8, 1, BF16},     {"v_mfma_f32_32x32x4bf16_1k", 32, 4, 2, BF16},
    {"v_mfma_f32_32x32x4_2b_bf16", 32, 4, 2, BF16}, {"v_mfma_f32_16x16x4bf16_1k", 16, 4, 4, BF16},
    {"v_mfma_f32_16x16x4_4b_bf16", 16, 4, 4, BF16}, {"v_mfma_f32_4x4x4bf16_1k", 4, 4, 16, BF16},
    {"v_mfma_f32_4x4x4_16b_bf16", 4, 4, 16, BF16},  {"v_mfma_f32_32x32x8bf16_1k", 32, 8, 1, BF16},
    {"v_mfma_f32_32x32x8_bf16", 32, 8, 1, BF16},    {"v_mfma_f32_16x16x16bf16_1k", 16, 16, 1, BF16},
    {"v_mfma_f32_16x16x16_bf16", 16, 16, 1, BF16},  {"v_mfma_f32_16x16x32_bf16", 16, 32, 1, BF16},
    {"v_mfma_f32_32x32x16_bf16", 32, 16, 1, BF16},  {"v_mfma_i32_32x32x4i8", 32, 4, 2, I8},
    {"v_mfma_i32_32x32x4_2b_i8", 32, 4, 2, I8},     {"v_mfma_i32_16x16x4i8", 16, 4, 4, I8},
    {"v_mfma_i32_16x16x4_4b_i8", 16, 4, 4, I8},     {"v_mfma_i32_4x4x4i8", 4, 4, 16, I8},
    {"v_mfma_i32_4x4x4_16b_i8", 4, 4, 16, I8},      {"v_mfma_i32_32x32x8i8", 32, 8, 1, I8},
    {"v_mfma_i32_16x16x16i8", 16, 16, 1, I8},       {"v_mfma_i32_32x32x16_i8", 32, 16, 1, I8},
    {"v_mfma_i32_16x16x32_i8", 16, 32, 1, I8},      {"v_mfma_i32_16x16x64_i8", 16, 64, 1, I8},
    {"v_mfma_i32_32x32x32_i8", 32, 32, 1, I8},      {"v_mfma_f64_16x16x4f64", 16, 4, 1, F64},
    {"v_mfma_f64_16x16x4_f64", 16, 4, 1, F64},      {"v_mfma_f64_4x4x4f64", 4, 4, 4, F64},
    {"v_mfma_f64_4x4x4_4b_f64", 4, 4, 4, F64},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* ---- numbers, from -7 to 7 ---- */

static int a_of(unsigned block, unsigned i, unsigned k) {
  return (int)((5 * block + 3 * i + 11 * k + i * k) % 15) - 7;
}

static int b_of(unsigned block, unsigned j, unsigned k) {
  return (int)((block + 7 * j + 2 * k + 3 * j * k) % 13) - 6;
}

static int c_of(unsigned block, unsigned i, unsigned j) {
  return (int)((17 * block + 5 * i + 29 * j) % 255) - 127;
}

static uint64_t encode(enum type type, int value) {
  const float single = (float)value;
  const double wide = value;
  uint32_t bits;
  uint64_t bits64;
  memcpy(&bits, &single, sizeof bits);
  memcpy(&bits64, &wide, sizeof bits64);
  switch (type) {
  case F32:
    return bits;
  case BF16:
    return bits >> 16;
  case F16:
    return value == 0
               ? 0
               : (bits >> 16 & 0x8000) | (((bits >> 23 & 0xff) - 127 + 15) << 10) | (bits >> 13 & 0x3ff);
  case F64:
    return bits64;
  default:
    return (uint8_t)value;
  }
}

/* ---- layouts ---- */

static unsigned bits_of(enum type type) {
  static const unsigned bits[] = {[F32] = 32, [F16] = 16, [BF16] = 16, [F64] = 64, [I8] = 8};
  return bits[type];
}

/* Elements of A, or B, in a lane's registers: neighbours in k. */
static unsigned per_lane(const struct shape *s) {
  return s->m * s->k * s->blocks / SIM_LANES;
}

static unsigned input_dwords(const struct shape *s) {
  return per_lane(s) * bits_of(s->type) / 32;
}

static unsigned output_dwords(const struct shape *s) {
  return s->m * s->m * s->blocks / SIM_LANES * (s->type == F64 ? 2 : 1);
}

static void put_bits(struct alu_wave *a, unsigned first, unsigned lane, unsigned at, unsigned width,
                     uint64_t value) {
  if (width == 64) {
    a->w.v[first + at / 32][lane] = (uint32_t)value;
    a->w.v[first + at / 32 + 1][lane] = (uint32_t)(value >> 32);
    return;
  }
  uint32_t *word = &a->w.v[first + at / 32][lane];
  const uint32_t mask = (uint32_t)((UINT64_C(1) << width) - 1) << at % 32;
  *word = (*word & ~mask) | (uint32_t)value << at % 32;
}

static void put_input(struct alu_wave *a, const struct shape *s, unsigned first, unsigned block, unsigned i,
                      unsigned k, int value) {
  const unsigned lane = i + s->m * (block + s->blocks * (k / per_lane(s)));
  const unsigned width = bits_of(s->type);
  put_bits(a, first, lane, k % per_lane(s) * width, width, encode(s->type, value));
}

struct place {
  unsigned index, lane; /* of the registers of C and D */
};

static struct place output_place(const struct shape *s, unsigned block, unsigned i, unsigned j) {
  if (s->type == F64)
    return s->m == 16 ? (struct place){i / 4 * 2, i % 4 * 16 + j} : (struct place){0, i * 16 + block * 4 + j};
  switch (s->m) {
  case 32:
    return (struct place){block * 16 + i / 8 * 4 + i % 4, i / 4 % 2 * 32 + j};
  case 16:
    return (struct place){block * 4 + i % 4, i / 4 * 16 + j};
  default:
    return (struct place){i, block * 4 + j};
  }
}

static uint64_t encode_output(const struct shape *s, int value) {
  return s->type == F64 ? encode(F64, value) : s->type == I8 ? (uint32_t)value : encode(F32, value);
}

/* ---- texts: A v[0:..], B v[16:..], C v[32:..], D v[64:..]; all of them AGPRs; C a constant; D in C's place ---- */

enum { A = 0, B = 16, C = 32, D = 64, ACCUMULATORS = 256 };
enum form { VECTORS, ACCUMULATE, CONSTANT, IN_PLACE, FORMS };

static void put_register(FILE *f, char file, unsigned first, unsigned dwords) {
  if (dwords == 1)
    fprintf(f, "%c%u", file, first);
  else
    fprintf(f, "%c[%u:%u]", file, first, first + dwords - 1);
}

/* gfx908 has C and D in AGPRs alone (CDNA1 guide). */
static char output_file(enum sim_arch arch, enum form form) {
  return arch == SIM_GFX908 || form == ACCUMULATE ? 'a' : 'v';
}

static void spell(char text[ISA_TEXT], const struct shape *s, enum sim_arch arch, enum form form) {
  const char inputs = form == ACCUMULATE ? 'a' : 'v', outputs = output_file(arch, form);
  FILE *f = fmemopen(text, ISA_TEXT, "w");
  assert_non_null(f);
  fprintf(f, "%s ", s->name);
  put_register(f, outputs, form == IN_PLACE ? C : D, output_dwords(s));
  fprintf(f, ", ");
  put_register(f, inputs, A, input_dwords(s));
  fprintf(f, ", ");
  put_register(f, inputs, B, input_dwords(s));
  fprintf(f, ", ");
  if (form == CONSTANT)
    fprintf(f, s->type == I8 ? "-3" : "-4.0");
  else
    put_register(f, outputs, C, output_dwords(s));
  fclose(f);
}

/* ---- running ---- */

static void fill(struct alu_wave *a, const struct shape *s, unsigned inputs, unsigned outputs) {
  for (unsigned block = 0; block < s->blocks; block++)
    for (unsigned i = 0; i < s->m; i++) {
      for (unsigned k = 0; k < s->k; k++) {
        put_input(a, s, inputs + A, block, i, k, a_of(block, i, k));
        put_input(a, s, inputs + B, block, i, k, b_of(block, i, k));
      }
      for (unsigned j = 0; j < s->m; j++) {
        const struct place at = output_place(s, block, i, j);
        put_bits(a, outputs + C + at.index, at.lane, 0, s->type == F64 ? 64 : 32,
                 encode_output(s, c_of(block, i, j)));
      }
    }
}

static int expected(const struct shape *s, enum form form, unsigned block, unsigned i, unsigned j) {
  int sum = form != CONSTANT ? c_of(block, i, j) : s->type == I8 ? -3 : -4;
  for (unsigned k = 0; k < s->k; k++)
    sum += a_of(block, i, k) * b_of(block, j, k);
  return sum;
}

static bool check(const struct alu_wave *a, const struct shape *s, enum form form, unsigned first,
                  const char *text) {
  for (unsigned block = 0; block < s->blocks; block++)
    for (unsigned i = 0; i < s->m; i++)
      for (unsigned j = 0; j < s->m; j++) {
        const struct place at = output_place(s, block, i, j);
        uint64_t got = a->w.v[first + at.index][at.lane];
        if (s->type == F64)
          got |= (uint64_t)a->w.v[first + at.index + 1][at.lane] << 32;
        const int sum = expected(s, form, block, i, j);
        if (got != encode_output(s, sum)) {
          fprintf(stderr, "%s: block %u [%u][%u] is 0x%llx, expected %d\n", text, block, i, j,
                  (unsigned long long)got, sum);
          return false;
        }
      }
  return true;
}

/* On every variant, and whatever EXEC is: matrix instructions do not look at it. */
static bool run_text(const struct shape *s, enum sim_arch arch, enum form form, const char *text,
                     const struct isa_code *code) {
  const unsigned inputs = form == ACCUMULATE ? ACCUMULATORS : 0;
  const unsigned outputs = output_file(arch, form) == 'a' ? ACCUMULATORS : 0;
  struct sim_inst inst;
  bool right = sim_decode(code->words, ISA_WORDS, arch, &inst) != 0;
  uint64_t exec = UINT64_MAX;
  for (sim_handler *const *const *v = alu_variants(); *v && right; v++, exec <<= 40) {
    struct alu_wave a;
    alu_open(&a, *v);
    a.code.arch = arch;
    a.dispatch.arch = arch;
    sim_write_s64(&a.w, SIM_EXEC_LO, exec);
    fill(&a, s, inputs, outputs);
    a.w.now = &inst;
    (*v)[inst.op](&a.w, &inst);
    right = a.fault.text[0] == '\0' && check(&a, s, form, outputs + (form == IN_PLACE ? C : D), text);
    alu_free(&a);
  }
  if (!right)
    fprintf(stderr, "%s: %s is wrong\n", isa_arch_name(arch), text);
  return right;
}

/* On gfx908 A and B are VGPRs, and constants do not work (LLVM, AMDGPU target: the feature mfma-inline-literal-bug). */
static bool has_form(enum sim_arch arch, enum form form) {
  return arch != SIM_GFX908 || form == VECTORS || form == IN_PLACE;
}

static unsigned run_arch(enum sim_arch arch) {
  static char texts[SHAPES * FORMS][ISA_TEXT];
  static struct isa_code code[SHAPES * FORMS];
  static const struct shape *of[SHAPES * FORMS];
  static enum form forms[SHAPES * FORMS];
  size_t count = 0;
  for (size_t i = 0; i < SHAPES; i++)
    for (int form = 0; form < FORMS; form++) {
      const enum sim_op op = isa_find(shapes[i].name);
      if (op == SIM_OP_UNKNOWN || sim_info[op].opcode[arch] < 0 || !has_form(arch, (enum form)form))
        continue;
      of[count] = &shapes[i];
      forms[count] = (enum form)form;
      spell(texts[count++], &shapes[i], arch, (enum form)form);
    }
  if (!isa_assemble(arch, (const char(*)[ISA_TEXT])texts, count, code))
    return 1;
  unsigned wrong = 0;
  for (size_t i = 0; i < count; i++)
    wrong += !run_text(of[i], arch, forms[i], texts[i], &code[i]);
  return wrong;
}

/* ---- moves between the register files ---- */

static void read_accumulator(struct isa_world *world) {
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    if (isa_active(world, lane))
      world->v[ISA_VGPR][10][lane] = world->v[ISA_AGPR][6][lane];
}

static void write_accumulator(struct isa_world *world) {
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    if (isa_active(world, lane))
      world->v[ISA_AGPR][10][lane] = world->v[ISA_VGPR][6][lane];
}

static void write_constant(struct isa_world *world) {
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    if (isa_active(world, lane))
      world->v[ISA_AGPR][10][lane] = (uint32_t)-7;
}

static const struct isa_line moves[] = {
    {"v_accvgpr_read_b32", "v10, a6", ISA_ALL, NULL, read_accumulator},
    {"v_accvgpr_write_b32", "a10, v6", ISA_ALL, NULL, write_accumulator},
    {"v_accvgpr_write_b32", "a10, -7", ISA_ALL, NULL, write_constant},
};
enum { MOVES = sizeof moves / sizeof *moves };

unsigned isa_run_mfma(void) {
  unsigned wrong = isa_run_lines(moves, MOVES);
  for (int arch = 0; arch < SIM_ARCHS; arch++)
    if (isa_knows((enum sim_arch)arch))
      wrong += run_arch((enum sim_arch)arch);
  return wrong;
}

const char *isa_proven_mfma(size_t index) {
  return index < SHAPES ? shapes[index].name : index < SHAPES + MOVES ? moves[index - SHAPES].name : NULL;
}
