/* Exercises bench/hip_api: AMD's runtime of this machine bound and asked for devices (with none: the cause and
 * the remedy), libraries that are missing, and the two layouts of hipDeviceProp_t against HIP's own header. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/hip_api.h"
#include "bench/hip_props.h"

#if HIP_VERSION_MAJOR >= 6
#define OUR_PROPS struct ckt_hip_props_r0600
#else
#define OUR_PROPS struct ckt_hip_props_r0000
#endif

#define ASSERT_FIELD(theirs, ours)                                                                           \
  do {                                                                                                       \
    assert_int_equal(offsetof(hipDeviceProp_t, theirs), offsetof(OUR_PROPS, ours));                          \
    assert_int_equal(sizeof(((hipDeviceProp_t *)0)->theirs), sizeof(((OUR_PROPS *)0)->ours));                \
  } while (0)

static void test_props_match_the_header(void **state) {
  (void)state;
  assert_int_equal(sizeof(hipDeviceProp_t), sizeof(OUR_PROPS));
  ASSERT_FIELD(name, name);
  ASSERT_FIELD(totalGlobalMem, total_global_mem);
  ASSERT_FIELD(sharedMemPerBlock, shared_mem_per_block);
  ASSERT_FIELD(clockRate, clock_rate);
  ASSERT_FIELD(multiProcessorCount, multi_processor_count);
  ASSERT_FIELD(gcnArchName, gcn_arch_name);
}

/* Both layouts, whatever header is installed: figures of HIP 5.2.3 and of HIP 6.2. */
static void test_props_of_both_layouts(void **state) {
  (void)state;
  assert_int_equal(sizeof(struct ckt_hip_props_r0000), 792);
  assert_int_equal(offsetof(struct ckt_hip_props_r0000, gcn_arch_name), 396);
  assert_int_equal(sizeof(struct ckt_hip_props_r0600), 1472);
  assert_int_equal(offsetof(struct ckt_hip_props_r0600, gcn_arch_name), 1160);
}

static void test_amd_runtime(void **state) {
  (void)state;
  struct ckt_hip hip;
  struct ckt_error error = {0};
  if (ckt_hip_open(&(struct ckt_hip_where){0}, &hip, &error) != CKT_OK)
    skip();
  assert_false(hip.simulated);
  assert_null(hip.hipsim_report);
  assert_int_equal(access(hip.library, R_OK), 0);
  assert_true(hip.runtime_version >= 50000000);
  int count = 0;
  struct ckt_device device;
  if (ckt_hip_device_count(&hip, &count, &error) == CKT_OK) {
    assert_true(count > 0);
    assert_int_equal(ckt_hip_device(&hip, 0, &device, &error), CKT_OK);
    assert_memory_equal(device.arch, "gfx", 3);
    assert_int_equal(ckt_hip_device(&hip, count, &device, &error), CKT_E_DEVICE);
  } else {
    assert_int_equal(error.code, CKT_E_DEVICE);
    assert_non_null(strstr(error.text, "/dev/kfd"));
    assert_int_equal(ckt_hip_device(&hip, 0, &device, &error), CKT_E_DEVICE);
  }
  ckt_hip_close(&hip);
}

static void test_status_becomes_a_sentence(void **state) {
  (void)state;
  struct ckt_hip hip;
  struct ckt_error error = {0};
  if (ckt_hip_open(&(struct ckt_hip_where){0}, &hip, &error) != CKT_OK)
    skip();
  assert_int_equal(ckt_hip_check(&hip, hipSuccess, CKT_E_DEVICE, "nothing", &error), CKT_OK);
  assert_int_equal(ckt_hip_check(&hip, hipErrorOutOfMemory, CKT_E_DEVICE, "cannot allocate", &error),
                   CKT_E_DEVICE);
  assert_memory_equal(error.text, "cannot allocate: hipErrorOutOfMemory (", 38);
  ckt_hip_close(&hip);
}

static void test_missing_libraries(void **state) {
  (void)state;
  struct ckt_hip hip;
  struct ckt_error error = {0};
  assert_int_equal(ckt_hip_open(&(struct ckt_hip_where){.rocm = "/nowhere/rocm"}, &hip, &error),
                   CKT_E_TOOLCHAIN);
  assert_non_null(strstr(error.text, "/nowhere/rocm/lib"));
  assert_non_null(strstr(error.text, "libamdhip64.so"));
  const struct ckt_hip_where sim = {.simulated = true, .sim_library = "/nowhere/libhipsim.so"};
  assert_int_equal(ckt_hip_open(&sim, &hip, &error), CKT_E_TOOLCHAIN);
  assert_non_null(strstr(error.text, "/nowhere/libhipsim.so"));
}

/* A library that is no HIP runtime: the C library itself. */
static void test_library_without_the_symbols(void **state) {
  (void)state;
  struct ckt_hip hip;
  struct ckt_error error = {0};
  const struct ckt_hip_where where = {.simulated = true, .sim_library = "libc.so.6"};
  assert_int_equal(ckt_hip_open(&where, &hip, &error), CKT_E_TOOLCHAIN);
  assert_non_null(strstr(error.text, "has no hip"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_props_match_the_header),
      cmocka_unit_test(test_props_of_both_layouts),
      cmocka_unit_test(test_amd_runtime),
      cmocka_unit_test(test_status_becomes_a_sentence),
      cmocka_unit_test(test_missing_libraries),
      cmocka_unit_test(test_library_without_the_symbols),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
