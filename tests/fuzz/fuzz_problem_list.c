/* A list of problems. Every line is either a problem that passes the check or one sentence in `errors`. */
#include <string.h>
#include <unistd.h>

#include "fuzz_target.h"
#include "gen/problem.h"

static size_t count_lines(const char *text) {
  size_t lines = 0;
  for (const char *at = strchr(text, '\n'); at != NULL; at = strchr(at + 1, '\n'))
    lines++;
  return lines;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[32];
  const int fd = fuzz_file(data, size, path);
  const struct ckt_problem_defaults defaults = {.direction = CKT_FORWARD, .dtype = CKT_FP16, .spatial = 2};
  struct ckt_problem_list list;
  struct ckt_text errors = {0};
  struct ckt_error error = {0};
  if (ckt_problem_list_read(path, &defaults, &list, &errors, &error) == CKT_OK) {
    for (size_t i = 0; i < list.count; i++)
      FUZZ_REQUIRE(ckt_problem_check(&list.items[i], NULL) == CKT_OK);
    FUZZ_REQUIRE(count_lines(ckt_text_string(&errors)) == list.bad_lines);
    ckt_problem_list_free(&list);
  }
  ckt_text_free(&errors);
  close(fd);
  return 0;
}
