/* A list by the rules of Composable Kernel's generator, as each direction: every line has its outcome, every outcome is
 * one JSON object, every fault one sentence with a column inside the line or just behind it. */
#include <cjson/cJSON.h>
#include <string.h>
#include <unistd.h>

#include "fuzz_target.h"
#include "gen/outcome_json.h"

static void check_fault(const struct ckt_line_outcome *outcome) {
  FUZZ_REQUIRE(outcome->sentence[0] != '\0' && strchr(outcome->sentence, '\n') == NULL);
  FUZZ_REQUIRE(outcome->column >= 1 && outcome->column <= outcome->text.length + 1);
  FUZZ_REQUIRE(outcome->error_type != NULL && outcome->reason != NULL);
}

static void check_json(const struct ckt_line_outcome *outcome) {
  struct ckt_text text = {0};
  ckt_outcome_json(outcome, CKT_RULES_SEED, &text);
  FUZZ_REQUIRE(ckt_text_status(&text, NULL) == CKT_OK);
  const char *string = ckt_text_string(&text);
  FUZZ_REQUIRE(strchr(string, '\n') == string + text.length - 1);
  cJSON *object = cJSON_Parse(string);
  FUZZ_REQUIRE(object != NULL);
  FUZZ_REQUIRE((int64_t)cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, "line")) ==
               outcome->line);
  cJSON_Delete(object);
  ckt_text_free(&text);
}

static void read_as(const char *path, enum ckt_direction direction) {
  const struct ckt_outcome_request request = {.rules = CKT_RULES_SEED, .kind = {direction, CKT_FP16, 2}};
  struct ckt_outcome_list list;
  size_t sum = 0;
  FUZZ_REQUIRE(ckt_outcomes_read(path, &request, &list, NULL) == CKT_OK);
  for (size_t i = 0; i < list.count; i++) {
    FUZZ_REQUIRE(list.items[i].line == (int64_t)i);
    if (list.items[i].status == CKT_OUTCOME_ERROR)
      check_fault(&list.items[i]);
    check_json(&list.items[i]);
  }
  for (int i = 0; i < CKT_OUTCOME_STATUS_COUNT; i++)
    sum += list.counts[i];
  FUZZ_REQUIRE(sum == list.count);
  ckt_outcomes_free(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (int direction = 0; direction < 3; direction++) {
    char path[32];
    const int fd = fuzz_file(data, size, path);
    read_as(path, (enum ckt_direction)direction);
    close(fd);
  }
  return 0;
}
