/* The program: finds the command, reads its options, runs it, says what went wrong. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

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

int main(int argc, char **argv) {
  struct ckt_error error = {0};
  int status = CKT_EXIT_OK;
  if (argc >= 3 && strcmp(argv[1], CKT_WORKER_WORD) == 0)
    return ckt_worker_main(argv[2]);
  signal(SIGPIPE, SIG_IGN); /* a reader of our output that goes away is seen by fflush below */
  const int code = run(argc - 1, argv + 1, &status, &error);
  if (code != CKT_OK) {
    if (code != CKT_E_INTERRUPTED || error.text[0] != '\0')
      ckt_log(code == CKT_E_INTERRUPTED ? CKT_LOG_WARNING : CKT_LOG_ERROR, "%s", error.text);
    status = ckt_exit_status(code);
  }
  if (fflush(stdout) != 0 && status == CKT_EXIT_OK) {
    ckt_log(CKT_LOG_ERROR, "the result could not be written to stdout");
    status = CKT_EXIT_STORE;
  }
  return status;
}
