/* MUBUF: loads and stores through a buffer resource.
 *
 * Address and range rules from AMD's "CDNA2 Instruction Set Architecture" guide, chapter "Vector memory buffer
 * instructions": an untyped access is tested dword by dword; what is out of the resource's range reads as zero and
 * is not stored. What is in range must lie in an allocation. */
#include "bench/hipsim/sim_buffer.h"

#include "bench/hipsim/sim_handlers.h"
#include "bench/hipsim/sim_lds.h"

/* ---- loads and stores of dwords ---- */

static uint8_t *element_place(const void *context, unsigned lane) {
  const struct sim_lanes *lanes = context;
  return sim_host((uint64_t)lanes->address[lane]);
}

/* All lanes whole and in range, nothing swizzled: the bytes of a lane lie together. */
static bool find_whole(struct sim_wave *w, enum sim_verb verb, const struct sim_buffer *buffer,
                       struct sim_lanes *lanes, uint32_t size) {
  if (buffer->swizzled) {
    return false;
  }
  for (uint64_t left = lanes->exec; left != 0; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(left);
    if (!sim_buffer_in_range(buffer, lane, 0, size)) {
      return false;
    }
    lanes->address[lane] = (int64_t)sim_buffer_address(buffer, lane, 0);
  }
  sim_fill_inactive(lanes);
  struct sim_footprint f = sim_measure(lanes, size, w->line_bits);
  const struct sim_span *span = sim_access_span(w, f.begin, f.end);
  if (span == NULL || (verb != SIM_VERB_LOAD && !span->writable)) {
    return false;
  }
  sim_buffer_count(w, verb, (uint64_t)__builtin_popcountll(lanes->exec) * size, f.lines);
  return true;
}

/* Dword `d` of the lanes: addresses in *lanes, whose exec becomes those in range. False: faulted. */
static bool find_dword(struct sim_wave *w, enum sim_verb verb, const struct sim_buffer *buffer, uint64_t exec,
                       unsigned d, struct sim_lanes *lanes) {
  lanes->exec = 0;
  for (uint64_t left = exec; left != 0; left &= left - 1) {
    int lane = __builtin_ctzll(left);
    if (sim_buffer_in_range(buffer, (unsigned)lane, 4u * d, 4)) {
      uint64_t address = sim_buffer_address(buffer, (unsigned)lane, 4u * d);
      if (!sim_access_check(w, verb, address, 4, lane)) {
        return false;
      }
      lanes->exec |= UINT64_C(1) << lane;
      lanes->address[lane] = (int64_t)address;
    }
  }
  if (lanes->exec != 0) {
    sim_fill_inactive(lanes);
    struct sim_footprint f = sim_measure(lanes, 4, w->line_bits);
    sim_buffer_count(w, verb, (uint64_t)__builtin_popcountll(lanes->exec) * 4u, f.lines);
  }
  return true;
}

static void clear_lanes(sim_vreg *v, uint64_t exec) {
  for (; exec != 0; exec &= exec - 1) {
    v[0][__builtin_ctzll(exec)] = 0;
  }
}

/* A lane's dwords, loaded to LDS at M0 + the instruction's offset + lane * size; zero when out of range. */
static void move_to_lds(struct sim_wave *w, const struct sim_inst *inst, uint64_t exec, sim_vreg *values,
                        unsigned dwords) {
  uint32_t size = 4u * dwords;
  uint64_t base = SIM_SHARED_APERTURE + (w->s[SIM_M0] & 0xffffu) + (uint64_t)(int64_t)inst->imm;
  for (; exec != 0; exec &= exec - 1) {
    int lane = __builtin_ctzll(exec);
    uint8_t *place = sim_access_flat(w, SIM_VERB_STORE, base + (unsigned)lane * size, size, lane);
    if (place == NULL) {
      return;
    }
    sim_store_lane(values, (unsigned)lane, place, dwords);
  }
}

SIM_ALWAYS void buffer_load(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords) {
  struct sim_buffer buffer;
  struct sim_lanes lanes = {.exec = sim_exec(w)};
  uint64_t exec = lanes.exec;
  sim_vreg staged[4];
  sim_vreg *to = inst->flags & SIM_F_LDS ? staged : sim_vector(w, inst->dst);
  if (exec == 0 || !sim_buffer_open(w, inst, &buffer)) {
    return;
  }
  if (find_whole(w, SIM_VERB_LOAD, &buffer, &lanes, 4u * dwords)) {
    sim_gather(to, dwords, exec, element_place, &lanes);
  } else {
    for (unsigned d = 0; d < dwords; d++) {
      if (!find_dword(w, SIM_VERB_LOAD, &buffer, exec, d, &lanes)) {
        return;
      }
      clear_lanes(&to[d], exec & ~lanes.exec);
      sim_gather(&to[d], 1, lanes.exec, element_place, &lanes);
    }
  }
  if (inst->flags & SIM_F_LDS) {
    move_to_lds(w, inst, exec, staged, dwords);
  }
}

SIM_ALWAYS void buffer_store(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords) {
  struct sim_buffer buffer;
  struct sim_lanes lanes = {.exec = sim_exec(w)};
  uint64_t exec = lanes.exec;
  const sim_vreg *from = sim_vector(w, inst->src[1]);
  if (exec == 0 || !sim_buffer_open(w, inst, &buffer)) {
    return;
  }
  if (find_whole(w, SIM_VERB_STORE, &buffer, &lanes, 4u * dwords)) {
    sim_scatter(from, dwords, exec, element_place, &lanes);
    return;
  }
  for (unsigned d = 0; d < dwords; d++) {
    if (!find_dword(w, SIM_VERB_STORE, &buffer, exec, d, &lanes)) {
      return;
    }
    sim_scatter(&from[d], 1, lanes.exec, element_place, &lanes);
  }
}

/* ---- bytes and shorts ---- */

SIM_ALWAYS void buffer_load_narrow(struct sim_wave *w, const struct sim_inst *inst, enum sim_narrow form) {
  static const uint8_t zeros[2] = {0, 0};
  struct sim_buffer buffer;
  unsigned size = sim_narrow_bytes(form);
  uint64_t exec = sim_exec(w), all = exec;
  sim_vreg staged[1];
  sim_vreg *to = inst->flags & SIM_F_LDS ? staged : sim_vector(w, inst->dst);
  if (exec == 0 || !sim_buffer_open(w, inst, &buffer)) {
    return;
  }
  sim_buffer_count(w, SIM_VERB_LOAD, (uint64_t)__builtin_popcountll(exec) * size, 1);
  for (; exec != 0; exec &= exec - 1) {
    int lane = __builtin_ctzll(exec);
    const uint8_t *place = zeros;
    if (sim_buffer_in_range(&buffer, (unsigned)lane, 0, size)) {
      uint64_t address = sim_buffer_address(&buffer, (unsigned)lane, 0);
      if (!sim_access_check(w, SIM_VERB_LOAD, address, size, lane)) {
        return;
      }
      place = sim_host(address);
    }
    to[0][lane] = sim_narrow_load(form, place, to[0][lane]);
  }
  if (inst->flags & SIM_F_LDS) {
    move_to_lds(w, inst, all, staged, 1);
  }
}

SIM_ALWAYS void buffer_store_narrow(struct sim_wave *w, const struct sim_inst *inst, unsigned size,
                                    unsigned shift) {
  struct sim_buffer buffer;
  uint64_t exec = sim_exec(w);
  if (exec == 0 || !sim_buffer_open(w, inst, &buffer)) {
    return;
  }
  sim_buffer_count(w, SIM_VERB_STORE, (uint64_t)__builtin_popcountll(exec) * size, 1);
  for (; exec != 0; exec &= exec - 1) {
    int lane = __builtin_ctzll(exec);
    if (sim_buffer_in_range(&buffer, (unsigned)lane, 0, size)) {
      uint64_t address = sim_buffer_address(&buffer, (unsigned)lane, 0);
      if (!sim_access_check(w, SIM_VERB_STORE, address, size, lane)) {
        return;
      }
      uint32_t value = sim_vector(w, inst->src[1])[0][lane] >> shift;
      memcpy(sim_host(address), &value, size);
    }
  }
}

/* ---- handlers ---- */

#define WIDE(width, dwords)                                                                                  \
  SIM_DO(buffer_load_##width) {                                                                              \
    buffer_load(w, inst, dwords);                                                                            \
  }                                                                                                          \
  SIM_DO(buffer_store_##width) {                                                                             \
    buffer_store(w, inst, dwords);                                                                           \
  }
WIDE(dword, 1)
WIDE(dwordx2, 2)
WIDE(dwordx3, 3)
WIDE(dwordx4, 4)

#define NARROW_LOAD(name, form)                                                                              \
  SIM_DO(buffer_load_##name) {                                                                               \
    buffer_load_narrow(w, inst, form);                                                                       \
  }
NARROW_LOAD(ubyte, SIM_UBYTE)
NARROW_LOAD(sbyte, SIM_SBYTE)
NARROW_LOAD(ushort, SIM_USHORT)
NARROW_LOAD(sshort, SIM_SSHORT)
NARROW_LOAD(ubyte_d16, SIM_UBYTE_D16)
NARROW_LOAD(ubyte_d16_hi, SIM_UBYTE_D16_HI)
NARROW_LOAD(sbyte_d16, SIM_SBYTE_D16)
NARROW_LOAD(sbyte_d16_hi, SIM_SBYTE_D16_HI)
NARROW_LOAD(short_d16, SIM_SHORT_D16)
NARROW_LOAD(short_d16_hi, SIM_SHORT_D16_HI)

#define NARROW_STORE(name, size, shift)                                                                      \
  SIM_DO(buffer_store_##name) {                                                                              \
    buffer_store_narrow(w, inst, size, shift);                                                               \
  }
NARROW_STORE(byte, 1, 0)
NARROW_STORE(byte_d16_hi, 1, 16)
NARROW_STORE(short, 2, 0)
NARROW_STORE(short_d16_hi, 2, 16)

/* There are no caches, so nothing is ever stale. */
#define CACHE_CONTROL(name)                                                                                  \
  SIM_DO(name) {                                                                                             \
    (void)w;                                                                                                 \
    (void)inst;                                                                                              \
  }
CACHE_CONTROL(buffer_wbl2)
CACHE_CONTROL(buffer_invl2)
CACHE_CONTROL(buffer_inv)
CACHE_CONTROL(buffer_wbinvl1)
CACHE_CONTROL(buffer_wbinvl1_vol)
