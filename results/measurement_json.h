/* A measurement as JSON: what a run worker sends, and what a candidate in the run's document carries.
 *
 * The fields have the members' names; "timer" is "hipEvent" or "model". Numbers are finite and whole ones
 * within 2^53, except error_ratio, which is the text "inf", "-inf" or "nan" when it is no finite number. */
#ifndef CKT_RESULTS_MEASUREMENT_JSON_H
#define CKT_RESULTS_MEASUREMENT_JSON_H

#include <cjson/cJSON.h>

#include "common/error.h"
#include "gen/measurement.h"

/* Adds the measurement's fields to an object. A reason that is not UTF-8 is made so, byte by byte. */
int ckt_measurement_to_json(const struct ckt_measurement *measurement, cJSON *object,
                            struct ckt_error *error);
/* Reads them back; CKT_E_INPUT names the field that is missing or of the wrong kind. Fields it does
 * not know are left alone, since other things may stand beside them; *measurement is untouched on failure. */
int ckt_measurement_from_json(const cJSON *object, struct ckt_measurement *measurement,
                              struct ckt_error *error);

#endif
