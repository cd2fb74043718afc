/* Code objects for the tests, made by hipRTC from the sources beside them. */
#ifndef TESTS_HIPSIM_CODE_OBJECT_H
#define TESTS_HIPSIM_CODE_OBJECT_H

#include "common/text.h"

/* Compiles tests/hipsim/<source> for a target and appends the code object to *code. 0; 77: hipRTC is not there, or does
 * not know the target; -1: it failed, and stderr says how. */
int test_compile(const char *source, const char *target, struct ckt_text *code);
/* The same with debug information. */
int test_compile_lines(const char *source, const char *target, struct ckt_text *code);

#endif
