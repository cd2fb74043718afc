/* What a kernel finds in its arguments (sim_launch): explicit ones by pointer and by buffer, and the hidden ones of code
 * object version 5, which hipRTC of ROCm 5 does not emit yet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/hipsim/sim_launch.h"

/* Two arguments, then the hidden block in the order of LLVM AMDGPUUsage's table. */
static struct sim_argument arguments[] = {
    {SIM_ARGUMENT_EXPLICIT, 0, 8},
    {SIM_ARGUMENT_EXPLICIT, 8, 2},
    {SIM_ARGUMENT_HIDDEN_BLOCK_COUNT_X, 16, 4},
    {SIM_ARGUMENT_HIDDEN_BLOCK_COUNT_Y, 20, 4},
    {SIM_ARGUMENT_HIDDEN_BLOCK_COUNT_Z, 24, 4},
    {SIM_ARGUMENT_HIDDEN_GROUP_SIZE_X, 28, 2},
    {SIM_ARGUMENT_HIDDEN_GROUP_SIZE_Y, 30, 2},
    {SIM_ARGUMENT_HIDDEN_GROUP_SIZE_Z, 32, 2},
    {SIM_ARGUMENT_HIDDEN_REMAINDER_X, 34, 2},
    {SIM_ARGUMENT_HIDDEN_GLOBAL_OFFSET_X, 56, 8},
    {SIM_ARGUMENT_HIDDEN_GRID_DIMS, 80, 2},
    {SIM_ARGUMENT_HIDDEN_OTHER, 88, 8},
    {SIM_ARGUMENT_HIDDEN_DYNAMIC_LDS_SIZE, 136, 4},
};

enum { BYTES = 272 };

static const struct sim_kernel_metadata metadata = {
    .arguments = arguments, .argument_count = sizeof arguments / sizeof arguments[0], .kernarg_bytes = BYTES};
static const struct sim_function function = {
    .kernel = {.name = "k", .kernarg_bytes = BYTES}, .metadata = &metadata, .explicit_bytes = 10};

static uint32_t number_at(const uint8_t *bytes, size_t offset, size_t size) {
  uint32_t value = 0;
  memcpy(&value, bytes + offset, size);
  return value;
}

static void check_hidden(const uint8_t *bytes) {
  assert_int_equal(number_at(bytes, 16, 4), 70000);
  assert_int_equal(number_at(bytes, 20, 4), 3);
  assert_int_equal(number_at(bytes, 24, 4), 1);
  assert_int_equal(number_at(bytes, 28, 2), 64);
  assert_int_equal(number_at(bytes, 30, 2), 4);
  assert_int_equal(number_at(bytes, 32, 2), 1);
  assert_int_equal(number_at(bytes, 80, 2), 2);
  assert_int_equal(number_at(bytes, 136, 4), 512);
  const size_t zeros[] = {34, 56, 60, 88, 92, 10, 140, BYTES - 4};
  for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; ++i)
    assert_int_equal(number_at(bytes, zeros[i], 2), 0);
}

static void all_places_are_filled(void **state) {
  (void)state;
  uint64_t pointer = 0x1122334455667788;
  uint16_t small = 0xabcd;
  void *parameters[] = {&pointer, &small};
  uint8_t buffer[12], bytes[BYTES];
  memcpy(buffer, &pointer, 8);
  memcpy(buffer + 8, &small, 2);
  memset(buffer + 10, 0xff, 2); /* not of an argument: must not arrive */
  struct sim_launch launch = {.function = &function,
                              .grid = {70000, 3, 1},
                              .block = {64, 4, 1},
                              .dynamic_lds = 512,
                              .parameters = parameters};
  for (int by_buffer = 0; by_buffer < 2; ++by_buffer) {
    if (by_buffer == 1) {
      launch.parameters = NULL;
      launch.buffer = buffer;
      launch.buffer_bytes = sizeof buffer;
    }
    memset(bytes, 0xee, sizeof bytes);
    sim_launch_fill_kernarg(&launch, bytes);
    assert_memory_equal(bytes, &pointer, 8);
    assert_memory_equal(bytes + 8, &small, 2);
    check_hidden(bytes);
  }
}

static void dimensions_follow_the_grid(void **state) {
  (void)state;
  uint64_t pointer = 0;
  uint16_t small = 0;
  void *parameters[] = {&pointer, &small};
  uint8_t bytes[BYTES];
  const uint64_t grids[3][3] = {{5, 1, 1}, {5, 2, 1}, {1, 1, 2}};
  for (unsigned i = 0; i < 3; ++i) {
    const struct sim_launch launch = {.function = &function,
                                      .grid = {grids[i][0], grids[i][1], grids[i][2]},
                                      .block = {64, 1, 1},
                                      .parameters = parameters};
    sim_launch_fill_kernarg(&launch, bytes);
    assert_int_equal(number_at(bytes, 80, 2), i + 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_places_are_filled),
      cmocka_unit_test(dimensions_follow_the_grid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
