/* What follows from an instance's fields: quantities that rules, spaces and messages go by. Each is computed for any
 * instance a reader lets through, also for one that no device can run. */
#ifndef CKT_GEN_DERIVED_H
#define CKT_GEN_DERIVED_H

#include "gen/instance.h"

#define CKT_WAVE_LANES 64 /* on all of gfx9 */

/* Lanes of the waves: 64 x warps along M, N and K. What the line states is instance->block_size. */
int64_t ckt_instance_threads(const struct ckt_instance *instance);

/* LDS the kernel declares, in bytes, by the formula of kernels/lds_layout.h; -1 when the instance's waves do
 * not even fit into its tile. */
int64_t ckt_instance_lds_bytes(const struct ckt_instance *instance);

/* Accumulators a lane holds for its share of the tile; -1 when there is no wave to hold them. */
int64_t ckt_instance_accumulators(const struct ckt_instance *instance);

/* Registers of 32 bits a lane needs besides accumulators: an estimate, low rather than high, of what it holds of
 * the next tiles on their way from memory to LDS, and a few for addresses. -1 when there is no thread. */
int64_t ckt_instance_working_registers(const struct ckt_instance *instance);

/* Waves of a workgroup that share one SIMD, and with it the registers of a lane; at least 1. */
int64_t ckt_instance_waves_a_simd(const struct ckt_instance *instance);

#endif
