/* Hardware registers, as s_getreg and s_setreg see them. */
#ifndef SIM_HWREG_H
#define SIM_HWREG_H

#include "bench/hipsim/sim_wave.h"

/* A bit of MODE: vector registers are indexed. */
enum { SIM_MODE_GPR_IDX = 1 << 27 };

/* The value of register `id` (0 to 63). One that the architecture does not have, or that is not simulated, faults. */
uint32_t sim_hwreg_read(struct sim_wave *w, unsigned id);
/* Replaces the bits of `mask` by those of `value`. What would ask for something that is not simulated faults. */
void sim_hwreg_write(struct sim_wave *w, unsigned id, uint32_t mask, uint32_t value);

/* The bits of MODE that ask for something that is not simulated. */
uint32_t sim_hwreg_unknown_mode(uint32_t mode);

#endif
