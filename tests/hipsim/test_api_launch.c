/* Launches through the HIP entry points: a vector sum, indices in three dimensions, arguments by pointer and by buffer,
 * LDS, variables of a module, events and modelled time, kernels that fail and what HIP says of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <hip/hip_runtime_api.h>

#include "code_object.h"
#include "common/file.h"

const char *hipsim_report(void);
int hipsim_version(void);
hipError_t hipExtModuleLaunchKernel(hipFunction_t function, uint32_t work_x, uint32_t work_y, uint32_t work_z,
                                    uint32_t block_x, uint32_t block_y, uint32_t block_z, size_t lds_bytes,
                                    hipStream_t stream, void **parameters, void **extra, hipEvent_t start,
                                    hipEvent_t stop, uint32_t flags);

static struct ckt_text code;
static hipModule_t module;

static void ok(hipError_t status) {
  if (status != hipSuccess)
    print_error("%s: %s\n", hipGetErrorName(status), hipsim_report());
  assert_int_equal(status, hipSuccess);
}

static int open_module(void **state) {
  (void)state;
  const hipError_t forgotten = hipGetLastError(); /* of the test before */
  (void)forgotten;
  return hipModuleLoadData(&module, code.data) == hipSuccess ? 0 : -1;
}

static int reset(void **state) {
  (void)state;
  return hipDeviceReset() == hipSuccess ? 0 : -1;
}

static hipFunction_t kernel(const char *name) {
  hipFunction_t function;
  ok(hipModuleGetFunction(&function, module, name));
  return function;
}

static void *device_copy(const void *from, size_t bytes) {
  void *pointer;
  ok(hipMalloc(&pointer, bytes));
  ok(hipMemcpy(pointer, from, bytes, hipMemcpyHostToDevice));
  return pointer;
}

static hipError_t launch(const char *name, unsigned grid, unsigned block, void **parameters) {
  return hipModuleLaunchKernel(kernel(name), grid, 1, 1, block, 1, 1, 0, NULL, parameters, NULL);
}

static void vectors_are_added(void **state) {
  (void)state;
  enum { N = 1000 };
  float a[N], b[N], c[N];
  for (int i = 0; i < N; ++i) {
    a[i] = (float)i;
    b[i] = (float)(3 * i) + 0.5f;
  }
  float *da = device_copy(a, sizeof a), *db = device_copy(b, sizeof b), *dc;
  ok(hipMalloc((void **)&dc, sizeof c));
  int n = N;
  void *parameters[] = {&da, &db, &dc, &n};
  ok(launch("vector_add", (N + 255) / 256, 256, parameters));
  ok(hipDeviceSynchronize());
  ok(hipMemcpy(c, dc, sizeof c, hipMemcpyDeviceToHost));
  for (int i = 0; i < N; ++i)
    assert_float_equal(c[i], a[i] + b[i], 0);
}

static void indices_have_three_dimensions(void **state) {
  (void)state;
  enum { GX = 3, GY = 2, GZ = 4, BX = 5, BY = 3, BZ = 7, TOTAL = GX * GY * GZ * BX * BY * BZ };
  unsigned *out, host[TOTAL];
  ok(hipMalloc((void **)&out, sizeof host));
  void *parameters[] = {&out};
  ok(hipModuleLaunchKernel(kernel("indices"), GX, GY, GZ, BX, BY, BZ, 0, NULL, parameters, NULL));
  ok(hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost));
  for (unsigned i = 0; i < TOTAL; ++i) {
    const unsigned thread = i % (BX * BY * BZ), block = i / (BX * BY * BZ);
    const unsigned expected = block % GX | block / GX % GY << 4 | block / (GX * GY) << 8 | thread % BX << 12 |
                              thread / BX % BY << 20 | thread / (BX * BY) << 26;
    assert_int_equal(host[i], expected);
  }
}

static void check_arguments(const int *device_out) {
  int out[5];
  ok(hipMemcpy(out, device_out, sizeof out, hipMemcpyDeviceToHost));
  assert_int_equal(out[0], -7);
  assert_int_equal(out[1], 1234);
  assert_int_equal(out[2], -300);
  assert_int_equal(out[3], 17);
  assert_int_equal(out[4], 99);
}

static void arguments_by_pointer_and_by_buffer(void **state) {
  (void)state;
  struct {
    char a;
    double b;
    short c;
    int *out;
    long d;
  } all = {-7, 1234.5, -300, NULL, 17L << 32 | 99};
  ok(hipMalloc((void **)&all.out, 5 * sizeof(int)));
  void *parameters[] = {&all.a, &all.b, &all.c, &all.out, &all.d};
  ok(launch("arguments", 1, 1, parameters));
  check_arguments(all.out);
  ok(hipMemset(all.out, 0, 5 * sizeof(int)));
  size_t bytes = sizeof all;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &all, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   HIP_LAUNCH_PARAM_END};
  ok(hipModuleLaunchKernel(kernel("arguments"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
  check_arguments(all.out);
  bytes = 24;
  assert_int_equal(hipModuleLaunchKernel(kernel("arguments"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra),
                   hipErrorInvalidValue);
  assert_non_null(strstr(hipsim_report(), "24 bytes"));
}

static void lds_is_shared(void **state) {
  (void)state;
  int data[512], back[512];
  for (int i = 0; i < 512; ++i)
    data[i] = i;
  int *d = device_copy(data, sizeof data);
  void *parameters[] = {&d};
  ok(launch("reverse", 2, 256, parameters));
  ok(hipMemcpy(back, d, sizeof back, hipMemcpyDeviceToHost));
  for (int i = 0; i < 512; ++i)
    assert_int_equal(back[i], i / 256 * 256 + 255 - i % 256);
  ok(hipModuleLaunchKernel(kernel("dynamic_lds"), 1, 1, 1, 128, 1, 1, 128 * sizeof(int), NULL, parameters,
                           NULL));
  ok(hipMemcpy(data, d, sizeof data, hipMemcpyDeviceToHost));
  for (int i = 0; i < 128; ++i)
    assert_int_equal(data[i], back[127 - i]);
}

static void module_has_variables(void **state) {
  (void)state;
  hipDeviceptr_t scale;
  size_t bytes;
  int *out, host[2], five = 5;
  ok(hipModuleGetGlobal(&scale, &bytes, module, "scale"));
  assert_int_equal(bytes, sizeof(int));
  ok(hipMemcpyHtoD(scale, &five, sizeof five));
  ok(hipMalloc((void **)&out, sizeof host));
  void *parameters[] = {&out};
  ok(launch("variables", 1, 2, parameters));
  ok(hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost));
  assert_int_equal(host[0], 504);
  assert_int_equal(host[1], 504);
  assert_int_equal(hipModuleGetGlobal(&scale, &bytes, module, "nowhere"), hipErrorNotFound);
}

/* The same time from an event pair and from the launch's own events, more for more work, nothing for nothing. */
static void events_tell_modelled_time(void **state) {
  (void)state;
  hipEvent_t event[4];
  for (int i = 0; i < 4; ++i)
    ok(hipEventCreate(&event[i]));
  float pair, own, none;
  hipFunction_t function = kernel("nothing");
  ok(hipEventRecord(event[0], NULL));
  ok(hipModuleLaunchKernel(function, 10, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL));
  ok(hipEventRecord(event[1], NULL));
  ok(hipEventSynchronize(event[1]));
  ok(hipEventElapsedTime(&pair, event[0], event[1]));
  ok(hipExtModuleLaunchKernel(function, 640, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL, event[2], event[3], 0));
  ok(hipEventElapsedTime(&own, event[2], event[3]));
  ok(hipEventElapsedTime(&none, event[1], event[2]));
  assert_true(pair > 0);
  assert_float_equal(pair, own, 1e-9);
  assert_float_equal(none, 0, 0);
}

static void expect_sticky(hipError_t expected, const char *said) {
  void *pointer;
  hipEvent_t event;
  ok(hipEventCreate(&event));
  ok(hipEventRecord(event, NULL)); /* nothing waits for the device: it is not known yet */
  ok(hipGetLastError());
  assert_int_equal(hipEventSynchronize(event), expected);
  assert_non_null(strstr(hipsim_report(), said));
  assert_int_equal(hipDeviceSynchronize(), expected);
  assert_int_equal(hipMalloc(&pointer, 16), expected);
  assert_int_equal(launch("nothing", 1, 64, NULL), expected);
  assert_int_equal(hipGetLastError(), expected);
  assert_int_equal(hipGetLastError(), expected);
  ok(hipDeviceReset());
  ok(hipGetLastError());
  ok(hipMalloc(&pointer, 16));
}

static void write_past_the_end_is_told(void **state) {
  (void)state;
  int zero[100] = {0}, block = 2;
  long index = 100;
  int *d = device_copy(zero, sizeof zero);
  void *parameters[] = {&d, &index, &block};
  ok(launch("write_at", 4, 64, parameters));
  expect_sticky(hipErrorIllegalAddress, "write_at");
}

/* Of a code object that was compiled with -g the source line, too. */
static void source_line_is_told(void **state) {
  (void)state;
  static const char statement[] = "data[index] = 1;"; /* in write_at */
  int zero[100] = {0}, block = 2, line = 1;
  long index = 100;
  char said[32];
  struct ckt_text source, lines;
  struct ckt_error error;
  ckt_text_init(&source, 0);
  ckt_text_init(&lines, 0);
  assert_int_equal(ckt_file_read(CKT_SOURCE_DIR "/tests/hipsim/api_kernels.hip", &source, &error), CKT_OK);
  const char *text = ckt_text_string(&source), *place = strstr(text, statement);
  assert_non_null(place);
  for (const char *at = text; at < place; ++at)
    line += *at == '\n';
  snprintf(said, sizeof said, ":%d)", line);
  for (int with = 0; with < 2; ++with) {
    if (with == 1) {
      assert_int_equal(test_compile_lines("api_kernels.hip", "gfx90a:sramecc+:xnack-", &lines), 0);
      ok(hipModuleLoadData(&module, lines.data));
    }
    int *d = device_copy(zero, sizeof zero);
    void *parameters[] = {&d, &index, &block};
    ok(launch("write_at", 4, 64, parameters));
    assert_int_equal(hipDeviceSynchronize(), hipErrorIllegalAddress);
    assert_non_null(strstr(hipsim_report(), "lane 0"));
    if ((strstr(hipsim_report(), said) != NULL) != (with == 1))
      fail_msg("expected %s: %s", with == 1 ? said : "no line", hipsim_report());
    ok(hipDeviceReset());
  }
  ckt_text_free(&source);
  ckt_text_free(&lines);
}

static void use_after_free_is_told(void **state) {
  (void)state;
  int zero[100] = {0}, block = 0;
  long index = 5;
  int *d = device_copy(zero, sizeof zero);
  ok(hipFree(d));
  void *parameters[] = {&d, &index, &block};
  ok(launch("write_at", 1, 64, parameters));
  expect_sticky(hipErrorIllegalAddress, "free");
}

static void endless_loop_ends(void **state) {
  (void)state;
  int zero = 0;
  int *d = device_copy(&zero, sizeof zero);
  void *parameters[] = {&d};
  ok(launch("endless", 1, 64, parameters));
  expect_sticky(hipErrorLaunchTimeOut, "endless");
}

/* Many workgroups fail; the one that is told of is the first, whatever the threads do. */
static void lowest_failing_workgroup_is_told(void **state) {
  (void)state;
  for (int round = 0; round < 20; ++round) {
    if (round > 0) {
      ok(hipDeviceReset());
      ok(hipModuleLoadData(&module, code.data));
    }
    int zero = 0, from = 40;
    int *d = device_copy(&zero, sizeof zero);
    void *parameters[] = {&d, &from};
    ok(launch("fail_from", 500, 64, parameters));
    assert_int_equal(hipDeviceSynchronize(), hipErrorIllegalAddress);
    assert_non_null(strstr(hipsim_report(), "workgroup (40,0,0)"));
  }
}

int main(void) {
  setenv("HIPSIM_BUDGET", "200000", 1);
  setenv("HIPSIM_THREADS", "4", 1);
  setenv("HIPSIM_DEVICE", "gfx90a", 1);
  ckt_text_init(&code, 0);
  const int compiled = test_compile("api_kernels.hip", "gfx90a:sramecc+:xnack-", &code);
  if (compiled != 0)
    return compiled == 77 ? 77 : 1;
  const struct CMUnitTest tests[] = {
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_module, reset)
      TEST(vectors_are_added),
      TEST(indices_have_three_dimensions),
      TEST(arguments_by_pointer_and_by_buffer),
      TEST(lds_is_shared),
      TEST(module_has_variables),
      TEST(events_tell_modelled_time),
      TEST(write_past_the_end_is_told),
      TEST(source_line_is_told),
      TEST(use_after_free_is_told),
      TEST(endless_loop_ends),
      TEST(lowest_failing_workgroup_is_told),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  ckt_text_free(&code);
  return failed;
}
