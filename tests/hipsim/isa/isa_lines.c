#include "isa_lines.h"

#include <stdio.h>
#include <stdlib.h>

#include "isa_values.h"

static bool run_line(struct isa_machine *machine, const struct isa_line *line, const char *text,
                     const struct isa_code *code) {
  static const uint64_t execs[] = {UINT64_MAX, UINT64_C(0xff00f0f01234abcd), UINT64_C(1) << 63,
                                   UINT64_C(0xffffffff), 0};
  static struct isa_world before, after;
  uint64_t state = 1 + code->words[0];
  bool agrees = true;
  for (size_t round = 0; round < 4 * (sizeof execs / sizeof *execs) && agrees; round++) {
    isa_world_fill(machine, &before, &state);
    before.exec = execs[round / 4];
    if (line->prepare != NULL)
      line->prepare(&before, &state);
    after = before;
    if (line->apply != NULL)
      line->apply(&after);
    agrees = isa_machine_agrees(machine, text, code, &before, &after);
  }
  return agrees;
}

static unsigned run_arch(const struct isa_line *lines, size_t count, enum sim_arch arch) {
  char(*texts)[ISA_TEXT] = calloc(count, sizeof *texts);
  struct isa_code *code = calloc(count, sizeof *code);
  const struct isa_line **chosen = calloc(count, sizeof *chosen);
  if (texts == NULL || code == NULL || chosen == NULL)
    abort();
  size_t used = 0;
  for (size_t i = 0; i < count; i++)
    if (lines[i].archs >> arch & 1) {
      chosen[used] = &lines[i];
      snprintf(texts[used++], ISA_TEXT, "%s %s", lines[i].name, lines[i].operands);
    }
  struct isa_machine *machine = isa_machine_open(arch);
  unsigned differ = !isa_assemble(arch, (const char(*)[ISA_TEXT])texts, used, code);
  for (size_t i = 0; i < used && code[i].words[0] != 0; i++)
    differ += !run_line(machine, chosen[i], texts[i], &code[i]);
  isa_machine_close(machine);
  free(texts);
  free(code);
  free(chosen);
  return differ;
}

unsigned isa_run_lines(const struct isa_line *lines, size_t count) {
  unsigned differ = 0;
  for (int arch = 0; arch < SIM_ARCHS; arch++)
    if (isa_knows((enum sim_arch)arch))
      differ += run_arch(lines, count, (enum sim_arch)arch);
  return differ;
}
