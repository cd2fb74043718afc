#include "results/json_number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"

bool ckt_json_add_f64(cJSON *object, const char *name, double value) {
  if (isnan(value))
    return cJSON_AddStringToObject(object, name, "nan") != NULL;
  if (isinf(value))
    return cJSON_AddStringToObject(object, name, value > 0 ? "inf" : "-inf") != NULL;
  char text[40];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    char *comma = strchr(text, ','); /* a locale's decimal point */
    if (comma != NULL)
      *comma = '.';
    double back;
    if (ckt_parse_f64(text, strlen(text), &back) == CKT_NUMBER_OK && back == value)
      break;
  }
  return cJSON_AddRawToObject(object, name, text) != NULL;
}

bool ckt_json_add_i64(cJSON *object, const char *name, int64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%" PRId64, value);
  return cJSON_AddRawToObject(object, name, text) != NULL;
}

/* Bytes of the well-formed sequence at `at` (Unicode 15, table 3-7), 0 when there is none. */
static size_t utf8_sequence(const unsigned char *at) {
  if (at[0] < 0x80)
    return 1;
  size_t length = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xbf;
  if (at[0] >= 0xc2 && at[0] <= 0xdf)
    length = 2;
  else if ((at[0] & 0xf0) == 0xe0) {
    length = 3;
    low = at[0] == 0xe0 ? 0xa0 : 0x80;
    high = at[0] == 0xed ? 0x9f : 0xbf;
  } else if (at[0] >= 0xf0 && at[0] <= 0xf4) {
    length = 4;
    low = at[0] == 0xf0 ? 0x90 : 0x80;
    high = at[0] == 0xf4 ? 0x8f : 0xbf;
  }
  if (length == 0 || at[1] < low || at[1] > high)
    return 0;
  for (size_t i = 2; i < length; i++)
    if ((at[i] & 0xc0) != 0x80) /* the NUL at the end stops here too */
      return 0;
  return length;
}

bool ckt_json_add_text(cJSON *object, const char *name, const char *text) {
  if (text == NULL)
    return cJSON_AddNullToObject(object, name) != NULL;
  char *clean = strdup(text);
  if (clean == NULL)
    return false;
  for (size_t at = 0; clean[at] != '\0';) {
    const size_t length = utf8_sequence((const unsigned char *)clean + at);
    if (length == 0)
      clean[at] = '?';
    at += length == 0 ? 1 : length;
  }
  const bool added = cJSON_AddStringToObject(object, name, clean) != NULL;
  free(clean);
  return added;
}
