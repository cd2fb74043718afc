/* DS instructions that move data between lanes and touch no LDS. Rules from AMD's "CDNA2 Instruction Set
 * Architecture" guide, "LDS instructions". */
#include "bench/hipsim/sim_handlers.h"
#include "bench/hipsim/sim_move.h"

/* Each lane takes the value of the lane its address names; of an inactive one it reads zero. */
SIM_DO(ds_bpermute_b32) {
  uint64_t exec = sim_exec(w);
  const uint32_t *address = sim_vector(w, inst->src[0])[0];
  sim_vreg data;
  memcpy(data, sim_vector(w, inst->src[1])[0], sizeof data);
  uint32_t *to = sim_vector(w, inst->dst)[0];
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    unsigned from = (address[lane] + (uint32_t)inst->imm) / 4u % SIM_LANES;
    if (exec >> lane & 1u) {
      to[lane] = exec >> from & 1u ? data[from] : 0;
    }
  }
}

/* Each lane sends its value to the lane its address names; the highest sender wins, and who gets nothing has
 * zero. */
SIM_DO(ds_permute_b32) {
  uint64_t exec = sim_exec(w);
  const uint32_t *address = sim_vector(w, inst->src[0])[0], *data = sim_vector(w, inst->src[1])[0];
  sim_vreg sent = {0};
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    if (exec >> lane & 1u) {
      sent[(address[lane] + (uint32_t)inst->imm) / 4u % SIM_LANES] = data[lane];
    }
  }
  uint32_t *to = sim_vector(w, inst->dst)[0];
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    to[lane] = exec >> lane & 1u ? sent[lane] : to[lane];
  }
}

/* The order of an FFT: 5 bits reversed, but for those that the mask keeps. */
static unsigned fft_source(unsigned mask, unsigned low) {
  unsigned reversed = (low & 1u) << 4 | (low & 2u) << 2 | (low & 4u) | (low & 8u) >> 2 | low >> 4;
  return reversed >> __builtin_popcount(mask) | (low & mask);
}

/* Which lane a swizzle takes from. Bit 15 of the offset: a permutation of each four lanes. Else, in each 32 lanes, AND,
 * OR and XOR masks of 5 bits. Offsets from 0xc000 rotate 32 lanes, those from 0xe000 make FFT orders. */
static unsigned swizzle_source(unsigned offset, unsigned lane) {
  unsigned half = lane & 32u, low = lane & 31u;
  if (offset >= 0xe000u) {
    return half | fft_source(offset & 31u, low);
  }
  if (offset >= 0xc000u) {
    unsigned mask = offset & 31u, count = offset >> 5 & 31u;
    unsigned moved = offset >> 10 & 1u ? low - count : low + count;
    return half | (low & mask) | (moved & ~mask & 31u);
  }
  if (offset & 0x8000u) {
    return (lane & ~3u) | (offset >> 2u * (lane & 3u) & 3u);
  }
  return half | (((low & (offset & 31u)) | (offset >> 5 & 31u)) ^ (offset >> 10 & 31u));
}

SIM_DO(ds_swizzle_b32) {
  uint64_t exec = sim_exec(w);
  sim_vreg data;
  memcpy(data, sim_vector(w, inst->src[0])[0], sizeof data);
  uint32_t *to = sim_vector(w, inst->dst)[0];
  for (unsigned lane = 0; lane < SIM_LANES; lane++) {
    unsigned from = swizzle_source((unsigned)inst->imm & 0xffffu, lane);
    if (exec >> lane & 1u) {
      to[lane] = exec >> from & 1u ? data[from] : 0;
    }
  }
}

SIM_DO(ds_nop) {
  (void)w;
  (void)inst;
}
