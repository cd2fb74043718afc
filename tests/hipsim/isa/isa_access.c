#include "isa_access.h"

#include <stdlib.h>
#include <string.h>

#include "isa_values.h"

/* ---- moves (CDNA guides, chapter "Instructions": FLAT, GLOBAL, SCRATCH and MUBUF) ---- */

#define LOADS(name, bytes, is_signed)                                                                        \
  { "load_" name, ISA_LOAD, bytes, is_signed, ISA_WHOLE, NULL }
#define PARTS(name, bytes, is_signed)                                                                        \
  {"load_" name, ISA_LOAD, bytes, is_signed, ISA_LOW, NULL}, {                                               \
    "load_" name "_hi", ISA_LOAD, bytes, is_signed, ISA_HIGH, NULL                                           \
  }
#define STORES(name, bytes, part)                                                                            \
  { "store_" name, ISA_STORE, bytes, false, part, NULL }
#define TO_LDS(name, bytes, is_signed)                                                                       \
  { "load_lds_" name, ISA_TO_LDS, bytes, is_signed, ISA_WHOLE, NULL }
#define ATOMIC(name, bytes, update)                                                                          \
  { "atomic_" name, ISA_ATOMIC, bytes, false, ISA_WHOLE, update }
#define ATOMICS(name, update) ATOMIC(name, 4, update), ATOMIC(name "_x2", 8, update)

static const struct isa_move moves[] = {
    LOADS("ubyte", 1, false),
    LOADS("sbyte", 1, true),
    LOADS("ushort", 2, false),
    LOADS("sshort", 2, true),
    LOADS("dword", 4, false),
    LOADS("dwordx2", 8, false),
    LOADS("dwordx3", 12, false),
    LOADS("dwordx4", 16, false),
    PARTS("ubyte_d16", 1, false),
    PARTS("sbyte_d16", 1, true),
    PARTS("short_d16", 2, false),
    STORES("byte", 1, ISA_WHOLE),
    STORES("byte_d16_hi", 1, ISA_HIGH),
    STORES("short", 2, ISA_WHOLE),
    STORES("short_d16_hi", 2, ISA_HIGH),
    STORES("dword", 4, ISA_WHOLE),
    STORES("dwordx2", 8, ISA_WHOLE),
    STORES("dwordx3", 12, ISA_WHOLE),
    STORES("dwordx4", 16, ISA_WHOLE),
    TO_LDS("ubyte", 1, false),
    TO_LDS("sbyte", 1, true),
    TO_LDS("ushort", 2, false),
    TO_LDS("sshort", 2, true),
    TO_LDS("dword", 4, false),
    TO_LDS("dwordx3", 12, false),
    TO_LDS("dwordx4", 16, false),
    ATOMICS("swap", isa_swap),
    ATOMICS("cmpswap", isa_cmpswap),
    ATOMICS("add", isa_atomic_add),
    ATOMICS("sub", isa_atomic_sub),
    ATOMICS("smin", isa_smin),
    ATOMICS("umin", isa_umin),
    ATOMICS("smax", isa_smax),
    ATOMICS("umax", isa_umax),
    ATOMICS("and", isa_and),
    ATOMICS("or", isa_or),
    ATOMICS("xor", isa_xor),
    ATOMICS("inc", isa_inc),
    ATOMICS("dec", isa_dec),
    ATOMIC("add_f32", 4, isa_add_float),
    ATOMIC("pk_add_f16", 4, isa_pk_add_f16),
    ATOMIC("pk_add_bf16", 4, isa_pk_add_bf16),
    ATOMIC("add_f64", 8, isa_add_float),
    ATOMIC("min_f64", 8, isa_min_float),
    ATOMIC("max_f64", 8, isa_max_float),
};
enum { MOVES = sizeof moves / sizeof *moves };

static void put_name(char name[64], const char *prefix, const struct isa_move *move) {
  snprintf(name, 64, "%s%s", prefix, move->suffix);
}

const char *isa_proven_moves(const char *prefix, size_t index) {
  static char name[64];
  for (size_t i = 0; i < MOVES; i++) {
    put_name(name, prefix, &moves[i]);
    if (isa_find(name) != SIM_OP_UNKNOWN && index-- == 0)
      return name;
  }
  return NULL;
}

/* ---- references ---- */

static unsigned dwords_of(const struct isa_move *move) {
  return (move->bytes + 3) / 4;
}

/* A byte or short as it stands in a register of which it fills `old` in part. */
static uint32_t widen(const struct isa_move *move, uint32_t value, uint32_t old) {
  if (move->is_signed)
    value = move->bytes == 1 ? (uint32_t)(int8_t)value : (uint32_t)(int16_t)value;
  switch (move->part) {
  case ISA_LOW:
    return (old & 0xffff0000) | (value & 0xffff);
  case ISA_HIGH:
    return (old & 0xffff) | value << 16;
  default:
    return value;
  }
}

static void read_lane(struct isa_world *world, const struct isa_access *access, unsigned lane,
                      uint8_t bytes[16]) {
  for (unsigned i = 0; i < access->move->bytes; i++) {
    const uint8_t *place = access->form->locate(world, access, lane, i);
    bytes[i] = place != NULL ? *place : 0;
  }
}

static void write_lane(struct isa_world *world, const struct isa_access *access, unsigned lane,
                       const uint8_t bytes[16]) {
  for (unsigned i = 0; i < access->move->bytes; i++) {
    uint8_t *place = access->form->locate(world, access, lane, i);
    if (place != NULL)
      *place = bytes[i];
  }
}

static void load(struct isa_world *world, const struct isa_access *access, unsigned lane) {
  uint8_t bytes[16];
  read_lane(world, access, lane, bytes);
  for (unsigned d = 0; d < dwords_of(access->move); d++) {
    uint32_t *to = &world->v[access->file][ISA_DATA + d][lane];
    const unsigned left = access->move->bytes - 4 * d;
    *to = left < 4 ? widen(access->move, (uint32_t)isa_bytes(bytes, left), *to)
                   : (uint32_t)isa_bytes(bytes + 4 * d, 4);
  }
}

static void store(struct isa_world *world, const struct isa_access *access, unsigned lane) {
  uint8_t bytes[16];
  for (unsigned d = 0; d < dwords_of(access->move); d++) {
    const uint32_t value = world->v[access->file][ISA_DATA + d][lane];
    isa_set_bytes(bytes + 4 * d, 4, access->move->part == ISA_HIGH ? value >> 16 : value);
  }
  write_lane(world, access, lane, bytes);
}

/* Lanes follow each other in LDS from M0 and the offset on; bytes and shorts become dwords. */
static void to_lds(struct isa_world *world, const struct isa_access *access, unsigned lane) {
  uint8_t bytes[16];
  read_lane(world, access, lane, bytes);
  if (access->move->bytes < 4)
    isa_set_bytes(bytes, 4, widen(access->move, (uint32_t)isa_bytes(bytes, access->move->bytes), 0));
  const unsigned size = 4 * dwords_of(access->move);
  memcpy(world->lds + (int)(world->m0 & 0xffff) + access->offset + (int)(lane * size), bytes, size);
}

/* Of a compare-and-swap the new value comes first, then what is compared with. */
static void atomic(struct isa_world *world, const struct isa_access *access, unsigned lane) {
  const unsigned dwords = dwords_of(access->move);
  uint8_t bytes[16];
  read_lane(world, access, lane, bytes);
  const struct isa_cell cell = {.width = 32 * dwords,
                                .old = isa_bytes(bytes, access->move->bytes),
                                .data = isa_vector(world, access->file, ISA_DATA, lane, dwords),
                                .compare = isa_vector(world, access->file, ISA_DATA + dwords, lane, dwords),
                                .arch = access->arch,
                                .mode = world->mode,
                                .lds = access->form->in_lds != NULL && access->form->in_lds(lane)};
  isa_set_bytes(bytes, access->move->bytes, access->move->update(&cell));
  write_lane(world, access, lane, bytes);
  if (access->returns)
    isa_set_vector(world, access->file, access->form->buffer ? ISA_DATA : ISA_OLD, lane, dwords, cell.old);
}

static void apply(struct isa_world *world, const struct isa_access *access) {
  static void (*const of_verb[])(struct isa_world *, const struct isa_access *, unsigned) = {
      [ISA_LOAD] = load, [ISA_STORE] = store, [ISA_ATOMIC] = atomic, [ISA_TO_LDS] = to_lds};
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    if (isa_active(world, lane))
      of_verb[access->verb](world, access, lane);
}

/* ---- places ---- */

/* In a row, or each somewhere in 32 bytes of its own. */
unsigned isa_slot(enum isa_pattern pattern, unsigned lane, unsigned bytes, unsigned alignment,
                  uint64_t *state) {
  if (pattern == ISA_ROW)
    return lane * bytes;
  return lane * 37 % SIM_LANES * 32 + (unsigned)(isa_random(state) % 16) / alignment * alignment;
}

unsigned isa_alignment(const struct isa_access *access, unsigned otherwise) {
  return access->verb == ISA_ATOMIC ? access->move->bytes : otherwise;
}

/* Operands of an atomic that meet, and data to compare with what is there half of the time. */
static void put_numbers(struct isa_world *world, const struct isa_access *access, uint64_t *state) {
  const struct isa_move *move = access->move;
  const unsigned dwords = dwords_of(move);
  const enum isa_numbers numbers = isa_numbers_of(move->update);
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    uint8_t bytes[16];
    isa_set_vector(world, access->file, ISA_DATA, lane, dwords, isa_number(numbers, 32 * dwords, state));
    isa_set_bytes(bytes, move->bytes, isa_number(numbers, 32 * dwords, state));
    write_lane(world, access, lane, bytes);
    if (move->update == isa_cmpswap && isa_random(state) & 1)
      isa_set_vector(world, access->file, ISA_DATA + dwords, lane, dwords, isa_bytes(bytes, move->bytes));
  }
}

/* ---- texts ---- */

static void put_register(FILE *f, const struct isa_access *access, unsigned first, unsigned dwords) {
  const char file = access->file == ISA_AGPR ? 'a' : 'v';
  if (dwords == 1)
    fprintf(f, "%c%u", file, first);
  else
    fprintf(f, "%c[%u:%u]", file, first, first + dwords - 1);
}

static bool data_first(const struct isa_access *access) {
  return access->verb == ISA_LOAD || (access->form->buffer && access->verb != ISA_TO_LDS);
}

/* Registers of the data: a compare-and-swap has two values. */
static unsigned data_dwords(const struct isa_access *access) {
  return dwords_of(access->move) * (access->move->update == isa_cmpswap ? 2 : 1);
}

void isa_put_data(FILE *f, const struct isa_access *access) {
  if (data_first(access) || access->verb == ISA_TO_LDS)
    return;
  fprintf(f, ", ");
  put_register(f, access, ISA_DATA, data_dwords(access));
}

static void spell(struct isa_access *access) {
  FILE *f = fmemopen(access->text, sizeof access->text, "w");
  if (f == NULL)
    abort();
  fprintf(f, "%s ", sim_info[access->op].name);
  if (data_first(access))
    put_register(f, access, ISA_DATA, data_dwords(access));
  else if (access->returns)
    put_register(f, access, ISA_OLD, dwords_of(access->move));
  if (data_first(access) || access->returns)
    fprintf(f, ", ");
  access->form->spell(f, access);
  if (access->offset != 0)
    fprintf(f, " offset:%d", access->offset);
  if (access->returns)
    fprintf(f, access->arch >= SIM_GFX942 ? " sc0" : " glc");
  if (access->form->to_lds)
    fprintf(f, " lds");
  fclose(f);
}

/* ---- all texts of an arch ---- */

struct texts {
  struct isa_access *all;
  size_t count, room;
};

/* gfx908 adds floats without giving the old value (CDNA1 guide). */
static bool can_return(enum sim_arch arch, const struct isa_move *move) {
  return arch != SIM_GFX908 || isa_numbers_of(move->update) == ISA_INTEGERS;
}

static void add_text(struct texts *texts, struct isa_access access) {
  if (access.form->has != NULL && !access.form->has(&access))
    return;
  if (texts->count == texts->room) {
    texts->room = 2 * texts->room + 256;
    texts->all = realloc(texts->all, texts->room * sizeof *texts->all);
    if (texts->all == NULL)
      abort();
  }
  spell(&access);
  texts->all[texts->count++] = access;
}

/* With and without the old value; with data in VGPRs, and in AGPRs where memory instructions may name them. */
static void add_variants(struct texts *texts, struct isa_access access) {
  const bool accumulators = access.arch >= SIM_GFX90A && access.verb != ISA_TO_LDS;
  const int both = access.verb == ISA_ATOMIC && can_return(access.arch, access.move) ? 1 : 0;
  for (int file = ISA_VGPR; file <= (accumulators ? ISA_AGPR : ISA_VGPR); file++)
    for (int returns = 0; returns <= both; returns++) {
      access.file = (enum isa_file)file;
      access.returns = returns;
      add_text(texts, access);
    }
}

static void add_form(struct texts *texts, const struct isa_form *form, enum sim_arch arch) {
  char name[64];
  for (size_t i = 0; i < MOVES; i++) {
    put_name(name, form->prefix, &moves[i]);
    struct isa_access access = {.move = &moves[i], .form = form, .op = isa_find(name), .arch = arch};
    access.verb = form->to_lds ? ISA_TO_LDS : moves[i].verb;
    if (access.op == SIM_OP_UNKNOWN || sim_info[access.op].opcode[arch] < 0)
      continue;
    add_variants(texts, access);
    for (size_t o = 0; o < 3 && form->offsets[o] != 0; o++) {
      access.offset = form->offsets[o];
      add_variants(texts, access);
    }
  }
}

/* ---- running ---- */

static uint64_t exec_of(unsigned round, uint64_t *state) {
  switch (round / 2) {
  case 0:
    return UINT64_MAX;
  case 1:
    return isa_random(state);
  case 2:
    return UINT64_C(1) << isa_random(state) % 64;
  case 3:
    return UINT64_C(0xffffffff) << 32 * (isa_random(state) % 2);
  default:
    return 0;
  }
}

enum { ROUNDS = 10 };

static bool run_text(struct isa_machine *machine, const struct isa_access *access,
                     const struct isa_code *code) {
  static struct isa_world before, after;
  uint64_t state = (uint64_t)access->op * 1000 + (uint64_t)(access->offset + 5000);
  bool agrees = true;
  for (unsigned round = 0; round < ROUNDS && agrees; round++) {
    isa_world_fill(machine, &before, &state);
    before.exec = exec_of(round, &state);
    before.m0 = (uint32_t)isa_random(&state) << 16 | (4096 + 4 * (uint32_t)(isa_random(&state) % 256));
    access->form->prepare(&before, access, round % 2 == 0 ? ISA_ROW : ISA_SCATTERED, &state);
    if (access->verb == ISA_ATOMIC)
      put_numbers(&before, access, &state);
    after = before;
    apply(&after, access);
    agrees = isa_machine_agrees(machine, access->text, code, &before, &after);
  }
  return agrees;
}

static unsigned run_arch(const struct isa_form *forms, size_t count, enum sim_arch arch) {
  struct texts texts = {0};
  for (size_t i = 0; i < count; i++)
    add_form(&texts, &forms[i], arch);
  char(*lines)[ISA_TEXT] = calloc(texts.count, sizeof *lines);
  struct isa_code *code = calloc(texts.count, sizeof *code);
  if (lines == NULL || code == NULL)
    abort();
  for (size_t i = 0; i < texts.count; i++)
    memcpy(lines[i], texts.all[i].text, ISA_TEXT);
  unsigned differ = 0;
  struct isa_machine *machine = isa_machine_open(arch);
  if (!isa_assemble(arch, (const char(*)[ISA_TEXT])lines, texts.count, code))
    differ++;
  else
    for (size_t i = 0; i < texts.count; i++)
      differ += !run_text(machine, &texts.all[i], &code[i]);
  isa_machine_close(machine);
  free(texts.all);
  free(lines);
  free(code);
  return differ;
}

unsigned isa_run_forms(const struct isa_form *forms, size_t count) {
  unsigned differ = 0;
  for (int arch = 0; arch < SIM_ARCHS; arch++)
    if (isa_knows((enum sim_arch)arch))
      differ += run_arch(forms, count, (enum sim_arch)arch);
  return differ;
}
