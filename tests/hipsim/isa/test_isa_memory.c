/* Memory instructions against references that know bytes, on every handler variant (isa_access.h, isa_lds.c, isa_smem.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isa_memory.h"

#define TEST(subject)                                                                                        \
  static void subject(void **state) {                                                                        \
    (void)state;                                                                                             \
    assert_int_equal(isa_run_##subject(), 0);                                                                \
  }
ISA_MEMORY_SUBJECTS(TEST)
#undef TEST

int main(void) {
  const struct CMUnitTest tests[] = {
#define ROW(subject) cmocka_unit_test(subject),
      ISA_MEMORY_SUBJECTS(ROW)
#undef ROW
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
