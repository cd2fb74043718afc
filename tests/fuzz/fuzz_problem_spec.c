/* A problem SPEC. What is accepted passes the check, fits into its key, and the key reads back as the same
 * problem. */
#include <stdlib.h>
#include <string.h>

#include "fuzz_target.h"
#include "gen/problem.h"

static void use(const struct ckt_problem *problem, const struct ckt_problem_defaults *defaults) {
  FUZZ_REQUIRE(ckt_problem_check(problem, NULL) == CKT_OK);
  char key[CKT_PROBLEM_KEY_MAX];
  char again[CKT_PROBLEM_KEY_MAX];
  ckt_problem_key(problem, key);
  struct ckt_problem read;
  FUZZ_REQUIRE(ckt_problem_parse(key, defaults, &read, NULL) == CKT_OK);
  ckt_problem_key(&read, again);
  FUZZ_REQUIRE(strcmp(key, again) == 0);
  int64_t output[CKT_AXES];
  ckt_problem_output(problem, output);
  for (int axis = 0; axis < CKT_AXES; axis++)
    FUZZ_REQUIRE(output[axis] > 0);
  FUZZ_REQUIRE(ckt_problem_flops(problem) > 0);
  FUZZ_REQUIRE(ckt_problem_bytes(problem) > 0);
  struct ckt_text text = {0};
  ckt_problem_describe(problem, &text);
  FUZZ_REQUIRE(ckt_text_status(&text, NULL) == CKT_OK);
  ckt_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *spec = fuzz_string(data, size);
  for (int spatial = 2; spatial <= 3; spatial++) {
    const struct ckt_problem_defaults defaults = {
        .direction = CKT_FORWARD, .dtype = CKT_FP16, .spatial = spatial};
    struct ckt_problem problem;
    struct ckt_error error = {0};
    const int status = ckt_problem_parse(spec, &defaults, &problem, &error);
    if (status == CKT_OK)
      use(&problem, &defaults);
    else
      FUZZ_REQUIRE(error.code == status && error.text[0] != '\0');
  }
  free(spec);
  return 0;
}
