/* Random gfx9 encodings, most of them of instructions that have rows. */
#ifndef RANDOM_CODE_H
#define RANDOM_CODE_H

#include "bench/hipsim/sim_table.h"

struct random_code {
  uint64_t state;
  enum sim_arch arch;
};

struct random_code random_code(enum sim_arch arch, uint64_t seed);
uint32_t random_word(struct random_code *r);
/* One instruction's words (as many as it may need), with random operands and modifiers. */
void random_instruction(struct random_code *r, uint32_t words[3]);

#endif
