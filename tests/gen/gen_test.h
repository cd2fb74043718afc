/* What the tests of gen share. */
#ifndef CKT_TESTS_GEN_TEST_H
#define CKT_TESTS_GEN_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "gen/applicable.h"
#include "gen/instance.h"
#include "gen/problem.h"

/* Fails showing both texts when `part` does not stand in `text`. */
static inline void assert_contains(const char *text, const char *part) {
  if (strstr(text, part) == NULL)
    fail_msg("\"%s\" does not say \"%s\"", text, part);
}

static inline struct ckt_problem_defaults defaults_of(enum ckt_dtype dtype) {
  return (struct ckt_problem_defaults){.direction = CKT_FORWARD, .dtype = dtype, .spatial = 2};
}

static inline struct ckt_instance instance_of(const char *line, enum ckt_dtype dtype) {
  const struct ckt_problem_defaults defaults = defaults_of(dtype);
  struct ckt_instance instance;
  struct ckt_error error = {0};
  if (ckt_instance_parse(line, &defaults, &instance, NULL, &error) != CKT_OK)
    fail_msg("%s: %s", line, error.text);
  return instance;
}

static inline struct ckt_problem problem_of(const char *spec, enum ckt_dtype dtype) {
  const struct ckt_problem_defaults defaults = defaults_of(dtype);
  struct ckt_problem problem;
  struct ckt_error error = {0};
  if (ckt_problem_parse(spec, &defaults, &problem, &error) != CKT_OK)
    fail_msg("%s: %s", spec, error.text);
  return problem;
}

/* A file with this content in a fresh place; the test removes it with unlink. */
struct scratch_file {
  char path[64];
};

static inline struct scratch_file scratch_file(const char *content, size_t length) {
  struct scratch_file file = {"/tmp/cktune-test-XXXXXX"};
  const int fd = mkstemp(file.path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, content, length), (ssize_t)length);
  close(fd);
  return file;
}

#endif
