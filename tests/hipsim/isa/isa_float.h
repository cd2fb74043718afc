/* What references of floating-point instructions have in common: sources and results as MODE wants them, NaNs. */
#ifndef ISA_FLOAT_H
#define ISA_FLOAT_H

#include "isa_lanes.h"
#include "isa_real.h"

/* Source i: its bits, denormals flushed when MODE says so; as a number. */
uint64_t isa_source(const struct isa_lane *x, unsigned i, enum isa_format f);
struct isa_real isa_value_of(const struct isa_lane *x, unsigned i, enum isa_format f);

/* Rounds to the nearest and flushes when MODE says so. An invalid operation may give any quiet NaN. */
uint64_t isa_result(struct isa_lane *x, enum isa_format f, struct isa_real value);
/* The same for a function of `count` numbers given as bits: a NaN among them comes out quiet; of several, any. */
uint64_t isa_result_of(struct isa_lane *x, enum isa_format f, const uint64_t *numbers, unsigned count,
                       struct isa_real value);

/* Puts 16 bits where the destination's type says: h, H (isa_lanes.h); other results pass. */
uint64_t isa_place(const struct isa_lane *x, char type, uint64_t result);

/* min and max as the guides describe them, on bits. */
uint64_t isa_minimum(const struct isa_lane *x, enum isa_format f, uint64_t a, uint64_t b);
uint64_t isa_maximum(const struct isa_lane *x, enum isa_format f, uint64_t a, uint64_t b);

/* Runs a reference of one part on both parts of packed operands, of f's width. */
uint64_t isa_both(struct isa_lane *x, enum isa_format f,
                  uint64_t (*part)(struct isa_lane *, enum isa_format));

#endif
