#include "driver/command.h"

#include <string.h>

const struct ckt_command *const ckt_commands[] = {&ckt_command_tune, &ckt_command_gen, &ckt_command_best,
                                                  &ckt_command_upload, &ckt_command_doctor};
#define COMMANDS (sizeof ckt_commands / sizeof ckt_commands[0])
const size_t ckt_command_count = COMMANDS;

static int unknown_command(const char *word, struct ckt_error *error) {
  const char *names[COMMANDS];
  for (size_t i = 0; i < ckt_command_count; i++)
    names[i] = ckt_commands[i]->name;
  const char *near = ckt_nearest(word, names, ckt_command_count);
  if (near != NULL)
    return ckt_fail(error, CKT_E_USAGE, "there is no command '%s'; did you mean '%s'?", word, near);
  return ckt_fail(error, CKT_E_USAGE, "there is no command '%s'; 'cktune help' lists those there are", word);
}

int ckt_command_find(int count, char *const *words, const struct ckt_command **command, int *used,
                     struct ckt_error *error) {
  *used = 0;
  *command = &ckt_command_tune;
  if (count == 0 || words[0][0] == '-')
    return CKT_OK;
  *used = 1;
  for (size_t i = 0; i < ckt_command_count; i++)
    if (strcmp(ckt_commands[i]->name, words[0]) == 0) {
      *command = ckt_commands[i];
      return CKT_OK;
    }
  return unknown_command(words[0], error);
}

int ckt_exit_status(int code) {
  switch (code) {
  case CKT_OK:
    return CKT_EXIT_OK;
  case CKT_E_USAGE:
  case CKT_E_INPUT:
    return CKT_EXIT_USAGE;
  case CKT_E_STORE:
  case CKT_E_CACHE:
  case CKT_E_IO:
    return CKT_EXIT_STORE;
  case CKT_E_INTERRUPTED:
    return CKT_EXIT_INTERRUPTED;
  case CKT_E_NETWORK:
    return CKT_EXIT_NO_BEST;
  default: /* device, toolchain, worker, memory: this machine cannot do it */
    return CKT_EXIT_DEVICE;
  }
}
