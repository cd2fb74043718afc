/* Which lines of the vector cache a vector memory instruction touches. */
#include "bench/hipsim/sim_buffer.h"
#include "bench/hipsim/sim_cu_trace.h"
#include "bench/hipsim/sim_table.h"

/* A line's number: 5 bits of the buffer it lies in, 27 of the offset. */
enum { OFFSET_BITS = 27, OTHER_PLACE = 30, SCRATCH_PLACE = 31, RECENT = 16 };

struct collector {
  struct sim_wave *w;
  const struct sim_cu_places *places;
  const struct sim_span *span; /* where the last one lay */
  uint32_t place;
  uint32_t *lines;
  uint32_t count;
};

static uint32_t place_of(const struct sim_cu_places *places, const struct sim_span *span) {
  for (uint32_t i = 0; i < places->count; ++i)
    if (places->span[i] == span)
      return i;
  return OTHER_PLACE;
}

/* Lanes that want the same line of one instruction get it together when they are not far apart. */
static void add_line(struct collector *c, uint32_t line) {
  const uint32_t first = c->count > RECENT ? c->count - RECENT : 0;
  for (uint32_t i = c->count; i > first; --i)
    if (c->lines[i - 1] == line)
      return;
  if (c->count < SIM_CU_MOST_LINES)
    c->lines[c->count++] = line;
}

static uint32_t number_of(const struct collector *c, uint32_t place, uint64_t offset) {
  return place << OFFSET_BITS | (uint32_t)(offset >> c->w->line_bits & ((1u << OFFSET_BITS) - 1));
}

static void add_address(struct collector *c, uint64_t address, uint32_t size) {
  if (c->span == NULL || address < c->span->begin || address >= c->span->end) {
    c->span = sim_memory_span(c->w->memory, address);
    if (c->span == NULL)
      return; /* it will fail */
    c->place = c->span->kind == SIM_SPAN_SCRATCH ? SCRATCH_PLACE : place_of(c->places, c->span);
  }
  const uint64_t offset = address - c->span->begin;
  const uint32_t first = number_of(c, c->place, offset), last = number_of(c, c->place, offset + size - 1);
  for (uint32_t line = first; line <= last; ++line)
    add_line(c, line);
}

/* Dwords of the lanes of a wave are interleaved. */
static void add_scratch(struct collector *c, uint64_t offset, unsigned lane, uint32_t size) {
  const uint64_t wave = c->w->scratch - c->w->dispatch->scratch;
  for (uint64_t dword = offset / 4; dword <= (offset + size - 1) / 4; ++dword)
    add_line(c, number_of(c, SCRATCH_PLACE, wave + dword * 4 * SIM_LANES + lane * 4u));
}

static void add_flat(struct collector *c, uint64_t address, unsigned lane, uint32_t size) {
  const uint64_t aperture = address >> 48 << 48;
  if (aperture == SIM_PRIVATE_APERTURE)
    add_scratch(c, address - SIM_PRIVATE_APERTURE, lane, size);
  else if (aperture != SIM_SHARED_APERTURE)
    add_address(c, address, size);
}

static void collect_flat(struct collector *c, const struct sim_inst *inst, uint32_t size) {
  const struct sim_wave *w = c->w;
  const bool scratch = sim_info[inst->op].format == SIM_FMT_SCRATCH;
  const bool has_base = inst->src[2] != SIM_NO_OPERAND, has_vector = inst->src[0] != SIM_NO_OPERAND;
  uint64_t base = (uint64_t)(int64_t)inst->imm;
  if (has_base)
    base += scratch ? w->s[inst->src[2]] : sim_read_s64(w, inst->src[2]);
  const sim_vreg *v = has_vector ? &w->v[inst->src[0] - SIM_VGPR0] : NULL;
  for (uint64_t left = sim_exec(w); left != 0; left &= left - 1) {
    const unsigned lane = (unsigned)__builtin_ctzll(left);
    uint64_t address = base + (v != NULL ? v[0][lane] : 0);
    if (scratch) {
      add_scratch(c, address, lane, size);
      continue;
    }
    if (!has_base && v != NULL)
      address += (uint64_t)v[1][lane] << 32;
    add_flat(c, address, lane, size);
  }
}

static void collect_buffer(struct collector *c, const struct sim_inst *inst, uint32_t size) {
  struct sim_buffer buffer;
  const unsigned first = inst->src[2];
  if (first + 4u > 128u || c->w->s[first + 3] >> 30 != 0 || !sim_buffer_open(c->w, inst, &buffer))
    return; /* it will fail */
  for (uint64_t left = sim_exec(c->w); left != 0; left &= left - 1) {
    const unsigned lane = (unsigned)__builtin_ctzll(left);
    for (uint32_t more = 0; more < size; more += buffer.swizzled ? 4 : size) {
      const uint32_t part = buffer.swizzled ? 4 : size;
      if (sim_buffer_in_range(&buffer, lane, more, part))
        add_address(c, sim_buffer_address(&buffer, lane, more), part);
    }
  }
}

uint32_t sim_cu_lines(struct sim_wave *w, const struct sim_inst *inst, const struct sim_cu_places *places,
                      uint32_t lines[SIM_CU_MOST_LINES]) {
  const struct sim_op_info *info = &sim_info[inst->op];
  struct collector c = {.w = w, .places = places, .lines = lines};
  const enum sim_kind kind = info->src[1] != SIM_K_NONE ? info->src[1] : info->dst;
  const uint32_t dwords = sim_kind_dwords[kind];
  const uint32_t size = dwords > 0 ? 4 * dwords : 4;
  if (info->format == SIM_FMT_MUBUF && info->src[2] != SIM_K_NONE)
    collect_buffer(&c, inst, size);
  else if (info->format != SIM_FMT_MUBUF)
    collect_flat(&c, inst, size);
  return c.count;
}
