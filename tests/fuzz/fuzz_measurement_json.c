/* A measurement's JSON. What is accepted can be written, and reads back as the same measurement. */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "fuzz_target.h"
#include "results/measurement_json.h"

static char *written(const struct ckt_measurement *measurement) {
  cJSON *object = cJSON_CreateObject();
  FUZZ_REQUIRE(ckt_measurement_to_json(measurement, object, NULL) == CKT_OK);
  char *text = cJSON_PrintUnformatted(object);
  FUZZ_REQUIRE(text != NULL);
  cJSON_Delete(object);
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cJSON *object = cJSON_ParseWithLength((const char *)data, size);
  struct ckt_measurement measurement;
  struct ckt_error error = {0};
  const int status = ckt_measurement_from_json(object, &measurement, &error);
  cJSON_Delete(object);
  if (status != CKT_OK) {
    FUZZ_REQUIRE(error.code == status && error.text[0] != '\0');
    return 0;
  }
  char *text = written(&measurement);
  cJSON *again = cJSON_Parse(text);
  struct ckt_measurement read;
  FUZZ_REQUIRE(ckt_measurement_from_json(again, &read, NULL) == CKT_OK);
  char *second = written(&read);
  FUZZ_REQUIRE(strcmp(text, second) == 0);
  cJSON_free(text);
  cJSON_free(second);
  cJSON_Delete(again);
  return 0;
}
