/* A line of an instance list, in either notation. What is accepted has a key that reads back as the same
 * instance; what is not names a column inside the line or just behind it. */
#include <stdlib.h>
#include <string.h>

#include "fuzz_target.h"
#include "gen/instance.h"

static void read_line(const char *line, const struct ckt_problem_defaults *defaults) {
  struct ckt_instance instance;
  struct ckt_error error = {0};
  size_t column = 0;
  const int status = ckt_instance_parse(line, defaults, &instance, &column, &error);
  if (status != CKT_OK) {
    FUZZ_REQUIRE(error.code == status && error.text[0] != '\0');
    FUZZ_REQUIRE(column <= strlen(line) + 1);
    return;
  }
  char key[CKT_INSTANCE_KEY_MAX];
  char again[CKT_INSTANCE_KEY_MAX];
  ckt_instance_key(&instance, key);
  struct ckt_instance read;
  FUZZ_REQUIRE(ckt_instance_parse(key, defaults, &read, NULL, NULL) == CKT_OK);
  ckt_instance_key(&read, again);
  FUZZ_REQUIRE(strcmp(key, again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *line = fuzz_string(data, size);
  static const struct ckt_problem_defaults defaults[] = {
      {.direction = CKT_FORWARD, .dtype = CKT_FP16, .spatial = 2},
      {.direction = CKT_FORWARD, .dtype = CKT_FP32, .spatial = 2},
      {.direction = CKT_BACKWARD_WEIGHT, .dtype = CKT_BF16, .spatial = 3},
      {.direction = CKT_BACKWARD_WEIGHT, .dtype = CKT_FP16, .spatial = 2},
      {.direction = CKT_BACKWARD_DATA, .dtype = CKT_FP16, .spatial = 2},
  };
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
    read_line(line, &defaults[i]);
  free(line);
  return 0;
}
