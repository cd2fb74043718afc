/* The HIP entry points in wrong hands: null arguments, handles that are none, destroyed twice, bad ranges, bad launches;
 * what each leaves for hipGetLastError; the device's description in both layouts of its properties. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <hip/hip_runtime_api.h>

#include "bench/hipsim/sim_properties.h"
#include "code_object.h"

const char *hipsim_report(void);
int hipsim_version(void);
/* Both by their symbols: the header at hand declares one of them, under its own type. */
hipError_t properties_five(struct sim_properties_r0000 *properties,
                           int device) __asm__("hipGetDeviceProperties");
hipError_t properties_six(struct sim_properties_r0600 *properties,
                          int device) __asm__("hipGetDevicePropertiesR0600");

static struct ckt_text code;

static void ok(hipError_t status) {
  if (status != hipSuccess)
    print_error("%s: %s\n", hipGetErrorName(status), hipsim_report());
  assert_int_equal(status, hipSuccess);
}

static void device_describes_itself(void **state) {
  (void)state;
  struct sim_properties_r0600 six;
  struct sim_properties_r0000 five;
  int count = 0, value = 0;
  ok(hipInit(0));
  assert_int_equal(hipInit(1), hipErrorInvalidValue);
  ok(hipGetDeviceCount(&count));
  assert_int_equal(count, 2);
  ok(properties_five(&five, 1));
  ok(properties_six(&six, 1));
  assert_non_null(strstr(five.name, "simulated"));
  assert_string_equal(five.name, six.name);
  assert_string_equal(five.gcnArchName, "gfx90a:sramecc+:xnack-");
  assert_string_equal(six.gcnArchName, five.gcnArchName);
  assert_int_equal(five.multiProcessorCount, 110);
  assert_int_equal(six.multiProcessorCount, 110);
  assert_int_equal(five.warpSize, 64);
  ok(hipDeviceGetAttribute(&value, hipDeviceAttributeMultiprocessorCount, 0));
  assert_int_equal(value, 110);
  ok(hipDeviceGetAttribute(&value, hipDeviceAttributeMaxSharedMemoryPerBlock, 0));
  assert_int_equal(value, 65536);
  assert_int_equal(hipDeviceGetAttribute(&value, (hipDeviceAttribute_t)12345, 0), hipErrorInvalidValue);
  assert_int_equal(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 2), hipErrorInvalidDevice);
  assert_int_equal(properties_five(&five, -1), hipErrorInvalidDevice);
  assert_int_equal(hipSetDevice(2), hipErrorInvalidDevice);
  ok(hipSetDevice(1));
  ok(hipGetDevice(&value));
  assert_int_equal(value, 1);
  ok(hipSetDevice(0));
  assert_true(hipsim_version() > 0);
}

static void null_is_refused(void **state) {
  (void)state;
  int value;
  size_t bytes;
  float ms;
  hipModule_t module;
  hipFunction_t function;
  const hipError_t statuses[] = {hipGetDeviceCount(NULL),
                                 hipGetDevice(NULL),
                                 hipRuntimeGetVersion(NULL),
                                 hipDriverGetVersion(NULL),
                                 properties_five(NULL, 0),
                                 hipDeviceGetAttribute(NULL, hipDeviceAttributeWarpSize, 0),
                                 hipMalloc(NULL, 16),
                                 hipMemGetInfo(NULL, &bytes),
                                 hipMemGetInfo(&bytes, NULL),
                                 hipMemcpy(NULL, &value, 4, hipMemcpyDefault),
                                 hipMemcpy(&value, NULL, 4, hipMemcpyDefault),
                                 hipMemset(NULL, 0, 4),
                                 hipStreamCreate(NULL),
                                 hipEventCreate(NULL),
                                 hipEventElapsedTime(NULL, NULL, NULL),
                                 hipModuleLoadData(NULL, code.data),
                                 hipModuleLoadData(&module, NULL),
                                 hipModuleLoad(&module, NULL),
                                 hipModuleGetFunction(&function, NULL, NULL),
                                 hipFuncGetAttribute(NULL, HIP_FUNC_ATTRIBUTE_NUM_REGS, NULL)};
  for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; ++i)
    assert_int_equal(statuses[i], hipErrorInvalidValue);
  assert_int_equal(hipEventElapsedTime(&ms, NULL, NULL), hipErrorInvalidHandle);
  ok(hipFree(NULL));
}

/* A handle is never followed before it was found among the live ones: any number will do for one. */
static void handles_that_are_none(void **state) {
  (void)state;
  void *nonsense = (void *)(uintptr_t)0x1234560;
  int value, local;
  hipFunction_t function;
  hipStream_t stream;
  hipEvent_t event;
  assert_int_equal(hipStreamDestroy(nonsense), hipErrorInvalidHandle);
  assert_int_equal(hipStreamDestroy(NULL), hipErrorInvalidHandle);
  assert_int_equal(hipStreamSynchronize(nonsense), hipErrorInvalidHandle);
  assert_int_equal(hipStreamQuery((hipStream_t)(void *)&local), hipErrorInvalidHandle);
  assert_int_equal(hipEventDestroy(nonsense), hipErrorInvalidHandle);
  assert_int_equal(hipEventRecord(nonsense, NULL), hipErrorInvalidHandle);
  assert_int_equal(hipEventSynchronize(nonsense), hipErrorInvalidHandle);
  assert_int_equal(hipModuleUnload(nonsense), hipErrorInvalidHandle);
  assert_int_equal(hipModuleGetFunction(&function, nonsense, "x"), hipErrorInvalidHandle);
  assert_int_equal(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_NUM_REGS, nonsense),
                   hipErrorInvalidDeviceFunction);
  assert_int_equal(hipModuleLaunchKernel(nonsense, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                   hipErrorInvalidHandle);
  ok(hipStreamCreate(&stream));
  ok(hipEventCreate(&event));
  ok(hipStreamDestroy(stream));
  assert_int_equal(hipStreamDestroy(stream), hipErrorInvalidHandle);
  ok(hipEventDestroy(event));
  assert_int_equal(hipEventDestroy(event), hipErrorInvalidHandle);
}

static void last_error_is_kept_and_taken(void **state) {
  (void)state;
  int count;
  hipError_t dropped = hipGetLastError();
  (void)dropped;
  assert_int_equal(hipSetDevice(99), hipErrorInvalidDevice);
  ok(hipGetDeviceCount(&count)); /* a success does not cover it up */
  assert_int_equal(hipPeekAtLastError(), hipErrorInvalidDevice);
  assert_int_equal(hipGetLastError(), hipErrorInvalidDevice);
  ok(hipGetLastError());
  assert_string_equal(hipGetErrorName(hipErrorNoBinaryForGpu), "hipErrorNoBinaryForGpu");
  assert_string_equal(hipGetErrorName((hipError_t)4711), "hipErrorUnknown");
  assert_non_null(hipGetErrorString(hipErrorOutOfMemory));
}

static void ranges_are_checked(void **state) {
  (void)state;
  uint8_t *d, host[200];
  ok(hipMalloc((void **)&d, 100));
  memset(host, 7, sizeof host);
  ok(hipMemcpy(d, host, 100, hipMemcpyHostToDevice));
  assert_int_equal(hipMemcpy(d, host, 101, hipMemcpyHostToDevice), hipErrorInvalidValue);
  assert_int_equal(hipMemcpy(d + 1, host, 100, hipMemcpyHostToDevice), hipErrorInvalidValue);
  assert_int_equal(hipMemcpy(host, d - 1, 4, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  assert_int_equal(hipMemcpy(host, host + 100, 4, hipMemcpyHostToDevice), hipErrorInvalidValue);
  assert_int_equal(hipMemcpy(host, d, 4, (hipMemcpyKind)9), hipErrorInvalidMemcpyDirection);
  assert_int_equal(hipMemset(d, 0, 101), hipErrorInvalidValue);
  assert_int_equal(hipMemset(host, 0, 4), hipErrorInvalidValue);
  assert_int_equal(hipMemsetD32(d, 1, SIZE_MAX / 2), hipErrorInvalidValue);
  assert_int_equal(hipMemcpy(d, host, SIZE_MAX, hipMemcpyDefault), hipErrorInvalidValue);
  ok(hipMemsetD32(d, 0x01020304, 25));
  ok(hipMemcpy(host, d, 100, hipMemcpyDefault));
  assert_int_equal(host[0], 4);
  assert_int_equal(host[99], 1);
  assert_int_equal(hipFree(d + 4), hipErrorInvalidValue);
  assert_int_equal(hipFree(host), hipErrorInvalidValue);
  ok(hipFree(d));
  assert_int_equal(hipFree(d), hipErrorInvalidValue);
  assert_int_equal(hipMemcpy(host, d, 4, hipMemcpyDeviceToHost), hipErrorInvalidValue);
}

static void memory_is_accounted(void **state) {
  (void)state;
  size_t free_before, free_during, total;
  void *pointer;
  ok(hipMemGetInfo(&free_before, &total));
  assert_int_equal(total, 512u << 20); /* HIPSIM_MEMORY, below */
  ok(hipMalloc(&pointer, 100u << 20));
  ok(hipMemGetInfo(&free_during, &total));
  assert_int_equal(free_before - free_during, 100u << 20);
  void *more;
  assert_int_equal(hipMalloc(&more, 500u << 20), hipErrorOutOfMemory);
  assert_null(more);
  assert_int_equal(hipMalloc(&more, SIZE_MAX), hipErrorOutOfMemory);
  ok(hipFree(pointer));
  ok(hipMalloc(&pointer, 0));
  assert_null(pointer);
}

static void streams_order_modelled_time(void **state) {
  (void)state;
  hipStream_t stream;
  hipEvent_t a, b, untimed;
  float ms;
  void *d;
  ok(hipMalloc(&d, 1 << 20));
  ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  ok(hipEventCreate(&a));
  ok(hipEventCreate(&b));
  ok(hipEventCreateWithFlags(&untimed, hipEventDisableTiming));
  assert_int_equal(hipEventElapsedTime(&ms, a, b), hipErrorInvalidHandle); /* not recorded */
  ok(hipEventRecord(a, stream));
  ok(hipMemsetAsync(d, 0, 1 << 20, stream));
  ok(hipEventRecord(b, stream));
  ok(hipEventRecord(untimed, stream));
  ok(hipEventElapsedTime(&ms, a, b));
  assert_true(ms > 0.0f && ms < 1.0f);
  assert_int_equal(hipEventElapsedTime(&ms, a, untimed), hipErrorInvalidHandle);
  ok(hipStreamWaitEvent(NULL, b, 0));
  ok(hipEventRecord(a, NULL));
  ok(hipEventElapsedTime(&ms, b, a));
  assert_true(ms >= 0.0f);
  ok(hipStreamQuery(stream));
  ok(hipEventQuery(b));
  ok(hipStreamDestroy(stream));
}

static void modules_are_refused(void **state) {
  (void)state;
  hipModule_t module;
  hipFunction_t function;
  char junk[4096] = "not a code object";
  assert_int_equal(hipModuleLoadData(&module, junk), hipErrorInvalidImage);
  assert_int_equal(hipModuleLoad(&module, "/nowhere/at/all.co"), hipErrorFileNotFound);
  memcpy(junk, code.data, 64); /* a header whose tables lie past the end of what is mapped */
  memset(junk + 40, 0x3f, 4);
  assert_int_equal(hipModuleLoadData(&module, junk), hipErrorInvalidImage);
  char *other = malloc(code.length);
  assert_non_null(other);
  memcpy(other, code.data, code.length);
  other[48] = 0x4c; /* e_flags: gfx942 */
  assert_int_equal(hipModuleLoadData(&module, other), hipErrorNoBinaryForGpu);
  free(other);
  ok(hipModuleLoadData(&module, code.data));
  assert_int_equal(hipModuleGetFunction(&function, module, "no_such_kernel"), hipErrorNotFound);
  assert_non_null(strstr(hipsim_report(), "vector_add"));
  ok(hipModuleGetFunction(&function, module, "nothing"));
  ok(hipModuleUnload(module));
  assert_int_equal(hipModuleUnload(module), hipErrorInvalidHandle);
  assert_int_equal(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                   hipErrorInvalidHandle);
}

static void launches_are_refused(void **state) {
  (void)state;
  hipModule_t module;
  hipFunction_t nothing, reverse;
  int value = 0, *d = NULL;
  void *parameters[] = {&d}, *missing[] = {NULL}, *extra[] = {HIP_LAUNCH_PARAM_END};
  ok(hipModuleLoadData(&module, code.data));
  ok(hipModuleGetFunction(&nothing, module, "nothing"));
  ok(hipModuleGetFunction(&reverse, module, "reverse"));
#define LAUNCH(function, grid, block, lds, by_pointer, by_buffer)                                            \
  hipModuleLaunchKernel(function, grid, 1, 1, block, 1, 1, lds, NULL, by_pointer, by_buffer)
  assert_int_equal(LAUNCH(nothing, 0, 64, 0, NULL, NULL), hipErrorInvalidConfiguration);
  assert_int_equal(LAUNCH(nothing, 1, 0, 0, NULL, NULL), hipErrorInvalidConfiguration);
  assert_int_equal(LAUNCH(nothing, 1, 1025, 0, NULL, NULL), hipErrorInvalidConfiguration);
  assert_int_equal(LAUNCH(nothing, 1u << 31, 64, 0, NULL, NULL), hipErrorInvalidConfiguration);
  assert_int_equal(hipModuleLaunchKernel(nothing, 1, 1, 1, 64, 64, 1, 0, NULL, NULL, NULL),
                   hipErrorInvalidConfiguration);
  assert_int_equal(LAUNCH(reverse, 1, 512, 0, parameters, NULL), hipErrorLaunchFailure);
  assert_int_equal(LAUNCH(nothing, 1, 64, 65537, NULL, NULL), hipErrorInvalidValue);
  assert_int_equal(LAUNCH(reverse, 1, 64, 65536, parameters, NULL), hipErrorInvalidValue);
  assert_int_equal(LAUNCH(reverse, 1, 64, 0, NULL, NULL), hipErrorInvalidValue);
  assert_int_equal(LAUNCH(reverse, 1, 64, 0, missing, NULL), hipErrorInvalidValue);
  assert_int_equal(LAUNCH(reverse, 1, 64, 0, parameters, extra), hipErrorInvalidValue);
  ok(hipDeviceSynchronize()); /* none of these is a failure of the device */
  ok(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, reverse));
  assert_int_equal(value, 1024);
  ok(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, reverse));
  assert_int_equal(value, 256);
  ok(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_NUM_REGS, reverse));
  assert_true(value > 0);
  ok(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&value, reverse, 256, 0));
  assert_int_equal(value, 8);
  ok(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&value, reverse, 256, 32768));
  assert_int_equal(value, 1);
  ok(hipModuleUnload(module));
}

int main(void) {
  setenv("HIPSIM_DEVICE", "mi250x", 1);
  setenv("HIPSIM_DEVICES", "2", 1);
  setenv("HIPSIM_MEMORY", "536870912", 1);
  ckt_text_init(&code, 0);
  const int compiled = test_compile("api_kernels.hip", "gfx90a:sramecc+:xnack-", &code);
  if (compiled != 0)
    return compiled == 77 ? 77 : 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(device_describes_itself),     cmocka_unit_test(null_is_refused),
      cmocka_unit_test(handles_that_are_none),       cmocka_unit_test(last_error_is_kept_and_taken),
      cmocka_unit_test(ranges_are_checked),          cmocka_unit_test(memory_is_accounted),
      cmocka_unit_test(streams_order_modelled_time), cmocka_unit_test(modules_are_refused),
      cmocka_unit_test(launches_are_refused),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  ckt_text_free(&code);
  return failed;
}
