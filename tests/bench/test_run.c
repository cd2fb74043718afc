/* Exercises bench/run on the simulated device: an instance emitted, compiled by the real hipRTC and measured; kernels
 * that write nothing, garbage, one element too many or too far; damaged and foreign code objects; and the
 * hardware's path (guards, warm-up, single launches, times of zero and below) over the same device with its clock
 * replaced by a scripted one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/code_cache.h"
#include "bench/measure.h"
#include "bench/rtc.h"
#include "bench/run.h"
#include "common/file.h"
#include "gen/emit_hip.h"

#define INSTANCE "tile=64x64x16 warps=2x2x1 warp_tile=32x32x8 vector=4,4,4"
#define PROBLEM  "1,16,16,6,6,3,3,1,1,1,1"

static char *folder;
static struct ckt_hip hip;
static struct ckt_instance instance;
static struct ckt_problem problem;

/* ---- set-up ---- */

static const struct ckt_problem_defaults defaults = {CKT_FORWARD, CKT_FP16, 2};

static char *code_path(const char *name) {
  struct ckt_text path = {0};
  ckt_text_printf(&path, "%s/%s.co", folder, name);
  return ckt_text_take(&path, NULL);
}

/* In a child: hipRTC keeps what it allocates. */
static int compile_in_child(const char *source, const char *path) {
  struct ckt_rtc *rtc = NULL;
  struct ckt_headers headers;
  struct ckt_error error = {0};
  struct ckt_text code = {0};
  struct ckt_text log = {0};
  const struct ckt_rtc_request request = {
      .source = source, .name = "test.hip", .target = "gfx90a", .headers = &headers};
  if (ckt_rtc_open(NULL, &rtc, &error) != CKT_OK)
    return 77;
  if (ckt_headers_load(NULL, &headers, &error) == CKT_OK &&
      ckt_rtc_compile(rtc, &request, &code, &log, &error) == CKT_OK &&
      ckt_code_file_write(path, CKT_KERNEL_ENTRY, code.data, code.length, &error) == CKT_OK)
    return 0;
  fprintf(stderr, "%s\n", error.text);
  return 1;
}

/* The path of the source's code object, to be freed; skips the test where there is no hipRTC. */
static char *compile(const char *name, const char *source) {
  char *path = code_path(name);
  assert_non_null(path);
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0)
    _exit(compile_in_child(source, path));
  int status = 0;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
    free(path);
    path = NULL;
    skip();
  }
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return path;
}

static char *compile_instance(void) {
  struct ckt_text source = {0};
  struct ckt_error error = {0};
  assert_int_equal(ckt_emit_hip(&instance, &source, &error), CKT_OK);
  char *path = compile("instance", ckt_text_string(&source));
  ckt_text_free(&source);
  return path;
}

static int set_up(void **state) {
  (void)state;
  static char name[] = "/tmp/cktune-run-XXXXXX";
  struct ckt_error error = {0};
  const struct ckt_hip_where where = {.simulated = true, .sim_device = "gfx90a"};
  folder = mkdtemp(name);
  if (folder == NULL || ckt_hip_open(&where, &hip, &error) != CKT_OK ||
      ckt_problem_parse(PROBLEM, &defaults, &problem, &error) != CKT_OK ||
      ckt_instance_parse(INSTANCE, &defaults, &instance, NULL, &error) != CKT_OK) {
    fprintf(stderr, "%s\n", error.text);
    return -1;
  }
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  ckt_hip_close(&hip);
  return ckt_remove_tree(folder, NULL);
}

static struct ckt_runner *make_runner(const struct ckt_hip *table) {
  const struct ckt_runner_options options = {.device = 0, .init = CKT_INIT_NORMAL, .seed = 1};
  struct ckt_runner *runner = NULL;
  struct ckt_error error = {0};
  if (ckt_runner_create(table, &options, &runner, &error) != CKT_OK ||
      ckt_runner_set_problem(runner, &problem, &error) != CKT_OK)
    fail_msg("%s", error.text);
  return runner;
}

/* Runs one code object on a fresh runner; what the function gave goes to *status when it is wanted. */
static struct ckt_measurement run(const struct ckt_hip *table, const char *path, int *status) {
  struct ckt_runner *runner = make_runner(table);
  struct ckt_measurement m;
  struct ckt_error error = {0};
  const int result = ckt_runner_measure(runner, &instance, path, &m, &error);
  if (status != NULL)
    *status = result;
  else if (result != CKT_OK)
    fail_msg("%s", error.text);
  ckt_runner_destroy(&runner);
  assert_null(runner);
  return m;
}

/* ---- kernels of our own ---- */

#define HEAD                                                                                                 \
  "#include \"conv_args.h\"\n"                                                                               \
  "extern \"C\" __global__ void " CKT_KERNEL_ENTRY "(struct ckt_conv_args args) {\n"                         \
  "  _Float16 *out = (_Float16 *)args.out;\n"                                                                \
  "  const long elements = args.out_tensor.bytes / 2;\n"                                                     \
  "  const long me = (long)blockIdx.x * blockDim.x + threadIdx.x;\n"                                         \
  "  const long all = (long)gridDim.x * blockDim.x;\n"

static const char writes_nothing[] = HEAD "  if (elements < 0) out[me] = (_Float16)0;\n}\n";
static const char writes_zeros[] =
    HEAD "  for (long i = me; i < elements; i += all) out[i] = (_Float16)0;\n}\n";
static const char writes_half[] =
    HEAD "  for (long i = me; i < elements / 2; i += all) out[i] = (_Float16)0;\n}\n";
static const char writes_behind[] = HEAD "  if (me == 0) out[elements] = (_Float16)1;\n}\n";
static const char writes_before[] = HEAD "  if (me == 0) out[-1] = (_Float16)1;\n}\n";

/* ---- the simulated device ---- */

static void test_instance_is_measured(void **state) {
  (void)state;
  char *path = compile_instance();
  const struct ckt_measurement m = run(&hip, path, NULL);
  if (m.status != CKT_MEASURED)
    fail_msg("%s: %s", ckt_status_word(m.status), m.reason);
  assert_true(m.simulated && m.method == CKT_METHOD_MODEL && m.samples == 1 && m.samples_dropped == 0);
  assert_true(m.time_ms > 0 && m.time_ms == m.time_min_ms && m.time_ms == m.time_max_ms);
  assert_true(m.error_ratio >= 0 && m.error_ratio <= 1 && m.wrong_elements == 0 && m.reason[0] == '\0');
  assert_true(fabs(m.tflops - (double)ckt_problem_flops(&problem) / m.time_ms * 1e-9) < 1e-9 * m.tflops);
  assert_true(fabs(m.gbps - (double)ckt_problem_bytes(&problem) / m.time_ms * 1e-6) < 1e-9 * m.gbps);
  assert_true(m.vgprs > 0 && m.vgprs <= 512 && m.agprs >= 0 && m.sgprs > 0 && m.sgprs <= 112);
  assert_true(m.lds_bytes > 0 && m.lds_bytes <= 65536 && m.workgroups_per_cu > 0 &&
              m.workgroups_per_cu <= 16);
  free(path);
}

static void test_same_run_twice_is_the_same(void **state) {
  (void)state;
  char *path = compile_instance();
  const struct ckt_measurement a = run(&hip, path, NULL);
  const struct ckt_measurement b = run(&hip, path, NULL);
  assert_true(a.time_ms == b.time_ms && a.error_ratio == b.error_ratio && a.worst_index == b.worst_index);
  free(path);
}

static void assert_wrong(const char *name, const char *source, const char *words) {
  char *path = compile(name, source);
  const struct ckt_measurement m = run(&hip, path, NULL);
  assert_int_equal(m.status, CKT_WRONG_RESULT);
  if (strstr(m.reason, words) == NULL)
    fail_msg("%s", m.reason);
  assert_true(m.time_ms == 0 && m.wrong_elements > 0 && m.error_ratio > 1);
  free(path);
}

static void test_wrong_results(void **state) {
  (void)state;
  assert_wrong("nothing", writes_nothing, "wrote none");
  assert_wrong("zeros", writes_zeros, "output elements are wrong");
  assert_wrong("half", writes_half, "never written");
}

/* The device stops the kernel, and as on a GPU the process cannot use it any more: the worker must be replaced. */
static void test_access_outside_is_a_failure(void **state) {
  (void)state;
  char *path = compile("behind", writes_behind);
  int status = CKT_OK;
  const struct ckt_measurement m = run(&hip, path, &status);
  assert_int_equal(m.status, CKT_RUN_FAILED);
  assert_int_equal(status, CKT_E_RUN);
  assert_non_null(strstr(m.reason, CKT_KERNEL_ENTRY));
  free(path);
}

static void test_objects_that_do_not_load(void **state) {
  (void)state;
  int status = CKT_OK;
  char *path = code_path("foreign");
  (void)run(&hip, path, &status);
  assert_int_equal(status, CKT_E_CACHE); /* not there */
  assert_int_equal(ckt_code_file_write(path, CKT_KERNEL_ENTRY, "no code object", 14, NULL), CKT_OK);
  (void)run(&hip, path, &status);
  assert_int_equal(status, CKT_E_CACHE);
  assert_int_equal(ckt_file_write(path, "damaged", 7, NULL), CKT_OK);
  (void)run(&hip, path, &status);
  assert_int_equal(status, CKT_E_CACHE);
  free(path);
}

static void test_memory_is_checked_first(void **state) {
  (void)state;
  const struct ckt_runner_options options = {.device = 0, .init = CKT_INIT_NORMAL, .seed = 1};
  struct ckt_runner *runner = NULL;
  struct ckt_problem huge;
  struct ckt_error error = {0};
  assert_int_equal(ckt_problem_parse("1,1,1,2000000,2000000,1,1,2000,2000", &defaults, &huge, &error),
                   CKT_OK);
  assert_int_equal(ckt_runner_create(&hip, &options, &runner, &error), CKT_OK);
  assert_int_equal(ckt_runner_set_problem(runner, &huge, &error), CKT_E_DEVICE);
  assert_non_null(strstr(error.text, "MiB"));
  ckt_runner_destroy(&runner);
}

static void test_unknown_device(void **state) {
  (void)state;
  const struct ckt_runner_options options = {.device = 99};
  struct ckt_runner *runner = NULL;
  struct ckt_error error = {0};
  assert_int_equal(ckt_runner_create(&hip, &options, &runner, &error), CKT_E_DEVICE);
  assert_null(runner);
  assert_non_null(strstr(error.text, "99"));
}

/* ---- the hardware's path ---- */

static float clock_script[8];
static int clock_length, clock_at;

static hipError_t scripted_clock(float *ms, hipEvent_t start, hipEvent_t stop) {
  (void)start;
  (void)stop;
  *ms = clock_script[clock_at++ % clock_length];
  return hipSuccess;
}

/* The simulated device taken for a GPU. */
static struct ckt_hip hardware_table(int length, const float *script) {
  struct ckt_hip table = hip;
  table.simulated = false;
  table.hipsim_report = NULL;
  table.ext_launch = NULL;
  table.hipEventElapsedTime = scripted_clock;
  memcpy(clock_script, script, (size_t)length * sizeof *script);
  clock_length = length;
  clock_at = 0;
  return table;
}

static void test_hardware_times_single_launches(void **state) {
  (void)state;
  char *path = compile_instance();
  /* Longer than the whole warm-up, which doubles its launches until the clock has had enough. */
  const float script[] = {32.0f, -1.78f, 32.0f, 32.0f, 0.0f};
  const struct ckt_hip table = hardware_table(5, script);
  const struct ckt_measurement m = run(&table, path, NULL);
  if (m.status != CKT_MEASURED)
    fail_msg("%s: %s", ckt_status_word(m.status), m.reason);
  assert_false(m.simulated);
  assert_int_equal(m.method, CKT_METHOD_PAIR);
  assert_true(m.time_ms == 32.0 && m.time_min_ms == 32.0);
  assert_int_equal(m.samples, ckt_measure_policy_default.least_samples);
  assert_true(m.samples_dropped > 0);
  /* verification, warm-up, samples */
  assert_true(clock_at >= 1 + 1 + (int)(m.samples + m.samples_dropped));
  free(path);
}

static void assert_guard_caught(const char *name, const char *source, const char *words) {
  char *path = compile(name, source);
  const float script[] = {2.0f};
  const struct ckt_hip table = hardware_table(1, script);
  const struct ckt_measurement m = run(&table, path, NULL);
  assert_int_equal(m.status, CKT_WRONG_RESULT);
  if (strstr(m.reason, words) == NULL)
    fail_msg("%s", m.reason);
  free(path);
}

/* The stray write is said even though the rest of the output is wrong as well. */
static void test_hardware_guards(void **state) {
  (void)state;
  assert_guard_caught("behind", writes_behind, "behind the end of the output");
  assert_guard_caught("before", writes_before, "before the start of the output");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_instance_is_measured),
      cmocka_unit_test(test_same_run_twice_is_the_same),
      cmocka_unit_test(test_wrong_results),
      cmocka_unit_test(test_objects_that_do_not_load),
      cmocka_unit_test(test_memory_is_checked_first),
      cmocka_unit_test(test_unknown_device),
      cmocka_unit_test(test_hardware_times_single_launches),
      cmocka_unit_test(test_hardware_guards),
      cmocka_unit_test(test_access_outside_is_a_failure), /* last: no runner works after it */
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
