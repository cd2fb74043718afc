/* What a subcommand is: one file that ends in one descriptor. */
#ifndef CKT_DRIVER_COMMAND_H
#define CKT_DRIVER_COMMAND_H

#include <stddef.h>

#include "common/error.h"
#include "driver/options.h"

/* Exit statuses (README, "Exit status"). */
enum {
  CKT_EXIT_OK = 0,
  CKT_EXIT_NO_BEST = 1,
  CKT_EXIT_USAGE = 2,
  CKT_EXIT_DEVICE = 3,
  CKT_EXIT_STORE = 4,
  CKT_EXIT_INTERRUPTED = 130
};

struct ckt_command {
  const char *name;
  unsigned bit;         /* CKT_FOR_... */
  const char *operands; /* what may follow the options, for help; "" when nothing may */
  const char *summary;
  const char *example;
  /* *status is the exit status when the result is CKT_OK; else the error's code gives it. */
  int (*run)(const struct ckt_options *options, int *status, struct ckt_error *error);
};

extern const struct ckt_command ckt_command_tune, ckt_command_gen, ckt_command_best, ckt_command_upload,
    ckt_command_doctor;

/* All of them, in the order of the help page. */
extern const struct ckt_command *const ckt_commands[];
extern const size_t ckt_command_count;

/* Finds the command that argv asks for: its name as the first word, or tune when that is an option. *used is
 * how many words it took. CKT_E_USAGE names the nearest one. */
int ckt_command_find(int count, char *const *words, const struct ckt_command **command, int *used,
                     struct ckt_error *error);

int ckt_exit_status(int code);

/* Prints help on stdout: the overview (command NULL), or one command's page. */
void ckt_help(const struct ckt_command *command);
/* "cktune 0.1.0 (...)" on stdout. */
void ckt_print_version(void);

#endif
