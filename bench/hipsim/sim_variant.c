/* Picks the handlers compiled for the vector extensions of this host. */
#include <stdlib.h>
#include <string.h>

#include "bench/hipsim/sim_table.h"
#include "bench/hipsim/sim_wave.h"

extern sim_handler *const sim_handlers_generic[SIM_OP_COUNT];
extern sim_handler *const sim_handlers_avx2[SIM_OP_COUNT];
extern sim_handler *const sim_handlers_avx512[SIM_OP_COUNT];

static const struct {
  const char *name;
  sim_handler *const *handlers;
} variants[] = {
    {"generic", sim_handlers_generic},
    {"avx2", sim_handlers_avx2},
    {"avx512", sim_handlers_avx512},
};

/* F16C is not asked for: no processor has AVX2 without it, and clang 14 does not know its name. */
static unsigned best_of_host(void) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2"))
    return 0;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
    return 1;
  return 2;
}

/* The host's best, or what HIPSIM_ISA names when that is less. */
static unsigned chosen(void) {
  unsigned best = best_of_host();
  const char *wanted = getenv("HIPSIM_ISA");
  for (unsigned i = 0; wanted && i < best; i++)
    if (strcmp(wanted, variants[i].name) == 0)
      return i;
  return best;
}

const char *sim_variant_name(void) {
  return variants[chosen()].name;
}

sim_handler *const *sim_variant_handlers(void) {
  return variants[chosen()].handlers;
}
