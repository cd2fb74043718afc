#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"

int fixture_folder_make(void **state) {
  const char *base = getenv("TMPDIR");
  char path[512];
  snprintf(path, sizeof path, "%s/cktune-results-XXXXXX", base != NULL ? base : "/tmp");
  *state = mkdtemp(path) != NULL ? strdup(path) : NULL;
  return *state != NULL ? 0 : -1;
}

int fixture_folder_remove(void **state) {
  struct ckt_error error = {0};
  const int status = ckt_remove_tree(*state, &error);
  free(*state);
  return status;
}

char *fixture_path(void **state, const char *name) {
  struct ckt_text text = {0};
  struct ckt_error error = {0};
  ckt_text_printf(&text, "%s/%s", (const char *)*state, name);
  char *path = ckt_text_take(&text, &error);
  assert_non_null(path);
  return path;
}

struct ckt_run_setup fixture_setup(const char *identity) {
  return (struct ckt_run_setup){.identity = identity,
                                .command = "cktune --problem 2,64,64,14,14,3,3",
                                .version = "0.1.0",
                                .hip_version = "5.2.21153",
                                .rtc_version = "hiprtc 5.2, comgr 2.4",
                                .kernels_digest = "0123456789abcdef",
                                .device_name = "simulated MI250X",
                                .device_target = "gfx90a:sramecc+:xnack-",
                                .device_arch = "gfx90a",
                                .simulated = true,
                                .compute_units = 104,
                                .memory_bytes = (int64_t)64 << 30,
                                .clock_khz = 1700000,
                                .cache_state = "cold",
                                .init = "normal"};
}

struct ckt_problem fixture_problem(int64_t k) {
  return (struct ckt_problem){.direction = CKT_FORWARD,
                              .dtype = CKT_FP16,
                              .spatial = 2,
                              .g = 1,
                              .n = 2,
                              .k = k,
                              .c = 64,
                              .in = {1, 14, 15},
                              .filter = {1, 3, 5},
                              .stride = {1, 2, 1},
                              .dilation = {1, 1, 2},
                              .pad_left = {0, 1, 2},
                              .pad_right = {0, 1, 3}};
}

void fixture_entry(struct fixture_entry *entry, int64_t index) {
  snprintf(entry->name, sizeof entry->name, "grouped_convolution_forward_tile_nhwgc_fp16_%lld",
           (long long)index);
  snprintf(entry->line, sizeof entry->line, "tile=%lldx128x32 warps=2x2x1 warp_tile=32x32x8",
           64 + (long long)index);
  entry->entry = (struct ckt_instance_entry){.instance = {.direction = CKT_FORWARD,
                                                          .dtype = CKT_FP16,
                                                          .spatial = 2,
                                                          .specialization = CKT_SPEC_DEFAULT,
                                                          .tile = {64 + index, 128, 32},
                                                          .warps = {2, 2, 1},
                                                          .warp_tile = {32, 32, 8},
                                                          .vector = {8, 8, 8},
                                                          .num_wave_groups = 1,
                                                          .num_groups_to_merge = 1,
                                                          .split_k = 1,
                                                          .block_size = 256},
                                             .id = index,
                                             .name = entry->name,
                                             .line = entry->line};
}

struct ckt_measurement fixture_measured(double time_ms) {
  return (struct ckt_measurement){.status = CKT_MEASURED,
                                  .time_ms = time_ms,
                                  .time_min_ms = time_ms,
                                  .time_max_ms = time_ms,
                                  .samples = 1,
                                  .simulated = true,
                                  .method = CKT_METHOD_MODEL,
                                  .tflops = 1.0 / time_ms,
                                  .gbps = 2.0 / time_ms,
                                  .error_ratio = 0.25,
                                  .vgprs = 128,
                                  .agprs = 64,
                                  .sgprs = 40,
                                  .lds_bytes = 16384,
                                  .scratch_bytes = 0,
                                  .workgroups_per_cu = 2};
}

struct ckt_measurement fixture_status(enum ckt_pair_status status, const char *reason) {
  struct ckt_measurement measurement = {.status = status,
                                        .simulated = true,
                                        .method = CKT_METHOD_NONE,
                                        .vgprs = -1,
                                        .agprs = -1,
                                        .sgprs = -1,
                                        .lds_bytes = -1,
                                        .scratch_bytes = -1};
  snprintf(measurement.reason, sizeof measurement.reason, "%s", reason);
  return measurement;
}

struct ckt_store *fixture_open(const char *path) {
  struct ckt_error error = {0};
  struct ckt_store *store = NULL;
  assert_ok(ckt_store_open(path, false, &store, &error), error);
  return store;
}

int64_t fixture_begin(struct ckt_store *store, const char *identity, bool fresh, bool *resumed) {
  struct ckt_error error = {0};
  const struct ckt_run_setup setup = fixture_setup(identity);
  int64_t run = 0;
  bool again = false;
  assert_ok(ckt_store_begin_run(store, &setup, fresh, &run, &again, &error), error);
  if (resumed != NULL)
    *resumed = again;
  return run;
}

void fixture_record(struct ckt_store *store, int64_t run, int64_t k, int64_t index,
                    const struct ckt_measurement *measurement) {
  struct ckt_error error = {0};
  const struct ckt_problem problem = fixture_problem(k);
  struct fixture_entry entry = {0};
  fixture_entry(&entry, index);
  assert_ok(ckt_store_record(store, run, &problem, &entry.entry, "tests.conf", measurement, &error), error);
}
