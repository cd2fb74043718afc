/* A model of one compute unit that replays recorded workgroups, clock by clock where something happens.
 *
 * - Four SIMDs. Every fourth clock a SIMD has a turn, in which it issues at most one instruction to each unit (VALU,
 *   matrix, scalar ALU, scalar memory, branch, LDS, vector memory) and at most one of each wave, in order: the oldest
 *   wave of the highest s_setprio first. VALU and matrix instructions share a port (AMD, "Graphics Core Next
 *   Architecture" white paper, "Compute unit front-end"; the CDNA white papers keep it).
 * - VALU results are there at the next turn. The matrix pipe is busy for an instruction's passes; its result can be
 *   accumulated onto by the next one at once, and read by others three wait states later (the wait states that LLVM's
 *   GCNHazardRecognizer inserts: passes + 3).
 * - s_waitcnt waits for results in the order of issue (vmcnt and lgkmcnt; at most 63 and 15 in flight).
 * - LDS serves one instruction at a time, for the clocks that its real addresses need. Two SIMDs share a port to it, which
 *   moves 64 bytes a clock in each direction.
 * - Vector memory: addresses at 16 lanes a clock, one line a clock through the L1 (LRU, real lines), data at its
 *   bandwidth; misses and stores take their turn at the CU's share of the L2 and, a given fraction of them, at its share
 *   of the last-level cache and of memory.
 * - As many workgroups as fit; when one ends, the next begins. */
#ifndef SIM_CU_H
#define SIM_CU_H

#include "bench/hipsim/sim_cu_loop.h"
#include "bench/hipsim/sim_cu_op.h"
#include "bench/hipsim/sim_device.h"

/* What a wave waited for. */
enum sim_cu_stall {
  SIM_CU_STALL_VMCNT,
  SIM_CU_STALL_LGKMCNT,
  SIM_CU_STALL_DEPENDENCY, /* the result of a matrix instruction, an s_nop */
  SIM_CU_STALL_BARRIER,
  SIM_CU_STALL_MATRIX, /* the matrix pipe is busy */
  SIM_CU_STALL_ISSUE,  /* another wave's turn, or a unit is busy */
  SIM_CU_STALL_BRANCH,
  SIM_CU_STALLS
};

/* The CU's share of what all CUs use. */
struct sim_cu_memory {
  double l2_bytes, last_bytes, memory_bytes; /* a clock; last_bytes 0: there is no such cache */
  double last_share, memory_share;           /* of the lines asked of the L2: how many go on to there */
  double store_memory_share;                 /* of the bytes stored: how many go on to memory */
};

struct sim_cu_job {
  enum sim_arch arch;
  const struct sim_code *code;
  const struct sim_cu_trace *traces; /* workgroups take them in turn */
  const struct sim_cu_cut *cuts;     /* one a trace */
  uint32_t trace_count;
  uint32_t slots;  /* workgroups at a time */
  uint32_t blocks; /* workgroups in all */
  struct sim_cu_memory memory;
};

struct sim_cu_result {
  uint64_t clocks; /* until the last workgroup ended, without what the cuts left out */
  uint64_t steps;
  uint64_t issued[SIM_CU_UNITS];
  uint64_t busy[SIM_CU_UNITS]; /* clocks: matrix and VALU of all SIMDs, LDS and vector memory of the CU */
  uint64_t stall[SIM_CU_STALLS];
  uint64_t wave_clocks; /* sum over waves of the clocks from first to last instruction */
  uint64_t l1_hits, l1_lines, l2_lines, last_lines, memory_lines;
};

/* A replayed workgroup: the clock at its end; when the first of its waves came into the window of its cut, and when the
 * last one left it; and how many times that window the cut left out. */
struct sim_cu_block {
  uint64_t finish;
  double from, to, left_out;
};

/* Replays; blocks[] has room for job->blocks. 0, or -1 when memory runs out. */
int sim_cu_replay(const struct sim_cu_job *job, struct sim_cu_block *blocks, struct sim_cu_result *result);

/* Clocks until the first `count` workgroups have ended, with what their cuts left out. */
double sim_cu_clocks(const struct sim_cu_block *blocks, uint32_t count);

/* A vector cache that holds lines by LRU in sets of four; for the model, and for counting misses without it. */
enum { SIM_CU_WAYS = 4, SIM_CU_MOST_SETS = 128 };
struct sim_cu_line {
  uint64_t tag; /* line number + 1 */
  uint64_t
      there; /* the clock at which it arrives, for the model: a line that is on its way counts as a hit */
};
struct sim_cu_cache {
  uint32_t sets;
  struct sim_cu_line line[SIM_CU_MOST_SETS][SIM_CU_WAYS]; /* newest first */
};
void sim_cu_cache_clear(struct sim_cu_cache *cache, enum sim_arch arch);
/* The line is in the cache afterwards: *held. True: it was before. */
bool sim_cu_cache_touch(struct sim_cu_cache *cache, uint32_t line, struct sim_cu_line **held);

#endif
