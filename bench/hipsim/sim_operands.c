#include "bench/hipsim/sim_operands.h"

#include <string.h>

static void add(struct sim_operands *o, unsigned first, unsigned dwords, unsigned use, unsigned slot) {
  if (dwords != 0 && o->count < SIM_MOST_RANGES) {
    o->range[o->count++] = (struct sim_range){
        .first = (uint16_t)first, .dwords = (uint8_t)dwords, .use = (uint8_t)use, .slot = (uint8_t)slot};
  }
}

static void imply(struct sim_operands *o, unsigned first, unsigned dwords, unsigned use) {
  add(o, first, dwords, use, SIM_SLOT_IMPLIED);
}

/* A source as it is encoded: a register, or a register in disguise; constants are nothing to read. */
static void add_source(struct sim_operands *o, unsigned code, unsigned dwords, unsigned use, unsigned slot) {
  if (code == SIM_NO_OPERAND) {
    return;
  }
  if (code <= SIM_EXEC_HI || code >= SIM_VGPR0) {
    add(o, code, dwords, use, slot);
  } else if (code == SIM_SCC) {
    add(o, SIM_SCC, 1, use, slot);
  } else if (code == SIM_VCCZ || code == SIM_EXECZ) {
    add(o, code == SIM_VCCZ ? SIM_VCC_LO : SIM_EXEC_LO, 2, use, slot);
  }
}

/* ---- what kind of instruction it is ---- */

static bool is_memory(unsigned format) {
  return format == SIM_FMT_SMEM || format >= SIM_FMT_DS;
}

static bool is_vector(unsigned format) {
  return format >= SIM_FMT_VOP1;
}

static bool is_matrix(unsigned op) {
  return sim_class_of[op] == SIM_CLASS_MFMA;
}

static bool has_prefix(const char *name, const char *prefix) {
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool is_any_of(const char *name, const char *const prefixes[], unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    if (has_prefix(name, prefixes[i])) {
      return true;
    }
  }
  return false;
}

#define IS_ANY_OF(name, list) is_any_of(name, list, sizeof(list) / sizeof(list)[0])

/* ---- what the table does not say ----
 * AMD's CDNA2 ISA guide, chapter "Instructions": which scalar instructions leave SCC alone, which read it, and
 * which instructions have the destination as one more source. */

static const char *const keeps_scc[] = {
    "s_mov",      "s_cmov",         "s_brev",   "s_ff",     "s_flbit", "s_sext",
    "s_bitset",   "s_getpc",        "s_setpc",  "s_swappc", "s_rfe",   "s_set_gpr_idx",
    "s_cbranch",  "s_bitreplicate", "s_mul",    "s_bfm",    "s_pack",  "s_cselect",
    "s_setvskip", "s_getreg",       "s_setreg", "s_call",
};
static const char *const reads_scc[] = {"s_cmov", "s_cselect", "s_addc", "s_subb", "s_cbranch_scc"};
static const char *const reads_dst[] = {
    "s_cmov",
    "s_bitset",
    "s_addk",
    "s_mulk",
    "v_mac_",
    "v_fmac_",
    "v_dot2c_",
    "v_dot4c_",
    "v_dot8c_",
    "v_pk_fmac",
    "v_swap_b32",
    "v_permlane16_swap",
    "v_permlane32_swap",
    "v_writelane",
};
static const char *const swaps[] = {"v_swap_b32", "v_permlane16_swap", "v_permlane32_swap"};
static const char *const reads_m0[] = {"s_sendmsg",      "s_ttracedata",    "s_movrel",
                                       "s_set_gpr_idx_", "ds_write_addtid", "ds_read_addtid"};

/* s_and_saveexec and its kind (the old EXEC goes to the destination), s_andn1_wrexec and its kind. */
static bool changes_exec(const char *name) {
  return strstr(name, "saveexec") != NULL || strstr(name, "wrexec") != NULL;
}

static void imply_scalar(struct sim_operands *o, const struct sim_op_info *info) {
  const char *name = info->name;
  if (info->format <= SIM_FMT_SOPK && !IS_ANY_OF(name, keeps_scc)) {
    imply(o, SIM_SCC, 1, SIM_USE_WRITE);
  }
  if (IS_ANY_OF(name, reads_scc)) {
    imply(o, SIM_SCC, 1, SIM_USE_READ);
  }
  if (has_prefix(name, "s_cbranch_vcc")) {
    imply(o, SIM_VCC_LO, 2, SIM_USE_READ | SIM_USE_MASK);
  }
  if (has_prefix(name, "s_cbranch_exec") || changes_exec(name)) {
    imply(o, SIM_EXEC_LO, 2, SIM_USE_READ | SIM_USE_MASK);
  }
  if (changes_exec(name)) {
    imply(o, SIM_EXEC_LO, 2, SIM_USE_WRITE | SIM_USE_MASK);
  }
  if (has_prefix(name, "s_set_gpr_idx_") && !has_prefix(name, "s_set_gpr_idx_off")) {
    imply(o, SIM_M0, 1, SIM_USE_WRITE | SIM_USE_PARTIAL);
  }
}

static void imply_vector(struct sim_operands *o, const struct sim_inst *inst,
                         const struct sim_op_info *info) {
  const char *name = info->name;
  if (has_prefix(name, "v_cmpx")) {
    imply(o, SIM_EXEC_LO, 2, SIM_USE_WRITE | SIM_USE_MASK);
  }
  if (has_prefix(name, "v_div_fmas")) {
    imply(o, SIM_VCC_LO, 2, SIM_USE_READ | SIM_USE_MASK);
  }
  bool to_lds =
      info->format >= SIM_FMT_FLAT && ((inst->flags & SIM_F_LDS) != 0 || strstr(name, "_load_lds_") != NULL);
  if (to_lds) {
    imply(o, SIM_M0, 1, SIM_USE_READ | SIM_USE_ADDRESS);
  }
  if (!is_matrix(inst->op) && !has_prefix(name, "v_readlane") && !has_prefix(name, "v_writelane")) {
    imply(o, SIM_EXEC_LO, 2, SIM_USE_READ | SIM_USE_MASK);
  }
}

/* ---- operands that are written out ---- */

/* Dwords of source i. The address of a memory instruction depends on what is added to it. */
static unsigned source_dwords(const struct sim_inst *inst, const struct sim_op_info *info, unsigned i) {
  if (i == 0 && info->format == SIM_FMT_GLOBAL) {
    return inst->src[2] == SIM_NO_OPERAND ? 2 : 1;
  }
  if (i == 0 && info->format == SIM_FMT_MUBUF) {
    return (inst->flags & SIM_F_OFFEN) && (inst->flags & SIM_F_IDXEN) ? 2 : 1;
  }
  return sim_kind_dwords[info->src[i]];
}

static unsigned source_use(const struct sim_op_info *info, unsigned i) {
  if (is_memory(info->format)) {
    bool data = i == 1 || (i == 2 && info->format == SIM_FMT_DS);
    return SIM_USE_READ | (data ? SIM_USE_DATA : SIM_USE_ADDRESS);
  }
  return SIM_USE_READ | (info->src[i] == SIM_K_MASK ? SIM_USE_MASK : 0u);
}

/* Sub-dword loads and results that keep the other half. */
static bool keeps_part(const struct sim_inst *inst, const struct sim_op_info *info) {
  enum { SDWA_DWORD = 6, SDWA_PRESERVE = 2 };
  if (is_memory(info->format)) {
    return strstr(info->name, "_d16") != NULL;
  }
  if (inst->flags & SIM_F_SDWA) {
    return (inst->lane_ctl >> 8 & 7u) != SDWA_DWORD && (inst->lane_ctl >> 11 & 3u) == SDWA_PRESERVE;
  }
  return has_prefix(info->name, "v_fma_mixhi") || has_prefix(info->name, "v_fma_mixlo") ||
         (is_vector(info->format) && (inst->op_sel & 8u) != 0) || has_prefix(info->name, "v_writelane");
}

static void add_destination(struct sim_operands *o, const struct sim_inst *inst,
                            const struct sim_op_info *info) {
  if (inst->dst == SIM_NO_OPERAND) {
    return;
  }
  unsigned dwords = sim_kind_dwords[info->dst];
  bool part = keeps_part(inst, info);
  unsigned use =
      SIM_USE_WRITE | (is_memory(info->format) ? SIM_USE_DATA : 0u) | (part ? SIM_USE_PARTIAL : 0u);
  if (part || IS_ANY_OF(info->name, reads_dst)) {
    add(o, inst->dst, dwords, SIM_USE_READ, SIM_SLOT_DST);
  }
  add(o, inst->dst, dwords, use, SIM_SLOT_DST);
}

void sim_operands_of(const struct sim_inst *inst, struct sim_operands *operands) {
  const struct sim_op_info *info = &sim_info[inst->op];
  operands->count = 0;
  if (inst->op == SIM_OP_UNKNOWN) {
    return;
  }
  for (unsigned i = 0; i < 3; i++) {
    if (info->src[i] != SIM_K_NONE) {
      add_source(operands, inst->src[i], source_dwords(inst, info, i), source_use(info, i), i);
    }
  }
  if (inst->soffset != SIM_NO_OPERAND) {
    add_source(operands, inst->soffset, 1, SIM_USE_READ | SIM_USE_ADDRESS, SIM_SLOT_SOFFSET);
  }
  if (IS_ANY_OF(info->name, swaps)) {
    add(operands, inst->src[0], 1, SIM_USE_WRITE, SIM_SLOT_SRC0);
  }
  if (IS_ANY_OF(info->name, reads_m0)) {
    imply(operands, SIM_M0, 1, SIM_USE_READ);
  }
  if (is_vector(info->format)) {
    imply_vector(operands, inst, info);
  } else {
    imply_scalar(operands, info);
  }
  if (inst->sdst != SIM_NO_OPERAND) {
    add(operands, inst->sdst, 2, SIM_USE_WRITE | SIM_USE_MASK, SIM_SLOT_SDST);
  }
  add_destination(operands, inst, info);
}
