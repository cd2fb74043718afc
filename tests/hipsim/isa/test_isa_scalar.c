/* Scalar instructions: arithmetic against references (isa_scalar.c), program control (isa_program.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isa_program.h"
#include "isa_scalar.h"

static void arithmetic(void **state) {
  (void)state;
  assert_int_equal(isa_run_scalar(), 0);
}

static void program_control(void **state) {
  (void)state;
  isa_run_steps();
}

static void indexed_registers(void **state) {
  (void)state;
  isa_run_indexed();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arithmetic),
      cmocka_unit_test(program_control),
      cmocka_unit_test(indexed_registers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
