#include "bench/hipsim/sim_lds.h"

#include <stdlib.h>

#include "bench/hipsim/sim_check.h"

enum { COMMON_MAPS = 5, WAVE_MAPS = 2 };

struct sim_lds_shadow *sim_lds_create(uint32_t lds_bytes, uint32_t waves) {
  if (waves > SIM_MAX_WAVES) {
    return NULL;
  }
  struct sim_lds_shadow *shadow = calloc(1, sizeof *shadow);
  if (shadow == NULL) {
    return NULL;
  }
  /* Rounded to 64 bytes so that the maps can be walked in vectors; slack since a check reads 4 bytes. */
  shadow->map_bytes = (lds_bytes / 8u + 1u + SIM_LDS_SLACK + 63u) & ~(size_t)63;
  shadow->waves = waves;
  shadow->maps = aligned_alloc(64, shadow->map_bytes * (COMMON_MAPS + WAVE_MAPS * waves));
  shadow->queue = calloc(waves, sizeof shadow->queue[0]);
  if (shadow->maps == NULL || shadow->queue == NULL) {
    sim_lds_free(shadow);
    return NULL;
  }
  shadow->valid = shadow->maps;
  shadow->landing = shadow->valid + shadow->map_bytes;
  shadow->late = shadow->landing + shadow->map_bytes;
  shadow->written = shadow->late + shadow->map_bytes;
  shadow->read = shadow->written + shadow->map_bytes;
  for (uint32_t i = 0; i < waves; i++) {
    shadow->wave_written[i] = shadow->read + shadow->map_bytes * (1u + 2u * i);
    shadow->wave_read[i] = shadow->wave_written[i] + shadow->map_bytes;
  }
  sim_lds_reset(shadow);
  return shadow;
}

void sim_lds_free(struct sim_lds_shadow *shadow) {
  if (shadow != NULL) {
    free(shadow->maps);
    free(shadow->queue);
    free(shadow);
  }
}

void sim_lds_reset(struct sim_lds_shadow *shadow) {
  memset(shadow->maps, 0, shadow->map_bytes * (COMMON_MAPS + WAVE_MAPS * shadow->waves));
  for (uint32_t i = 0; i < shadow->waves; i++) {
    for (unsigned kind = 0; kind < SIM_LDS_KINDS; kind++) {
      shadow->queue[i][kind].count = 0;
    }
  }
  shadow->landings = 0;
}

static uint32_t load_bits(const uint8_t *map, uint32_t address) {
  uint32_t bits;
  memcpy(&bits, map + (address >> 3), sizeof bits);
  return bits >> (address & 7u);
}

static void or_bits(uint8_t *map, uint32_t address, uint32_t mask) {
  uint32_t bits;
  memcpy(&bits, map + (address >> 3), sizeof bits);
  bits |= mask << (address & 7u);
  memcpy(map + (address >> 3), &bits, sizeof bits);
}

static uint32_t size_mask(uint32_t size) {
  return (1u << size) - 1u;
}

/* ---- bytes on their way ---- */

static struct sim_lds_flight *flight_at(struct sim_lds_queue *queue, uint32_t i) {
  return &queue->flight[(queue->begin + i) % SIM_LDS_FLIGHTS];
}

static void mark(uint8_t *map, const struct sim_lds_flight *flight) {
  for (uint64_t left = flight->exec; left != 0; left &= left - 1) {
    or_bits(map, flight->address[__builtin_ctzll(left)], size_mask(flight->size));
  }
}

static void mark_all(uint8_t *map, struct sim_lds_queue *queue) {
  for (uint32_t i = 0; i < queue->count; i++) {
    mark(map, flight_at(queue, i));
  }
}

/* What landed may be what another load is still to fill: the map is made anew from those that are left. */
static void landed(struct sim_lds_shadow *shadow, uint32_t count) {
  shadow->landings -= count;
  memset(shadow->landing, 0, shadow->map_bytes);
  for (uint32_t i = 0; i < shadow->waves && shadow->landings > 0; i++) {
    mark_all(shadow->landing, &shadow->queue[i][SIM_LDS_LANDING]);
  }
}

void sim_lds_arrive(struct sim_lds_shadow *shadow, uint32_t wave, enum sim_lds_kind kind, uint32_t serial) {
  struct sim_lds_queue *queue = &shadow->queue[wave][kind];
  uint32_t count = 0;
  while (queue->count > 0 && (int32_t)(flight_at(queue, 0)->serial - serial) <= 0) {
    queue->begin = (queue->begin + 1) % SIM_LDS_FLIGHTS;
    queue->count--;
    count++;
  }
  if (kind == SIM_LDS_LANDING && count > 0) {
    landed(shadow, count);
  }
}

void sim_lds_leave(struct sim_lds_shadow *shadow, uint32_t wave, enum sim_lds_kind kind,
                   const struct sim_lds_flight *flight) {
  struct sim_lds_queue *queue = &shadow->queue[wave][kind];
  if (queue->count == SIM_LDS_FLIGHTS) {
    sim_lds_arrive(shadow, wave, kind, flight_at(queue, 0)->serial);
  }
  *flight_at(queue, queue->count++) = *flight;
  if (kind == SIM_LDS_LANDING) {
    shadow->landings++;
    mark(shadow->landing, flight);
  }
}

/* What is on its way at a barrier is, for the other waves, written behind it. */
static void keep_flights(struct sim_lds_shadow *shadow) {
  for (uint32_t i = 0; i < shadow->waves; i++) {
    for (unsigned kind = 0; kind < SIM_LDS_KINDS; kind++) {
      mark_all(shadow->wave_written[i], &shadow->queue[i][kind]);
      mark_all(shadow->written, &shadow->queue[i][kind]);
    }
  }
  memcpy(shadow->late, shadow->written, shadow->map_bytes);
}

/* Maps are whole words long. */
static void or_map(uint8_t *restrict map, const uint8_t *restrict more, size_t bytes) {
  for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
    uint64_t a, b;
    memcpy(&a, map + i, sizeof a);
    memcpy(&b, more + i, sizeof b);
    a |= b;
    memcpy(map + i, &a, sizeof a);
  }
}

void sim_lds_barrier(struct sim_lds_shadow *shadow) {
  or_map(shadow->valid, shadow->written, shadow->map_bytes);
  memset(shadow->written, 0, shadow->map_bytes * (2u + WAVE_MAPS * shadow->waves));
  keep_flights(shadow);
}

/* ---- reports ---- */

/* Another wave whose map has one of the bits; -1: none. */
static int other_wave(const struct sim_wave *w, uint8_t *const maps[], uint32_t address, uint32_t mask) {
  for (uint32_t i = 0; i < w->lds_shadow->waves; i++) {
    if (i != w->number && (load_bits(maps[i], address) & mask) != 0) {
      return (int)i;
    }
  }
  return -1;
}

static uint32_t first_byte(uint32_t address, uint32_t bits) {
  return address + (uint32_t)__builtin_ctz(bits);
}

/* What is wrong with this access, if anything is: a test of the maps of every wave, so only for an access
 * that the quick test in front found suspicious. */
static bool report(struct sim_wave *w, enum sim_lds_access access, uint32_t address, uint32_t mask,
                   int lane) {
  const struct sim_lds_shadow *shadow = w->lds_shadow;
  if (access != SIM_LDS_ATOMIC) {
    const char *verb = access == SIM_LDS_READ ? "read" : "write";
    int other = other_wave(w, shadow->wave_written, address, mask);
    if (other >= 0) {
      uint32_t byte = first_byte(address, load_bits(shadow->wave_written[other], address) & mask);
      bool late = (load_bits(shadow->late, byte) & 1u) != 0;
      sim_wave_fault(w, lane, "%s of LDS byte %u that wave %d wrote %s", verb, byte, other,
                     late ? "and did not wait for (s_waitcnt) ahead of the barrier"
                          : "with no barrier between");
      return true;
    }
    other = access == SIM_LDS_WRITE ? other_wave(w, shadow->wave_read, address, mask) : -1;
    if (other >= 0) {
      uint32_t byte = first_byte(address, load_bits(shadow->wave_read[other], address) & mask);
      sim_wave_fault(w, lane, "write of LDS byte %u that wave %d read with no barrier between", byte, other);
      return true;
    }
  }
  uint32_t known = load_bits(shadow->valid, address) | load_bits(shadow->written, address);
  if (access != SIM_LDS_WRITE && (known & mask) != mask) {
    sim_wave_fault(w, lane, "read of LDS byte %u, which nothing in this workgroup has written",
                   first_byte(address, ~known & mask));
    return true;
  }
  return false;
}

/* ---- one access ---- */

/* Nothing may touch what a load that goes to LDS is still to fill, but another such load of the same wave: they come
 * back in order. False: faulted. */
static bool is_there(struct sim_wave *w, enum sim_lds_access access, uint32_t address, uint32_t size,
                     int lane) {
  struct sim_lds_shadow *shadow = w->lds_shadow;
  uint32_t missing = load_bits(shadow->landing, address) & size_mask(size);
  bool loads = access == SIM_LDS_WRITE && sim_class_of[w->now->op] == SIM_CLASS_LOAD;
  if (missing == 0 || loads) {
    return true;
  }
  uint32_t byte = first_byte(address, missing);
  int owner = (load_bits(shadow->wave_written[w->number], byte) & 1u) != 0
                  ? (int)w->number
                  : other_wave(w, shadow->wave_written, byte, 1);
  sim_wave_fault(
      w, lane,
      "%s of LDS byte %u that a load of wave %d is still to fill: an s_waitcnt of vmcnt is missing%s",
      access == SIM_LDS_READ    ? "read"
      : access == SIM_LDS_WRITE ? "write"
                                : "atomic",
      byte, owner, owner == (int)w->number ? "" : " ahead of the barrier");
  return false;
}

static bool check_one(struct sim_wave *w, enum sim_lds_access access, uint32_t address, uint32_t size,
                      int lane) {
  struct sim_lds_shadow *shadow = w->lds_shadow;
  uint32_t mask = size_mask(size);
  uint32_t mine = load_bits(shadow->wave_written[w->number], address);
  uint32_t foreign = load_bits(shadow->written, address) & ~mine;
  uint32_t suspect;
  if (access == SIM_LDS_WRITE) {
    suspect = foreign | load_bits(shadow->read, address);
  } else {
    suspect = foreign | ~(load_bits(shadow->valid, address) | mine);
  }
  if ((suspect & mask) != 0 && report(w, access, address, mask, lane)) {
    return false;
  }
  if (access == SIM_LDS_WRITE) {
    or_bits(shadow->written, address, mask);
    or_bits(shadow->wave_written[w->number], address, mask);
  } else if (access == SIM_LDS_READ) {
    or_bits(shadow->read, address, mask);
    or_bits(shadow->wave_read[w->number], address, mask);
  }
  return true;
}

bool sim_lds_check_range(struct sim_wave *w, enum sim_lds_access access, uint32_t address, uint32_t size,
                         int lane) {
  for (uint32_t done = 0; done < size;) {
    uint32_t part = size - done < 16u ? size - done : 16u;
    if (w->lds_shadow->landings != 0 && !is_there(w, access, address + done, part, lane)) {
      return false;
    }
    if (!check_one(w, access, address + done, part, lane)) {
      return false;
    }
    done += part;
  }
  return true;
}

/* ---- a wave ----
 * Aligned accesses of 8 and 16 bytes are whole bytes and halves of the maps: 64 of them are tested without a
 * branch, and only when one looks wrong are they walked again for the report. */

#define CHECK_ALIGNED(name, type, bytes)                                                                     \
  static bool name##_read(const struct sim_wave *w, const uint32_t address[], uint64_t exec) {               \
    const struct sim_lds_shadow *shadow = w->lds_shadow;                                                     \
    const type *valid = (const type *)shadow->valid, *written = (const type *)shadow->written;               \
    const type *mine = (const type *)shadow->wave_written[w->number];                                        \
    type *read = (type *)shadow->read, *wave_read = (type *)shadow->wave_read[w->number];                    \
    unsigned suspect = 0;                                                                                    \
    for (; exec != 0; exec &= exec - 1) {                                                                    \
      uint32_t i = address[__builtin_ctzll(exec)] / (bytes);                                                 \
      unsigned own = mine[i];                                                                                \
      suspect |= (written[i] & ~own) | (~(valid[i] | own) & (type)-1);                                       \
      read[i] = (type)-1;                                                                                    \
      wave_read[i] = (type)-1;                                                                               \
    }                                                                                                        \
    return suspect == 0;                                                                                     \
  }                                                                                                          \
  static bool name##_write(const struct sim_wave *w, const uint32_t address[], uint64_t exec) {              \
    const struct sim_lds_shadow *shadow = w->lds_shadow;                                                     \
    const type *read = (const type *)shadow->read;                                                           \
    type *written = (type *)shadow->written, *mine = (type *)shadow->wave_written[w->number];                \
    unsigned suspect = 0;                                                                                    \
    for (uint64_t left = exec; left != 0; left &= left - 1) {                                                \
      uint32_t i = address[__builtin_ctzll(left)] / (bytes);                                                 \
      suspect |= (written[i] & ~(unsigned)mine[i]) | read[i];                                                \
    }                                                                                                        \
    if (suspect != 0) {                                                                                      \
      return false;                                                                                          \
    }                                                                                                        \
    for (; exec != 0; exec &= exec - 1) {                                                                    \
      uint32_t i = address[__builtin_ctzll(exec)] / (bytes);                                                 \
      written[i] = (type)-1;                                                                                 \
      mine[i] = (type)-1;                                                                                    \
    }                                                                                                        \
    return true;                                                                                             \
  }

CHECK_ALIGNED(byte, uint8_t, 8u)
CHECK_ALIGNED(half, uint16_t, 16u)

static uint32_t any_bits(const uint32_t address[], uint64_t exec) {
  uint32_t bits = 0;
  if (exec == ~UINT64_C(0)) {
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
      bits |= address[lane];
    }
    return bits;
  }
  for (; exec != 0; exec &= exec - 1) {
    bits |= address[__builtin_ctzll(exec)];
  }
  return bits;
}

/* Lanes side by side, all of them active: one range. */
static bool is_range(const uint32_t address[], uint32_t size, uint64_t exec) {
  uint32_t different = exec != ~UINT64_C(0);
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    different |= address[lane] ^ (address[0] + lane * size);
  }
  return different == 0;
}

/* A range that begins on a multiple of 8 bytes is whole bytes of the maps. */
static bool range_is_clean(const struct sim_wave *w, enum sim_lds_access access, uint32_t address,
                           uint32_t size) {
  const struct sim_lds_shadow *shadow = w->lds_shadow;
  uint8_t *mine = shadow->wave_written[w->number], *wave_read = shadow->wave_read[w->number];
  uint32_t begin = address / 8u, end = begin + size / 8u;
  unsigned suspect = 0;
  if (access == SIM_LDS_READ) {
    for (uint32_t i = begin; i < end; i++) {
      suspect |= (unsigned)((shadow->written[i] & ~mine[i]) | (~(shadow->valid[i] | mine[i]) & 0xff));
    }
  } else {
    for (uint32_t i = begin; i < end; i++) {
      suspect |= (unsigned)((shadow->written[i] & ~mine[i]) | shadow->read[i]);
    }
  }
  if (suspect != 0) {
    return false;
  }
  memset((access == SIM_LDS_READ ? shadow->read : shadow->written) + begin, 0xff, end - begin);
  memset((access == SIM_LDS_READ ? wave_read : mine) + begin, 0xff, end - begin);
  return true;
}

static bool quick_check(struct sim_wave *w, enum sim_lds_access access, const uint32_t address[],
                        uint32_t size, uint64_t exec) {
  if (access == SIM_LDS_ATOMIC || size < 2) {
    return false;
  }
  if ((address[0] & 7u) == 0 && is_range(address, size, exec)) {
    return range_is_clean(w, access, address[0], size * SIM_LANES);
  }
  if (size != 8 && size != 16) {
    return false;
  }
  uint32_t low = any_bits(address, exec) & (size - 1u);
  if (low != 0) {
    return false;
  }
  if (size == 8) {
    return access == SIM_LDS_READ ? byte_read(w, address, exec) : byte_write(w, address, exec);
  }
  return access == SIM_LDS_READ ? half_read(w, address, exec) : half_write(w, address, exec);
}

/* A DS write is on its way until lgkmcnt says that it is done; a wave alone need not care. */
static void note_store(struct sim_wave *w, const uint32_t address[SIM_LANES], uint32_t size, uint64_t exec) {
  if (w->check == NULL || w->lds_shadow->waves == 1) {
    return;
  }
  struct sim_lds_flight flight = {.serial = sim_check_of(w)->serials + 1, .size = size, .exec = exec};
  memcpy(flight.address, address, sizeof flight.address);
  sim_lds_leave(w->lds_shadow, w->number, SIM_LDS_STORED, &flight);
}

bool sim_lds_check(struct sim_wave *w, enum sim_lds_access access, const uint32_t address[SIM_LANES],
                   uint32_t size, uint64_t exec) {
  for (uint64_t left = w->lds_shadow->landings != 0 ? exec : 0; left != 0; left &= left - 1) {
    int lane = __builtin_ctzll(left);
    if (!is_there(w, access, address[lane], size, lane)) {
      return false;
    }
  }
  bool right = quick_check(w, access, address, size, exec);
  for (uint64_t left = right ? 0 : exec; left != 0; left &= left - 1) {
    int lane = __builtin_ctzll(left);
    if (!check_one(w, access, address[lane], size, lane)) {
      return false;
    }
  }
  if (access == SIM_LDS_WRITE) {
    note_store(w, address, size, exec);
  }
  return true;
}
