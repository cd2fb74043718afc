/* Disassemblers that are not ours: comgr's, which knows gfx908 and gfx90a everywhere, and since ROCm 7 gfx950 as well; for what
 * it does not know, LLVM's C library, found at run time. */
#ifndef DECODE_ORACLE_H
#define DECODE_ORACLE_H

#include <stddef.h>
#include <stdint.h>

#include "decode_dialect.h"

struct oracle;

/* The oracle for an arch; NULL when none on this machine knows it. */
struct oracle *oracle_open(enum sim_arch arch);
void oracle_close(struct oracle *oracle);
enum dialect oracle_dialect(const struct oracle *oracle);

/* Bytes of the instruction at the beginning of `bytes`, 0 when there is none; its text without comments. */
unsigned oracle_read(struct oracle *oracle, const void *bytes, size_t size, char *text, size_t text_size);

#endif
