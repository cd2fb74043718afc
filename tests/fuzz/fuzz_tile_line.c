/* The fields of CK Tile's notation, inside the name of each kernel. What is accepted has a key that reads back as the
 * same instance; what is not names a column inside the line or just behind it. */
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "fuzz_target.h"
#include "gen/instance.h"

static void read_line(const char *line, const struct ckt_problem_defaults *kind) {
  struct ckt_instance instance;
  struct ckt_error error = {0};
  size_t column = 0;
  if (ckt_instance_parse(line, kind, &instance, &column, &error) != CKT_OK) {
    FUZZ_REQUIRE(error.text[0] != '\0' && column >= 1 && column <= strlen(line) + 1);
    return;
  }
  char key[CKT_INSTANCE_KEY_MAX];
  char again[CKT_INSTANCE_KEY_MAX];
  struct ckt_instance read;
  ckt_instance_key(&instance, key);
  FUZZ_REQUIRE(ckt_instance_parse(key, kind, &read, NULL, NULL) == CKT_OK);
  ckt_instance_key(&read, again);
  FUZZ_REQUIRE(strcmp(key, again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const struct {
    const char *name;
    struct ckt_problem_defaults kind;
  } kernels[] = {{"Forward", {CKT_FORWARD, CKT_FP16, 2}},
                 {"BackwardData", {CKT_BACKWARD_DATA, CKT_BF16, 3}},
                 {"BackwardWeight", {CKT_BACKWARD_WEIGHT, CKT_FP32, 2}}};
  char *fields = fuzz_string(data, size);
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
    struct ckt_text line = {0};
    ckt_text_printf(&line, "GroupedConvolution%sKernel<%s>", kernels[i].name, fields);
    read_line(ckt_text_string(&line), &kernels[i].kind);
    ckt_text_free(&line);
  }
  free(fields);
  return 0;
}
