/* DS instructions that move data between lanes or count them, after the CDNA guides' chapter "Instructions", DS. */
#include "isa_coverage.h"
#include "isa_lines.h"
#include "isa_memory.h"
#include "isa_values.h"

/* ---- permutes: v10 <- v6 by the lanes that v2 names; bits beyond the lane's number are ignored ---- */

static unsigned named_lane(const struct isa_world *world, unsigned lane, unsigned offset) {
  return (world->v[ISA_VGPR][2][lane] + offset) / 4 % SIM_LANES;
}

static void permute(struct isa_world *world, unsigned offset) {
  uint32_t sent[SIM_LANES] = {0};
  for (unsigned lane = 0; lane < SIM_LANES; lane++) /* the highest lane that sends wins */
    if (isa_active(world, lane))
      sent[named_lane(world, lane, offset)] = world->v[ISA_VGPR][6][lane];
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    if (isa_active(world, lane))
      world->v[ISA_VGPR][10][lane] = sent[lane];
}

static void permute_plain(struct isa_world *world) {
  permute(world, 0);
}

static void permute_shifted(struct isa_world *world) {
  permute(world, 20);
}

/* What an inactive lane has is not seen. */
static uint32_t seen(const struct isa_world *world, unsigned vgpr, unsigned lane) {
  return isa_active(world, lane) ? world->v[ISA_VGPR][vgpr][lane] : 0;
}

static void bpermute(struct isa_world *world, unsigned offset) {
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    if (isa_active(world, lane))
      world->v[ISA_VGPR][10][lane] = seen(world, 6, named_lane(world, lane, offset));
}

static void bpermute_plain(struct isa_world *world) {
  bpermute(world, 0);
}

static void bpermute_shifted(struct isa_world *world) {
  bpermute(world, 20);
}

/* ---- swizzles: v10 <- v2 ---- */

static void swizzle(struct isa_world *world, unsigned (*source)(unsigned lane)) {
  const struct isa_world before = *world;
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    if (isa_active(world, lane))
      world->v[ISA_VGPR][10][lane] = seen(&before, 2, source(lane));
}

#define SWIZZLE(name, expression)                                                                            \
  static unsigned from_##name(unsigned lane) {                                                               \
    return expression;                                                                                       \
  }                                                                                                          \
  static void name(struct isa_world *world) {                                                                \
    swizzle(world, from_##name);                                                                             \
  }

static const unsigned char quad[] = {2, 0, 3, 1};
SWIZZLE(quad_permutation, lane / 4 * 4 + quad[lane % 4])
SWIZZLE(swap_of_neighbours, lane ^ 1)
SWIZZLE(broadcast_of_the_third, lane / 8 * 8 + 3)
SWIZZLE(reversal_of_sixteens, lane / 16 * 16 + (15 - lane % 16))
SWIZZLE(and_or_xor, (lane & 32) | (((lane & 0x16) | 0x09) ^ 0x05))
SWIZZLE(rotation_left, (lane & 32) | ((lane + 3) & 31))
SWIZZLE(rotation_right, (lane & 32) | ((lane - 7) & 31))

/* Orders of an FFT: the order of 32 lanes with all bits of the lane's number reversed; with bit 4 of the mask, those of 16 lanes;
 * more of its bits, of fewer. */
static unsigned reversed(unsigned value, unsigned bits) {
  unsigned result = 0;
  for (unsigned i = 0; i < bits; i++)
    result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}
SWIZZLE(fft_of_32, (lane & 32) | reversed(lane & 31, 5))
SWIZZLE(fft_of_16, (lane & 48) | reversed(lane & 15, 4))
SWIZZLE(fft_of_1, lane)

/* ---- counters at M0's upper half ---- */

static void put_counter(struct isa_world *world, uint64_t *state) {
  world->m0 = (uint32_t)(isa_random(state) % 1024 * 4) << 16 | (uint32_t)(isa_random(state) & 0xffff);
}

static void count(struct isa_world *world, unsigned offset, bool up) {
  const uint32_t lanes = (uint32_t)__builtin_popcountll(world->exec);
  uint8_t *cell = world->lds + (world->m0 >> 16) + offset;
  const uint32_t old = (uint32_t)isa_bytes(cell, 4);
  isa_set_bytes(cell, 4, up ? old + lanes : old - lanes);
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    if (isa_active(world, lane))
      world->v[ISA_VGPR][10][lane] = old;
}

static void append(struct isa_world *world) {
  count(world, 0, true);
}

static void append_further(struct isa_world *world) {
  count(world, 4000, true);
}

static void consume(struct isa_world *world) {
  count(world, 0, false);
}

static void consume_further(struct isa_world *world) {
  count(world, 4000, false);
}

/* ---- */

static const struct isa_line lines[] = {
    {"ds_permute_b32", "v10, v2, v6", ISA_ALL, NULL, permute_plain},
    {"ds_permute_b32", "v10, v2, v6 offset:20", ISA_ALL, NULL, permute_shifted},
    {"ds_bpermute_b32", "v10, v2, v6", ISA_ALL, NULL, bpermute_plain},
    {"ds_bpermute_b32", "v10, v2, v6 offset:20", ISA_ALL, NULL, bpermute_shifted},
    {"ds_swizzle_b32", "v10, v2 offset:swizzle(QUAD_PERM,2,0,3,1)", ISA_ALL, NULL, quad_permutation},
    {"ds_swizzle_b32", "v10, v2 offset:swizzle(SWAP,1)", ISA_ALL, NULL, swap_of_neighbours},
    {"ds_swizzle_b32", "v10, v2 offset:swizzle(BROADCAST,8,3)", ISA_ALL, NULL, broadcast_of_the_third},
    {"ds_swizzle_b32", "v10, v2 offset:swizzle(REVERSE,16)", ISA_ALL, NULL, reversal_of_sixteens},
    {"ds_swizzle_b32", "v10, v2 offset:5430", ISA_ALL, NULL, and_or_xor}, /* and 0x16, or 0x09, xor 0x05 */
    {"ds_swizzle_b32", "v10, v2 offset:49248", ISA_ALL, NULL, rotation_left}, /* 0xc000, by 3 */
    {"ds_swizzle_b32", "v10, v2 offset:50400", ISA_ALL, NULL,
     rotation_right}, /* 0xc000, by 7, the other way */
    {"ds_swizzle_b32", "v10, v2 offset:57344", ISA_ALL, NULL, fft_of_32},
    {"ds_swizzle_b32", "v10, v2 offset:57360", ISA_ALL, NULL, fft_of_16},
    {"ds_swizzle_b32", "v10, v2 offset:57375", ISA_ALL, NULL, fft_of_1},
    {"ds_append", "v10", ISA_ALL, put_counter, append},
    {"ds_append", "v10 offset:4000", ISA_ALL, put_counter, append_further},
    {"ds_consume", "v10", ISA_ALL, put_counter, consume},
    {"ds_consume", "v10 offset:4000", ISA_ALL, put_counter, consume_further},
    {"ds_nop", "", ISA_ALL, NULL, NULL},
};
enum { LINES = sizeof lines / sizeof *lines };

unsigned isa_run_lds_lane(void) {
  return isa_run_lines(lines, LINES);
}

const char *isa_proven_lds_lane(size_t index) {
  return index < LINES ? lines[index].name : NULL;
}
