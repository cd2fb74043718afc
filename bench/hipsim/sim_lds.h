/* Strict checks of LDS: a byte that is read before anything wrote it, two waves on one byte, one of them writing, with
 * no barrier between, and bytes on their way: what a load that goes to LDS is still to fill, and what a wave wrote and did
 * not wait for ahead of the barrier.
 *
 * A bit a byte: which bytes were ever written, and for each wave which it read and wrote since the last
 * barrier. The checks are exact: 16-bit halves of a dword may belong to two waves. Atomics are checked for
 * unwritten bytes only: several waves may update one counter. */
#ifndef SIM_LDS_H
#define SIM_LDS_H

#include "bench/hipsim/sim_wave.h"

enum { SIM_MAX_WAVES = 16, SIM_LDS_SLACK = 8 };

/* Instructions whose bytes are on their way, by the counter that tells when they are there: vmcnt of loads that go to
 * LDS, lgkmcnt of DS writes. */
enum sim_lds_kind { SIM_LDS_LANDING, SIM_LDS_STORED, SIM_LDS_KINDS };
enum { SIM_LDS_FLIGHTS = 64 }; /* of a wave and kind; of more, the oldest count as arrived */

struct sim_lds_flight {
  uint32_t serial; /* of the instruction: ascending */
  uint32_t size;   /* bytes a lane */
  uint64_t exec;
  uint32_t address[SIM_LANES];
};

struct sim_lds_queue {
  uint32_t begin, count;
  struct sim_lds_flight flight[SIM_LDS_FLIGHTS]; /* a ring */
};

struct sim_lds_shadow {
  uint32_t waves;
  uint32_t landings; /* in flight, of all waves */
  size_t map_bytes;  /* of one map */
  uint8_t *maps;     /* all of them, one allocation */
  uint8_t *valid;    /* written before the last barrier, or by an atomic */
  uint8_t *landing;  /* a load that goes to LDS is to fill it */
  uint8_t *late;     /* was on its way at the last barrier */
  uint8_t *written;  /* by any wave since the last barrier */
  uint8_t *read;
  uint8_t *wave_written[SIM_MAX_WAVES];
  uint8_t *wave_read[SIM_MAX_WAVES];
  struct sim_lds_queue (*queue)[SIM_LDS_KINDS]; /* of each wave */
};

/* NULL: memory ran out. */
struct sim_lds_shadow *sim_lds_create(uint32_t lds_bytes, uint32_t waves);
void sim_lds_free(struct sim_lds_shadow *shadow);
/* Forgets everything: a new workgroup. */
void sim_lds_reset(struct sim_lds_shadow *shadow);
/* All waves have met: what was written is there for everybody. */
void sim_lds_barrier(struct sim_lds_shadow *shadow);

/* An instruction of a wave whose bytes are on their way, and that all up to `serial` are there. */
void sim_lds_leave(struct sim_lds_shadow *shadow, uint32_t wave, enum sim_lds_kind kind,
                   const struct sim_lds_flight *flight);
void sim_lds_arrive(struct sim_lds_shadow *shadow, uint32_t wave, enum sim_lds_kind kind, uint32_t serial);

enum sim_lds_access { SIM_LDS_READ, SIM_LDS_WRITE, SIM_LDS_ATOMIC };

/* Notes an access of `size` bytes (1 to 16) by each active lane, whose addresses were found inside LDS.
 * False, with the wave faulted, when it is one of the two mistakes. */
bool sim_lds_check(struct sim_wave *w, enum sim_lds_access access, const uint32_t address[SIM_LANES],
                   uint32_t size, uint64_t exec);
/* The same for one range of bytes. `lane` is named in the report. */
bool sim_lds_check_range(struct sim_wave *w, enum sim_lds_access access, uint32_t address, uint32_t size,
                         int lane);

#endif
