#include "results/measurement_json.h"

#include <math.h>
#include <string.h>

#include "common/number.h"
#include "results/json_number.h"
#include "results/measurement_fields.h"

/* Beyond it a double does not hold every integer, and a JSON number is a double to most readers. */
#define LARGEST_INTEGER ((int64_t)1 << 53)

static int check_plain_numbers(const struct ckt_measurement *measurement, struct ckt_error *error) {
#define ROW(member)                                                                                          \
  if (!isfinite(measurement->member))                                                                        \
    return ckt_fail(error, CKT_E_INTERNAL, "a measurement has " #member " = %g, which JSON cannot hold",     \
                    measurement->member);
  CKT_MEASUREMENT_REALS(ROW)
#undef ROW
#define ROW(member)                                                                                          \
  if (measurement->member > LARGEST_INTEGER || measurement->member < -LARGEST_INTEGER)                       \
    return ckt_fail(error, CKT_E_INTERNAL, "a measurement has " #member " = %lld, beyond 2^53",              \
                    (long long)measurement->member);
  CKT_MEASUREMENT_INTEGERS(ROW)
#undef ROW
  return CKT_OK;
}

int ckt_measurement_to_json(const struct ckt_measurement *measurement, cJSON *object,
                            struct ckt_error *error) {
  CKT_TRY(check_plain_numbers(measurement, error));
  bool added = ckt_json_add_text(object, "status", ckt_status_word(measurement->status));
  added &= ckt_json_add_text(object, "reason", measurement->reason);
  added &= ckt_json_add_text(object, "timer", measurement->simulated ? CKT_TIMER_MODEL : CKT_TIMER_HIP_EVENT);
  added &= ckt_json_add_text(object, "method", ckt_method_word(measurement->method));
  added &= ckt_json_add_f64(object, "error_ratio", measurement->error_ratio);
#define ROW(member) added &= ckt_json_add_f64(object, #member, measurement->member);
  CKT_MEASUREMENT_REALS(ROW)
#undef ROW
#define ROW(member) added &= ckt_json_add_i64(object, #member, measurement->member);
  CKT_MEASUREMENT_INTEGERS(ROW)
#undef ROW
  return added ? CKT_OK : ckt_fail(error, CKT_E_NOMEM, "memory ran out");
}

static int missing(const char *name, const char *expected, const cJSON *item, struct ckt_error *error) {
  return ckt_fail(error, CKT_E_INPUT, "the measurement's field \"%s\" is %s; %s was expected", name,
                  item == NULL ? "missing" : "of the wrong kind or out of range", expected);
}

static int read_text(const cJSON *object, const char *name, const char **text, struct ckt_error *error) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  if (!cJSON_IsString(item))
    return missing(name, "a text", item, error);
  *text = item->valuestring;
  return CKT_OK;
}

/* A number that was read, or one that ckt_json_add_... has just put there as raw text. */
static bool number_of(const cJSON *item, double *value) {
  if (cJSON_IsRaw(item))
    return ckt_parse_f64(item->valuestring, strlen(item->valuestring), value) == CKT_NUMBER_OK;
  if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble))
    return false;
  *value = item->valuedouble;
  return true;
}

static int read_f64(const cJSON *object, const char *name, double *value, struct ckt_error *error) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  return number_of(item, value) ? CKT_OK : missing(name, "a finite number", item, error);
}

static int read_i64(const cJSON *object, const char *name, int64_t *value, struct ckt_error *error) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  double number = 0;
  if (!number_of(item, &number) || fabs(number) > (double)LARGEST_INTEGER || number != trunc(number))
    return missing(name, "a whole number of at most 2^53", item, error);
  *value = (int64_t)number;
  return CKT_OK;
}

static int read_error_ratio(const cJSON *object, double *value, struct ckt_error *error) {
  static const struct {
    const char *word;
    double value;
  } words[] = {{"inf", INFINITY}, {"-inf", -INFINITY}, {"nan", NAN}};
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "error_ratio");
  if (!cJSON_IsString(item))
    return read_f64(object, "error_ratio", value, error);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(item->valuestring, words[i].word) == 0) {
      *value = words[i].value;
      return CKT_OK;
    }
  return missing("error_ratio", "a number, \"inf\", \"-inf\" or \"nan\"", item, error);
}

static int read_words(const cJSON *object, struct ckt_measurement *measurement, struct ckt_error *error) {
  const char *word = "";
  CKT_TRY(read_text(object, "status", &word, error));
  const int status = ckt_status_parse(word);
  if (status < 0)
    return ckt_fail(error, CKT_E_INPUT, "the measurement's status is \"%.40s\", which is none that is known",
                    word);
  measurement->status = (enum ckt_pair_status)status;
  CKT_TRY(read_text(object, "method", &word, error));
  const int method = ckt_method_parse(word);
  if (method < 0)
    return ckt_fail(error, CKT_E_INPUT, "the measurement's method is \"%.40s\", which is none that is known",
                    word);
  measurement->method = (enum ckt_method)method;
  CKT_TRY(read_text(object, "timer", &word, error));
  measurement->simulated = strcmp(word, CKT_TIMER_MODEL) == 0;
  if (!measurement->simulated && strcmp(word, CKT_TIMER_HIP_EVENT) != 0)
    return ckt_fail(error, CKT_E_INPUT,
                    "the measurement's timer is \"%.40s\"; \"" CKT_TIMER_MODEL "\" or \"" CKT_TIMER_HIP_EVENT
                    "\" was expected",
                    word);
  CKT_TRY(read_text(object, "reason", &word, error));
  const size_t length = strlen(word);
  if (length >= sizeof measurement->reason)
    return ckt_fail(error, CKT_E_INPUT, "the measurement's reason has %zu bytes; at most %zu were expected",
                    length, sizeof measurement->reason - 1);
  memcpy(measurement->reason, word, length + 1);
  return CKT_OK;
}

int ckt_measurement_from_json(const cJSON *object, struct ckt_measurement *measurement,
                              struct ckt_error *error) {
  if (!cJSON_IsObject(object))
    return ckt_fail(error, CKT_E_INPUT, "a measurement must be a JSON object");
  struct ckt_measurement read = {0};
  CKT_TRY(read_words(object, &read, error));
  CKT_TRY(read_error_ratio(object, &read.error_ratio, error));
#define ROW(member) CKT_TRY(read_f64(object, #member, &read.member, error));
  CKT_MEASUREMENT_REALS(ROW)
#undef ROW
#define ROW(member) CKT_TRY(read_i64(object, #member, &read.member, error));
  CKT_MEASUREMENT_INTEGERS(ROW)
#undef ROW
  *measurement = read;
  return CKT_OK;
}
