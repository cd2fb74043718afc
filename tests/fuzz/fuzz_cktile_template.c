/* A template of the CK Tile target: what has no word comes out as it is, line ends are \n alone; a fault is one
 * sentence. */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "fuzz_target.h"
#include "gen/emit_cktile.h"

static bool holds(const uint8_t *data, size_t size, const char *part) {
  return size > 0 && memmem(data, size, part, strlen(part)) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[32];
  const int fd = fuzz_file(data, size, path);
  const struct ckt_problem_defaults kind = {.direction = CKT_FORWARD, .dtype = CKT_FP16, .spatial = 2};
  const struct ckt_cktile_names names = ckt_cktile_names_of(&kind);
  const struct ckt_line_outcome outcome = {.line = 7, .status = CKT_OUTCOME_INSTANCE};
  struct ckt_cktile_template template;
  struct ckt_text text = {0};
  struct ckt_error error = {0};
  if (ckt_cktile_template_read(path, &template, &error) == CKT_OK) {
    ckt_emit_cktile_source(&template, &names, &outcome, &text);
    FUZZ_REQUIRE(!holds((const uint8_t *)ckt_text_string(&text), text.length, "\r"));
    if (!holds(data, size, "gen_") && !holds(data, size, "\r"))
      FUZZ_REQUIRE(text.length == size && (size == 0 || memcmp(text.data, data, size) == 0));
  } else {
    FUZZ_REQUIRE(error.text[0] != '\0' && strchr(error.text, '\n') == NULL);
  }
  ckt_text_free(&text);
  ckt_cktile_template_free(&template);
  close(fd);
  return 0;
}
