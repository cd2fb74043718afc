/* A hand-made wave on which tests run single instructions, on every handler variant of the host. */
#ifndef TESTS_HIPSIM_ALU_WAVE_H
#define TESTS_HIPSIM_ALU_WAVE_H

#include "bench/hipsim/sim_table.h"
#include "bench/hipsim/sim_wave.h"

struct alu_wave {
  struct sim_wave w;
  struct sim_fault fault;
  struct sim_code code;
  struct sim_kernel kernel;
  struct sim_dispatch dispatch;
  sim_handler *const *handlers;
};

/* MODE as HIP's kernels start: IEEE, clamp of NaN, denormals kept. */
enum { ALU_MODE = 0x3f0 };

/* The handler tables that this host can run, generic first; NULL-terminated. */
sim_handler *const *const *alu_variants(void);

/* A wave with every lane active and all registers 0xaaaaaaaa. Freed by alu_free. */
void alu_open(struct alu_wave *a, sim_handler *const *handlers);
void alu_free(struct alu_wave *a);

/* Decodes the words as code of arch (alu_run: gfx90a) and runs them; text, when given, must be what they disassemble to. */
void alu_run_on(struct alu_wave *a, enum sim_arch arch, const uint32_t *words, const char *text);
void alu_run(struct alu_wave *a, const uint32_t *words, const char *text);

/* Puts a 64-bit value into the pair of vector registers in every lane. */
void alu_set(struct alu_wave *a, unsigned vgpr, uint64_t value);

#endif
