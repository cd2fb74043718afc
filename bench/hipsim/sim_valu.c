/* Vector ALU: operands in their full generality, and moves. */
#include "bench/hipsim/sim_valu.h"

/* ---- DPP ---- */

/* The lane that `lane` reads, -1 when there is none (CDNA2 ISA guide, "DPP"). */
static int dpp_lane(unsigned control, int lane) {
  int row = lane & ~15, in_row = lane & 15, n = (int)(control & 15);
  if (control <= 0xff)
    return (lane & ~3) | (int)(control >> 2 * (lane & 3) & 3);
  switch (control >> 4) {
  case 0x10: /* row_shl */
    return in_row + n < 16 ? lane + n : -1;
  case 0x11: /* row_shr */
    return in_row >= n ? lane - n : -1;
  case 0x12: /* row_ror */
    return row | ((in_row - n) & 15);
  case 0x15: /* row_newbcast */
    return row | n;
  default:
    break;
  }
  switch (control) {
  case 0x130: /* wave_shl */
    return lane < 63 ? lane + 1 : -1;
  case 0x134: /* wave_rol */
    return (lane + 1) & 63;
  case 0x138: /* wave_shr */
    return lane - 1;
  case 0x13c: /* wave_ror */
    return (lane - 1) & 63;
  case 0x140: /* row_mirror */
    return row | (15 - in_row);
  case 0x141: /* row_half_mirror */
    return (lane & ~7) | (7 - (lane & 7));
  case 0x142: /* row_bcast:15 */
    return row - 1;
  default: /* row_bcast:31 */
    return lane >= 32 ? 31 : -1;
  }
}

/* A lane whose source lane is missing or inactive reads zero with bound_ctrl, else is not written. */
static uint64_t dpp_valid(const struct sim_wave *w, const struct sim_inst *inst) {
  uint64_t valid = 0, exec = sim_exec(w);
  for (int l = 0; l < SIM_LANES; l++) {
    int from = dpp_lane(inst->lane_ctl >> 8 & 0x1ff, l);
    if (from >= 0 && exec >> from & 1)
      valid |= UINT64_C(1) << l;
  }
  return valid;
}

static void dpp_move(const struct sim_wave *w, const struct sim_inst *inst, const uint32_t *from,
                     uint32_t *to) {
  uint64_t valid = dpp_valid(w, inst);
  for (int l = 0; l < SIM_LANES; l++)
    to[l] = valid >> l & 1 ? from[dpp_lane(inst->lane_ctl >> 8 & 0x1ff, l)] : 0;
}

uint64_t SIM_NAME(sim_write_mask)(const struct sim_wave *w, const struct sim_inst *inst) {
  uint64_t mask = sim_exec(w);
  if (!(inst->flags & SIM_F_DPP))
    return mask;
  unsigned banks = inst->lane_ctl >> 24 & 15, rows = inst->lane_ctl >> 28 & 15;
  bool bound_ctrl = inst->lane_ctl >> 19 & 1;
  for (unsigned l = 0; l < SIM_LANES; l++)
    if (!(rows >> (l / 16) & 1) || !(banks >> (l / 4 % 4) & 1))
      mask &= ~(UINT64_C(1) << l);
  return bound_ctrl ? mask : mask & dpp_valid(w, inst);
}

/* ---- sources ---- */

static void splat(uint32_t value, uint32_t *out) {
  LANES
  out[l] = value;
}

static bool is_16_bits(unsigned kind) {
  return kind <= SIM_K_PBF16;
}

static uint32_t scalar_of_kind(const struct sim_wave *w, const struct sim_inst *inst, unsigned code,
                               unsigned kind) {
  if (kind == SIM_K_BF16 || kind == SIM_K_PBF16)
    return sim_scalar_bf16(w, inst, code);
  return is_16_bits(kind) ? sim_scalar16(w, inst, code) : sim_scalar32(w, inst, code);
}

/* SDWA: a byte, a half or the whole, sign-extended on request. */
static void sdwa_select(const struct sim_inst *inst, unsigned i, uint32_t *value) {
  unsigned select = inst->lane_ctl >> (i == 0 ? 16 : 24) & 7;
  bool sext = inst->lane_ctl >> (i == 0 ? 19 : 27) & 1;
  if (select > 5)
    return;
  unsigned shift = select < 4 ? 8 * select : 16 * (select - 4), width = select < 4 ? 8 : 16;
  LANES {
    uint32_t part = value[l] << (32 - width - shift);
    value[l] = sext ? (uint32_t)((int32_t)part >> (32 - width)) : part >> (32 - width);
  }
}

void SIM_NAME(sim_load)(const struct sim_wave *w, const struct sim_inst *inst, unsigned i, uint32_t *out) {
  unsigned code = inst->src[i], kind = sim_info[inst->op].src[i];
  if (code < SIM_VGPR0)
    splat(scalar_of_kind(w, inst, code, kind), out);
  else if (i == 0 && (inst->flags & SIM_F_DPP))
    dpp_move(w, inst, w->v[code - SIM_VGPR0], out);
  else
    memcpy(out, w->v[code - SIM_VGPR0], sizeof(sim_vreg));
  if (!(inst->flags & SIM_F_SOURCE))
    return;
  if ((inst->flags & SIM_F_SDWA) && i < 2)
    sdwa_select(inst, i, out);
  if ((inst->op_sel >> i & 1) && is_16_bits(kind))
    LANES
  out[l] >>= 16;
  uint32_t sign = kind == SIM_K_PF16 ? 0x80008000 : is_16_bits(kind) ? 0x8000 : 0x80000000;
  if (inst->abs >> i & 1)
    LANES
  out[l] &= ~sign;
  if (inst->neg >> i & 1)
    LANES
  out[l] ^= sign;
}

void SIM_NAME(sim_load_flushed)(const struct sim_wave *w, const struct sim_inst *inst, unsigned i,
                                uint32_t *out) {
  SIM_NAME(sim_load)(w, inst, i, out);
  LANES
  out[l] = sim_flush_bits(out[l]);
}

void SIM_NAME(sim_load64)(const struct sim_wave *w, const struct sim_inst *inst, unsigned i, uint32_t *out) {
  unsigned code = inst->src[i], kind = sim_info[inst->op].src[i];
  uint32_t *high = out + SIM_LANES;
  if (code < SIM_VGPR0) {
    uint64_t value = sim_scalar64(w, inst, code, kind == SIM_K_F64);
    splat((uint32_t)value, out);
    splat((uint32_t)(value >> 32), high);
  } else if (i == 0 && (inst->flags & SIM_F_DPP)) {
    dpp_move(w, inst, w->v[code - SIM_VGPR0], out);
    dpp_move(w, inst, w->v[code - SIM_VGPR0 + 1], high);
  } else {
    memcpy(out, w->v[code - SIM_VGPR0], 2 * sizeof(sim_vreg));
  }
  if (inst->abs >> i & 1)
    LANES
  high[l] &= 0x7fffffff;
  if (inst->neg >> i & 1)
    LANES
  high[l] ^= 0x80000000;
}

/* ---- results ---- */

static float clamp_f32(float x, bool nan_to_zero) {
  if (x != x)
    return nan_to_zero ? 0.0f : x;
  return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
}

static float multiplier(unsigned omod) {
  static const float by[4] = {1.0f, 2.0f, 4.0f, 0.5f};
  return by[omod];
}

/* Output modifiers are left out when MODE says IEEE or keeps the format's denormals (LLVM AMDGPU, SIFoldOperands). */
static unsigned output_modifier(const struct sim_wave *w, const struct sim_inst *inst,
                                uint32_t keeps_denormals) {
  return w->mode & (SIM_MODE_IEEE | keeps_denormals) ? 0 : inst->omod;
}

static void finish_f32(const struct sim_wave *w, const struct sim_inst *inst, sim_f32 *value) {
  unsigned omod = output_modifier(w, inst, SIM_MODE_F32_OUT);
  if (omod)
    LANES
  value[l] *= multiplier(omod);
  if (inst->flags & SIM_F_CLAMP)
    LANES
  value[l] = clamp_f32(value[l], (w->mode & SIM_MODE_DX10_CLAMP) != 0);
  if (!(w->mode & SIM_MODE_F32_OUT))
    LANES((uint32_t *)(void *)value)[l] = sim_flush_bits(((uint32_t *)(void *)value)[l]);
}

static void finish_f16(const struct sim_wave *w, const struct sim_inst *inst, uint32_t *value) {
  bool clamps = (inst->flags & SIM_F_CLAMP) != 0, nan_to_zero = (w->mode & SIM_MODE_DX10_CLAMP) != 0;
  unsigned omod = output_modifier(w, inst, SIM_MODE_F16_OUT);
  for (unsigned l = 0; l < SIM_LANES && (clamps || omod); l++) {
    float x = sim_f16_to_f32(value[l]) * multiplier(omod);
    value[l] = sim_f32_to_f16(clamps ? clamp_f32(x, nan_to_zero) : x);
  }
  if (!(w->mode & SIM_MODE_F16_OUT))
    LANES
  value[l] = (value[l] & 0x7c00) == 0 ? value[l] & 0x8000 : value[l];
}

/* SDWA's dst_sel and dst_unused: the low bits of the result go to one part of the register; the others are zeroed,
 * filled with the result's sign, or kept. */
static void sdwa_place(const struct sim_inst *inst, const uint32_t *old, uint32_t *value) {
  unsigned select = inst->lane_ctl >> 8 & 7, unused = inst->lane_ctl >> 11 & 3;
  if (select > 5)
    return;
  unsigned shift = select < 4 ? 8 * select : 16 * (select - 4), width = select < 4 ? 8 : 16;
  uint32_t part = ((1u << width) - 1) << shift;
  for (unsigned l = 0; l < SIM_LANES; l++) {
    uint32_t placed = value[l] << shift & part;
    uint32_t sign = 0u - (value[l] >> (width - 1) & 1);
    uint32_t above = (uint32_t) ~((UINT64_C(1) << (shift + width)) - 1);
    uint32_t rest = unused == 0 ? 0 : unused == 1 ? sign & above : old[l] & ~part;
    value[l] = placed | rest;
  }
}

/* 16-bit operations that keep the other half of their destination; the older ones zero it (LLVM,
 * SISubtarget::zeroesHigh16BitsOfDest). They are those that came with op_sel. */
static bool keeps_other_half(const struct sim_inst *inst) {
  switch (inst->op) {
  case SIM_OP_v_mad_f16:
  case SIM_OP_v_mad_u16:
  case SIM_OP_v_mad_i16:
  case SIM_OP_v_fma_f16:
  case SIM_OP_v_div_fixup_f16:
  case SIM_OP_v_min3_f16:
  case SIM_OP_v_min3_i16:
  case SIM_OP_v_min3_u16:
  case SIM_OP_v_max3_f16:
  case SIM_OP_v_max3_i16:
  case SIM_OP_v_max3_u16:
  case SIM_OP_v_med3_f16:
  case SIM_OP_v_med3_i16:
  case SIM_OP_v_med3_u16:
  case SIM_OP_v_add_i16:
  case SIM_OP_v_sub_i16:
    return true;
  default:
    return false;
  }
}

static void place_half(const struct sim_inst *inst, const uint32_t *old, uint32_t *value) {
  bool high = inst->op_sel & 8, keep = high || keeps_other_half(inst);
  for (unsigned l = 0; l < SIM_LANES; l++) {
    uint32_t half = value[l] & 0xffff;
    uint32_t other = keep ? old[l] : 0;
    value[l] = high ? half << 16 | (other & 0xffff) : half | (other & 0xffff0000);
  }
}

void SIM_NAME(sim_store)(struct sim_wave *w, const struct sim_inst *inst, uint32_t *value) {
  uint32_t *d = w->v[inst->dst - SIM_VGPR0];
  unsigned kind = sim_info[inst->op].dst;
  if (kind == SIM_K_F32)
    finish_f32(w, inst, sim_floats(value));
  if (inst->flags & SIM_F_RESULT) {
    if (kind == SIM_K_F16)
      finish_f16(w, inst, value);
    if (inst->flags & SIM_F_SDWA)
      sdwa_place(inst, d, value);
    else if (kind == SIM_K_F16 || kind == SIM_K_B16)
      place_half(inst, d, value);
  }
  sim_blend(d, value, SIM_NAME(sim_write_mask)(w, inst));
}

static double clamp_f64(double x, bool nan_to_zero) {
  if (x != x)
    return nan_to_zero ? 0.0 : x;
  return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

void SIM_NAME(sim_store64)(struct sim_wave *w, const struct sim_inst *inst, uint32_t *value) {
  uint32_t *d = w->v[inst->dst - SIM_VGPR0], *high = value + SIM_LANES;
  bool clamps = (inst->flags & SIM_F_CLAMP) != 0, nan_to_zero = (w->mode & SIM_MODE_DX10_CLAMP) != 0;
  unsigned omod = output_modifier(w, inst, SIM_MODE_F16_OUT);
  if (sim_info[inst->op].dst == SIM_K_F64 && (clamps || omod))
    for (unsigned l = 0; l < SIM_LANES; l++) {
      double x = sim_as_f64(sim_join(value[l], high[l])) * (double)multiplier(omod);
      uint64_t bits = sim_bits_f64(clamps ? clamp_f64(x, nan_to_zero) : x);
      value[l] = (uint32_t)bits;
      high[l] = (uint32_t)(bits >> 32);
    }
  if (sim_info[inst->op].dst == SIM_K_F64 && !(w->mode & SIM_MODE_F16_OUT))
    sim_flush_f64(value, value);
  uint64_t mask = SIM_NAME(sim_write_mask)(w, inst);
  sim_blend(d, value, mask);
  sim_blend(d + SIM_LANES, high, mask);
}

/* ---- moves ---- */

SIM_DO(v_nop) {
  (void)w;
  (void)inst;
}

SIM_DO(v_mov_b32) {
  sim_lanes ra, room;
  const uint32_t *a = sim_src(w, inst, 0, ra);
  uint32_t *d = sim_begin(w, inst, room);
  if (d != a)
    memcpy(d, a, sizeof(sim_vreg));
  sim_end(w, inst, d, room);
}

/* Accumulation registers are numbers like others here. */
SIM_DO(v_accvgpr_read_b32) {
  SIM_NAME(sim_do_v_mov_b32)(w, inst);
}

SIM_DO(v_accvgpr_write_b32) {
  SIM_NAME(sim_do_v_mov_b32)(w, inst);
}

SIM_DO(v_accvgpr_mov_b32) {
  SIM_NAME(sim_do_v_mov_b32)(w, inst);
}

SIM_DO(v_mov_b64) {
  sim_lanes64 ra, room;
  const uint32_t *a = sim_src64(w, inst, 0, ra);
  uint32_t *d = sim_begin(w, inst, room);
  if (d != a)
    memmove(d, a, 2 * sizeof(sim_vreg));
  sim_end64(w, inst, d, room);
}

SIM_DO(v_swap_b32) {
  uint32_t *a = w->v[inst->src[0] - SIM_VGPR0], *d = w->v[inst->dst - SIM_VGPR0];
  sim_lanes old;
  memcpy(old, a, sizeof old);
  sim_blend(a, d, sim_exec(w));
  sim_blend(d, old, sim_exec(w));
}

SIM_DO(v_cndmask_b32) {
  sim_lanes ra, rb, room, take;
  const uint32_t *a = sim_src(w, inst, 0, ra), *b = sim_src(w, inst, 1, rb);
  uint32_t *d = sim_begin(w, inst, room);
  uint64_t mask = sim_scalar64(w, inst, inst->src[2], false);
  sim_spread(mask, take);
  LANES
  d[l] = (b[l] & take[l]) | (a[l] & ~take[l]);
  sim_end(w, inst, d, room);
}
