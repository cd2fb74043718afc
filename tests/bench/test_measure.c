/* Exercises the measuring policy (bench/measure) with scripted times in place of a device: negative and zero
 * times, all of them zero, a quantised timer, batches, the stopping rule, warm-up, failures, statistics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "bench/measure.h"

/* A timer that gives `singles` in turn, again and again, for single launches, and for a batch `launch_ms` a
 * launch in steps of `tick_ms`. */
struct script {
  const double *singles;
  int64_t count;
  double launch_ms;
  double tick_ms;
  int64_t fail_at; /* call that fails, or -1 */
  int64_t calls, at, largest_batch;
  double given_ms;
};

static int scripted_time(void *context, int64_t launches, double *ms, struct ckt_error *error) {
  struct script *script = context;
  if (script->calls++ == script->fail_at)
    return ckt_fail(error, CKT_E_RUN, "the script says so");
  if (launches == 1)
    *ms = script->singles[script->at++ % script->count];
  else
    *ms = floor((double)launches * script->launch_ms / script->tick_ms) * script->tick_ms;
  if (launches > script->largest_batch)
    script->largest_batch = launches;
  script->given_ms += *ms > 0 ? *ms : 0;
  return CKT_OK;
}

static struct ckt_measure_policy policy_without_warm_up(int64_t samples) {
  struct ckt_measure_policy policy = ckt_measure_policy_default;
  policy.warm_up_launches = 0;
  policy.most_samples = samples;
  return policy;
}

static struct ckt_measurement measure(struct script *script, const struct ckt_measure_policy *policy) {
  const struct ckt_timer timer = {.context = script, .method = CKT_METHOD_PAIR, .time = scripted_time};
  struct ckt_measurement m = {.status = CKT_RUN_FAILED};
  struct ckt_error error = {0};
  assert_int_equal(ckt_measure(&timer, policy, &m, &error), CKT_OK);
  return m;
}

#define SCRIPT(...)                                                                                          \
  static const double times[] = {__VA_ARGS__};                                                               \
  struct script script = {.singles = times,                                                                  \
                          .count = sizeof times / sizeof *times,                                             \
                          .launch_ms = 0.006,                                                                \
                          .tick_ms = 1e-6,                                                                   \
                          .fail_at = -1}

static void test_negative_time_is_dropped(void **state) {
  (void)state;
  SCRIPT(0.006, -1.78, 0.006, 0.006, 0.006);
  const struct ckt_measure_policy policy = policy_without_warm_up(5);
  const struct ckt_measurement m = measure(&script, &policy);
  assert_int_equal(m.status, CKT_MEASURED);
  assert_int_equal(m.method, CKT_METHOD_PAIR);
  assert_int_equal(m.samples, 4);
  assert_int_equal(m.samples_dropped, 1);
  assert_true(m.time_ms == 0.006 && m.time_min_ms == 0.006);
}

static void test_all_zero_is_measured_in_batches(void **state) {
  (void)state;
  SCRIPT(0.0);
  const struct ckt_measure_policy policy = policy_without_warm_up(20);
  const struct ckt_measurement m = measure(&script, &policy);
  assert_int_equal(m.status, CKT_MEASURED);
  assert_int_equal(m.method, CKT_METHOD_BATCH);
  assert_int_equal(m.samples_dropped, 20);
  assert_int_equal(m.samples, policy.batches);
  assert_true(fabs(m.time_ms - 0.006) < 0.00006);
  assert_true((double)script.largest_batch * 0.006 >= policy.batch_ms);
  assert_true((double)script.largest_batch * 0.006 < 10 * policy.batch_ms);
}

static void test_dead_timer_is_unmeasurable(void **state) {
  (void)state;
  SCRIPT(0.0);
  script.launch_ms = 0;
  const struct ckt_measure_policy policy = policy_without_warm_up(20);
  const struct ckt_measurement m = measure(&script, &policy);
  assert_int_equal(m.status, CKT_RUN_FAILED);
  assert_memory_equal(m.reason, "unmeasurable", 12);
  assert_int_equal(m.samples, 0);
  assert_int_equal(m.samples_dropped, 20);
  assert_true(m.time_ms == 0);
}

static void test_not_a_number_is_dropped(void **state) {
  (void)state;
  SCRIPT(NAN, INFINITY, -INFINITY, 0.5);
  const struct ckt_measure_policy policy = policy_without_warm_up(4);
  const struct ckt_measurement m = measure(&script, &policy);
  assert_int_equal(m.samples_dropped, 3);
  assert_true(m.time_ms == 0.5 && m.time_max_ms == 0.5);
}

static void test_minimum_is_never_zero(void **state) {
  (void)state;
  SCRIPT(0.000, 0.000, 0.009, 0.008);
  const struct ckt_measure_policy policy = policy_without_warm_up(4);
  const struct ckt_measurement m = measure(&script, &policy);
  assert_int_equal(m.status, CKT_MEASURED);
  assert_int_equal(m.samples, 2);
  assert_int_equal(m.samples_dropped, 2);
  assert_true(m.time_min_ms == 0.008 && m.time_max_ms == 0.009);
  assert_true(fabs(m.time_ms - 0.0085) < 1e-9);
}

static void test_coarse_timer_in_batches(void **state) {
  (void)state;
  SCRIPT(0.0);
  script.tick_ms = 0.25; /* a single launch is far below a tick */
  const struct ckt_measure_policy policy = policy_without_warm_up(10);
  const struct ckt_measurement m = measure(&script, &policy);
  assert_int_equal(m.method, CKT_METHOD_BATCH);
  assert_true(m.time_ms > 0.0045 && m.time_ms <= 0.006);
}

static void test_quiet_times_stop_early(void **state) {
  (void)state;
  SCRIPT(1.0, 1.001, 0.999);
  const struct ckt_measure_policy policy = policy_without_warm_up(200);
  const struct ckt_measurement m = measure(&script, &policy);
  assert_int_equal(m.samples, policy.least_samples);
}

static void test_noisy_times_go_on(void **state) {
  (void)state;
  SCRIPT(0.1, 0.2, 0.15);
  const struct ckt_measure_policy policy = policy_without_warm_up(200);
  const struct ckt_measurement m = measure(&script, &policy);
  assert_int_equal(m.samples, 200);
  assert_true(m.time_ms == 0.15);
}

static void test_long_kernel_is_not_repeated_for_ever(void **state) {
  (void)state;
  SCRIPT(400.0, 300.0);
  const struct ckt_measure_policy policy = policy_without_warm_up(200);
  assert_int_equal(measure(&script, &policy).samples, 3);
}

static void test_warm_up_takes_its_time(void **state) {
  (void)state;
  SCRIPT(0.006);
  struct ckt_measure_policy policy = ckt_measure_policy_default;
  policy.warm_up_ms = CKT_WARM_UP_FIRST_MS;
  const struct ckt_measurement m = measure(&script, &policy);
  assert_int_equal(m.status, CKT_MEASURED);
  assert_true(script.given_ms >= CKT_WARM_UP_FIRST_MS + (double)m.samples * 0.006);
  assert_true(script.given_ms < 4 * CKT_WARM_UP_FIRST_MS);
}

static void test_warm_up_ends_with_a_dead_timer(void **state) {
  (void)state;
  SCRIPT(0.0);
  script.launch_ms = 0;
  assert_int_equal(measure(&script, &ckt_measure_policy_default).status, CKT_RUN_FAILED);
}

static void test_failure_is_handed_on(void **state) {
  (void)state;
  SCRIPT(0.1, 0.2);
  for (int64_t at = 0; at < 6; at++) {
    script.fail_at = at;
    script.calls = 0;
    const struct ckt_timer timer = {.context = &script, .method = CKT_METHOD_EXT, .time = scripted_time};
    struct ckt_measurement m = {.status = CKT_RUN_FAILED};
    struct ckt_error error = {0};
    assert_int_equal(ckt_measure(&timer, &ckt_measure_policy_default, &m, &error), CKT_E_RUN);
    assert_string_equal(error.text, "the script says so");
    assert_int_equal(m.status, CKT_RUN_FAILED);
  }
}

static void test_statistics(void **state) {
  (void)state;
  double samples[] = {4.0, 1.0, 3.0, 2.0};
  struct ckt_measurement m = {.status = CKT_MEASURED};
  ckt_measure_statistics(samples, 4, &m);
  assert_int_equal(m.samples, 4);
  assert_true(m.time_ms == 2.5 && m.time_min_ms == 1.0 && m.time_max_ms == 4.0);
  assert_true(fabs(m.time_stddev_ms - 1.2909944487358056) < 1e-12);
  ckt_measure_statistics(samples, 1, &m);
  assert_true(m.time_ms == 1.0 && m.time_stddev_ms == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_negative_time_is_dropped),
      cmocka_unit_test(test_all_zero_is_measured_in_batches),
      cmocka_unit_test(test_dead_timer_is_unmeasurable),
      cmocka_unit_test(test_not_a_number_is_dropped),
      cmocka_unit_test(test_minimum_is_never_zero),
      cmocka_unit_test(test_coarse_timer_in_batches),
      cmocka_unit_test(test_quiet_times_stop_early),
      cmocka_unit_test(test_noisy_times_go_on),
      cmocka_unit_test(test_long_kernel_is_not_repeated_for_ever),
      cmocka_unit_test(test_warm_up_takes_its_time),
      cmocka_unit_test(test_warm_up_ends_with_a_dead_timer),
      cmocka_unit_test(test_failure_is_handed_on),
      cmocka_unit_test(test_statistics),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
