#include "bench/hipsim/sim_bank.h"

enum { MOST_BANKS = 64, MOST_DWORDS = 4 };

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

static uint32_t phase_cycles(const uint32_t *address, uint32_t lanes, uint32_t dwords, uint64_t exec,
                             uint32_t banks) {
  struct bank bank[MOST_BANKS];
  uint32_t most = 0;
  for (uint32_t i = 0; i < banks; i++) {
    bank[i].count = 0;
  }
  for (uint32_t lane = 0; lane < lanes; lane++) {
    for (uint32_t d = 0; d < dwords && (exec >> lane & 1u) != 0; d++) {
      uint32_t dword = address[lane] / 4u + d;
      uint32_t wanted = add_dword(&bank[dword % banks], dword);
      most = wanted > most ? wanted : most;
    }
  }
  return most;
}

void sim_bank_cost(enum sim_arch arch, const uint32_t address[SIM_LANES], uint32_t size, uint64_t exec,
                   uint32_t *cycles, uint32_t *conflicts) {
  uint32_t banks = arch == SIM_GFX950 ? 64 : 32;
  uint32_t dwords = (size + 3u) / 4u;
  uint32_t slots = dwords == 3 ? 4 : dwords; /* 96 bits go the way of 128 */
  uint32_t lanes = banks / slots;
  *cycles = 0;
  *conflicts = 0;
  for (uint32_t first = 0; first < SIM_LANES; first += lanes) {
    uint32_t taken = phase_cycles(&address[first], lanes, dwords, exec >> first, banks);
    *cycles += taken;
    *conflicts += taken > 1 ? taken - 1 : 0;
  }
}
