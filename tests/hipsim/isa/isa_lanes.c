#include "isa_lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../alu_wave.h"
#include "isa_assemble.h"
#include "isa_coverage.h"
#include "isa_real.h"

/* Where operands lie. Sources v[2:3], v[4:5], v[6:9]; the destination v[10:13], and a register behind it that must not
 * change. Scalar pairs: s[10:11] is written, s[12:13] is read. */
enum {
  SOURCE = 2,
  DESTINATION = 10,
  OUT_PAIR = 10,
  IN_PAIR = 12,
  LITERAL_F32 = 0x40490fdb,
  LITERAL_F16 = 0x4248
};

/* How an instruction is spelt: its short encoding, its long one, and with the first source as destination. */
enum form { FORM_SHORT, FORM_LONG, FORM_IN_PLACE, FORMS };

struct run {
  const struct isa_case *c;
  enum sim_op op;
  enum sim_arch arch;
  enum form form;
  char dst, srcs[5], signs[5]; /* types; '-', '|', '_' or ' ' of each source */
  const char *modifiers;       /* with the blank before them; "" */
  bool carry;                  /* there is a second destination */
  unsigned sources, dst_register, out_pair, in_pair;
  char text[ISA_TEXT];
  struct sim_inst inst;
  /* of a chunk of 64 lanes */
  struct isa_lane lanes[SIM_LANES];
  uint64_t expected[SIM_LANES], exec, mask_in, mask_old;
  uint32_t first[SIM_LANES][4]; /* what the first variant gave */
  uint64_t first_mask;
  unsigned failures;
};

/* ---- text ---- */

static bool is_mask(char type) {
  return type == 'm' || type == 'X';
}

static unsigned dst_dwords(const struct run *r) {
  return is_mask(r->dst) ? 0 : isa_dwords(r->dst);
}

static void put_register(FILE *f, const char *before, unsigned index, unsigned dwords) {
  if (dwords == 1)
    fprintf(f, "%sv%u", before, index);
  else
    fprintf(f, "%sv[%u:%u]", before, index, index + dwords - 1);
}

static void put_pair(FILE *f, const char *before, unsigned pair) {
  if (pair == SIM_VCC_LO)
    fprintf(f, "%svcc", before);
  else
    fprintf(f, "%ss[%u:%u]", before, pair, pair + 1);
}

static void put_operand(FILE *f, const struct run *r, unsigned i) {
  if (r->signs[i] == '~') {
    fprintf(f, ", sext(v%u)", SOURCE + 2 * i);
    return;
  }
  bool negated = r->signs[i] == '-' || r->signs[i] == '_',
       positive = r->signs[i] == '|' || r->signs[i] == '_';
  put_register(f,
               positive  ? negated ? ", -|" : ", |"
               : negated ? ", -"
                         : ", ",
               SOURCE + 2 * i, isa_dwords(r->srcs[i]));
  if (positive)
    fputc('|', f);
}

static void put_source(FILE *f, const struct run *r, unsigned i) {
  switch (r->srcs[i]) {
  case 'v':
    break;
  case 'k':
    put_pair(f, ", ", r->in_pair);
    break;
  case 'F':
    fprintf(f, ", 0x%x", LITERAL_F32);
    break;
  case 'G':
    fprintf(f, ", 0x%x", LITERAL_F16);
    break;
  default:
    put_operand(f, r, i);
  }
}

static const char *suffix(const struct run *r) {
  if (strstr(r->modifiers, "src0_sel:"))
    return "_sdwa";
  if (!(sim_info[r->op].forms & SIM_FORM_E))
    return "";
  return r->form == FORM_SHORT ? "_e32" : "_e64";
}

static void spell(struct run *r) {
  FILE *f = fmemopen(r->text, sizeof r->text, "w");
  assert_non_null(f);
  fprintf(f, "%s%s ", r->c->name, suffix(r));
  if (is_mask(r->dst))
    put_pair(f, "", r->out_pair);
  else
    put_register(f, "", r->dst_register, dst_dwords(r));
  if (r->carry)
    put_pair(f, ", ", r->out_pair);
  for (unsigned i = 0; i < r->sources; i++)
    put_source(f, r, i);
  fputs(r->modifiers, f);
  fclose(f);
}

/* ---- forms ---- */

static bool has_form(const struct run *r) {
  bool both = sim_info[r->op].forms & SIM_FORM_E;
  if (both && (r->modifiers[0] || strpbrk(r->signs, "-|_~"))) /* the long encoding alone has these */
    return r->form == FORM_LONG;
  switch (r->form) {
  case FORM_LONG:
    return both;
  case FORM_IN_PLACE: /* instructions with wider results than sources may not overlap them */
    return dst_dwords(r) > 0 && r->srcs[0] && isa_dwords(r->srcs[0]) == dst_dwords(r) && dst_dwords(r) < 4 &&
           strchr("klvFG", r->srcs[0]) == NULL;
  default:
    return true;
  }
}

/* False: the arch has no such instruction, or the instruction no such form. */
static bool set_up(struct run *r, const struct isa_case *c, enum sim_arch arch, enum form form) {
  const char *sources = strchr(c->types, '=');
  memset(r, 0, sizeof *r);
  r->c = c;
  r->op = isa_find(c->name);
  r->arch = arch;
  r->form = form;
  if (r->op == SIM_OP_UNKNOWN || !sources)
    fail_msg("no instruction or no types: %s %s", c->name, c->types);
  r->dst = c->types[0];
  r->carry = c->types[1] == 'c';
  r->modifiers = strchr(c->types, ' ') ? strchr(c->types, ' ') : "";
  for (const char *t = sources + 1; *t && *t != ' '; t++)
    if (strchr("-|_~", *t))
      r->signs[r->sources] = *t;
    else
      r->srcs[r->sources++] = *t;
  for (unsigned i = 0; i < r->sources; i++)
    r->signs[i] = r->signs[i] ? r->signs[i] : ' ';
  bool short_form = form == FORM_SHORT && sim_info[r->op].forms & (SIM_FORM_E | SIM_FORM_CARRY);
  r->out_pair = short_form ? SIM_VCC_LO : OUT_PAIR;
  r->in_pair = short_form || strchr(r->srcs, 'v') ? SIM_VCC_LO : IN_PAIR;
  r->dst_register = form == FORM_IN_PLACE ? SOURCE : DESTINATION;
  if (sim_info[r->op].opcode[arch] < 0 || !has_form(r))
    return false;
  spell(r);
  return true;
}

/* ---- operands of a chunk ---- */

static uint64_t operand(const struct run *r, unsigned i, size_t *index, bool edges, uint64_t *state) {
  char type = r->srcs[i];
  if (type == 'F' || type == 'G')
    return type == 'F' ? LITERAL_F32 : LITERAL_F16;
  if (type == 'k' || type == 'v')
    return 0;
  size_t count = isa_value_count(type), at = edges ? *index % count : isa_random(state) % count;
  *index /= count;
  return edges || isa_random(state) & 1 ? isa_value(type, at) : isa_random_value(type, state);
}

static size_t edge_chunks(const struct run *r) {
  size_t combinations = 1;
  for (unsigned i = 0; i < r->sources; i++)
    combinations *= strchr("kvFG", r->srcs[i]) ? 1 : isa_value_count(r->srcs[i]);
  return (combinations + SIM_LANES - 1) / SIM_LANES;
}

static uint64_t exec_of(size_t chunk, bool edges, uint64_t *state) {
  if (edges)
    return UINT64_MAX;
  switch (chunk % 8) {
  case 0:
    return 0;
  case 1:
    return UINT64_C(1) << isa_random(state) % 64;
  case 2:
    return UINT64_C(0xffffffff) << 32 * (chunk / 8 % 2);
  case 3:
  case 4:
    return isa_random(state);
  default:
    return UINT64_MAX;
  }
}

static void fill(struct run *r, size_t chunk, bool edges, uint32_t mode, uint64_t *state) {
  r->exec = exec_of(chunk, edges, state);
  r->mask_in = isa_random(state);
  r->mask_old = isa_random(state);
  for (unsigned l = 0; l < SIM_LANES; l++) {
    struct isa_lane *lane = &r->lanes[l];
    size_t index = chunk * SIM_LANES + l;
    *lane = (struct isa_lane){.mode = mode, .arch = r->arch, .lane = l, .carry_in = r->mask_in >> l & 1};
    for (unsigned i = 0; i < r->sources; i++)
      lane->s[i] = operand(r, i, &index, edges, state);
    lane->s2_high = isa_random(state);
    lane->old = r->form == FORM_IN_PLACE ? lane->s[0]
                                         : isa_random_value(strchr("SHmX", r->dst) ? 'i' : r->dst, state);
    struct isa_lane seen = *lane;
    r->expected[l] = r->c->expect(&seen);
    *lane = seen;
  }
}

/* ---- one variant ---- */

static void put(struct alu_wave *a, unsigned vgpr, unsigned lane, uint64_t value) {
  a->w.v[vgpr][lane] = (uint32_t)value;
  a->w.v[vgpr + 1][lane] = (uint32_t)(value >> 32);
}

enum { GUARD = 0x5eed5eed };

static void load(struct run *r, struct alu_wave *a) {
  for (unsigned l = 0; l < SIM_LANES; l++) {
    const struct isa_lane *lane = &r->lanes[l];
    for (unsigned i = 0; i < 3; i++)
      put(a, SOURCE + 2 * i, l, lane->s[i]);
    put(a, SOURCE + 6, l, lane->s2_high);
    put(a, DESTINATION, l, lane->old);
    put(a, DESTINATION + 2, l, ~lane->old);
    a->w.v[DESTINATION + dst_dwords(r)][l] = GUARD;
  }
  sim_write_s64(&a->w, OUT_PAIR, r->mask_old);
  sim_write_s64(&a->w, IN_PAIR, r->mask_in);
  sim_write_s64(&a->w, SIM_VCC_LO, r->in_pair == SIM_VCC_LO ? r->mask_in : r->mask_old);
  sim_write_s64(&a->w, SIM_EXEC_LO, r->exec);
  a->w.mode = r->lanes[0].mode;
}

static void complain(struct run *r, unsigned l, const char *what, uint64_t got, uint64_t expected,
                     int variant) {
  const struct isa_lane *lane = &r->lanes[l];
  if (r->failures++ == 0)
    fprintf(stderr,
            "%s: %s of 0x%llx, 0x%llx, 0x%llx (before 0x%llx, carry %d, mode 0x%x, exec 0x%llx): %s of lane "
            "%u is 0x%llx, "
            "expected 0x%llx (variant %d)\n",
            isa_arch_name(r->arch), r->text, (unsigned long long)lane->s[0], (unsigned long long)lane->s[1],
            (unsigned long long)lane->s[2], (unsigned long long)lane->old, lane->carry_in, lane->mode,
            (unsigned long long)r->exec, what, l, (unsigned long long)got, (unsigned long long)expected,
            variant);
}

static enum isa_format format_of(char type) {
  return type == 'd' ? ISA_F64 : type == 'h' || type == 'H' || type == 'q' ? ISA_F16 : ISA_F32;
}

/* A number's place in the order of all numbers of its format. */
static int64_t place_of(enum isa_format format, uint64_t bits) {
  uint64_t sign = isa_sign_bit(format);
  return bits & sign ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

static bool within_ulps(enum isa_format format, uint64_t a, uint64_t b, unsigned ulps) {
  int64_t distance = place_of(format, a) - place_of(format, b);
  return distance <= (int64_t)ulps && -distance <= (int64_t)ulps;
}

static bool within(enum isa_format format, uint64_t a, uint64_t b, double limit) {
  uint64_t bits =
      isa_round(isa_add(isa_real(format, a), isa_negate(isa_real(format, b))), ISA_F64, ISA_NEAREST);
  double difference;
  memcpy(&difference, &bits, sizeof difference);
  return difference <= limit && -difference <= limit;
}

static bool near_enough(const struct isa_lane *lane, enum isa_format format, uint64_t a, uint64_t b) {
  if (isa_is_nan(format, a) || isa_is_nan(format, b))
    return false;
  return within_ulps(format, a, b, lane->ulps) || (lane->near > 0 && within(format, a, b, lane->near));
}

/* Equal, or as near as may be, or both quiet NaNs where the guides leave open which. */
static bool agree(const struct run *r, unsigned l, uint64_t got) {
  const struct isa_lane *lane = &r->lanes[l];
  enum isa_format format = format_of(r->dst);
  unsigned parts = r->dst == 'q' || r->dst == 'w' ? 2 : 1, width = format == ISA_F64   ? 64
                                                                   : format == ISA_F32 ? 32
                                                                                       : 16;
  uint64_t mask = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1, compared = 0;
  if (got == r->expected[l] || (lane->any_nan == 0 && lane->ulps == 0 && !(lane->near > 0)))
    return got == r->expected[l];
  for (unsigned i = 0; i < parts; i++) {
    uint64_t x = got >> i * width & mask, y = r->expected[l] >> i * width & mask;
    bool nan = lane->any_nan >> i & 1 && isa_is_nan(format, x) && !isa_is_signalling(format, x);
    if (x != y && !nan && !near_enough(lane, format, x, y))
      return false;
    compared |= mask << i * width;
  }
  return (got & ~compared) == (r->expected[l] & ~compared);
}

static void check_lane(struct run *r, const struct alu_wave *a, unsigned l, int variant) {
  const struct isa_lane *lane = &r->lanes[l];
  bool active = r->exec >> l & 1;
  unsigned dwords = dst_dwords(r), d = r->dst_register;
  uint64_t keep = dwords == 1 ? UINT32_MAX : UINT64_MAX, got = a->w.v[d][l];
  if (dwords > 1)
    got |= (uint64_t)a->w.v[d + 1][l] << 32;
  if (active ? !agree(r, l, got) : got != (lane->old & keep))
    complain(r, l, active ? "result" : "an inactive lane, the result", got,
             active ? r->expected[l] : lane->old & keep, variant);
  if (dwords == 4) {
    uint64_t high = a->w.v[d + 2][l] | (uint64_t)a->w.v[d + 3][l] << 32,
             right = active ? lane->high : ~lane->old;
    if (high != right)
      complain(r, l, "the upper half", high, right, variant);
  }
  if (a->w.v[DESTINATION + dwords][l] != GUARD)
    complain(r, l, "the register behind the result", a->w.v[DESTINATION + dwords][l], GUARD, variant);
  for (unsigned i = 0; i < dwords; i++) {
    if (variant == 0)
      r->first[l][i] = a->w.v[d + i][l];
    else if (r->first[l][i] != a->w.v[d + i][l])
      complain(r, l, "a dword that differs from the generic variant's", a->w.v[d + i][l], r->first[l][i],
               variant);
  }
}

static void check_masks(struct run *r, const struct alu_wave *a, int variant) {
  uint64_t expected = 0;
  for (unsigned l = 0; l < SIM_LANES; l++)
    expected |= (uint64_t)(is_mask(r->dst) ? r->expected[l] & 1 : r->lanes[l].carry_out) << l;
  expected &= r->exec;
  uint64_t got = sim_read_s64(&a->w, r->out_pair);
  if (got != expected)
    complain(r, (unsigned)__builtin_ctzll(got ^ expected), "the mask", got, expected, variant);
  if (sim_exec(&a->w) != (r->dst == 'X' ? expected : r->exec))
    complain(r, 0, "EXEC", sim_exec(&a->w), r->dst == 'X' ? expected : r->exec, variant);
}

static void run_chunk(struct run *r, struct alu_wave *waves) {
  int variant = 0;
  for (sim_handler *const *const *v = alu_variants(); *v; v++, variant++) {
    struct alu_wave *a = &waves[variant];
    load(r, a);
    a->w.now = &r->inst;
    (*v)[r->op](&a->w, &r->inst);
    for (unsigned l = 0; l < SIM_LANES && !is_mask(r->dst); l++)
      check_lane(r, a, l, variant);
    if (is_mask(r->dst) || r->carry)
      check_masks(r, a, variant);
  }
}

/* ---- a form of a case ---- */

/* MODE as HIP's kernels start; then f32 denormals flushed, f16's and f64's, all; no IEEE; nothing at all. */
static const uint32_t modes[] = {0x3f0, 0x3c0, 0x330, 0x300, 0x1f0, 0x000};
enum { MODES = sizeof modes / sizeof *modes, RANDOM_CHUNKS = 32 };

static bool uses_mode(const struct run *r) {
  return strpbrk(r->c->types, "fdhqwtHFG") != NULL;
}

static void run_form(struct run *r, const struct isa_code *code, struct alu_wave *waves) {
  uint64_t state = (uint64_t)r->op;
  if (sim_decode(code->words, ISA_WORDS, r->arch, &r->inst) == 0 || r->inst.op != r->op) {
    fprintf(stderr, "%s: %s is decoded as something else\n", isa_arch_name(r->arch), r->text);
    r->failures++;
    return;
  }
  bool first =
      r->form == FORM_SHORT || (r->form == FORM_LONG && (r->modifiers[0] || strpbrk(r->signs, "-|_~")));
  size_t chunks = first ? edge_chunks(r) : 0;
  for (size_t i = 0; i < chunks; i++) {
    fill(r, i, true, modes[0], &state);
    run_chunk(r, waves);
  }
  for (unsigned m = 0; m < (uses_mode(r) ? MODES : 1); m++)
    for (size_t i = 0; i < RANDOM_CHUNKS; i++) {
      fill(r, i, false, modes[m], &state);
      run_chunk(r, waves);
    }
  if (r->failures > 1)
    fprintf(stderr, "  and %u more of that\n", r->failures - 1);
}

static unsigned run_arch(const struct isa_case *cases, size_t count, enum sim_arch arch,
                         struct alu_wave *waves) {
  struct run *runs = calloc(count * FORMS, sizeof *runs);
  char(*lines)[ISA_TEXT] = calloc(count * FORMS, sizeof *lines);
  struct isa_code *code = calloc(count * FORMS, sizeof *code);
  assert_true(runs && lines && code);
  size_t n = 0;
  unsigned failures = 0;
  for (size_t i = 0; i < count * FORMS; i++)
    if (set_up(&runs[n], &cases[i / FORMS], arch, (enum form)(i % FORMS))) {
      memcpy(lines[n], runs[n].text, sizeof *lines);
      n++;
    }
  if (n > 0)
    assert_true(isa_assemble(arch, (const char(*)[ISA_TEXT])lines, n, code));
  for (size_t i = 0; i < n; i++) {
    run_form(&runs[i], &code[i], waves);
    failures += runs[i].failures > 0;
  }
  free(runs);
  free(lines);
  free(code);
  return failures;
}

unsigned isa_run_cases(const struct isa_case *cases, size_t count) {
  enum { VARIANTS = 3 };
  struct alu_wave waves[VARIANTS];
  unsigned failures = 0;
  int used = 0;
  for (sim_handler *const *const *v = alu_variants(); *v; v++)
    alu_open(&waves[used++], *v);
  for (unsigned arch = 0; arch < SIM_ARCHS; arch++) {
    for (int i = 0; i < used; i++)
      waves[i].dispatch.arch = waves[i].code.arch = (enum sim_arch)arch;
    if (isa_knows((enum sim_arch)arch))
      failures += run_arch(cases, count, (enum sim_arch)arch, waves);
    else
      print_message("%s: this comgr does not know it\n", isa_arch_name((enum sim_arch)arch));
  }
  for (int i = 0; i < used; i++)
    alu_free(&waves[i]);
  return failures;
}
