#include "bench/hipsim/sim_access.h"

#include <stdio.h>

#include "bench/hipsim/sim_lds.h"

const struct sim_span *sim_access_search(struct sim_wave *w, uint64_t begin, uint64_t end) {
  const struct sim_span *found = NULL;
  unsigned place = 1;
  for (; place < SIM_CACHED_SPANS; place++) {
    const struct sim_span *span = w->spans[place];
    if (span != NULL && sim_span_holds(span, begin, end)) {
      found = span;
      break;
    }
  }
  if (found == NULL) {
    place = SIM_CACHED_SPANS - 1;
    found = sim_memory_span(w->memory, begin);
    if (found == NULL || found->kind == SIM_SPAN_FREE || !sim_span_holds(found, begin, end)) {
      return NULL;
    }
  }
  for (unsigned i = place; i > 0; i--)
    w->spans[i] = w->spans[i - 1];
  w->spans[0] = found;
  return found;
}

/* ---- reports ---- */

static const char *const verb_text[] = {
    [SIM_VERB_LOAD] = "load", [SIM_VERB_STORE] = "store", [SIM_VERB_ATOMIC] = "atomic"};

static const char *const kind_text[] = {
    [SIM_SPAN_FREE] = "allocation",
    [SIM_SPAN_BUFFER] = "allocation",
    [SIM_SPAN_KERNARG] = "the kernel's arguments, span",
    [SIM_SPAN_CODE] = "the code, span",
    [SIM_SPAN_SCRATCH] = "scratch, span",
};

static void describe_place(const struct sim_span *near, uint64_t address, char *text, size_t size) {
  if (near == NULL) {
    snprintf(text, size, "where nothing is allocated");
    return;
  }
  const char *kind = kind_text[near->kind];
  unsigned long long bytes = near->end - near->begin;
  if (address < near->begin) {
    snprintf(text, size, "%llu bytes before the begin of %s %u of %llu bytes",
             (unsigned long long)(near->begin - address), kind, near->id, bytes);
  } else if (address < near->end) {
    snprintf(text, size, "in %s %u of %llu bytes, which %s", kind, near->id, bytes,
             near->kind == SIM_SPAN_FREE ? "was freed" : "ends within the access");
  } else {
    snprintf(text, size, "%llu bytes past the end of %s %u of %llu bytes",
             (unsigned long long)(address - near->end), kind, near->id, bytes);
  }
}

/* The first byte of the access that is in no live span: what the report is about. */
static uint64_t first_bad_byte(struct sim_wave *w, uint64_t address, uint32_t size) {
  for (uint32_t i = 0; i < size; i++) {
    if (sim_access_span(w, address + i, address + i + 1) == NULL) {
      return address + i;
    }
  }
  return address;
}

static bool report_outside(struct sim_wave *w, enum sim_verb verb, uint64_t address, uint32_t size,
                           int lane) {
  char place[192];
  uint64_t bad = first_bad_byte(w, address, size);
  describe_place(sim_memory_nearest(w->memory, bad), bad, place, sizeof place);
  sim_wave_fault(w, lane, "%s of %u bytes at 0x%llx is out of bounds: byte 0x%llx lies %s", verb_text[verb],
                 size, (unsigned long long)address, (unsigned long long)bad, place);
  w->fault->address = true;
  return false;
}

bool sim_access_check(struct sim_wave *w, enum sim_verb verb, uint64_t address, uint32_t size, int lane) {
  const struct sim_span *span = sim_access_span(w, address, address + size);
  if (span == NULL) {
    return report_outside(w, verb, address, size, lane);
  }
  if (verb != SIM_VERB_LOAD && !span->writable) {
    sim_wave_fault(w, lane, "%s of %u bytes at 0x%llx, in %s %u, which kernels may only read",
                   verb_text[verb], size, (unsigned long long)address, kind_text[span->kind], span->id);
    w->fault->address = true;
    return false;
  }
  if (verb == SIM_VERB_ATOMIC && (address & (size - 1u)) != 0) {
    sim_wave_fault(w, lane, "atomic at 0x%llx, which is no multiple of its %u bytes",
                   (unsigned long long)address, size);
    return false;
  }
  return true;
}

/* ---- flat addresses ---- */

static uint8_t *flat_lds(struct sim_wave *w, enum sim_verb verb, uint64_t address, uint32_t size, int lane) {
  uint64_t offset = address - SIM_SHARED_APERTURE;
  if (offset + size > w->lds_bytes) {
    sim_wave_fault(w, lane, "%s of %u bytes at LDS byte %llu of %u", verb_text[verb], size,
                   (unsigned long long)offset, w->lds_bytes);
    return NULL;
  }
  static const enum sim_lds_access access[] = {
      [SIM_VERB_LOAD] = SIM_LDS_READ, [SIM_VERB_STORE] = SIM_LDS_WRITE, [SIM_VERB_ATOMIC] = SIM_LDS_ATOMIC};
  if (w->lds_shadow != NULL && !sim_lds_check_range(w, access[verb], (uint32_t)offset, size, lane)) {
    return NULL;
  }
  return w->lds + offset;
}

/* Dwords of the lanes of a wave are interleaved: the hardware's swizzle. */
static uint8_t *flat_scratch(struct sim_wave *w, enum sim_verb verb, uint64_t address, uint32_t size,
                             int lane) {
  uint64_t offset = address - SIM_PRIVATE_APERTURE;
  uint32_t limit = (w->dispatch->kernel->scratch_bytes + 3u) & ~UINT32_C(3);
  if (offset + size > limit) {
    sim_wave_fault(w, lane, "%s of %u bytes at scratch byte %lld of %u", verb_text[verb], size,
                   (long long)offset, w->dispatch->kernel->scratch_bytes);
    return NULL;
  }
  if (offset % 4u + size > 4) {
    sim_wave_fault(w, lane, "%s of %u bytes at scratch byte %llu, across two dwords, which is not simulated",
                   verb_text[verb], size, (unsigned long long)offset);
    return NULL;
  }
  uint64_t base = sim_read_s64(w, SIM_FLAT_SCRATCH_LO);
  if (base != w->scratch || w->dispatch->scratch == 0) {
    sim_wave_fault(w, lane,
                   "%s in scratch while FLAT_SCRATCH holds 0x%llx and the wave's scratch is at 0x%llx",
                   verb_text[verb], (unsigned long long)base, (unsigned long long)w->scratch);
    return NULL;
  }
  return sim_host(base + offset / 4u * 4u * SIM_LANES + (uint64_t)(unsigned)lane * 4u + offset % 4u);
}

uint8_t *sim_access_flat(struct sim_wave *w, enum sim_verb verb, uint64_t address, uint32_t size, int lane) {
  uint64_t aperture = address >> 48 << 48;
  if (aperture == SIM_SHARED_APERTURE) {
    return flat_lds(w, verb, address, size, lane);
  }
  if (aperture == SIM_PRIVATE_APERTURE) {
    return flat_scratch(w, verb, address, size, lane);
  }
  return sim_access_check(w, verb, address, size, lane) ? sim_host(address) : NULL;
}
