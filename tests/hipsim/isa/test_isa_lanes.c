/* Vector instructions over edge values, against references of one lane (isa_lanes.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isa_subject.h"

#define TEST(subject)                                                                                        \
  static void subject(void **state) {                                                                        \
    (void)state;                                                                                             \
    assert_int_equal(isa_run_##subject(), 0);                                                                \
  }
ISA_CASE_SUBJECTS(TEST)
#undef TEST

int main(void) {
  const struct CMUnitTest tests[] = {
#define ROW(subject) cmocka_unit_test(subject),
      ISA_CASE_SUBJECTS(ROW)
#undef ROW
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
