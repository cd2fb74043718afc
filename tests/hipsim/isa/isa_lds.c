/* DS: LDS and moves between lanes, after the CDNA guides' chapters "Data Share Operations" and "Instructions", DS. */
#include "isa_access.h"
#include "isa_memory.h"
#include "isa_values.h"

#include <stdlib.h>
#include <string.h>

/* Registers: address v2, first data v10 to v13, second v6 and v7, destination v14 to v17. */
enum { ADDRESS = 2, FIRST = 10, SECOND = 6, TO = 14, FIRST_PLACE = 4096 };

/* How an instruction finds its bytes: one place, two that are counted in units, or M0 and the lane. */
enum places { ONE, TWO, OWN };
enum kind { READ, WRITE, UPDATE, UPDATE_SECOND, EXCHANGE };

struct subject {
  const char *name;
  enum kind kind;
  enum places places;
  unsigned bytes; /* of one place */
  unsigned unit;  /* TWO: of the offsets */
  bool is_signed, returns;
  enum isa_part part;
  isa_update *update;
};

#define READS(name, bytes, is_signed, part)                                                                  \
  { name, READ, ONE, bytes, 0, is_signed, true, part, NULL }
#define WRITES(name, bytes, part)                                                                            \
  { name, WRITE, ONE, bytes, 0, false, false, part, NULL }
#define READS_TWO(name, bytes, unit)                                                                         \
  { name, READ, TWO, bytes, unit, false, true, ISA_WHOLE, NULL }
#define WRITES_TWO(name, bytes, unit)                                                                        \
  { name, WRITE, TWO, bytes, unit, false, false, ISA_WHOLE, NULL }
#define EXCHANGES(name, bytes, unit)                                                                         \
  { name, EXCHANGE, TWO, bytes, unit, false, true, ISA_WHOLE, NULL }
#define ADDS_LANE(name, kind, returns)                                                                       \
  { name, kind, OWN, 4, 0, false, returns, ISA_WHOLE, NULL }
#define ONE_OPERAND(name, type, bytes, update)                                                               \
  {"ds_" name "_" type, UPDATE, ONE, bytes, 0, false, false, ISA_WHOLE, update}, {                           \
    "ds_" name "_rtn_" type, UPDATE, ONE, bytes, 0, false, true, ISA_WHOLE, update                           \
  }
/* A second operand: what a masked OR sets, and the new value of a compare-and-store. */
#define SECOND_OPERAND(name, type, bytes, update)                                                            \
  {"ds_" name "_" type, UPDATE_SECOND, ONE, bytes, 0, false, false, ISA_WHOLE, update}, {                    \
    "ds_" name "_rtn_" type, UPDATE_SECOND, ONE, bytes, 0, false, true, ISA_WHOLE, update                    \
  }
#define BITS(bits, bytes)                                                                                    \
  ONE_OPERAND("add", "u" bits, bytes, isa_atomic_add), ONE_OPERAND("sub", "u" bits, bytes, isa_atomic_sub),  \
      ONE_OPERAND("rsub", "u" bits, bytes, isa_atomic_rsub), ONE_OPERAND("inc", "u" bits, bytes, isa_inc),   \
      ONE_OPERAND("dec", "u" bits, bytes, isa_dec), ONE_OPERAND("min", "i" bits, bytes, isa_smin),           \
      ONE_OPERAND("max", "i" bits, bytes, isa_smax), ONE_OPERAND("min", "u" bits, bytes, isa_umin),          \
      ONE_OPERAND("max", "u" bits, bytes, isa_umax), ONE_OPERAND("and", "b" bits, bytes, isa_and),           \
      ONE_OPERAND("or", "b" bits, bytes, isa_or), ONE_OPERAND("xor", "b" bits, bytes, isa_xor),              \
      ONE_OPERAND("min", "f" bits, bytes, isa_min_float),                                                    \
      ONE_OPERAND("max", "f" bits, bytes, isa_max_float),                                                    \
      ONE_OPERAND("add", "f" bits, bytes, isa_add_float),                                                    \
      SECOND_OPERAND("mskor", "b" bits, bytes, isa_mskor),                                                   \
      SECOND_OPERAND("cmpst", "b" bits, bytes, isa_cmpswap),                                                 \
      SECOND_OPERAND("cmpst", "f" bits, bytes, isa_cmpswap_float), {                                         \
    "ds_wrxchg_rtn_b" bits, UPDATE, ONE, bytes, 0, false, true, ISA_WHOLE, isa_swap                          \
  }

static const struct subject subjects[] = {
    READS("ds_read_b32", 4, false, ISA_WHOLE),
    READS("ds_read_b64", 8, false, ISA_WHOLE),
    READS("ds_read_b96", 12, false, ISA_WHOLE),
    READS("ds_read_b128", 16, false, ISA_WHOLE),
    READS("ds_read_u8", 1, false, ISA_WHOLE),
    READS("ds_read_i8", 1, true, ISA_WHOLE),
    READS("ds_read_u16", 2, false, ISA_WHOLE),
    READS("ds_read_i16", 2, true, ISA_WHOLE),
    READS("ds_read_u8_d16", 1, false, ISA_LOW),
    READS("ds_read_u8_d16_hi", 1, false, ISA_HIGH),
    READS("ds_read_i8_d16", 1, true, ISA_LOW),
    READS("ds_read_i8_d16_hi", 1, true, ISA_HIGH),
    READS("ds_read_u16_d16", 2, false, ISA_LOW),
    READS("ds_read_u16_d16_hi", 2, false, ISA_HIGH),
    READS_TWO("ds_read2_b32", 4, 4),
    READS_TWO("ds_read2st64_b32", 4, 256),
    READS_TWO("ds_read2_b64", 8, 8),
    READS_TWO("ds_read2st64_b64", 8, 512),
    WRITES("ds_write_b32", 4, ISA_WHOLE),
    WRITES("ds_write_b64", 8, ISA_WHOLE),
    WRITES("ds_write_b96", 12, ISA_WHOLE),
    WRITES("ds_write_b128", 16, ISA_WHOLE),
    WRITES("ds_write_b8", 1, ISA_WHOLE),
    WRITES("ds_write_b16", 2, ISA_WHOLE),
    WRITES("ds_write_b8_d16_hi", 1, ISA_HIGH),
    WRITES("ds_write_b16_d16_hi", 2, ISA_HIGH),
    WRITES_TWO("ds_write2_b32", 4, 4),
    WRITES_TWO("ds_write2st64_b32", 4, 256),
    WRITES_TWO("ds_write2_b64", 8, 8),
    WRITES_TWO("ds_write2st64_b64", 8, 512),
    EXCHANGES("ds_wrxchg2_rtn_b32", 4, 4),
    EXCHANGES("ds_wrxchg2st64_rtn_b32", 4, 256),
    EXCHANGES("ds_wrxchg2_rtn_b64", 8, 8),
    EXCHANGES("ds_wrxchg2st64_rtn_b64", 8, 512),
    ADDS_LANE("ds_read_addtid_b32", READ, true),
    ADDS_LANE("ds_write_addtid_b32", WRITE, false),
    BITS("32", 4),
    BITS("64", 8),
    {"ds_wrap_rtn_b32", UPDATE_SECOND, ONE, 4, 0, false, true, ISA_WHOLE, isa_wrap},
    ONE_OPERAND("pk_add", "f16", 4, isa_pk_add_f16),
    ONE_OPERAND("pk_add", "bf16", 4, isa_pk_add_bf16),
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

/* One text. */
struct line {
  const struct subject *subject;
  enum isa_file file;
  unsigned offset, offset1;
  char text[ISA_TEXT];
};

static unsigned dwords_of(const struct subject *s) {
  return (s->bytes + 3) / 4;
}

/* ---- references ---- */

static uint8_t *place(struct isa_world *world, const struct line *line, unsigned lane, unsigned which) {
  const struct subject *s = line->subject;
  const uint32_t address = world->v[ISA_VGPR][ADDRESS][lane];
  switch (s->places) {
  case ONE:
    return world->lds + address + line->offset;
  case TWO:
    return world->lds + address + s->unit * (which == 0 ? line->offset : line->offset1);
  default:
    return world->lds + (world->m0 & 0xffff) + line->offset + 4 * lane;
  }
}

static uint32_t widen(const struct subject *s, uint32_t value, uint32_t old) {
  if (s->is_signed)
    value = s->bytes == 1 ? (uint32_t)(int8_t)value : (uint32_t)(int16_t)value;
  if (s->part == ISA_WHOLE)
    return value;
  return s->part == ISA_LOW ? (old & 0xffff0000) | (value & 0xffff) : (old & 0xffff) | value << 16;
}

static void read_lane(struct isa_world *world, const struct line *line, unsigned lane) {
  const struct subject *s = line->subject;
  for (unsigned which = 0; which < (s->places == TWO ? 2 : 1); which++)
    for (unsigned d = 0; d < dwords_of(s); d++) {
      uint32_t *to = &world->v[line->file][TO + which * dwords_of(s) + d][lane];
      const uint8_t *from = place(world, line, lane, which) + 4 * d;
      *to = s->bytes < 4 ? widen(s, (uint32_t)isa_bytes(from, s->bytes), *to) : (uint32_t)isa_bytes(from, 4);
    }
}

static void write_lane(struct isa_world *world, const struct line *line, unsigned lane) {
  const struct subject *s = line->subject;
  for (unsigned which = 0; which < (s->places == TWO ? 2 : 1); which++)
    for (unsigned d = 0; d < dwords_of(s); d++) {
      const uint32_t value = world->v[line->file][(which == 0 ? FIRST : SECOND) + d][lane];
      isa_set_bytes(place(world, line, lane, which) + 4 * d, s->bytes < 4 ? s->bytes : 4,
                    s->part == ISA_HIGH ? value >> 16 : value);
    }
}

/* Of a compare-and-store what is compared with comes first, the new value second: the other way round than in memory. */
static void update_lane(struct isa_world *world, const struct line *line, unsigned lane) {
  const struct subject *s = line->subject;
  const unsigned dwords = dwords_of(s);
  uint8_t *bytes = place(world, line, lane, 0);
  const uint64_t first = isa_vector(world, line->file, FIRST, lane, dwords);
  const uint64_t second = isa_vector(world, line->file, SECOND, lane, dwords);
  const bool swaps = s->update == isa_cmpswap || s->update == isa_cmpswap_float;
  const struct isa_cell cell = {.width = 32 * dwords,
                                .old = isa_bytes(bytes, s->bytes),
                                .data = swaps ? second : first,
                                .compare = swaps ? first : second,
                                .arch = world->arch,
                                .mode = world->mode,
                                .lds = true};
  isa_set_bytes(bytes, s->bytes, s->update(&cell));
  if (s->returns)
    isa_set_vector(world, line->file, TO, lane, dwords, cell.old);
}

static void exchange_lane(struct isa_world *world, const struct line *line, unsigned lane) {
  const unsigned bytes = line->subject->bytes, dwords = dwords_of(line->subject);
  for (unsigned which = 0; which < 2; which++) {
    uint8_t *at = place(world, line, lane, which);
    const uint64_t old = isa_bytes(at, bytes);
    isa_set_bytes(at, bytes, isa_vector(world, line->file, which == 0 ? FIRST : SECOND, lane, dwords));
    isa_set_vector(world, line->file, TO + which * dwords, lane, dwords, old);
  }
}

static void apply(struct isa_world *world, const struct line *line) {
  static void (*const of_kind[])(struct isa_world *, const struct line *,
                                 unsigned) = {[READ] = read_lane,
                                              [WRITE] = write_lane,
                                              [UPDATE] = update_lane,
                                              [UPDATE_SECOND] = update_lane,
                                              [EXCHANGE] = exchange_lane};
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    if (isa_active(world, lane))
      of_kind[line->subject->kind](world, line, lane);
}

/* ---- text ---- */

static void put_register(FILE *f, const char *before, enum isa_file file, unsigned first, unsigned dwords) {
  if (dwords == 1)
    fprintf(f, "%s%c%u", before, file == ISA_AGPR ? 'a' : 'v', first);
  else
    fprintf(f, "%s%c[%u:%u]", before, file == ISA_AGPR ? 'a' : 'v', first, first + dwords - 1);
}

static void spell(struct line *line) {
  const struct subject *s = line->subject;
  const unsigned dwords = dwords_of(s), both = s->places == TWO ? 2 : 1;
  const char *before = " ";
  FILE *f = fmemopen(line->text, sizeof line->text, "w");
  if (f == NULL)
    abort();
  fprintf(f, "%s", s->name);
  if (s->returns) {
    put_register(f, before, line->file, TO, dwords * both);
    before = ", ";
  }
  if (s->places != OWN) {
    put_register(f, before, ISA_VGPR, ADDRESS, 1);
    before = ", ";
  }
  if (s->kind != READ)
    put_register(f, before, line->file, FIRST, dwords);
  if (s->kind == UPDATE_SECOND || s->kind == EXCHANGE || (s->kind == WRITE && s->places == TWO))
    put_register(f, ", ", line->file, SECOND, dwords);
  if (s->places == TWO)
    fprintf(f, " offset0:%u offset1:%u", line->offset, line->offset1);
  else
    fprintf(f, " offset:%u", line->offset);
  fclose(f);
}

/* ---- operands ---- */

static void prepare(struct isa_world *world, const struct line *line, enum isa_pattern pattern,
                    uint64_t *state) {
  const struct subject *s = line->subject;
  const bool atomic = s->kind != READ && s->kind != WRITE;
  world->m0 = (uint32_t)isa_random(state) << 16 | (uint32_t)(isa_random(state) % 1024 * 4);
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    /* Two places of a lane are 16 units apart; with these distances between lanes none overlaps another's. */
    unsigned slot = s->places == TWO && s->kind != READ
                        ? lane * 37 % SIM_LANES * (s->unit > 8 ? 8 : 24)
                        : isa_slot(pattern, lane, s->bytes, atomic ? s->bytes : 1, state);
    world->v[ISA_VGPR][ADDRESS][lane] = slot + (s->places == ONE ? FIRST_PLACE - line->offset : 0);
  }
}

static void put_numbers(struct isa_world *world, const struct line *line, uint64_t *state) {
  const struct subject *s = line->subject;
  const enum isa_numbers numbers = isa_numbers_of(s->update);
  const unsigned dwords = dwords_of(s);
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    const uint64_t old = isa_number(numbers, 32 * dwords, state);
    isa_set_bytes(place(world, line, lane, 0), s->bytes, old);
    isa_set_vector(world, line->file, SECOND, lane, dwords, isa_number(numbers, 32 * dwords, state));
    isa_set_vector(
        world, line->file, FIRST, lane, dwords,
        s->kind == UPDATE_SECOND && isa_random(state) & 1 ? old : isa_number(numbers, 32 * dwords, state));
  }
}

/* ---- running ---- */

static const uint64_t execs[] = {
    UINT64_MAX, UINT64_MAX,           UINT64_C(0x00ff3300a5a5f00f), UINT64_C(1) << 41,
    0,          UINT64_C(0xffffffff), UINT64_C(0xffffffff00000000)};
enum { ROUNDS = 14, EXECS = sizeof execs / sizeof *execs };

static bool run_line(struct isa_machine *machine, const struct line *line, const struct isa_code *code) {
  /* Denormals of f32 sums in LDS go by MODE. */
  static const uint32_t modes[] = {0x3f0, 0x3c0, 0x3d0, 0x3e0};
  static struct isa_world before, after;
  uint64_t state = (uint64_t)(line->subject - subjects) * 100 + line->offset + 1;
  bool agrees = true;
  for (unsigned round = 0; round < ROUNDS && agrees; round++) {
    isa_world_fill(machine, &before, &state);
    before.exec = execs[round % EXECS];
    before.mode = modes[round % 4];
    prepare(&before, line, round % 2 == 0 ? ISA_ROW : ISA_SCATTERED, &state);
    if (line->subject->update != NULL)
      put_numbers(&before, line, &state);
    after = before;
    apply(&after, line);
    agrees = isa_machine_agrees(machine, line->text, code, &before, &after);
  }
  return agrees;
}

/* Offsets of one place: none, some, many. Of two: units. */
static size_t add_lines(struct line *lines, size_t count, const struct subject *s, enum sim_arch arch) {
  static const unsigned offsets[][2] = {{0, 16}, {8, 24}, {19, 3}};
  for (int file = ISA_VGPR; file <= (arch >= SIM_GFX90A ? ISA_AGPR : ISA_VGPR); file++)
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
      struct line *line = &lines[count++];
      *line = (struct line){
          .subject = s, .file = (enum isa_file)file, .offset = offsets[i][0], .offset1 = offsets[i][1]};
      if (s->places != TWO)
        line->offset *= 200;
      spell(line);
    }
  return count;
}

static unsigned run_arch(enum sim_arch arch) {
  enum { LINES = SUBJECTS * 6 };
  struct line *lines = calloc(LINES, sizeof *lines);
  char(*texts)[ISA_TEXT] = calloc(LINES, sizeof *texts);
  struct isa_code *code = calloc(LINES, sizeof *code);
  size_t count = 0;
  if (lines == NULL || texts == NULL || code == NULL)
    abort();
  for (size_t i = 0; i < SUBJECTS; i++) {
    const enum sim_op op = isa_find(subjects[i].name);
    if (op != SIM_OP_UNKNOWN && sim_info[op].opcode[arch] >= 0)
      count = add_lines(lines, count, &subjects[i], arch);
  }
  for (size_t i = 0; i < count; i++)
    memcpy(texts[i], lines[i].text, ISA_TEXT);
  struct isa_machine *machine = isa_machine_open(arch);
  unsigned differ = !isa_assemble(arch, (const char(*)[ISA_TEXT])texts, count, code);
  for (size_t i = 0; i < count && differ < 20 && code[i].words[0] != 0; i++)
    differ += !run_line(machine, &lines[i], &code[i]);
  isa_machine_close(machine);
  free(lines);
  free(texts);
  free(code);
  return differ;
}

unsigned isa_run_lds(void) {
  unsigned differ = 0;
  for (int arch = 0; arch < SIM_ARCHS; arch++)
    if (isa_knows((enum sim_arch)arch))
      differ += run_arch((enum sim_arch)arch);
  return differ;
}

const char *isa_proven_lds(size_t index) {
  return index < SUBJECTS ? subjects[index].name : NULL;
}
