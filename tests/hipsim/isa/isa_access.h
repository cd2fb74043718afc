/* Vector memory: what instructions move (isa_access.c: loads, stores, atomics, loads to LDS) and, apart from it, how a family
 * of instructions finds the bytes of a lane (isa_memory.c: FLAT, GLOBAL, SCRATCH; isa_buffer.c: MUBUF). */
#ifndef ISA_ACCESS_H
#define ISA_ACCESS_H

#include <stdio.h>

#include "isa_atomic.h"
#include "isa_coverage.h"
#include "isa_world.h"

/* Registers of every form: addresses in v2 and v3, data in v10 to v13, what an atomic returns in v14 and v15; scalars are the
 * form's own. Data may be AGPRs. */
enum { ISA_ADDRESS = 2, ISA_DATA = 10, ISA_OLD = 14 };

enum isa_verb { ISA_LOAD, ISA_STORE, ISA_ATOMIC, ISA_TO_LDS };
/* Which part of the register is loaded or stored. */
enum isa_part { ISA_WHOLE, ISA_LOW, ISA_HIGH };

struct isa_move {
  const char *suffix; /* behind the family's prefix */
  enum isa_verb verb;
  unsigned bytes; /* in memory */
  bool is_signed;
  enum isa_part part;
  isa_update *update;
};

struct isa_form;

/* One text, and all that its reference has to know. */
struct isa_access {
  const struct isa_move *move;
  const struct isa_form *form;
  enum sim_op op;
  enum sim_arch arch;
  enum isa_verb verb;
  enum isa_file file; /* of the data */
  bool returns;       /* an atomic gives the old value */
  int offset;         /* in the text */
  char text[ISA_TEXT];
};

/* How lanes' places lie. */
enum isa_pattern { ISA_ROW, ISA_SCATTERED };

/* A way to spell and to find addresses. */
struct isa_form {
  const char *prefix;                           /* of the mnemonics */
  int offsets[3];                               /* for the text; a zero ends them */
  bool to_lds;                                  /* loads, with the modifier lds */
  bool buffer;                                  /* data come first, and an atomic returns into them */
  bool (*has)(const struct isa_access *access); /* NULL: whatever the instruction table has */
  /* Writes the operands from the address on; isa_put_data between. */
  void (*spell)(FILE *text, const struct isa_access *access);
  /* Puts registers so that each lane has a place of its own. */
  void (*prepare)(struct isa_world *world, const struct isa_access *access, enum isa_pattern pattern,
                  uint64_t *state);
  /* A lane's byte; NULL: it is not there, reads as zero and is not stored. */
  uint8_t *(*locate)(struct isa_world *world, const struct isa_access *access, unsigned lane, unsigned byte);
  bool (*in_lds)(unsigned lane); /* NULL: never */
};

/* Data of a store or an atomic behind the address. */
void isa_put_data(FILE *text, const struct isa_access *access);

/* Where a lane's data lie by a pattern, from 0 to 2047: a multiple of `alignment`. */
unsigned isa_slot(enum isa_pattern pattern, unsigned lane, unsigned bytes, unsigned alignment,
                  uint64_t *state);
/* Atomics are aligned to their size, all else to `otherwise`. */
unsigned isa_alignment(const struct isa_access *access, unsigned otherwise);

/* Runs every move in every form that an arch has and comgr knows. Returns how many texts differ. */
unsigned isa_run_forms(const struct isa_form *forms, size_t count);
/* The index-th mnemonic with this prefix that the moves make and the table has; NULL behind the last. */
const char *isa_proven_moves(const char *prefix, size_t index);

#endif
