/* What atomics do to a value: references after the descriptions of the CDNA guides' chapter "Instructions". */
#ifndef ISA_ATOMIC_H
#define ISA_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/hipsim/sim_inst.h"

struct isa_cell {
  unsigned width; /* bits */
  uint64_t old, data,
      compare; /* compare: what a compare-and-swap compares with; the second operand of LDS instructions */
  enum sim_arch arch;
  uint32_t mode;
  bool lds;
};

/* The new value. */
typedef uint64_t isa_update(const struct isa_cell *cell);

isa_update isa_swap, isa_cmpswap, isa_cmpswap_float, isa_atomic_add, isa_atomic_sub, isa_atomic_rsub,
    isa_smin, isa_umin, isa_smax, isa_umax, isa_and, isa_or, isa_xor, isa_inc, isa_dec, isa_add_float,
    isa_min_float, isa_max_float, isa_pk_add_f16, isa_pk_add_bf16, isa_mskor, isa_wrap;

/* What the operands of an update look like, for numbers that make it interesting. */
enum isa_numbers { ISA_INTEGERS, ISA_FLOATS, ISA_SUMS_OF_FLOATS, ISA_SUMS_OF_F16, ISA_SUMS_OF_BF16 };
enum isa_numbers isa_numbers_of(isa_update *update);
/* A number of `width` bits of that sort. */
uint64_t isa_number(enum isa_numbers numbers, unsigned width, uint64_t *state);

#endif
