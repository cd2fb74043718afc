/* Scalar memory: loads and stores of the scalar unit, clocks and cache control. Rules from AMD's "CDNA2 Instruction
 * Set Architecture" guide, chapter "Scalar memory operations". */
#include "bench/hipsim/sim_access.h"
#include "bench/hipsim/sim_handlers.h"

static uint64_t offset_of(const struct sim_wave *w, const struct sim_inst *inst) {
  uint64_t offset = (uint64_t)(int64_t)inst->imm;
  return inst->soffset != SIM_NO_OPERAND ? offset + w->s[inst->soffset] : offset;
}

static bool registers_exist(struct sim_wave *w, unsigned first, unsigned dwords) {
  if (first + dwords > sizeof w->s / sizeof w->s[0]) {
    sim_wave_fault(w, -1, "scalar registers %u to %u do not exist", first, first + dwords - 1u);
    return false;
  }
  return true;
}

/* Compilers round loads of kernel arguments up to the alignment of the segment, 16 bytes. */
static bool ends_in_arguments(struct sim_wave *w, uint64_t begin, uint64_t end) {
  const struct sim_span *span = sim_access_span(w, begin, begin + 1);
  return span != NULL && span->kind == SIM_SPAN_KERNARG && end <= ((span->end + 15u) & ~UINT64_C(15));
}

static void load(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords) {
  uint64_t address = (sim_read_s64(w, inst->src[0]) + offset_of(w, inst)) & ~UINT64_C(3);
  uint64_t end = address + 4u * dwords;
  if (!registers_exist(w, inst->dst, dwords)) {
    return;
  }
  if (sim_access_span(w, address, end) != NULL || ends_in_arguments(w, address, end) ||
      sim_access_check(w, SIM_VERB_LOAD, address, 4u * dwords, -1)) {
    memcpy(&w->s[inst->dst], sim_host(address), (size_t)4 * dwords);
  }
}

static void store(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords) {
  uint64_t address = (sim_read_s64(w, inst->src[0]) + offset_of(w, inst)) & ~UINT64_C(3);
  if (registers_exist(w, inst->src[1], dwords) &&
      sim_access_check(w, SIM_VERB_STORE, address, 4u * dwords, -1)) {
    memcpy(sim_host(address), &w->s[inst->src[1]], (size_t)4 * dwords);
  }
}

/* Bytes that the buffer resource at s[first] spans. */
static uint64_t buffer_bytes(const struct sim_wave *w, unsigned first) {
  uint64_t stride = w->s[first + 1] >> 16 & 0x3fffu, records = w->s[first + 2];
  return stride == 0 ? records : stride * records;
}

/* Dwords past the end of the buffer read as zero. */
static void buffer_load(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords) {
  if (!registers_exist(w, inst->src[0], 4) || !registers_exist(w, inst->dst, dwords)) {
    return;
  }
  uint64_t base = sim_read_s64(w, inst->src[0]) & UINT64_C(0xffffffffffff);
  uint64_t offset = offset_of(w, inst) & ~UINT64_C(3), bytes = buffer_bytes(w, inst->src[0]);
  uint32_t value[16] = {0};
  for (unsigned d = 0; d < dwords; d++) {
    uint64_t at = offset + 4u * d;
    if (at >= bytes || at + 4u > bytes) {
      continue;
    }
    if (!sim_access_check(w, SIM_VERB_LOAD, base + at, 4, -1)) {
      return;
    }
    memcpy(&value[d], sim_host(base + at), 4);
  }
  memcpy(&w->s[inst->dst], value, (size_t)4 * dwords);
}

/* Dwords past the end of the buffer are not stored. */
static void buffer_store(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords) {
  if (!registers_exist(w, inst->src[0], 4) || !registers_exist(w, inst->src[1], dwords)) {
    return;
  }
  uint64_t base = sim_read_s64(w, inst->src[0]) & UINT64_C(0xffffffffffff);
  uint64_t offset = offset_of(w, inst) & ~UINT64_C(3), bytes = buffer_bytes(w, inst->src[0]);
  for (unsigned d = 0; d < dwords; d++) {
    uint64_t at = offset + 4u * d;
    if (at >= bytes || at + 4u > bytes) {
      continue;
    }
    if (!sim_access_check(w, SIM_VERB_STORE, base + at, 4, -1)) {
      return;
    }
    memcpy(sim_host(base + at), &w->s[inst->src[1] + d], 4);
  }
}

SIM_DO(s_buffer_store_dword) {
  buffer_store(w, inst, 1);
}
SIM_DO(s_buffer_store_dwordx2) {
  buffer_store(w, inst, 2);
}
SIM_DO(s_buffer_store_dwordx4) {
  buffer_store(w, inst, 4);
}
SIM_DO(s_load_dword) {
  load(w, inst, 1);
}
SIM_DO(s_load_dwordx2) {
  load(w, inst, 2);
}
SIM_DO(s_load_dwordx4) {
  load(w, inst, 4);
}
SIM_DO(s_load_dwordx8) {
  load(w, inst, 8);
}
SIM_DO(s_load_dwordx16) {
  load(w, inst, 16);
}
SIM_DO(s_buffer_load_dword) {
  buffer_load(w, inst, 1);
}
SIM_DO(s_buffer_load_dwordx2) {
  buffer_load(w, inst, 2);
}
SIM_DO(s_buffer_load_dwordx4) {
  buffer_load(w, inst, 4);
}
SIM_DO(s_buffer_load_dwordx8) {
  buffer_load(w, inst, 8);
}
SIM_DO(s_buffer_load_dwordx16) {
  buffer_load(w, inst, 16);
}
SIM_DO(s_store_dword) {
  store(w, inst, 1);
}
SIM_DO(s_store_dwordx2) {
  store(w, inst, 2);
}
SIM_DO(s_store_dwordx4) {
  store(w, inst, 4);
}

/* There are no caches, so nothing is ever stale. */
SIM_DO(s_dcache_inv) {
  (void)w;
  (void)inst;
}
SIM_DO(s_dcache_wb) {
  (void)w;
  (void)inst;
}
SIM_DO(s_dcache_inv_vol) {
  (void)w;
  (void)inst;
}
SIM_DO(s_dcache_wb_vol) {
  (void)w;
  (void)inst;
}

/* Clocks follow the instructions that the wave has executed: the same in every run, and forward with every read so
 * that a kernel that waits for time to pass ends. The real-time clock has 100 MHz, about a sixteenth of the other. */
static void read_clock(struct sim_wave *w, const struct sim_inst *inst, unsigned divisor) {
  enum { READ_CLOCKS = 64 };
  uint64_t now = 4u * w->executed;
  w->clock = (now > w->clock ? now : w->clock) + READ_CLOCKS;
  if (registers_exist(w, inst->dst, 2)) {
    sim_write_s64(w, inst->dst, w->clock / divisor);
  }
}

SIM_DO(s_memtime) {
  read_clock(w, inst, 1);
}
SIM_DO(s_memrealtime) {
  read_clock(w, inst, 16);
}
