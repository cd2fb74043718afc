/* Wait states that the program must provide, because hardware does not: s_nop, or instructions between.
 *
 * The rules are facts of AMD's ISA guides (CDNA1 to CDNA4, "Manually inserted wait states") in the numbers of LLVM's
 * GCNHazardRecognizer (checkVMEMHazards, checkRWLaneHazards, checkDivFMasHazards, checkSetRegHazards,
 * checkReadM0Hazards, checkVALUHazards, checkMAIVALUHazards); those between users of one vector register are in
 * sim_check_hazard_vector.c. An instruction is one wait state, s_nop n is n + 1. An instruction right behind another has
 * waited 0.
 *
 * Left out, since nothing here executes such instructions: VSKIP, s_rfe after a write of TRAPSTS, GDS, v_permlane16_swap,
 * conversions to FP8. Left out, since AMD's own compiler does not keep it: a wait state between a VALU write of VCC and
 * its read as a constant. */
#include "bench/hipsim/sim_check_hazard.h"

typedef const struct sim_check_entry entry;

/* ---- scalar registers ---- */

static bool reads_m0_late(entry *e) {
  static const uint16_t late[] = {
      SIM_OP_s_sendmsg,     SIM_OP_s_sendmsghalt,       SIM_OP_s_ttracedata,
      SIM_OP_s_movrels_b32, SIM_OP_s_movrels_b64,       SIM_OP_s_movreld_b32,
      SIM_OP_s_movreld_b64, SIM_OP_ds_write_addtid_b32, SIM_OP_ds_read_addtid_b32};
  for (unsigned i = 0; i < sizeof late / sizeof late[0]; i++) {
    if (e->inst->op == late[i]) {
      return true;
    }
  }
  return sim_is(e, SIM_TRAIT_TO_LDS);
}

static bool is_zero_test(entry *e, const struct sim_range *r) {
  unsigned code = r->slot <= SIM_SLOT_SRC2 ? e->inst->src[r->slot] : 0u;
  return code == SIM_VCCZ || code == SIM_EXECZ;
}

static unsigned scalar_need(enum sim_arch arch, entry *producer, entry *user, const struct sim_range *r) {
  unsigned op = user->inst->op;
  if (!sim_is(producer, SIM_TRAIT_VALU)) {
    return r->first == SIM_M0 && sim_is(producer, SIM_TRAIT_SALU) && reads_m0_late(user) ? 1 : 0;
  }
  if (is_zero_test(user, r)) {
    return 5;
  }
  if (r->first == SIM_EXEC_LO && r->slot == SIM_SLOT_IMPLIED) {
    return sim_is(user, SIM_TRAIT_DPP) ? 5 : 0;
  }
  if (sim_is(user, SIM_TRAIT_VMEM)) {
    return 5;
  }
  if ((op == SIM_OP_v_readlane_b32 || op == SIM_OP_v_writelane_b32) && r->slot == SIM_SLOT_SRC1) {
    return 4;
  }
  if ((op == SIM_OP_v_div_fmas_f32 || op == SIM_OP_v_div_fmas_f64) && r->slot == SIM_SLOT_IMPLIED) {
    return 4;
  }
  return arch >= SIM_GFX942 && sim_is(user, SIM_TRAIT_VALU) ? 2 : 0;
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
  entry *last = NULL; /* neighbouring registers mostly have one writer */
  unsigned need = 0;
  for (unsigned reg = r->first; reg < (unsigned)r->first + r->dwords; reg++) {
    entry *producer = c->writer[reg];
    uint32_t waited = c->clock - c->when[reg];
    if (producer != NULL && waited < LONGEST) {
      if (producer != last) {
        need = reg < SIM_VGPR0 ? scalar_need(arch, producer, user, r)
                               : sim_hazard_vector_need(arch, producer, user, r);
        last = producer;
      }
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
      unsigned free_after = sim_hazard_overtake_need(arch, reader, user);
      if (free_after > waited) {
        return report(w, reader, reg, false, free_after, waited);
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
  bool matrix = sim_is(user, SIM_TRAIT_MATRIX) || (arch == SIM_GFX908 && op == SIM_OP_v_accvgpr_write_b32);
  bool lane = arch >= SIM_GFX942 && (op == SIM_OP_v_readlane_b32 || op == SIM_OP_v_readfirstlane_b32 ||
                                     op == SIM_OP_v_writelane_b32);
  entry *producer = c->writer[SIM_EXEC_LO];
  uint32_t waited = c->clock - c->when[SIM_EXEC_LO];
  if (producer != NULL && sim_is(producer, SIM_TRAIT_VALU) && (matrix || lane) && waited < 4) {
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

/* A register that the vector ALU wrote, read by memory right behind the instruction between them that keeps hardware from
 * inserting the wait states it inserts elsewhere: a move of accumulators on gfx908, an f64 matrix product on gfx90a. */
static bool wedged_is_right(struct sim_wave *w, entry *user) {
  enum { NEED = 2 };
  const struct sim_check_wave *c = sim_check_of(w);
  for (unsigned i = 0; i < user->operands.count; i++) {
    const struct sim_range *r = &user->operands.range[i];
    if (r->first < SIM_VGPR0 || !(r->use & SIM_USE_READ)) {
      continue;
    }
    for (unsigned reg = r->first; reg < (unsigned)r->first + r->dwords; reg++) {
      entry *producer = c->writer[reg];
      uint32_t waited = c->clock - c->when[reg];
      if (producer != NULL && producer != c->wedge && sim_is(producer, SIM_TRAIT_VALU) && waited < NEED) {
        return report(w, producer, reg, true, NEED, waited);
      }
    }
  }
  return true;
}

bool sim_check_hazard_near(struct sim_wave *w, const struct sim_check_entry *e, uint32_t waited) {
  enum { F64_NEED = 2 };
  if (!sim_is(e, SIM_TRAIT_FMA64)) {
    return waited != 0 || wedged_is_right(w, e);
  }
  char text[96];
  sim_disassemble(sim_check_of(w)->wedge->inst, w->code->arch, text, sizeof text);
  sim_wave_fault(w, -1,
                 "an f64 multiply-add follows `%s` %u wait states later, but hardware needs %d and does not "
                 "insert them (s_nop is missing)",
                 text, waited, F64_NEED);
  return false;
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
