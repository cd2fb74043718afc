/* Runs vector instructions over edge values and compares every lane, on every handler variant, with a reference that
 * computes one lane. */
#ifndef ISA_LANES_H
#define ISA_LANES_H

#include "bench/hipsim/sim_table.h"
#include "isa_values.h"

/* One lane of an instruction, as the reference sees it. */
struct isa_lane {
  uint64_t s[4];    /* sources, as their registers hold them */
  uint64_t s2_high; /* the upper half of a 128-bit third source */
  uint64_t old;     /* the destination before */
  unsigned lane;
  bool carry_in; /* the lane's bit of the mask that is read */
  uint32_t mode;
  enum sim_arch arch;
  /* set by the reference beside what it returns */
  uint64_t high;  /* the upper half of a 128-bit result */
  bool carry_out; /* the lane's bit of the second destination */
  unsigned
      any_nan; /* whichever quiet NaN, since the guides do not say which; bit 0: the low or only part, 1: the high */
  double near;   /* how far the result may be off */
  unsigned ulps; /* how far the result may be off, in units of its last place */
};

/* What the destination holds afterwards, zero-extended; a mask destination: the lane's bit. */
typedef uint64_t isa_reference(struct isa_lane *lane);

/* types: destination, '=', sources (isa_values.h). Destinations may also be
 *   S H      16 bits beside which the other half is kept (s and h: becomes zero)
 *   m        a mask, in VCC or a scalar pair; X: the same and EXEC
 *   c        behind another: a carry out, in VCC or a scalar pair
 * and sources
 *   k        a mask, in VCC or a scalar pair; v: VCC, without being spelt
 *   F        a literal f32 in the text; G: a literal f16
 * with '-', '|' or '_' before a source that is negated, made positive or both, '~' before one that SDWA sign-extends. What follows a blank is appended to the
 * text: modifiers, which only the long encoding has, or SDWA's selections. */
struct isa_case {
  const char *name; /* as in the instruction table */
  const char *types;
  isa_reference *expect;
};

/* Runs the cases on every arch that has them and that comgr knows. Returns how many differ. */
unsigned isa_run_cases(const struct isa_case *cases, size_t count);

#endif
