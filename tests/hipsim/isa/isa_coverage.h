/* Which instructions have a result test.
 *
 * A subject is a file of cases (isa_<subject>.c): it runs instructions that comgr assembled on every handler variant and
 * compares with a reference of its own, written after AMD's instruction set guides. It names what it proves by
 * isa_proven_<subject>, from its table of cases and never from the instruction table. test_isa_coverage fails when a row
 * with a handler, of a format that some subject below stands for, is proven by none. */
#ifndef ISA_COVERAGE_H
#define ISA_COVERAGE_H

#include <stddef.h>

#include "bench/hipsim/sim_table.h"

#define ISA_FORMAT(name) (1u << SIM_FMT_##name)
#define ISA_SCALAR                                                                                           \
  (ISA_FORMAT(SOP1) | ISA_FORMAT(SOP2) | ISA_FORMAT(SOPC) | ISA_FORMAT(SOPK) | ISA_FORMAT(SOPP))
#define ISA_VECTOR                                                                                           \
  (ISA_FORMAT(VOP1) | ISA_FORMAT(VOP2) | ISA_FORMAT(VOP2K) | ISA_FORMAT(VOP3) | ISA_FORMAT(VOP3P))

/* subject, formats whose every row has to be proven (by this subject or another) */
#define ISA_SUBJECTS(X)                                                                                      \
  X(arithmetic, ISA_VECTOR)                                                                                  \
  X(compare, ISA_FORMAT(VOPC))                                                                               \
  X(convert, ISA_VECTOR)                                                                                     \
  X(cross_lane, ISA_VECTOR)                                                                                  \
  X(integer, ISA_VECTOR)                                                                                     \
  X(modifiers, ISA_VECTOR)                                                                                   \
  X(program, ISA_SCALAR)                                                                                     \
  X(scalar, ISA_SCALAR)                                                                                      \
  X(memory, ISA_FORMAT(FLAT) | ISA_FORMAT(GLOBAL) | ISA_FORMAT(SCRATCH))                                     \
  X(buffer, ISA_FORMAT(MUBUF))                                                                               \
  X(lds, ISA_FORMAT(DS))                                                                                     \
  X(lds_lane, ISA_FORMAT(DS))                                                                                \
  X(smem, ISA_FORMAT(SMEM))                                                                                  \
  X(clocks, ISA_FORMAT(SMEM))                                                                                \
  X(mfma, ISA_FORMAT(MAI))

/* The index-th mnemonic that a subject proves, as the instruction table spells it; NULL behind the last. */
#define ISA_DECLARE(subject, formats) const char *isa_proven_##subject(size_t index);
ISA_SUBJECTS(ISA_DECLARE)
#undef ISA_DECLARE

/* The row of a mnemonic; SIM_OP_UNKNOWN when there is none. */
enum sim_op isa_find(const char *name);

#endif
