/* The simulated machine: what the HIP side (sim_api, sim_module, sim_launch) and the executing side
 * (sim_group, instruction handlers) know of each other.
 *
 * Device memory is the process's own: a device address is a host address inside the arena of the device.
 * Every allocation has an unmapped or poisoned red zone on both sides and a record, a span, that accesses are
 * checked against. Kernel arguments and code lie in the arena too, in spans that are not writable. */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/hipsim/sim_inst.h"

enum { SIM_LANES = 64 };

/* ---- memory (sim_memory.c) ---- */

enum sim_span_kind { SIM_SPAN_FREE, SIM_SPAN_BUFFER, SIM_SPAN_KERNARG, SIM_SPAN_CODE, SIM_SPAN_SCRATCH };

struct sim_span {
  uint64_t begin, end; /* addresses, end exclusive and exact to the byte */
  uint32_t id;         /* running number of the allocation, for messages */
  uint8_t kind;        /* SIM_SPAN_FREE: was freed (use after free is told from out of bounds) */
  bool writable;
};

struct sim_memory; /* opaque */

/* The span that holds `address`, or NULL. Thread-safe against other readers; allocation never runs during a
 * launch. */
const struct sim_span *sim_memory_span(const struct sim_memory *memory, uint64_t address);
/* The span nearest to an address in no span (for reports); NULL when there is none at all. */
const struct sim_span *sim_memory_nearest(const struct sim_memory *memory, uint64_t address);

/* ---- code (sim_decode.c) ---- */

struct sim_code {
  uint64_t base; /* address of the first byte */
  size_t size;   /* bytes */
  enum sim_arch arch;
  struct sim_inst *at; /* one entry a dword (size / 4): at[(pc - base) / 4]. An entry in the middle of an
                          instruction, and one that does not decode, runs a handler that reports it */
};

/* Decodes the text of a code object. Returns NULL only when memory runs out: what does not decode is reported
 * when it is executed. */
struct sim_code *sim_code_decode(const void *text, size_t size, uint64_t base, enum sim_arch arch);
void sim_code_free(struct sim_code *code);
/* "v_add_u32_e32 v1, v2, v3" style text of the instruction at an address, for reports. */
void sim_code_disassemble(const struct sim_code *code, uint64_t address, char *text, size_t size);

/* ---- a launch ---- */

/* A kernel's descriptor, already taken apart (LLVM AMDGPUUsage, "Kernel Descriptor"). */
struct sim_kernel {
  const char *name;
  const struct sim_code *code;
  uint64_t entry;         /* address of the first instruction */
  uint32_t lds_bytes;     /* static */
  uint32_t scratch_bytes; /* a work-item */
  uint32_t kernarg_bytes;
  uint32_t vgprs; /* granulated count, VGPRs that may be named */
  uint32_t agprs;
  uint32_t sgprs;
  uint32_t accum_offset;        /* gfx90a and later: where AGPRs begin in the unified file */
  uint32_t rsrc1, rsrc2, rsrc3; /* COMPUTE_PGM_RSRC1..3 */
  uint16_t properties;          /* kernel_code_properties: which user SGPRs are set up */
  uint32_t max_block;           /* from metadata */
};

struct sim_fault {
  char text[768]; /* one sentence: kernel, what happened, instruction with offset, workgroup, wave, lane,
                     address */
  uint64_t at;    /* address of the instruction; 0: of none */
  bool budget;    /* the instruction budget ran out: an endless loop */
  bool address; /* an access to global memory outside of every allocation, or one that is not allowed there */
};

/* Dynamic counts of one or many workgroups: what the time model is made of, by class. Sums, so that they do
 * not depend on the order of execution. */
struct sim_counts {
  uint64_t instructions; /* wave-instructions */
  uint64_t salu, valu, smem, vmem_load, vmem_store, lds, mfma, branch, barrier, other;
  uint64_t
      valu_cycles; /* SIMD cycles of VALU work: 4 a wave-instruction of 32 bits, more for the slow ones */
  uint64_t mfma_cycles; /* SIMD cycles the matrix pipe is busy */
  uint64_t lds_cycles;  /* cycles the CU's LDS is busy, conflicts included */
  uint64_t lds_conflict_cycles;
  uint64_t load_bytes, store_bytes; /* global memory, bytes that lanes asked for */
  uint64_t load_lines, store_lines; /* of the vector cache, touched by an instruction; summed */
};

struct sim_dispatch {
  const struct sim_kernel *kernel;
  const struct sim_memory *memory;
  enum sim_arch arch;
  uint32_t grid[3];  /* workgroups */
  uint32_t block[3]; /* work-items of a workgroup */
  uint32_t dynamic_lds;
  uint32_t compute_units, dies; /* of the device: where workgroups say that they run */
  uint64_t kernarg;             /* address */
  uint64_t packet;              /* address of the AQL dispatch packet (64 bytes), for kernels that read it */
  uint64_t queue;               /* address of a zeroed amd_queue_t */
  uint64_t scratch;             /* address of scratch memory of the executing thread, set by sim_launch before
                              sim_group_run; 0: none */
  uint64_t budget;              /* wave-instructions a workgroup may execute; 0: no limit */
  bool strict;                  /* HIPSIM_CHECK */
  bool lenient;                 /* strict, but for registers and races: tests of single instructions */
  uint32_t seed;                /* HIPSIM_SCHEDULE: interleaving of waves */
  const atomic_bool *stop;      /* another workgroup failed: give up early */
};

/* Bytes of scratch that a workgroup of this many work-items needs at sim_dispatch.scratch. The dwords of the 64
 * lanes of a wave are interleaved, as the hardware's are. */
size_t sim_group_scratch_bytes(const struct sim_kernel *kernel, uint32_t work_items);

/* Memory that running a workgroup needs (registers of its waves, LDS, shadow state), kept from one workgroup
 * to the next by its thread. */
struct sim_group;
struct sim_group *sim_group_create(const struct sim_dispatch *dispatch); /* NULL: memory ran out */
void sim_group_free(struct sim_group *group);

/* The workgroups that run from now on are recorded (sim_cu_trace.h); NULL: not. */
struct sim_cu_trace;
void sim_group_record(struct sim_group *group, struct sim_cu_trace *trace);

/* Adds the executions of each instruction, [enum sim_op], in all workgroups that this one was used for. */
void sim_group_add_hits(const struct sim_group *group, uint64_t *hits);

/* Runs one workgroup to its end. 0, or -1 with *fault filled. Adds to *counts. */
int sim_group_run(struct sim_group *group, const struct sim_dispatch *dispatch, const uint32_t id[3],
                  struct sim_counts *counts, struct sim_fault *fault);

/* Which handler variant runs on this host ("avx512", "avx2", "generic"); HIPSIM_ISA asks for a lesser one. */
const char *sim_variant_name(void);

#endif
