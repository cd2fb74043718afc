/* Buffer resources: where the lanes of a MUBUF instruction point, and what is in range. */
#ifndef SIM_BUFFER_H
#define SIM_BUFFER_H

#include "bench/hipsim/sim_move.h"

struct sim_buffer {
  uint64_t base;    /* with the scalar offset */
  uint64_t soffset; /* in it */
  uint64_t stride;  /* bytes of a record */
  uint64_t records; /* NUM_RECORDS */
  uint64_t stripe;  /* records interleaved, when swizzled */
  bool swizzled;
  uint64_t index[SIM_LANES];
  uint64_t offset[SIM_LANES]; /* in the record */
};

/* Value of a scalar offset: an SGPR, M0 or an inline integer. */
static inline uint32_t sim_scalar_offset(const struct sim_wave *w, unsigned operand) {
  if (operand < 128) {
    return w->s[operand];
  }
  if (operand <= 192) {
    return operand - SIM_INLINE_INT_0;
  }
  return operand <= 208 ? (uint32_t)(192 - (int)operand) : 0;
}

static inline void sim_buffer_lanes(const struct sim_wave *w, const struct sim_inst *inst, bool add_lane,
                                    struct sim_buffer *buffer) {
  const sim_vreg *v = inst->src[0] != SIM_NO_OPERAND ? sim_vector(w, inst->src[0]) : NULL;
  bool has_index = (inst->flags & SIM_F_IDXEN) != 0, has_offset = (inst->flags & SIM_F_OFFEN) != 0;
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    uint64_t index = add_lane ? lane : 0, offset = (uint64_t)(int64_t)inst->imm;
    if (v != NULL && has_index) {
      index += v[0][lane];
    }
    if (v != NULL && has_offset) {
      offset += v[has_index ? 1 : 0][lane];
    }
    buffer->index[lane] = index;
    buffer->offset[lane] = offset;
  }
}

/* Reads the four SGPRs of the resource. False: faulted. */
static inline bool sim_buffer_open(struct sim_wave *w, const struct sim_inst *inst,
                                   struct sim_buffer *buffer) {
  unsigned first = inst->src[2];
  if (first + 4u > 128u) {
    sim_wave_fault(w, -1, "scalar registers %u to %u cannot hold a buffer resource", first, first + 3u);
    return false;
  }
  const uint32_t *word = &w->s[first];
  if (word[3] >> 30 != 0) {
    sim_wave_fault(w, -1, "the resource in s[%u:%u] is not that of a buffer (word 3 is 0x%x)", first,
                   first + 3u, word[3]);
    return false;
  }
  bool add_lane = (word[3] >> 23 & 1u) != 0;
  buffer->soffset = sim_scalar_offset(w, inst->soffset);
  buffer->base = ((uint64_t)(word[1] & 0xffffu) << 32 | word[0]) + buffer->soffset;
  /* Bits 17:14 of a stride lie in the data format's place when the lane's number is added. */
  buffer->stride = (word[1] >> 16 & 0x3fffu) | (add_lane ? word[3] >> 15 & 15u : 0) << 14;
  buffer->records = word[2];
  buffer->stripe = UINT64_C(8) << (word[3] >> 21 & 3u);
  buffer->swizzled = word[1] >> 31 != 0;
  sim_buffer_lanes(w, inst, add_lane, buffer);
  return true;
}

/* `size` bytes that begin `more` bytes behind the lane's offset. A swizzled buffer with a stride is bounded in
 * records, any other in bytes. */
static inline bool sim_buffer_in_range(const struct sim_buffer *b, unsigned lane, uint32_t more,
                                       uint32_t size) {
  if (b->swizzled && b->stride != 0) {
    return b->index[lane] < b->records;
  }
  uint64_t offset = b->offset[lane] + more + b->soffset;
  return offset + b->stride * b->index[lane] + size <= b->records;
}

static inline uint64_t sim_buffer_address(const struct sim_buffer *b, unsigned lane, uint32_t more) {
  uint64_t index = b->index[lane], offset = b->offset[lane] + more;
  if (!b->swizzled) {
    return b->base + b->stride * index + offset;
  }
  uint64_t row = index / b->stripe * b->stride + offset / 4u * 4u;
  return b->base + row * b->stripe + index % b->stripe * 4u + offset % 4u;
}

/* Scratch is no traffic of the kernel's own; it is not told apart from other buffers, since it is rare. */
static inline __attribute__((unused)) void sim_buffer_count(struct sim_wave *w, enum sim_verb verb,
                                                            uint64_t bytes, uint32_t lines) {
  if (verb == SIM_VERB_LOAD) {
    w->counts->load_bytes += bytes;
    w->counts->load_lines += lines;
  } else {
    w->counts->store_bytes += bytes;
    w->counts->store_lines += lines;
  }
}

#endif
