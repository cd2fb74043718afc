/* A measurement as JSON: what a run worker sends, and what a candidate in the run's document carries. */
#ifndef CKT_RESULTS_MEASUREMENT_JSON_H
#define CKT_RESULTS_MEASUREMENT_JSON_H

#include <cjson/cJSON.h>

#include "common/error.h"
#include "gen/measurement.h"

/* Adds the measurement's fields to an object. */
int ckt_measurement_to_json(const struct ckt_measurement *measurement, cJSON *object,
                            struct ckt_error *error);
/* Reads them back; CKT_E_INPUT names the field that is missing or of the wrong kind. */
int ckt_measurement_from_json(const cJSON *object, struct ckt_measurement *measurement,
                              struct ckt_error *error);

#endif
