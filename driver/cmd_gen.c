/* cktune gen: writes sources, or shows what becomes of lists. */
#include <string.h>

#include "driver/command.h"
#include "driver/gen_parts.h"

static const struct {
  const char *target;
  int (*run)(const struct ckt_options *options, struct ckt_error *error);
} parts[] = {{"hip", ckt_gen_hip}};

static int run(const struct ckt_options *options, int *status, struct ckt_error *error) {
  if (options->operands.count > 0)
    return ckt_fail(error, CKT_E_USAGE, "'cktune gen' takes options alone, and '%s' was given",
                    options->operands.items[0]);
  if (options->list)
    return ckt_gen_list(options, status, error);
  for (size_t i = 0; options->target != NULL && i < sizeof parts / sizeof *parts; i++)
    if (strcmp(parts[i].target, options->target) == 0)
      return parts[i].run(options, error);
  return ckt_fail(error, CKT_E_USAGE,
                  "what to write was not said: --target hip or --list ('cktune help gen')");
}

const struct ckt_command ckt_command_gen = {
    .name = "gen",
    .bit = CKT_FOR_GEN,
    .operands = "",
    .summary = "write the sources of the kernels in instance lists",
    .example = "cktune gen --target hip --output sources --direction forward --dtype fp16 --instances tests",
    .run = run,
};
