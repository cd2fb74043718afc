/* Registers that were never given a value: followed through arithmetic, a bit a lane for vector registers and a bit a
 * bit for scalar ones, and reported where they start to matter: in an address, in what is stored, in a branch and in
 * EXEC.
 *
 * The rules lean to silence. A result is defined where its sources are; what is loaded is defined; an operation that
 * writes part of a dword makes the dword as defined as its sources; lanes that DPP, ds_permute and ds_swizzle bring
 * over count as defined. Scratch takes and gives back anything, since spilled registers may be half empty. */
#include <string.h>

#include "bench/hipsim/sim_check.h"
#include "bench/hipsim/sim_operand.h"

static const uint64_t ALL_LANES = ~UINT64_C(0);

static bool is_vector_register(unsigned reg) {
  return reg >= SIM_VGPR0;
}

/* ---- state of one register ---- */

static uint64_t lanes_of(const struct sim_check_wave *c, unsigned reg) {
  return c->state[reg] & SIM_REG_UNDEFINED ? c->defined[reg - SIM_VGPR0] : ALL_LANES;
}

static uint32_t holes_of(const struct sim_check_wave *c, unsigned reg) {
  return c->state[reg] & SIM_REG_UNDEFINED ? c->undefined[reg] : 0;
}

static void set_flag(struct sim_check_wave *c, unsigned reg, bool undefined) {
  c->state[reg] = (uint8_t)((c->state[reg] & ~SIM_REG_UNDEFINED) | (undefined ? SIM_REG_UNDEFINED : 0));
}

static void set_lanes(struct sim_check_wave *c, unsigned reg, uint64_t lanes) {
  c->defined[reg - SIM_VGPR0] = lanes;
  set_flag(c, reg, lanes != ALL_LANES);
}

static void set_holes(struct sim_check_wave *c, unsigned reg, uint32_t holes) {
  c->undefined[reg] = holes;
  set_flag(c, reg, holes != 0);
}

static uint64_t holes64(const struct sim_check_wave *c, unsigned reg) {
  return (uint64_t)holes_of(c, reg + 1) << 32 | holes_of(c, reg);
}

/* ---- where it matters ---- */

static bool report(struct sim_wave *w, unsigned reg, int lane, const char *role) {
  char name[16];
  sim_check_name(reg, name);
  sim_wave_fault(w, lane, "%s, which nothing has written, %s", name, role);
  return false;
}

static bool range_matters(struct sim_wave *w, const struct sim_range *r, const char *role) {
  const struct sim_check_wave *c = sim_check_of(w);
  for (unsigned reg = r->first; reg < (unsigned)r->first + r->dwords; reg++) {
    if (is_vector_register(reg)) {
      uint64_t bad = sim_exec(w) & ~lanes_of(c, reg);
      if (bad != 0) {
        return report(w, reg, __builtin_ctzll(bad), role);
      }
    } else if (holes_of(c, reg) != 0) {
      return report(w, reg, -1, role);
    }
  }
  return true;
}

/* Private memory behind a flat address or the swizzled resource of scratch. */
static bool is_private(const struct sim_wave *w, const struct sim_check_entry *e) {
  const struct sim_inst *inst = e->inst;
  if (e->traits & SIM_TRAIT_PRIVATE) {
    return true;
  }
  if (sim_info[inst->op].format == SIM_FMT_MUBUF) {
    return w->s[inst->src[2] + 1] >> 31 != 0;
  }
  uint64_t exec = sim_exec(w);
  return (e->traits & SIM_TRAIT_FLAT) != 0 && exec != 0 &&
         w->v[inst->src[0] + 1 - SIM_VGPR0][__builtin_ctzll(exec)] >> 16 == SIM_PRIVATE_APERTURE >> 48;
}

/* A branch on VCC is decided as soon as one bit is known to be set. */
static bool mask_decides(const struct sim_wave *w, const struct sim_check_wave *c) {
  uint64_t holes = holes64(c, SIM_VCC_LO);
  return holes == 0 || (sim_read_s64(w, SIM_VCC_LO) & ~holes) != 0;
}

static bool branch_is_right(struct sim_wave *w, const struct sim_check_entry *e) {
  const struct sim_check_wave *c = sim_check_of(w);
  for (unsigned i = 0; i < e->operands.count; i++) {
    const struct sim_range *r = &e->operands.range[i];
    if (!(r->use & SIM_USE_READ)) {
      continue;
    }
    if (r->first == SIM_SCC && c->state[SIM_SCC] & SIM_REG_UNDEFINED) {
      sim_wave_fault(w, -1, "SCC, which comes from registers that nothing has written, decides a branch");
      return false;
    }
    bool mask = r->first == SIM_VCC_LO && (r->use & SIM_USE_MASK);
    if (mask ? !mask_decides(w, c) && !range_matters(w, r, "decides a branch")
             : r->first != SIM_SCC && !range_matters(w, r, "is where a branch leads")) {
      return false;
    }
  }
  return true;
}

bool sim_check_defined_before(struct sim_wave *w, const struct sim_check_entry *e) {
  if (e->traits & SIM_TRAIT_BRANCH) {
    return branch_is_right(w, e);
  }
  if (!(e->traits & (SIM_TRAIT_VMEM | SIM_TRAIT_LDS | SIM_TRAIT_SMEM))) {
    return true;
  }
  bool stores = (e->traits & SIM_TRAIT_STORE) != 0 && !((e->traits & SIM_TRAIT_VMEM) && is_private(w, e));
  bool vector = (e->traits & SIM_TRAIT_SMEM) == 0;
  if (vector && sim_exec(w) == 0) {
    return true;
  }
  for (unsigned i = 0; i < e->operands.count; i++) {
    const struct sim_range *r = &e->operands.range[i];
    if ((r->use & SIM_USE_ADDRESS) && !range_matters(w, r, "is part of an address")) {
      return false;
    }
    if (stores && (r->use & SIM_USE_READ) && (r->use & SIM_USE_DATA) && !range_matters(w, r, "is stored")) {
      return false;
    }
  }
  return true;
}

/* ---- scalar results ---- */

/* Bits of a scalar source that have no value; constants have. */
static uint64_t source_holes(const struct sim_check_wave *c, unsigned code, bool wide) {
  if (code > SIM_EXEC_HI) {
    return 0;
  }
  return wide && code < SIM_EXEC_HI ? holes64(c, code) : holes_of(c, code);
}

enum logic { LOGIC_NONE, LOGIC_COPY, LOGIC_AND, LOGIC_OR, LOGIC_XOR };

/* Operations that keep bits apart; `invert`: of the second source. */
static enum logic logic_of(unsigned op, bool *invert) {
  *invert = false;
  switch (op) {
  case SIM_OP_s_mov_b32:
  case SIM_OP_s_mov_b64:
  case SIM_OP_s_not_b32:
  case SIM_OP_s_not_b64:
    return LOGIC_COPY;
  case SIM_OP_s_andn2_b32:
  case SIM_OP_s_andn2_b64:
    *invert = true;
    return LOGIC_AND;
  case SIM_OP_s_and_b32:
  case SIM_OP_s_and_b64:
  case SIM_OP_s_nand_b64:
  case SIM_OP_s_and_saveexec_b64:
    return LOGIC_AND;
  case SIM_OP_s_orn2_b64:
    *invert = true;
    return LOGIC_OR;
  case SIM_OP_s_or_b32:
  case SIM_OP_s_or_b64:
  case SIM_OP_s_nor_b64:
  case SIM_OP_s_or_saveexec_b64:
    return LOGIC_OR;
  case SIM_OP_s_xor_b32:
  case SIM_OP_s_xor_b64:
  case SIM_OP_s_xnor_b64:
  case SIM_OP_s_xor_saveexec_b64:
    return LOGIC_XOR;
  default:
    return LOGIC_NONE;
  }
}

/* Bits of the result without a value, from those of the sources and the bits that decide alone. Values are read after
 * the instruction: a source that is overwritten counts as undecided. */
static uint64_t combine(enum logic logic, uint64_t a_holes, uint64_t b_holes, uint64_t a, uint64_t b) {
  switch (logic) {
  case LOGIC_COPY:
    return a_holes;
  case LOGIC_AND: /* a zero that is known decides */
    return (a_holes | b_holes) & ~(~a & ~a_holes) & ~(~b & ~b_holes);
  case LOGIC_OR:
    return (a_holes | b_holes) & ~(a & ~a_holes) & ~(b & ~b_holes);
  default:
    return a_holes | b_holes;
  }
}

static bool any_hole(const struct sim_check_wave *c, const struct sim_check_entry *e) {
  for (unsigned i = 0; i < e->operands.count; i++) {
    const struct sim_range *r = &e->operands.range[i];
    for (unsigned d = 0; (r->use & SIM_USE_READ) && d < r->dwords; d++) {
      if (c->state[r->first + d] & SIM_REG_UNDEFINED) {
        return true;
      }
    }
  }
  return false;
}

static bool writes_exec(const struct sim_range *r) {
  return r->first == SIM_EXEC_LO || r->first == SIM_EXEC_HI;
}

static void exec_is_undefined(struct sim_wave *w) {
  sim_wave_fault(w, -1, "EXEC is made of registers that nothing has written");
}

static void scalar_after(struct sim_wave *w, const struct sim_check_entry *e) {
  struct sim_check_wave *c = sim_check_of(w);
  const struct sim_inst *inst = e->inst;
  bool invert, wide = sim_kind_dwords[sim_info[inst->op].src[0]] == 2;
  enum logic logic = logic_of(inst->op, &invert);
  bool saves = strstr(sim_info[inst->op].name, "saveexec") != NULL;
  uint64_t holes = any_hole(c, e) ? ALL_LANES : 0;
  if (logic != LOGIC_NONE && holes != 0) {
    unsigned second = saves ? (unsigned)SIM_EXEC_LO : inst->src[1];
    uint64_t a = c->before[0], b = invert ? ~c->before[1] : c->before[1];
    holes = combine(logic, source_holes(c, inst->src[0], wide), source_holes(c, second, wide), a, b);
  }
  for (unsigned i = 0; i < e->operands.count; i++) {
    const struct sim_range *r = &e->operands.range[i];
    if (!(r->use & SIM_USE_WRITE)) {
      continue;
    }
    if (writes_exec(r) && holes != 0) {
      exec_is_undefined(w);
      return;
    }
    for (unsigned d = 0; d < r->dwords; d++) {
      /* what saveexec saves is EXEC, which always has a value */
      uint64_t part = saves && r->slot == SIM_SLOT_DST ? 0 : holes >> 32 * (d & 1u);
      set_holes(c, r->first + d, (uint32_t)part);
    }
  }
}

void sim_check_note_sources(struct sim_wave *w, const struct sim_check_entry *e) {
  struct sim_check_wave *c = sim_check_of(w);
  const struct sim_inst *inst = e->inst;
  bool wide = sim_kind_dwords[sim_info[inst->op].src[0]] == 2;
  for (unsigned i = 0; i < 2; i++) {
    unsigned code = inst->src[i];
    c->before[i] = 0;
    if (code < SIM_VGPR0) {
      c->before[i] = wide ? sim_scalar64(w, inst, code, false) : sim_scalar32(w, inst, code);
    }
  }
  c->before[2] = sim_exec(w);
  if (strstr(sim_info[inst->op].name, "saveexec") != NULL) {
    c->before[1] = sim_exec(w);
  }
}

/* ---- vector results ---- */

/* Lanes in which a source has a value. */
static uint64_t source_lanes(const struct sim_check_wave *c, const struct sim_check_entry *e,
                             const struct sim_range *r) {
  if ((e->traits & SIM_TRAIT_DPP) && r->slot == SIM_SLOT_SRC0) {
    return ALL_LANES;
  }
  if ((r->use & SIM_USE_MASK) && !is_vector_register(r->first)) {
    return ~holes64(c, r->first);
  }
  uint64_t lanes = ALL_LANES;
  for (unsigned d = 0; d < r->dwords; d++) {
    unsigned reg = r->first + d;
    lanes &= is_vector_register(reg) ? lanes_of(c, reg) : holes_of(c, reg) != 0 ? 0 : ALL_LANES;
  }
  return lanes;
}

/* v_cndmask takes one of its sources a lane. */
static uint64_t chosen_lanes(const struct sim_wave *w, const struct sim_check_wave *c,
                             const struct sim_check_entry *e) {
  uint64_t of[3] = {ALL_LANES, ALL_LANES, ALL_LANES};
  unsigned selector = e->inst->src[2];
  if (selector >= SIM_EXEC_HI) {
    return ALL_LANES; /* no mask: the instruction itself is reported */
  }
  uint64_t mask = sim_read_s64(w, selector);
  for (unsigned i = 0; i < e->operands.count; i++) {
    const struct sim_range *r = &e->operands.range[i];
    if (r->slot <= SIM_SLOT_SRC2) {
      of[r->slot] = source_lanes(c, e, r);
    }
  }
  return of[2] & ((mask & of[1]) | (~mask & of[0]));
}

static uint64_t all_sources(const struct sim_wave *w, const struct sim_check_wave *c,
                            const struct sim_check_entry *e) {
  if (e->inst->op == SIM_OP_v_cndmask_b32) {
    return chosen_lanes(w, c, e);
  }
  uint64_t lanes = ALL_LANES;
  bool partly = false;
  for (unsigned i = 0; i < e->operands.count; i++) {
    partly |= (e->operands.range[i].use & SIM_USE_PARTIAL) != 0;
  }
  for (unsigned i = 0; i < e->operands.count; i++) {
    const struct sim_range *r = &e->operands.range[i];
    bool kept = partly && r->slot == SIM_SLOT_DST;
    if ((r->use & SIM_USE_READ) && !kept) {
      lanes &= source_lanes(c, e, r);
    }
  }
  return lanes;
}

/* Reads of one lane: the result is scalar. */
static void lane_after(struct sim_wave *w, const struct sim_check_entry *e) {
  struct sim_check_wave *c = sim_check_of(w);
  const struct sim_inst *inst = e->inst;
  uint64_t exec = sim_exec(w);
  unsigned lane = exec == 0 ? 0 : (unsigned)__builtin_ctzll(exec);
  if (inst->op == SIM_OP_v_writelane_b32) {
    lane = sim_scalar32(w, inst, inst->src[1]) & 63u;
    uint64_t bit = UINT64_C(1) << lane, old = lanes_of(c, inst->dst);
    bool known = source_holes(c, inst->src[0], false) == 0;
    set_lanes(c, inst->dst, known ? old | bit : old & ~bit);
    return;
  }
  if (inst->op == SIM_OP_v_readlane_b32) {
    lane = c->before[1] & 63u;
  }
  bool known = inst->src[0] < SIM_VGPR0 ? source_holes(c, inst->src[0], false) == 0
                                        : (lanes_of(c, inst->src[0]) >> lane & 1u) != 0;
  set_holes(c, inst->dst, known ? 0 : UINT32_MAX);
}

/* Registers of a matrix whose row or column comes from factors without a value. f32 results of 32x32 and 16x16: lane
 * and register give the place as AMD's matrix instruction calculator has it. Every other shape: all or nothing. */
static void matrix_after(struct sim_check_wave *c, const struct sim_check_entry *e) {
  uint64_t of[3] = {ALL_LANES, ALL_LANES, ALL_LANES};
  const struct sim_range *result = NULL;
  for (unsigned i = 0; i < e->operands.count; i++) {
    const struct sim_range *r = &e->operands.range[i];
    if (r->slot <= SIM_SLOT_SRC1) {
      of[r->slot] = source_lanes(c, e, r);
    } else if (r->slot == SIM_SLOT_DST) {
      result = r;
    }
  }
  const char *name = sim_info[e->inst->op].name;
  unsigned rows = strstr(name, "32x32") ? 32 : strstr(name, "16x16") ? 16 : 0;
  bool single = rows != 0 && !(e->traits & SIM_TRAIT_F64) && e->inst->lane_ctl == 0 && result != NULL &&
                result->dwords == rows * rows / 64u;
  uint64_t known[64];
  for (unsigned d = 0; result != NULL && d < result->dwords; d++) {
    known[d] = e->inst->src[2] >= SIM_VGPR0 ? lanes_of(c, e->inst->src[2] + d) : ALL_LANES;
    if (of[0] == ALL_LANES && of[1] == ALL_LANES) {
      continue;
    }
    if (!single) {
      known[d] = 0;
      continue;
    }
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
      unsigned column = lane % rows;
      unsigned row = rows == 32 ? 8 * (d / 4) + 4 * (lane / 32) + d % 4 : 4 * (lane / 16) + d;
      for (unsigned k = 0; k < SIM_LANES / rows; k++) {
        bool both = (of[0] >> (k * rows + row) & 1u) && (of[1] >> (k * rows + column) & 1u);
        known[d] &= both ? ALL_LANES : ~(UINT64_C(1) << lane);
      }
    }
  }
  for (unsigned d = 0; result != NULL && d < result->dwords; d++) {
    set_lanes(c, result->first + d, known[d]);
  }
}

/* Masks that compares and carries write: no value in active lanes whose sources have none. */
static void mask_after(struct sim_wave *w, const struct sim_range *r, uint64_t lanes, uint64_t exec) {
  struct sim_check_wave *c = sim_check_of(w);
  uint64_t holes = exec & ~lanes;
  if (writes_exec(r)) {
    if (holes != 0) {
      exec_is_undefined(w);
    }
    return;
  }
  set_holes(c, r->first, (uint32_t)holes);
  set_holes(c, r->first + 1u, (uint32_t)(holes >> 32));
}

/* How the dwords of a 64-bit result come from those of 64-bit sources. Compilers leave high halves empty that do not
 * matter, and v_pk_ operands of which one half is wanted. */
enum flow {
  FLOW_ALL,    /* every dword from every one */
  FLOW_UP,     /* carries go up: the low dword from the low ones */
  FLOW_DOWN,   /* shifted down: the high dword from the high one */
  FLOW_HALVES, /* each from one dword of each source, as op_sel says */
};

static enum flow flow_of(unsigned op) {
  switch (op) {
  case SIM_OP_v_mad_u64_u32:
  case SIM_OP_v_mad_i64_i32:
  case SIM_OP_v_lshl_add_u64:
  case SIM_OP_v_lshlrev_b64:
    return FLOW_UP;
  case SIM_OP_v_lshrrev_b64:
  case SIM_OP_v_ashrrev_i64:
    return FLOW_DOWN;
  case SIM_OP_v_pk_fma_f32:
  case SIM_OP_v_pk_mul_f32:
  case SIM_OP_v_pk_add_f32:
  case SIM_OP_v_pk_mov_b32:
  case SIM_OP_v_mov_b64:
    return FLOW_HALVES;
  default:
    return FLOW_ALL;
  }
}

/* The part of a source that dword d of the result comes from. */
static struct sim_range part_of(const struct sim_inst *inst, const struct sim_range *r, enum flow flow,
                                unsigned d) {
  struct sim_range part = *r;
  if (flow == FLOW_ALL || r->dwords != 2) {
    return part;
  }
  if (flow == FLOW_HALVES) {
    /* v_pk_mov_b32 takes a dword from each of two sources, op_sel says which; op_sel_hi means nothing there */
    bool low = d == 0 || inst->op == SIM_OP_v_pk_mov_b32;
    unsigned half = (unsigned)(low ? inst->op_sel : inst->op_sel_hi) >> r->slot & 1u;
    part.first = (uint16_t)(r->first + (inst->op == SIM_OP_v_mov_b64 ? d : half));
    part.dwords = 1;
  } else if (d == (flow == FLOW_DOWN)) {
    part.first = (uint16_t)(r->first + d);
    part.dwords = 1;
  }
  return part;
}

/* Lanes in which dword d of a 64-bit result has a value. */
static uint64_t part_lanes(const struct sim_check_wave *c, const struct sim_check_entry *e, enum flow flow,
                           unsigned d) {
  uint64_t lanes = ALL_LANES;
  for (unsigned i = 0; i < e->operands.count; i++) {
    const struct sim_range *r = &e->operands.range[i];
    const bool other = e->inst->op == SIM_OP_v_pk_mov_b32 && r->slot != d;
    if ((r->use & SIM_USE_READ) && !other) {
      const struct sim_range part = part_of(e->inst, r, flow, d);
      lanes &= source_lanes(c, e, &part);
    }
  }
  return lanes;
}

static void vector_after(struct sim_wave *w, const struct sim_check_entry *e) {
  struct sim_check_wave *c = sim_check_of(w);
  bool loads = (e->traits & (SIM_TRAIT_VMEM | SIM_TRAIT_LDS)) != 0;
  uint64_t exec = c->before[2]; /* as it was when the instruction began */
  uint64_t lanes = loads ? ALL_LANES : all_sources(w, c, e);
  uint64_t of_dword[2] = {lanes, lanes};
  enum flow flow = lanes != ALL_LANES ? flow_of(e->inst->op) : FLOW_ALL;
  for (unsigned d = 0; flow != FLOW_ALL && d < 2; d++) {
    of_dword[d] = part_lanes(c, e, flow, d);
  }
  for (unsigned i = 0; i < e->operands.count; i++) {
    const struct sim_range *r = &e->operands.range[i];
    if (!(r->use & SIM_USE_WRITE)) {
      continue;
    }
    if (r->use & SIM_USE_MASK) {
      mask_after(w, r, lanes, exec);
      continue;
    }
    for (unsigned d = 0; d < r->dwords; d++) {
      unsigned reg = r->first + d;
      set_lanes(c, reg, (lanes_of(c, reg) & ~exec) | (of_dword[d & 1u] & exec));
    }
  }
}

void sim_check_defined_after(struct sim_wave *w, const struct sim_check_entry *e) {
  unsigned op = e->inst->op;
  if (e->traits & SIM_TRAIT_MATRIX) {
    matrix_after(sim_check_of(w), e);
  } else if (op == SIM_OP_v_readlane_b32 || op == SIM_OP_v_readfirstlane_b32 ||
             op == SIM_OP_v_writelane_b32) {
    lane_after(w, e);
  } else if (e->traits & (SIM_TRAIT_VALU | SIM_TRAIT_VMEM | SIM_TRAIT_LDS)) {
    vector_after(w, e);
  } else {
    scalar_after(w, e);
  }
}
