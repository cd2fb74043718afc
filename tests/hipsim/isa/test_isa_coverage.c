/* Every row of the instruction table that can be executed has a case that proves its result (isa_coverage.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "isa_assemble.h"
#include "isa_coverage.h"

static const struct subject {
  const char *name;
  uint32_t formats;
  const char *(*proven)(size_t);
} subjects[] = {
#define ROW(subject, formats) {#subject, formats, isa_proven_##subject},
    ISA_SUBJECTS(ROW)
#undef ROW
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static bool proven[SIM_OP_COUNT];

static void subjects_name_instructions(void **state) {
  (void)state;
  const char *name;
  for (size_t s = 0; s < SUBJECTS; s++)
    for (size_t i = 0; (name = subjects[s].proven(i)) != NULL; i++) {
      enum sim_op op = isa_find(name);
      if (op == SIM_OP_UNKNOWN)
        fail_msg("%s proves %s, which the instruction table does not have", subjects[s].name, name);
      proven[op] = true;
    }
}

static void every_row_is_proven(void **state) {
  (void)state;
  uint32_t formats = 0;
  unsigned missing = 0;
  for (size_t s = 0; s < SUBJECTS; s++)
    formats |= subjects[s].formats;
  for (unsigned arch = 0; arch < SIM_ARCHS; arch++)
    for (unsigned op = 1; op < SIM_OP_COUNT; op++)
      if (sim_info[op].runs && sim_info[op].opcode[arch] >= 0 && formats >> sim_info[op].format & 1 &&
          !proven[op]) {
        fprintf(stderr, "%s: no case proves %s\n", isa_arch_name((enum sim_arch)arch), sim_info[op].name);
        missing++;
      }
  assert_int_equal(missing, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(subjects_name_instructions),
      cmocka_unit_test(every_row_is_proven),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
