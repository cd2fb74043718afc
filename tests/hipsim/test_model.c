/* Devices, settings, occupancy and the time model (sim_device, sim_model): what the environment may say, how registers
 * and LDS limit waves, and that modelled time behaves: more work never takes less, a full device is faster than an empty
 * one, and the published peak is neither missed by far nor passed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/hipsim/sim_model.h"

static const char *const variables[] = {"HIPSIM_DEVICE", "HIPSIM_DEVICES",  "HIPSIM_THREADS", "HIPSIM_CHECK",
                                        "HIPSIM_BUDGET", "HIPSIM_SCHEDULE", "HIPSIM_MEMORY"};

static int clear_environment(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof variables / sizeof variables[0]; ++i)
    unsetenv(variables[i]);
  return 0;
}

static void defaults_are_sensible(void **state) {
  (void)state;
  struct sim_settings settings;
  struct ckt_error error;
  assert_int_equal(sim_settings_read(&settings, &error), CKT_OK);
  assert_string_equal(settings.model->key, "mi250x");
  assert_int_equal(settings.devices, 1);
  assert_true(settings.threads >= 1 && settings.check && settings.budget > 0);
  assert_true(settings.memory_bytes > 0 && settings.memory_bytes <= settings.model->memory_bytes);
}

static void devices_go_by_two_names(void **state) {
  (void)state;
  assert_int_equal(sim_model_find("gfx908")->arch, SIM_GFX908);
  assert_string_equal(sim_model_find("gfx90a")->key, "mi250x");
  assert_string_equal(sim_model_find("gfx942")->key, "mi300x");
  assert_string_equal(sim_model_find("gfx950:sramecc+:xnack-")->key, "mi355x");
  assert_string_equal(sim_model_find("MI210")->key, "mi210");
  assert_null(sim_model_find("gfx90"));
  assert_null(sim_model_find("gfx90a:xnack+"));
  for (size_t i = 0; sim_model_at(i) != NULL; ++i) {
    assert_ptr_equal(sim_model_find(sim_model_at(i)->key), sim_model_at(i));
    assert_non_null(strstr(sim_model_at(i)->name, "simulated"));
  }
}

static void bad_settings_are_named(void **state) {
  const char *const values[] = {"gfx1234", "0", "many", "yes", "-1", "4294967296", "1k"};
  struct sim_settings settings;
  struct ckt_error error;
  for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
    clear_environment(state);
    setenv(variables[i], values[i], 1);
    assert_int_equal(sim_settings_read(&settings, &error), CKT_E_USAGE);
    assert_non_null(strstr(error.text, variables[i]));
    assert_non_null(strstr(error.text, values[i]));
  }
}

static struct sim_kernel kernel_of(uint32_t vgprs, uint32_t agprs, uint32_t sgprs, uint32_t lds) {
  return (struct sim_kernel){
      .name = "k", .vgprs = vgprs, .accum_offset = vgprs, .agprs = agprs, .sgprs = sgprs, .lds_bytes = lds};
}

/* Waves a SIMD: the table of LLVM's occupancy tests (512 registers in granules of 8, or 256 in granules of 4). */
static void registers_limit_waves(void **state) {
  (void)state;
  const struct {
    enum sim_arch arch;
    uint32_t vgprs, agprs, sgprs, waves;
  } rows[] = {{SIM_GFX90A, 64, 0, 32, 8},    {SIM_GFX90A, 72, 0, 32, 7},    {SIM_GFX90A, 128, 0, 32, 4},
              {SIM_GFX90A, 128, 128, 32, 2}, {SIM_GFX90A, 256, 256, 32, 1}, {SIM_GFX90A, 32, 32, 102, 7},
              {SIM_GFX908, 24, 24, 32, 10},  {SIM_GFX908, 28, 28, 32, 9},   {SIM_GFX908, 128, 128, 32, 2},
              {SIM_GFX942, 256, 0, 32, 2},   {SIM_GFX950, 168, 0, 32, 3}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    const struct sim_kernel kernel = kernel_of(rows[i].vgprs, rows[i].agprs, rows[i].sgprs, 0);
    assert_int_equal(sim_waves_simd(rows[i].arch, &kernel), rows[i].waves);
  }
}

static void lds_limits_workgroups(void **state) {
  (void)state;
  struct sim_kernel kernel = kernel_of(64, 0, 32, 16384);
  assert_int_equal(sim_blocks_cu(SIM_GFX90A, &kernel, 256, 0), 4);
  assert_int_equal(sim_blocks_cu(SIM_GFX950, &kernel, 256, 0), 8); /* 9 by LDS, 8 by registers */
  assert_int_equal(sim_blocks_cu(SIM_GFX90A, &kernel, 256, 49152), 1);
  assert_int_equal(sim_blocks_cu(SIM_GFX90A, &kernel, 256, 49153), 0);
  assert_int_equal(sim_blocks_cu(SIM_GFX90A, &kernel, 256, UINT32_MAX), 0);
  kernel.lds_bytes = 16385;
  assert_int_equal(sim_blocks_cu(SIM_GFX90A, &kernel, 256, 0), 3);
  kernel = kernel_of(32, 0, 32, 0);
  assert_int_equal(sim_blocks_cu(SIM_GFX90A, &kernel, 64, 0), 32);
  assert_int_equal(sim_blocks_cu(SIM_GFX90A, &kernel, 128, 0), 16); /* barriers */
  assert_int_equal(sim_blocks_cu(SIM_GFX90A, &kernel, 1024, 0), 2);
}

/* A GEMM-like kernel: `mfma` 32x32x8 f16 instructions of 64 clocks in each workgroup of four waves. */
static struct sim_model_input work_of(const struct sim_kernel *kernel, uint64_t groups, uint64_t mfma) {
  return (struct sim_model_input){.model = sim_model_find("gfx90a"),
                                  .kernel = kernel,
                                  .groups = groups,
                                  .block = 256,
                                  .counts = {.instructions = groups * mfma * 2,
                                             .mfma = groups * mfma,
                                             .valu = groups * mfma,
                                             .valu_cycles = groups * mfma * 4,
                                             .mfma_cycles = groups * mfma * 64}};
}

static void peak_is_reached_and_not_passed(void **state) {
  (void)state;
  const struct sim_kernel kernel = kernel_of(128, 0, 32, 16384);
  const struct sim_model_input input = work_of(&kernel, 110 * 4 * 10, 40000);
  const double flops = (double)input.counts.mfma * 2.0 * 32 * 32 * 8;
  const double tflops = flops / sim_model_launch_ns(&input) / 1000.0;
  assert_true(tflops > 180.0 && tflops <= 191.6); /* published: 191.5 */
}

static void more_work_takes_longer(void **state) {
  (void)state;
  const struct sim_kernel kernel = kernel_of(128, 0, 32, 16384);
  double last = 0;
  for (uint64_t groups = 1; groups < 2000; groups += 7) {
    const struct sim_model_input input = work_of(&kernel, groups, 1000);
    const double ns = sim_model_launch_ns(&input);
    assert_true(ns >= last);
    last = ns;
  }
  struct sim_model_input input = work_of(&kernel, 110, 1000);
  const double without = sim_model_launch_ns(&input);
  input.counts.load_lines = 1u << 28;
  assert_true(sim_model_launch_ns(&input) > without);
  input.counts.load_lines = 0;
  input.counts.store_bytes = (uint64_t)1 << 36;
  assert_true(sim_model_launch_ns(&input) > without);
}

/* The same product by 128x128 tiles (32x32x8 instructions, each operand read 128 times less often than used) and by
 * 16x16 tiles (16x16x16): the small ones read eight times as much and fill LDS as often. */
static void small_tiles_come_out_slower(void **state) {
  (void)state;
  const uint64_t m = 4096, n = 4096, k = 4096;
  double ns[2];
  const uint64_t tile[2] = {128, 16};
  for (int i = 0; i < 2; ++i) {
    const struct sim_kernel kernel = kernel_of(i == 0 ? 128 : 32, 0, 32, (uint32_t)(tile[i] * 2 * 32 * 2));
    const uint64_t groups = m / tile[i] * (n / tile[i]), block = i == 0 ? 256 : 64;
    const uint64_t mfma_cycles =
        m * n * k / 1024 / 8 * 64 / 8; /* 16 clocks for 16x16x16, 64 for 32x32x8: as dense */
    const uint64_t bytes = groups * tile[i] * 2 * k * 2;
    struct sim_model_input input = {.model = sim_model_find("gfx90a"),
                                    .kernel = &kernel,
                                    .groups = groups,
                                    .block = (uint32_t)block,
                                    .footprint = (m + n) * k * 2};
    input.counts.mfma_cycles = mfma_cycles;
    input.counts.mfma = mfma_cycles / (i == 0 ? 64 : 32);
    input.counts.valu = bytes / 1024 * 4;
    input.counts.valu_cycles = input.counts.valu * 4;
    input.counts.lds_cycles = bytes * 2 / 128;
    input.counts.load_lines = bytes / 64;
    input.counts.store_bytes = m * n * 2;
    input.counts.instructions = input.counts.mfma + input.counts.valu + bytes / 1024 * 3;
    ns[i] = sim_model_launch_ns(&input);
  }
  assert_true(ns[1] > 2 * ns[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define TEST(function) cmocka_unit_test_setup_teardown(function, clear_environment, clear_environment)
      TEST(defaults_are_sensible),  TEST(devices_go_by_two_names),     TEST(bad_settings_are_named),
      TEST(registers_limit_waves),  TEST(lds_limits_workgroups),       TEST(peak_is_reached_and_not_passed),
      TEST(more_work_takes_longer), TEST(small_tiles_come_out_slower),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
