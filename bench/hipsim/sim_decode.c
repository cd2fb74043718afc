/* Decodes gfx9 instructions: bit fields into struct sim_inst.
 *
 * Formats as in AMD's CDNA ISA guides, chapter "Microcode Formats". */
#include <pthread.h>
#include <string.h>

#include "bench/hipsim/sim_registers.h"
#include "bench/hipsim/sim_reserved.h"
#include "bench/hipsim/sim_table.h"

/* Rows by opcode for one arch; SIM_OP_UNKNOWN where there is none. */
struct lookup {
  uint16_t sop1[256], sop2[128], sopc[128], sopk[32], sopp[128], smem[256];
  uint16_t vop1[256], vop2[64], vopc[256], vop3[1024], vop3p[128];
  uint16_t ds[256], flat[128], global[128], scratch[128], mubuf[128];
};

static struct lookup lookups[SIM_ARCHS]; /* constant once filled */
static uint64_t reserved[SIM_ARCHS][SIM_ENCODINGS][SIM_OP_COUNT];
static bool two_offsets[SIM_OP_COUNT]; /* LDS instructions with two 8-bit offsets */
static bool takes_op_sel[SIM_OP_COUNT];
static uint8_t modifiable[SIM_OP_COUNT]; /* VOP3: a bit a source that takes neg and abs */
static bool may_reach_lds[SIM_OP_COUNT]; /* loads with a bit that sends them to LDS (until gfx90a) */
static pthread_once_t filled = PTHREAD_ONCE_INIT;

static void fill_row(struct lookup *l, unsigned op, unsigned code) {
  uint16_t *const table[] = {
      [SIM_FMT_SOP1] = l->sop1,     [SIM_FMT_SOP2] = l->sop2,       [SIM_FMT_SOPC] = l->sopc,
      [SIM_FMT_SOPK] = l->sopk,     [SIM_FMT_SOPP] = l->sopp,       [SIM_FMT_SMEM] = l->smem,
      [SIM_FMT_VOP1] = l->vop1,     [SIM_FMT_VOP2] = l->vop2,       [SIM_FMT_VOP2K] = l->vop2,
      [SIM_FMT_VOPC] = l->vopc,     [SIM_FMT_VOP3] = l->vop3,       [SIM_FMT_VOP3P] = l->vop3p,
      [SIM_FMT_MAI] = l->vop3p,     [SIM_FMT_DS] = l->ds,           [SIM_FMT_FLAT] = l->flat,
      [SIM_FMT_GLOBAL] = l->global, [SIM_FMT_SCRATCH] = l->scratch, [SIM_FMT_MUBUF] = l->mubuf,
  };
  const struct sim_op_info *info = &sim_info[op];
  table[info->format][code] = (uint16_t)op;
  if (info->forms & SIM_FORM_E) /* where the short encodings lie in VOP3's opcode space */
    l->vop3[code + (info->format == SIM_FMT_VOP1   ? 0x140
                    : info->format == SIM_FMT_VOP2 ? 0x100
                                                   : 0)] = (uint16_t)op;
}

static void fill(void) {
  for (unsigned op = 1; op < SIM_OP_COUNT; op++) {
    const struct sim_op_info *info = &sim_info[op];
    for (unsigned arch = 0; arch < SIM_ARCHS; arch++)
      if (info->opcode[arch] >= 0)
        fill_row(&lookups[arch], op, (unsigned)info->opcode[arch]);
    for (unsigned arch = 0; arch < SIM_ARCHS; arch++)
      for (unsigned encoding = 0; encoding < SIM_ENCODINGS; encoding++)
        reserved[arch][encoding][op] = sim_reserved_bits(op, arch, encoding);
    two_offsets[op] =
        info->format == SIM_FMT_DS &&
        (strstr(info->name, "read2") || strstr(info->name, "write2") || strstr(info->name, "wrxchg2"));
    takes_op_sel[op] = sim_has_op_sel(op);
    modifiable[op] = (uint8_t)sim_modifiable_sources(op);
    may_reach_lds[op] = (info->format == SIM_FMT_GLOBAL || info->format == SIM_FMT_SCRATCH) &&
                        strstr(info->name, "_load_") && !strstr(info->name, "d16") &&
                        !strstr(info->name, "dwordx");
  }
}

static unsigned bits(uint32_t word, unsigned low, unsigned count) {
  return word >> low & ((1u << count) - 1);
}

static int32_t sign_extend(uint32_t value, unsigned width) {
  uint32_t sign = 1u << (width - 1);
  return (int32_t)((value ^ sign) - sign);
}

/* What is being decoded. */
struct cursor {
  const uint32_t *word;
  unsigned count; /* readable dwords */
  unsigned used;  /* dwords of the instruction so far */
  enum sim_arch arch;
  struct sim_inst *inst;
  bool bad;
};

/* ---- operands ---- */

static bool scalar_register(unsigned code) {
  return code <= SIM_EXEC_HI;
}

static bool scalar_source(unsigned code) {
  return scalar_register(code) || (code >= 128 && code <= 208) || (code >= 235 && code <= 239) ||
         (code >= 240 && code <= 248) || (code >= 251 && code <= 254);
}

/* A scalar source; a literal is fetched once for all of them. */
static uint16_t source(struct cursor *c, unsigned code, bool literal_allowed) {
  if (code == SIM_LITERAL) {
    if (!literal_allowed || c->count < 2)
      c->bad = true;
    else if (c->used == 1) {
      c->inst->literal = c->word[1];
      c->used = 2;
    }
  } else if (code < SIM_VGPR0 && !scalar_source(code)) {
    c->bad = true;
  }
  return (uint16_t)code;
}

static uint16_t scalar_destination(struct cursor *c, unsigned code) {
  if (!scalar_register(code))
    c->bad = true;
  return (uint16_t)code;
}

static uint16_t vgpr(unsigned code) {
  return (uint16_t)(SIM_VGPR0 + code);
}

static uint16_t vector(unsigned code, bool acc) {
  return (uint16_t)((acc ? SIM_AGPR0 : SIM_VGPR0) + code);
}

static bool is_inline(unsigned code) {
  return (code >= SIM_INLINE_INT_0 && code <= 208) || (code >= SIM_INLINE_FLOAT_0 && code <= 248) ||
         code == SIM_LITERAL;
}

/* ---- scalar formats ---- */

static void sop1(struct cursor *c, const struct sim_op_info *info) {
  uint32_t w = c->word[0];
  if (info->src[0] != SIM_K_NONE)
    c->inst->src[0] = source(c, bits(w, 0, 8), true);
  if (info->dst != SIM_K_NONE)
    c->inst->dst = scalar_destination(c, bits(w, 16, 7));
  bool jumps = info->dst == SIM_K_NONE && c->inst->op != SIM_OP_s_set_gpr_idx_idx;
  bool indexes = c->inst->op == SIM_OP_s_movrels_b32 || c->inst->op == SIM_OP_s_movrels_b64;
  if ((jumps || indexes) && c->inst->src[0] > SIM_EXEC_HI)
    c->bad |= is_inline(c->inst->src[0]); /* a register, not a value */
}

static void sop2(struct cursor *c, const struct sim_op_info *info) {
  uint32_t w = c->word[0];
  c->inst->src[0] = source(c, bits(w, 0, 8), true);
  c->inst->src[1] = source(c, bits(w, 8, 8), true);
  if (info->dst != SIM_K_NONE)
    c->inst->dst = scalar_destination(c, bits(w, 16, 7));
}

static void sopc(struct cursor *c, const struct sim_op_info *info) {
  (void)info;
  uint32_t w = c->word[0];
  c->inst->src[0] = source(c, bits(w, 0, 8), true);
  if (c->inst->op == SIM_OP_s_set_gpr_idx_on)
    c->inst->imm = (int32_t)bits(w, 8, 8);
  else
    c->inst->src[1] = source(c, bits(w, 8, 8), true);
}

static void sopk(struct cursor *c, const struct sim_op_info *info) {
  uint32_t w = c->word[0];
  unsigned reg = bits(w, 16, 7);
  c->inst->imm = (int16_t)(w & 0xffff);
  if (info->dst != SIM_K_NONE)
    c->inst->dst = scalar_destination(c, reg);
  if (info->src[0] != SIM_K_NONE)
    c->inst->src[0] = scalar_destination(c, reg);
  if (c->inst->op == SIM_OP_s_addk_i32 || c->inst->op == SIM_OP_s_mulk_i32)
    c->inst->src[0] = c->inst->dst;
  if (c->inst->op == SIM_OP_s_setreg_imm32_b32)
    c->inst->src[0] = source(c, SIM_LITERAL, true);
  if (sim_class_of[c->inst->op] == SIM_CLASS_BRANCH)
    c->inst->imm *= 4;
}

static void sopp(struct cursor *c, const struct sim_op_info *info) {
  (void)info;
  c->inst->imm = (int16_t)(c->word[0] & 0xffff);
  if (sim_class_of[c->inst->op] == SIM_CLASS_BRANCH)
    c->inst->imm *= 4;
}

static void smem(struct cursor *c, const struct sim_op_info *info) {
  uint32_t w = c->word[0], v = c->word[1];
  struct sim_inst *inst = c->inst;
  bool immediate = bits(w, 17, 1), offset_register = bits(w, 14, 1);
  if (info->src[0] == SIM_K_NONE && info->dst == SIM_K_NONE)
    return; /* cache control */
  if (info->dst != SIM_K_NONE)
    inst->dst = scalar_destination(c, bits(w, 6, 7));
  if (info->src[1] != SIM_K_NONE)
    inst->src[1] = scalar_destination(c, bits(w, 6, 7));
  if (info->src[0] == SIM_K_NONE)
    return; /* a clock */
  inst->src[0] = (uint16_t)(bits(w, 0, 6) * 2);
  if (immediate)
    inst->imm = sign_extend(bits(v, 0, 21), 21);
  if (offset_register)
    inst->soffset = scalar_destination(c, bits(v, 25, 7));
  else if (!immediate)
    inst->soffset = scalar_destination(c, bits(v, 0, 7));
  inst->flags |=
      (uint32_t)((bits(w, 16, 1) ? SIM_F_GLC : 0) | (immediate && offset_register ? SIM_F_OFFEN : 0));
}

/* ---- vector formats ---- */

static void sdwa(struct cursor *c, const struct sim_op_info *info) {
  struct sim_inst *inst = c->inst;
  uint32_t v = c->word[1];
  bool compare = info->format == SIM_FMT_VOPC;
  c->used = 2;
  inst->lane_ctl = v;
  inst->flags |= SIM_F_SDWA;
  inst->src[0] = bits(v, 23, 1) ? source(c, bits(v, 0, 8), false) : vgpr(bits(v, 0, 8));
  if (info->src[1] != SIM_K_NONE && bits(v, 31, 1))
    inst->src[1] = source(c, inst->src[1] - (unsigned)SIM_VGPR0, false);
  unsigned takes = inst->op == SIM_OP_v_pk_fmac_f16 ? 0 : 3;
  inst->neg = (uint8_t)((bits(v, 20, 1) | bits(v, 28, 1) << 1) & takes);
  inst->abs = (uint8_t)((bits(v, 21, 1) | bits(v, 29, 1) << 1) & takes);
  if (compare && bits(v, 15, 1))
    inst->sdst = scalar_destination(c, bits(v, 8, 7));
  if (!compare) {
    inst->flags |= bits(v, 13, 1) ? SIM_F_CLAMP : 0;
    inst->omod = (uint8_t)bits(v, 14, 2);
    c->bad |= bits(v, 8, 3) > 6 || bits(v, 11, 2) > 2;
  }
  c->bad |= bits(v, 16, 3) > 6 || (info->src[1] != SIM_K_NONE && bits(v, 24, 3) > 6);
}

/* Lane controls of DPP that gfx9 knows; row_newbcast (0x150) came with gfx90a. */
static bool dpp_control(unsigned control, enum sim_arch arch) {
  return control <= 0x0ff || (control >= 0x101 && control <= 0x10f) ||
         (control >= 0x111 && control <= 0x11f) || (control >= 0x121 && control <= 0x12f) ||
         control == 0x130 || control == 0x134 || control == 0x138 || control == 0x13c ||
         (control >= 0x140 && control <= 0x143) ||
         (control >= 0x150 && control <= 0x15f && arch >= SIM_GFX90A);
}

static void dpp(struct cursor *c, const struct sim_op_info *info) {
  struct sim_inst *inst = c->inst;
  uint32_t v = c->word[1];
  unsigned control = bits(v, 8, 9);
  c->used = 2;
  inst->lane_ctl = v;
  inst->flags |= SIM_F_DPP;
  inst->src[0] = vgpr(bits(v, 0, 8));
  bool pairs = inst->op == SIM_OP_v_dot2c_f32_f16 || inst->op == SIM_OP_v_dot2c_f32_bf16 ||
               inst->op == SIM_OP_v_pk_fmac_f16;
  unsigned takes = pairs ? 3u : modifiable[inst->op];
  inst->neg = (uint8_t)((bits(v, 20, 1) | bits(v, 22, 1) << 1) & takes);
  inst->abs = (uint8_t)((bits(v, 21, 1) | bits(v, 23, 1) << 1) & takes);
  c->bad |= !dpp_control(control, c->arch);
  if (sim_kind_dwords[info->src[0]] == 2 || sim_kind_dwords[info->dst] == 2) /* row_newbcast alone */
    c->bad |= c->arch < SIM_GFX90A || control < 0x150;
}

/* src0 of VOP1, VOP2 and VOPC, which may announce SDWA or DPP. */
static void short_source(struct cursor *c, const struct sim_op_info *info, unsigned code) {
  if (code == 249 || code == 250) {
    if (c->count < 2 || !(info->forms & (code == 249 ? SIM_FORM_S : SIM_FORM_D)))
      c->bad = true;
    else if (code == 249)
      sdwa(c, info);
    else
      dpp(c, info);
  } else {
    c->inst->src[0] = source(c, code, true);
  }
}

/* Where a vector register is wanted, LLVM takes other registers, and says that they are wrong. */
static bool is_lane_source(unsigned code) {
  return code >= SIM_VGPR0 || !is_inline(code);
}

/* Their op_sel bits are fi and bound_ctrl. */
static bool is_swap(unsigned op) {
  return op == SIM_OP_v_permlane16_swap_b32 || op == SIM_OP_v_permlane32_swap_b32;
}

static void vop1(struct cursor *c, const struct sim_op_info *info) {
  uint32_t w = c->word[0];
  struct sim_inst *inst = c->inst;
  if (info->dst == SIM_K_NONE) {
    c->bad |= bits(w, 17, 8) != 0;
    return;
  }
  inst->dst = info->dst == SIM_K_SGPR ? scalar_destination(c, bits(w, 17, 8))
                                      : vector(bits(w, 17, 8), info->dst == SIM_K_ACC);
  short_source(c, info, bits(w, 0, 9));
  c->bad |= inst->op == SIM_OP_v_swap_b32 && inst->src[0] < SIM_VGPR0;
  c->bad |= (inst->op == SIM_OP_v_readfirstlane_b32 || is_swap(inst->op)) && !is_lane_source(inst->src[0]);
  if (info->src[0] == SIM_K_ACC) {
    if (inst->src[0] < SIM_VGPR0)
      c->bad = true;
    inst->src[0] = (uint16_t)(inst->src[0] + SIM_AGPR0 - SIM_VGPR0);
  }
}

static void vop2(struct cursor *c, const struct sim_op_info *info) {
  uint32_t w = c->word[0];
  struct sim_inst *inst = c->inst;
  inst->dst = vgpr(bits(w, 17, 8));
  inst->src[1] = vgpr(bits(w, 9, 8));
  short_source(c, info, bits(w, 0, 9));
  if (info->forms & SIM_FORM_CARRY)
    inst->sdst = SIM_VCC_LO;
  if (info->src[2] == SIM_K_MASK)
    inst->src[2] = SIM_VCC_LO;
}

/* d = src0 * K + src1, or d = src0 * src1 + K. */
static void vop2k(struct cursor *c, const struct sim_op_info *info) {
  uint32_t w = c->word[0];
  struct sim_inst *inst = c->inst;
  bool multiplies = strstr(info->name, "mk_") != NULL;
  inst->dst = vgpr(bits(w, 17, 8));
  inst->src[0] = source(c, bits(w, 0, 9), true);
  inst->src[multiplies ? 2 : 1] = vgpr(bits(w, 9, 8));
  inst->src[multiplies ? 1 : 2] = source(c, SIM_LITERAL, true);
  if (inst->src[0] == 249 || inst->src[0] == 250)
    c->bad = true;
}

static void vopc(struct cursor *c, const struct sim_op_info *info) {
  uint32_t w = c->word[0];
  c->inst->src[1] = vgpr(bits(w, 9, 8));
  c->inst->sdst = SIM_VCC_LO;
  short_source(c, info, bits(w, 0, 9));
}

static void vop3(struct cursor *c, const struct sim_op_info *info) {
  uint32_t w = c->word[0], v = c->word[1];
  struct sim_inst *inst = c->inst;
  bool second = (info->forms & (SIM_FORM_CARRY | SIM_FORM_SDST)) != 0;
  inst->flags |= bits(w, 15, 1) ? SIM_F_CLAMP : 0;
  inst->omod = (uint8_t)bits(v, 27, 2);
  inst->neg = (uint8_t)(bits(v, 29, 3) & modifiable[inst->op]);
  if (info->dst == SIM_K_SDST)
    inst->sdst = scalar_destination(c, bits(w, 0, 8));
  else if (info->dst == SIM_K_SGPR)
    inst->dst = scalar_destination(c, bits(w, 0, 8));
  else if (info->dst != SIM_K_NONE)
    inst->dst = vgpr(bits(w, 0, 8));
  if (second) {
    inst->sdst = scalar_destination(c, bits(w, 8, 7));
  } else {
    inst->abs = (uint8_t)(bits(w, 8, 3) & modifiable[inst->op]);
    inst->op_sel = (uint8_t)(takes_op_sel[inst->op] ? bits(w, 11, 4)
                             : is_swap(inst->op)    ? bits(w, 11, 2)
                                                    : 0);
  }
  for (unsigned i = 0; i < 3; i++)
    if (info->src[i] != SIM_K_NONE)
      inst->src[i] = source(c, bits(v, 9 * i, 9), false);
  c->bad |= (inst->op == SIM_OP_v_readlane_b32 || is_swap(inst->op)) && !is_lane_source(inst->src[0]);
  c->bad |= info->src[2] == SIM_K_MASK && is_inline(inst->src[2]);
  c->bad |= inst->op == SIM_OP_v_mqsad_u32_u8 && inst->src[2] < SIM_VGPR0 && !scalar_register(inst->src[2]);
}

static void vop3p(struct cursor *c, const struct sim_op_info *info) {
  uint32_t w = c->word[0], v = c->word[1];
  struct sim_inst *inst = c->inst;
  inst->dst = vgpr(bits(w, 0, 8));
  inst->flags |= bits(w, 15, 1) ? SIM_F_CLAMP : 0;
  inst->neg_hi = (uint8_t)bits(w, 8, 3);
  inst->op_sel = (uint8_t)bits(w, 11, 3);
  inst->op_sel_hi = (uint8_t)(bits(v, 27, 2) | bits(w, 14, 1) << 2);
  inst->neg = (uint8_t)bits(v, 29, 3);
  for (unsigned i = 0; i < 3; i++)
    if (info->src[i] != SIM_K_NONE)
      inst->src[i] = source(c, bits(v, 9 * i, 9), false);
}

static bool matrix_constant(unsigned code) {
  return code >= SIM_VGPR0 || is_inline(code);
}

/* Matrix instructions. gfx908 accumulates in AGPRs always; later archs have a bit that says so. */
static void mai(struct cursor *c, const struct sim_op_info *info) {
  uint32_t w = c->word[0], v = c->word[1];
  struct sim_inst *inst = c->inst;
  bool matrix = info->src[1] != SIM_K_NONE;
  bool acc = matrix ? c->arch == SIM_GFX908 || bits(w, 15, 1) : info->dst == SIM_K_ACC;
  inst->dst = vector(bits(w, 0, 8), acc);
  for (unsigned i = 0; i < 3; i++) {
    if (info->src[i] == SIM_K_NONE)
      continue;
    unsigned code = source(c, bits(v, 9 * i, 9), false);
    bool from_acc = i == 2 ? acc : matrix ? bits(v, 27 + i, 1) : info->src[i] == SIM_K_ACC;
    if (i < 2 && (matrix || from_acc) && code < SIM_VGPR0)
      c->bad = true;
    if (i == 2 && !matrix_constant(code)) /* C is in registers of the same file, or a constant */
      c->bad = true;
    if (code >= SIM_VGPR0 && from_acc)
      code += SIM_AGPR0 - SIM_VGPR0;
    inst->src[i] = (uint16_t)code;
  }
  if (matrix)
    inst->lane_ctl = bits(w, 8, 3) | bits(w, 11, 4) << 8 | bits(v, 29, 3) << 16;
}

/* ---- memory formats ---- */

static bool acc_data(const struct cursor *c, uint32_t word, unsigned bit) {
  return c->arch >= SIM_GFX90A && bits(word, bit, 1);
}

static void ds(struct cursor *c, const struct sim_op_info *info) {
  uint32_t w = c->word[0], v = c->word[1];
  struct sim_inst *inst = c->inst;
  bool acc = acc_data(c, w, 25);
  if (two_offsets[inst->op]) {
    inst->imm = (int32_t)bits(w, 0, 8);
    inst->offset1 = (uint8_t)bits(w, 8, 8);
  } else {
    inst->imm = (int32_t)bits(w, 0, 16);
  }
  inst->flags |= bits(w, 16, 1) ? SIM_F_LDS : 0;
  if (info->src[0] != SIM_K_NONE)
    inst->src[0] = vgpr(bits(v, 0, 8));
  if (info->src[1] != SIM_K_NONE)
    inst->src[1] = vector(bits(v, 8, 8), acc);
  if (info->src[2] != SIM_K_NONE)
    inst->src[2] = vector(bits(v, 16, 8), acc);
  if (info->dst != SIM_K_NONE)
    inst->dst = vector(bits(v, 24, 8), acc);
}

static bool atomic_row(const struct sim_op_info *info) {
  return info->dst != SIM_K_NONE && info->src[1] != SIM_K_NONE;
}

/* Where a memory instruction's data go and come from. An atomic writes a register only with glc. */
static void memory_data(struct cursor *c, const struct sim_op_info *info, unsigned to, unsigned from,
                        bool acc) {
  struct sim_inst *inst = c->inst;
  bool atomic = atomic_row(info);
  if (info->src[1] != SIM_K_NONE)
    inst->src[1] = vector(from, acc);
  if (info->dst != SIM_K_NONE && (!atomic || (inst->flags & SIM_F_GLC)) && !(inst->flags & SIM_F_LDS))
    inst->dst = vector(to, acc);
}

static uint32_t cache_flags(bool glc, bool slc, bool sc1) {
  return (uint32_t)((glc ? SIM_F_GLC : 0) | (slc ? SIM_F_SLC : 0) | (sc1 ? SIM_F_SC1 : 0));
}

static void flat(struct cursor *c, const struct sim_op_info *info) {
  uint32_t w = c->word[0], v = c->word[1];
  struct sim_inst *inst = c->inst;
  unsigned base = bits(v, 16, 7);
  bool flexible =
      info->format == SIM_FMT_SCRATCH && c->arch >= SIM_GFX942; /* bit 13 says whether a VGPR is added */
  inst->flags |= cache_flags(bits(w, 16, 1), bits(w, 17, 1), c->arch >= SIM_GFX90A && bits(w, 25, 1));
  if (bits(w, 13, 1) && c->arch < SIM_GFX942 && may_reach_lds[inst->op]) {
    inst->flags |= SIM_F_LDS;
    c->bad |= bits(v, 23, 1);
  }
  inst->imm = info->format == SIM_FMT_FLAT ? (int32_t)bits(w, 0, 13) : sign_extend(bits(w, 0, 13), 13);
  if (info->format != SIM_FMT_FLAT && base != 0x7f)
    inst->src[2] = scalar_destination(c, base);
  if (info->format == SIM_FMT_SCRATCH && (flexible ? !bits(w, 13, 1) : base != 0x7f))
    inst->src[0] = SIM_NO_OPERAND;
  else
    inst->src[0] = vgpr(bits(v, 0, 8));
  memory_data(c, info, bits(v, 24, 8), bits(v, 8, 8), acc_data(c, v, 23));
}

static void mubuf(struct cursor *c, const struct sim_op_info *info) {
  uint32_t w = c->word[0], v = c->word[1];
  struct sim_inst *inst = c->inst;
  inst->flags |= cache_flags(bits(w, 14, 1), bits(w, 17, 1), c->arch >= SIM_GFX90A && bits(w, 15, 1));
  if (info->src[0] == SIM_K_NONE) { /* cache control: a scope, since gfx942 */
    inst->flags &= c->arch >= SIM_GFX942 ? (uint32_t)(SIM_F_GLC | SIM_F_SC1) : 0u;
    return;
  }
  inst->flags |= (uint32_t)((bits(w, 12, 1) ? SIM_F_OFFEN : 0) | (bits(w, 13, 1) ? SIM_F_IDXEN : 0) |
                            (bits(w, 16, 1) ? SIM_F_LDS : 0));
  inst->imm = (int32_t)bits(w, 0, 12);
  if (inst->flags & (SIM_F_OFFEN | SIM_F_IDXEN))
    inst->src[0] = vgpr(bits(v, 0, 8));
  inst->src[2] = scalar_destination(c, bits(v, 16, 5) * 4);
  inst->soffset = source(c, bits(v, 24, 8), false);
  inst->flags |= c->arch == SIM_GFX908 && bits(v, 23, 1) ? SIM_F_TFE : 0;
  c->bad |= bits(v, 23, 1) && (inst->flags & SIM_F_LDS);
  memory_data(c, info, bits(v, 8, 8), bits(v, 8, 8), acc_data(c, v, 23));
}

/* ---- the formats' prefixes ---- */

typedef void decoder(struct cursor *c, const struct sim_op_info *info);

static decoder *const decoders[] = {
    [SIM_FMT_SOP1] = sop1,    [SIM_FMT_SOP2] = sop2,   [SIM_FMT_SOPC] = sopc, [SIM_FMT_SOPK] = sopk,
    [SIM_FMT_SOPP] = sopp,    [SIM_FMT_SMEM] = smem,   [SIM_FMT_VOP1] = vop1, [SIM_FMT_VOP2] = vop2,
    [SIM_FMT_VOP2K] = vop2k,  [SIM_FMT_VOPC] = vopc,   [SIM_FMT_VOP3] = vop3, [SIM_FMT_VOP3P] = vop3p,
    [SIM_FMT_MAI] = mai,      [SIM_FMT_DS] = ds,       [SIM_FMT_FLAT] = flat, [SIM_FMT_GLOBAL] = flat,
    [SIM_FMT_SCRATCH] = flat, [SIM_FMT_MUBUF] = mubuf,
};

static unsigned row_of_scalar(const struct lookup *l, uint32_t w) {
  switch (bits(w, 23, 7)) { /* what follows the prefix 10 */
  case 0x7d:
    return l->sop1[bits(w, 8, 8)];
  case 0x7e:
    return l->sopc[bits(w, 16, 7)];
  case 0x7f:
    return l->sopp[bits(w, 16, 7)];
  default:
    return bits(w, 28, 2) == 3 ? l->sopk[bits(w, 23, 5)] : l->sop2[bits(w, 23, 7)];
  }
}

static unsigned row_of_short_vector(const struct lookup *l, uint32_t w) {
  switch (bits(w, 25, 6)) {
  case 0x3e:
    return l->vopc[bits(w, 17, 8)];
  case 0x3f:
    return l->vop1[bits(w, 9, 8)];
  default:
    return l->vop2[bits(w, 25, 6)];
  }
}

static unsigned row_of_flat(const struct lookup *l, uint32_t w) {
  const uint16_t *const segment[4] = {l->flat, l->scratch, l->global, NULL};
  const uint16_t *table = segment[bits(w, 14, 2)];
  return table ? table[bits(w, 18, 7)] : SIM_OP_UNKNOWN;
}

/* The row of the instruction that begins with w; *longer: it has a second dword. */
static unsigned row_of(const struct lookup *l, uint32_t w, bool *longer) {
  *longer = w >> 30 == 3;
  if (w >> 31 == 0)
    return row_of_short_vector(l, w);
  if (w >> 30 == 2)
    return row_of_scalar(l, w);
  switch (w >> 26) {
  case 0x30:
    return l->smem[bits(w, 18, 8)];
  case 0x34:
    return bits(w, 23, 3) == 7 ? l->vop3p[bits(w, 16, 7)] : l->vop3[bits(w, 16, 10)];
  case 0x36:
    return l->ds[bits(w, 17, 8)];
  case 0x37:
    return row_of_flat(l, w);
  case 0x38:
    return l->mubuf[bits(w, 18, 7)];
  default:
    return SIM_OP_UNKNOWN;
  }
}

/* v_bitop3: the eight bits that are omod, abs and neg elsewhere are a truth table (CDNA4 ISA guide). */
static void take_truth_table(struct sim_inst *inst) {
  inst->lane_ctl = (uint32_t)(inst->omod << 6 | inst->abs << 3 | inst->neg);
  inst->omod = inst->abs = inst->neg = 0;
}

/* Tells the handlers of vector ALU instructions which of them take the short way. VOP3P's modifiers are its
 * handlers' own business. */
static void mark_modified(struct sim_inst *inst, const struct sim_op_info *info) {
  bool moved = (inst->flags & (SIM_F_SDWA | SIM_F_DPP)) != 0;
  bool half = info->dst == SIM_K_F16 || info->dst == SIM_K_B16;
  if (info->format < SIM_FMT_VOP1 || info->format > SIM_FMT_VOP3)
    return;
  if (moved || inst->neg || inst->abs || (inst->op_sel & 7))
    inst->flags |= SIM_F_SOURCE;
  if (moved || half || inst->omod || (inst->flags & SIM_F_CLAMP) || (inst->op_sel & 8))
    inst->flags |= SIM_F_RESULT;
}

/* Tuples of SGPRs begin at a multiple of two or four: the low bits of the number do not count. */
static uint16_t aligned(unsigned code, unsigned dwords) {
  bool numbered = code < SIM_FLAT_SCRATCH_LO || (code >= SIM_TTMP0 && code < SIM_M0);
  unsigned low = dwords >= 3 ? 3 : dwords == 2 ? 1 : 0;
  return (uint16_t)(numbered ? code & ~low : code);
}

/* No 64 bits come from there. */
static bool halves_what_is_whole(const struct sim_inst *inst, const struct sim_op_info *info) {
  bool bad = false;
  for (unsigned i = 0; i < 3; i++)
    bad |= sim_kind_dwords[info->src[i]] > 1 && inst->src[i] == SIM_LDS_DIRECT;
  return bad;
}

static void align_scalars(struct sim_inst *inst, const struct sim_op_info *info) {
  inst->dst = aligned(inst->dst, sim_kind_dwords[info->dst]);
  inst->sdst = aligned(inst->sdst, 2);
  for (unsigned i = 0; i < 3; i++)
    inst->src[i] = aligned(inst->src[i], sim_kind_dwords[info->src[i]]);
}

static const struct sim_inst no_operands = {
    .next = 4,
    .dst = SIM_NO_OPERAND,
    .sdst = SIM_NO_OPERAND,
    .src = {SIM_NO_OPERAND, SIM_NO_OPERAND, SIM_NO_OPERAND},
    .soffset = SIM_NO_OPERAND,
};

/* A bit is set that the encoding of this instruction does not have. */
static bool has_reserved(const struct cursor *c, bool wide) {
  enum sim_encoding encoding = wide                          ? SIM_ENC_WIDE
                               : c->inst->flags & SIM_F_SDWA ? SIM_ENC_SDWA
                               : c->inst->flags & SIM_F_DPP  ? SIM_ENC_DPP
                                                             : SIM_ENC_OWN;
  uint64_t word = c->word[0] | (uint64_t)(c->used > 1 ? c->word[1] : 0) << 32;
  return (word & reserved[c->arch][encoding][c->inst->op]) != 0;
}

static unsigned unknown(struct sim_inst *inst, uint32_t word) {
  *inst = no_operands;
  inst->literal = word; /* for the report */
  return 0;
}

unsigned sim_decode(const uint32_t *words, unsigned count, enum sim_arch arch, struct sim_inst *inst) {
  pthread_once(&filled, fill);
  struct cursor c = {.word = words, .count = count, .arch = arch, .inst = inst};
  bool longer;
  unsigned op = row_of(&lookups[arch], words[0], &longer);
  if (op == SIM_OP_UNKNOWN || (longer && count < 2))
    return unknown(inst, words[0]);
  *inst = no_operands;
  inst->op = (uint16_t)op;
  c.used = longer ? 2 : 1;
  const struct sim_op_info *info = &sim_info[op];
  /* A row reached through VOP3's opcodes is laid out as VOP3 whatever its own format. */
  bool wide = longer && info->format <= SIM_FMT_VOPC && info->format >= SIM_FMT_VOP1;
  (wide ? vop3 : decoders[info->format])(&c, info);
  c.bad |= has_reserved(&c, wide) || halves_what_is_whole(inst, info);
  align_scalars(inst, info);
  if (c.bad || !sim_registers_of(inst).fits)
    return unknown(inst, words[0]);
  inst->next = (uint16_t)(c.used * 4);
  if (op == SIM_OP_v_bitop3_b32 || op == SIM_OP_v_bitop3_b16)
    take_truth_table(inst);
  mark_modified(inst, info);
  return c.used;
}
