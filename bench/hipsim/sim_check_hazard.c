/* Wait states that the program must provide, because hardware does not: s_nop, or instructions between.
 *
 * The rules are facts of AMD's ISA guides (CDNA1 to CDNA3, "Manually inserted wait states" and "Dependency
 * resolution: required independent instructions") in the numbers of LLVM's GCNHazardRecognizer (checkMAIHazards908,
 * checkMAIHazards90A, checkMAIVALUHazards, checkMAILdStHazards, checkVMEMHazards, checkDPPHazards, checkRWLaneHazards,
 * checkDivFMasHazards, checkSetRegHazards, checkReadM0Hazards, checkVALUHazards). An instruction is one wait state, s_nop
 * n is n + 1. An instruction right behind another has waited 0. */
#include "bench/hipsim/sim_check.h"

typedef const struct sim_check_entry entry;

static bool is(entry *e, unsigned traits) {
  return (e->traits & traits) != 0;
}

static unsigned max(unsigned a, unsigned b) {
  return a > b ? a : b;
}

/* By passes of the matrix instruction: 2 (4x4), up to 8 (16x16), 16 (32x32). */
static unsigned by_passes(unsigned passes, unsigned two, unsigned eight, unsigned sixteen) {
  return passes <= 2 ? two : passes <= 8 ? eight : sixteen;
}

/* The range of the destination of a matrix instruction. */
static const struct sim_range *result_of(entry *e) {
  for (unsigned i = 0; i < e->operands.count; i++) {
    if (e->operands.range[i].slot == SIM_SLOT_DST && (e->operands.range[i].use & SIM_USE_WRITE)) {
      return &e->operands.range[i];
    }
  }
  return NULL;
}

static bool same_registers(entry *producer, const struct sim_range *r) {
  const struct sim_range *result = result_of(producer);
  return result != NULL && result->first == r->first && result->dwords == r->dwords;
}

static bool is_c(const struct sim_range *r) {
  return r->slot == SIM_SLOT_SRC2;
}

/* ---- scalar registers ---- */

static bool reads_m0_late(entry *e) {
  unsigned op = e->inst->op;
  return op == SIM_OP_s_sendmsg || op == SIM_OP_s_sendmsghalt || op == SIM_OP_ds_write_addtid_b32 ||
         op == SIM_OP_ds_read_addtid_b32 || is(e, SIM_TRAIT_VMEM) || op == SIM_OP_s_movrels_b32 ||
         op == SIM_OP_s_movrels_b64 || op == SIM_OP_s_movreld_b32 || op == SIM_OP_s_movreld_b64;
}

static bool is_zero_test(entry *e, const struct sim_range *r) {
  unsigned code = r->slot <= SIM_SLOT_SRC2 ? e->inst->src[r->slot] : 0u;
  return code == SIM_VCCZ || code == SIM_EXECZ;
}

static unsigned scalar_need(enum sim_arch arch, entry *producer, entry *user, const struct sim_range *r) {
  unsigned op = user->inst->op;
  if (!is(producer, SIM_TRAIT_VALU)) {
    return r->first == SIM_M0 && is(producer, SIM_TRAIT_SALU) && reads_m0_late(user) ? 1 : 0;
  }
  if (is_zero_test(user, r)) {
    return 5;
  }
  if (r->first == SIM_EXEC_LO) {
    return is(user, SIM_TRAIT_DPP) && r->slot == SIM_SLOT_IMPLIED ? 5 : 0;
  }
  if (is(user, SIM_TRAIT_VMEM)) {
    return 5;
  }
  if ((op == SIM_OP_v_readlane_b32 || op == SIM_OP_v_writelane_b32) && r->slot == SIM_SLOT_SRC1) {
    return 4;
  }
  if (op == SIM_OP_v_div_fmas_f32 || op == SIM_OP_v_div_fmas_f64) {
    return r->first == SIM_VCC_LO ? 4 : 0;
  }
  return arch >= SIM_GFX942 && is(user, SIM_TRAIT_VALU) ? 2 : 0;
}

/* ---- gfx908: matrix results lie in AGPRs, which v_accvgpr_read and _write move ---- */

static unsigned need_908(entry *producer, entry *user, const struct sim_range *r) {
  unsigned op = user->inst->op, from = producer->inst->op;
  if (!(r->use & SIM_USE_READ) && op != SIM_OP_v_accvgpr_write_b32) {
    return 0;
  }
  if (is(producer, SIM_TRAIT_MATRIX)) {
    if (is(user, SIM_TRAIT_MATRIX)) {
      return !is_c(r) ? 4 : same_registers(producer, r) ? 0 : 2;
    }
    if (op == SIM_OP_v_accvgpr_read_b32) {
      return by_passes(producer->passes, 4, 10, 18);
    }
    return op == SIM_OP_v_accvgpr_write_b32 ? by_passes(producer->passes, 1, 7, 15) : 0;
  }
  if (from == SIM_OP_v_accvgpr_write_b32) {
    if (is(user, SIM_TRAIT_MATRIX)) {
      return is_c(r) ? 1 : 3;
    }
    return op == SIM_OP_v_accvgpr_read_b32 ? 3 : 0;
  }
  if (from == SIM_OP_v_accvgpr_read_b32 && is(user, SIM_TRAIT_VMEM | SIM_TRAIT_LDS)) {
    return 2;
  }
  bool matrix = is(user, SIM_TRAIT_MATRIX) || op == SIM_OP_v_accvgpr_write_b32;
  return matrix && r->first < SIM_AGPR0 ? 2 : 0;
}

/* ---- gfx90a and later ---- */

static unsigned matrix_to_c(enum sim_arch arch, entry *producer, entry *user, const struct sim_range *r) {
  bool from_f64 = is(producer, SIM_TRAIT_F64), to_f64 = is(user, SIM_TRAIT_F64);
  unsigned passes = producer->passes;
  if (!to_f64 && from_f64 && arch == SIM_GFX90A) {
    return 0;
  }
  if (same_registers(producer, r)) {
    if (to_f64 && from_f64 && passes <= 4 && user->passes <= 4) {
      return 4;
    }
    return arch >= SIM_GFX942 && passes == 2 ? 2 : 0;
  }
  if (from_f64) {
    return is(user, SIM_TRAIT_XDL) ? 0 : passes <= 4 ? 4 : 9;
  }
  if (arch >= SIM_GFX942) {
    if (is(user, SIM_TRAIT_XDL) && !is(producer, SIM_TRAIT_XDL)) {
      return 0;
    }
    return passes + (is(producer, SIM_TRAIT_XDL) ? 1u : 0u);
  }
  return by_passes(passes, 2, 8, 16) + (to_f64 ? 1u : 0u);
}

/* A matrix result as factor of another, or read or overwritten by any other vector instruction. */
static unsigned matrix_to_any(enum sim_arch arch, entry *producer, bool memory) {
  if (is(producer, SIM_TRAIT_F64)) {
    return producer->passes <= 4 ? (memory ? 9 : 6) : (memory ? 18 : 11);
  }
  if (arch >= SIM_GFX942) {
    return producer->passes + (is(producer, SIM_TRAIT_XDL) ? 3u : 2u);
  }
  return by_passes(producer->passes, 5, 11, 19);
}

static unsigned dot_need(entry *producer, entry *user, const struct sim_range *r) {
  if (is(user, SIM_TRAIT_MATRIX)) {
    return 0;
  }
  bool same = producer->inst->op == user->inst->op;
  bool accumulates = is_c(r) || r->slot == SIM_SLOT_DST;
  return same && accumulates ? 0 : 3;
}

static unsigned need_90a(enum sim_arch arch, entry *producer, entry *user, const struct sim_range *r) {
  unsigned op = user->inst->op;
  bool memory = is(user, SIM_TRAIT_VMEM | SIM_TRAIT_LDS), reads = (r->use & SIM_USE_READ) != 0;
  if (is(producer, SIM_TRAIT_MATRIX)) {
    if (is(user, SIM_TRAIT_MATRIX)) {
      return !reads    ? 0
             : is_c(r) ? matrix_to_c(arch, producer, user, r)
                       : matrix_to_any(arch, producer, false);
    }
    return matrix_to_any(arch, producer, memory && reads);
  }
  if (!is(producer, SIM_TRAIT_VALU)) {
    return 0;
  }
  unsigned need = is(user, SIM_TRAIT_MATRIX) && reads && !is(producer, SIM_TRAIT_DOT) ? 2 : 0;
  if (is(producer, SIM_TRAIT_DOT) && (is(user, SIM_TRAIT_VALU) || memory)) {
    need = max(need, dot_need(producer, user, r));
  }
  if (arch >= SIM_GFX942 && is(user, SIM_TRAIT_VALU) && reads) {
    bool forwards = (is(producer, SIM_TRAIT_TRANS) && !is(user, SIM_TRAIT_TRANS)) ||
                    is(producer, SIM_TRAIT_HALF) || op == SIM_OP_v_readlane_b32 ||
                    op == SIM_OP_v_readfirstlane_b32;
    need = max(need, forwards ? 1 : 0);
  }
  return need;
}

static unsigned vector_need(enum sim_arch arch, entry *producer, entry *user, const struct sim_range *r) {
  unsigned need = arch == SIM_GFX908 ? need_908(producer, user, r) : need_90a(arch, producer, user, r);
  bool shuffled = is(user, SIM_TRAIT_DPP) && r->slot == SIM_SLOT_SRC0 && is(producer, SIM_TRAIT_VALU);
  return shuffled ? max(need, 2) : need;
}

/* ---- writes that come too early for an earlier reader ---- */

static unsigned overtake_need(enum sim_arch arch, entry *reader, entry *user) {
  if (is(reader, SIM_TRAIT_VMEM)) {
    return is(user, SIM_TRAIT_VALU) ? (arch >= SIM_GFX942 ? 2 : 1) : 0;
  }
  if (arch == SIM_GFX908) {
    return user->inst->op == SIM_OP_v_accvgpr_write_b32 ? by_passes(reader->passes, 0, 5, 13) : 0;
  }
  if (!is(user, SIM_TRAIT_VALU) || is(reader, SIM_TRAIT_F64) ||
      (arch >= SIM_GFX942 && !is(reader, SIM_TRAIT_XDL))) {
    return 0;
  }
  return reader->passes == 4 ? 3 : by_passes(reader->passes, 1, 7, 15);
}

/* ---- looking ---- */

enum { LONGEST = 20 }; /* no rule asks for more */

static bool report(struct sim_wave *w, entry *other, unsigned reg, bool wrote, unsigned need,
                   unsigned waited) {
  char name[16], text[96];
  sim_check_name(reg, name);
  sim_disassemble(other->inst, w->code->arch, text, sizeof text);
  sim_wave_fault(
      w, -1,
      "%s %s `%s` %s it, %u wait state%s later, but hardware needs %u and does not insert them (s_nop is "
      "missing)",
      name, wrote ? "is used after" : "is overwritten while", text, wrote ? "wrote" : "reads", waited,
      waited == 1 ? "" : "s", need);
  return false;
}

static bool range_is_right(struct sim_wave *w, entry *user, const struct sim_range *r) {
  struct sim_check_wave *c = sim_check_of(w);
  enum sim_arch arch = w->check->arch;
  for (unsigned reg = r->first; reg < (unsigned)r->first + r->dwords; reg++) {
    entry *producer = c->writer[reg];
    uint32_t waited = c->clock - c->when[reg];
    if (producer != NULL && waited < LONGEST) {
      unsigned need =
          reg < SIM_VGPR0 ? scalar_need(arch, producer, user, r) : vector_need(arch, producer, user, r);
      bool scalar_write = reg < SIM_VGPR0 && !(r->use & SIM_USE_READ);
      if (need > waited && !scalar_write) {
        return report(w, producer, reg, true, need, waited);
      }
    } else {
      c->state[reg] &= (uint8_t)~SIM_REG_WRITTEN;
    }
    if (reg < SIM_VGPR0 || !(c->state[reg] & SIM_REG_READ) || !(r->use & SIM_USE_WRITE)) {
      continue;
    }
    entry *reader = c->reader[reg - SIM_VGPR0];
    waited = c->clock - c->read_when[reg - SIM_VGPR0];
    if (waited < LONGEST) {
      unsigned need = overtake_need(arch, reader, user);
      if (need > waited) {
        return report(w, reader, reg, false, need, waited);
      }
    } else {
      c->state[reg] &= (uint8_t)~SIM_REG_READ;
    }
  }
  return true;
}

/* EXEC written by the vector ALU, ahead of a user that has no such operand. */
static bool exec_is_right(struct sim_wave *w, entry *user) {
  const struct sim_check_wave *c = sim_check_of(w);
  enum sim_arch arch = w->check->arch;
  unsigned op = user->inst->op;
  bool matrix = is(user, SIM_TRAIT_MATRIX) || (arch == SIM_GFX908 && op == SIM_OP_v_accvgpr_write_b32);
  bool lane = arch >= SIM_GFX942 && (op == SIM_OP_v_readlane_b32 || op == SIM_OP_v_readfirstlane_b32 ||
                                     op == SIM_OP_v_writelane_b32);
  entry *producer = c->writer[SIM_EXEC_LO];
  uint32_t waited = c->clock - c->when[SIM_EXEC_LO];
  if (producer != NULL && is(producer, SIM_TRAIT_VALU) && (matrix || lane) && waited < 4) {
    return report(w, producer, SIM_EXEC_LO, true, 4, waited);
  }
  return true;
}

/* Hardware registers: two wait states from a write to the next access. */
static bool setreg_is_right(struct sim_wave *w, entry *user) {
  enum { NEED = 2 };
  struct sim_check_wave *c = sim_check_of(w);
  unsigned op = user->inst->op, number = (unsigned)user->inst->imm & 63u;
  bool writes = op == SIM_OP_s_setreg_b32 || op == SIM_OP_s_setreg_imm32_b32;
  if (!writes && op != SIM_OP_s_getreg_b32) {
    return true;
  }
  uint32_t waited = c->clock - c->setreg_when[number];
  if (waited < NEED) {
    sim_wave_fault(
        w, -1,
        "hardware register %u is used %u wait states after s_setreg wrote it, but hardware needs %d and does "
        "not insert them (s_nop is missing)",
        number, waited, NEED);
    return false;
  }
  if (writes) {
    c->setreg_when[number] = c->clock + 1;
  }
  return true;
}

bool sim_check_hazard_before(struct sim_wave *w, const struct sim_check_entry *e, unsigned special) {
  if (e->traits & SIM_TRAIT_CONSULT && (!exec_is_right(w, e) || !setreg_is_right(w, e))) {
    return false;
  }
  for (unsigned i = 0; i < e->operands.count; i++) {
    const struct sim_range *r = &e->operands.range[i];
    bool look = (special & (SIM_REG_WRITTEN | SIM_REG_READ)) != 0 || (e->traits & SIM_TRAIT_CONSULT) != 0;
    if (look && !range_is_right(w, e, r)) {
      return false;
    }
  }
  return true;
}
