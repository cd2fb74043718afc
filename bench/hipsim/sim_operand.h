/* Scalar operands: registers, inline constants, literals. */
#ifndef SIM_OPERAND_H
#define SIM_OPERAND_H

#include "bench/hipsim/sim_table.h"
#include "bench/hipsim/sim_wave.h"

/* Inline floating-point constants 240..248. The last is 1/(2*pi). Those of bf16: LLVM, AMDGPUBaseInfo.cpp,
 * getInlineEncodingV2BF16. */
static const uint32_t sim_inline_f32[9] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                           0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
static const uint16_t sim_inline_f16[9] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                           0xc000, 0x4400, 0xc400, 0x3118};
static const uint16_t sim_inline_bf16[9] = {0x3f00, 0xbf00, 0x3f80, 0xbf80, 0x4000,
                                            0xc000, 0x4080, 0xc080, 0x3e22};
static const uint64_t sim_inline_f64[9] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                                           0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                                           0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};

/* What a scalar code beyond the registers is, as a 64-bit integer. */
static inline uint64_t sim_special(const struct sim_wave *w, unsigned code) {
  switch (code) {
  case SIM_SHARED_BASE:
    return SIM_SHARED_APERTURE;
  case SIM_SHARED_LIMIT:
    return SIM_SHARED_APERTURE | 0xffffffff;
  case SIM_PRIVATE_BASE:
    return SIM_PRIVATE_APERTURE;
  case SIM_PRIVATE_LIMIT:
    return SIM_PRIVATE_APERTURE | 0xffffffff;
  case SIM_VCCZ:
    return sim_read_s64(w, SIM_VCC_LO) == 0;
  case SIM_EXECZ:
    return sim_exec(w) == 0;
  case SIM_SCC:
    return w->scc;
  default:
    return code <= 192 ? code - 128 : (uint64_t)(192 - (int64_t)code); /* inline integers */
  }
}

static inline bool sim_inline_float(unsigned code) {
  return code - SIM_INLINE_FLOAT_0 < 9u;
}

/* A 32-bit scalar source. */
static inline uint32_t sim_scalar32(const struct sim_wave *w, const struct sim_inst *inst, unsigned code) {
  if (code < 128)
    return w->s[code];
  if (code == SIM_LITERAL)
    return inst->literal;
  if (sim_inline_float(code))
    return sim_inline_f32[code - SIM_INLINE_FLOAT_0];
  return (uint32_t)sim_special(w, code);
}

/* A scalar source of a 16-bit or packed 16-bit operand. */
static inline uint32_t sim_scalar16(const struct sim_wave *w, const struct sim_inst *inst, unsigned code) {
  return sim_inline_float(code) ? sim_inline_f16[code - SIM_INLINE_FLOAT_0] : sim_scalar32(w, inst, code);
}

/* The same of bf16. */
static inline uint32_t sim_scalar_bf16(const struct sim_wave *w, const struct sim_inst *inst, unsigned code) {
  return sim_inline_float(code) ? sim_inline_bf16[code - SIM_INLINE_FLOAT_0] : sim_scalar32(w, inst, code);
}

/* A 64-bit scalar source. A literal is the low half of an integer, the high half of an f64. */
static inline uint64_t sim_scalar64(const struct sim_wave *w, const struct sim_inst *inst, unsigned code,
                                    bool is_f64) {
  if (code < 127)
    return sim_read_s64(w, code);
  if (code == SIM_LITERAL)
    return is_f64 ? (uint64_t)inst->literal << 32 : inst->literal;
  if (sim_inline_float(code))
    return sim_inline_f64[code - SIM_INLINE_FLOAT_0];
  return code == 127 ? w->s[127] : sim_special(w, code);
}

static inline uint32_t sim_s32(const struct sim_wave *w, const struct sim_inst *inst, unsigned i) {
  return sim_scalar32(w, inst, inst->src[i]);
}

static inline uint64_t sim_s64(const struct sim_wave *w, const struct sim_inst *inst, unsigned i) {
  return sim_scalar64(w, inst, inst->src[i], false);
}

#endif
