/* Programs with embedded kernels: what clang's generated code does for `kernel<<<...>>>()`, done by hand here with a code
 * object of hipRTC: registration before the runtime starts, the stack of launch configurations, launches and variables by
 * host symbol, on two devices, after a reset and after the program is gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <hip/hip_runtime_api.h>

#include "bench/hipsim/sim_api_program.h"
#include "code_object.h"

const char *hipsim_report(void);
struct fat_binary {
  uint32_t magic, version;
  const void *image, *unused;
};

static struct ckt_text code;
static void **program;
/* Host symbols: only their addresses count. */
static char variables_stub, missing_stub, stranger;
static int scale_shadow;

static void ok(hipError_t status) {
  if (status != hipSuccess)
    print_error("%s: %s\n", hipGetErrorName(status), hipsim_report());
  assert_int_equal(status, hipSuccess);
}

static void register_program(void) {
  static struct fat_binary fat;
  fat = (struct fat_binary){0x48495046, 1, code.data, NULL};
  program = sim_register_program(&fat);
  assert_non_null(program);
  sim_register_kernel(program, &variables_stub, NULL, "variables", ~0U, NULL, NULL, NULL, NULL, NULL);
  sim_register_kernel(program, &missing_stub, NULL, "no_such_kernel", ~0U, NULL, NULL, NULL, NULL, NULL);
  sim_register_variable(program, &scale_shadow, NULL, "scale", 0, sizeof scale_shadow, 0, 0);
}

/* variables<<<1, 2>>>(out) */
static hipError_t launch_variables(int host[2]) {
  int *out;
  dim3 grid, block;
  size_t lds;
  hipStream_t stream;
  ok(hipMalloc((void **)&out, 2 * sizeof(int)));
  ok(sim_push_configuration((dim3){1, 1, 1}, (dim3){2, 1, 1}, 0, NULL));
  ok(sim_pop_configuration(&grid, &block, &lds, &stream));
  void *parameters[] = {&out};
  const hipError_t status = hipLaunchKernel(&variables_stub, grid, block, parameters, lds, stream);
  if (status == hipSuccess)
    ok(hipMemcpy(host, out, 2 * sizeof(int), hipMemcpyDeviceToHost));
  return status;
}

static void kernels_and_variables_go_by_host_symbol(void **state) {
  (void)state;
  int host[2], five = 5, back = 0;
  void *address;
  size_t bytes;
  ok(hipMemcpyToSymbol(&scale_shadow, &five, sizeof five, 0, hipMemcpyHostToDevice));
  ok(launch_variables(host));
  assert_int_equal(host[0], 504);
  ok(hipMemcpyFromSymbol(&back, &scale_shadow, sizeof back, 0, hipMemcpyDeviceToHost));
  assert_int_equal(back, 5);
  ok(hipGetSymbolAddress(&address, &scale_shadow));
  ok(hipGetSymbolSize(&bytes, &scale_shadow));
  assert_int_equal(bytes, sizeof(int));
  ok(hipMemcpy(&back, address, sizeof back, hipMemcpyDeviceToHost));
  assert_int_equal(back, 5);
}

/* A variable is a device's own; a reset brings back its initial value. */
static void each_device_has_its_own(void **state) {
  (void)state;
  int host[2], five = 5, initial[2];
  ok(hipSetDevice(1));
  ok(launch_variables(initial));
  ok(hipSetDevice(0));
  ok(hipMemcpyToSymbol(&scale_shadow, &five, sizeof five, 0, hipMemcpyHostToDevice));
  ok(launch_variables(host));
  assert_int_equal(host[0], 504);
  ok(hipSetDevice(1));
  ok(launch_variables(host));
  assert_int_equal(host[0], initial[0]);
  assert_int_not_equal(host[0], 504);
  ok(hipSetDevice(0));
  ok(hipDeviceReset());
  ok(launch_variables(host));
  assert_int_equal(host[0], initial[0]);
}

static void what_is_not_there_is_an_error(void **state) {
  (void)state;
  const dim3 one = {1, 1, 1};
  int value = 0;
  assert_int_equal(hipLaunchKernel(&stranger, one, one, NULL, 0, NULL), hipErrorInvalidDeviceFunction);
  assert_int_equal(hipLaunchKernel(&missing_stub, one, one, NULL, 0, NULL), hipErrorNotFound);
  assert_non_null(strstr(hipsim_report(), "no_such_kernel"));
  assert_int_equal(hipMemcpyToSymbol(&stranger, &value, sizeof value, 0, hipMemcpyHostToDevice),
                   hipErrorInvalidSymbol);
  assert_int_equal(hipMemcpyToSymbol(&scale_shadow, &value, sizeof value, 1, hipMemcpyHostToDevice),
                   hipErrorInvalidValue);
  assert_int_equal(hipMemcpyToSymbol(&scale_shadow, &value, SIZE_MAX, 2, hipMemcpyHostToDevice),
                   hipErrorInvalidValue);
  hipGetLastError();
  const struct fat_binary wrong = {0x48495047, 1, code.data, NULL};
  assert_null(sim_register_program(&wrong));
  assert_null(sim_register_program(NULL));
  sim_register_kernel(NULL, &stranger, NULL, "variables", ~0U, NULL, NULL, NULL, NULL, NULL);
  assert_int_equal(hipLaunchKernel(&stranger, one, one, NULL, 0, NULL), hipErrorInvalidDeviceFunction);
}

static void configurations_are_a_stack(void **state) {
  (void)state;
  dim3 grid, block;
  size_t lds;
  hipStream_t stream;
  assert_int_equal(sim_pop_configuration(&grid, &block, &lds, &stream), hipErrorMissingConfiguration);
  unsigned depth = 0;
  while (sim_push_configuration((dim3){depth + 1, 2, 3}, (dim3){4, 5, 6}, depth, NULL) == hipSuccess)
    assert_true(++depth < 1000);
  assert_true(depth >= 2);
  while (depth-- > 0) {
    ok(sim_pop_configuration(&grid, &block, &lds, &stream));
    assert_int_equal(grid.x, depth + 1);
    assert_int_equal(grid.z, 3);
    assert_int_equal(block.y, 5);
    assert_int_equal(lds, depth);
  }
  assert_int_equal(sim_pop_configuration(&grid, &block, &lds, &stream), hipErrorMissingConfiguration);
}

static void a_program_that_is_gone_is_not_found(void **state) {
  (void)state;
  int host[2];
  sim_unregister_program(program);
  assert_int_equal(launch_variables(host), hipErrorInvalidDeviceFunction);
  register_program();
  ok(launch_variables(host));
}

int main(void) {
  setenv("HIPSIM_DEVICE", "gfx90a", 1);
  setenv("HIPSIM_DEVICES", "2", 1);
  ckt_text_init(&code, 0);
  const int compiled = test_compile("api_kernels.hip", "gfx90a:sramecc+:xnack-", &code);
  if (compiled != 0)
    return compiled == 77 ? 77 : 1;
  register_program();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_and_variables_go_by_host_symbol), cmocka_unit_test(each_device_has_its_own),
      cmocka_unit_test(what_is_not_there_is_an_error),           cmocka_unit_test(configurations_are_a_stack),
      cmocka_unit_test(a_program_that_is_gone_is_not_found),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  sim_unregister_program(program);
  ckt_text_free(&code);
  return failed;
}
