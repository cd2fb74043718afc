#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void rig_open(struct rig *rig, uint32_t items, uint32_t lds_bytes) {
  memset(rig, 0, sizeof *rig);
  rig->memory = sim_memory_create((uint64_t)64 << 20);
  assert_non_null(rig->memory);
  rig->out = sim_memory_allocate(rig->memory, RIG_OUT_BYTES, SIM_SPAN_BUFFER, true);
  assert_true(rig->out != 0);
  rig->code = (struct sim_code){.base = 0x1000, .arch = SIM_GFX90A, .at = rig->program};
  rig->kernel = (struct sim_kernel){.name = "rig",
                                    .code = &rig->code,
                                    .entry = 0x1000,
                                    .lds_bytes = lds_bytes,
                                    .vgprs = 128,
                                    .agprs = 128,
                                    .sgprs = 104,
                                    .rsrc2 = 2u << 1 | 1u << 7, /* two user SGPRs, the workgroup's x */
                                    .properties = 1u << 3};     /* the kernarg pointer */
  rig->dispatch = (struct sim_dispatch){.kernel = &rig->kernel,
                                        .memory = rig->memory,
                                        .arch = SIM_GFX90A,
                                        .grid = {1, 1, 1},
                                        .block = {items, 1, 1},
                                        .kernarg = rig->out,
                                        .budget = 1000000,
                                        .strict = true,
                                        .lenient = true};
}

void rig_close(struct rig *rig) {
  sim_memory_free(&rig->memory);
}

struct sim_inst rig_inst(unsigned dst, unsigned src0, unsigned src1, unsigned src2) {
  return (struct sim_inst){.dst = (uint16_t)dst,
                           .sdst = SIM_NO_OPERAND,
                           .src = {(uint16_t)src0, (uint16_t)src1, (uint16_t)src2},
                           .soffset = SIM_NO_OPERAND,
                           .next = 4};
}

void rig_add(struct rig *rig, enum sim_op op, struct sim_inst inst) {
  size_t place = rig->code.size / 4;
  assert_true(place < RIG_PROGRAM);
  inst.op = (uint16_t)op;
  inst.run = sim_variant_handlers()[op];
  assert_non_null(inst.run);
  rig->program[place] = inst;
  rig->code.size += 4;
}

void rig_add_store(struct rig *rig, unsigned value) {
  rig_add(rig, SIM_OP_v_lshlrev_b32, rig_inst(V(1), SIM_INLINE_INT_0 + 2, V(0), NONE));
  rig_add(rig, SIM_OP_global_store_dword, rig_inst(NONE, V(1), value, SIM_SGPR0));
}

int rig_run(struct rig *rig) {
  rig_add(rig, SIM_OP_s_endpgm, rig_inst(NONE, NONE, NONE, NONE));
  struct sim_group *group = sim_group_create(&rig->dispatch);
  assert_non_null(group);
  int status = sim_group_run(group, &rig->dispatch, rig->id, &rig->counts, &rig->fault);
  sim_group_free(group);
  return status;
}

uint32_t rig_out(const struct rig *rig, unsigned i) {
  uint32_t value;
  memcpy(&value, (const char *)(uintptr_t)rig->out + (size_t)4 * i, sizeof value);
  return value;
}
