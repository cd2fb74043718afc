/* Program control: what branches, calls, hardware registers, indexed registers, ends and hints do to a wave (CDNA ISA
 * guides, chapters "Program flow control" and "Instructions", SOP1, SOPK, SOPP). */
#include "isa_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../alu_wave.h"
#include "isa_assemble.h"
#include "isa_coverage.h"

/* ---- the parts of a wave that these change ---- */

enum field { END, PC, EXEC, VCC, S2, S8, S20, SCC, M0, MODE, STATE, FIELDS };

static const char *const field_names[FIELDS] = {
    [PC] = "PC",        [EXEC] = "EXEC", [VCC] = "VCC", [S2] = "s[2:3]", [S8] = "s[8:9]",
    [S20] = "s[20:21]", [SCC] = "SCC",   [M0] = "M0",   [MODE] = "MODE", [STATE] = "state"};

struct change {
  enum field field;
  uint64_t value;
};

/* Before the instruction at 0x1000 some parts are set; after it some have changed, all others are as before. The PC moves
 * on by the instruction's length unless it is said where it goes. */
struct step {
  const char *name, *text;
  struct change before[4], after[4];
};

#define S2_VALUE  UINT64_C(0x0000123400004000)
#define S20_VALUE UINT64_C(0x2121212120202020)

static const struct step steps[] = {
    {"s_nop", "s_nop 3", {{0}}, {{0}}},
    {"s_sleep", "s_sleep 1", {{0}}, {{0}}},
    {"s_waitcnt", "s_waitcnt 0", {{0}}, {{0}}},
    {"s_setprio", "s_setprio 2", {{0}}, {{0}}},
    {"s_sendmsg", "s_sendmsg 1", {{0}}, {{0}}},
    {"s_wakeup", "s_wakeup", {{0}}, {{0}}},
    {"s_icache_inv", "s_icache_inv", {{0}}, {{0}}},
    {"s_incperflevel", "s_incperflevel 1", {{0}}, {{0}}},
    {"s_decperflevel", "s_decperflevel 1", {{0}}, {{0}}},
    {"s_ttracedata", "s_ttracedata", {{0}}, {{0}}},
    {"s_endpgm", "s_endpgm", {{0}}, {{STATE, SIM_ENDED}}},
    {"s_endpgm_saved", "s_endpgm_saved", {{0}}, {{STATE, SIM_ENDED}}},
    {"s_barrier", "s_barrier", {{0}}, {{STATE, SIM_AT_BARRIER}}},
    {"s_sethalt", "s_sethalt 0", {{0}}, {{0}}},
    {"s_sethalt", "s_sethalt 1", {{0}}, {{STATE, SIM_FAULTED}}},
    {"s_trap", "s_trap 2", {{0}}, {{STATE, SIM_FAULTED}}},
    /* distances count dwords from the next instruction */
    {"s_branch", "s_branch 16", {{0}}, {{PC, 0x1044}}},
    {"s_branch", "s_branch 0xfffe", {{0}}, {{PC, 0x0ffc}}},
    {"s_branch", "s_branch 0x8000", {{0}}, {{PC, UINT64_C(0x1004) - 0x20000}}},
    {"s_cbranch_scc0", "s_cbranch_scc0 4", {{SCC, 0}}, {{PC, 0x1014}}},
    {"s_cbranch_scc0", "s_cbranch_scc0 4", {{SCC, 1}}, {{0}}},
    {"s_cbranch_scc1", "s_cbranch_scc1 4", {{SCC, 1}}, {{PC, 0x1014}}},
    {"s_cbranch_scc1", "s_cbranch_scc1 4", {{SCC, 0}}, {{0}}},
    {"s_cbranch_vccz", "s_cbranch_vccz 4", {{VCC, 0}}, {{PC, 0x1014}}},
    {"s_cbranch_vccz", "s_cbranch_vccz 4", {{VCC, UINT64_C(1) << 63}}, {{0}}},
    {"s_cbranch_vccnz", "s_cbranch_vccnz 4", {{VCC, UINT64_C(1) << 63}}, {{PC, 0x1014}}},
    {"s_cbranch_vccnz", "s_cbranch_vccnz 4", {{VCC, 0}}, {{0}}},
    {"s_cbranch_execz", "s_cbranch_execz 4", {{EXEC, 0}}, {{PC, 0x1014}}},
    {"s_cbranch_execz", "s_cbranch_execz 4", {{EXEC, UINT64_C(1) << 32}}, {{0}}},
    {"s_cbranch_execnz", "s_cbranch_execnz 4", {{EXEC, UINT64_C(1) << 32}}, {{PC, 0x1014}}},
    {"s_cbranch_execnz", "s_cbranch_execnz 4", {{EXEC, 0}}, {{0}}},
    {"s_getpc_b64", "s_getpc_b64 s[8:9]", {{0}}, {{S8, 0x1004}}},
    {"s_setpc_b64", "s_setpc_b64 s[2:3]", {{0}}, {{PC, S2_VALUE}}},
    {"s_swappc_b64", "s_swappc_b64 s[8:9], s[2:3]", {{0}}, {{PC, S2_VALUE}, {S8, 0x1004}}},
    {"s_swappc_b64", "s_swappc_b64 s[2:3], s[2:3]", {{0}}, {{PC, S2_VALUE}, {S2, 0x1004}}},
    {"s_call_b64", "s_call_b64 s[8:9], 16", {{0}}, {{PC, 0x1044}, {S8, 0x1004}}},
    {"s_call_b64", "s_call_b64 s[8:9], 0xfffe", {{0}}, {{PC, 0x0ffc}, {S8, 0x1004}}},
    /* a result of 32 bits leaves s9 alone */
    {"s_getreg_b32", "s_getreg_b32 s8, hwreg(HW_REG_MODE, 4, 4)", {{MODE, 0x3a5}, {S8, 0x77}}, {{S8, 0xa}}},
    {"s_getreg_b32", "s_getreg_b32 s8, hwreg(HW_REG_MODE)", {{MODE, 0x3a5}, {S8, 0x77}}, {{S8, 0x3a5}}},
    {"s_setreg_b32", "s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s2", {{MODE, 0x3f0}}, {{MODE, 0x3c0}}},
    {"s_setreg_b32",
     "s_setreg_b32 hwreg(HW_REG_MODE, 0, 8), s2",
     {{MODE, 0x3f0}, {S2, 0x150}},
     {{MODE, 0x350}}},
    /* rounding upwards is not simulated, and told */
    {"s_setreg_b32",
     "s_setreg_b32 hwreg(HW_REG_MODE, 0, 8), s2",
     {{MODE, 0x3f0}, {S2, 0x155}},
     {{STATE, SIM_FAULTED}}},
    {"s_setreg_imm32_b32",
     "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0x5",
     {{MODE, 0x3f0}},
     {{MODE, 0x350}}},
    {"s_movrels_b32", "s_movrels_b32 s8, s2", {{M0, 18}, {S8, 0}}, {{S8, 0x20202020}}},
    {"s_movrels_b64", "s_movrels_b64 s[8:9], s[2:3]", {{M0, 18}}, {{S8, S20_VALUE}}},
    {"s_movreld_b32", "s_movreld_b32 s2, s8", {{M0, 18}, {S8, 0x77}}, {{S20, UINT64_C(0x2121212100000077)}}},
    {"s_movreld_b64",
     "s_movreld_b64 s[2:3], s[8:9]",
     {{M0, 18}, {S8, UINT64_C(0x7700000088)}},
     {{S20, UINT64_C(0x7700000088)}}},
    {"s_set_gpr_idx_idx", "s_set_gpr_idx_idx s2", {{M0, 0xabcdef12}, {S2, 0x1234}}, {{M0, 0xabcdef34}}},
    {"s_set_gpr_idx_mode", "s_set_gpr_idx_mode 0x5", {{M0, 0xabcdef12}}, {{M0, 0xabcd5f12}}},
    {"s_set_gpr_idx_off", "s_set_gpr_idx_off", {{MODE, 0x80003f0 | 1u << 27}}, {{MODE, 0x3f0}}},
};
enum { STEPS = sizeof steps / sizeof *steps };

const char *isa_proven_program(size_t index) {
  return index < STEPS ? steps[index].name : index == STEPS ? "s_set_gpr_idx_on" : NULL;
}

/* ---- one instruction ---- */

static void set_defaults(uint64_t *m) {
  memset(m, 0, FIELDS * sizeof *m);
  m[PC] = 0x1000;
  m[EXEC] = UINT64_MAX;
  m[VCC] = UINT64_C(0x5555);
  m[S2] = S2_VALUE;
  m[S8] = UINT64_C(0x9999999988888888);
  m[S20] = S20_VALUE;
  m[SCC] = 1;
  m[M0] = 7;
  m[MODE] = ALU_MODE;
  m[STATE] = SIM_RUNNING;
}

static void apply(uint64_t *m, const struct change *changes) {
  for (unsigned i = 0; i < 4 && changes[i].field != END; i++)
    m[changes[i].field] = changes[i].value;
}

static void load(struct alu_wave *a, const uint64_t *m) {
  sim_write_s64(&a->w, SIM_EXEC_LO, m[EXEC]);
  sim_write_s64(&a->w, SIM_VCC_LO, m[VCC]);
  sim_write_s64(&a->w, 2, m[S2]);
  sim_write_s64(&a->w, 8, m[S8]);
  sim_write_s64(&a->w, 20, m[S20]);
  a->w.pc = m[PC];
  a->w.scc = (uint32_t)m[SCC];
  a->w.s[SIM_M0] = (uint32_t)m[M0];
  a->w.mode = (uint32_t)m[MODE];
  a->w.state = (enum sim_wave_state)m[STATE];
}

static void store(const struct alu_wave *a, uint64_t *m) {
  m[EXEC] = sim_exec(&a->w);
  m[VCC] = sim_read_s64(&a->w, SIM_VCC_LO);
  m[S2] = sim_read_s64(&a->w, 2);
  m[S8] = sim_read_s64(&a->w, 8);
  m[S20] = sim_read_s64(&a->w, 20);
  m[PC] = a->w.pc;
  m[SCC] = a->w.scc;
  m[M0] = a->w.s[SIM_M0];
  m[MODE] = a->w.mode;
  m[STATE] = a->w.state;
}

static void run_step(const struct step *s, enum sim_arch arch, const struct isa_code *code,
                     sim_handler *const *handlers) {
  struct alu_wave a;
  struct sim_inst inst;
  uint64_t expected[FIELDS], got[FIELDS];
  alu_open(&a, handlers);
  a.code.arch = a.dispatch.arch = arch;
  set_defaults(expected);
  apply(expected, s->before);
  load(&a, expected);
  sim_decode(code->words, ISA_WORDS, arch, &inst);
  expected[PC] += inst.next;
  apply(expected, s->after);
  a.w.pc += inst.next;
  a.w.now = &inst;
  handlers[inst.op](&a.w, &inst);
  store(&a, got);
  for (unsigned f = PC; f < FIELDS; f++)
    if (got[f] != expected[f])
      fail_msg("%s: %s: %s is 0x%llx, expected 0x%llx", isa_arch_name(arch), s->text, field_names[f],
               (unsigned long long)got[f], (unsigned long long)expected[f]);
  alu_free(&a);
}

void isa_run_steps(void) {
  static char lines[STEPS][ISA_TEXT];
  static struct isa_code code[STEPS];
  for (size_t i = 0; i < STEPS; i++)
    snprintf(lines[i], sizeof lines[i], "%s", steps[i].text);
  for (unsigned arch = 0; arch < SIM_ARCHS; arch++) {
    if (!isa_knows((enum sim_arch)arch))
      continue;
    assert_true(isa_assemble((enum sim_arch)arch, (const char(*)[ISA_TEXT])lines, STEPS, code));
    for (sim_handler *const *const *v = alu_variants(); *v; v++)
      for (size_t i = 0; i < STEPS; i++)
        run_step(&steps[i], (enum sim_arch)arch, &code[i], *v);
  }
}

/* ---- indexed vector registers ---- */

/* Between s_set_gpr_idx_on and _off the index is added to the registers that the mode names: sources 0 to 2 and the
 * destination, a bit each. */
void isa_run_indexed(void) {
  static const char lines[][ISA_TEXT] = {"s_set_gpr_idx_on s2, 0x1", "v_mov_b32_e32 v40, v10",
                                         "s_set_gpr_idx_mode 0x8",   "v_mov_b32_e32 v20, v11",
                                         "s_set_gpr_idx_idx s3",     "v_mov_b32_e32 v30, v12",
                                         "s_set_gpr_idx_off",        "v_mov_b32_e32 v50, v13"};
  enum { COUNT = sizeof lines / sizeof *lines };
  struct isa_code code[COUNT];
  uint32_t text[COUNT];
  static uint64_t hits[SIM_OP_COUNT];
  assert_true(isa_assemble(SIM_GFX90A, lines, COUNT, code));
  for (unsigned i = 0; i < COUNT; i++)
    text[i] = code[i].words[0];
  struct sim_code *program = sim_code_decode(text, sizeof text, 0x1000, SIM_GFX90A);
  assert_non_null(program);
  struct alu_wave a;
  alu_open(&a, alu_variants()[0]);
  a.w.code = program;
  a.w.hits = hits;
  a.w.vgprs = 256;
  for (unsigned r = 10; r < 20; r++)
    alu_set(&a, r, r);
  a.w.s[2] = 3;
  a.w.s[3] = 5;
  a.w.pc = 0x1004;
  a.w.now = &program->at[0];
  a.handlers[SIM_OP_s_set_gpr_idx_on](&a.w, &program->at[0]);
  assert_int_equal(a.w.state, SIM_RUNNING);
  assert_int_equal(a.w.pc, 0x1000 + 4 * 7);
  assert_int_equal(a.w.s[SIM_M0] & 0xf0ff, 0x8005);
  assert_int_equal(a.w.v[40][5], 13); /* v[10 + 3] */
  assert_int_equal(a.w.v[23][5], 11); /* into v[20 + 3] */
  assert_int_equal(a.w.v[35][5], 12); /* into v[30 + 5] */
  alu_free(&a);
  sim_code_free(program);
}
