/* The state of a wave, and what instruction handlers may do to it. */
#ifndef SIM_WAVE_H
#define SIM_WAVE_H

#include <string.h>

#include "bench/hipsim/sim_machine.h"

/* Flat addresses whose upper half is one of these mean LDS and scratch (the same values as Linux's amdkfd
 * sets on gfx9, so kernels see the SRC_SHARED_BASE and SRC_PRIVATE_BASE that they would see there). Host
 * addresses end below 1 << 47. */
#define SIM_SHARED_APERTURE  (UINT64_C(1) << 48)
#define SIM_PRIVATE_APERTURE (UINT64_C(2) << 48)

/* What registers hold when a wave starts and the kernel's descriptor does not ask for a value: a NaN as f32,
 * as two f16 and as two bf16, and half of an address that no memory has. */
#define SIM_REGISTER_POISON 0xffdaffdau

enum { SIM_CACHED_SPANS = 4 };

struct sim_lds_shadow;  /* sim_lds.h */
struct sim_bank_memory; /* sim_bank.h */
struct sim_check;       /* sim_check.h */

enum sim_wave_state { SIM_RUNNING, SIM_AT_BARRIER, SIM_ENDED, SIM_FAULTED };

/* A vector register: one dword a lane. */
typedef uint32_t sim_vreg[SIM_LANES] __attribute__((aligned(64)));

struct sim_wave {
  sim_vreg *v; /* v[0..255] VGPRs, v[256..511] AGPRs: operand number - SIM_VGPR0 is the index */
  uint32_t s[128] __attribute__((aligned(64))); /* scalar operands 0..127, VCC, M0 and EXEC among them */
  uint32_t scc;                                 /* 0 or 1 */
  uint32_t mode;                                /* MODE register, as s_getreg reads it */
  enum sim_wave_state state;
  uint64_t pc;                  /* address of the NEXT instruction while a handler runs */
  const struct sim_inst *now;   /* the instruction being run */
  uint64_t executed;            /* wave-instructions in the turns before this one */
  uint64_t clock;               /* what the last s_memtime read */
  uint32_t number;              /* wave in its workgroup */
  uint32_t vgprs, agprs, sgprs; /* how many the kernel may name; more is a fault */
  struct sim_group *group;
  const struct sim_dispatch *dispatch;
  const struct sim_memory *memory;
  const struct sim_code *code;
  struct sim_counts *counts;
  /* LDS of the workgroup */
  uint8_t *lds;
  uint32_t lds_bytes;
  struct sim_lds_shadow *lds_shadow; /* strict checks of the workgroup; NULL when they are off */
  struct sim_check *check;           /* the same */
  struct sim_bank_memory *banks;
  uint64_t scratch;                               /* address of this wave's scratch */
  uint32_t id[3];                                 /* of the workgroup */
  uint64_t *hits;                                 /* [enum sim_op] executions in this workgroup */
  const struct sim_span *spans[SIM_CACHED_SPANS]; /* hit lately; the newest first */
  uint8_t line_bits;                              /* log2 of the bytes of a line of the vector cache */
  bool mfma_fast;                                 /* HIPSIM_MFMA=fast */
  struct sim_fault *fault;
};

static inline uint64_t sim_read_s64(const struct sim_wave *w, unsigned index) {
  uint64_t value;
  memcpy(&value, &w->s[index], sizeof value);
  return value;
}

static inline void sim_write_s64(struct sim_wave *w, unsigned index, uint64_t value) {
  memcpy(&w->s[index], &value, sizeof value);
}

static inline uint64_t sim_exec(const struct sim_wave *w) {
  return sim_read_s64(w, SIM_EXEC_LO);
}

/* Stops the wave with a report: the sentence is completed with kernel, instruction, offset, workgroup and
 * wave. lane < 0: not of one lane. */
void sim_wave_fault(struct sim_wave *w, int lane, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Runs up to `count` instructions of a running wave, until it reaches a barrier, ends or fails. One for each
 * variant (sim_run.c). */
void sim_run_generic(struct sim_wave *w, uint64_t count);
void sim_run_avx2(struct sim_wave *w, uint64_t count);
void sim_run_avx512(struct sim_wave *w, uint64_t count);

#endif
