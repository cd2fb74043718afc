/* Numbers and fields: AMD's CDNA1 to CDNA4 ISA guides, "Hardware register table" (S_GETREG) and the tables of MODE,
 * STATUS, TRAPSTS and HW_ID beside it; LLVM AMDGPUAsmUtils for which architecture has which. */
#include "bench/hipsim/sim_hwreg.h"

enum {
  MODE = 1,
  STATUS = 2,
  TRAPSTS = 3,
  HW_ID = 4,
  GPR_ALLOC = 5,
  LDS_ALLOC = 6,
  IB_STS = 7,
  SH_MEM_BASES = 15,
  XCC_ID = 20, /* gfx942 and later */
};

/* ---- where a workgroup runs ----
 * Workgroups are dealt round robin: over the XCCs (CDNA3 white paper, "Dispatch"), over the shader engines of one, over
 * their CUs. */

struct seat {
  uint32_t xcc, engine, cu;
};

static uint32_t at_least_one(uint32_t n) {
  return n > 0 ? n : 1;
}

static struct seat seat_of(const struct sim_wave *w) {
  const struct sim_dispatch *d = w->dispatch;
  const uint32_t engines = d->arch >= SIM_GFX942 ? 4 : 8;
  const uint32_t dies = at_least_one(d->dies), units = at_least_one(d->compute_units / dies);
  const uint64_t group = w->id[0] + (uint64_t)d->grid[0] * (w->id[1] + (uint64_t)d->grid[1] * w->id[2]);
  const uint32_t unit = (uint32_t)(group / dies % units);
  return (struct seat){.xcc = (uint32_t)(group % dies), .engine = unit % engines, .cu = unit / engines & 15u};
}

/* ---- reading ---- */

/* SCC, TRAP_EN (ROCm installs a handler), EXECZ, VCCZ, IN_TG (not alone), VALID */
static uint32_t status_of(const struct sim_wave *w) {
  const struct sim_dispatch *d = w->dispatch;
  const bool alone = d->block[0] * d->block[1] * d->block[2] <= SIM_LANES;
  return w->scc | 1u << 6 | (uint32_t)(sim_exec(w) == 0) << 9 |
         (uint32_t)(sim_read_s64(w, SIM_VCC_LO) == 0) << 10 | (uint32_t)!alone << 11 | 1u << 16;
}

/* WAVE_ID 3:0, SIMD_ID 5:4, CU_ID 11:8, SE_ID 15:13 */
static uint32_t hw_id_of(const struct sim_wave *w) {
  const struct seat seat = seat_of(w);
  return (w->number / 4u & 15u) | (w->number % 4u) << 4 | seat.cu << 8 | seat.engine << 13;
}

/* VGPR_SIZE 13:8, SGPR_SIZE 27:24, in granules less one as the kernel's descriptor has them; the bases are 0 */
static uint32_t gpr_alloc_of(const struct sim_wave *w) {
  const uint32_t rsrc1 = w->dispatch->kernel->rsrc1;
  return (rsrc1 & 0x3fu) << 8 | (rsrc1 >> 6 & 0xfu) << 24;
}

/* LDS_SIZE 20:12 in 128 dwords; the base is 0 */
static uint32_t lds_alloc_of(const struct sim_wave *w) {
  return ((w->lds_bytes + 511u) / 512u & 0x1ffu) << 12;
}

uint32_t sim_hwreg_read(struct sim_wave *w, unsigned id) {
  switch (id) {
  case MODE:
    return w->mode;
  case STATUS:
    return status_of(w);
  case TRAPSTS: /* nothing is trapped */
  case IB_STS:  /* nothing is on its way, nothing is buffered */
    return 0;
  case HW_ID:
    return hw_id_of(w);
  case GPR_ALLOC:
    return gpr_alloc_of(w);
  case LDS_ALLOC:
    return lds_alloc_of(w);
  case SH_MEM_BASES: /* bits 63..48 of the apertures: private, then shared */
    return (uint32_t)(SIM_PRIVATE_APERTURE >> 48) | (uint32_t)(SIM_SHARED_APERTURE >> 48) << 16;
  case XCC_ID:
    if (w->dispatch->arch >= SIM_GFX942) {
      return seat_of(w).xcc;
    }
    break;
  default:
    break;
  }
  sim_wave_fault(w, -1, "hardware register %u is not there, or not simulated", id);
  return 0;
}

/* ---- writing ---- */

uint32_t sim_hwreg_unknown_mode(uint32_t mode) {
  const uint32_t denormals = 0xf0, dx10_clamp = 1u << 8, ieee = 1u << 9; /* sim_valu.h goes by them */
  return mode & ~(denormals | dx10_clamp | ieee | SIM_MODE_GPR_IDX);
}

void sim_hwreg_write(struct sim_wave *w, unsigned id, uint32_t mask, uint32_t value) {
  if (id == MODE) {
    const uint32_t mode = (w->mode & ~mask) | (value & mask);
    if (sim_hwreg_unknown_mode(mode) != 0 || (mask & SIM_MODE_GPR_IDX) != 0) {
      sim_wave_fault(w, -1,
                     "MODE becomes 0x%x: rounding other than to the nearest even (bits 3:0), exceptions, "
                     "clamped overflow and register indexing by s_setreg are not simulated",
                     mode);
      return;
    }
    w->mode = mode;
  } else if (id != TRAPSTS || (value & mask) != 0) { /* nothing is there to be cleared */
    sim_wave_fault(w, -1, "hardware register %u is written, which is not simulated", id);
  }
}
