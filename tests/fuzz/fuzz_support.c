#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_target.h"

_Noreturn void fuzz_stop(const char *condition, const char *file, int line) {
  fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
  abort();
}

char *fuzz_string(const uint8_t *data, size_t size) {
  char *string = malloc(size + 1);
  FUZZ_REQUIRE(string != NULL);
  if (size > 0)
    memcpy(string, data, size);
  string[size] = '\0';
  return string;
}

int fuzz_file(const uint8_t *data, size_t size, char path[32]) {
  const int fd = memfd_create("fuzz", MFD_CLOEXEC);
  FUZZ_REQUIRE(fd >= 0);
  FUZZ_REQUIRE(write(fd, data, size) == (ssize_t)size);
  snprintf(path, 32, "/proc/self/fd/%d", fd);
  return fd;
}
