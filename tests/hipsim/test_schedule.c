/* HIPSIM_SCHEDULE: kernels that lean on the order of waves give other results under other seeds, one seed gives one
 * result, and right kernels give theirs under all of them. What a launch takes of the host's memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/hipsim/sim_access.h"
#include "bench/hipsim/sim_launch.h"
#include "code_object.h"

enum { SEEDS = 64, WORDS = 256, OUT_BYTES = 4 * WORDS };

static struct ckt_text code;

struct device {
  struct sim_settings settings;
  struct sim_memory *memory;
  struct sim_module *module;
  uint64_t out;
  struct sim_fault fault;
};

static void open_device(struct device *device) {
  struct ckt_error error;
  *device = (struct device){.settings = {.model = sim_model_find("gfx90a"), .threads = 2, .budget = 1000000}};
  device->memory = sim_memory_create((uint64_t)1 << 30);
  assert_non_null(device->memory);
  assert_int_equal(
      sim_module_load(device->memory, SIM_GFX90A, code.data, code.length, &device->module, &error), CKT_OK);
  device->out = sim_memory_allocate(device->memory, OUT_BYTES, SIM_SPAN_BUFFER, true);
  assert_true(device->out != 0);
}

static void close_device(struct device *device) {
  sim_module_free(&device->module);
  sim_memory_free(&device->memory);
}

static enum sim_launch_end launch(struct device *device, const char *kernel, uint64_t groups, uint32_t items,
                                  uint64_t argument) {
  void *parameters[] = {&argument};
  const struct sim_launch work = {.settings = &device->settings,
                                  .memory = device->memory,
                                  .function = sim_module_function(device->module, kernel),
                                  .grid = {groups, 1, 1},
                                  .block = {items, 1, 1},
                                  .parameters = parameters};
  struct sim_counts counts;
  double ns;
  assert_non_null(work.function);
  return sim_launch_run(&work, &ns, &counts, &device->fault);
}

/* The output of one workgroup under a seed. */
static void run(struct device *device, const char *kernel, uint32_t seed, uint32_t out[WORDS]) {
  device->settings.schedule = seed;
  memset(sim_host(device->out), 0, OUT_BYTES);
  if (launch(device, kernel, 1, 256, device->out) != SIM_LAUNCH_DONE)
    fail_msg("%s: %s", kernel, device->fault.text);
  memcpy(out, sim_host(device->out), OUT_BYTES);
}

/* How many of the seeds give another result than seed 0; each gives its own twice. */
static unsigned different_results(struct device *device, const char *kernel) {
  uint32_t first[WORDS], out[WORDS], again[WORDS];
  unsigned different = 0;
  run(device, kernel, 0, first);
  for (uint32_t seed = 1; seed <= SEEDS; seed++) {
    run(device, kernel, seed, out);
    run(device, kernel, seed, again);
    assert_memory_equal(out, again, sizeof out);
    different += memcmp(out, first, sizeof out) != 0;
  }
  return different;
}

static void order_shows_in_atomics(void **state) {
  (void)state;
  struct device device;
  open_device(&device);
  device.settings.check = true;
  const unsigned different = different_results(&device, "queue");
  print_message("queue: %u of %d seeds differ\n", different, SEEDS);
  assert_true(different > SEEDS / 2); /* one of 24 orders is that of seed 0 */
  close_device(&device);
}

static void order_shows_in_a_race(void **state) {
  (void)state;
  struct device device;
  open_device(&device);
  assert_true(different_results(&device, "no_barrier") > SEEDS / 4);
  device.settings.check = true; /* and strict checks tell of it in any order */
  for (uint32_t seed = 0; seed <= SEEDS; seed++) {
    device.settings.schedule = seed;
    assert_int_equal(launch(&device, "no_barrier", 1, 256, device.out), SIM_LAUNCH_FAULT);
    assert_non_null(strstr(device.fault.text, "with no barrier between"));
  }
  close_device(&device);
}

static void right_kernels_do_not_care(void **state) {
  (void)state;
  static const char *const kernels[] = {"with_barrier", "sums"};
  struct device device;
  open_device(&device);
  for (unsigned check = 0; check < 2; check++) {
    device.settings.check = check != 0;
    for (unsigned i = 0; i < 2; i++)
      assert_int_equal(different_results(&device, kernels[i]), 0);
  }
  uint32_t out[WORDS], expected = 0;
  for (uint32_t i = 0; i < 256; i++)
    expected += i * i + i;
  run(&device, "sums", 7, out);
  assert_int_equal(out[0], expected);
  assert_int_equal(out[255], expected);
  close_device(&device);
}

/* ---- memory ---- */

/* KiB of this process, by a line of /proc/self/status. */
static long status_kib(const char *name) {
  char line[256];
  long kib = -1;
  FILE *file = fopen("/proc/self/status", "r");
  assert_non_null(file);
  while (kib < 0 && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, name, strlen(name)) == 0)
      kib = strtol(line + strlen(name) + 1, NULL, 10);
  fclose(file);
  return kib;
}

/* The peak begins anew. */
static bool forget_peak(void) {
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (file == NULL)
    return false;
  const bool written = fputs("5", file) >= 0;
  return fclose(file) == 0 && written;
}

/* Beside device memory, a launch takes less than 64 MiB of the host. */
static void host_memory_is_bounded(void **state) {
  (void)state;
#ifdef __SANITIZE_ADDRESS__
  skip(); /* what is freed stays for a while, and every byte has a shadow */
#endif
  enum { GROUPS = 4096, BYTES = GROUPS * 4096, LIMIT_KIB = 64 << 10 };
  if (!forget_peak())
    skip();
  const long before = status_kib("VmRSS:");
  struct device device;
  open_device(&device);
  device.settings.check = true;
  const uint64_t out = sim_memory_allocate(device.memory, BYTES, SIM_SPAN_BUFFER, true);
  assert_true(out != 0);
  if (launch(&device, "large", GROUPS, 1024, out) != SIM_LAUNCH_DONE)
    fail_msg("%s", device.fault.text);
  const long taken = status_kib("VmHWM:") - before - BYTES / 1024;
  print_message("a launch takes %ld KiB beside %d of device memory\n", taken, BYTES / 1024);
  assert_true(taken < LIMIT_KIB);
  close_device(&device);
}

int main(void) {
  ckt_text_init(&code, 0);
  const int compiled = test_compile("schedule_kernels.hip", "gfx90a:sramecc+:xnack-", &code);
  if (compiled != 0)
    return compiled == 77 ? 77 : 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_shows_in_atomics),
      cmocka_unit_test(order_shows_in_a_race),
      cmocka_unit_test(right_kernels_do_not_care),
      cmocka_unit_test(host_memory_is_bounded),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  ckt_text_free(&code);
  return failed;
}
