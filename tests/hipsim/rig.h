/* A kernel made of decoded instructions, and all that a workgroup of it needs to run. */
#ifndef RIG_H
#define RIG_H

#include "bench/hipsim/sim_memory.h"
#include "bench/hipsim/sim_table.h"

enum { RIG_PROGRAM = 64, RIG_OUT_BYTES = 4096 };

struct rig {
  struct sim_memory *memory;
  uint64_t out; /* RIG_OUT_BYTES of device memory; its address is in s[0:1] */
  struct sim_inst program[RIG_PROGRAM];
  struct sim_code code;
  struct sim_kernel kernel;
  struct sim_dispatch dispatch;
  uint32_t id[3]; /* of the workgroup */
  struct sim_counts counts;
  struct sim_fault fault;
};

/* A kernel on gfx90a with `items` work-items in x and no instructions yet. s2 is the workgroup's number. */
void rig_open(struct rig *rig, uint32_t items, uint32_t lds_bytes);
void rig_close(struct rig *rig);
/* Appends an instruction made by rig_inst. */
void rig_add(struct rig *rig, enum sim_op op, struct sim_inst inst);
/* Appends: v1 = 4 * v0; store v[value] at out + v1. */
void rig_add_store(struct rig *rig, unsigned value);
/* Appends s_endpgm and runs workgroup `id`, (0,0,0) unless set: what sim_group_run returns. */
int rig_run(struct rig *rig);
/* Dword i of the output. */
uint32_t rig_out(const struct rig *rig, unsigned i);

#define V(n) (SIM_VGPR0 + (n))
#define A(n) (SIM_AGPR0 + (n))
/* An instruction with a destination and three sources; further fields may be set on the result. */
struct sim_inst rig_inst(unsigned dst, unsigned src0, unsigned src1, unsigned src2);

enum { NONE = SIM_NO_OPERAND };

#endif
