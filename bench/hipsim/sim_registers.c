#include "bench/hipsim/sim_registers.h"

#include <stdlib.h>

#include "bench/hipsim/sim_table.h"

/* ---- one instruction ---- */

/* The last tuples of SGPRs end in FLAT_SCRATCH. */
enum { VECTORS = 256, TUPLES_END = 104, TTMPS_END = 124 };

static bool scalar_fits(unsigned code, unsigned dwords) {
  if (code < SIM_FLAT_SCRATCH_LO)
    return code + dwords <= TUPLES_END;
  if (code >= SIM_TTMP0 && code < TTMPS_END)
    return code + dwords <= TTMPS_END;
  /* FLAT_SCRATCH, XNACK_MASK, VCC and EXEC are pairs; M0 stands alone. */
  return dwords <= 1 || (dwords == 2 && code == SIM_NULL) || (dwords == 2 && code % 2 == 0 && code != SIM_M0);
}

static void raise(uint16_t *highest, unsigned end) {
  if (end > *highest)
    *highest = (uint16_t)end;
}

static void name(struct sim_registers *r, unsigned code, unsigned dwords) {
  if (code == SIM_NO_OPERAND || dwords == 0 || (code > SIM_EXEC_HI && code < SIM_VGPR0))
    return;
  if (code <= SIM_EXEC_HI) {
    r->fits &= scalar_fits(code, dwords);
    if (code < SIM_FLAT_SCRATCH_LO)
      raise(&r->sgprs, code + dwords);
    return;
  }
  unsigned first = code >= SIM_AGPR0 ? code - SIM_AGPR0 : code - SIM_VGPR0;
  r->fits &= first + dwords <= VECTORS;
  r->aligned &= dwords < 2 || first % 2 == 0;
  raise(code >= SIM_AGPR0 ? &r->agprs : &r->vgprs, first + dwords);
}

/* Dwords of source i: what the row says, but addresses depend on what they are added to. */
static unsigned source_dwords(const struct sim_inst *inst, unsigned i) {
  const struct sim_op_info *info = &sim_info[inst->op];
  bool both = (inst->flags & SIM_F_OFFEN) && (inst->flags & SIM_F_IDXEN);
  if (i == 0 && info->format == SIM_FMT_GLOBAL)
    return inst->src[2] == SIM_NO_OPERAND ? 2 : 1;
  if (i == 0 && info->format == SIM_FMT_MUBUF)
    return both ? 2 : 1;
  return sim_kind_dwords[info->src[i]] + (i == 1 && (inst->flags & SIM_F_TFE) ? 1u : 0u);
}

static bool is_foreign(unsigned code) {
  return code == SIM_LDS_DIRECT || code == SIM_POPS_EXITING_WAVE_ID || code == SIM_NULL;
}

/* What decodes, but has no meaning here: a mask or a lane's number in VGPRs, the graphics pipeline's operands. */
static bool suits(const struct sim_inst *inst) {
  bool moves = (inst->flags & (SIM_F_SDWA | SIM_F_DPP)) != 0;
  if (inst->flags & SIM_F_TFE)
    return false;
  if (inst->op == SIM_OP_v_pk_fmac_f16 && moves)
    return false;
  if ((inst->op == SIM_OP_v_alignbit_b32 || inst->op == SIM_OP_v_alignbyte_b32) &&
      (inst->op_sel || (inst->flags & SIM_F_CLAMP)))
    return false;
  if (is_foreign(inst->dst) || is_foreign(inst->sdst) || is_foreign(inst->soffset))
    return false;
  for (unsigned i = 0; i < 3; i++)
    if (is_foreign(inst->src[i]) || (sim_info[inst->op].src[i] == SIM_K_MASK && inst->src[i] > SIM_EXEC_HI))
      return false;
  if (inst->op == SIM_OP_v_readlane_b32)
    return inst->src[0] >= SIM_VGPR0 && inst->src[1] < SIM_VGPR0;
  if (inst->op == SIM_OP_v_permlane16_swap_b32 || inst->op == SIM_OP_v_permlane32_swap_b32)
    return inst->src[0] >= SIM_VGPR0 && inst->op_sel == 0;
  if (inst->op == SIM_OP_v_readfirstlane_b32 || inst->op == SIM_OP_v_mqsad_u32_u8)
    return inst->src[inst->op == SIM_OP_v_mqsad_u32_u8 ? 2 : 0] >= SIM_VGPR0;
  return inst->op != SIM_OP_v_writelane_b32 || (inst->src[0] < SIM_VGPR0 && inst->src[1] < SIM_VGPR0);
}

struct sim_registers sim_registers_of(const struct sim_inst *inst) {
  struct sim_registers r = {.fits = true, .suits = suits(inst), .aligned = true};
  const struct sim_op_info *info = &sim_info[inst->op];
  name(&r, inst->dst, sim_kind_dwords[info->dst] + (inst->flags & SIM_F_TFE ? 1u : 0u));
  name(&r, inst->sdst, 2);
  name(&r, inst->soffset, 1);
  for (unsigned i = 0; i < 3; i++)
    name(&r, inst->src[i], source_dwords(inst, i));
  return r;
}

/* ---- a kernel ---- */

struct walk {
  const struct sim_code *code;
  size_t count;    /* dwords of code */
  uint8_t *seen;   /* a byte a dword */
  size_t *waiting; /* branch targets to go on from */
  size_t waits;
};

/* Notes a place to go on from; each is noted once, so that `waiting` cannot run over. */
static void note(struct walk *walk, uint64_t index) {
  if (index < walk->count && !walk->seen[index]) {
    walk->seen[index] = 1;
    walk->waiting[walk->waits++] = (size_t)index;
  }
}

static bool goes_on(const struct sim_inst *inst) {
  switch (inst->op) {
  case SIM_OP_UNKNOWN:
  case SIM_OP_s_endpgm:
  case SIM_OP_s_endpgm_saved:
  case SIM_OP_s_branch:
  case SIM_OP_s_setpc_b64:
    return false;
  default:
    return true;
  }
}

static bool exceeds(const struct sim_kernel *kernel, const struct sim_inst *inst) {
  struct sim_registers r = sim_registers_of(inst);
  return r.vgprs > kernel->vgprs || r.agprs > kernel->agprs || r.sgprs > kernel->sgprs;
}

static void follow(struct walk *walk, size_t index) {
  const struct sim_inst *inst = &walk->code->at[index];
  if (goes_on(inst))
    note(walk, index + inst->next / 4u);
  unsigned format = sim_info[inst->op].format;
  if (inst->op != SIM_OP_UNKNOWN && sim_class_of[inst->op] == SIM_CLASS_BRANCH &&
      (format == SIM_FMT_SOPP ||
       format == SIM_FMT_SOPK)) /* a displacement below zero wraps to where it leads */
    note(walk, index + inst->next / 4u + (uint64_t)(int64_t)(inst->imm / 4));
}

const struct sim_inst *sim_registers_excess(const struct sim_kernel *kernel) {
  struct walk walk = {.code = kernel->code, .count = kernel->code->size / 4u};
  const struct sim_inst *excess = NULL;
  walk.seen = calloc(walk.count ? walk.count : 1, sizeof *walk.seen);
  walk.waiting = calloc(walk.count ? walk.count : 1, sizeof *walk.waiting);
  if (walk.seen && walk.waiting)
    note(&walk, (kernel->entry - kernel->code->base) / 4u);
  while (walk.waits > 0 && !excess) {
    size_t index = walk.waiting[--walk.waits];
    if (exceeds(kernel, &walk.code->at[index]))
      excess = &walk.code->at[index];
    follow(&walk, index);
  }
  free(walk.seen);
  free(walk.waiting);
  return excess;
}
