/* Device memory: an arena of address space, in which every allocation stands alone.
 *
 * An allocation begins on a granule (64 KiB) of its own and is followed by at least one granule that is not
 * mapped, so that a host access past its page ends in a signal and a device access past its last byte is told
 * by its span. What was freed is unmapped at once (the system has the memory back) and remembered until the
 * arena has come round to its addresses again. Not thread-safe, except for readers among themselves. */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "bench/hipsim/sim_machine.h"

enum { SIM_MEMORY_ALIGNMENT = 256 };

/* Fresh buffers up to this size are filled with SIM_MEMORY_POISON; larger ones read as zero, as the system gives
 * them. */
#define SIM_MEMORY_POISON_LIMIT ((uint64_t)64 << 20)
enum { SIM_MEMORY_POISON = 0xcb };

/* Reserves address space for `capacity` bytes of live allocations. NULL when there is none. */
struct sim_memory *sim_memory_create(uint64_t capacity);
void sim_memory_free(struct sim_memory **memory);

/* The address, aligned to SIM_MEMORY_ALIGNMENT; 0 when bytes is 0, capacity is exceeded or the system refuses. */
uint64_t sim_memory_allocate(struct sim_memory *memory, uint64_t bytes, enum sim_span_kind kind,
                             bool writable);

/* A part of a block: a span of its own. */
struct sim_part {
  uint64_t offset, bytes; /* in the block; parts ascend and do not overlap */
  enum sim_span_kind kind;
  bool writable;
};

/* One block of `bytes` zero bytes, of which only the parts are accessible to kernels (at most SIM_PARTS_MAX).
 * Freed as a whole, by its first address. */
enum { SIM_PARTS_MAX = 16 };
uint64_t sim_memory_allocate_parts(struct sim_memory *memory, uint64_t bytes, const struct sim_part *parts,
                                   size_t count);

/* 0, or -1 when `address` is not what an allocation returned, or was released already. */
int sim_memory_release(struct sim_memory *memory, uint64_t address);

uint64_t sim_memory_capacity(const struct sim_memory *memory);
uint64_t sim_memory_used(const struct sim_memory *memory); /* whole pages of live allocations */
bool sim_memory_inside(const struct sim_memory *memory, uint64_t address); /* in the arena at all */

#endif
