/* The decoded text of a code object. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/hipsim/sim_registers.h"
#include "bench/hipsim/sim_table.h"
#include "bench/hipsim/sim_wave.h"

/* ---- entries that are errors to execute ---- */

static void run_unknown(struct sim_wave *w, const struct sim_inst *inst) {
  sim_wave_fault(w, -1, "unknown instruction 0x%08x", inst->literal);
}

static void run_middle(struct sim_wave *w, const struct sim_inst *inst) {
  sim_wave_fault(w, -1, "jump into the middle of an instruction, at the word 0x%08x", inst->literal);
}

static void run_unimplemented(struct sim_wave *w, const struct sim_inst *inst) {
  sim_wave_fault(w, -1, "%s is an instruction that the simulated device does not execute",
                 sim_info[inst->op].name);
}

static void run_misaligned(struct sim_wave *w, const struct sim_inst *inst) {
  (void)inst;
  sim_wave_fault(w, -1, "vector operands of 64 bits and more must begin at an even register");
}

static void run_unsuited(struct sim_wave *w, const struct sim_inst *inst) {
  (void)inst;
  sim_wave_fault(w, -1, "an operand is of a kind that the instruction cannot take");
}

/* ---- decoding ---- */

static sim_handler *handler_of(const struct sim_inst *inst, enum sim_arch arch,
                               sim_handler *const *handlers) {
  if (!handlers[inst->op])
    return run_unimplemented;
  struct sim_registers named = sim_registers_of(inst);
  if (!named.suits)
    return run_unsuited;
  if (sim_registers_align(arch) && !named.aligned)
    return run_misaligned;
  return handlers[inst->op];
}

/* Marks the dwords of an instruction but its first. */
static void mark_middle(struct sim_inst *at, const uint32_t *words, unsigned count) {
  for (unsigned i = 1; i < count; i++)
    at[i] = (struct sim_inst){.run = run_middle, .op = SIM_OP_UNKNOWN, .next = 4, .literal = words[i]};
}

static void decode_all(struct sim_code *code, const uint32_t *words) {
  sim_handler *const *handlers = sim_variant_handlers();
  size_t count = code->size / 4;
  for (size_t i = 0; i < count;) {
    struct sim_inst *inst = &code->at[i];
    size_t left = count - i;
    unsigned used = sim_decode(words + i, left < 3 ? (unsigned)left : 3, code->arch, inst);
    if (used == 0) {
      inst->run = run_unknown;
      i++;
      continue;
    }
    inst->run = handler_of(inst, code->arch, handlers);
    mark_middle(inst, words + i, used);
    i += used;
  }
}

struct sim_code *sim_code_decode(const void *text, size_t size, uint64_t base, enum sim_arch arch) {
  size_t count = size / 4;
  struct sim_code *code = calloc(1, sizeof *code);
  uint32_t *words = malloc(count ? count * 4 : 4); /* the text may be unaligned */
  if (code)
    code->at = calloc(count ? count : 1, sizeof *code->at);
  if (!code || !words || !code->at) {
    free(words);
    sim_code_free(code);
    return NULL;
  }
  memcpy(words, text, count * 4);
  code->base = base;
  code->size = count * 4;
  code->arch = arch;
  decode_all(code, words);
  free(words);
  return code;
}

void sim_code_free(struct sim_code *code) {
  if (code) {
    free(code->at);
    free(code);
  }
}

void sim_code_disassemble(const struct sim_code *code, uint64_t address, char *text, size_t size) {
  uint64_t offset = address - code->base;
  if (offset % 4 != 0 || offset >= code->size)
    snprintf(text, size, "no instruction");
  else
    sim_disassemble(&code->at[offset / 4], code->arch, text, size);
}
