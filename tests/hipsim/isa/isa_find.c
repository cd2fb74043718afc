#include <string.h>

#include "isa_coverage.h"

enum sim_op isa_find(const char *name) {
  for (unsigned op = 1; op < SIM_OP_COUNT; op++)
    if (strcmp(sim_info[op].name, name) == 0)
      return (enum sim_op)op;
  return SIM_OP_UNKNOWN;
}
