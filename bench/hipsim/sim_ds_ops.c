/* LDS: reads, writes and atomics. Rules from AMD's "CDNA2 Instruction Set Architecture" guide, chapter "Data share
 * operations". Accesses may be unaligned, as under ROCm (SH_MEM_CONFIG.alignment_mode = unaligned); atomics may not.
 *
 * Where hardware returns zero or drops what lies outside of the workgroup's LDS, the simulator reports it. */
#include "bench/hipsim/sim_atomic.h"
#include "bench/hipsim/sim_bank.h"
#include "bench/hipsim/sim_handlers.h"
#include "bench/hipsim/sim_lds.h"

/* ---- addresses ---- */

struct places {
  uint32_t address[SIM_LANES] __attribute__((aligned(64))); /* of inactive lanes: some active one's */
  uint8_t *lds;
  uint64_t exec;
  bool contiguous; /* all lanes active, each right behind the one before */
};

static uint8_t *lds_place(const void *context, unsigned lane) {
  const struct places *places = context;
  return places->lds + places->address[lane];
}

static const char *const verb_text[] = {
    [SIM_LDS_READ] = "read", [SIM_LDS_WRITE] = "write", [SIM_LDS_ATOMIC] = "atomic"};

static void report_outside(struct sim_wave *w, enum sim_lds_access access, const struct places *places,
                           uint32_t size) {
  for (uint64_t left = places->exec; left != 0; left &= left - 1) {
    int lane = __builtin_ctzll(left);
    uint32_t address = places->address[lane];
    if ((uint64_t)address + size > w->lds_bytes) {
      sim_wave_fault(w, lane, "%s of %u bytes at LDS byte %u, but the workgroup has %u bytes",
                     verb_text[access], size, address, w->lds_bytes);
      return;
    }
  }
}

static void report_alignment(struct sim_wave *w, const struct places *places, uint32_t size) {
  for (uint64_t left = places->exec; left != 0; left &= left - 1) {
    int lane = __builtin_ctzll(left);
    if ((places->address[lane] & (size - 1u)) != 0) {
      sim_wave_fault(w, lane, "atomic at LDS byte %u, which is no multiple of its %u bytes",
                     places->address[lane], size);
      return;
    }
  }
}

/* Which entry of the memory a pattern belongs into: any will do, for the whole pattern is compared. */
SIM_ALWAYS unsigned slot_of(const struct sim_bank_pattern *pattern) {
  uint32_t hash = (uint32_t)pattern->exec ^ (uint32_t)(pattern->exec >> 32) ^ pattern->size << 8;
  for (uint32_t i = 0; i < SIM_LANES; i++) {
    hash += pattern->distance[i] * (0x9e3779b1u + 2u * i * 0x85ebca6bu);
  }
  return (hash * 0x9e3779b1u) >> 16 & (SIM_BANK_MEMORY - 1u);
}

SIM_ALWAYS bool same_pattern(const struct sim_bank_pattern *a, const struct sim_bank_pattern *b) {
  uint32_t different = 0;
  for (uint32_t i = 0; i < SIM_LANES; i++) {
    different |= a->distance[i] ^ b->distance[i];
  }
  return different == 0 && a->exec == b->exec && a->size == b->size && a->low == b->low && a->read == b->read;
}

SIM_ALWAYS void count_cycles(struct sim_wave *w, const struct places *places, uint32_t size, bool read) {
  const uint32_t *a = places->address;
  struct sim_bank_pattern pattern = {.exec = places->exec, .size = size, .low = a[0] & 3u, .read = read};
  for (uint32_t i = 0; i < SIM_LANES; i++) {
    pattern.distance[i] = a[i] - a[0];
  }
  struct sim_bank_entry *entry = &w->banks->entry[slot_of(&pattern)];
  if (!same_pattern(&entry->pattern, &pattern)) {
    entry->pattern = pattern;
    sim_bank_cost(w->dispatch->arch, &pattern, &entry->cycles, &entry->conflicts);
  }
  w->counts->lds_cycles += entry->cycles;
  w->counts->lds_conflict_cycles += entry->conflicts;
}

/* Addresses, bounds and strict checks of one access of all lanes. False: nothing to do, or faulted. */
SIM_ALWAYS bool locate(struct sim_wave *w, const struct sim_inst *inst, enum sim_lds_access access,
                       uint32_t offset, uint32_t size, struct places *places) {
  places->exec = sim_exec(w);
  places->lds = w->lds;
  if (places->exec == 0) {
    return false;
  }
  if (inst->flags & SIM_F_LDS) {
    sim_wave_fault(w, -1, "global data share is not simulated");
    return false;
  }
  const uint32_t *v = sim_vector(w, inst->src[0])[0];
  uint32_t *a = places->address;
  uint32_t highest = 0, different = 0, low_bits = 0;
  if (places->exec == ~UINT64_C(0)) {
    for (unsigned i = 0; i < SIM_LANES; i++) {
      a[i] = v[i] + offset;
    }
  } else {
    uint32_t filler = v[__builtin_ctzll(places->exec)];
    for (unsigned i = 0; i < SIM_LANES; i++) {
      a[i] = (places->exec >> i & 1u ? v[i] : filler) + offset;
    }
    different = 1;
  }
  for (unsigned i = 0; i < SIM_LANES; i++) {
    highest = a[i] > highest ? a[i] : highest;
    different |= a[i] ^ (a[0] + i * size);
    low_bits |= a[i];
  }
  places->contiguous = different == 0;
  if ((uint64_t)highest + size > w->lds_bytes) {
    report_outside(w, access, places, size);
    return false;
  }
  if (access == SIM_LDS_ATOMIC && (low_bits & (size - 1u)) != 0) {
    report_alignment(w, places, size);
    return false;
  }
  count_cycles(w, places, size, access == SIM_LDS_READ);
  return w->lds_shadow == NULL || sim_lds_check(w, access, a, size, places->exec);
}

/* ---- dwords ---- */

SIM_ALWAYS void read_dwords(struct sim_wave *w, const struct sim_inst *inst, uint32_t offset, sim_vreg *to,
                            unsigned dwords) {
  struct places places;
  if (!locate(w, inst, SIM_LDS_READ, offset, 4u * dwords, &places)) {
    return;
  }
  if (dwords == 1 && places.contiguous) {
    memcpy(to[0], lds_place(&places, 0), sizeof to[0]);
  } else {
    sim_gather(to, dwords, places.exec, lds_place, &places);
  }
}

SIM_ALWAYS void write_dwords(struct sim_wave *w, const struct sim_inst *inst, uint32_t offset,
                             unsigned operand, unsigned dwords) {
  struct places places;
  if (!locate(w, inst, SIM_LDS_WRITE, offset, 4u * dwords, &places)) {
    return;
  }
  const sim_vreg *from = sim_vector(w, operand);
  if (dwords == 1 && places.contiguous) {
    memcpy(lds_place(&places, 0), from[0], sizeof from[0]);
  } else {
    sim_scatter(from, dwords, places.exec, lds_place, &places);
  }
}

/* The two reads of one instruction take their addresses before either is written. */
SIM_ALWAYS void read_two(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords, uint32_t unit) {
  sim_vreg first[2];
  memcpy(first, sim_vector(w, inst->dst), sizeof first[0] * dwords);
  read_dwords(w, inst, (uint32_t)inst->imm * unit, first, dwords);
  if (w->state == SIM_RUNNING) {
    sim_vreg *to = sim_vector(w, inst->dst);
    read_dwords(w, inst, inst->offset1 * unit, to + dwords, dwords);
    memcpy(to, first, sizeof first[0] * dwords);
  }
}

SIM_ALWAYS void write_two(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords, uint32_t unit) {
  write_dwords(w, inst, (uint32_t)inst->imm * unit, inst->src[1], dwords);
  if (w->state == SIM_RUNNING) {
    write_dwords(w, inst, inst->offset1 * unit, inst->src[2], dwords);
  }
}

#define WIDE(width, dwords)                                                                                  \
  SIM_DO(ds_read_##width) {                                                                                  \
    read_dwords(w, inst, (uint32_t)inst->imm, sim_vector(w, inst->dst), dwords);                             \
  }                                                                                                          \
  SIM_DO(ds_write_##width) {                                                                                 \
    write_dwords(w, inst, (uint32_t)inst->imm, inst->src[1], dwords);                                        \
  }
WIDE(b32, 1)
WIDE(b64, 2)
WIDE(b96, 3)
WIDE(b128, 4)

#define TWO(width, dwords)                                                                                   \
  SIM_DO(ds_read2_##width) {                                                                                 \
    read_two(w, inst, dwords, 4u * dwords);                                                                  \
  }                                                                                                          \
  SIM_DO(ds_read2st64_##width) {                                                                             \
    read_two(w, inst, dwords, 256u * dwords);                                                                \
  }                                                                                                          \
  SIM_DO(ds_write2_##width) {                                                                                \
    write_two(w, inst, dwords, 4u * dwords);                                                                 \
  }                                                                                                          \
  SIM_DO(ds_write2st64_##width) {                                                                            \
    write_two(w, inst, dwords, 256u * dwords);                                                               \
  }
TWO(b32, 1)
TWO(b64, 2)

/* ---- bytes and shorts ---- */

SIM_ALWAYS void read_narrow(struct sim_wave *w, const struct sim_inst *inst, enum sim_narrow form) {
  struct places places;
  if (!locate(w, inst, SIM_LDS_READ, (uint32_t)inst->imm, sim_narrow_bytes(form), &places)) {
    return;
  }
  uint32_t *to = sim_vector(w, inst->dst)[0];
  for (uint64_t left = places.exec; left != 0; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(left);
    to[lane] = sim_narrow_load(form, lds_place(&places, lane), to[lane]);
  }
}

SIM_ALWAYS void write_narrow(struct sim_wave *w, const struct sim_inst *inst, unsigned size, unsigned shift) {
  struct places places;
  if (!locate(w, inst, SIM_LDS_WRITE, (uint32_t)inst->imm, size, &places)) {
    return;
  }
  const uint32_t *from = sim_vector(w, inst->src[1])[0];
  for (uint64_t left = places.exec; left != 0; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(left);
    uint32_t value = from[lane] >> shift;
    memcpy(lds_place(&places, lane), &value, size);
  }
}

#define NARROW_READ(name, form)                                                                              \
  SIM_DO(ds_read_##name) {                                                                                   \
    read_narrow(w, inst, form);                                                                              \
  }
NARROW_READ(u8, SIM_UBYTE)
NARROW_READ(i8, SIM_SBYTE)
NARROW_READ(u16, SIM_USHORT)
NARROW_READ(i16, SIM_SSHORT)
NARROW_READ(u8_d16, SIM_UBYTE_D16)
NARROW_READ(u8_d16_hi, SIM_UBYTE_D16_HI)
NARROW_READ(i8_d16, SIM_SBYTE_D16)
NARROW_READ(i8_d16_hi, SIM_SBYTE_D16_HI)
NARROW_READ(u16_d16, SIM_SHORT_D16)
NARROW_READ(u16_d16_hi, SIM_SHORT_D16_HI)

#define NARROW_WRITE(name, size, shift)                                                                      \
  SIM_DO(ds_write_##name) {                                                                                  \
    write_narrow(w, inst, size, shift);                                                                      \
  }
NARROW_WRITE(b8, 1, 0)
NARROW_WRITE(b8_d16_hi, 1, 16)
NARROW_WRITE(b16, 2, 0)
NARROW_WRITE(b16_d16_hi, 2, 16)

/* ---- atomics ----
 * One thread runs all waves of a workgroup, so plain reads and writes do. */

static uint64_t register_pair(const sim_vreg *v, unsigned lane, unsigned dwords) {
  return dwords == 1 ? v[0][lane] : (uint64_t)v[1][lane] << 32 | v[0][lane];
}

/* Compare-and-store has the value to compare with first, the new one second. */
SIM_ALWAYS void ds_atomic(struct sim_wave *w, const struct sim_inst *inst, enum sim_atomic_op op,
                          unsigned dwords) {
  struct places places;
  if (!locate(w, inst, SIM_LDS_ATOMIC, (uint32_t)inst->imm, 4u * dwords, &places)) {
    return;
  }
  bool compares = op == SIM_ATOMIC_CMPSWAP || op == SIM_ATOMIC_CMPSWAP_F;
  const sim_vreg *data = sim_vector(w, inst->src[compares ? 2 : 1]);
  const sim_vreg *compare = sim_vector(w, inst->src[1]);
  for (uint64_t left = places.exec; left != 0; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(left);
    uint8_t *place = lds_place(&places, lane);
    uint64_t old = 0, value = register_pair(data, lane, dwords), other = register_pair(compare, lane, dwords);
    memcpy(&old, place, (size_t)4 * dwords);
    uint64_t changed = dwords == 1
                           ? sim_atomic_apply32(op, (uint32_t)old, (uint32_t)value, (uint32_t)other, w->mode)
                           : sim_atomic_apply64(op, old, value, other, w->mode);
    memcpy(place, &changed, (size_t)4 * dwords);
    if (inst->dst != SIM_NO_OPERAND) {
      sim_vector(w, inst->dst)[0][lane] = (uint32_t)old;
      if (dwords == 2) {
        sim_vector(w, inst->dst)[1][lane] = (uint32_t)(old >> 32);
      }
    }
  }
}

/* ---- atomics with two operands, exchanges of two places ---- */

static void set_pair(struct sim_wave *w, unsigned operand, unsigned lane, unsigned dwords, uint64_t value) {
  if (operand != SIM_NO_OPERAND) {
    for (unsigned d = 0; d < dwords; d++) {
      sim_vector(w, operand)[d][lane] = (uint32_t)(value >> 32 * d);
    }
  }
}

enum two_operand { MASKED_OR, WRAP };

static uint64_t combine(enum two_operand op, uint64_t old, uint64_t first, uint64_t second) {
  if (op == MASKED_OR) {
    return (old & ~first) | second;
  }
  return old >= first ? old - first : old + second;
}

static void two_operands(struct sim_wave *w, const struct sim_inst *inst, enum two_operand op,
                         unsigned dwords) {
  struct places places;
  if (!locate(w, inst, SIM_LDS_ATOMIC, (uint32_t)inst->imm, 4u * dwords, &places)) {
    return;
  }
  for (uint64_t left = places.exec; left != 0; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(left);
    uint64_t old = 0, changed;
    memcpy(&old, lds_place(&places, lane), (size_t)4 * dwords);
    changed = combine(op, old, register_pair(sim_vector(w, inst->src[1]), lane, dwords),
                      register_pair(sim_vector(w, inst->src[2]), lane, dwords));
    memcpy(lds_place(&places, lane), &changed, (size_t)4 * dwords);
    set_pair(w, inst->dst, lane, dwords, old);
  }
}

/* Both places are found before either changes; the old values go to neighbouring registers. */
static void exchange_two(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords, uint32_t unit) {
  struct places places[2];
  for (unsigned i = 0; i < 2; i++) {
    uint32_t offset = (i == 0 ? (uint32_t)inst->imm : inst->offset1) * unit;
    if (!locate(w, inst, SIM_LDS_ATOMIC, offset, 4u * dwords, &places[i])) {
      return;
    }
  }
  for (uint64_t left = places[0].exec; left != 0; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(left);
    uint64_t old[2] = {0, 0}, new[2];
    for (unsigned i = 0; i < 2; i++) {
      new[i] = register_pair(sim_vector(w, inst->src[1 + i]), lane, dwords);
    }
    for (unsigned i = 0; i < 2; i++) {
      memcpy(&old[i], lds_place(&places[i], lane), (size_t)4 * dwords);
      memcpy(lds_place(&places[i], lane), &new[i], (size_t)4 * dwords);
    }
    for (unsigned i = 0; i < 2; i++) {
      set_pair(w, inst->dst + i * dwords, lane, dwords, old[i]);
    }
  }
}

#define TWO_OPERANDS(name, op, dwords)                                                                       \
  SIM_DO(ds_##name) {                                                                                        \
    two_operands(w, inst, op, dwords);                                                                       \
  }
TWO_OPERANDS(mskor_b32, MASKED_OR, 1)
TWO_OPERANDS(mskor_rtn_b32, MASKED_OR, 1)
TWO_OPERANDS(mskor_b64, MASKED_OR, 2)
TWO_OPERANDS(mskor_rtn_b64, MASKED_OR, 2)
TWO_OPERANDS(wrap_rtn_b32, WRAP, 1)

#define EXCHANGE_TWO(name, dwords, unit)                                                                     \
  SIM_DO(ds_##name) {                                                                                        \
    exchange_two(w, inst, dwords, unit);                                                                     \
  }
EXCHANGE_TWO(wrxchg2_rtn_b32, 1, 4)
EXCHANGE_TWO(wrxchg2st64_rtn_b32, 1, 256)
EXCHANGE_TWO(wrxchg2_rtn_b64, 2, 8)
EXCHANGE_TWO(wrxchg2st64_rtn_b64, 2, 512)

/* ---- addresses out of M0: each lane's own dword, and counters of the wave ---- */

static uint8_t *own_dword(struct sim_wave *w, const struct sim_inst *inst, enum sim_verb verb,
                          unsigned lane) {
  uint64_t offset = (uint64_t)(w->s[SIM_M0] & 0xffffu) + (uint32_t)inst->imm + 4u * lane;
  return sim_access_flat(w, verb, SIM_SHARED_APERTURE + offset, 4, (int)lane);
}

SIM_DO(ds_write_addtid_b32) {
  for (uint64_t left = sim_exec(w); left != 0 && w->state == SIM_RUNNING; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(left);
    uint8_t *place = own_dword(w, inst, SIM_VERB_STORE, lane);
    if (place != NULL) {
      memcpy(place, &sim_vector(w, inst->src[1])[0][lane], 4);
    }
  }
}

SIM_DO(ds_read_addtid_b32) {
  for (uint64_t left = sim_exec(w); left != 0 && w->state == SIM_RUNNING; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(left);
    const uint8_t *place = own_dword(w, inst, SIM_VERB_LOAD, lane);
    if (place != NULL) {
      memcpy(&sim_vector(w, inst->dst)[0][lane], place, 4);
    }
  }
}

/* Adds the number of active lanes to a counter, or takes it away; all lanes get the old value. */
static void count_lanes(struct sim_wave *w, const struct sim_inst *inst, bool up) {
  uint64_t exec = sim_exec(w);
  if (inst->flags & SIM_F_LDS) {
    sim_wave_fault(w, -1, "global data share is not simulated");
    return;
  }
  uint64_t offset = (uint64_t)(w->s[SIM_M0] >> 16) + (uint32_t)inst->imm;
  if (exec == 0 || offset % 4u != 0) {
    if (offset % 4u != 0) {
      sim_wave_fault(w, -1, "atomic at LDS byte %llu, which is no multiple of its 4 bytes",
                     (unsigned long long)offset);
    }
    return;
  }
  uint8_t *place = sim_access_flat(w, SIM_VERB_ATOMIC, SIM_SHARED_APERTURE + offset, 4, 0);
  if (place == NULL) {
    return;
  }
  uint32_t old, lanes = (uint32_t)__builtin_popcountll(exec);
  memcpy(&old, place, 4);
  uint32_t changed = up ? old + lanes : old - lanes;
  memcpy(place, &changed, 4);
  for (; exec != 0; exec &= exec - 1) {
    sim_vector(w, inst->dst)[0][__builtin_ctzll(exec)] = old;
  }
}

SIM_DO(ds_append) {
  count_lanes(w, inst, true);
}

SIM_DO(ds_consume) {
  count_lanes(w, inst, false);
}

/* ---- the others ---- */

#define ATOMIC(name, op, dwords)                                                                             \
  SIM_DO(ds_##name) {                                                                                        \
    ds_atomic(w, inst, op, dwords);                                                                          \
  }

#define ALL_OPS(kind, bits, dwords)                                                                          \
  ATOMIC(add##kind##_u##bits, SIM_ATOMIC_ADD, dwords)                                                        \
  ATOMIC(sub##kind##_u##bits, SIM_ATOMIC_SUB, dwords)                                                        \
  ATOMIC(rsub##kind##_u##bits, SIM_ATOMIC_RSUB, dwords)                                                      \
  ATOMIC(inc##kind##_u##bits, SIM_ATOMIC_INC, dwords)                                                        \
  ATOMIC(dec##kind##_u##bits, SIM_ATOMIC_DEC, dwords)                                                        \
  ATOMIC(min##kind##_i##bits, SIM_ATOMIC_SMIN, dwords)                                                       \
  ATOMIC(max##kind##_i##bits, SIM_ATOMIC_SMAX, dwords)                                                       \
  ATOMIC(min##kind##_u##bits, SIM_ATOMIC_UMIN, dwords)                                                       \
  ATOMIC(max##kind##_u##bits, SIM_ATOMIC_UMAX, dwords)                                                       \
  ATOMIC(and##kind##_b##bits, SIM_ATOMIC_AND, dwords)                                                        \
  ATOMIC(or ##kind##_b##bits, SIM_ATOMIC_OR, dwords)                                                         \
  ATOMIC(xor##kind##_b##bits, SIM_ATOMIC_XOR, dwords)                                                        \
  ATOMIC(cmpst##kind##_b##bits, SIM_ATOMIC_CMPSWAP, dwords)                                                  \
  ATOMIC(cmpst##kind##_f##bits, SIM_ATOMIC_CMPSWAP_F, dwords)                                                \
  ATOMIC(min##kind##_f##bits, SIM_ATOMIC_MIN_F, dwords)                                                      \
  ATOMIC(max##kind##_f##bits, SIM_ATOMIC_MAX_F, dwords)                                                      \
  ATOMIC(add##kind##_f##bits, SIM_ATOMIC_ADD_F, dwords)

ALL_OPS(, 32, 1)
ALL_OPS(_rtn, 32, 1)
ALL_OPS(, 64, 2)
ALL_OPS(_rtn, 64, 2)
ATOMIC(wrxchg_rtn_b32, SIM_ATOMIC_SWAP, 1)
ATOMIC(wrxchg_rtn_b64, SIM_ATOMIC_SWAP, 2)
ATOMIC(pk_add_f16, SIM_ATOMIC_PK_ADD_F16, 1)
ATOMIC(pk_add_rtn_f16, SIM_ATOMIC_PK_ADD_F16, 1)
ATOMIC(pk_add_bf16, SIM_ATOMIC_PK_ADD_BF16, 1)
ATOMIC(pk_add_rtn_bf16, SIM_ATOMIC_PK_ADD_BF16, 1)
