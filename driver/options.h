/* The options of every command: one table, from which parser, help and the README check come. */
#ifndef CKT_DRIVER_OPTIONS_H
#define CKT_DRIVER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Commands as bits, for the table's column "which commands take it". */
enum {
  CKT_FOR_TUNE = 1 << 0,
  CKT_FOR_BEST = 1 << 1,
  CKT_FOR_UPLOAD = 1 << 2,
  CKT_FOR_DOCTOR = 1 << 3,
  CKT_FOR_GEN = 1 << 4,
  CKT_FOR_ALL = CKT_FOR_TUNE | CKT_FOR_BEST | CKT_FOR_UPLOAD | CKT_FOR_DOCTOR | CKT_FOR_GEN
};

/* Words of an option; borrowed from argv. */
struct ckt_words {
  const char **items; /* owned array */
  size_t count;
};

/* What the user asked for. Texts are borrowed from argv, the environment or the table; NULL where nothing was
 * said and there is no default. */
struct ckt_options {
  struct ckt_words problems;      /* --problem */
  struct ckt_words problem_files; /* --problems */
  const char *direction, *dtype;
  int64_t spatial;
  const char *instances, *filter;
  const char *arch, *device, *rocm, *kernels;
  const char *db, *cache_dir;
  bool fresh;
  int64_t jobs;  /* 0: chosen from the machine */
  double budget; /* seconds; 0: none */
  double compile_timeout, run_timeout;
  const char *init;
  int64_t seed;
  const char *format;
  const char *upload, *token_file;
  const char *token; /* from the environment alone */
  const char *target, *output;
  const char *root, *mode, *filter_pattern, *instances_dir, *rules;
  bool list, why, clean, keep_going;
  bool quiet, verbose, help, version;
  struct ckt_words operands; /* words that are no options */
};

enum ckt_option_kind {
  CKT_OPTION_FLAG,
  CKT_OPTION_TEXT,
  CKT_OPTION_ANY_TEXT, /* may be empty */
  CKT_OPTION_WORD,     /* one of `choices` */
  CKT_OPTION_NUMBER,   /* a whole number of at least `least` */
  CKT_OPTION_SECONDS,
  CKT_OPTION_LIST /* may be given again */
};

/* Rows of one name are for different commands. */
struct ckt_option {
  const char *name;
  char letter; /* 0: none */
  enum ckt_option_kind kind;
  const char *value;   /* its name in help: "FILE" */
  const char *choices; /* "table|json", or NULL */
  int64_t least;       /* CKT_OPTION_NUMBER */
  const char *environment;
  const char *preset; /* the default, written as a user would write it; NULL: none */
  unsigned commands;
  size_t offset; /* in struct ckt_options */
  const char *help;
};

extern const struct ckt_option ckt_option_table[];
extern const size_t ckt_option_count;

/* Reads defaults, environment and the words of the command line that follow the command's name, in that order
 * of precedence. `command` is its bit, `name` its name for messages. CKT_E_USAGE says what is wrong and, for
 * an unknown option, which one is nearest. */
int ckt_options_parse(int count, char *const *words, unsigned command, const char *name,
                      struct ckt_options *options, struct ckt_error *error);
void ckt_options_free(struct ckt_options *options);

/* The candidate nearest to a mistyped word, or NULL when none is near. */
const char *ckt_nearest(const char *word, const char *const *candidates, size_t count);

#endif
