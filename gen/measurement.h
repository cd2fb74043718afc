/* What became of an (instance, problem) pair. Passive data: written by bench, kept by results, shown by driver. */
#ifndef CKT_GEN_MEASUREMENT_H
#define CKT_GEN_MEASUREMENT_H

#include <stdbool.h>
#include <stdint.h>

/* Rows: name, word in JSON, store and messages. */
#define CKT_STATUSES(ROW)                                                                                    \
  ROW(CKT_MEASURED, "measured")                                                                              \
  ROW(CKT_PRUNED, "pruned")                                                                                  \
  ROW(CKT_NOT_APPLICABLE, "not_applicable")                                                                  \
  ROW(CKT_COMPILE_FAILED, "compile_failed")                                                                  \
  ROW(CKT_COMPILE_TIMEOUT, "compile_timeout")                                                                \
  ROW(CKT_COMPILE_CRASHED, "compile_crashed")                                                                \
  ROW(CKT_WRONG_RESULT, "wrong_result")                                                                      \
  ROW(CKT_RUN_FAILED, "run_failed")                                                                          \
  ROW(CKT_RUN_TIMEOUT, "run_timeout")                                                                        \
  ROW(CKT_RUN_CRASHED, "run_crashed")

enum ckt_pair_status {
#define ROW(name, word) name,
  CKT_STATUSES(ROW)
#undef ROW
      CKT_STATUS_COUNT
};

/* Rows: name, word. How the time was taken, in the order of preference: candidates are ranked by one method
 * only, the first that any of them has (results/ranking.h). */
#define CKT_METHODS(ROW)                                                                                     \
  ROW(CKT_METHOD_NONE, "none")                                                                               \
  ROW(CKT_METHOD_MODEL, "model") /* the simulated device's modelled time */                                  \
  ROW(CKT_METHOD_EXT, "ext")     /* hipExtModuleLaunchKernel's own start and stop events */                  \
  ROW(CKT_METHOD_PAIR, "pair")   /* an event before and one after a single launch */                         \
  ROW(CKT_METHOD_BATCH, "batch") /* several launches between two events */

enum ckt_method {
#define ROW(name, word) name,
  CKT_METHODS(ROW)
#undef ROW
      CKT_METHOD_COUNT
};

#define CKT_MEASUREMENT_REASON_MAX 768

struct ckt_measurement {
  enum ckt_pair_status status;
  char reason[CKT_MEASUREMENT_REASON_MAX]; /* "" for measured and pruned */
  /* Time, in milliseconds; all 0 unless measured. */
  double time_ms; /* median of the samples */
  double time_min_ms;
  double time_max_ms;
  double time_stddev_ms;
  int64_t samples;         /* samples that count */
  int64_t samples_dropped; /* of zero or below, never ranked */
  bool simulated;          /* timer is "model" on the simulated device, else "hipEvent" */
  enum ckt_method method;
  double tflops; /* algorithmic FLOPs / time */
  double gbps;   /* least traffic / time */
  /* Verification: the largest |out-ref| / allowed of all elements; <= 1 passes. Valid for measured and
   * wrong_result. */
  double error_ratio;
  int64_t wrong_elements;
  int64_t worst_index; /* linear index in the output tensor */
  /* Code object facts, from its metadata; -1 where unknown. */
  int64_t vgprs, agprs, sgprs, lds_bytes, scratch_bytes;
  int64_t workgroups_per_cu; /* what fits by registers, LDS and waves */
  double compile_seconds;    /* 0 when the code object came from the cache */
  double run_seconds;        /* host time the pair took in the run worker */
  double launch_seconds;     /* host time of the launch that was verified: the simulated device's own speed */
};

const char *ckt_status_word(enum ckt_pair_status status);
/* -1 when the word is not known. */
int ckt_status_parse(const char *word);
const char *ckt_method_word(enum ckt_method method);
int ckt_method_parse(const char *word);

#endif
