/* Exercises: --device and --arch, the look for a GPU in the kernel driver's topology (made up in a temporary
 * folder), never simulating unasked for an upload, and the default number of compile processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/file.h"
#include "driver/device_choice.h"
#include "driver/jobs.h"

static char folder[] = "/tmp/cktune-test-XXXXXX";
static char empty[128], cpu_only[128], with_gpu[128];

static void write_node(const char *topology, int node, const char *content) {
  char path[256];
  snprintf(path, sizeof path, "%s/%d/properties", topology, node);
  assert_int_equal(ckt_file_write(path, content, strlen(content), NULL), CKT_OK);
}

static int make_topologies(void **state) {
  (void)state;
  assert_non_null(mkdtemp(folder));
  snprintf(empty, sizeof empty, "%s/empty", folder);
  snprintf(cpu_only, sizeof cpu_only, "%s/cpu", folder);
  snprintf(with_gpu, sizeof with_gpu, "%s/gpu", folder);
  write_node(cpu_only, 0, "cpu_cores_count 64\nsimd_count 0\nmem_banks_count 1\n");
  write_node(with_gpu, 0, "cpu_cores_count 64\nsimd_count 0\n");
  write_node(with_gpu, 1, "cpu_cores_count 0\nsimd_count 440\nmem_banks_count 1\n");
  return 0;
}

static int remove_topologies(void **state) {
  (void)state;
  return ckt_remove_tree(folder, NULL);
}

static int choose(const char *device, const char *arch, bool upload, const char *topology,
                  struct ckt_device_choice *choice, struct ckt_error *error) {
  const struct ckt_device_wish wish = {
      .device = device, .arch = arch, .upload = upload, .topology = topology};
  return ckt_device_choose(&wish, choice, error);
}

static void gpus_are_seen(void **state) {
  (void)state;
  assert_false(ckt_gpu_present(empty));
  assert_false(ckt_gpu_present(cpu_only));
  assert_true(ckt_gpu_present(with_gpu));
}

static void unasked(void **state) {
  (void)state;
  struct ckt_device_choice choice;
  struct ckt_error error = {0};
  assert_int_equal(choose(NULL, NULL, false, cpu_only, &choice, &error), CKT_OK);
  assert_true(choice.simulated && choice.fallback);
  assert_string_equal(choice.sim_device, "gfx90a");
  assert_int_equal(choose(NULL, "gfx908", false, empty, &choice, &error), CKT_OK);
  assert_string_equal(choice.sim_device, "gfx908");
  assert_int_equal(choose(NULL, NULL, false, with_gpu, &choice, &error), CKT_OK);
  assert_false(choice.simulated || choice.fallback);
  assert_int_equal(choose(NULL, NULL, true, cpu_only, &choice, &error), CKT_E_DEVICE);
  assert_non_null(strstr(error.text, "--device sim"));
}

static void asked(void **state) {
  (void)state;
  struct ckt_device_choice choice;
  struct ckt_error error = {0};
  assert_int_equal(choose("hip:3", NULL, true, empty, &choice, &error), CKT_OK);
  assert_true(!choice.simulated && choice.index == 3);
  assert_int_equal(choose("sim", NULL, true, with_gpu, &choice, &error), CKT_OK);
  assert_true(choice.simulated && !choice.fallback);
  assert_int_equal(choose("sim:gfx942", "gfx942", false, with_gpu, &choice, &error), CKT_OK);
  assert_string_equal(choice.sim_device, "gfx942");
}

static void refused(void **state) {
  (void)state;
  static const char *const devices[] = {"gpu",      "hip:", "hip:x", "hip:-1",
                                        "hip:4096", "sim:", "",      "simgfx90a"};
  struct ckt_device_choice choice;
  struct ckt_error error = {0};
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
    assert_int_equal(choose(devices[i], NULL, false, empty, &choice, &error), CKT_E_USAGE);
    assert_non_null(strstr(error.text, devices[i]));
  }
  assert_int_equal(choose("sim:gfx90a", "gfx942", false, empty, &choice, &error), CKT_E_USAGE);
  assert_non_null(strstr(error.text, "gfx942"));
}

static void jobs_heed_every_limit(void **state) {
  (void)state;
  const int64_t gib = (int64_t)1 << 30;
  assert_int_equal(ckt_jobs_from(8, -1, -1), 8);
  assert_int_equal(ckt_jobs_from(8, 2.5, -1), 2);
  assert_int_equal(ckt_jobs_from(8, 0.5, -1), 1);
  assert_int_equal(ckt_jobs_from(8, -1, 2 * gib), 3); /* one share is the run worker's */
  assert_int_equal(ckt_jobs_from(8, -1, 0), 1);
  assert_int_equal(ckt_jobs_from(100000, -1, -1), CKT_JOBS_MAX);
  assert_in_range(ckt_jobs_default(), 1, CKT_JOBS_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gpus_are_seen),
      cmocka_unit_test(unasked),
      cmocka_unit_test(asked),
      cmocka_unit_test(refused),
      cmocka_unit_test(jobs_heed_every_limit),
  };
  return cmocka_run_group_tests(tests, make_topologies, remove_topologies);
}
