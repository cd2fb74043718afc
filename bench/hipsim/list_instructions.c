/* Prints the instruction table as Markdown: bench/hipsim/INSTRUCTIONS.md, which scripts/list-instructions writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/hipsim/sim_device.h"
#include "bench/hipsim/sim_table.h"

static const char *const format_names[] = {
    [SIM_FMT_SOP1] = "SOP1",     [SIM_FMT_SOP2] = "SOP2",       [SIM_FMT_SOPC] = "SOPC",
    [SIM_FMT_SOPK] = "SOPK",     [SIM_FMT_SOPP] = "SOPP",       [SIM_FMT_SMEM] = "SMEM",
    [SIM_FMT_VOP1] = "VOP1",     [SIM_FMT_VOP2] = "VOP2",       [SIM_FMT_VOP2K] = "VOP2 with a literal",
    [SIM_FMT_VOPC] = "VOPC",     [SIM_FMT_VOP3] = "VOP3",       [SIM_FMT_VOP3P] = "VOP3P",
    [SIM_FMT_MAI] = "VOP3P-MAI", [SIM_FMT_DS] = "DS",           [SIM_FMT_FLAT] = "FLAT",
    [SIM_FMT_GLOBAL] = "GLOBAL", [SIM_FMT_SCRATCH] = "SCRATCH", [SIM_FMT_MUBUF] = "MUBUF"};
enum { FORMATS = sizeof format_names / sizeof format_names[0] };

static const char *state_of(const struct sim_op_info *info) {
  return info->runs ? "done" : "decode only";
}

/* ---- the head ---- */

static void print_count(const char *what, bool done, bool decoded) {
  printf("| %s |", what);
  for (unsigned arch = 0; arch < SIM_ARCHS; ++arch) {
    unsigned count = 0;
    for (unsigned op = SIM_OP_UNKNOWN + 1; op < SIM_OP_COUNT; ++op)
      count += sim_info[op].opcode[arch] >= 0 && (sim_info[op].runs ? done : decoded);
    printf(" %u |", count);
  }
  putchar('\n');
}

static void print_architectures(const char *before, const char *rule) {
  printf("%s", before);
  for (unsigned arch = 0; arch < SIM_ARCHS; ++arch)
    printf(" %s |", sim_arch_facts((enum sim_arch)arch)->name);
  printf("\n%s", rule);
  for (unsigned arch = 0; arch < SIM_ARCHS; ++arch)
    printf(" --- |");
  putchar('\n');
}

static void print_head(void) {
  puts("# Instructions\n");
  puts("Written by `scripts/list-instructions` from the table (`sim_rows_*.h`); a test fails when the two "
       "part. \"done\": executed, with "
       "results as on\nthe architecture. \"decode only\": read and disassembled; to execute it is an error "
       "that names it. How "
       "instructions are tested: `README.md`,\nsection \"Instructions\". An instruction counts once, "
       "whatever encodings (64-bit, "
       "SDWA, DPP) it has beside its own.\n");
  print_architectures("| |", "| --- |");
  print_count("done", true, false);
  print_count("decode only", false, true);
  print_count("all", true, true);
}

/* ---- the rows ---- */

static int by_name(const void *a, const void *b) {
  return strcmp(sim_info[*(const unsigned *)a].name, sim_info[*(const unsigned *)b].name);
}

/* The opcode on each architecture that has it. */
static void print_row(const struct sim_op_info *info) {
  printf("| `%s` |", info->name);
  for (unsigned arch = 0; arch < SIM_ARCHS; ++arch)
    if (info->opcode[arch] >= 0)
      printf(" 0x%02x |", (unsigned)info->opcode[arch]);
    else
      printf(" |");
  printf(" %s |\n", state_of(info));
}

static void print_format(unsigned format) {
  static unsigned ops[SIM_OP_COUNT];
  unsigned count = 0;
  for (unsigned op = SIM_OP_UNKNOWN + 1; op < SIM_OP_COUNT; ++op)
    if (sim_info[op].format == format)
      ops[count++] = op;
  if (count == 0)
    return;
  qsort(ops, count, sizeof ops[0], by_name);
  printf("\n## %s\n\n", format_names[format]);
  printf("| instruction | gfx908 | gfx90a | gfx942 | gfx950 | |\n| --- | --- | --- | --- | --- | --- |\n");
  for (unsigned i = 0; i < count; ++i)
    print_row(&sim_info[ops[i]]);
}

int main(void) {
  print_head();
  for (unsigned format = 0; format < FORMATS; ++format)
    print_format(format);
  return fflush(stdout) == 0 ? 0 : 1;
}
