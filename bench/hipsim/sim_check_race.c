/* Races between the waves of a workgroup through global memory: two waves on one byte, one of them storing, with no
 * barrier between.
 *
 * Stores since the last barrier are kept by 64-byte line and wave, loads in a list of what each instruction touched.
 * Kernels store little and load much between barriers, so that a load costs a copy of its addresses, and only a store
 * into something that was loaded is compared lane by lane. Atomics, and loads that bypass caches (glc, which is how
 * volatile loads and those of flags look), are how waves may speak to each other; they are left out. Both
 * lists are finite: what does not fit is not checked. */
#include <stdlib.h>

#include "bench/hipsim/sim_buffer.h"
#include "bench/hipsim/sim_check.h"

enum { LINE_SHIFT = 6, LINE_BYTES = 64, STORES = 1 << 14, MOST_STORES = STORES / 4 * 3, LOADS = 512 };

struct stored {
  uint64_t line;
  uint64_t bytes; /* a bit a byte of the line */
  uint32_t epoch; /* of another epoch: empty */
  uint32_t wave;
};

struct touch {
  uint64_t begin, end; /* all bytes lie between */
  uint64_t lanes;
  uint32_t size; /* bytes a lane */
  uint32_t wave;
  uint64_t address[SIM_LANES];
};

struct sim_race {
  uint32_t epoch;
  uint32_t stores, loads;
  uint64_t begin, end; /* where the stores lie */
  struct stored stored[STORES];
  struct touch loaded[LOADS + 1]; /* the last one: room for a load that is compared but not kept */
};

struct sim_race *sim_race_create(uint32_t waves) {
  (void)waves;
  struct sim_race *race = calloc(1, sizeof *race);
  if (race != NULL) {
    sim_race_reset(race);
  }
  return race;
}

void sim_race_free(struct sim_race *race) {
  free(race);
}

void sim_race_reset(struct sim_race *race) {
  race->epoch++;
  race->stores = 0;
  race->loads = 0;
  race->begin = UINT64_MAX;
  race->end = 0;
}

/* ---- what an instruction touches ---- */

static void global_touch(const struct sim_wave *w, const struct sim_inst *inst, struct touch *t) {
  const sim_vreg *v = sim_vector(w, inst->src[0]);
  uint64_t base = (uint64_t)(int64_t)inst->imm;
  if (inst->src[2] != SIM_NO_OPERAND && sim_info[inst->op].format == SIM_FMT_GLOBAL) {
    base += sim_read_s64(w, inst->src[2]);
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
      t->address[lane] = base + v[0][lane];
    }
    return;
  }
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    t->address[lane] = base + ((uint64_t)v[1][lane] << 32 | v[0][lane]);
  }
}

/* False: the resource is none, or swizzled as scratch is. */
static bool buffer_touch(struct sim_wave *w, const struct sim_inst *inst, struct touch *t) {
  struct sim_buffer buffer;
  if (!sim_buffer_open(w, inst, &buffer) || buffer.swizzled) {
    return false;
  }
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    t->address[lane] = sim_buffer_address(&buffer, lane, 0);
    bool inside = sim_buffer_in_range(&buffer, lane, 0, t->size);
    t->lanes &= ~((uint64_t)!inside << lane);
  }
  return true;
}

/* Lanes of flat addresses that are LDS or scratch are not of this check. */
static void drop_apertures(struct touch *t) {
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    uint64_t upper = t->address[lane] >> 48;
    t->lanes &= ~((uint64_t)(upper == 1 || upper == 2) << lane);
  }
}

static void bound(struct touch *t) {
  uint64_t low = UINT64_MAX, high = 0;
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    bool active = (t->lanes >> lane & 1u) != 0;
    uint64_t a = t->address[lane];
    low = active && a < low ? a : low;
    high = active && a > high ? a : high;
  }
  t->begin = low;
  t->end = high + t->size;
}

/* False: nothing that could race. */
static bool find_touch(struct sim_wave *w, const struct sim_check_entry *e, struct touch *t) {
  const struct sim_inst *inst = e->inst;
  t->lanes = sim_exec(w);
  t->size = e->bytes;
  t->wave = w->number;
  if (t->lanes == 0 || e->bytes == 0) {
    return false;
  }
  if (sim_info[inst->op].format == SIM_FMT_MUBUF) {
    if (!buffer_touch(w, inst, t)) {
      return false;
    }
  } else {
    global_touch(w, inst, t);
    if (e->traits & SIM_TRAIT_FLAT) {
      drop_apertures(t);
    }
  }
  bound(t);
  return t->lanes != 0;
}

/* ---- comparing ---- */

static bool report(struct sim_wave *w, bool store, uint64_t address, int lane, uint32_t other, bool stored) {
  sim_wave_fault(w, lane, "%s at 0x%llx, which wave %u %s with no barrier between", store ? "store" : "load",
                 (unsigned long long)address, other, stored ? "stored" : "loaded");
  return false;
}

static uint32_t slot_of(uint64_t line) {
  return (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 50) % STORES;
}

/* Bytes [from, from + count) of a line. */
static uint64_t bytes_of(unsigned from, unsigned count) {
  return (count >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1u) << from;
}

/* The next part of an access that lies in one line. */
static unsigned part_of(uint64_t address, uint32_t left) {
  uint32_t room = LINE_BYTES - (uint32_t)(address % LINE_BYTES);
  return left < room ? left : room;
}

/* Another wave's store to one of the bytes; NULL: none. *mine: this wave's entry, or the free one behind the last. */
static struct stored *find_stored(struct sim_race *race, uint64_t line, uint64_t bytes, uint32_t wave,
                                  struct stored **mine) {
  uint32_t slot = slot_of(line);
  struct stored *other = NULL;
  *mine = NULL;
  for (; race->stored[slot].epoch == race->epoch; slot = (slot + 1u) % STORES) {
    struct stored *s = &race->stored[slot];
    if (s->line == line && s->wave == wave) {
      *mine = s;
    } else if (s->line == line && (s->bytes & bytes) != 0) {
      other = s;
    }
  }
  if (*mine == NULL) {
    *mine = &race->stored[slot];
  }
  return other;
}

/* How many lanes from `lane` on are active and follow each other without a gap: mostly all of them, which are then
 * looked at by the line, not by the lane. */
static uint32_t run_of(const struct touch *t, uint32_t lane) {
  uint32_t count = 1;
  while (lane + count < SIM_LANES && (t->lanes >> (lane + count) & 1u) != 0 &&
         t->address[lane + count] == t->address[lane] + (uint64_t)count * t->size) {
    count++;
  }
  return count;
}

/* Some lanes, whose `bytes` lie side by side from `address` on. */
static bool run_against_stores(struct sim_wave *w, struct sim_race *race, const struct touch *t, bool store,
                               uint32_t lane, uint32_t bytes) {
  for (uint32_t done = 0; done < bytes;) {
    const uint64_t address = t->address[lane] + done;
    unsigned part = part_of(address, bytes - done);
    uint64_t line = address >> LINE_SHIFT;
    uint64_t mask = bytes_of((unsigned)(address % LINE_BYTES), part);
    struct stored *mine, *other = find_stored(race, line, mask, t->wave, &mine);
    if (other != NULL) {
      uint64_t first = line * LINE_BYTES + (unsigned)__builtin_ctzll(other->bytes & mask);
      uint32_t which = lane + (uint32_t)(first - t->address[lane]) / t->size;
      return report(w, store, first, (int)which, other->wave, true);
    }
    if (store && mine->epoch == race->epoch) {
      mine->bytes |= mask;
    } else if (store && race->stores < MOST_STORES) {
      *mine = (struct stored){.line = line, .bytes = mask, .epoch = race->epoch, .wave = t->wave};
      race->stores++;
    }
    done += part;
  }
  return true;
}

static bool against_stores(struct sim_wave *w, struct sim_race *race, const struct touch *t, bool store) {
  for (uint64_t left = t->lanes; left != 0;) {
    uint32_t lane = (uint32_t)__builtin_ctzll(left), count = run_of(t, lane);
    if (!run_against_stores(w, race, t, store, lane, count * t->size)) {
      return false;
    }
    left = lane + count < SIM_LANES ? left >> (lane + count) << (lane + count) : 0;
  }
  return true;
}

static bool overlap(const struct touch *store, const struct touch *load, int *lane, uint64_t *address) {
  for (uint64_t left = store->lanes; left != 0; left &= left - 1) {
    uint64_t a = store->address[__builtin_ctzll(left)];
    for (unsigned i = 0; i < SIM_LANES; i++) {
      uint64_t b = load->address[i];
      if ((load->lanes >> i & 1u) && a < b + load->size && b < a + store->size) {
        *lane = __builtin_ctzll(left);
        *address = a > b ? a : b;
        return true;
      }
    }
  }
  return false;
}

static bool against_loads(struct sim_wave *w, const struct sim_race *race, const struct touch *t) {
  for (uint32_t i = 0; i < race->loads; i++) {
    const struct touch *load = &race->loaded[i];
    int lane;
    uint64_t address;
    if (load->wave != t->wave && load->begin < t->end && t->begin < load->end &&
        overlap(t, load, &lane, &address)) {
      return report(w, true, address, lane, load->wave, false);
    }
  }
  return true;
}

static bool load_is_right(struct sim_wave *w, const struct sim_check_entry *e) {
  struct sim_race *race = w->check->race;
  struct touch *t = &race->loaded[race->loads];
  if ((e->inst->flags & SIM_F_GLC) || !find_touch(w, e, t)) {
    return w->state != SIM_FAULTED;
  }
  race->loads += race->loads < LOADS;
  return race->begin >= t->end || race->end <= t->begin || against_stores(w, race, t, false);
}

static bool store_is_right(struct sim_wave *w, const struct sim_check_entry *e) {
  struct sim_race *race = w->check->race;
  struct touch t;
  if (!find_touch(w, e, &t)) {
    return w->state != SIM_FAULTED;
  }
  race->begin = t.begin < race->begin ? t.begin : race->begin;
  race->end = t.end > race->end ? t.end : race->end;
  return against_loads(w, race, &t) && against_stores(w, race, &t, true);
}

bool sim_race_access(struct sim_wave *w, const struct sim_check_entry *e) {
  return e->traits & SIM_TRAIT_STORE ? store_is_right(w, e) : load_is_right(w, e);
}
