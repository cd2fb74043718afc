/* One fuzz target: a function that libFuzzer calls with made-up bytes, and replay.c with the seeds. Whatever
 * the bytes are, it must return; what it claims to have understood, it must understand again in its canonical
 * form. */
#ifndef CKT_TESTS_FUZZ_TARGET_H
#define CKT_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stops the process: libFuzzer keeps the input, the replay fails. */
#define FUZZ_REQUIRE(condition)                                                                              \
  do {                                                                                                       \
    if (!(condition))                                                                                        \
      fuzz_stop(#condition, __FILE__, __LINE__);                                                             \
  } while (0)
_Noreturn void fuzz_stop(const char *condition, const char *file, int line);

/* The bytes as a string (ending at the first NUL), to be freed. */
char *fuzz_string(const uint8_t *data, size_t size);
/* The bytes as a file that can be opened by the name `path`; returns a descriptor to be closed. */
int fuzz_file(const uint8_t *data, size_t size, char path[32]);

#endif
