#include "hostile_machine.h"

#include <stdio.h>
#include <string.h>

enum { BASE = 0x1000 };

static const uint32_t s_endpgm = 0xbf810000;

int hostile_open(struct hostile_machine *m, enum sim_arch arch) {
  memset(m, 0, sizeof *m);
  m->memory = sim_memory_create((uint64_t)16 << 20);
  if (m->memory == NULL)
    return -1;
  m->buffer = sim_memory_allocate(m->memory, 4096, SIM_SPAN_BUFFER, true);
  m->scratch = sim_memory_allocate(m->memory, 65536, SIM_SPAN_SCRATCH, true);
  m->kernel = (struct sim_kernel){.name = "hostile",
                                  .entry = BASE,
                                  .lds_bytes = 1024,
                                  .scratch_bytes = 64,
                                  .vgprs = 256,
                                  .agprs = 256,
                                  .sgprs = 102,
                                  .rsrc1 = 0x00af0000,
                                  .rsrc2 = 2u << 1 | 1u << 7,
                                  .properties = 1u << 3};
  m->dispatch = (struct sim_dispatch){.kernel = &m->kernel,
                                      .memory = m->memory,
                                      .arch = arch,
                                      .grid = {1, 1, 1},
                                      .block = {64, 1, 1},
                                      .kernarg = m->buffer,
                                      .packet = m->buffer,
                                      .queue = m->buffer,
                                      .scratch = m->scratch,
                                      .budget = 256,
                                      .strict = true};
  return m->buffer != 0 && m->scratch != 0 ? 0 : -1;
}

void hostile_close(struct hostile_machine *m) {
  sim_memory_free(&m->memory);
}

int hostile_run(struct hostile_machine *m, const uint32_t *words, size_t count) {
  uint32_t text[HOSTILE_WORDS + 1];
  memcpy(text, words, count * sizeof *text);
  text[count] = s_endpgm;
  m->fault = (struct sim_fault){.budget = false};
  struct sim_code *code = sim_code_decode(text, (count + 1) * 4, BASE, m->dispatch.arch);
  m->kernel.code = code;
  struct sim_group *group = code != NULL ? sim_group_create(&m->dispatch) : NULL;
  int status = -1;
  if (group != NULL)
    status = sim_group_run(group, &m->dispatch, (const uint32_t[3]){0, 0, 0}, &m->counts, &m->fault);
  else
    snprintf(m->fault.text, sizeof m->fault.text, "no memory to run the words");
  sim_group_free(group);
  sim_code_free(code);
  return status;
}
