/* Exercises the real hipRTC through bench/rtc: a kernel that compiles, headers given by name, one that does not
 * compile (its first error is the sentence, the log is kept), an architecture nobody knows (which may end the
 * process, so a child asks for it), a folder without ROCm, and the version text.
 *
 * hipRTC runs in children: it keeps what it allocates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/rtc.h"

enum { GONE_NO_RTC = 77, GONE_WRONG = 3 }; /* a sanitizer ends a process with 1 */

#define REQUIRE(condition)                                                                                   \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                        \
      return GONE_WRONG;                                                                                     \
    }                                                                                                        \
  } while (0)

/* Runs one function in a child and gives how it ended. */
static int run_in_child(int (*function)(struct ckt_rtc *rtc)) {
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    struct ckt_rtc *rtc = NULL;
    struct ckt_error error = {0};
    if (ckt_rtc_open(NULL, &rtc, &error) != CKT_OK)
      _exit(GONE_NO_RTC);
    const int result = function(rtc);
    ckt_rtc_close(&rtc);
    _exit(result);
  }
  int status = 0;
  assert_true(pid > 0);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  return status;
}

static void assert_child_right(int (*function)(struct ckt_rtc *rtc)) {
  const int status = run_in_child(function);
  assert_true(WIFEXITED(status));
  if (WEXITSTATUS(status) == GONE_NO_RTC)
    skip();
  assert_int_equal(WEXITSTATUS(status), 0);
}

static const char *header_names[] = {"answer.hpp"};
static const char *header_texts[] = {"#define ANSWER 42.0f\n"};
static const struct ckt_headers headers = {.count = 1, .names = header_names, .texts = header_texts};

static int compile(struct ckt_rtc *rtc, const char *target, const char *source, struct ckt_text *code,
                   struct ckt_text *log, struct ckt_error *error) {
  const struct ckt_rtc_request request = {
      .source = source, .name = "answer.hip", .target = target, .headers = &headers};
  return ckt_rtc_compile(rtc, &request, code, log, error);
}

static int compile_right(struct ckt_rtc *rtc) {
  struct ckt_text code = {0};
  struct ckt_text log = {0};
  struct ckt_error error = {0};
  REQUIRE(
      compile(rtc, "gfx90a",
              "#include \"answer.hpp\"\nextern \"C\" __global__ void answer(float *out) { *out = ANSWER; }\n",
              &code, &log, &error) == CKT_OK);
  REQUIRE(code.length > 64 && memcmp(code.data, "\177ELF", 4) == 0);
  REQUIRE(code.data[18] == (char)224); /* e_machine: EM_AMDGPU */
  ckt_text_free(&code);
  ckt_text_free(&log);
  return 0;
}

static int compile_features(struct ckt_rtc *rtc) {
  struct ckt_text code = {0};
  struct ckt_text log = {0};
  struct ckt_error error = {0};
  REQUIRE(compile(rtc, "gfx90a:sramecc+:xnack-", "extern \"C\" __global__ void nothing() {}\n", &code, &log,
                  &error) == CKT_OK);
  REQUIRE(code.length > 64);
  ckt_text_free(&code);
  ckt_text_free(&log);
  return 0;
}

static int compile_wrong(struct ckt_rtc *rtc) {
  struct ckt_text code = {0};
  struct ckt_text log = {0};
  struct ckt_error error = {0};
  REQUIRE(compile(rtc, "gfx90a", "\nextern \"C\" __global__ void answer(float *out) { *out = nowhere; }\n",
                  &code, &log, &error) == CKT_E_COMPILE);
  REQUIRE(error.code == CKT_E_COMPILE);
  REQUIRE(strncmp(error.text, "answer.hip:2:", strlen("answer.hip:2:")) == 0);
  REQUIRE(strstr(error.text, "undeclared identifier 'nowhere'") != NULL);
  REQUIRE(strchr(error.text, '\n') == NULL && strchr(error.text, '/') == NULL);
  REQUIRE(code.length == 0);
  REQUIRE(strstr(ckt_text_string(&log), "nowhere") != NULL);
  ckt_text_free(&log);
  return 0;
}

/* One that was refused must not harm the next. */
static int compile_after_wrong(struct ckt_rtc *rtc) {
  const int wrong = compile_wrong(rtc);
  return wrong != 0 ? wrong : compile_right(rtc);
}

static int compile_missing_header(struct ckt_rtc *rtc) {
  struct ckt_text code = {0};
  struct ckt_text log = {0};
  struct ckt_error error = {0};
  REQUIRE(compile(rtc, "gfx90a", "#include \"nowhere.hpp\"\n", &code, &log, &error) == CKT_E_COMPILE);
  REQUIRE(strncmp(error.text, "answer.hip:1:", strlen("answer.hip:1:")) == 0);
  REQUIRE(strstr(error.text, "nowhere.hpp") != NULL && strstr(error.text, "fatal") == NULL);
  ckt_text_free(&log);
  return 0;
}

static int compile_unknown_arch(struct ckt_rtc *rtc) {
  struct ckt_text code = {0};
  struct ckt_text log = {0};
  struct ckt_error error = {0};
  /* what an aborting child says is of no use in the test's output */
  const int null = open("/dev/null", O_WRONLY);
  REQUIRE(null >= 0 && dup2(null, STDERR_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0);
  const int status =
      compile(rtc, "gfx1234", "extern \"C\" __global__ void nothing() {}\n", &code, &log, &error);
  return status == CKT_OK ? GONE_WRONG : 0;
}

static void test_compiles(void **state) {
  (void)state;
  assert_child_right(compile_right);
}

static void test_target_with_features(void **state) {
  (void)state;
  assert_child_right(compile_features);
}

static void test_first_error_is_the_sentence(void **state) {
  (void)state;
  assert_child_right(compile_after_wrong);
}

static void test_missing_header(void **state) {
  (void)state;
  assert_child_right(compile_missing_header);
}

/* Whether hipRTC refuses or dies depends on its version; this process goes on in both cases, and no version
 * gives a code object. */
static void test_unknown_arch_costs_the_child_only(void **state) {
  (void)state;
  const int status = run_in_child(compile_unknown_arch);
  if (WIFEXITED(status) && WEXITSTATUS(status) == GONE_NO_RTC)
    skip();
  assert_true(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) != GONE_WRONG));
}

static int version_is_readable(struct ckt_rtc *rtc) {
  int rtc_major = 0;
  int rtc_minor = -1;
  int comgr_major = 0;
  int comgr_minor = -1;
  REQUIRE(sscanf(ckt_rtc_version(rtc), "hiprtc %d.%d, comgr %d.%d", &rtc_major, &rtc_minor, &comgr_major,
                 &comgr_minor) == 4);
  REQUIRE(rtc_major >= 5 && rtc_major < 100 && rtc_minor >= 0);
  REQUIRE(comgr_major >= 1 && comgr_minor >= 0);
  REQUIRE(access(ckt_rtc_library(rtc), R_OK) == 0);
  return 0;
}

static void test_version(void **state) {
  (void)state;
  assert_child_right(version_is_readable);
}

static void test_named_folder_is_not_replaced(void **state) {
  (void)state;
  struct ckt_rtc *rtc = NULL;
  struct ckt_error error = {0};
  assert_int_equal(ckt_rtc_open("/nowhere/rocm", &rtc, &error), CKT_E_TOOLCHAIN);
  assert_null(rtc);
  assert_non_null(strstr(error.text, "/nowhere/rocm/lib"));
  assert_non_null(strstr(error.text, "--rocm"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_compiles),
      cmocka_unit_test(test_target_with_features),
      cmocka_unit_test(test_first_error_is_the_sentence),
      cmocka_unit_test(test_missing_header),
      cmocka_unit_test(test_unknown_arch_costs_the_child_only),
      cmocka_unit_test(test_version),
      cmocka_unit_test(test_named_folder_is_not_replaced),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
