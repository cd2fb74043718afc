/* The store: one SQLite file that keeps every run, and answers which instance is the fastest.
 *
 * Tables (STRICT, foreign keys on): toolchains, devices, problems, instances (unique by key), runs,
 * measurements, uploads. Every measurement is committed as it arrives. The coordinator is the only writer;
 * readers may read while it writes (WAL). */
#ifndef CKT_RESULTS_STORE_H
#define CKT_RESULTS_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/text.h"
#include "gen/instance.h"
#include "gen/measurement.h"
#include "gen/problem.h"

#define CKT_STORE_SCHEMA_VERSION 1

struct ckt_store; /* opaque */

/* Opens or makes the file and its folders, and migrates an older schema in place. CKT_E_STORE: it cannot be
 * opened or written, is not a store of ours, or is of a newer version (both versions are named). read_only:
 * it must exist. */
int ckt_store_open(const char *path, bool read_only, struct ckt_store **store, struct ckt_error *error);
void ckt_store_close(struct ckt_store **store);

/* What a run is done with and on; all strings are borrowed. */
struct ckt_run_setup {
  const char *identity; /* hash of the resolved request (DESIGN 4) */
  const char *command;  /* the command line, for people */
  const char *version;  /* cktune's own */
  /* toolchain */
  const char *hip_version; /* "5.2.21153" */
  const char *rtc_version; /* "hiprtc 5.2, comgr 2.4" */
  const char *kernels_digest;
  /* device */
  const char *device_name;
  const char *device_target;
  const char *device_arch;
  bool simulated;
  int64_t compute_units;
  int64_t memory_bytes;
  int64_t clock_khz;
  const char *cache_state; /* "cold" or "warm" */
  const char *init;        /* "normal" or "integer" */
};

/* Continues the newest unfinished run of that identity (*resumed true), else starts one. `fresh` never
 * continues. A run that another living process of this machine works on is not continued: the same command
 * given twice at once makes two runs. Users and passwords in URLs of the command are left out. */
int ckt_store_begin_run(struct ckt_store *store, const struct ckt_run_setup *setup, bool fresh, int64_t *run,
                        bool *resumed, struct ckt_error *error);
int ckt_store_finish_run(struct ckt_store *store, int64_t run, struct ckt_error *error);

/* Records one pair, replacing one already there for this run; commits before it returns. `entry` gives key,
 * id, list name and line. */
int ckt_store_record(struct ckt_store *store, int64_t run, const struct ckt_problem *problem,
                     const struct ckt_instance_entry *entry, const char *list,
                     const struct ckt_measurement *measurement, struct ckt_error *error);

/* A recorded pair, as it comes back. Strings are owned by the list. */
struct ckt_record {
  struct ckt_problem problem;
  char *problem_key;
  char *instance_key;
  char *name;
  char *line;
  int64_t id;
  int64_t run;
  struct ckt_measurement measurement;
  /* of the run: */
  char *device_name, *device_target, *device_arch;
  char *hip_version, *rtc_version;
  char *cache_state;
  char *started; /* "2026-01-31T22:15:00Z" */
};
struct ckt_record_list {
  struct ckt_record *items;
  size_t count;
};
void ckt_record_list_free(struct ckt_record_list *list);

/* All pairs of a run in the order in which they were first recorded; of one problem when `problem_key` is not NULL. */
int ckt_store_run_records(struct ckt_store *store, int64_t run, const char *problem_key,
                          struct ckt_record_list *list, struct ckt_error *error);

/* The fastest measured instance per problem, device model, toolchain, cache state and timer, of all runs;
 * equal times are settled by the instance's key. Any filter may be NULL. */
struct ckt_best_filter {
  const char *problem_key;
  const char *device_arch;
  const char *direction; /* "forward" */
  const char *dtype;     /* "fp16" */
};
int ckt_store_best(struct ckt_store *store, const struct ckt_best_filter *filter,
                   struct ckt_record_list *list, struct ckt_error *error);

/* The newest run's id, 0 when there is none. */
int ckt_store_newest_run(struct ckt_store *store, int64_t *run, struct ckt_error *error);

/* One run as it stands in the store; strings owned. */
struct ckt_run_info {
  int64_t id;
  char *identity, *command, *version, *started, *finished; /* finished NULL while it is not */
  char *hip_version, *rtc_version, *kernels_digest;
  char *device_name, *device_target, *device_arch, *cache_state, *init;
  bool simulated;
  int64_t compute_units, memory_bytes, clock_khz;
};
int ckt_store_run_info(struct ckt_store *store, int64_t run, struct ckt_run_info *info,
                       struct ckt_error *error);
void ckt_run_info_free(struct ckt_run_info *info);

/* The upload queue: a document that was to be posted and has not been. The URL is kept without user and
 * password. */
int ckt_store_queue_upload(struct ckt_store *store, int64_t run, const char *url, const char *reason,
                           struct ckt_error *error);
int ckt_store_upload_done(struct ckt_store *store, int64_t run, const char *url, struct ckt_error *error);
struct ckt_upload {
  int64_t run;
  char *url;
  char *reason; /* why the last try failed */
};
struct ckt_upload_list {
  struct ckt_upload *items;
  size_t count;
};
int ckt_store_uploads(struct ckt_store *store, struct ckt_upload_list *list, struct ckt_error *error);
void ckt_upload_list_free(struct ckt_upload_list *list);

#endif
