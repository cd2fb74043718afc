/* Source lines of a code object that carries debug information (compiled with -g). */
#ifndef SIM_LINES_H
#define SIM_LINES_H

#include <stddef.h>
#include <stdint.h>

/* A copy of the code object, for later; NULL: it has no lines, or memory ran out. */
struct sim_lines;
struct sim_lines *sim_lines_keep(const uint8_t *bytes, size_t size);
void sim_lines_free(struct sim_lines *lines);

/* "gemm.hip:12, inlined at gemm.hip:40" of the instruction at an address of the file; "" when it has none. The first
 * file is where the instruction comes from. Not thread-safe. */
void sim_lines_find(const struct sim_lines *lines, uint64_t address, char *text, size_t size);

#endif
