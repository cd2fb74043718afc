/* Vector memory: GLOBAL, FLAT and SCRATCH loads and stores. Rules from AMD's "CDNA2 Instruction Set
 * Architecture" guide, chapter "Flat memory instructions".
 *
 * Loads and stores may be unaligned, as under ROCm (SH_MEM_CONFIG.alignment_mode = unaligned); atomics may not. */
#include "bench/hipsim/sim_handlers.h"
#include "bench/hipsim/sim_lds.h"
#include "bench/hipsim/sim_move.h"

/* ---- addresses ---- */

static void global_addresses(const struct sim_wave *w, const struct sim_inst *inst, struct sim_lanes *lanes) {
  const sim_vreg *low = sim_vector(w, inst->src[0]);
  lanes->exec = sim_exec(w);
  if (inst->src[2] != SIM_NO_OPERAND) {
    uint64_t base = sim_read_s64(w, inst->src[2]) + (uint64_t)(int64_t)inst->imm;
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
      lanes->address[lane] = (int64_t)(base + low[0][lane]);
    }
  } else {
    uint64_t offset = (uint64_t)(int64_t)inst->imm;
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
      lanes->address[lane] = (int64_t)(((uint64_t)low[1][lane] << 32 | low[0][lane]) + offset);
    }
  }
}

/* Scratch addresses as flat ones. gfx942 and later may add a VGPR and an SGPR. */
static void scratch_addresses(const struct sim_wave *w, const struct sim_inst *inst,
                              struct sim_lanes *lanes) {
  uint64_t base = SIM_PRIVATE_APERTURE + (uint64_t)(int64_t)inst->imm;
  if (inst->src[2] != SIM_NO_OPERAND) {
    base += w->s[inst->src[2]];
  }
  lanes->exec = sim_exec(w);
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    uint32_t offset = inst->src[0] != SIM_NO_OPERAND ? sim_vector(w, inst->src[0])[0][lane] : 0;
    lanes->address[lane] = (int64_t)(base + offset);
  }
}

/* Some lane points into LDS or scratch. */
static bool is_mixed(const struct sim_lanes *lanes) {
  uint64_t upper = 0;
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    upper |= lanes->exec >> lane & 1u ? (uint64_t)lanes->address[lane] >> 48 : 0;
  }
  return upper != 0 && upper < 4;
}

/* ---- memory ---- */

static uint8_t *host_place(const void *context, unsigned lane) {
  const struct sim_lanes *lanes = context;
  return sim_host((uint64_t)lanes->address[lane]);
}

static void count_access(struct sim_wave *w, enum sim_verb verb, uint64_t bytes, uint32_t lines) {
  struct sim_counts *counts = w->counts;
  if (verb == SIM_VERB_LOAD) {
    counts->load_bytes += bytes;
    counts->load_lines += lines;
  } else {
    counts->store_bytes += bytes;
    counts->store_lines += lines;
  }
}

/* Finds all lanes' bytes inside one span, else tests them one by one. False: faulted. */
SIM_ALWAYS bool admit(struct sim_wave *w, enum sim_verb verb, struct sim_lanes *lanes, uint32_t size,
                      bool *contiguous) {
  sim_fill_inactive(lanes);
  struct sim_footprint f = sim_measure(lanes, size, w->line_bits);
  count_access(w, verb, (uint64_t)__builtin_popcountll(lanes->exec) * size, f.lines);
  *contiguous = f.contiguous;
  const struct sim_span *span = sim_access_span(w, f.begin, f.end);
  if (span != NULL && (verb == SIM_VERB_LOAD || (verb == SIM_VERB_STORE && span->writable))) {
    return true;
  }
  for (uint64_t left = lanes->exec; left != 0; left &= left - 1) {
    int lane = __builtin_ctzll(left);
    if (!sim_access_check(w, verb, (uint64_t)lanes->address[lane], size, lane)) {
      return false;
    }
  }
  return true;
}

SIM_ALWAYS void load_memory(struct sim_wave *w, struct sim_lanes *lanes, sim_vreg *to, unsigned dwords) {
  bool contiguous;
  if (lanes->exec == 0 || !admit(w, SIM_VERB_LOAD, lanes, 4u * dwords, &contiguous)) {
    return;
  }
  if (dwords == 1 && contiguous) {
    memcpy(to[0], host_place(lanes, 0), sizeof to[0]);
  } else {
    sim_gather(to, dwords, lanes->exec, host_place, lanes);
  }
}

SIM_ALWAYS void store_memory(struct sim_wave *w, struct sim_lanes *lanes, const sim_vreg *from,
                             unsigned dwords) {
  bool contiguous;
  if (lanes->exec == 0 || !admit(w, SIM_VERB_STORE, lanes, 4u * dwords, &contiguous)) {
    return;
  }
  if (dwords == 1 && contiguous) {
    memcpy(host_place(lanes, 0), from[0], sizeof from[0]);
  } else {
    sim_scatter(from, dwords, lanes->exec, host_place, lanes);
  }
}

/* ---- lane by lane: flat addresses of any kind, and sub-dword data ---- */

/* In scratch only the bytes of a dword lie together, so larger data move in dwords, unaligned ones in bytes. */
static void load_flat_dwords(struct sim_wave *w, const struct sim_lanes *lanes, sim_vreg *to,
                             unsigned dwords) {
  for (uint64_t left = lanes->exec; left != 0; left &= left - 1) {
    int lane = __builtin_ctzll(left);
    uint64_t address = (uint64_t)lanes->address[lane];
    uint8_t bytes[16];
    unsigned piece = address % 4u == 0 ? 4 : 1;
    for (unsigned i = 0; i < 4u * dwords; i += piece) {
      const uint8_t *place = sim_access_flat(w, SIM_VERB_LOAD, address + i, piece, lane);
      if (place == NULL) {
        return;
      }
      memcpy(bytes + i, place, piece);
    }
    sim_load_lane(to, (unsigned)lane, bytes, dwords);
  }
}

static void store_flat_dwords(struct sim_wave *w, const struct sim_lanes *lanes, const sim_vreg *from,
                              unsigned dwords) {
  for (uint64_t left = lanes->exec; left != 0; left &= left - 1) {
    int lane = __builtin_ctzll(left);
    uint64_t address = (uint64_t)lanes->address[lane];
    uint8_t bytes[16];
    sim_store_lane(from, (unsigned)lane, bytes, dwords);
    unsigned piece = address % 4u == 0 ? 4 : 1;
    for (unsigned i = 0; i < 4u * dwords; i += piece) {
      uint8_t *place = sim_access_flat(w, SIM_VERB_STORE, address + i, piece, lane);
      if (place == NULL) {
        return;
      }
      memcpy(place, bytes + i, piece);
    }
  }
}

/* Whole memory accesses of bytes and shorts: tested together. False: some lane is in LDS or scratch, or the wave
 * is faulted. */
SIM_ALWAYS bool admit_narrow(struct sim_wave *w, enum sim_verb verb, struct sim_lanes *lanes, unsigned size) {
  bool contiguous;
  return !is_mixed(lanes) && admit(w, verb, lanes, size, &contiguous);
}

SIM_ALWAYS void load_narrow(struct sim_wave *w, struct sim_lanes *lanes, sim_vreg *to, enum sim_narrow form) {
  unsigned size = sim_narrow_bytes(form);
  uint64_t left = lanes->exec;
  bool tested = left != 0 && admit_narrow(w, SIM_VERB_LOAD, lanes, size);
  for (; left != 0 && w->state == SIM_RUNNING; left &= left - 1) {
    int lane = __builtin_ctzll(left);
    uint64_t address = (uint64_t)lanes->address[lane];
    const uint8_t *place =
        tested ? sim_host(address) : sim_access_flat(w, SIM_VERB_LOAD, address, size, lane);
    if (place != NULL) {
      to[0][lane] = sim_narrow_load(form, place, to[0][lane]);
    }
  }
}

SIM_ALWAYS void store_narrow(struct sim_wave *w, struct sim_lanes *lanes, const sim_vreg *from, unsigned size,
                             unsigned shift) {
  uint64_t left = lanes->exec;
  bool tested = left != 0 && admit_narrow(w, SIM_VERB_STORE, lanes, size);
  for (; left != 0 && w->state == SIM_RUNNING; left &= left - 1) {
    int lane = __builtin_ctzll(left);
    uint64_t address = (uint64_t)lanes->address[lane];
    uint8_t *place = tested ? sim_host(address) : sim_access_flat(w, SIM_VERB_STORE, address, size, lane);
    if (place != NULL) {
      uint32_t value = from[0][lane] >> shift;
      memcpy(place, &value, size);
    }
  }
}

/* ---- to LDS ----
 * Each lane's dwords go to LDS at M0 + the instruction's offset + lane * size. */

static void load_to_lds(struct sim_wave *w, const struct sim_inst *inst, struct sim_lanes *lanes,
                        unsigned dwords) {
  bool contiguous;
  uint32_t size = 4u * dwords;
  if (lanes->exec == 0 || !admit(w, SIM_VERB_LOAD, lanes, size, &contiguous)) {
    return;
  }
  uint64_t base = SIM_SHARED_APERTURE + (w->s[SIM_M0] & 0xffffu) + (uint64_t)(int64_t)inst->imm;
  for (uint64_t left = lanes->exec; left != 0; left &= left - 1) {
    int lane = __builtin_ctzll(left);
    uint8_t *place = sim_access_flat(w, SIM_VERB_STORE, base + (unsigned)lane * size, size, lane);
    if (place == NULL) {
      return;
    }
    memcpy(place, host_place(lanes, (unsigned)lane), size);
  }
}

/* Bytes and shorts become dwords, four bytes a lane. */
static void narrow_to_lds(struct sim_wave *w, const struct sim_inst *inst, struct sim_lanes *lanes,
                          enum sim_narrow form) {
  sim_vreg staged[1];
  uint64_t base = SIM_SHARED_APERTURE + (w->s[SIM_M0] & 0xffffu) + (uint64_t)(int64_t)inst->imm;
  load_narrow(w, lanes, staged, form);
  for (uint64_t left = lanes->exec; left != 0 && w->state == SIM_RUNNING; left &= left - 1) {
    int lane = __builtin_ctzll(left);
    uint8_t *place = sim_access_flat(w, SIM_VERB_STORE, base + (unsigned)lane * 4u, 4, lane);
    if (place != NULL) {
      memcpy(place, &staged[0][lane], 4);
    }
  }
}

/* ---- handlers ---- */

SIM_ALWAYS void global_load(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords) {
  struct sim_lanes lanes;
  global_addresses(w, inst, &lanes);
  if (inst->flags & SIM_F_LDS) {
    load_to_lds(w, inst, &lanes, dwords);
  } else {
    load_memory(w, &lanes, sim_vector(w, inst->dst), dwords);
  }
}

SIM_ALWAYS void global_store(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords) {
  struct sim_lanes lanes;
  global_addresses(w, inst, &lanes);
  store_memory(w, &lanes, sim_vector(w, inst->src[1]), dwords);
}

SIM_ALWAYS void flat_load(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords) {
  struct sim_lanes lanes;
  global_addresses(w, inst, &lanes);
  if (is_mixed(&lanes)) {
    load_flat_dwords(w, &lanes, sim_vector(w, inst->dst), dwords);
  } else {
    load_memory(w, &lanes, sim_vector(w, inst->dst), dwords);
  }
}

SIM_ALWAYS void flat_store(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords) {
  struct sim_lanes lanes;
  global_addresses(w, inst, &lanes);
  if (is_mixed(&lanes)) {
    store_flat_dwords(w, &lanes, sim_vector(w, inst->src[1]), dwords);
  } else {
    store_memory(w, &lanes, sim_vector(w, inst->src[1]), dwords);
  }
}

static void scratch_to_lds(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords) {
  struct sim_lanes lanes;
  sim_vreg staged[4];
  scratch_addresses(w, inst, &lanes);
  load_flat_dwords(w, &lanes, staged, dwords);
  uint64_t base = SIM_SHARED_APERTURE + (w->s[SIM_M0] & 0xffffu) + (uint64_t)(int64_t)inst->imm;
  for (uint64_t left = lanes.exec; left != 0 && w->state == SIM_RUNNING; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(left);
    uint8_t *place = sim_access_flat(w, SIM_VERB_STORE, base + lane * 4u * dwords, 4u * dwords, (int)lane);
    if (place != NULL) {
      sim_store_lane(staged, lane, place, dwords);
    }
  }
}

SIM_ALWAYS void scratch_load(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords) {
  struct sim_lanes lanes;
  if (inst->flags & SIM_F_LDS) {
    scratch_to_lds(w, inst, dwords);
    return;
  }
  scratch_addresses(w, inst, &lanes);
  load_flat_dwords(w, &lanes, sim_vector(w, inst->dst), dwords);
}

SIM_ALWAYS void scratch_store(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords) {
  struct sim_lanes lanes;
  scratch_addresses(w, inst, &lanes);
  store_flat_dwords(w, &lanes, sim_vector(w, inst->src[1]), dwords);
}

#define WIDE(space, width, dwords)                                                                           \
  SIM_DO(space##_load_##width) {                                                                             \
    space##_load(w, inst, dwords);                                                                           \
  }                                                                                                          \
  SIM_DO(space##_store_##width) {                                                                            \
    space##_store(w, inst, dwords);                                                                          \
  }

#define WIDE_ALL(space)                                                                                      \
  WIDE(space, dword, 1)                                                                                      \
  WIDE(space, dwordx2, 2)                                                                                    \
  WIDE(space, dwordx3, 3)                                                                                    \
  WIDE(space, dwordx4, 4)

WIDE_ALL(global)
WIDE_ALL(flat)
WIDE_ALL(scratch)

/* space, instruction, form, how addresses are formed */
#define NARROW_LOAD(space, name, form, addresses)                                                            \
  SIM_DO(space##_load_##name) {                                                                              \
    struct sim_lanes lanes;                                                                                  \
    addresses(w, inst, &lanes);                                                                              \
    if (inst->dst == SIM_NO_OPERAND) {                                                                       \
      narrow_to_lds(w, inst, &lanes, form);                                                                  \
    } else {                                                                                                 \
      load_narrow(w, &lanes, sim_vector(w, inst->dst), form);                                                \
    }                                                                                                        \
  }
#define NARROW_STORE(space, name, size, shift, addresses)                                                    \
  SIM_DO(space##_store_##name) {                                                                             \
    struct sim_lanes lanes;                                                                                  \
    addresses(w, inst, &lanes);                                                                              \
    store_narrow(w, &lanes, sim_vector(w, inst->src[1]), size, shift);                                       \
  }
#define NARROW_ALL(space, addresses)                                                                         \
  NARROW_LOAD(space, ubyte, SIM_UBYTE, addresses)                                                            \
  NARROW_LOAD(space, sbyte, SIM_SBYTE, addresses)                                                            \
  NARROW_LOAD(space, ushort, SIM_USHORT, addresses)                                                          \
  NARROW_LOAD(space, sshort, SIM_SSHORT, addresses)                                                          \
  NARROW_LOAD(space, ubyte_d16, SIM_UBYTE_D16, addresses)                                                    \
  NARROW_LOAD(space, ubyte_d16_hi, SIM_UBYTE_D16_HI, addresses)                                              \
  NARROW_LOAD(space, sbyte_d16, SIM_SBYTE_D16, addresses)                                                    \
  NARROW_LOAD(space, sbyte_d16_hi, SIM_SBYTE_D16_HI, addresses)                                              \
  NARROW_LOAD(space, short_d16, SIM_SHORT_D16, addresses)                                                    \
  NARROW_LOAD(space, short_d16_hi, SIM_SHORT_D16_HI, addresses)                                              \
  NARROW_STORE(space, byte, 1, 0, addresses)                                                                 \
  NARROW_STORE(space, byte_d16_hi, 1, 16, addresses)                                                         \
  NARROW_STORE(space, short, 2, 0, addresses)                                                                \
  NARROW_STORE(space, short_d16_hi, 2, 16, addresses)

NARROW_ALL(global, global_addresses)
NARROW_ALL(flat, global_addresses)
NARROW_ALL(scratch, scratch_addresses)

#define TO_LDS(name, dwords)                                                                                 \
  SIM_DO(global_load_lds_##name) {                                                                           \
    struct sim_lanes lanes;                                                                                  \
    global_addresses(w, inst, &lanes);                                                                       \
    load_to_lds(w, inst, &lanes, dwords);                                                                    \
  }
TO_LDS(dword, 1)
TO_LDS(dwordx3, 3)
TO_LDS(dwordx4, 4)

#define NARROW_TO_LDS(space, name, form, addresses)                                                          \
  SIM_DO(space##_load_lds_##name) {                                                                          \
    struct sim_lanes lanes;                                                                                  \
    addresses(w, inst, &lanes);                                                                              \
    narrow_to_lds(w, inst, &lanes, form);                                                                    \
  }
NARROW_TO_LDS(global, ubyte, SIM_UBYTE, global_addresses)
NARROW_TO_LDS(global, sbyte, SIM_SBYTE, global_addresses)
NARROW_TO_LDS(global, ushort, SIM_USHORT, global_addresses)
NARROW_TO_LDS(global, sshort, SIM_SSHORT, global_addresses)
NARROW_TO_LDS(scratch, ubyte, SIM_UBYTE, scratch_addresses)
NARROW_TO_LDS(scratch, sbyte, SIM_SBYTE, scratch_addresses)
NARROW_TO_LDS(scratch, ushort, SIM_USHORT, scratch_addresses)
NARROW_TO_LDS(scratch, sshort, SIM_SSHORT, scratch_addresses)

SIM_DO(scratch_load_lds_dword) {
  scratch_to_lds(w, inst, 1);
}
