/* Scalar memory, after the CDNA guides' chapter "Scalar Memory Operations"; clocks, and the instructions that are about caches. */
#include "isa_coverage.h"
#include "isa_lines.h"
#include "isa_memory.h"
#include "isa_values.h"

/* Registers: base or resource in s[8:11], an offset in s5, data in s[20:35]. Addresses are multiples of 4: the two low bits are
 * dropped. */
enum { BASE = 8, OFFSET = 5, DATA = 20, FIRST_PLACE = 8192, CONSTANT = 4080, FAR = 2048 };

/* ---- where ---- */

static uint8_t *at(struct isa_world *world, uint64_t address) {
  return world->memory + (address / 4 * 4 - world->base);
}

static void put_base(struct isa_world *world, uint64_t *state) {
  isa_set_scalar_pair(world, BASE, world->base + FIRST_PLACE);
  world->s[OFFSET] = (uint32_t)(isa_random(state) % 500) * 4;
}

/* The bytes of a resource end within what is loaded from half of the places. */
static void put_resource(struct isa_world *world, uint64_t *state) {
  put_base(world, state);
  world->s[BASE + 2] = (uint32_t)(isa_random(state) % 1024) * 4;
  world->s[BASE + 3] = 0;
  if (isa_random(state) & 1) { /* records of 16 bytes */
    world->s[BASE + 1] |= 16u << 16;
    world->s[BASE + 2] /= 16;
  }
}

static uint64_t resource_bytes(const struct isa_world *world) {
  const uint64_t stride = world->s[BASE + 1] >> 16 & 0x3fff, records = world->s[BASE + 2];
  return stride != 0 ? stride * records : records;
}

/* ---- what ---- */

static void load(struct isa_world *world, unsigned dwords, int64_t offset) {
  const uint8_t *from = at(world, isa_scalar_pair(world, BASE) + (uint64_t)offset);
  for (unsigned i = 0; i < dwords; i++)
    world->s[DATA + i] = (uint32_t)isa_bytes(from + 4 * i, 4);
}

static void store(struct isa_world *world, unsigned dwords, int64_t offset) {
  uint8_t *to = at(world, isa_scalar_pair(world, BASE) + (uint64_t)offset);
  for (unsigned i = 0; i < dwords; i++)
    isa_set_bytes(to + 4 * i, 4, world->s[DATA + i]);
}

static bool is_inside(const struct isa_world *world, uint64_t offset) {
  return offset + 4 <= resource_bytes(world);
}

static uint8_t *in_buffer(struct isa_world *world, uint64_t offset) {
  return at(world, (isa_scalar_pair(world, BASE) & UINT64_C(0xffffffffffff)) + offset);
}

static void buffer_load(struct isa_world *world, unsigned dwords, int64_t offset) {
  for (unsigned i = 0; i < dwords; i++) {
    const uint64_t place = (uint64_t)offset + 4 * i;
    world->s[DATA + i] = is_inside(world, place) ? (uint32_t)isa_bytes(in_buffer(world, place), 4) : 0;
  }
}

static void buffer_store(struct isa_world *world, unsigned dwords, int64_t offset) {
  for (unsigned i = 0; i < dwords; i++) {
    const uint64_t place = (uint64_t)offset + 4 * i;
    if (is_inside(world, place))
      isa_set_bytes(in_buffer(world, place), 4, world->s[DATA + i]);
  }
}

/* Each with no offset, with the scalar one, with a constant, with a negative one, and with both. */
#define APPLY(name, what, dwords)                                                                            \
  static void name##_none(struct isa_world *world) {                                                         \
    what(world, dwords, 0);                                                                                  \
  }                                                                                                          \
  static void name##_scalar(struct isa_world *world) {                                                       \
    what(world, dwords, world->s[OFFSET]);                                                                   \
  }                                                                                                          \
  static void name##_constant(struct isa_world *world) {                                                     \
    what(world, dwords, CONSTANT);                                                                           \
  }
#define APPLY_MORE(name, what, dwords)                                                                       \
  APPLY(name, what, dwords)                                                                                  \
  static void name##_negative(struct isa_world *world) {                                                     \
    what(world, dwords, -FAR);                                                                               \
  }                                                                                                          \
  static void name##_both(struct isa_world *world) {                                                         \
    what(world, dwords, world->s[OFFSET] + (int64_t)FAR);                                                    \
  }

#define WIDTHS(X, kind)                                                                                      \
  X(kind##_1, kind, 1)                                                                                       \
  X(kind##_2, kind, 2)                                                                                       \
  X(kind##_4, kind, 4)
#define WIDER(X, kind)                                                                                       \
  X(kind##_8, kind, 8)                                                                                       \
  X(kind##_16, kind, 16)
WIDTHS(APPLY_MORE, load)
WIDER(APPLY_MORE, load)
WIDTHS(APPLY_MORE, store)
WIDTHS(APPLY, buffer_load)
WIDER(APPLY, buffer_load)
WIDTHS(APPLY, buffer_store)

#define LINES(name, data, base, prepare, function)                                                           \
  {name, data ", " base ", 0x0", ISA_ALL, prepare, function##_none},                                         \
      {name, data ", " base ", s5", ISA_ALL, prepare, function##_scalar}, {                                  \
    name, data ", " base ", 0xff0", ISA_ALL, prepare, function##_constant                                    \
  }
#define MEMORY(name, data, function)                                                                         \
  LINES(name, data, "s[8:9]", put_base, function),                                                           \
      {name, data ", s[8:9], -2048", ISA_ALL, put_base, function##_negative}, {                              \
    name, data ", s[8:9], s5 offset:0x800", ISA_ALL, put_base, function##_both                               \
  }
#define BUFFER(name, data, function) LINES(name, data, "s[8:11]", put_resource, function)

static const struct isa_line lines[] = {
    MEMORY("s_load_dword", "s20", load_1),
    MEMORY("s_load_dwordx2", "s[20:21]", load_2),
    MEMORY("s_load_dwordx4", "s[20:23]", load_4),
    MEMORY("s_load_dwordx8", "s[20:27]", load_8),
    MEMORY("s_load_dwordx16", "s[20:35]", load_16),
    MEMORY("s_store_dword", "s20", store_1),
    MEMORY("s_store_dwordx2", "s[20:21]", store_2),
    MEMORY("s_store_dwordx4", "s[20:23]", store_4),
    BUFFER("s_buffer_load_dword", "s20", buffer_load_1),
    BUFFER("s_buffer_load_dwordx2", "s[20:21]", buffer_load_2),
    BUFFER("s_buffer_load_dwordx4", "s[20:23]", buffer_load_4),
    BUFFER("s_buffer_load_dwordx8", "s[20:27]", buffer_load_8),
    BUFFER("s_buffer_load_dwordx16", "s[20:35]", buffer_load_16),
    BUFFER("s_buffer_store_dword", "s20", buffer_store_1),
    BUFFER("s_buffer_store_dwordx2", "s[20:21]", buffer_store_2),
    BUFFER("s_buffer_store_dwordx4", "s[20:23]", buffer_store_4),
    /* Caches are not there to be seen. */
    {"s_dcache_inv", "", ISA_ALL, NULL, NULL},
    {"s_dcache_wb", "", ISA_ALL, NULL, NULL},
    {"s_dcache_inv_vol", "", ISA_ALL, NULL, NULL},
    {"s_dcache_wb_vol", "", ISA_ALL, NULL, NULL},
    {"buffer_wbinvl1", "", ISA_UNTIL_90A, NULL, NULL},
    {"buffer_wbinvl1_vol", "", ISA_UNTIL_90A, NULL, NULL},
    {"buffer_wbl2", "", ISA_90A, NULL, NULL},
    {"buffer_invl2", "", ISA_90A, NULL, NULL},
    {"buffer_wbl2", "sc1", ISA_SINCE_942, NULL, NULL},
    {"buffer_inv", "sc1", ISA_SINCE_942, NULL, NULL},
};
enum { LINE_COUNT = sizeof lines / sizeof *lines };

unsigned isa_run_smem(void) {
  return isa_run_lines(lines, LINE_COUNT);
}

const char *isa_proven_smem(size_t index) {
  return index < LINE_COUNT ? lines[index].name : NULL;
}
