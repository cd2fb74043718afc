/* cktune gen: writes sources, or shows what becomes of lists. */
#include <string.h>

#include "common/log.h"
#include "driver/command.h"
#include "driver/gen_parts.h"

/* Rows: name, how it is asked for, function. */
#define PARTS(ROW)                                                                                           \
  ROW(LIST, "--list", ckt_gen_list)                                                                          \
  ROW(HIP, "--target hip", ckt_gen_hip)                                                                      \
  ROW(CKTILE, "--target cktile", ckt_gen_cktile)

enum part {
#define ROW(name, words, run) name,
  PARTS(ROW)
#undef ROW
};

static const struct {
  const char *words;
  int (*run)(const struct ckt_options *options, int *status, struct ckt_error *error);
} parts[] = {
#define ROW(name, words, run) {words, run},
    PARTS(ROW)
#undef ROW
};

#define OF(part) (1U << (part))

/* An option that was given and would not be heeded is a mistake. */
static int check_options(const struct ckt_options *options, enum part part, struct ckt_error *error) {
  const struct {
    const char *name;
    bool given;
    unsigned parts; /* that heed it */
  } rows[] = {
      {"--target", options->target != NULL, OF(HIP) | OF(CKTILE)},
      {"--output", options->output != NULL, OF(HIP)},
      {"--instances", options->instances != NULL, OF(HIP) | OF(LIST)},
      {"--filter", options->filter != NULL, OF(HIP)},
      {"--dtype", options->dtype != NULL, OF(HIP) | OF(LIST)},
      {"--spatial", options->spatial != 0, OF(HIP) | OF(LIST)},
      {"--arch", options->arch != NULL, OF(HIP) | OF(LIST)},
      {"--why", options->why, OF(LIST)},
      {"--rules", options->rules != NULL, OF(LIST)},
      {"--format", options->format != NULL, OF(LIST)},
      {"--root", options->root != NULL, OF(CKTILE)},
      {"--instances_dir", options->instances_dir != NULL, OF(CKTILE)},
      {"--mode", options->mode != NULL, OF(CKTILE)},
      {"--filter_pattern", options->filter_pattern != NULL, OF(CKTILE)},
      {"--clean", options->clean, OF(HIP) | OF(CKTILE)},
      {"--keep-going", options->keep_going, OF(HIP) | OF(CKTILE) | OF(LIST)},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].given && !(rows[i].parts & OF(part)))
      return ckt_fail(error, CKT_E_USAGE, "%s means nothing to %s ('cktune help gen')", rows[i].name,
                      parts[part].words);
  return CKT_OK;
}

void ckt_gen_say_left_out(size_t lines) {
  if (lines > 0)
    ckt_log(CKT_LOG_WARNING, "%zu bad line%s left out", lines, lines == 1 ? " was" : "s were");
}

static int run(const struct ckt_options *options, int *status, struct ckt_error *error) {
  if (options->operands.count > 0)
    return ckt_fail(error, CKT_E_USAGE, "'cktune gen' takes options alone, and '%s' was given",
                    options->operands.items[0]);
  if (options->target == NULL && !options->list)
    return ckt_fail(error, CKT_E_USAGE,
                    "what to do was not said: --target hip, --target cktile or --list ('cktune help gen')");
  const enum part part = options->list ? LIST : strcmp(options->target, "hip") == 0 ? HIP : CKTILE;
  CKT_TRY(check_options(options, part, error));
  return parts[part].run(options, status, error);
}

const struct ckt_command ckt_command_gen = {
    .name = "gen",
    .bit = CKT_FOR_GEN,
    .operands = "",
    .summary = "write the sources of the kernels in instance lists",
    .example = "cktune gen --target hip --output sources --direction forward --dtype fp16 --instances tests",
    .run = run,
};
