#include "code_object.h"

#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/file.h"

extern char **environ;

static int run_compiler(char *source, char *target, char *output, bool lines) {
  char program[] = CKT_BINARY_DIR "/bin/hipsim_compile_source";
  char option[] = "lines";
  char *arguments[] = {program, source, target, output, lines ? option : NULL, NULL};
  pid_t child;
  int status;
  if (posix_spawn(&child, program, NULL, NULL, arguments, environ) != 0 ||
      waitpid(child, &status, 0) != child)
    return -1;
  if (!WIFEXITED(status))
    return -1;
  return WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77 ? WEXITSTATUS(status) : -1;
}

/* Whether the installed compiler knows the target's architecture; hipRTC would end its process over another. */
static bool can_compile_for(const char *target) {
  char wanted[64];
  snprintf(wanted, sizeof wanted, ",%.*s,", (int)strcspn(target, ":"), target);
  return strstr(CKT_TEST_ARCHS, wanted) != NULL;
}

static int compile(const char *source, const char *target, bool lines, struct ckt_text *code) {
  char path[512], wanted[128], output[] = "/tmp/hipsim-test-XXXXXX";
  struct ckt_error error;
  if (!can_compile_for(target))
    return 77;
  snprintf(path, sizeof path, "%s/tests/hipsim/%s", CKT_SOURCE_DIR, source);
  snprintf(wanted, sizeof wanted, "%s", target);
  const int descriptor = mkstemp(output);
  if (descriptor < 0)
    return -1;
  close(descriptor);
  int status = run_compiler(path, wanted, output, lines);
  if (status == 0 && ckt_file_read(output, code, &error) != CKT_OK) {
    fprintf(stderr, "%s\n", error.text);
    status = -1;
  }
  unlink(output);
  return status;
}

int test_compile(const char *source, const char *target, struct ckt_text *code) {
  return compile(source, target, false, code);
}

int test_compile_lines(const char *source, const char *target, struct ckt_text *code) {
  return compile(source, target, true, code);
}
