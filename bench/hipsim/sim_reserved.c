#include "bench/hipsim/sim_reserved.h"

#include <string.h>

#define BIT(n)       (UINT64_C(1) << (n))
#define BITS(low, n) (((UINT64_C(1) << (n)) - 1) << (low))

static bool is_float(unsigned kind) {
  return kind == SIM_K_F16 || kind == SIM_K_BF16 || kind == SIM_K_F32 || kind == SIM_K_F64;
}

static bool is_half(unsigned kind) {
  return kind == SIM_K_F16 || kind == SIM_K_B16;
}

static bool is_one_of(unsigned op, const char *const *prefixes) {
  for (size_t i = 0; prefixes[i]; i++)
    if (strncmp(sim_info[op].name, prefixes[i], strlen(prefixes[i])) == 0)
      return true;
  return false;
}

/* VOP3 instructions that came with op_sel: all on 16 bits but the "legacy" ones, and packers of halves. */
bool sim_has_op_sel(unsigned op) {
  static const char *const others[] = {"v_mad_u32_u16",        "v_mad_i32_i16",        "v_pack_b32_f16",
                                       "v_cvt_pknorm_i16_f16", "v_cvt_pknorm_u16_f16", "v_cvt_pk_fp8_f32",
                                       "v_cvt_pk_bf8_f32",     "v_cvt_sr_fp8_f32",     "v_cvt_sr_bf8_f32",
                                       "v_cvt_sr_f16_f32",     "v_cvt_sr_bf16_f32",    "v_alignbit_b32",
                                       "v_alignbyte_b32",      "v_ashr_pk_",           NULL};
  const struct sim_op_info *info = &sim_info[op];
  if (info->format != SIM_FMT_VOP3 || strstr(info->name, "legacy"))
    return false;
  return is_half(info->dst) || is_one_of(op, others);
}

bool sim_takes_whole_dwords(unsigned op) {
  static const char *const dots[] = {"v_dot4_", "v_dot8_", NULL};
  return sim_info[op].format == SIM_FMT_VOP3P && is_one_of(op, dots);
}

/* Integer instructions that can saturate. */
static bool has_clamp(unsigned op) {
  static const char *const integers[] = {"v_add_",           "v_sub_",
                                         "v_subrev_",        "v_subb",
                                         "v_addc_",          "v_mul_i32_i24",
                                         "v_mul_u32_u24",    "v_mad_",
                                         "v_sad_",           "v_msad_",
                                         "v_qsad_",          "v_mqsad_",
                                         "v_cvt_pk_u8_f32",  "v_cvt_pkrtz",
                                         "v_cvt_pknorm",     "v_cvt_pkaccum",
                                         "v_cvt_pk_f16_f32", "v_cvt_pk_bf16_f32",
                                         "v_cvt_pk_f32_",    NULL};
  static const char *const never[] = {"v_add_lshl_u32",   "v_cvt_sr_",        "v_ashr_pk_",
                                      "v_cvt_pk_fp8_f32", "v_cvt_pk_bf8_f32", NULL};
  const struct sim_op_info *info = &sim_info[op];
  if (is_one_of(op, never))
    return false;
  if (info->format == SIM_FMT_VOPC)
    return is_float(info->src[0]) && !strstr(info->name, "_class_");
  if (is_float(info->dst) || sim_has_op_sel(op))
    return true;
  return (info->format == SIM_FMT_VOP1 && is_float(info->src[0])) || is_one_of(op, integers);
}

static bool has_omod(unsigned op) {
  static const char *const none[] = {"v_cvt_rpi_i32", "v_cvt_flr_i32", "v_frexp_exp_i32_f32", NULL};
  static const char *const integers[] = {"v_cvt_pkrtz", "v_cvt_pk_f16_f32", "v_cvt_pk_bf16_f32",
                                         "v_cvt_pk_f32_", NULL};
  const struct sim_op_info *info = &sim_info[op];
  if (info->format == SIM_FMT_VOPC || is_one_of(op, none))
    return false;
  if (sim_has_op_sel(op) && !is_float(info->dst))
    return false;
  if (is_float(info->dst) || is_one_of(op, integers))
    return true;
  return info->format == SIM_FMT_VOP1 && is_float(info->src[0]);
}

/* Source i takes neg and abs in VOP3, or something in their bits that is ignored. */
static bool has_modifiers(unsigned op, unsigned i) {
  static const char *const ignoring[] = {"v_cvt_sr_", "v_ashr_pk_", NULL};
  const struct sim_op_info *info = &sim_info[op];
  if (is_float(info->src[i]))
    return true;
  if (is_one_of(op, ignoring))
    return true;
  if (sim_has_op_sel(op))
    return false;
  if (op == SIM_OP_v_cndmask_b32)
    return i < 2;
  /* The integers beside an f32 in v_ldexp and v_cvt_pk_u8, but not those of v_cmp_class. */
  return is_float(info->src[0]) && info->format != SIM_FMT_VOPC;
}

unsigned sim_modifiable_sources(unsigned op) {
  unsigned sources = op == SIM_OP_v_cndmask_b32 ? 3 : 0;
  if (op == SIM_OP_v_bitop3_b32 || op == SIM_OP_v_bitop3_b16)
    return 7; /* bits of the truth table */
  for (unsigned i = 0; i < 3; i++)
    sources |= is_float(sim_info[op].src[i]) ? 1u << i : 0;
  return sources;
}

static uint64_t reserved_in_vop3(unsigned op) {
  /* Which byte of the result is a matter of two bits, where op_sel of a third source would be. */
  static const char *const spread[] = {"v_cvt_sr_fp8_f32", "v_cvt_sr_bf8_f32", NULL};
  const struct sim_op_info *info = &sim_info[op];
  bool second = (info->forms & (SIM_FORM_CARRY | SIM_FORM_SDST)) != 0;
  if (op == SIM_OP_v_bitop3_b32)
    return BITS(11, 5);
  if (op == SIM_OP_v_bitop3_b16)
    return BIT(15);
  uint64_t bits = info->dst == SIM_K_NONE ? BITS(0, 8) : 0;
  if (op == SIM_OP_v_cvt_pk_bf16_f32)
    bits |= BIT(13);
  for (unsigned i = 0; i < 3; i++) {
    bool there = info->src[i] != SIM_K_NONE;
    if (!there)
      bits |= BITS(32 + 9 * i, 9) | (sim_has_op_sel(op) && !is_one_of(op, spread) ? BIT(11 + i) : 0);
    if (!has_modifiers(op, i) || (!there && !is_one_of(op, spread)))
      bits |= BIT(61 + i) | (second ? 0 : BIT(8 + i));
  }
  bits |= has_clamp(op) || second ? 0 : BIT(15);
  return bits | (has_omod(op) ? 0 : BITS(59, 2));
}

static uint64_t reserved_in_vop3p(unsigned op) {
  const struct sim_op_info *info = &sim_info[op];
  uint64_t bits = 0;
  for (unsigned i = 0; i < 3; i++) {
    bool there = info->src[i] != SIM_K_NONE;
    if (!there)
      bits |= BITS(32 + 9 * i, 9) | BIT(11 + i);
    if (sim_takes_whole_dwords(op))
      bits |= BIT(11 + i);
    if (!there)
      bits |= BIT(61 + i) | BIT(8 + i);
  }
  return bits;
}

static uint64_t reserved_in_mai(unsigned op) {
  return sim_info[op].src[1] == SIM_K_NONE ? BITS(8, 6) | BITS(41, 18) | BITS(61, 3) : 0;
}

/* sext of floating-point sources, neg and abs of others, src1 of VOP1, omod. */
static uint64_t reserved_in_sdwa(unsigned op) {
  const struct sim_op_info *info = &sim_info[op];
  if (op == SIM_OP_v_cndmask_b32)
    return BIT(51) | BIT(59) | BITS(46, 2);
  if (info->dst == SIM_K_NONE)
    return 0;
  if (op == SIM_OP_v_pk_fmac_f16)
    return BIT(51) | BIT(59);
  uint64_t bits = is_float(info->src[0]) ? BIT(51) : BITS(52, 2);
  if (info->src[1] == SIM_K_NONE)
    bits |= BITS(56, 6) | BIT(63);
  else
    bits |= is_float(info->src[1]) ? BIT(59) : BITS(60, 2);
  return bits | (info->format == SIM_FMT_VOPC || is_float(info->dst) ? 0 : BITS(46, 2));
}

static uint64_t reserved_in_dpp(unsigned op) {
  static const char *const ignoring[] = {"v_cndmask_b32", "v_dot", "v_ldexp_f16", "v_pk_fmac_f16", NULL};
  const struct sim_op_info *info = &sim_info[op];
  if (info->dst == SIM_K_NONE || is_one_of(op, ignoring))
    return 0;
  uint64_t bits = is_float(info->src[0]) ? 0 : BITS(52, 2);
  return bits | (is_float(info->src[1]) ? 0 : BITS(54, 2));
}

/* ---- memory ---- */

static bool is_float_atomic(unsigned op) {
  static const char *const types[] = {"_add_f32", "_pk_add_f16", "_f64"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strstr(sim_info[op].name, "atomic") && strstr(sim_info[op].name, types[i]))
      return true;
  return false;
}

static bool may_reach_lds(unsigned op) {
  const char *name = sim_info[op].name;
  return strstr(name, "_load_") && !strstr(name, "d16") && !strstr(name, "dwordx") && !strstr(name, "_lds_");
}

static uint64_t reserved_in_ds(unsigned op) {
  const struct sim_op_info *info = &sim_info[op];
  if (op == SIM_OP_ds_nop)
    return BITS(0, 17) | BIT(25) | BITS(32, 32);
  uint64_t bits = op == SIM_OP_ds_permute_b32 || op == SIM_OP_ds_bpermute_b32 ? BIT(16) : 0;
  for (unsigned i = 0; i < 3; i++)
    bits |= info->src[i] == SIM_K_NONE ? BITS(32 + 8 * i, 8) : 0;
  return bits | (info->dst == SIM_K_NONE ? BITS(56, 8) : 0);
}

/* Bit 13 is lds until gfx90a, and later says which address registers a scratch instruction has. The scope bits of
 * floating-point atomics are fewer. */
static uint64_t reserved_in_flat(unsigned op, enum sim_arch arch) {
  unsigned format = sim_info[op].format;
  uint64_t bits = format == SIM_FMT_FLAT ? BITS(48, 7) : 0;
  bool free_bit_13 = format == SIM_FMT_SCRATCH && arch >= SIM_GFX942;
  bool to_lds = format != SIM_FMT_FLAT && arch < SIM_GFX942 && may_reach_lds(op);
  bits |= free_bit_13 || to_lds ? 0 : BIT(13);
  if (is_float_atomic(op) && arch < SIM_GFX942)
    bits |= BIT(25) | (arch == SIM_GFX908 ? BIT(16) : 0);
  return bits | (strstr(sim_info[op].name, "_load_lds_") ? BIT(55) : 0);
}

static uint64_t reserved_in_mubuf(unsigned op, enum sim_arch arch) {
  switch (op) {
  case SIM_OP_buffer_wbinvl1:
  case SIM_OP_buffer_wbinvl1_vol:
  case SIM_OP_buffer_invl2:
    return BITS(12, 5) | BIT(55);
  case SIM_OP_buffer_wbl2:
  case SIM_OP_buffer_inv:
    return BITS(12, 2) | BIT(16) | BIT(55);
  default:
    break;
  }
  /* Three and four dwords go to LDS since gfx950 (CDNA4 guide). */
  bool wide = op == SIM_OP_buffer_load_dwordx3 || op == SIM_OP_buffer_load_dwordx4;
  uint64_t bits = may_reach_lds(op) || (wide && arch == SIM_GFX950) ? 0 : BIT(16);
  if (arch == SIM_GFX908 && sim_info[op].dst != SIM_K_NONE && sim_info[op].src[1] != SIM_K_NONE)
    bits |= BIT(55); /* atomics have no tfe */
  if (is_float_atomic(op) && arch < SIM_GFX942)
    bits |= arch == SIM_GFX908 ? BIT(14) : BIT(15);
  return bits;
}

/* ---- scalar ---- */

static uint64_t reserved_in_sopp(unsigned op) {
  switch (op) {
  case SIM_OP_s_wakeup:
  case SIM_OP_s_barrier:
  case SIM_OP_s_icache_inv:
  case SIM_OP_s_ttracedata:
  case SIM_OP_s_endpgm_saved:
  case SIM_OP_s_set_gpr_idx_off:
  case SIM_OP_s_endpgm_ordered_ps_done:
    return BITS(0, 16);
  default:
    return 0;
  }
}

uint64_t sim_reserved_bits(unsigned op, enum sim_arch arch, enum sim_encoding encoding) {
  const struct sim_op_info *info = &sim_info[op];
  if (encoding == SIM_ENC_SDWA)
    return reserved_in_sdwa(op);
  if (encoding == SIM_ENC_DPP)
    return reserved_in_dpp(op);
  if (encoding == SIM_ENC_WIDE)
    return reserved_in_vop3(op);
  switch (info->format) {
  case SIM_FMT_SOPP:
    return reserved_in_sopp(op);
  case SIM_FMT_SMEM: /* an immediate offset, where there is no address */
    return info->src[0] == SIM_K_NONE ? BIT(17) : 0;
  case SIM_FMT_VOP3:
    return reserved_in_vop3(op);
  case SIM_FMT_VOP3P:
    return reserved_in_vop3p(op);
  case SIM_FMT_MAI:
    return reserved_in_mai(op);
  case SIM_FMT_DS:
    return reserved_in_ds(op);
  case SIM_FMT_FLAT:
  case SIM_FMT_GLOBAL:
  case SIM_FMT_SCRATCH:
    return reserved_in_flat(op, arch);
  case SIM_FMT_MUBUF:
    return reserved_in_mubuf(op, arch);
  default:
    return 0;
  }
}
