#include "bench/hipsim/sim_cu_op.h"

#include "bench/hipsim/sim_device.h"
#include "bench/hipsim/sim_operands.h"
#include "bench/hipsim/sim_table.h"

/* Vector registers only: nothing else is written by matrix instructions. */
static void fill_registers(struct sim_cu_op *op, const struct sim_inst *inst) {
  struct sim_operands operands;
  sim_operands_of(inst, &operands);
  for (unsigned i = 0; i < operands.count; ++i) {
    const struct sim_range *r = &operands.range[i];
    if (r->first < SIM_VGPR0)
      continue;
    const struct sim_cu_range range = {.first = (uint16_t)(r->first - SIM_VGPR0),
                                       .end = (uint16_t)(r->first - SIM_VGPR0 + r->dwords)};
    if ((r->use & SIM_USE_WRITE) != 0)
      op->write = range;
    else if (r->slot <= SIM_SLOT_SRC2)
      op->read[r->slot] = range;
  }
}

static const uint8_t unit_of_class[SIM_CLASSES] = {
    [SIM_CLASS_SALU] = SIM_CU_SALU,        [SIM_CLASS_VALU] = SIM_CU_VALU,
    [SIM_CLASS_SMEM] = SIM_CU_SMEM,        [SIM_CLASS_LOAD] = SIM_CU_VMEM,
    [SIM_CLASS_STORE] = SIM_CU_VMEM,       [SIM_CLASS_LDS] = SIM_CU_LDS,
    [SIM_CLASS_MFMA] = SIM_CU_MATRIX,      [SIM_CLASS_BRANCH] = SIM_CU_BRANCH,
    [SIM_CLASS_BARRIER] = SIM_CU_INTERNAL, [SIM_CLASS_OTHER] = SIM_CU_INTERNAL,
};

/* LLVM AMDGPUUsage, "s_waitcnt" on gfx9: vmcnt 3:0 and 15:14, lgkmcnt 11:8. */
static void fill_waitcnt(struct sim_cu_op *op, uint32_t imm) {
  op->kind = SIM_CU_WAITCNT;
  op->vm = (uint8_t)((imm & 15u) | (imm >> 14 & 3u) << 4);
  op->lgkm = (uint8_t)(imm >> 8 & 15u);
}

/* s_nop N: N + 1 wait states of a turn each; s_sleep N: 64 * N clocks (CDNA2 ISA guide, "SOPP instructions"). */
static void fill_internal(struct sim_cu_op *op, const struct sim_inst *inst) {
  const uint32_t imm = (uint32_t)inst->imm;
  switch (inst->op) {
  case SIM_OP_s_nop:
    op->kind = SIM_CU_NOP;
    op->value = 4 * ((imm & 15u) + 1);
    break;
  case SIM_OP_s_sleep:
    op->kind = SIM_CU_NOP;
    op->value = 4 + 64 * (imm & 127u);
    break;
  case SIM_OP_s_waitcnt:
    fill_waitcnt(op, imm);
    break;
  case SIM_OP_s_barrier:
    op->kind = SIM_CU_BARRIER;
    break;
  case SIM_OP_s_setprio:
    op->kind = SIM_CU_PRIORITY;
    op->value = imm & 3u;
    break;
  case SIM_OP_s_endpgm:
  case SIM_OP_s_endpgm_saved:
    op->kind = SIM_CU_END;
    break;
  default:
    break;
  }
}

static bool is_atomic(const struct sim_op_info *info) {
  return sim_class_of[info - sim_info] == SIM_CLASS_STORE && info->dst != SIM_K_NONE;
}

static void fill_memory(struct sim_cu_op *op, const struct sim_inst *inst, const struct sim_op_info *info) {
  op->store = sim_class_of[inst->op] == SIM_CLASS_STORE;
  op->streaming = (inst->flags & SIM_F_GLC) != 0 || is_atomic(info);
  op->counts_lgkm = info->format == SIM_FMT_FLAT;
  const bool named_lds = !op->store && info->dst == SIM_K_NONE;
  if ((inst->flags & SIM_F_LDS) != 0 || named_lds)
    op->lds_clocks = 2; /* 64 dwords at 128 bytes a clock */
}

/* A dword of all lanes is 256 bytes; the input port takes 64 a clock of addresses and data, one after the other, so that
 * a write of 4 bytes a lane takes 8 clocks and one of 16 takes 20. */
static void fill_lds(struct sim_cu_op *op, const struct sim_op_info *info, enum sim_arch arch) {
  enum { DWORD_BYTES = 4 * SIM_LANES, IN_BYTES = 64 };
  uint32_t in = 0;
  for (unsigned i = 0; i < 3; ++i)
    in += sim_kind_dwords[info->src[i]];
  op->lds_in = (uint8_t)(in * DWORD_BYTES / IN_BYTES);
  op->lds_out = (uint8_t)(sim_kind_dwords[info->dst] * DWORD_BYTES / sim_arch_facts(arch)->lds_port_bytes);
}

void sim_cu_op_fill(struct sim_cu_op *op, const struct sim_inst *inst, enum sim_arch arch) {
  const struct sim_op_info *info = &sim_info[inst->op];
  *op = (struct sim_cu_op){.known = true,
                           .unit = unit_of_class[sim_class_of[inst->op]],
                           .dwords = (uint8_t)(inst->next / 4),
                           .clocks = sim_cycles_of[arch][inst->op]};
  fill_registers(op, inst);
  if (op->unit == SIM_CU_INTERNAL)
    fill_internal(op, inst);
  else if (op->unit == SIM_CU_VMEM)
    fill_memory(op, inst, info);
  else if (op->unit == SIM_CU_LDS)
    fill_lds(op, info, arch);
}
