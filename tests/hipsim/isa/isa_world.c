#include "isa_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../alu_wave.h"
#include "bench/hipsim/sim_bank.h"
#include "bench/hipsim/sim_memory.h"
#include "isa_values.h"

/* Registers that the machine has and worlds do not look into: whoever writes one does not write where it should. */
enum { MACHINE_REGISTERS = 512 + 32 };

struct isa_machine {
  enum sim_arch arch;
  struct sim_memory *memory;
  uint64_t buffer, scratch;
  uint8_t *lds;
  sim_vreg *v;
  struct sim_code code;
  struct sim_kernel kernel;
  struct sim_dispatch dispatch;
  struct sim_counts counts;
  struct sim_fault fault;
  struct sim_bank_memory banks;
};

struct isa_machine *isa_machine_open(enum sim_arch arch) {
  struct isa_machine *m = calloc(1, sizeof *m);
  assert_non_null(m);
  m->arch = arch;
  m->memory = sim_memory_create((uint64_t)16 << 20);
  assert_non_null(m->memory);
  m->buffer = sim_memory_allocate(m->memory, ISA_MEMORY, SIM_SPAN_BUFFER, true);
  m->scratch = sim_memory_allocate(m->memory, SIM_LANES * ISA_SCRATCH, SIM_SPAN_SCRATCH, true);
  m->lds = aligned_alloc(64, ISA_LDS);
  m->v = aligned_alloc(64, MACHINE_REGISTERS * sizeof *m->v);
  assert_true(m->buffer != 0 && m->scratch != 0 && m->lds != NULL && m->v != NULL);
  m->code.arch = arch;
  m->kernel = (struct sim_kernel){.name = "isa", .code = &m->code, .scratch_bytes = ISA_SCRATCH};
  m->dispatch = (struct sim_dispatch){.kernel = &m->kernel,
                                      .memory = m->memory,
                                      .arch = arch,
                                      .scratch = m->scratch,
                                      .block = {SIM_LANES, 1, 1}};
  return m;
}

void isa_machine_close(struct isa_machine *m) {
  sim_memory_free(&m->memory);
  free(m->lds);
  free(m->v);
  free(m);
}

/* ---- noise ---- */

static void noise(void *to, size_t bytes, uint64_t *state) {
  for (size_t i = 0; i < bytes; i += 8) {
    const uint64_t word = isa_random(state);
    memcpy((char *)to + i, &word, bytes - i < 8 ? bytes - i : 8);
  }
}

void isa_world_fill(const struct isa_machine *m, struct isa_world *world, uint64_t *state) {
  noise(world, sizeof *world, state);
  world->arch = m->arch;
  world->mode = ALU_MODE;
  world->base = m->buffer;
  world->exec = UINT64_MAX;
}

/* ---- registers and bytes ---- */

uint64_t isa_scalar_pair(const struct isa_world *world, unsigned first) {
  return (uint64_t)world->s[first + 1] << 32 | world->s[first];
}

void isa_set_scalar_pair(struct isa_world *world, unsigned first, uint64_t value) {
  world->s[first] = (uint32_t)value;
  world->s[first + 1] = (uint32_t)(value >> 32);
}

uint64_t isa_bytes(const uint8_t *bytes, unsigned count) {
  uint64_t value = 0;
  for (unsigned i = 0; i < count; i++)
    value |= (uint64_t)bytes[i] << 8 * i;
  return value;
}

void isa_set_bytes(uint8_t *bytes, unsigned count, uint64_t value) {
  for (unsigned i = 0; i < count; i++)
    bytes[i] = (uint8_t)(value >> 8 * i);
}

uint64_t isa_vector(const struct isa_world *world, enum isa_file file, unsigned first, unsigned lane,
                    unsigned dwords) {
  const uint64_t low = world->v[file][first][lane];
  return dwords == 1 ? low : (uint64_t)world->v[file][first + 1][lane] << 32 | low;
}

void isa_set_vector(struct isa_world *world, enum isa_file file, unsigned first, unsigned lane,
                    unsigned dwords, uint64_t value) {
  world->v[file][first][lane] = (uint32_t)value;
  if (dwords == 2)
    world->v[file][first + 1][lane] = (uint32_t)(value >> 32);
}

/* ---- running ---- */

/* Scratch lies in memory with the dwords of the 64 lanes interleaved (CDNA guides, "Memory Scratch (Private) Space"). */
static uint8_t *scratch_place(const struct isa_machine *m, unsigned lane, unsigned byte) {
  return (uint8_t *)(uintptr_t)m->scratch + byte / 4 * 4 * SIM_LANES + lane * 4 + byte % 4;
}

static void enter(struct isa_machine *m, const struct isa_world *world, struct sim_wave *w) {
  memset(w, 0, sizeof *w);
  w->v = m->v;
  w->mode = world->mode;
  w->dispatch = &m->dispatch;
  w->memory = m->memory;
  w->code = &m->code;
  w->counts = &m->counts;
  w->lds = m->lds;
  w->lds_bytes = ISA_LDS;
  w->banks = &m->banks;
  w->scratch = m->scratch;
  w->fault = &m->fault;
  m->fault.text[0] = '\0';
  memcpy(w->s, world->s, sizeof world->s);
  w->s[SIM_M0] = world->m0;
  sim_write_s64(w, SIM_FLAT_SCRATCH_LO, m->scratch);
  sim_write_s64(w, SIM_EXEC_LO, world->exec);
  memset(m->v, 0x5a, MACHINE_REGISTERS * sizeof *m->v);
  for (unsigned file = 0; file < 2; file++)
    memcpy(m->v + 256 * file, world->v[file], sizeof world->v[file]);
  memcpy((void *)(uintptr_t)m->buffer, world->memory, ISA_MEMORY);
  memcpy(m->lds, world->lds, ISA_LDS);
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    for (unsigned byte = 0; byte < ISA_SCRATCH; byte += 4)
      memcpy(scratch_place(m, lane, byte), &world->scratch[lane][byte], 4);
}

static void leave(const struct isa_machine *m, const struct sim_wave *w, struct isa_world *world) {
  memcpy(world->s, w->s, sizeof world->s);
  world->m0 = w->s[SIM_M0];
  world->exec = sim_exec(w);
  for (unsigned file = 0; file < 2; file++)
    memcpy(world->v[file], m->v + 256 * file, sizeof world->v[file]);
  memcpy(world->memory, (const void *)(uintptr_t)m->buffer, ISA_MEMORY);
  memcpy(world->lds, m->lds, ISA_LDS);
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    for (unsigned byte = 0; byte < ISA_SCRATCH; byte += 4)
      memcpy(&world->scratch[lane][byte], scratch_place(m, lane, byte), 4);
}

/* ---- comparing ---- */

struct report {
  const char *arch, *text;
  int variant;
  bool failed;
};

static void compare(struct report *r, const char *what, const void *got, const void *expected, size_t bytes,
                    size_t unit) {
  const uint8_t *a = got, *b = expected;
  if (memcmp(a, b, bytes) == 0)
    return;
  size_t at = 0;
  while (a[at] == b[at])
    at++;
  at = at / unit * unit;
  uint32_t x = 0, y = 0;
  memcpy(&x, a + at, bytes - at < 4 ? bytes - at : 4);
  memcpy(&y, b + at, bytes - at < 4 ? bytes - at : 4);
  fprintf(stderr, "%s: %s: %s %zu is 0x%x, expected 0x%x (variant %d)\n", r->arch, r->text, what, at / unit,
          x, y, r->variant);
  r->failed = true;
}

static void compare_worlds(struct report *r, const struct isa_world *got, const struct isa_world *expected) {
  static const char *const files[] = {"dword (64 * register + lane) of the VGPRs",
                                      "dword (64 * register + lane) of the AGPRs"};
  for (unsigned file = 0; file < 2; file++)
    compare(r, files[file], got->v[file], expected->v[file], sizeof got->v[file], 4);
  compare(r, "SGPR", got->s, expected->s, sizeof got->s, 4);
  compare(r, "M0", &got->m0, &expected->m0, sizeof got->m0, 4);
  compare(r, "half of EXEC", &got->exec, &expected->exec, sizeof got->exec, 4);
  compare(r, "byte of memory", got->memory, expected->memory, ISA_MEMORY, 1);
  compare(r, "byte of LDS", got->lds, expected->lds, ISA_LDS, 1);
  compare(r, "byte (256 * lane + place) of scratch", got->scratch, expected->scratch, sizeof got->scratch, 1);
}

bool isa_machine_agrees(struct isa_machine *m, const char *text, const struct isa_code *code,
                        const struct isa_world *before, const struct isa_world *after) {
  struct report report = {.arch = isa_arch_name(m->arch), .text = text};
  static struct isa_world got;
  struct sim_inst inst;
  if (sim_decode(code->words, ISA_WORDS, m->arch, &inst) == 0) {
    fprintf(stderr, "%s: %s does not decode\n", report.arch, text);
    return false;
  }
  for (sim_handler *const *const *v = alu_variants(); *v && !report.failed; v++, report.variant++) {
    struct sim_wave w;
    got = *before;
    enter(m, before, &w);
    w.now = &inst;
    (*v)[inst.op](&w, &inst);
    leave(m, &w, &got);
    if (m->fault.text[0] != '\0') {
      fprintf(stderr, "%s: %s: %s\n", report.arch, text, m->fault.text);
      return false;
    }
    compare_worlds(&report, &got, after);
  }
  return !report.failed;
}
