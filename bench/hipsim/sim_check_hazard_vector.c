/* Wait states between two users of a vector register: results of matrix, dot and transcendental instructions, of those
 * that write half a dword, and those that DPP and v_readlane read across lanes; writes that overtake a reader.
 *
 * Facts: AMD's ISA guides, CDNA1 to CDNA4, "Manually inserted wait states" and "Dependency resolution: required
 * independent instructions", in the numbers of LLVM's GCNHazardRecognizer (checkMAIHazards908, checkMAIHazards90A,
 * checkMAIVALUHazards, checkMAILdStHazards, checkVALUHazards, checkDPPHazards). "Passes" are four clocks. */
#include "bench/hipsim/sim_check_hazard.h"

typedef const struct sim_check_entry entry;

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

static bool reads(const struct sim_range *r) {
  return (r->use & SIM_USE_READ) != 0;
}

/* ---- gfx908: matrix results lie in AGPRs, which v_accvgpr_read and _write move ---- */

static unsigned need_908(entry *producer, entry *user, const struct sim_range *r) {
  unsigned op = user->inst->op, from = producer->inst->op;
  if (!reads(r) && op != SIM_OP_v_accvgpr_write_b32) {
    return 0;
  }
  if (sim_is(producer, SIM_TRAIT_MATRIX)) {
    if (sim_is(user, SIM_TRAIT_MATRIX)) {
      return !is_c(r) ? 4 : same_registers(producer, r) ? 0 : 2;
    }
    if (op == SIM_OP_v_accvgpr_read_b32) {
      return by_passes(producer->passes, 4, 10, 18);
    }
    return op == SIM_OP_v_accvgpr_write_b32 ? by_passes(producer->passes, 1, 7, 15) : 0;
  }
  if (from == SIM_OP_v_accvgpr_write_b32) {
    if (sim_is(user, SIM_TRAIT_MATRIX)) {
      return is_c(r) ? 1 : 3;
    }
    return op == SIM_OP_v_accvgpr_read_b32 ? 3 : 0;
  }
  if (from == SIM_OP_v_accvgpr_read_b32 && sim_is(user, SIM_TRAIT_VMEM | SIM_TRAIT_LDS)) {
    return 2;
  }
  bool matrix = sim_is(user, SIM_TRAIT_MATRIX) || op == SIM_OP_v_accvgpr_write_b32;
  return matrix && r->first < SIM_AGPR0 ? 2 : 0;
}

/* ---- gfx90a and later ---- */

/* gfx950 takes one more for all but the shortest. */
static unsigned longer_on_950(enum sim_arch arch, unsigned passes) {
  return arch == SIM_GFX950 && passes != 2 ? 1 : 0;
}

/* f64 products of 16x16, which take twice as long on gfx950 as before. */
static bool is_large_f64(entry *e) {
  return sim_is(e, SIM_TRAIT_F64) && e->passes > 4;
}

/* A result as part of the sum of another: C that does not lie where D did. */
static unsigned overlapped_c(enum sim_arch arch, entry *producer, entry *user) {
  bool xdl = sim_is(producer, SIM_TRAIT_XDL), to_xdl = sim_is(user, SIM_TRAIT_XDL);
  unsigned passes = producer->passes;
  if (sim_is(producer, SIM_TRAIT_F64)) {
    unsigned large = arch == SIM_GFX950 ? 17 : 9;
    return to_xdl ? 0 : is_large_f64(producer) ? large : 4;
  }
  if (arch < SIM_GFX942) {
    return by_passes(passes, 2, 8, 16) + (sim_is(user, SIM_TRAIT_F64) ? 1u : 0u);
  }
  if (!xdl) {
    return to_xdl ? 0 : passes;
  }
  return passes + 1 + (to_xdl ? arch == SIM_GFX950 : longer_on_950(arch, passes));
}

static unsigned matrix_to_c(enum sim_arch arch, entry *producer, entry *user, const struct sim_range *r) {
  bool from_f64 = sim_is(producer, SIM_TRAIT_F64), to_f64 = sim_is(user, SIM_TRAIT_F64);
  if (!to_f64 && from_f64 && arch == SIM_GFX90A) {
    return 0;
  }
  if (!same_registers(producer, r)) {
    return overlapped_c(arch, producer, user);
  }
  if (to_f64 && from_f64 && !is_large_f64(producer) && !is_large_f64(user)) {
    return 4;
  }
  return arch >= SIM_GFX942 && producer->passes == 2 ? 2 : 0;
}

/* A matrix result as factor of another, or read or overwritten by any other vector instruction. */
static unsigned matrix_to_any(enum sim_arch arch, entry *producer, bool memory, bool read) {
  unsigned passes = producer->passes;
  if (is_large_f64(producer)) {
    return !read ? 11 : memory ? 18 : arch == SIM_GFX950 ? 19 : 11;
  }
  if (sim_is(producer, SIM_TRAIT_F64)) {
    return read && memory ? 9 : 6;
  }
  if (arch < SIM_GFX942) {
    return by_passes(passes, 5, 11, 19);
  }
  return sim_is(producer, SIM_TRAIT_XDL) ? passes + 3 + longer_on_950(arch, passes) : passes + 2;
}

static unsigned dot_need(entry *producer, entry *user, const struct sim_range *r) {
  if (sim_is(user, SIM_TRAIT_MATRIX)) {
    return 0;
  }
  bool same = producer->inst->op == user->inst->op;
  bool accumulates = is_c(r) || r->slot == SIM_SLOT_DST;
  return same && accumulates ? 0 : 3;
}

/* gfx942 and later forward results of these to the next instruction no more. */
static bool misses_forwarding(entry *producer, entry *user) {
  unsigned op = user->inst->op;
  return (sim_is(producer, SIM_TRAIT_TRANS) && !sim_is(user, SIM_TRAIT_TRANS)) ||
         sim_is(producer, SIM_TRAIT_HALF) || op == SIM_OP_v_readlane_b32 || op == SIM_OP_v_readfirstlane_b32;
}

static unsigned need_90a(enum sim_arch arch, entry *producer, entry *user, const struct sim_range *r) {
  bool memory = sim_is(user, SIM_TRAIT_VMEM | SIM_TRAIT_LDS);
  if (sim_is(producer, SIM_TRAIT_MATRIX)) {
    if (sim_is(user, SIM_TRAIT_MATRIX)) {
      return !reads(r) ? 0
             : is_c(r) ? matrix_to_c(arch, producer, user, r)
                       : matrix_to_any(arch, producer, false, true);
    }
    return matrix_to_any(arch, producer, memory, reads(r));
  }
  if (!sim_is(producer, SIM_TRAIT_VALU)) {
    return 0;
  }
  unsigned need = sim_is(user, SIM_TRAIT_MATRIX) && reads(r) && !sim_is(producer, SIM_TRAIT_DOT) ? 2 : 0;
  if (sim_is(producer, SIM_TRAIT_DOT) && (sim_is(user, SIM_TRAIT_VALU) || memory)) {
    need = max(need, dot_need(producer, user, r));
  }
  if (arch >= SIM_GFX942 && sim_is(user, SIM_TRAIT_VALU) && reads(r) && misses_forwarding(producer, user)) {
    need = max(need, 1);
  }
  return need;
}

unsigned sim_hazard_vector_need(enum sim_arch arch, entry *producer, entry *user, const struct sim_range *r) {
  unsigned need = arch == SIM_GFX908 ? need_908(producer, user, r) : need_90a(arch, producer, user, r);
  return sim_is(user, SIM_TRAIT_DPP) && reads(r) ? max(need, 2) : need;
}

/* ---- writes that come too early for an earlier reader ---- */

unsigned sim_hazard_overtake_need(enum sim_arch arch, entry *reader, entry *user) {
  if (sim_is(reader, SIM_TRAIT_VMEM)) {
    return sim_is(user, SIM_TRAIT_VALU) ? (arch >= SIM_GFX942 ? 2 : 1) : 0;
  }
  if (arch == SIM_GFX908) {
    return user->inst->op == SIM_OP_v_accvgpr_write_b32 ? by_passes(reader->passes, 0, 5, 13) : 0;
  }
  if (!sim_is(user, SIM_TRAIT_VALU) || sim_is(reader, SIM_TRAIT_F64) ||
      (arch >= SIM_GFX942 && !sim_is(reader, SIM_TRAIT_XDL))) {
    return 0;
  }
  return reader->passes == 4 ? 3 : by_passes(reader->passes, 1, 7, 15);
}
