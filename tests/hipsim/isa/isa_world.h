/* All that an instruction of memory can see and change: memory, LDS, scratch and registers of one wave. A reference changes a
 * copy of it; the handlers' result, on every variant of the host, has to be the same to the byte. */
#ifndef ISA_WORLD_H
#define ISA_WORLD_H

#include <stdbool.h>

#include "bench/hipsim/sim_machine.h"
#include "isa_assemble.h"

enum {
  ISA_MEMORY = 1 << 14,
  ISA_LDS = 1 << 14,
  ISA_SCRATCH = 256, /* bytes a lane */
  ISA_REGISTERS = 24,
};

enum isa_file { ISA_VGPR, ISA_AGPR };

struct isa_world {
  enum sim_arch arch;
  uint32_t mode;
  uint64_t base; /* address of memory[0] */
  uint64_t exec;
  uint32_t m0;
  uint32_t s[102];
  uint32_t v[2][ISA_REGISTERS][SIM_LANES];
  uint8_t memory[ISA_MEMORY], lds[ISA_LDS], scratch[SIM_LANES][ISA_SCRATCH];
};

struct isa_machine;

struct isa_machine *isa_machine_open(enum sim_arch arch);
void isa_machine_close(struct isa_machine *machine);

/* Noise everywhere, EXEC full, MODE as HIP's kernels start, base where the machine's memory lies. */
void isa_world_fill(const struct isa_machine *machine, struct isa_world *world, uint64_t *state);

/* Runs the instruction in `before` on every variant. False, with a line on standard error: some result is not `after`. */
bool isa_machine_agrees(struct isa_machine *machine, const char *text, const struct isa_code *code,
                        const struct isa_world *before, const struct isa_world *after);

/* ---- registers and bytes ---- */

static inline bool isa_active(const struct isa_world *world, unsigned lane) {
  return world->exec >> lane & 1;
}

uint64_t isa_scalar_pair(const struct isa_world *world, unsigned first);
void isa_set_scalar_pair(struct isa_world *world, unsigned first, uint64_t value);
/* Up to eight bytes, the first the lowest. */
uint64_t isa_bytes(const uint8_t *bytes, unsigned count);
void isa_set_bytes(uint8_t *bytes, unsigned count, uint64_t value);
/* The value of one or two dwords in a lane's registers. */
uint64_t isa_vector(const struct isa_world *world, enum isa_file file, unsigned first, unsigned lane,
                    unsigned dwords);
void isa_set_vector(struct isa_world *world, enum isa_file file, unsigned first, unsigned lane,
                    unsigned dwords, uint64_t value);

#endif
