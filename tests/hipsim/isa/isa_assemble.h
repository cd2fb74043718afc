/* Text to machine words through comgr's assembler. All lines of an arch go in one batch, since starting LLVM costs far
 * more than assembling. */
#ifndef ISA_ASSEMBLE_H
#define ISA_ASSEMBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/hipsim/sim_inst.h"

enum { ISA_WORDS = 4, ISA_TEXT = 160 };

struct isa_code {
  uint32_t words[ISA_WORDS]; /* as much as the instruction has, then zeros */
};

/* Tells whether the installed comgr knows the arch: it can be gfx908 and gfx90a alone. */
bool isa_knows(enum sim_arch arch);
const char *isa_arch_name(enum sim_arch arch);

/* Assembles lines of one instruction each into code[count]. False when a line is refused: comgr's messages are then on
 * standard error, with the text of the lines they speak of. */
bool isa_assemble(enum sim_arch arch, const char (*lines)[ISA_TEXT], size_t count, struct isa_code *code);

#endif
