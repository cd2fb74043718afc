/* The plain numbers of a ckt_measurement, written once for the store's columns and for JSON. The name of a
 * member is its column and its JSON field. The rest (status, reason, timer, method, error_ratio) needs a
 * conversion of its own. */
#ifndef CKT_RESULTS_MEASUREMENT_FIELDS_H
#define CKT_RESULTS_MEASUREMENT_FIELDS_H

#define CKT_MEASUREMENT_REALS(ROW)                                                                           \
  ROW(time_ms)                                                                                               \
  ROW(time_min_ms)                                                                                           \
  ROW(time_max_ms)                                                                                           \
  ROW(time_stddev_ms)                                                                                        \
  ROW(tflops)                                                                                                \
  ROW(gbps)                                                                                                  \
  ROW(compile_seconds)                                                                                       \
  ROW(run_seconds)                                                                                           \
  ROW(launch_seconds)

#define CKT_MEASUREMENT_INTEGERS(ROW)                                                                        \
  ROW(samples)                                                                                               \
  ROW(samples_dropped)                                                                                       \
  ROW(wrong_elements)                                                                                        \
  ROW(worst_index)                                                                                           \
  ROW(vgprs)                                                                                                 \
  ROW(agprs)                                                                                                 \
  ROW(sgprs)                                                                                                 \
  ROW(lds_bytes)                                                                                             \
  ROW(scratch_bytes)                                                                                         \
  ROW(workgroups_per_cu)

/* The timer's word, from ckt_measurement.simulated. */
#define CKT_TIMER_MODEL     "model"
#define CKT_TIMER_HIP_EVENT "hipEvent"

#endif
