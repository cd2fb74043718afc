/* MUBUF: addresses and ranges after the CDNA guides' chapter "Vector Memory Operations", "Buffer Addressing", "Range Checking"
 * and "Swizzled Buffer Addressing". */
#include "isa_access.h"
#include "isa_memory.h"
#include "isa_values.h"

/* Scalar registers: the resource in s[8:11], an offset in s5. An offset that the text has as a constant. */
enum { RESOURCE = 8, SCALAR = 5, CONSTANT = 16, FIRST_PLACE = 4096 };
enum { SWIZZLE = 1u << 31, ADD_LANE = 1u << 23 };

struct resource {
  uint64_t address;
  unsigned stride, records, stripe; /* stripe: records that are interleaved, as the logarithm's field */
  bool swizzle, add_lane;
};

static void put_resource(struct isa_world *world, struct resource r) {
  isa_set_scalar_pair(world, RESOURCE, r.address | (uint64_t)(r.stride & 0x3fff) << 48);
  world->s[RESOURCE + 1] |= r.swizzle ? SWIZZLE : 0;
  world->s[RESOURCE + 2] = r.records;
  world->s[RESOURCE + 3] = r.stripe << 21 | (r.add_lane ? ADD_LANE | (r.stride >> 14) << 15 : 0);
}

static struct resource get_resource(const struct isa_world *world) {
  const uint32_t *s = &world->s[RESOURCE];
  struct resource r = {.address = isa_scalar_pair(world, RESOURCE) & UINT64_C(0xffffffffffff),
                       .stride = s[1] >> 16 & 0x3fff,
                       .records = s[2],
                       .stripe = 8u << (s[3] >> 21 & 3),
                       .swizzle = s[1] & SWIZZLE,
                       .add_lane = s[3] & ADD_LANE};
  if (r.add_lane)
    r.stride |= (s[3] >> 15 & 15) << 14;
  return r;
}

/* Where one byte lies. index and offset: from the instruction and its registers; scalar: the scalar offset. Each dword is in
 * range or not on its own, an atomic as a whole. */
static uint8_t *find(struct isa_world *world, const struct isa_access *access, unsigned lane, unsigned byte,
                     uint64_t index, uint64_t offset, uint64_t scalar) {
  const struct resource r = get_resource(world);
  const bool whole = access->verb == ISA_ATOMIC;
  const unsigned size = whole || access->move->bytes < 4 ? access->move->bytes : 4,
                 first = whole ? 0 : byte / 4 * 4;
  index += r.add_lane ? lane : 0;
  if (r.swizzle && r.stride != 0 ? index >= r.records
                                 : r.stride * index + offset + first + scalar + size > r.records)
    return NULL;
  offset += byte;
  uint64_t place = r.stride * index + offset;
  if (r.swizzle)
    place = (index / r.stripe * r.stride + offset / 4 * 4) * r.stripe + index % r.stripe * 4 + offset % 4;
  return world->memory + (r.address - world->base) + scalar + place;
}

static unsigned alignment_of(const struct isa_access *access) {
  return isa_alignment(access, access->move->bytes < 4 ? access->move->bytes : 4);
}

static void put_address(FILE *f, const char *address, const char *modifiers) {
  fprintf(f, "%s, s[%d:%d], %s", address, RESOURCE, RESOURCE + 3, modifiers);
}

/* ---- an offset a lane; half of the lanes are out of range ---- */

static void spell_offset(FILE *f, const struct isa_access *access) {
  (void)access;
  put_address(f, "v2", "s5 offen");
}

static void spell_constant(FILE *f, const struct isa_access *access) {
  (void)access;
  put_address(f, "v2", "16 offen");
}

static void prepare_offset(struct isa_world *world, const struct isa_access *access, enum isa_pattern pattern,
                           uint64_t *state) {
  const unsigned in_a_row = access->move->bytes * SIM_LANES;
  put_resource(world, (struct resource){.address = world->base,
                                        .records = FIRST_PLACE + (pattern == ISA_ROW ? in_a_row / 2 : 1024)});
  world->s[SCALAR] = CONSTANT;
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    world->v[ISA_VGPR][ISA_ADDRESS][lane] =
        FIRST_PLACE - CONSTANT + isa_slot(pattern, lane, access->move->bytes, alignment_of(access), state) -
        (uint32_t)access->offset;
}

static uint8_t *locate_offset(struct isa_world *world, const struct isa_access *access, unsigned lane,
                              unsigned byte) {
  const uint64_t offset = world->v[ISA_VGPR][ISA_ADDRESS][lane] + (uint64_t)(int64_t)access->offset;
  return find(world, access, lane, byte, 0, offset, CONSTANT);
}

/* The same, and all in range. */
static void prepare_inside(struct isa_world *world, const struct isa_access *access, enum isa_pattern pattern,
                           uint64_t *state) {
  prepare_offset(world, access, pattern, state);
  world->s[RESOURCE + 2] = ISA_MEMORY;
}

/* ---- a record a lane; those from the 40th on are out of range ---- */

enum { STRIDE = 48, RECORDS = 40 };

static void spell_index(FILE *f, const struct isa_access *access) {
  (void)access;
  put_address(f, "v2", "0 idxen");
}

static void put_indices(struct isa_world *world, enum isa_pattern pattern) {
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    world->v[ISA_VGPR][ISA_ADDRESS][lane] = pattern == ISA_ROW ? lane : lane * 37 % SIM_LANES;
}

static void prepare_index(struct isa_world *world, const struct isa_access *access, enum isa_pattern pattern,
                          uint64_t *state) {
  (void)access;
  (void)state;
  put_resource(world,
               (struct resource){.address = world->base, .stride = STRIDE, .records = RECORDS * STRIDE});
  put_indices(world, pattern);
}

static uint8_t *locate_index(struct isa_world *world, const struct isa_access *access, unsigned lane,
                             unsigned byte) {
  return find(world, access, lane, byte, world->v[ISA_VGPR][ISA_ADDRESS][lane], (uint64_t)access->offset, 0);
}

/* ---- swizzled: a record and an offset a lane ---- */

static bool is_of_dwords(const struct isa_access *access) {
  return access->verb != ISA_ATOMIC || access->move->bytes == 4;
}

static void spell_swizzled(FILE *f, const struct isa_access *access) {
  (void)access;
  put_address(f, "v[2:3]", "s5 idxen offen");
}

static void prepare_swizzled(struct isa_world *world, const struct isa_access *access,
                             enum isa_pattern pattern, uint64_t *state) {
  put_resource(world, (struct resource){.address = world->base,
                                        .stride = 32,
                                        .records = RECORDS,
                                        .stripe = (unsigned)(isa_random(state) % 4),
                                        .swizzle = true});
  world->s[SCALAR] = CONSTANT;
  put_indices(world, pattern);
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    world->v[ISA_VGPR][ISA_ADDRESS + 1][lane] = (unsigned)(isa_random(state) % 3) * alignment_of(access);
}

static uint8_t *locate_swizzled(struct isa_world *world, const struct isa_access *access, unsigned lane,
                                unsigned byte) {
  const uint64_t offset = world->v[ISA_VGPR][ISA_ADDRESS + 1][lane] + (uint64_t)(int64_t)access->offset;
  return find(world, access, lane, byte, world->v[ISA_VGPR][ISA_ADDRESS][lane], offset, CONSTANT);
}

/* ---- the lane's number as the record; with a stride of 18 bits all but the first lane are out of range ---- */

static void spell_lane_number(FILE *f, const struct isa_access *access) {
  (void)access;
  put_address(f, "off", "s5");
}

static void prepare_lane_number(struct isa_world *world, const struct isa_access *access,
                                enum isa_pattern pattern, uint64_t *state) {
  (void)access;
  const unsigned high = pattern == ISA_ROW ? 0 : 1 + (unsigned)(isa_random(state) % 15);
  put_resource(world, (struct resource){.address = world->base,
                                        .stride = high << 14 | STRIDE,
                                        .records = ISA_MEMORY,
                                        .add_lane = true});
  world->s[SCALAR] = CONSTANT;
}

static uint8_t *locate_lane_number(struct isa_world *world, const struct isa_access *access, unsigned lane,
                                   unsigned byte) {
  return find(world, access, lane, byte, 0, (uint64_t)access->offset, CONSTANT);
}

/* ---- as compilers have scratch: the dwords of 64 lanes side by side ---- */

static void prepare_stack(struct isa_world *world, const struct isa_access *access, enum isa_pattern pattern,
                          uint64_t *state) {
  (void)pattern;
  put_resource(world,
               (struct resource){
                   .address = world->base, .records = 4096, .stripe = 3, .swizzle = true, .add_lane = true});
  world->s[SCALAR] = CONSTANT;
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    world->v[ISA_VGPR][ISA_ADDRESS][lane] = (unsigned)(isa_random(state) % 5) * alignment_of(access);
}

/* ---- */

static bool goes_to_lds(const struct isa_access *access) {
  const struct isa_move *move = access->move;
  return move->verb == ISA_LOAD && move->part == ISA_WHOLE &&
         (move->bytes <= 4 || (access->arch == SIM_GFX950 && move->bytes != 8));
}

#define FORM(name, spelt, ...)                                                                               \
  {                                                                                                          \
    .prefix = "buffer_", .buffer = true, .spell = spell_##spelt, .prepare = prepare_##name,                  \
    .locate = locate_##__VA_ARGS__                                                                           \
  }

static const struct isa_form forms[] = {
    FORM(offset, offset, offset, .offsets = {8, 4080}),
    FORM(offset, constant, offset),
    FORM(inside, offset, offset, .offsets = {4080}),
    FORM(index, index, index, .offsets = {8, 32}),
    FORM(swizzled, swizzled, swizzled, .offsets = {8}, .has = is_of_dwords),
    FORM(lane_number, lane_number, lane_number, .offsets = {8, 32}),
    FORM(stack, offset, offset, .offsets = {4, 20}, .has = is_of_dwords),
    FORM(offset, offset, offset, .offsets = {8}, .has = goes_to_lds, .to_lds = true),
};

unsigned isa_run_buffer(void) {
  return isa_run_forms(forms, sizeof forms / sizeof *forms);
}

const char *isa_proven_buffer(size_t index) {
  return isa_proven_moves("buffer_", index);
}
