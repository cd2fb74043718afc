/* Exercises: the pool with real compile workers (hipRTC in another process): the first answer, a compile, a
 * source that is refused, a worker that is killed, one that misses its deadline, one that is told nonsense, a
 * signal to the coordinator, a tick, and that destroying the pool leaves no process and no TMPDIR. The program is
 * its own worker, as cktune is. Skipped where hipRTC is not installed. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"
#include "common/file.h"
#include "driver/pool.h"
#include "driver/worker.h"

static char scratch[] = "/tmp/cktune-test-XXXXXX";

struct fixture {
  struct ckt_pool *pool;
  struct ckt_pool_event event;
};

static void next(struct fixture *fixture, double tick) {
  struct ckt_error error = {0};
  if (ckt_pool_next(fixture->pool, tick, &fixture->event, &error) != CKT_OK)
    fail_msg("%s", error.text);
}

/* The next event that is no tick. */
static void next_real(struct fixture *fixture) {
  next(fixture, 60);
  assert_int_not_equal(fixture->event.kind, CKT_EVENT_TICK);
}

static cJSON *compile_setup(void) {
  cJSON *setup = cJSON_CreateObject();
  cJSON_AddNullToObject(setup, "rocm");
  cJSON_AddNullToObject(setup, "kernels");
  return setup;
}

static void start_compiler(struct fixture *fixture, size_t slot) {
  assert_int_equal(ckt_pool_start(fixture->pool, slot, CKT_ROLE_COMPILE, NULL), CKT_OK);
  assert_int_equal(ckt_pool_send(fixture->pool, slot, compile_setup(), 60, NULL), CKT_OK);
  next_real(fixture);
  assert_int_equal(fixture->event.kind, CKT_EVENT_MESSAGE);
  assert_int_equal(fixture->event.slot, slot);
  const char *complaint = ckt_json_text(fixture->event.message, "error");
  const bool there = complaint == NULL;
  if (there)
    assert_non_null(ckt_json_text(fixture->event.message, "version"));
  else
    print_message("%s\n", complaint);
  cJSON_Delete(fixture->event.message);
  if (!there)
    skip();
}

static cJSON *compile_request(const char *source) {
  char path[128], output[128];
  snprintf(path, sizeof path, "%s/kernel.hip", scratch);
  snprintf(output, sizeof output, "%s/kernel.co", scratch);
  assert_int_equal(ckt_file_write(path, source, strlen(source), NULL), CKT_OK);
  cJSON *request = cJSON_CreateObject();
  cJSON_AddStringToObject(request, "source", path);
  cJSON_AddStringToObject(request, "target", "gfx90a");
  cJSON_AddStringToObject(request, "kernel", "one");
  cJSON_AddStringToObject(request, "output", output);
  return request;
}

#define KERNEL "extern \"C\" __global__ void one(float *x) { x[0] = 1; }\n"

static void compiles(void **state) {
  struct fixture *fixture = *state;
  start_compiler(fixture, 1);
  assert_int_equal(ckt_pool_send(fixture->pool, 1, compile_request(KERNEL), 60, NULL), CKT_OK);
  next_real(fixture);
  assert_int_equal(fixture->event.kind, CKT_EVENT_MESSAGE);
  assert_null(ckt_json_text(fixture->event.message, "error"));
  assert_true(ckt_json_number(fixture->event.message, "seconds", 0) > 0);
  cJSON_Delete(fixture->event.message);
  char output[128];
  snprintf(output, sizeof output, "%s/kernel.co", scratch);
  assert_true(ckt_file_exists(output));
}

static void refuses_a_wrong_source(void **state) {
  struct fixture *fixture = *state;
  start_compiler(fixture, 0);
  assert_int_equal(ckt_pool_send(fixture->pool, 0, compile_request("what is this"), 60, NULL), CKT_OK);
  next_real(fixture);
  assert_int_equal(fixture->event.kind, CKT_EVENT_MESSAGE);
  assert_int_equal((int)ckt_json_number(fixture->event.message, "code", 0), CKT_E_COMPILE);
  assert_non_null(ckt_json_text(fixture->event.message, "error"));
  cJSON_Delete(fixture->event.message);
  /* and goes on */
  assert_int_equal(ckt_pool_send(fixture->pool, 0, compile_request(KERNEL), 60, NULL), CKT_OK);
  next_real(fixture);
  assert_null(ckt_json_text(fixture->event.message, "error"));
  cJSON_Delete(fixture->event.message);
}

static void a_killed_worker_is_buried_and_replaced(void **state) {
  struct fixture *fixture = *state;
  start_compiler(fixture, 0);
  start_compiler(fixture, 1);
  kill(ckt_pool_pid(fixture->pool, 1), SIGSEGV);
  next_real(fixture);
  assert_int_equal(fixture->event.kind, CKT_EVENT_DIED);
  assert_int_equal(fixture->event.slot, 1);
  assert_false(ckt_pool_running(fixture->pool, 1));
  assert_true(ckt_pool_running(fixture->pool, 0));
  start_compiler(fixture, 1);
}

static void a_deadline_is_kept(void **state) {
  struct fixture *fixture = *state;
  start_compiler(fixture, 0);
  kill(ckt_pool_pid(fixture->pool, 0), SIGSTOP); /* hangs */
  const double start = ckt_now();
  assert_int_equal(ckt_pool_send(fixture->pool, 0, compile_request(KERNEL), 0.5, NULL), CKT_OK);
  next_real(fixture);
  assert_int_equal(fixture->event.kind, CKT_EVENT_DEADLINE);
  assert_true(ckt_now() - start >= 0.5);
  assert_false(ckt_pool_running(fixture->pool, 0));
  assert_non_null(strstr(fixture->event.cause, "signal 9"));
}

static void a_request_that_lacks_something(void **state) {
  struct fixture *fixture = *state;
  start_compiler(fixture, 0);
  assert_int_equal(ckt_pool_send(fixture->pool, 0, cJSON_CreateObject(), 60, NULL), CKT_OK);
  next_real(fixture);
  assert_int_equal(fixture->event.kind, CKT_EVENT_MESSAGE);
  assert_int_equal((int)ckt_json_number(fixture->event.message, "code", 0), CKT_E_WORKER);
  cJSON_Delete(fixture->event.message);
}

static void a_role_that_is_not_there(void **state) {
  struct fixture *fixture = *state;
  assert_int_equal(ckt_pool_start(fixture->pool, 0, "dance", NULL), CKT_OK);
  assert_int_equal(ckt_pool_send(fixture->pool, 0, compile_setup(), 60, NULL), CKT_OK);
  next_real(fixture);
  assert_int_equal(fixture->event.kind, CKT_EVENT_DIED);
  assert_non_null(strstr(fixture->event.cause, "exit status 2"));
}

static void signals_are_events(void **state) {
  struct fixture *fixture = *state;
  kill(getpid(), SIGTERM);
  next_real(fixture);
  assert_int_equal(fixture->event.kind, CKT_EVENT_SIGNAL);
  assert_int_equal(fixture->event.signal, SIGTERM);
}

static void time_passes(void **state) {
  struct fixture *fixture = *state;
  next(fixture, 0.01);
  assert_int_equal(fixture->event.kind, CKT_EVENT_TICK);
}

static int create(void **state) {
  static struct fixture fixture;
  fixture = (struct fixture){0};
  *state = &fixture;
  return ckt_pool_create(2, scratch, &fixture.pool, NULL);
}

static int destroy(void **state) {
  struct fixture *fixture = *state;
  const pid_t pids[] = {ckt_pool_pid(fixture->pool, 0), ckt_pool_pid(fixture->pool, 1)};
  ckt_pool_destroy(&fixture->pool);
  for (size_t i = 0; i < 2; i++)
    if (pids[i] != 0 && kill(pids[i], 0) == 0)
      return -1; /* a worker is left */
  char command[128];
  snprintf(command, sizeof command, "! ls %s | grep -q worker", scratch);
  return system(command) == 0 ? 0 : -1;
}

static int make_scratch(void **state) {
  (void)state;
  return mkdtemp(scratch) != NULL ? 0 : -1;
}

static int remove_scratch(void **state) {
  (void)state;
  return ckt_remove_tree(scratch, NULL);
}

#define POOL_TEST(name) cmocka_unit_test_setup_teardown(name, create, destroy)

int main(int argc, char **argv) {
  if (argc >= 3 && strcmp(argv[1], CKT_WORKER_WORD) == 0)
    return ckt_worker_main(argv[2]);
  const struct CMUnitTest tests[] = {
      POOL_TEST(compiles),
      POOL_TEST(refuses_a_wrong_source),
      POOL_TEST(a_killed_worker_is_buried_and_replaced),
      POOL_TEST(a_deadline_is_kept),
      POOL_TEST(a_request_that_lacks_something),
      POOL_TEST(a_role_that_is_not_there),
      POOL_TEST(signals_are_events),
      POOL_TEST(time_passes),
  };
  return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
