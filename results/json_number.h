/* JSON values that cJSON alone would write with loss: doubles to the last bit, 64-bit integers, text that is not
 * valid UTF-8.
 *
 * All add a field to an object and return false when memory ran out. Numbers are added as raw JSON text. */
#ifndef CKT_RESULTS_JSON_NUMBER_H
#define CKT_RESULTS_JSON_NUMBER_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* The shortest text that reads back as the same double; "inf", "-inf" and "nan" as strings, since JSON has no
 * such numbers. */
bool ckt_json_add_f64(cJSON *object, const char *name, double value);
bool ckt_json_add_i64(cJSON *object, const char *name, int64_t value);
/* Bytes that are not UTF-8 become '?', so that the length stays. NULL is written as null. */
bool ckt_json_add_text(cJSON *object, const char *name, const char *text);

#endif
