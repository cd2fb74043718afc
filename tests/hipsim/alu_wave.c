#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "alu_wave.h"

extern sim_handler *const sim_handlers_generic[SIM_OP_COUNT];
extern sim_handler *const sim_handlers_avx2[SIM_OP_COUNT];
extern sim_handler *const sim_handlers_avx512[SIM_OP_COUNT];

sim_handler *const *const *alu_variants(void) {
  static sim_handler *const *const all[] = {sim_handlers_generic, sim_handlers_avx2, sim_handlers_avx512,
                                            NULL};
  static sim_handler *const *const two[] = {sim_handlers_generic, sim_handlers_avx2, NULL};
  static sim_handler *const *const one[] = {sim_handlers_generic, NULL};
  const char *best = sim_variant_name();
  return strcmp(best, "avx512") == 0 ? all : strcmp(best, "avx2") == 0 ? two : one;
}

void alu_open(struct alu_wave *a, sim_handler *const *handlers) {
  memset(a, 0, sizeof *a);
  a->handlers = handlers;
  a->w.v = aligned_alloc(64, 512 * sizeof(sim_vreg));
  assert_non_null(a->w.v);
  memset(a->w.v, 0xaa, 512 * sizeof(sim_vreg));
  memset(a->w.s, 0xaa, sizeof a->w.s);
  sim_write_s64(&a->w, SIM_EXEC_LO, UINT64_MAX);
  a->w.mode = ALU_MODE;
  a->kernel = (struct sim_kernel){.name = "test", .code = &a->code};
  a->dispatch.kernel = &a->kernel;
  a->w.code = &a->code;
  a->w.dispatch = &a->dispatch;
  a->w.fault = &a->fault;
}

void alu_free(struct alu_wave *a) {
  free(a->w.v);
}

void alu_run(struct alu_wave *a, const uint32_t *words, const char *text) {
  alu_run_on(a, SIM_GFX90A, words, text);
}

void alu_run_on(struct alu_wave *a, enum sim_arch arch, const uint32_t *words, const char *text) {
  struct sim_inst inst;
  char printed[256];
  assert_int_not_equal(sim_decode(words, 3, arch, &inst), 0);
  sim_disassemble(&inst, arch, printed, sizeof printed);
  if (text)
    assert_string_equal(printed, text);
  a->w.now = &inst;
  a->w.pc += inst.next;
  a->handlers[inst.op](&a->w, &inst);
  a->w.now = NULL;
}

void alu_set(struct alu_wave *a, unsigned vgpr, uint64_t value) {
  for (unsigned l = 0; l < SIM_LANES; l++) {
    a->w.v[vgpr][l] = (uint32_t)value;
    a->w.v[vgpr + 1][l] = (uint32_t)(value >> 32);
  }
}
