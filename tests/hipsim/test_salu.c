/* Scalar ALU and program control (sim_salu.c), one instruction at a time: results and SCC at edge values, saveexec,
 * branches, calls, hardware registers, end and barrier. Expected values follow the CDNA2 ISA guide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "alu_wave.h"

/* Sources a and b lie in s[2:3] and s[4:5]; the result is expected in s0 or s[0:1]. */
struct scalar_case {
  const char *text;
  uint32_t words[3];
  uint64_t a, b;
  uint32_t scc_before;
  uint64_t expected;
  uint32_t scc_after;
};

static const struct scalar_case cases[] = {
    {"s_add_u32 s0, s2, s4", {0x80000402}, 0xffffffff, 0x1, 0x0, 0x0, 0x1},
    {"s_addc_u32 s0, s2, s4", {0x82000402}, 0xffffffff, 0x0, 0x1, 0x0, 0x1},
    {"s_sub_u32 s0, s2, s4", {0x80800402}, 0x1, 0x2, 0x0, 0xffffffff, 0x1},
    {"s_subb_u32 s0, s2, s4", {0x82800402}, 0x5, 0x2, 0x1, 0x2, 0x0},
    {"s_add_i32 s0, s2, s4", {0x81000402}, 0x7fffffff, 0x1, 0x0, 0x80000000, 0x1},
    {"s_sub_i32 s0, s2, s4", {0x81800402}, 0x80000000, 0x1, 0x0, 0x7fffffff, 0x1},
    {"s_mul_i32 s0, s2, s4", {0x92000402}, 0x7, 0x6, 0x1, 0x2a, 0x1},
    {"s_mul_hi_u32 s0, s2, s4", {0x96000402}, 0x80000000, 0x4, 0x0, 0x2, 0x0},
    {"s_mul_hi_i32 s0, s2, s4", {0x96800402}, 0xffffffff, 0x4, 0x0, 0xffffffff, 0x0},
    {"s_min_i32 s0, s2, s4", {0x83000402}, 0xffffffff, 0x4, 0x0, 0xffffffff, 0x1},
    {"s_max_u32 s0, s2, s4", {0x84800402}, 0xffffffff, 0x4, 0x0, 0xffffffff, 0x1},
    {"s_and_b64 s[0:1], s[2:3], s[4:5]",
     {0x86800402},
     UINT64_C(0xff00ff00ff),
     UINT64_C(0xf0f0f0f0f),
     0x0,
     UINT64_C(0xf000f000f),
     0x1},
    {"s_andn2_b64 s[0:1], s[2:3], s[4:5]", {0x89800402}, 0xff, 0xff, 0x1, 0x0, 0x0},
    {"s_xor_b32 s0, s2, s4", {0x88000402}, 0x5, 0x5, 0x1, 0x0, 0x0},
    {"s_lshl_b64 s[0:1], s[2:3], s4", {0x8e800402}, 0x1, 0x28, 0x0, UINT64_C(0x10000000000), 0x1},
    {"s_lshr_b64 s[0:1], s[2:3], s4", {0x8f800402}, UINT64_C(0x10000000000), 0x29, 0x1, 0x0, 0x0},
    {"s_ashr_i32 s0, s2, s4", {0x90000402}, 0x80000000, 0x1f, 0x0, 0xffffffff, 0x1},
    {"s_bfe_u32 s0, s2, s4", {0x92800402}, 0xabcd1234, 0x80008, 0x0, 0x12, 0x1},
    {"s_bfe_i32 s0, s2, s4", {0x93000402}, 0xabcd8234, 0x80008, 0x0, 0xffffff82, 0x1},
    {"s_bfm_b32 s0, s2, s4", {0x91000402}, 0x4, 0x8, 0x0, 0xf00, 0x0},
    {"s_cselect_b32 s0, s2, s4", {0x85000402}, 0x1, 0x2, 0x1, 0x1, 0x1},
    {"s_cselect_b64 s[0:1], s[2:3], s[4:5]", {0x85800402}, 0x1, 0x2, 0x0, 0x2, 0x0},
    {"s_absdiff_i32 s0, s2, s4", {0x95000402}, 0x3, 0xfffffffe, 0x0, 0x5, 0x1},
    {"s_abs_i32 s0, s2", {0xbe803002}, 0xfffffff0, 0x0, 0x0, 0x10, 0x1},
    {"s_brev_b32 s0, s2", {0xbe800802}, 0x1, 0x0, 0x0, 0x80000000, 0x0},
    {"s_bcnt1_i32_b64 s0, s[2:3]", {0xbe800d02}, UINT64_C(0xf0000000f), 0x0, 0x0, 0x8, 0x1},
    {"s_ff1_i32_b64 s0, s[2:3]", {0xbe801102}, UINT64_C(0x10000000000), 0x0, 0x0, 0x28, 0x0},
    {"s_flbit_i32_b32 s0, s2", {0xbe801202}, 0x10, 0x0, 0x0, 0x1b, 0x0},
    {"s_sext_i32_i16 s0, s2", {0xbe801702}, 0x8000, 0x0, 0x0, 0xffff8000, 0x0},
    {"s_not_b64 s[0:1], s[2:3]", {0xbe800502}, UINT64_C(0xffffffffffffffff), 0x0, 0x1, 0x0, 0x0},
    {"s_movk_i32 s0, 0x8000", {0xb0008000}, 0x0, 0x0, 0x1, 0xffff8000, 0x1},
    {"s_lshl2_add_u32 s0, s2, s4", {0x97800402}, 0x40000000, 0x1, 0x0, 0x1, 0x1},
    {"s_pack_lh_b32_b16 s0, s2, s4", {0x99800402}, 0x11112222, 0x33334444, 0x0, 0x33332222, 0x0},
    {"s_mov_b64 s[0:1], 0.5", {0xbe8001f0}, 0x0, 0x0, 0x0, UINT64_C(0x3fe0000000000000), 0x0},
    {"s_mov_b64 s[0:1], -1", {0xbe8001c1}, 0x0, 0x0, 0x0, UINT64_C(0xffffffffffffffff), 0x0},
    {"s_mov_b32 s0, 1.0", {0xbe8000f2}, 0x0, 0x0, 0x0, 0x3f800000, 0x0},
};

static void results(void **state) {
  (void)state;
  for (sim_handler *const *const *v = alu_variants(); *v; v++)
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      const struct scalar_case *c = &cases[i];
      struct alu_wave a;
      alu_open(&a, *v);
      sim_write_s64(&a.w, 0, 0);
      sim_write_s64(&a.w, 2, c->a);
      sim_write_s64(&a.w, 4, c->b);
      a.w.scc = c->scc_before;
      alu_run(&a, c->words, c->text);
      if (sim_read_s64(&a.w, 0) != c->expected || a.w.scc != c->scc_after)
        fail_msg("%s of 0x%llx, 0x%llx: 0x%llx, SCC %u; expected 0x%llx, SCC %u", c->text,
                 (unsigned long long)c->a, (unsigned long long)c->b,
                 (unsigned long long)sim_read_s64(&a.w, 0), a.w.scc, (unsigned long long)c->expected,
                 c->scc_after);
      alu_free(&a);
    }
}

static void exec_is_saved_and_changed(void **state) {
  (void)state;
  /* s_and_saveexec_b64 s[0:1], s[2:3]; s_andn2_saveexec_b64 vcc, s[2:3] */
  static const uint32_t and[] = {0xbe802002, 0, 0}, andn2[] = {0xbeea2302, 0, 0};
  struct alu_wave a;
  alu_open(&a, alu_variants()[0]);
  sim_write_s64(&a.w, 2, 0xf0);
  alu_run(&a, and, "s_and_saveexec_b64 s[0:1], s[2:3]");
  assert_true(sim_read_s64(&a.w, 0) == UINT64_MAX && sim_exec(&a.w) == 0xf0 && a.w.scc == 1);
  alu_run(&a, andn2, "s_andn2_saveexec_b64 vcc, s[2:3]");
  assert_true(sim_read_s64(&a.w, SIM_VCC_LO) == 0xf0 && sim_exec(&a.w) == 0 && a.w.scc == 0);
  alu_free(&a);
}

static void branches_follow_their_condition(void **state) {
  (void)state;
  static const uint32_t back[] = {0xbf82fffe, 0, 0}, scc1[] = {0xbf850004, 0, 0},
                        execz[] = {0xbf880010, 0, 0}, call[] = {0xbe801e02, 0, 0};
  struct alu_wave a;
  alu_open(&a, alu_variants()[0]);
  a.w.pc = 0x1000;
  alu_run(&a, back, "s_branch 65534");
  assert_true(a.w.pc == 0x1000 + 4 - 8);
  a.w.pc = 0x1000;
  a.w.scc = 0;
  alu_run(&a, scc1, "s_cbranch_scc1 4");
  assert_true(a.w.pc == 0x1004);
  a.w.scc = 1;
  alu_run(&a, scc1, "s_cbranch_scc1 4");
  assert_true(a.w.pc == 0x1008 + 16);
  a.w.pc = 0x1000;
  alu_run(&a, execz, "s_cbranch_execz 16");
  assert_true(a.w.pc == 0x1004);
  sim_write_s64(&a.w, 2, 0x4000);
  alu_run(&a, call, "s_swappc_b64 s[0:1], s[2:3]");
  assert_true(a.w.pc == 0x4000 && sim_read_s64(&a.w, 0) == 0x1008);
  alu_free(&a);
}

static void mode_is_read_and_written(void **state) {
  (void)state;
  /* s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0; s_getreg_b32 s0, hwreg(HW_REG_MODE, 4, 4) */
  static const uint32_t set[] = {0xba000901, 0, 0}, get[] = {0xb8801901, 0, 0};
  struct alu_wave a;
  alu_open(&a, alu_variants()[0]);
  alu_run(&a, get, "s_getreg_b32 s0, hwreg(HW_REG_MODE, 4, 4)");
  assert_int_equal(a.w.s[0], 15);
  alu_run(&a, set, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0");
  assert_int_equal(a.w.mode, ALU_MODE & ~0x30);
  alu_run(&a, get, "s_getreg_b32 s0, hwreg(HW_REG_MODE, 4, 4)");
  assert_int_equal(a.w.s[0], 12);
  alu_free(&a);
}

static void waves_end_and_wait(void **state) {
  (void)state;
  static const uint32_t barrier[] = {0xbf8a0000, 0, 0}, end[] = {0xbf810000, 0, 0},
                        trap[] = {0xbf920002, 0, 0};
  struct alu_wave a;
  alu_open(&a, alu_variants()[0]);
  alu_run(&a, barrier, "s_barrier");
  assert_int_equal(a.w.state, SIM_AT_BARRIER);
  alu_run(&a, end, "s_endpgm");
  assert_int_equal(a.w.state, SIM_ENDED);
  a.w.state = SIM_RUNNING;
  alu_run(&a, trap, "s_trap 2");
  assert_int_equal(a.w.state, SIM_FAULTED);
  assert_non_null(strstr(a.fault.text, "__builtin_trap"));
  alu_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(results),
      cmocka_unit_test(exec_is_saved_and_changed),
      cmocka_unit_test(branches_follow_their_condition),
      cmocka_unit_test(mode_is_read_and_written),
      cmocka_unit_test(waves_end_and_wait),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
