/* One wave on the simulated device that runs whatever words it is given, for a bounded number of steps. */
#ifndef TESTS_HIPSIM_HOSTILE_MACHINE_H
#define TESTS_HIPSIM_HOSTILE_MACHINE_H

#include "bench/hipsim/sim_memory.h"

enum { HOSTILE_WORDS = 48 };

struct hostile_machine {
  struct sim_memory *memory;
  uint64_t buffer, scratch;
  struct sim_kernel kernel;
  struct sim_dispatch dispatch;
  struct sim_counts counts;
  struct sim_fault fault;
};

/* All registers declared, a page of memory in s[0:1], 1 KiB of LDS, 64 bytes of scratch a lane. -1: memory ran out. */
int hostile_open(struct hostile_machine *machine, enum sim_arch arch);
void hostile_close(struct hostile_machine *machine);
/* Runs up to HOSTILE_WORDS words and an s_endpgm behind them: 0, or -1 with a report in `fault`. */
int hostile_run(struct hostile_machine *machine, const uint32_t *words, size_t count);

#endif
