/* What disassemblers of different ages read differently, and is taken out of encodings before they are compared. */
#ifndef DECODE_DIALECT_H
#define DECODE_DIALECT_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/hipsim/sim_inst.h"

/* LLVM_OLD is 14 to 19: comgr 5 and Debian 12's LLVM. This decoder reads as LLVM_NEW does, 21 and comgr 7. */
enum dialect { LLVM_OLD, LLVM_NEW };

/* Replaces bits of an encoding that this decoder reads otherwise than the dialect. */
void speak_dialect(enum dialect dialect, enum sim_arch arch, uint32_t words[3]);

#endif
