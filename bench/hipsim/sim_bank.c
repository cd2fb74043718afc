#include "bench/hipsim/sim_bank.h"

enum { MOST_BANKS = 64, MOST_DWORDS = 4, FOURS = SIM_LANES / 4 };

/* Lanes in the order in which they make up phases, by fours of neighbours; lanes from 32 on are ordered as those before. */
static const uint8_t neighbours[FOURS / 2] = {0, 1, 2, 3, 4, 5, 6, 7};
static const uint8_t wide_reads[FOURS / 2] = {0, 5, 1, 4, 2, 7, 3, 6};
static const uint8_t wide_reads_of_64_banks[FOURS / 2] = {0, 3, 5, 6, 1, 2, 4, 7};

struct phases {
  const uint8_t *fours;
  uint32_t banks, lanes; /* lanes of a phase */
};

/* 96 bits go the way of 128. */
static struct phases phases_of(enum sim_arch arch, uint32_t dwords, bool read) {
  struct phases phases = {.fours = neighbours, .banks = 32};
  if (read && dwords > 2)
    phases.fours = wide_reads;
  if (arch == SIM_GFX950 && read && dwords != 3) {
    phases.banks = 64;
    if (dwords == 4)
      phases.fours = wide_reads_of_64_banks;
  }
  phases.lanes = phases.banks / (dwords == 3 ? 4 : dwords);
  return phases;
}

static uint32_t lane_at(const struct phases *phases, uint32_t place) {
  const uint32_t four = place / 4;
  return (phases->fours[four % (FOURS / 2)] + four / (FOURS / 2) * (FOURS / 2)) * 4 + place % 4;
}

/* The dwords that the lanes of a phase want from one bank, each once. */
struct bank {
  uint32_t count;
  uint32_t dword[MOST_BANKS * MOST_DWORDS];
};

static uint32_t add_dword(struct bank *bank, uint32_t dword) {
  for (uint32_t i = 0; i < bank->count; i++) {
    if (bank->dword[i] == dword) {
      return bank->count;
    }
  }
  bank->dword[bank->count++] = dword;
  return bank->count;
}

static uint32_t phase_cycles(const struct sim_bank_pattern *pattern, const struct phases *phases,
                             uint32_t first, uint32_t dwords) {
  struct bank bank[MOST_BANKS];
  uint32_t most = 0;
  for (uint32_t i = 0; i < phases->banks; i++) {
    bank[i].count = 0;
  }
  for (uint32_t place = first; place < first + phases->lanes; place++) {
    const uint32_t lane = lane_at(phases, place);
    const uint32_t begin = (pattern->low + pattern->distance[lane]) / 4u;
    for (uint32_t d = 0; d < dwords && (pattern->exec >> lane & 1u) != 0; d++) {
      uint32_t dword = begin + d;
      uint32_t wanted = add_dword(&bank[dword % phases->banks], dword);
      most = wanted > most ? wanted : most;
    }
  }
  return most;
}

void sim_bank_cost(enum sim_arch arch, const struct sim_bank_pattern *pattern, uint32_t *cycles,
                   uint32_t *conflicts) {
  const uint32_t dwords = (pattern->size + 3u) / 4u;
  const struct phases phases = phases_of(arch, dwords, pattern->read);
  *cycles = 0;
  *conflicts = 0;
  for (uint32_t first = 0; first < SIM_LANES; first += phases.lanes) {
    uint32_t taken = phase_cycles(pattern, &phases, first, dwords);
    *cycles += taken;
    *conflicts += taken > 1 ? taken - 1 : 0;
  }
}
