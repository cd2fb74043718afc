/* Cases that are a text and a function that does the same to a world. */
#ifndef ISA_LINES_H
#define ISA_LINES_H

#include "isa_world.h"

struct isa_line {
  const char *name; /* as in the instruction table */
  const char *operands;
  unsigned archs;                                            /* a bit each */
  void (*prepare)(struct isa_world *world, uint64_t *state); /* NULL: noise will do */
  void (*apply)(struct isa_world *world);                    /* NULL: nothing changes */
};

enum {
  ISA_ALL = 15,
  ISA_90A = 1 << SIM_GFX90A,
  ISA_UNTIL_90A = 1 << SIM_GFX908 | ISA_90A,
  ISA_SINCE_90A = ISA_ALL - (1 << SIM_GFX908),
  ISA_SINCE_942 = 1 << SIM_GFX942 | 1 << SIM_GFX950,
};

/* Runs lines with full, partial and empty EXEC on the archs that comgr knows. Returns how many differ. */
unsigned isa_run_lines(const struct isa_line *lines, size_t count);

#endif
