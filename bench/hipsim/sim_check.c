#include "bench/hipsim/sim_check.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- what there is to know of an instruction ---- */

static bool contains(const char *name, const char *part) {
  return strstr(name, part) != NULL;
}

static bool starts(const char *name, const char *prefix) {
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* v_exp, v_log, v_rcp, v_rsq, v_sqrt, v_sin, v_cos */
static bool is_transcendental(const char *name) {
  static const char *const prefixes[] = {"v_exp_",  "v_log_", "v_rcp_", "v_rsq_",
                                         "v_sqrt_", "v_sin_", "v_cos_"};
  for (unsigned i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
    if (starts(name, prefixes[i])) {
      return true;
    }
  }
  return false;
}

static uint32_t vector_traits(const struct sim_inst *inst, const struct sim_op_info *info,
                              enum sim_arch arch) {
  const char *name = info->name;
  uint32_t traits = SIM_TRAIT_VALU;
  bool half = inst->flags & SIM_F_SDWA ? (inst->lane_ctl >> 8 & 7u) != 6 : (inst->op_sel & 8u) != 0;
  traits |= inst->flags & SIM_F_DPP ? SIM_TRAIT_DPP | SIM_TRAIT_CONSULT : 0;
  traits |= starts(name, "v_dot") ? SIM_TRAIT_DOT : 0;
  traits |= is_transcendental(name) ? SIM_TRAIT_TRANS : 0;
  traits |= half && info->format != SIM_FMT_VOP3P ? SIM_TRAIT_HALF : 0;
  bool moves = contains(name, "accvgpr");
  if (arch == SIM_GFX908) {
    traits |= moves ? SIM_TRAIT_LOUD | SIM_TRAIT_WEDGE : 0;
    traits |= contains(name, "accvgpr_write") ? SIM_TRAIT_CONSULT : 0;
  } else {
    traits |= traits & SIM_TRAIT_DOT ? SIM_TRAIT_LOUD : 0;
    traits |= starts(name, "v_fma_f64") || starts(name, "v_fmac_f64") ? SIM_TRAIT_FMA64 | SIM_TRAIT_NEAR : 0;
  }
  if (arch >= SIM_GFX942) {
    traits |= traits & (SIM_TRAIT_TRANS | SIM_TRAIT_HALF) ? SIM_TRAIT_LOUD : 0;
    traits |= contains(name, "lane_b32") ? SIM_TRAIT_CONSULT : 0;
  }
  return traits;
}

static uint32_t matrix_traits(const struct sim_op_info *info, enum sim_arch arch) {
  const char *name = info->name;
  bool f64 = starts(name, "v_mfma_f64");
  bool f32 = contains(name, "f32") && strcmp(name + strlen(name) - 3, "f32") == 0 && !contains(name, "xf32");
  return SIM_TRAIT_MATRIX | SIM_TRAIT_LOUD | SIM_TRAIT_CONSULT | SIM_TRAIT_HOLD |
         (f64 ? SIM_TRAIT_F64 | SIM_TRAIT_WEDGE : 0u) |
         (!f64 && !(arch >= SIM_GFX942 && f32) ? SIM_TRAIT_XDL : 0u);
}

static uint32_t memory_traits(const struct sim_inst *inst, const struct sim_op_info *info,
                              enum sim_arch arch) {
  const char *name = info->name;
  uint32_t traits = info->format == SIM_FMT_DS ? SIM_TRAIT_LDS : SIM_TRAIT_VMEM;
  traits |= arch <= SIM_GFX90A ? SIM_TRAIT_NEAR : 0;
  traits |= info->format == SIM_FMT_FLAT ? SIM_TRAIT_FLAT : 0;
  traits |= info->format == SIM_FMT_SCRATCH ? SIM_TRAIT_PRIVATE : 0;
  bool to_lds = (traits & SIM_TRAIT_VMEM) && ((inst->flags & SIM_F_LDS) || contains(name, "_load_lds_"));
  traits |= to_lds ? SIM_TRAIT_TO_LDS : 0;
  bool shuffles = contains(name, "permute") || contains(name, "swizzle");
  traits |= info->src[1] != SIM_K_NONE && !shuffles ? SIM_TRAIT_STORE : 0;
  /* Data of more than 8 bytes, of stores and of 64-bit compare-and-swap, are read late; of buffers only without a
   * register as offset. */
  bool late = (traits & SIM_TRAIT_VMEM) && sim_kind_dwords[info->src[1]] > 2;
  bool offset = info->format == SIM_FMT_MUBUF && inst->soffset <= SIM_EXEC_HI;
  return traits | (late && !offset ? SIM_TRAIT_HOLD : 0u);
}

/* Bytes that a lane moves; 0 for atomics and cache control. */
static uint8_t bytes_of(const struct sim_op_info *info) {
  const char *name = info->name;
  unsigned dwords = sim_kind_dwords[info->dst] + sim_kind_dwords[info->src[1]];
  if ((info->dst != SIM_K_NONE && info->src[1] != SIM_K_NONE) || info->src[0] == SIM_K_NONE) {
    return 0;
  }
  if (contains(name, "byte")) {
    return 1;
  }
  if (contains(name, "short")) {
    return 2;
  }
  if (dwords == 0) { /* to LDS */
    return contains(name, "x4") ? 16 : contains(name, "x3") ? 12 : 4;
  }
  return (uint8_t)(4u * dwords);
}

static uint32_t scalar_traits(const struct sim_inst *inst) {
  uint32_t traits = SIM_TRAIT_SALU;
  unsigned op = inst->op;
  traits |= op == SIM_OP_s_waitcnt ? SIM_TRAIT_WAITCNT : 0;
  traits |= sim_class_of[op] == SIM_CLASS_BRANCH ? SIM_TRAIT_BRANCH : 0;
  bool hardware = op == SIM_OP_s_setreg_b32 || op == SIM_OP_s_setreg_imm32_b32 || op == SIM_OP_s_getreg_b32;
  return traits | (hardware ? SIM_TRAIT_CONSULT : 0u);
}

/* Cache control that only throws away is not counted (LLVM, getMUBUFIsBufferInv). */
static bool is_counted(const struct sim_op_info *info) {
  return !starts(info->name, "buffer_inv") && !starts(info->name, "buffer_wbinv");
}

static uint8_t pending_of(uint32_t traits, const struct sim_op_info *info) {
  if (!(traits & (SIM_TRAIT_VMEM | SIM_TRAIT_LDS | SIM_TRAIT_SMEM)) || !is_counted(info)) {
    return 0;
  }
  if (traits & SIM_TRAIT_FLAT) {
    return SIM_REG_VM | SIM_REG_LGKM;
  }
  return traits & SIM_TRAIT_VMEM ? SIM_REG_VM : SIM_REG_LGKM;
}

static void prepare(struct sim_check_entry *e, const struct sim_inst *inst, enum sim_arch arch) {
  const struct sim_op_info *info = &sim_info[inst->op];
  sim_operands_of(inst, &e->operands);
  if (inst->op == SIM_OP_UNKNOWN) {
    e->traits = 0;
  } else if (sim_class_of[inst->op] == SIM_CLASS_MFMA) {
    e->traits = matrix_traits(info, arch);
    e->passes = (uint8_t)(sim_cycles_of[arch][inst->op] / 4u);
  } else if (info->format == SIM_FMT_SMEM ||
             inst->op == SIM_OP_s_sendmsg) { /* both may overtake what lgkmcnt counts */
    e->traits = SIM_TRAIT_SMEM | (info->src[1] != SIM_K_NONE ? SIM_TRAIT_STORE : 0u);
  } else if (info->format >= SIM_FMT_DS) {
    e->traits = memory_traits(inst, info, arch);
    e->bytes = e->traits & SIM_TRAIT_VMEM ? bytes_of(info) : 0;
  } else if (info->format >= SIM_FMT_VOP1) {
    e->traits = vector_traits(inst, info, arch);
  } else {
    e->traits = scalar_traits(inst);
  }
  e->pending = pending_of(e->traits, info);
  e->inst = inst;
}

/* ---- life ---- */

struct sim_check *sim_check_create(const struct sim_code *code, enum sim_arch arch, uint32_t waves) {
  struct sim_check *check = calloc(1, sizeof *check);
  if (check == NULL) {
    return NULL;
  }
  check->arch = arch;
  check->waves = waves;
  check->code = code;
  check->entry = calloc(code->size / 4u + 1u, sizeof check->entry[0]);
  check->wave = calloc(waves, sizeof check->wave[0]);
  check->race = sim_race_create(waves);
  if (check->entry == NULL || check->wave == NULL || check->race == NULL) {
    sim_check_free(check);
    return NULL;
  }
  return check;
}

void sim_check_free(struct sim_check *check) {
  if (check != NULL) {
    sim_race_free(check->race);
    free(check->entry);
    free(check->wave);
    free(check);
  }
}

void sim_check_reset(struct sim_check *check) {
  enum { LONG_AGO = 1024 }; /* no wait state is missing at the start */
  memset(check->wave, 0, check->waves * sizeof check->wave[0]);
  for (uint32_t i = 0; i < check->waves; i++) {
    check->wave[i].clock = LONG_AGO;
  }
  sim_race_reset(check->race);
}

static void leave_undefined(struct sim_check_wave *c, unsigned reg) {
  c->state[reg] = SIM_REG_UNDEFINED;
  c->undefined[reg] = UINT32_MAX;
}

void sim_check_start(struct sim_check *check, const struct sim_wave *w, uint32_t user, uint32_t system,
                     uint32_t system_end, uint32_t ids) {
  struct sim_check_wave *c = &check->wave[w->number];
  for (unsigned reg = 0; reg < SIM_FLAT_SCRATCH_LO; reg++) {
    if (reg >= user && !(reg >= system && reg < system_end)) {
      leave_undefined(c, reg);
    }
  }
  leave_undefined(c, SIM_VCC_LO);
  leave_undefined(c, SIM_VCC_HI);
  leave_undefined(c, SIM_M0);
  leave_undefined(c, SIM_SCC);
  for (unsigned reg = ids; reg < 512; reg++) {
    c->state[SIM_VGPR0 + reg] = SIM_REG_UNDEFINED;
  }
}

void sim_check_barrier(struct sim_check *check) {
  sim_race_reset(check->race);
}

void sim_check_name(unsigned reg, char text[16]) {
  static const struct {
    unsigned reg;
    const char *name;
  } special[] = {{SIM_FLAT_SCRATCH_LO, "flat_scratch_lo"},
                 {SIM_FLAT_SCRATCH_LO + 1, "flat_scratch_hi"},
                 {SIM_VCC_LO, "vcc_lo"},
                 {SIM_VCC_HI, "vcc_hi"},
                 {SIM_M0, "m0"},
                 {SIM_EXEC_LO, "exec_lo"},
                 {SIM_EXEC_HI, "exec_hi"},
                 {SIM_SCC, "scc"}};
  for (unsigned i = 0; i < sizeof special / sizeof special[0]; i++) {
    if (special[i].reg == reg) {
      snprintf(text, 16, "%s", special[i].name);
      return;
    }
  }
  const char *file = reg >= SIM_AGPR0 ? "a" : reg >= SIM_VGPR0 ? "v" : "s";
  snprintf(text, 16, "%s%u", file,
           reg >= SIM_AGPR0   ? reg - SIM_AGPR0
           : reg >= SIM_VGPR0 ? reg - SIM_VGPR0
                              : reg);
}

/* ---- one instruction ---- */

/* What is special about any of the registers of an instruction. */
static inline unsigned special_of(const struct sim_check_wave *c, const struct sim_check_entry *e) {
  uint64_t special = 0;
  for (unsigned i = 0; i < e->operands.count; i++) {
    const struct sim_range *r = &e->operands.range[i];
    const uint8_t *state = c->state + r->first;
    unsigned left = r->dwords;
    for (; left >= 8; left -= 8, state += 8) {
      uint64_t eight;
      memcpy(&eight, state, sizeof eight);
      special |= eight;
    }
    for (; left > 0; left--, state++) {
      special |= *state;
    }
  }
  special |= special >> 32;
  special |= special >> 16;
  special |= special >> 8;
  return (unsigned)(special & 0xffu);
}

/* Notes who wrote the results, and who still reads its sources. */
static inline void note_results(struct sim_check_wave *c, const struct sim_check_entry *e) {
  uint32_t now = c->clock + 1;
  bool loud = (e->traits & SIM_TRAIT_LOUD) != 0;
  const struct sim_check_entry *writer =
      e->traits & (SIM_TRAIT_VALU | SIM_TRAIT_MATRIX | SIM_TRAIT_SALU) ? e : NULL;
  bool valu = (e->traits & SIM_TRAIT_VALU) != 0;
  for (unsigned i = 0; i < e->operands.count; i++) {
    const struct sim_range *r = &e->operands.range[i];
    if (!(r->use & SIM_USE_WRITE)) {
      continue;
    }
    bool mark = r->first >= SIM_VGPR0 ? loud : valu || (r->first == SIM_M0 && writer != NULL);
    uint8_t set = mark ? SIM_REG_WRITTEN : 0;
    for (unsigned reg = r->first; reg < (unsigned)r->first + r->dwords; reg++) {
      c->when[reg] = now;
      c->writer[reg] = writer;
      c->state[reg] = (uint8_t)((c->state[reg] & ~SIM_REG_WRITTEN) | set);
    }
  }
}

static void note_held(struct sim_check_wave *c, const struct sim_check_entry *e) {
  if (e->traits & SIM_TRAIT_WEDGE) {
    c->wedge = e;
    c->wedge_when = c->clock + 1;
  }
  if (!(e->traits & SIM_TRAIT_HOLD)) {
    return;
  }
  unsigned slot = e->traits & SIM_TRAIT_MATRIX ? SIM_SLOT_SRC2 : SIM_SLOT_SRC1;
  for (unsigned i = 0; i < e->operands.count; i++) {
    const struct sim_range *r = &e->operands.range[i];
    bool in_place =
        (e->traits & SIM_TRAIT_MATRIX) && e->inst->src[2] == e->inst->dst; /* a write must wait anyway */
    if (r->slot != slot || r->first < SIM_VGPR0 || in_place) {
      continue;
    }
    for (unsigned reg = r->first; reg < (unsigned)r->first + r->dwords; reg++) {
      c->state[reg] |= SIM_REG_READ;
      c->reader[reg - SIM_VGPR0] = e;
      c->read_when[reg - SIM_VGPR0] = c->clock + 1;
    }
  }
}

/* An instruction with a special register, or one that must look even so. False: faulted. */
static bool look_closer(struct sim_wave *w, const struct sim_check_entry *e, unsigned special) {
  if ((special & (SIM_REG_VM | SIM_REG_LGKM)) && !sim_check_loads_before(w, e)) {
    return false;
  }
  if (((special & (SIM_REG_WRITTEN | SIM_REG_READ)) || (e->traits & SIM_TRAIT_CONSULT)) &&
      !sim_check_hazard_before(w, e, special)) {
    return false;
  }
  if (special & SIM_REG_UNDEFINED) {
    sim_check_note_sources(w, e);
    return sim_check_defined_before(w, e);
  }
  return true;
}

static inline bool before(struct sim_wave *w, const struct sim_check_entry *e, unsigned special) {
  if ((special != 0 || (e->traits & SIM_TRAIT_CONSULT)) && !look_closer(w, e, special)) {
    return false;
  }
  if ((e->traits & (SIM_TRAIT_SMEM | SIM_TRAIT_TO_LDS)) && !sim_check_alignment(w, e)) {
    return false;
  }
  if (e->traits & SIM_TRAIT_NEAR) {
    const struct sim_check_wave *c = sim_check_of(w);
    uint32_t waited = c->clock - c->wedge_when;
    if (waited < SIM_NEAR && !sim_check_hazard_near(w, e, waited)) {
      return false;
    }
  }
  bool global = (e->traits & SIM_TRAIT_VMEM) && !(e->traits & SIM_TRAIT_PRIVATE) && w->check->waves > 1;
  return !global || sim_race_access(w, e);
}

static inline void after(struct sim_wave *w, const struct sim_check_entry *e, unsigned special) {
  struct sim_check_wave *c = sim_check_of(w);
  if (special & SIM_REG_UNDEFINED) {
    sim_check_defined_after(w, e);
  }
  note_results(c, e);
  if (e->traits & (SIM_TRAIT_HOLD | SIM_TRAIT_WEDGE)) {
    note_held(c, e);
  }
  if (e->pending != 0) {
    sim_check_loads_start(w, e);
  } else if (e->traits & SIM_TRAIT_WAITCNT) {
    sim_check_loads_wait(w, (uint32_t)e->inst->imm & 0xffffu);
  }
  c->clock += e->inst->op == SIM_OP_s_nop ? (unsigned)(e->inst->imm & 15) + 1u : 1u;
}

static inline void step(struct sim_wave *w, const struct sim_check_entry *e, const struct sim_inst *inst) {
  unsigned special = special_of(sim_check_of(w), e);
  if (before(w, e, special)) {
    inst->run(w, inst);
    if (w->state != SIM_FAULTED) {
      after(w, e, special);
    }
  }
}

void sim_check_run_one(struct sim_wave *w, const struct sim_inst *inst) {
  struct sim_check_entry entry = {.inst = NULL};
  prepare(&entry, inst, w->check->arch);
  struct sim_check_wave *c = sim_check_of(w);
  step(w, &entry, inst);
  /* the entry does not outlive this call: nobody may remember it */
  c->wedge_when = c->wedge == &entry ? c->clock - SIM_NEAR : c->wedge_when;
  for (unsigned reg = 0; reg < SIM_REGS; reg++) {
    c->writer[reg] = c->writer[reg] == &entry ? NULL : c->writer[reg];
  }
  for (unsigned reg = 0; reg < 512; reg++) {
    if (c->reader[reg] == &entry) {
      c->state[SIM_VGPR0 + reg] &= (uint8_t)~SIM_REG_READ;
    }
  }
}

void sim_check_run(struct sim_wave *w, uint64_t count) {
  const struct sim_inst *at = w->code->at;
  const uint64_t base = w->code->base, dwords = w->code->size / 4;
  uint64_t left = count;
  while (left > 0 && w->state == SIM_RUNNING) {
    uint64_t offset = w->pc - base;
    uint64_t index = offset >> 2 | offset << 62; /* a pc that is no multiple of 4 becomes huge as well */
    if (index >= dwords) {
      sim_wave_fault(w, -1, "jump to address 0x%llx, outside the code", (unsigned long long)w->pc);
      break;
    }
    const struct sim_inst *inst = &at[index];
    struct sim_check_entry *e = &w->check->entry[index];
    if (e->inst == NULL) {
      prepare(e, inst, w->check->arch);
    }
    w->now = inst;
    w->pc += inst->next;
    w->hits[inst->op]++;
    left--;
    step(w, e, inst);
  }
  w->executed += count - left;
}
