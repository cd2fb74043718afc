/* Places: the program's own data beside the executable, the user's by the XDG rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/place.h"

static void expect(char *place, const char *expected) {
  assert_non_null(place);
  assert_string_equal(place, expected);
  free(place);
}

static void finds_what_lies_beside_the_executable(void **state) {
  (void)state;
  expect(ckt_place_executable(NULL), CKT_BINARY_DIR "/bin/test_common_place");
  expect(ckt_place_library("libhipsim.so", NULL), CKT_BINARY_DIR "/lib/cktune/libhipsim.so");
  expect(ckt_place_data("configs/forward", NULL), CKT_BINARY_DIR "/share/cktune/configs/forward");
  assert_int_equal(chdir("/"), 0); /* the current folder plays no part */
  expect(ckt_place_data("kernels", NULL), CKT_BINARY_DIR "/share/cktune/kernels");
}

static void follows_xdg(void **state) {
  (void)state;
  setenv("HOME", "/home/some one", 1);
  setenv("XDG_CACHE_HOME", "/c", 1);
  setenv("XDG_DATA_HOME", "/d", 1);
  expect(ckt_place_cache("code", NULL), "/c/cktune/code");
  expect(ckt_place_user_data("store.db", NULL), "/d/cktune/store.db");
  static const char *const ignored[] = {"", "relative/folder"};
  for (size_t i = 0; i < 2; i++) {
    setenv("XDG_CACHE_HOME", ignored[i], 1);
    setenv("XDG_DATA_HOME", ignored[i], 1);
    expect(ckt_place_cache("code", NULL), "/home/some one/.cache/cktune/code");
    expect(ckt_place_user_data("store.db", NULL), "/home/some one/.local/share/cktune/store.db");
  }
  unsetenv("XDG_CACHE_HOME");
  expect(ckt_place_cache("code", NULL), "/home/some one/.cache/cktune/code");
}

/* Without a usable HOME the user's entry in the password file gives one. */
static void finds_a_home_without_the_variable(void **state) {
  (void)state;
  static const char *const unusable[] = {NULL, "", "relative"};
  for (size_t i = 0; i < 3; i++) {
    if (unusable[i] == NULL)
      unsetenv("HOME");
    else
      setenv("HOME", unusable[i], 1);
    unsetenv("XDG_CACHE_HOME");
    char *place = ckt_place_cache("code", NULL);
    assert_non_null(place);
    assert_int_equal(place[0], '/');
    assert_non_null(strstr(place, "/.cache/cktune/code"));
    free(place);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_what_lies_beside_the_executable),
      cmocka_unit_test(follows_xdg),
      cmocka_unit_test(finds_a_home_without_the_variable),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
