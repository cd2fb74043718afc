/* Exercises: a child's descriptors (socket and nothing else), its stdin and stdout, TMPDIR and its removal,
 * messages in both directions (parts of lines, many lines, one that is too long), the end of stderr, how an
 * end is told (status, signal, killed by us), process group, core limit, signal mask, a program that is not
 * there, and that a child dies with its parent. Children are shells. */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/child.h"
#include "common/file.h"

static char scratch[] = "/tmp/cktune-test-XXXXXX";

static struct ckt_child *run_shell(const char *script) {
  const char *const arguments[] = {"bash", "-c", script, NULL};
  const struct ckt_child_setup setup = {.program = "/bin/bash", .arguments = arguments, .scratch = scratch};
  struct ckt_child *child = NULL;
  struct ckt_error error = {0};
  if (ckt_child_start(&setup, &child, &error) != CKT_OK)
    fail_msg("%s", error.text);
  return child;
}

/* The next line, waiting up to ten seconds for it; NULL when the child closed its end. */
static const char *next_line(struct ckt_child *child) {
  const char *line;
  for (;;)
    switch (ckt_child_receive(child, &line)) {
    case CKT_CHILD_LINE:
      return line;
    case CKT_CHILD_NOTHING: {
      struct pollfd polled = {.fd = ckt_child_socket(child), .events = POLLIN};
      assert_int_equal(poll(&polled, 1, 10000), 1);
      break;
    }
    case CKT_CHILD_TOO_LONG:
      fail_msg("the line is too long");
    case CKT_CHILD_CLOSED:
      return NULL;
    }
}

static void assert_end(struct ckt_child *child, const char *expected) {
  char cause[CKT_CHILD_CAUSE_MAX];
  while (next_line(child) != NULL)
    ;
  ckt_child_end(child, cause);
  assert_string_equal(cause, expected);
  ckt_child_destroy(&child);
  assert_null(child);
}

static void has_no_other_descriptors(void **state) {
  (void)state;
  const int leak =
      dup(STDIN_FILENO); /* not close-on-exec: as if inherited from the program that started us */
  /* 255 is bash's own */
  struct ckt_child *child = run_shell("for f in /proc/$$/fd/*; do n=${f##*/}; [ -e $f ] && [ $n != 255 ] && "
                                      "printf '%s ' $n >&3; done; echo >&3");
  assert_string_equal(next_line(child), "0 1 2 3 ");
  assert_end(child, "exit status 0");
  close(leak);
}

static void has_no_input_and_output(void **state) {
  (void)state;
  struct ckt_child *child = run_shell("echo lost; readlink /proc/$$/fd/0 >&3; readlink /proc/$$/fd/1 >&3");
  assert_string_equal(next_line(child), "/dev/null");
  assert_string_equal(next_line(child), "/dev/null");
  assert_end(child, "exit status 0");
}

static void has_a_folder_that_goes_with_it(void **state) {
  (void)state;
  struct ckt_child *child =
      run_shell("mkdir $TMPDIR/comgr-1; touch $TMPDIR/comgr-1/file; echo $TMPDIR >&3; read x <&3");
  char folder[256];
  snprintf(folder, sizeof folder, "%s", next_line(child));
  assert_string_equal(folder, ckt_child_tmpdir(child));
  assert_true(ckt_file_exists(folder));
  ckt_child_destroy(&child);
  assert_false(ckt_file_exists(folder));
}

static void keeps_the_environment(void **state) {
  (void)state;
  setenv("LD_LIBRARY_PATH", "/somewhere", 1);
  struct ckt_child *child = run_shell("echo $LD_LIBRARY_PATH $AMD_COMGR_CACHE >&3");
  unsetenv("LD_LIBRARY_PATH");
  assert_string_equal(next_line(child), "/somewhere 0");
  assert_end(child, "exit status 0");
}

static void talks_in_lines(void **state) {
  (void)state;
  struct ckt_child *child =
      run_shell("while read -r line <&3; do printf 'got ' >&3; echo \"$line\" >&3; done");
  for (int i = 0; i < 100; i++) {
    char sent[32], expected[40];
    snprintf(sent, sizeof sent, "message %d", i);
    snprintf(expected, sizeof expected, "got message %d", i);
    assert_int_equal(ckt_child_send(child, sent, NULL), CKT_OK);
    assert_string_equal(next_line(child), expected);
  }
  ckt_child_destroy(&child);
}

static void sends_many_lines_at_once(void **state) {
  (void)state;
  struct ckt_child *child = run_shell("seq 1 5000 >&3");
  for (int i = 1; i <= 5000; i++) {
    char expected[16];
    snprintf(expected, sizeof expected, "%d", i);
    assert_string_equal(next_line(child), expected);
  }
  assert_end(child, "exit status 0");
}

static void a_line_without_end_is_refused(void **state) {
  (void)state;
  struct ckt_child *child = run_shell("head -c 1000000 /dev/zero | tr '\\0' x >&3; sleep 60");
  const char *line;
  enum ckt_child_input input;
  while ((input = ckt_child_receive(child, &line)) == CKT_CHILD_NOTHING) {
    struct pollfd polled = {.fd = ckt_child_socket(child), .events = POLLIN};
    assert_int_equal(poll(&polled, 1, 10000), 1);
  }
  assert_int_equal(input, CKT_CHILD_TOO_LONG);
  ckt_child_destroy(&child);
}

static void the_end_of_stderr_is_kept(void **state) {
  (void)state;
  struct ckt_child *child =
      run_shell("for i in $(seq 1 3000); do echo line $i >&2; done; printf '\\tlast\\n\\n' >&2");
  while (next_line(child) != NULL)
    ckt_child_read_stderr(child);
  char cause[CKT_CHILD_CAUSE_MAX];
  ckt_child_end(child, cause);
  const char *said = ckt_child_said(child);
  assert_true(strlen(said) > 1000 && strlen(said) <= CKT_CHILD_STDERR_KEPT);
  assert_non_null(strstr(said, "line 2999 line 3000 last"));
  assert_string_equal(said + strlen(said) - 4, "last");
  assert_null(strstr(said, "line 1 "));
  ckt_child_destroy(&child);
}

/* A child that writes without end to stderr is not held up for long by a parent that reads seldom, and one that
 * is read gets on. */
static void stderr_is_drained(void **state) {
  (void)state;
  struct ckt_child *child = run_shell("head -c 1000000 /dev/zero >&2; echo done >&3");
  const char *line = NULL;
  for (int i = 0; i < 10000 && line == NULL; i++) {
    ckt_child_read_stderr(child);
    if (ckt_child_receive(child, &line) == CKT_CHILD_NOTHING)
      poll(NULL, 0, 1);
  }
  assert_non_null(line);
  assert_string_equal(line, "done");
  ckt_child_destroy(&child);
}

static void ends_are_told(void **state) {
  (void)state;
  assert_end(run_shell("exit 3"), "exit status 3");
  assert_end(run_shell("kill -SEGV $$"), "killed by signal 11 (Segmentation fault)");
  assert_end(run_shell("kill -ABRT $$"), "killed by signal 6 (Aborted)");
  assert_end(run_shell("exec 3>&-; sleep 60"),
             "killed by signal 9 (Killed)"); /* closed, but goes on: by us */
}

static void a_hanging_child_is_killed(void **state) {
  (void)state;
  struct ckt_child *child = run_shell("trap '' TERM; while :; do :; done");
  char cause[CKT_CHILD_CAUSE_MAX];
  ckt_child_end(child, cause);
  assert_string_equal(cause, "killed by signal 9 (Killed)");
  ckt_child_destroy(&child);
}

static void is_shielded(void **state) {
  (void)state;
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigprocmask(SIG_BLOCK, &set, &before);
  signal(SIGPIPE, SIG_IGN);
  struct ckt_child *child = run_shell("ulimit -c >&3; ps -o pgid= -p $$ | tr -d ' ' >&3; echo $$ >&3;"
                                      "sed -n 's/^SigBlk:\\t//p;s/^SigIgn:\\t//p' /proc/$$/status >&3");
  sigprocmask(SIG_SETMASK, &before, NULL);
  signal(SIGPIPE, SIG_DFL);
  char group[32];
  assert_string_equal(next_line(child), "0"); /* no core file */
  snprintf(group, sizeof group, "%s", next_line(child));
  assert_string_equal(next_line(child), group); /* leads its own group */
  /* bash itself blocks SIGCHLD while it waits, so only what we changed is looked at */
  assert_int_equal(strtoull(next_line(child), NULL, 16) & (1 << (SIGINT - 1)), 0);
  assert_int_equal(strtoull(next_line(child), NULL, 16) & (1 << (SIGPIPE - 1)), 0);
  assert_end(child, "exit status 0");
}

static void a_program_that_is_not_there(void **state) {
  (void)state;
  const char *const arguments[] = {"nothing", NULL};
  const struct ckt_child_setup setup = {
      .program = "/nowhere/nothing", .arguments = arguments, .scratch = scratch};
  struct ckt_child *child = NULL;
  assert_int_equal(ckt_child_start(&setup, &child, NULL), CKT_OK);
  assert_null(next_line(child));
  char cause[CKT_CHILD_CAUSE_MAX];
  ckt_child_end(child, cause);
  assert_string_equal(cause, "exit status 127");
  assert_non_null(strstr(ckt_child_said(child), "could not be executed"));
  ckt_child_destroy(&child);
}

static void sending_to_one_that_is_gone(void **state) {
  (void)state;
  struct ckt_child *child = run_shell("exit 0");
  while (next_line(child) != NULL)
    ;
  assert_int_equal(ckt_child_send(child, "hello", NULL), CKT_E_WORKER);
  ckt_child_destroy(&child);
}

/* In a process of its own: starts a child, tells its pid, and is killed. */
static void dies_with_its_parent(void **state) {
  (void)state;
  int pipes[2];
  assert_int_equal(pipe(pipes), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    struct ckt_child *child = run_shell("echo ready >&3; sleep 60");
    const pid_t pid = next_line(child) != NULL ? ckt_child_pid(child) : 0;
    if (write(pipes[1], &pid, sizeof pid) == (ssize_t)sizeof pid)
      pause();
    _exit(1);
  }
  pid_t pid = 0;
  assert_int_equal(read(pipes[0], &pid, sizeof pid), sizeof pid);
  assert_true(pid > 0);
  kill(parent, SIGKILL);
  waitpid(parent, NULL, 0);
  char path[64], state_line[64] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  for (int i = 0; i < 5000; i++) { /* gone, or a zombie where nobody reaps orphans */
    FILE *file = fopen(path, "r");
    const bool there = file != NULL && fgets(state_line, sizeof state_line, file) != NULL;
    if (file != NULL)
      fclose(file);
    if (!there || strstr(state_line, ") Z") != NULL) {
      close(pipes[0]);
      close(pipes[1]);
      return;
    }
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  kill(pid, SIGKILL);
  fail_msg("the child outlives its parent: %s", state_line);
}

static int make_scratch(void **state) {
  (void)state;
  return mkdtemp(scratch) != NULL ? 0 : -1;
}

static int remove_scratch(void **state) {
  (void)state;
  return ckt_remove_tree(scratch, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(has_no_other_descriptors),
      cmocka_unit_test(has_no_input_and_output),
      cmocka_unit_test(has_a_folder_that_goes_with_it),
      cmocka_unit_test(keeps_the_environment),
      cmocka_unit_test(talks_in_lines),
      cmocka_unit_test(sends_many_lines_at_once),
      cmocka_unit_test(a_line_without_end_is_refused),
      cmocka_unit_test(the_end_of_stderr_is_kept),
      cmocka_unit_test(stderr_is_drained),
      cmocka_unit_test(ends_are_told),
      cmocka_unit_test(a_hanging_child_is_killed),
      cmocka_unit_test(is_shielded),
      cmocka_unit_test(a_program_that_is_not_there),
      cmocka_unit_test(sending_to_one_that_is_gone),
      cmocka_unit_test(dies_with_its_parent),
  };
  return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
