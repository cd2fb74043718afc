/* The program: finds the command, reads its options, runs it, says what went wrong. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/log.h"
#include "driver/command.h"
#include "driver/worker.h"

/* `cktune help [COMMAND]`. */
static int help(int count, char *const *words, struct ckt_error *error) {
  const struct ckt_command *command = NULL;
  int used = 0;
  if (count > 0)
    CKT_TRY(ckt_command_find(count, words, &command, &used, error));
  ckt_help(command);
  return CKT_OK;
}

static int run_command(const struct ckt_command *command, const struct ckt_options *options, bool named,
                       int *status, struct ckt_error *error) {
  ckt_log_set_level(options->quiet ? CKT_LOG_WARNING : options->verbose ? CKT_LOG_DEBUG : CKT_LOG_NOTE);
  if (options->version) {
    ckt_print_version();
    return CKT_OK;
  }
  if (options->help) {
    ckt_help(named ? command : NULL);
    return CKT_OK;
  }
  return command->run(options, status, error);
}

static int run(int count, char *const *words, int *status, struct ckt_error *error) {
  if (count == 0 || strcmp(words[0], "help") == 0)
    return help(count > 0 ? count - 1 : 0, words + 1, error);
  const struct ckt_command *command;
  struct ckt_options options;
  int used;
  CKT_TRY(ckt_command_find(count, words, &command, &used, error));
  int code = ckt_options_parse(count - used, words + used, command->bit, command->name, &options, error);
  if (code == CKT_OK)
    code = run_command(command, &options, used > 0, status, error);
  ckt_options_free(&options);
  return code;
}

/* A standard descriptor that came closed would go to the next file that is opened, and the result would be written
 * into it. What takes its place fails at every write, as a closed one does. */
static void occupy_standard_descriptors(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open(fd == STDIN_FILENO ? "/dev/null" : "/dev/full", O_RDWR) < 0)
      return; /* neither is there: as it was */
}

/* A write that failed long ago counts too: fflush has nothing left to tell of it. */
static int check_output(int status) {
  const bool flushed = fflush(stdout) == 0;
  if (flushed && !ferror(stdout))
    return status;
  ckt_log(CKT_LOG_ERROR, "the result could not be written to stdout");
  return status == CKT_EXIT_OK || status == CKT_EXIT_NO_BEST ? CKT_EXIT_STORE : status;
}

int main(int argc, char **argv) {
  struct ckt_error error = {0};
  int status = CKT_EXIT_OK;
  if (argc >= 3 && strcmp(argv[1], CKT_WORKER_WORD) == 0)
    return ckt_worker_main(argv[2]);
  occupy_standard_descriptors();
  signal(SIGPIPE, SIG_IGN); /* a reader of our output that goes away is seen in check_output */
  signal(SIGXFSZ, SIG_IGN); /* a file that reaches `ulimit -f` is a failed write like any other */
  const int code = run(argc - 1, argv + 1, &status, &error);
  if (code != CKT_OK) {
    if (code != CKT_E_INTERRUPTED || error.text[0] != '\0')
      ckt_log(code == CKT_E_INTERRUPTED ? CKT_LOG_WARNING : CKT_LOG_ERROR, "%s", error.text);
    status = ckt_exit_status(code);
  }
  return check_output(status);
}
