/* Prints decoded instructions in LLVM's syntax. Used by reports of faults, and in tests against comgr. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/hipsim/sim_reserved.h"

/* A bounded text that is being written. */
struct printer {
  char *text;
  size_t size, length;
  const struct sim_inst *inst;
  const struct sim_op_info *info;
  enum sim_arch arch;
  unsigned operands; /* printed so far */
};

static void put(struct printer *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct printer *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t left = p->size - p->length;
  int n = vsnprintf(p->text + p->length, left, format, arguments);
  va_end(arguments);
  if (n > 0)
    p->length += (size_t)n < left ? (size_t)n : left - 1;
}

/* The blank before the first operand, a comma before the others. */
static void next_operand(struct printer *p) {
  put(p, p->operands++ == 0 ? " " : ", ");
}

/* ---- operands ---- */

static void put_range(struct printer *p, const char *file, unsigned first, unsigned dwords) {
  if (dwords <= 1)
    put(p, "%s%u", file, first);
  else
    put(p, "%s[%u:%u]", file, first, first + dwords - 1);
}

/* Scalar registers that have names; the pair's name lacks the suffix. */
static const char *special_pair(unsigned code) {
  switch (code & ~1u) {
  case SIM_FLAT_SCRATCH_LO:
    return "flat_scratch";
  case SIM_XNACK_MASK_LO:
    return "xnack_mask";
  case SIM_VCC_LO:
    return "vcc";
  case SIM_EXEC_LO:
    return "exec";
  default:
    return NULL;
  }
}

static void put_scalar_register(struct printer *p, unsigned code, unsigned dwords) {
  const char *pair = special_pair(code);
  if (pair && dwords == 2)
    put(p, "%s", pair);
  else if (pair)
    put(p, "%s_%s", pair, code & 1 ? "hi" : "lo");
  else if (code == SIM_M0 || code == SIM_NULL)
    put(p, code == SIM_M0 ? "m0" : "null");
  else if (code >= SIM_TTMP0)
    put_range(p, "ttmp", code - SIM_TTMP0, dwords);
  else
    put_range(p, "s", code, dwords);
}

/* Immediates of program control: small ones read in decimal. */
static void put_immediate(struct printer *p, unsigned value) {
  put(p, value <= 64 ? " %u" : " 0x%x", value);
}

/* Half a dword: integers read as numbers when the whole is one, floats when they are one. */
static void put_half_literal(struct printer *p, unsigned kind) {
  static const uint16_t bits[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400};
  static const char *const floats[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"};
  unsigned value = p->inst->literal & 0xffff;
  int number = kind == SIM_K_F16 ? (int16_t)value : (int32_t)p->inst->literal;
  for (unsigned i = 0; i < sizeof bits / sizeof *bits; i++)
    if (value == bits[i] && kind == SIM_K_F16) {
      put(p, "%s", floats[i]);
      return;
    }
  if (number >= -16 && number <= 64)
    put(p, "%d", number);
  else
    put(p, "0x%x", value);
}

/* A literal that an inline constant could have been reads like that constant. */
static void put_literal(struct printer *p, unsigned kind) {
  static const uint32_t bits[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000,
                                  0x40000000, 0xc0000000, 0x40800000, 0xc0800000};
  static const char *const floats[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"};
  uint32_t value = p->inst->literal;
  if (kind == SIM_K_B16 || kind == SIM_K_F16) {
    put_half_literal(p, kind);
    return;
  }
  for (unsigned i = 0; i < sizeof bits / sizeof *bits; i++)
    if (value == bits[i]) {
      put(p, "%s", floats[i]);
      return;
    }
  if ((int32_t)value >= -16 && (int32_t)value <= 64)
    put(p, "%d", (int32_t)value);
  else
    put(p, "0x%x", value);
}

static void put_constant(struct printer *p, unsigned code, unsigned kind) {
  static const char *const floats[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"};
  static const uint16_t halves[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
  static const char *const named[] = {
      [SIM_SHARED_BASE - 235] = "src_shared_base",
      [SIM_SHARED_LIMIT - 235] = "src_shared_limit",
      [SIM_PRIVATE_BASE - 235] = "src_private_base",
      [SIM_PRIVATE_LIMIT - 235] = "src_private_limit",
      [SIM_VCCZ - 235] = "src_vccz",
      [SIM_EXECZ - 235] = "src_execz",
      [SIM_SCC - 235] = "src_scc",
      [SIM_POPS_EXITING_WAVE_ID - 235] = "src_pops_exiting_wave_id",
      [SIM_LDS_DIRECT - 235] = "src_lds_direct",
  };
  if (code == SIM_LITERAL)
    put_literal(p, kind);
  else if (code >= 240 && code <= 248 && kind == SIM_K_B16 && p->info->src[0] != SIM_K_F16)
    put(p, "0x%x", halves[code - 240]);
  else if (code >= 240 && code <= 247)
    put(p, "%s", floats[code - 240]);
  else if (code == 248)
    put(p, (sim_kind_dwords[kind] == 2 && p->info->format != SIM_FMT_VOP3P) ||
                   strstr(p->info->name, "v_mfma_f64")
               ? "0.15915494309189532"
               : "0.15915494");
  else if (code >= 235 && code <= SIM_LDS_DIRECT && named[code - 235])
    put(p, "%s", named[code - 235]);
  else
    put(p, "%d", code <= 192 ? (int)code - 128 : 192 - (int)code);
}

static bool is_constant(unsigned code) {
  return code > SIM_EXEC_HI && code < SIM_VGPR0;
}

static void put_code(struct printer *p, unsigned code, unsigned kind) {
  unsigned dwords = sim_kind_dwords[kind];
  if (code >= SIM_AGPR0)
    put_range(p, "a", code - SIM_AGPR0, dwords);
  else if (code >= SIM_VGPR0)
    put_range(p, "v", code - SIM_VGPR0, dwords);
  else if (is_constant(code))
    put_constant(p, code, kind);
  else
    put_scalar_register(p, code, dwords);
}

static void put_operand(struct printer *p, unsigned code, unsigned kind) {
  next_operand(p);
  put_code(p, code, kind);
}

static void put_off_or(struct printer *p, unsigned code, unsigned kind) {
  next_operand(p);
  if (code == SIM_NO_OPERAND)
    put(p, "off");
  else
    put_code(p, code, kind);
}

/* ---- vector ALU ---- */

static bool is_float(unsigned kind) {
  return kind == SIM_K_F16 || kind == SIM_K_BF16 || kind == SIM_K_F32 || kind == SIM_K_F64;
}

static bool has_literal(const struct sim_inst *inst) {
  return inst->src[0] == SIM_LITERAL || inst->src[1] == SIM_LITERAL || inst->src[2] == SIM_LITERAL;
}

/* In the 64-bit encoding of an instruction that also has a shorter one. */
static bool is_e64(const struct sim_inst *inst) {
  return inst->next == 8 && !(inst->flags & (SIM_F_SDWA | SIM_F_DPP)) && !has_literal(inst);
}

static const char *suffix(const struct printer *p) {
  if (!(p->info->forms & (SIM_FORM_E | SIM_FORM_S | SIM_FORM_D)) || p->info->dst == SIM_K_NONE)
    return "";
  if (p->inst->flags & SIM_F_SDWA)
    return "_sdwa";
  if (p->inst->flags & SIM_F_DPP)
    return "_dpp";
  return is_e64(p->inst) ? "_e64" : "_e32";
}

static bool sdwa_sext(const struct sim_inst *inst, unsigned i) {
  return (inst->flags & SIM_F_SDWA) && i < 2 && inst->lane_ctl >> (i == 0 ? 19 : 27) & 1;
}

/* A number, not a name. */
static bool is_value(unsigned code) {
  return is_constant(code) && (code <= 208 || (code >= 240 && code <= 248) || code == SIM_LITERAL);
}

static void put_source(struct printer *p, unsigned i) {
  const struct sim_inst *inst = p->inst;
  bool mix = p->info->src[i] == SIM_K_MIX, packed = p->info->format == SIM_FMT_VOP3P && !mix;
  bool neg = !packed && inst->neg >> i & 1, abs = !packed && (mix ? inst->neg_hi : inst->abs) >> i & 1;
  bool sext = sdwa_sext(inst, i) && !is_float(p->info->src[i]);
  bool call = neg && is_value(inst->src[i]) && !abs;
  next_operand(p);
  put(p, "%s%s%s", call ? "neg(" : neg ? "-" : "", abs ? "|" : "", sext ? "sext(" : "");
  bool constant = p->info->format == SIM_FMT_VOP2K && i > 0; /* of 32 bits, even when it is an f16 */
  put_code(p, inst->src[i], constant ? SIM_K_F32 : p->info->src[i]);
  put(p, "%s%s%s", sext ? ")" : "", abs ? "|" : "", call ? ")" : "");
}

static unsigned source_count(const struct sim_op_info *info) {
  unsigned count = 0;
  while (count < 3 && info->src[count] != SIM_K_NONE)
    count++;
  return count;
}

static void put_bits(struct printer *p, const char *name, unsigned bits, unsigned count) {
  put(p, " %s:[", name);
  for (unsigned i = 0; i < count; i++)
    put(p, "%s%u", i ? "," : "", bits >> i & 1);
  put(p, "]");
}

static void put_packed_modifiers(struct printer *p) {
  const struct sim_inst *inst = p->inst;
  unsigned count = source_count(p->info), all = (1u << count) - 1;
  bool mix = p->info->src[0] == SIM_K_MIX;
  if (inst->op_sel & all)
    put_bits(p, "op_sel", inst->op_sel, count);
  if (!sim_takes_whole_dwords(inst->op) && (inst->op_sel_hi & all) != (mix ? 0 : all))
    put_bits(p, "op_sel_hi", inst->op_sel_hi, count);
  if (!mix && (inst->neg & all))
    put_bits(p, "neg_lo", inst->neg, count);
  if (!mix && (inst->neg_hi & all))
    put_bits(p, "neg_hi", inst->neg_hi, count);
}

static void put_op_sel(struct printer *p) {
  bool sr8 = p->inst->op == SIM_OP_v_cvt_sr_fp8_f32 || p->inst->op == SIM_OP_v_cvt_sr_bf8_f32;
  unsigned count = sr8 ? 3 : source_count(p->info), sources = (1u << count) - 1;
  unsigned bits = (p->inst->op_sel & sources) | (unsigned)(p->inst->op_sel >> 3 & 1) << count;
  if (bits)
    put_bits(p, "op_sel", bits, count + 1);
}

static void put_sdwa(struct printer *p) {
  static const char *const select[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                       "WORD_0", "WORD_1", "DWORD",  "?"};
  static const char *const unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "?"};
  uint32_t word = p->inst->lane_ctl;
  if (p->info->format != SIM_FMT_VOPC)
    put(p, " dst_sel:%s dst_unused:%s", select[word >> 8 & 7], unused[word >> 11 & 3]);
  put(p, " src0_sel:%s", select[word >> 16 & 7]);
  if (p->info->src[1] != SIM_K_NONE)
    put(p, " src1_sel:%s", select[word >> 24 & 7]);
}

static void put_dpp_control(struct printer *p, unsigned control) {
  static const struct {
    unsigned control;
    const char *text;
  } fixed[] = {{0x130, "wave_shl:1"},   {0x134, "wave_rol:1"},  {0x138, "wave_shr:1"},
               {0x13c, "wave_ror:1"},   {0x140, "row_mirror"},  {0x141, "row_half_mirror"},
               {0x142, "row_bcast:15"}, {0x143, "row_bcast:31"}};
  static const char *const counted[] = {"row_shl", "row_shr", "row_ror"};
  if (control <= 0xff)
    put(p, " quad_perm:[%u,%u,%u,%u]", control & 3, control >> 2 & 3, control >> 4 & 3, control >> 6);
  else if (control <= 0x12f)
    put(p, " %s:%u", counted[(control >> 4) - 0x10], control & 15);
  else if (control >= 0x150)
    put(p, " row_newbcast:%u", control & 15);
  for (unsigned i = 0; i < sizeof fixed / sizeof *fixed; i++)
    if (fixed[i].control == control)
      put(p, " %s", fixed[i].text);
}

static void put_dpp(struct printer *p) {
  uint32_t word = p->inst->lane_ctl;
  put_dpp_control(p, word >> 8 & 0x1ff);
  put(p, " row_mask:0x%x bank_mask:0x%x", word >> 28, word >> 24 & 15);
  if (word >> 19 & 1)
    put(p, " bound_ctrl:0");
}

static void put_swap_modifiers(struct printer *p) {
  if (p->inst->op_sel & 2)
    put(p, " bound_ctrl:0");
  if (p->inst->op_sel & 1)
    put(p, " fi:1");
}

static void put_valu_modifiers(struct printer *p) {
  static const char *const omod[] = {"", " mul:2", " mul:4", " div:2"};
  const struct sim_inst *inst = p->inst;
  bool bitop3 = inst->op == SIM_OP_v_bitop3_b32 || inst->op == SIM_OP_v_bitop3_b16;
  if (bitop3 && inst->lane_ctl)
    put(p, inst->lane_ctl <= 10 ? " bitop3:%u" : " bitop3:0x%x", inst->lane_ctl);
  if (p->info->format == SIM_FMT_VOP3P)
    put_packed_modifiers(p);
  else if (p->info->format == SIM_FMT_VOP1)
    put_swap_modifiers(p);
  else if (inst->op_sel)
    put_op_sel(p);
  if (inst->flags & SIM_F_CLAMP)
    put(p, " clamp");
  put(p, "%s", omod[inst->omod]);
  if (inst->flags & SIM_F_SDWA)
    put_sdwa(p);
  if (inst->flags & SIM_F_DPP)
    put_dpp(p);
}

static void print_valu(struct printer *p) {
  const struct sim_inst *inst = p->inst;
  put(p, "%s", suffix(p));
  if (inst->dst != SIM_NO_OPERAND)
    put_operand(p, inst->dst, p->info->dst);
  if (inst->sdst != SIM_NO_OPERAND)
    put_operand(p, inst->sdst, SIM_K_SDST);
  for (unsigned i = 0; i < source_count(p->info); i++)
    put_source(p, i);
  put_valu_modifiers(p);
}

static void print_mai(struct printer *p) {
  uint32_t control = p->inst->lane_ctl;
  put_operand(p, p->inst->dst, p->info->dst);
  for (unsigned i = 0; i < source_count(p->info); i++)
    put_operand(p, p->inst->src[i], p->info->src[i]);
  if (control & 0xff)
    put(p, " cbsz:%u", control & 0xff);
  if (control >> 8 & 0xff)
    put(p, " abid:%u", control >> 8 & 0xff);
  if (control >> 16 && p->arch >= SIM_GFX942 && strstr(p->info->name, "_f64"))
    put_bits(p, "neg", control >> 16, 3);
  else if (control >> 16)
    put(p, " blgp:%u", control >> 16);
}

/* ---- scalar ---- */

static void put_hwreg(struct printer *p) {
  static const char *const names[64] = {
      [1] = "HW_REG_MODE",    [2] = "HW_REG_STATUS",        [3] = "HW_REG_TRAPSTS",
      [4] = "HW_REG_HW_ID",   [5] = "HW_REG_GPR_ALLOC",     [6] = "HW_REG_LDS_ALLOC",
      [7] = "HW_REG_IB_STS",  [15] = "HW_REG_SH_MEM_BASES", [16] = "HW_REG_TBA_LO",
      [17] = "HW_REG_TBA_HI", [18] = "HW_REG_TMA_LO",       [19] = "HW_REG_TMA_HI",
  };
  static const char *const since_942[64] = {[20] = "HW_REG_XCC_ID",
                                            [21] = "HW_REG_SQ_PERF_SNAPSHOT_DATA",
                                            [22] = "HW_REG_SQ_PERF_SNAPSHOT_DATA1",
                                            [23] = "HW_REG_SQ_PERF_SNAPSHOT_PC_LO",
                                            [24] = "HW_REG_SQ_PERF_SNAPSHOT_PC_HI"};
  unsigned control = (unsigned)p->inst->imm & 0xffff, id = control & 63, offset = control >> 6 & 31,
           width = (control >> 11) + 1;
  const char *name = names[id] ? names[id] : p->arch >= SIM_GFX942 ? since_942[id] : NULL;
  next_operand(p);
  put(p, "hwreg(");
  if (name)
    put(p, "%s", name);
  else
    put(p, "%u", id);
  if (offset != 0 || width != 32)
    put(p, ", %u, %u", offset, width);
  put(p, ")");
}

static void put_gpr_index(struct printer *p) {
  static const char *const names[] = {"SRC0", "SRC1", "SRC2", "DST"};
  unsigned bits = (unsigned)p->inst->imm;
  next_operand(p);
  if (bits > 15) {
    put(p, "0x%x", bits & 0xffff);
    return;
  }
  put(p, "gpr_idx(");
  for (unsigned i = 0, n = 0; i < 4; i++)
    if (bits >> i & 1)
      put(p, "%s%s", n++ ? "," : "", names[i]);
  put(p, ")");
}

/* vmcnt has six bits, two of them at the top. Counters at their maximum wait for nothing and are left out. */
static void put_waitcnt(struct printer *p) {
  unsigned bits = (unsigned)p->inst->imm & 0xffff;
  unsigned vm = (bits & 15) | (bits >> 14 & 3) << 4, exp = bits >> 4 & 7, lgkm = bits >> 8 & 15;
  bool all = vm == 63 && exp == 7 && lgkm == 15;
  if (vm != 63 || all)
    put(p, " vmcnt(%u)", vm);
  if (exp != 7 || all)
    put(p, " expcnt(%u)", exp);
  if (lgkm != 15 || all)
    put(p, " lgkmcnt(%u)", lgkm);
}

static void put_message(struct printer *p) {
  static const char *const names[16] = {[1] = "MSG_INTERRUPT",       [2] = "MSG_GS",
                                        [3] = "MSG_GS_DONE",         [4] = "MSG_SAVEWAVE",
                                        [5] = "MSG_STALL_WAVE_GEN",  [6] = "MSG_HALT_WAVES",
                                        [7] = "MSG_ORDERED_PS_DONE", [8] = "MSG_EARLY_PRIM_DEALLOC",
                                        [9] = "MSG_GS_ALLOC_REQ",    [10] = "MSG_GET_DOORBELL",
                                        [15] = "MSG_SYSMSG"};
  unsigned bits = (unsigned)p->inst->imm & 0xffff, id = bits & 15;
  if (names[id] && (bits & 0x370) == 0 && id != 2 && id != 3 && id != 15)
    put(p, " sendmsg(%s)", names[id]);
  else if (bits & ~0x3ffu)
    put(p, " %u", bits);
  else
    put(p, " sendmsg(%u, %u, %u)", id, bits >> 4 & 7, bits >> 8 & 3);
}

static void print_sopp(struct printer *p) {
  const struct sim_inst *inst = p->inst;
  int imm = inst->imm;
  if (sim_class_of[inst->op] == SIM_CLASS_BRANCH)
    imm /= 4;
  switch (inst->op) {
  case SIM_OP_s_waitcnt:
    put_waitcnt(p);
    break;
  case SIM_OP_s_sendmsg:
  case SIM_OP_s_sendmsghalt:
    put_message(p);
    break;
  case SIM_OP_s_set_gpr_idx_mode:
    put_gpr_index(p);
    break;
  case SIM_OP_s_barrier:
  case SIM_OP_s_wakeup:
  case SIM_OP_s_icache_inv:
  case SIM_OP_s_ttracedata:
  case SIM_OP_s_endpgm_saved:
  case SIM_OP_s_set_gpr_idx_off:
  case SIM_OP_s_endpgm_ordered_ps_done:
    break;
  case SIM_OP_s_endpgm:
    if (imm)
      put(p, " %u", (unsigned)imm & 0xffff);
    break;
  default:
    if (sim_class_of[inst->op] == SIM_CLASS_BRANCH)
      put(p, " %u", (unsigned)imm & 0xffff);
    else
      put_immediate(p, (unsigned)imm & 0xffff);
  }
}

static void print_sopk(struct printer *p) {
  const struct sim_inst *inst = p->inst;
  unsigned imm = (unsigned)inst->imm & 0xffff;
  if (inst->op == SIM_OP_s_setreg_b32 || inst->op == SIM_OP_s_setreg_imm32_b32)
    put_hwreg(p);
  if (inst->dst != SIM_NO_OPERAND)
    put_operand(p, inst->dst, p->info->dst);
  if (inst->op == SIM_OP_s_setreg_b32 || inst->op == SIM_OP_s_setreg_imm32_b32)
    put_operand(p, inst->src[0], SIM_K_B32);
  else if (p->info->src[0] != SIM_K_NONE)
    put_operand(p, inst->src[0], p->info->src[0]);
  if (inst->op == SIM_OP_s_getreg_b32)
    put_hwreg(p);
  else if (sim_class_of[inst->op] == SIM_CLASS_BRANCH)
    put(p, ", %u", (unsigned)(inst->imm / 4) & 0xffff);
  else if (inst->op != SIM_OP_s_setreg_b32 && inst->op != SIM_OP_s_setreg_imm32_b32)
    put(p, ", 0x%x", imm);
}

static void print_scalar(struct printer *p) {
  const struct sim_inst *inst = p->inst;
  if (inst->dst != SIM_NO_OPERAND)
    put_operand(p, inst->dst, p->info->dst);
  for (unsigned i = 0; i < 2; i++)
    if (inst->src[i] != SIM_NO_OPERAND)
      put_operand(p, inst->src[i], p->info->src[i]);
  if (inst->op == SIM_OP_s_set_gpr_idx_on)
    put_gpr_index(p);
}

/* ---- memory ---- */

static void put_cache_flags(struct printer *p) {
  uint32_t flags = p->inst->flags;
  bool renamed = p->arch >= SIM_GFX942;
  if (flags & SIM_F_GLC)
    put(p, renamed ? " sc0" : " glc");
  if (flags & SIM_F_SLC)
    put(p, renamed ? " nt" : " slc");
  if (flags & SIM_F_SC1)
    put(p, renamed ? " sc1" : " scc");
}

static void print_smem(struct printer *p) {
  const struct sim_inst *inst = p->inst;
  if (inst->dst != SIM_NO_OPERAND)
    put_operand(p, inst->dst, p->info->dst);
  if (inst->src[1] != SIM_NO_OPERAND)
    put_operand(p, inst->src[1], p->info->src[1]);
  if (inst->src[0] == SIM_NO_OPERAND)
    return;
  put_operand(p, inst->src[0], p->info->src[0]);
  if (inst->soffset != SIM_NO_OPERAND)
    put_operand(p, inst->soffset, SIM_K_B32);
  const char *prefix = inst->soffset == SIM_NO_OPERAND ? ", " : " offset:";
  if (inst->soffset == SIM_NO_OPERAND || (inst->flags & SIM_F_OFFEN))
    put(p, "%s%s0x%x", prefix, inst->imm < 0 ? "-" : "",
        inst->imm < 0 ? 0u - (unsigned)inst->imm : (unsigned)inst->imm);
  if (inst->flags & SIM_F_GLC)
    put(p, " glc");
}

static bool two_offsets(const struct sim_op_info *info) {
  return strstr(info->name, "read2") || strstr(info->name, "write2") || strstr(info->name, "wrxchg2");
}

/* Each bit of the lane's number, as the masks leave it: itself (p), inverted (i) or a constant. */
static void put_lane_masks(struct printer *p, unsigned and, unsigned or, unsigned xor) {
  unsigned from_0 = or ^xor, from_1 = (and | or) ^ xor;
  put(p, "swizzle(BITMASK_PERM,\"");
  for (unsigned bit = 16; bit; bit >>= 1)
    put(p, "%c", (from_0 & bit) == (from_1 & bit) ? (from_0 & bit ? '1' : '0') : from_0 & bit ? 'i' : 'p');
  put(p, "\")");
}

/* Within 32 lanes: and, or, xor with constants, the most useful of which have names. */
static void put_lane_masked(struct printer *p, unsigned offset) {
  unsigned and = offset & 31, or = offset >> 5 & 31, xor = offset >> 10, group = 32 - and;
  bool all = and == 31 && or == 0, power = (group & (group - 1)) == 0;
  if (all && xor&&(xor&(xor-1)) == 0)
    put(p, "swizzle(SWAP,%u)", xor);
  else if (all && xor&&(xor&(xor+1)) == 0)
    put(p, "swizzle(REVERSE,%u)", xor+1);
  else if (group > 1 && power && or < group && xor == 0)
    put(p, "swizzle(BROADCAST,%u,%u)", group, or);
  else
    put_lane_masks(p, and, or, xor);
}

/* Offsets of ds_swizzle (CDNA3 ISA guide, "DS_SWIZZLE_B32"). */
static void put_swizzle(struct printer *p, unsigned offset) {
  put(p, " offset:");
  if (offset >= 0xe000)
    put(p, "swizzle(FFT,%u)", offset & 31);
  else if (offset >= 0xc000)
    put(p, "swizzle(ROTATE,%u,%u)", offset >> 10 & 1, offset >> 5 & 31);
  else if (offset >> 8 == 0x80)
    put(p, "swizzle(QUAD_PERM,%u,%u,%u,%u)", offset & 3, offset >> 2 & 3, offset >> 4 & 3, offset >> 6 & 3);
  else if (offset < 0x8000)
    put_lane_masked(p, offset);
  else
    put(p, "%u", offset);
}

static void print_ds(struct printer *p) {
  const struct sim_inst *inst = p->inst;
  if (inst->dst != SIM_NO_OPERAND)
    put_operand(p, inst->dst, p->info->dst);
  for (unsigned i = 0; i < 3; i++)
    if (inst->src[i] != SIM_NO_OPERAND)
      put_operand(p, inst->src[i], p->info->src[i]);
  if (two_offsets(p->info)) {
    if (inst->imm)
      put(p, " offset0:%d", inst->imm);
    if (inst->offset1)
      put(p, " offset1:%u", inst->offset1);
  } else if (inst->op == SIM_OP_ds_swizzle_b32 && inst->imm) {
    put_swizzle(p, (unsigned)inst->imm);
  } else if (inst->imm) {
    put(p, " offset:%d", inst->imm);
  }
  if ((inst->flags & SIM_F_LDS) && p->arch == SIM_GFX908)
    put(p, " gds");
}

static void print_flat(struct printer *p) {
  const struct sim_inst *inst = p->inst;
  unsigned format = p->info->format;
  unsigned address = format == SIM_FMT_GLOBAL && inst->src[2] != SIM_NO_OPERAND ? SIM_K_B32 : p->info->src[0];
  if (inst->dst != SIM_NO_OPERAND)
    put_operand(p, inst->dst, p->info->dst);
  put_off_or(p, inst->src[0], address);
  if (inst->src[1] != SIM_NO_OPERAND)
    put_operand(p, inst->src[1], p->info->src[1]);
  if (format != SIM_FMT_FLAT)
    put_off_or(p, inst->src[2], p->info->src[2]);
  if (inst->imm)
    put(p, " offset:%d", inst->imm);
  put_cache_flags(p);
  if (inst->flags & SIM_F_LDS)
    put(p, " lds");
}

/* What is stored or loaded; with tfe there is one dword more, the status. */
static void put_buffer_data(struct printer *p) {
  const struct sim_inst *inst = p->inst;
  bool from = inst->src[1] != SIM_NO_OPERAND;
  unsigned code = from ? inst->src[1] : inst->dst, kind = from ? p->info->src[1] : p->info->dst;
  if (code == SIM_NO_OPERAND)
    return;
  next_operand(p);
  if (inst->flags & SIM_F_TFE)
    put_range(p, "v", code - SIM_VGPR0, sim_kind_dwords[kind] + 1u);
  else
    put_code(p, code, kind);
}

static void print_mubuf(struct printer *p) {
  const struct sim_inst *inst = p->inst;
  bool both = (inst->flags & SIM_F_OFFEN) && (inst->flags & SIM_F_IDXEN);
  if (p->info->src[0] != SIM_K_NONE) {
    put_buffer_data(p);
    put_off_or(p, inst->src[0], both ? SIM_K_B64 : SIM_K_B32);
    put_operand(p, inst->src[2], SIM_K_B128);
    put_operand(p, inst->soffset, SIM_K_B32);
    put(p, "%s%s", inst->flags & SIM_F_IDXEN ? " idxen" : "", inst->flags & SIM_F_OFFEN ? " offen" : "");
    if (inst->imm)
      put(p, " offset:%d", inst->imm);
  }
  put_cache_flags(p);
  if (inst->flags & SIM_F_TFE)
    put(p, " tfe");
  if (inst->flags & SIM_F_LDS)
    put(p, " lds");
}

/* ---- formats ---- */

typedef void format_printer(struct printer *p);

static format_printer *const printers[] = {
    [SIM_FMT_SOP1] = print_scalar, [SIM_FMT_SOP2] = print_scalar,  [SIM_FMT_SOPC] = print_scalar,
    [SIM_FMT_SOPK] = print_sopk,   [SIM_FMT_SOPP] = print_sopp,    [SIM_FMT_SMEM] = print_smem,
    [SIM_FMT_VOP1] = print_valu,   [SIM_FMT_VOP2] = print_valu,    [SIM_FMT_VOP2K] = print_valu,
    [SIM_FMT_VOPC] = print_valu,   [SIM_FMT_VOP3] = print_valu,    [SIM_FMT_VOP3P] = print_valu,
    [SIM_FMT_MAI] = print_mai,     [SIM_FMT_DS] = print_ds,        [SIM_FMT_FLAT] = print_flat,
    [SIM_FMT_GLOBAL] = print_flat, [SIM_FMT_SCRATCH] = print_flat, [SIM_FMT_MUBUF] = print_mubuf,
};

void sim_disassemble(const struct sim_inst *inst, enum sim_arch arch, char *text, size_t size) {
  struct printer p = {.text = text, .size = size, .inst = inst, .info = &sim_info[inst->op], .arch = arch};
  if (size == 0)
    return;
  text[0] = '\0';
  if (inst->op == SIM_OP_UNKNOWN) {
    put(&p, "unknown instruction 0x%08x", inst->literal);
    return;
  }
  put(&p, "%s", p.info->name);
  printers[p.info->format](&p);
}
