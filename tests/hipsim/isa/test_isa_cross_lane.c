/* Instructions in which lanes see one another, and divisions by the compiler's sequences (isa_cross_lane.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isa_cross_lane.h"

static void data_parallel_primitives(void **state) {
  (void)state;
  isa_run_dpp();
}

static void single_lanes(void **state) {
  (void)state;
  isa_run_lanes();
}

static void divisions_are_rounded_once(void **state) {
  (void)state;
  isa_run_divisions();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(data_parallel_primitives),
      cmocka_unit_test(single_lanes),
      cmocka_unit_test(divisions_are_rounded_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
