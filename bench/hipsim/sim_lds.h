/* Strict checks of LDS: a byte that is read before anything wrote it, and two waves on one byte, one of them
 * writing, with no barrier between.
 *
 * A bit a byte: which bytes were ever written, and for each wave which it read and wrote since the last
 * barrier. The checks are exact: 16-bit halves of a dword may belong to two waves. Atomics are checked for
 * unwritten bytes only: several waves may update one counter. */
#ifndef SIM_LDS_H
#define SIM_LDS_H

#include "bench/hipsim/sim_wave.h"

enum { SIM_MAX_WAVES = 16, SIM_LDS_SLACK = 8 };

struct sim_lds_shadow {
  uint32_t waves;
  size_t map_bytes; /* of one map */
  uint8_t *maps;    /* all of them, one allocation */
  uint8_t *valid;   /* written before the last barrier, or by an atomic */
  uint8_t *written; /* by any wave since the last barrier */
  uint8_t *read;
  uint8_t *wave_written[SIM_MAX_WAVES];
  uint8_t *wave_read[SIM_MAX_WAVES];
};

/* NULL: memory ran out. */
struct sim_lds_shadow *sim_lds_create(uint32_t lds_bytes, uint32_t waves);
void sim_lds_free(struct sim_lds_shadow *shadow);
/* Forgets everything: a new workgroup. */
void sim_lds_reset(struct sim_lds_shadow *shadow);
/* All waves have met: what was written is there for everybody. */
void sim_lds_barrier(struct sim_lds_shadow *shadow);

enum sim_lds_access { SIM_LDS_READ, SIM_LDS_WRITE, SIM_LDS_ATOMIC };

/* Notes an access of `size` bytes (1 to 16) by each active lane, whose addresses were found inside LDS.
 * False, with the wave faulted, when it is one of the two mistakes. */
bool sim_lds_check(struct sim_wave *w, enum sim_lds_access access, const uint32_t address[SIM_LANES],
                   uint32_t size, uint64_t exec);
/* The same for one range of bytes. `lane` is named in the report. */
bool sim_lds_check_range(struct sim_wave *w, enum sim_lds_access access, uint32_t address, uint32_t size,
                         int lane);

#endif
