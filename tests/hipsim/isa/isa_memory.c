/* GLOBAL, FLAT and SCRATCH: addresses after the CDNA guides' chapter "Flat Memory Instructions". */
#include "isa_memory.h"
#include "isa_access.h"
#include "isa_values.h"

/* Apertures of LDS and scratch, as Linux sets them on gfx9 (README of hipsim). */
#define LDS_APERTURE     (UINT64_C(1) << 48)
#define SCRATCH_APERTURE (UINT64_C(2) << 48)

/* Scalar registers; places begin this far into memory and LDS, so that offsets may be negative. */
enum { BASE = 4, FIRST_PLACE = 4096 };

static void set_address(struct isa_world *world, unsigned lane, uint64_t address) {
  isa_set_vector(world, ISA_VGPR, ISA_ADDRESS, lane, 2, address);
}

static uint64_t address_of(const struct isa_world *world, const struct isa_access *access, unsigned lane) {
  return isa_vector(world, ISA_VGPR, ISA_ADDRESS, lane, 2) + (uint64_t)(int64_t)access->offset;
}

/* ---- global, a 64-bit address a lane ---- */

static void spell_pair(FILE *f, const struct isa_access *access) {
  fprintf(f, "v[%d:%d]", ISA_ADDRESS, ISA_ADDRESS + 1);
  isa_put_data(f, access);
  fprintf(f, ", off");
}

static void prepare_pair(struct isa_world *world, const struct isa_access *access, enum isa_pattern pattern,
                         uint64_t *state) {
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    const unsigned slot = isa_slot(pattern, lane, access->move->bytes, isa_alignment(access, 1), state);
    set_address(world, lane, world->base + FIRST_PLACE + slot - (uint64_t)(int64_t)access->offset);
  }
}

static uint8_t *locate_pair(struct isa_world *world, const struct isa_access *access, unsigned lane,
                            unsigned byte) {
  return world->memory + (address_of(world, access, lane) - world->base) + byte;
}

/* Until gfx90a, loads of memory and scratch have a bit that sends them to LDS (LLVM, AMDGPU target). */
static bool goes_to_lds(const struct isa_access *access) {
  const struct isa_move *move = access->move;
  return access->arch < SIM_GFX942 && move->verb == ISA_LOAD && move->part == ISA_WHOLE && move->bytes <= 4;
}

/* ---- global, a scalar base and 32 unsigned bits a lane ---- */

static void spell_base(FILE *f, const struct isa_access *access) {
  fprintf(f, "v%d", ISA_ADDRESS);
  isa_put_data(f, access);
  fprintf(f, ", s[%d:%d]", BASE, BASE + 1);
}

static void prepare_base(struct isa_world *world, const struct isa_access *access, enum isa_pattern pattern,
                         uint64_t *state) {
  const uint32_t far = 0xf0000000; /* an offset that would be negative if it had a sign */
  isa_set_scalar_pair(world, BASE, world->base - far);
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    const unsigned slot = isa_slot(pattern, lane, access->move->bytes, isa_alignment(access, 1), state);
    world->v[ISA_VGPR][ISA_ADDRESS][lane] = far + FIRST_PLACE + slot - (uint32_t)access->offset;
  }
}

static uint8_t *locate_base(struct isa_world *world, const struct isa_access *access, unsigned lane,
                            unsigned byte) {
  const uint64_t address = isa_scalar_pair(world, BASE) + world->v[ISA_VGPR][ISA_ADDRESS][lane] +
                           (uint64_t)(int64_t)access->offset;
  return world->memory + (address - world->base) + byte;
}

/* ---- flat: memory, LDS, scratch, and lanes in each of them ---- */

static void spell_flat(FILE *f, const struct isa_access *access) {
  fprintf(f, "v[%d:%d]", ISA_ADDRESS, ISA_ADDRESS + 1);
  isa_put_data(f, access);
}

static bool lane_is_in_lds(unsigned lane) {
  return lane % 3 == 1;
}

static bool always_in_lds(unsigned lane) {
  (void)lane;
  return true;
}

static bool is_no_atomic(const struct isa_access *access) {
  return access->verb != ISA_ATOMIC;
}

static unsigned lane_scratch(const struct isa_access *access, uint64_t *state) {
  const unsigned bytes = access->move->bytes;
  const unsigned alignment =
      bytes < 4 ? bytes : 1; /* a short across two dwords of scratch is not simulated */
  return 64 + (unsigned)(isa_random(state) % 100) / alignment * alignment;
}

static void prepare_lds(struct isa_world *world, const struct isa_access *access, enum isa_pattern pattern,
                        uint64_t *state) {
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    const unsigned slot = isa_slot(pattern, lane, access->move->bytes, isa_alignment(access, 1), state);
    set_address(world, lane, LDS_APERTURE + FIRST_PLACE + slot - (uint64_t)(int64_t)access->offset);
  }
}

/* Memory, LDS and, of what is no atomic, scratch. */
static void prepare_mixed(struct isa_world *world, const struct isa_access *access, enum isa_pattern pattern,
                          uint64_t *state) {
  prepare_pair(world, access, pattern, state);
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    const uint64_t place = isa_vector(world, ISA_VGPR, ISA_ADDRESS, lane, 2) - world->base;
    if (lane % 3 == 1)
      set_address(world, lane, LDS_APERTURE + place);
    else if (lane % 3 == 2 && is_no_atomic(access))
      set_address(world, lane,
                  SCRATCH_APERTURE + lane_scratch(access, state) - (uint64_t)(int64_t)access->offset);
  }
}

static uint8_t *locate_flat(struct isa_world *world, const struct isa_access *access, unsigned lane,
                            unsigned byte) {
  const uint64_t address = address_of(world, access, lane) + byte;
  if (address >> 48 == 1)
    return world->lds + (address - LDS_APERTURE);
  if (address >> 48 == 2)
    return world->scratch[lane] + (address - SCRATCH_APERTURE);
  return world->memory + (address - world->base);
}

/* ---- scratch: a VGPR, an SGPR, from gfx942 on both or neither (CDNA3 guide, "Scratch Addressing") ---- */

static bool has_both(const struct isa_access *access) {
  return access->arch >= SIM_GFX942;
}

static void prepare_scratch(struct isa_world *world, const struct isa_access *access, unsigned scalar,
                            uint64_t *state) {
  world->s[BASE] = scalar;
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    world->v[ISA_VGPR][ISA_ADDRESS][lane] = lane_scratch(access, state) - scalar - (uint32_t)access->offset;
}

static void spell_lane(FILE *f, const struct isa_access *access) {
  fprintf(f, "v%d", ISA_ADDRESS);
  isa_put_data(f, access);
  fprintf(f, ", off");
}

static void prepare_lane(struct isa_world *world, const struct isa_access *access, enum isa_pattern pattern,
                         uint64_t *state) {
  (void)pattern;
  prepare_scratch(world, access, 0, state);
}

static uint8_t *locate_lane(struct isa_world *world, const struct isa_access *access, unsigned lane,
                            unsigned byte) {
  return world->scratch[lane] + (int)world->v[ISA_VGPR][ISA_ADDRESS][lane] + access->offset + (int)byte;
}

static void spell_scalar(FILE *f, const struct isa_access *access) {
  fprintf(f, "off");
  isa_put_data(f, access);
  fprintf(f, ", s%d", BASE);
}

static void prepare_scalar(struct isa_world *world, const struct isa_access *access, enum isa_pattern pattern,
                           uint64_t *state) {
  (void)pattern;
  world->s[BASE] = lane_scratch(access, state) - (uint32_t)access->offset;
}

static uint8_t *locate_scalar(struct isa_world *world, const struct isa_access *access, unsigned lane,
                              unsigned byte) {
  return world->scratch[lane] + (int)world->s[BASE] + access->offset + (int)byte;
}

static void spell_both(FILE *f, const struct isa_access *access) {
  fprintf(f, "v%d", ISA_ADDRESS);
  isa_put_data(f, access);
  fprintf(f, ", s%d", BASE);
}

static void prepare_both(struct isa_world *world, const struct isa_access *access, enum isa_pattern pattern,
                         uint64_t *state) {
  (void)pattern;
  prepare_scratch(world, access, 20, state);
}

static uint8_t *locate_both(struct isa_world *world, const struct isa_access *access, unsigned lane,
                            unsigned byte) {
  return locate_lane(world, access, lane, byte) + world->s[BASE];
}

/* ---- */

/* Offsets have 12 bits in FLAT, 13 and a sign in the others; multiples of 8, for atomics. */
static const struct isa_form forms[] = {
    {.prefix = "global_",
     .offsets = {4088, -4096, 8},
     .spell = spell_pair,
     .prepare = prepare_pair,
     .locate = locate_pair},
    {.prefix = "global_",
     .offsets = {4088, -4096},
     .spell = spell_base,
     .prepare = prepare_base,
     .locate = locate_base},
    {.prefix = "flat_",
     .offsets = {4088},
     .spell = spell_flat,
     .prepare = prepare_pair,
     .locate = locate_flat},
    {.prefix = "flat_",
     .offsets = {40},
     .spell = spell_flat,
     .prepare = prepare_lds,
     .locate = locate_flat,
     .in_lds = always_in_lds},
    {.prefix = "flat_",
     .offsets = {24},
     .spell = spell_flat,
     .prepare = prepare_mixed,
     .locate = locate_flat,
     .in_lds = lane_is_in_lds},
    {.prefix = "scratch_",
     .offsets = {40, 64},
     .spell = spell_lane,
     .prepare = prepare_lane,
     .locate = locate_lane},
    {.prefix = "scratch_",
     .offsets = {40, -16},
     .spell = spell_scalar,
     .prepare = prepare_scalar,
     .locate = locate_scalar},
    {.prefix = "scratch_",
     .offsets = {40},
     .to_lds = true,
     .has = goes_to_lds,
     .spell = spell_lane,
     .prepare = prepare_lane,
     .locate = locate_lane},
    {.prefix = "scratch_",
     .offsets = {24},
     .has = has_both,
     .spell = spell_both,
     .prepare = prepare_both,
     .locate = locate_both},
};

unsigned isa_run_memory(void) {
  return isa_run_forms(forms, sizeof forms / sizeof *forms);
}

const char *isa_proven_memory(size_t index) {
  static const char *const prefixes[] = {"global_", "flat_", "scratch_"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    size_t count = 0;
    while (isa_proven_moves(prefixes[i], count) != NULL)
      if (count++ == index)
        return isa_proven_moves(prefixes[i], index);
    index -= count;
  }
  return NULL;
}
