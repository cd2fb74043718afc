/* What a wave sees of its machine: hardware registers field by field, MODE as it begins and as s_setreg sets it, traps,
 * clocks, and instructions that only wait. Fields from AMD's CDNA ISA guides, "Hardware register table". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

enum { MODE = 1, STATUS, TRAPSTS, HW_ID, GPR_ALLOC, LDS_ALLOC, IB_STS, SH_MEM_BASES = 15, XCC_ID = 20 };
enum { ZERO = SIM_INLINE_INT_0, S8 = SIM_SGPR0 + 8, S9 = SIM_SGPR0 + 9 };

static int hwreg(int id, int offset, int width) {
  return id | offset << 6 | (width - 1) << 11;
}

static void add(struct rig *rig, enum sim_op op, unsigned dst, unsigned a, unsigned b) {
  rig_add(rig, op, rig_inst(dst, a, b, NONE));
}

static void add_imm(struct rig *rig, enum sim_op op, unsigned dst, unsigned a, int imm) {
  struct sim_inst inst = rig_inst(dst, a, NONE, NONE);
  inst.imm = imm;
  rig_add(rig, op, inst);
}

static void open_on(struct rig *rig, enum sim_arch arch, uint32_t items) {
  rig_open(rig, items, 1000);
  rig->dispatch.arch = arch;
  rig->code.arch = arch;
}

/* Stores a scalar register, one dword a lane. */
static void store_scalar(struct rig *rig, unsigned scalar) {
  add(rig, SIM_OP_v_mov_b32, V(2), scalar, NONE);
  rig_add_store(rig, V(2));
}

static void run(struct rig *rig) {
  if (rig_run(rig) != 0)
    fail_msg("%s", rig->fault.text);
}

static void fails(struct rig *rig, const char *said) {
  assert_int_equal(rig_run(rig), -1);
  if (strstr(rig->fault.text, said) == NULL)
    fail_msg("%s", rig->fault.text);
  rig_close(rig);
}

/* ---- reading ---- */

static uint32_t field_of(struct rig *rig, int id, int offset, int width) {
  add_imm(rig, SIM_OP_s_getreg_b32, S8, NONE, hwreg(id, offset, width));
  store_scalar(rig, S8);
  run(rig);
  uint32_t value = rig_out(rig, 0);
  rig_close(rig);
  return value;
}

static void fields_of_a_kernel(void **state) {
  (void)state;
  enum { RSRC1 = 11u | 12u << 6 | 0xf0u << 12 | 1u << 21 | 1u << 23 };
  static const struct {
    int id, offset, width;
    uint32_t expected;
  } cases[] = {
      {MODE, 0, 32, 0x3f0},      {MODE, 0, 4, 0},        {MODE, 4, 2, 3},      {MODE, 6, 2, 3},
      {GPR_ALLOC, 8, 6, 11},     {GPR_ALLOC, 24, 4, 12}, {GPR_ALLOC, 0, 6, 0}, {LDS_ALLOC, 12, 9, 2},
      {LDS_ALLOC, 0, 8, 0},      {TRAPSTS, 0, 32, 0},    {IB_STS, 0, 32, 0},   {SH_MEM_BASES, 0, 16, 2},
      {SH_MEM_BASES, 16, 16, 1}, {STATUS, 16, 1, 1},     {STATUS, 6, 1, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct rig rig;
    open_on(&rig, SIM_GFX90A, 64);
    rig.kernel.rsrc1 = RSRC1;
    assert_int_equal(field_of(&rig, cases[i].id, cases[i].offset, cases[i].width), cases[i].expected);
  }
}

static void status_follows_the_wave(void **state) {
  (void)state;
  for (unsigned set = 0; set < 2; set++) {
    struct rig rig;
    open_on(&rig, SIM_GFX90A, set ? 128 : 64);
    add(&rig, SIM_OP_s_cmp_eq_u32, NONE, ZERO, ZERO + !set);
    add(&rig, SIM_OP_s_mov_b64, SIM_VCC_LO, ZERO + !set, NONE);
    add_imm(&rig, SIM_OP_s_getreg_b32, S8, NONE, hwreg(STATUS, 0, 32));
    store_scalar(&rig, S8);
    run(&rig);
    uint32_t status = rig_out(&rig, 0);
    assert_int_equal(status & 1u, set);       /* SCC */
    assert_int_equal(status >> 9 & 1u, 0);    /* EXECZ */
    assert_int_equal(status >> 10 & 1u, set); /* VCCZ */
    assert_int_equal(status >> 11 & 1u, set); /* IN_TG */
    rig_close(&rig);
  }
}

static void no_lane_is_execz(void **state) {
  (void)state;
  struct rig rig;
  open_on(&rig, SIM_GFX90A, 64);
  add(&rig, SIM_OP_s_mov_b64, S8 + 2, SIM_EXEC_LO, NONE);
  add(&rig, SIM_OP_s_mov_b64, SIM_EXEC_LO, ZERO, NONE);
  add_imm(&rig, SIM_OP_s_getreg_b32, S8, NONE, hwreg(STATUS, 9, 1));
  add(&rig, SIM_OP_s_mov_b64, SIM_EXEC_LO, S8 + 2, NONE);
  store_scalar(&rig, S8);
  run(&rig);
  assert_int_equal(rig_out(&rig, 0), 1);
  rig_close(&rig);
}

static void waves_have_seats(void **state) {
  (void)state;
  struct rig rig;
  open_on(&rig, SIM_GFX90A, 512);
  add_imm(&rig, SIM_OP_s_getreg_b32, S8, NONE, hwreg(HW_ID, 0, 6));
  store_scalar(&rig, S8);
  run(&rig);
  for (unsigned wave = 0; wave < 8; wave++)
    assert_int_equal(rig_out(&rig, 64 * wave), wave / 4 | wave % 4 << 4);
  rig_close(&rig);
}

/* Dealt over 8 XCCs, then over the 4 engines of one, then over their CUs. */
static void workgroups_have_seats(void **state) {
  (void)state;
  for (int field = 0; field < 3; field++) {
    struct rig rig;
    open_on(&rig, SIM_GFX942, 64);
    rig.dispatch.compute_units = 304;
    rig.dispatch.dies = 8;
    rig.dispatch.grid[0] = 11;
    rig.dispatch.grid[1] = 600;
    rig.id[0] = 2;
    rig.id[1] = 501; /* number 11 * 501 + 2 = 5513: on its XCC number 689, on one of 38 CUs */
    int id = field == 0 ? XCC_ID : HW_ID, offset = field == 1 ? 13 : field == 2 ? 8 : 0;
    uint32_t value = field_of(&rig, id, offset, field == 1 ? 3 : 4);
    assert_int_equal(value, field == 0 ? 5513 % 8 : field == 1 ? 689 % 38 % 4 : 689 % 38 / 4);
  }
}

static void unknown_registers(void **state) {
  (void)state;
  static const struct {
    enum sim_arch arch;
    int id;
  } cases[] = {
      {SIM_GFX90A, XCC_ID}, {SIM_GFX908, XCC_ID}, {SIM_GFX942, 0}, {SIM_GFX90A, 16}, {SIM_GFX90A, 63}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct rig rig;
    open_on(&rig, cases[i].arch, 64);
    add_imm(&rig, SIM_OP_s_getreg_b32, S8, NONE, hwreg(cases[i].id, 0, 32));
    fails(&rig, "is not there, or not simulated");
  }
}

/* ---- MODE ---- */

/* The smallest denormal of f32 doubled, after MODE's bits 5:4 are set. */
static void denormals_follow_mode(void **state) {
  (void)state;
  for (unsigned keep = 0; keep < 4; keep++) {
    struct rig rig;
    open_on(&rig, SIM_GFX90A, 64);
    add(&rig, SIM_OP_s_mov_b32, S8, ZERO + keep, NONE);
    add_imm(&rig, SIM_OP_s_setreg_b32, NONE, S8, hwreg(MODE, 4, 2));
    add(&rig, SIM_OP_v_mov_b32, V(3), ZERO + 1, NONE);
    add(&rig, SIM_OP_v_add_f32, V(2), V(3), V(3));
    rig_add_store(&rig, V(2));
    run(&rig);
    assert_int_equal(rig_out(&rig, 0), keep == 3 ? 2 : 0); /* bit 0: inputs are kept, bit 1: results */
    rig_close(&rig);
  }
}

static void mode_reads_back(void **state) {
  (void)state;
  struct rig rig;
  open_on(&rig, SIM_GFX90A, 64);
  struct sim_inst set = rig_inst(NONE, NONE, NONE, NONE);
  set.imm = hwreg(MODE, 6, 4);
  set.literal = 0xfff5; /* what is beyond the width is left out */
  rig_add(&rig, SIM_OP_s_setreg_imm32_b32, set);
  assert_int_equal(field_of(&rig, MODE, 0, 32), 5 << 6);
}

/* A mode that is not simulated is told of, set by the kernel or by its descriptor; so are registers that are only read. */
static void unknown_modes(void **state) {
  (void)state;
  static const struct {
    int control;
    unsigned value;
    const char *said;
  } cases[] = {
      {1 | 0 << 6 | 1 << 11, 3, "MODE becomes 0x3: rounding"},
      {1 | 2 << 6 | 1 << 11, 1, "MODE becomes 0x4: rounding"},
      {1 | 12 << 6 | 6 << 11, 1, "MODE becomes 0x1000"},
      {1 | 23 << 6 | 0 << 11, 1, "MODE becomes 0x800000"},
      {1 | 27 << 6 | 0 << 11, 1, "MODE becomes 0x8000000"},
      {STATUS | 31 << 11, 1, "hardware register 2 is written"},
      {HW_ID | 31 << 11, 0, "hardware register 4 is written"},
      {TRAPSTS | 31 << 11, 1, "hardware register 3 is written"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct rig rig;
    open_on(&rig, SIM_GFX90A, 64);
    add(&rig, SIM_OP_s_mov_b32, S8, ZERO + cases[i].value, NONE);
    add_imm(&rig, SIM_OP_s_setreg_b32, NONE, S8, cases[i].control);
    fails(&rig, cases[i].said);
  }
}

static void harmless_writes(void **state) {
  (void)state;
  struct rig rig;
  open_on(&rig, SIM_GFX90A, 64);
  add(&rig, SIM_OP_s_mov_b32, S8, ZERO, NONE);
  add_imm(&rig, SIM_OP_s_setreg_b32, NONE, S8, hwreg(TRAPSTS, 0, 9)); /* clears exceptions */
  add_imm(&rig, SIM_OP_s_setreg_b32, NONE, S8, hwreg(MODE, 0, 4));    /* the rounding there is */
  run(&rig);
  rig_close(&rig);
}

static void first_mode_is_checked(void **state) {
  (void)state;
  static const uint32_t rsrc1[] = {1u << 12, 3u << 14, 1u << 26, 0xf0u << 12 | 1u << 21 | 1u << 23};
  for (size_t i = 0; i < sizeof rsrc1 / sizeof rsrc1[0]; i++) {
    struct rig rig;
    open_on(&rig, SIM_GFX90A, 64);
    rig.kernel.rsrc1 = rsrc1[i];
    if (i < 3) {
      fails(&rig, "the kernel begins with MODE 0x");
    } else {
      run(&rig);
      rig_close(&rig);
    }
  }
}

/* ---- traps, clocks, waits ---- */

static void traps_are_told(void **state) {
  (void)state;
  static const char *const said[] = {"calls a trap handler, which is not there (s_trap 0)",
                                     "calls a trap handler, which is not there (s_trap 1)",
                                     "gave up: __builtin_trap or a failed assert (s_trap 2), in `s_trap 2`",
                                     "calls a debugger, which is not there: __builtin_debugtrap (s_trap 3)"};
  for (int number = 0; number < 4; number++) {
    struct rig rig;
    open_on(&rig, SIM_GFX90A, 64);
    add_imm(&rig, SIM_OP_s_trap, NONE, NONE, number);
    fails(&rig, said[number]);
  }
  struct rig rig;
  open_on(&rig, SIM_GFX90A, 64);
  add_imm(&rig, SIM_OP_s_sethalt, NONE, NONE, 1);
  fails(&rig, "s_sethalt stops the wave for good");
}

/* Both clocks go forward with every read, and the real-time one about a sixteenth as fast. */
static void clocks_go_forward(void **state) {
  (void)state;
  static const enum sim_op clocks[] = {SIM_OP_s_memtime, SIM_OP_s_memrealtime};
  uint32_t passed[2];
  for (unsigned i = 0; i < 2; i++) {
    struct rig rig;
    open_on(&rig, SIM_GFX90A, 64);
    add(&rig, clocks[i], S8, NONE, NONE);
    for (unsigned n = 0; n < 20; n++)
      add(&rig, clocks[i], S8 + 2, NONE, NONE);
    add(&rig, SIM_OP_s_sub_u32, S8, S8 + 2, S8);
    store_scalar(&rig, S8);
    run(&rig);
    passed[i] = rig_out(&rig, 0);
    rig_close(&rig);
  }
  assert_true(passed[1] > 0);
  assert_int_equal(passed[0] / passed[1], 16);
}

/* A wave that waits for the clock ends: each read takes time. */
static void waiting_for_a_clock_ends(void **state) {
  (void)state;
  struct rig rig;
  open_on(&rig, SIM_GFX90A, 64);
  rig.dispatch.budget = 10000;
  add(&rig, SIM_OP_s_memtime, S8, NONE, NONE);
  add(&rig, SIM_OP_s_lshr_b32, S8, S8, ZERO + 12);
  add(&rig, SIM_OP_s_cmp_eq_u32, NONE, S8, ZERO);
  add_imm(&rig, SIM_OP_s_cbranch_scc1, NONE, NONE, -16); /* 4096 clocks */
  run(&rig);
  rig_close(&rig);
}

static void waits_change_nothing(void **state) {
  (void)state;
  static const enum sim_op ops[] = {SIM_OP_s_sleep,   SIM_OP_s_nop,          SIM_OP_s_setprio,
                                    SIM_OP_s_sendmsg, SIM_OP_s_wakeup,       SIM_OP_s_icache_inv,
                                    SIM_OP_s_waitcnt, SIM_OP_s_incperflevel, SIM_OP_s_ttracedata};
  struct rig rig;
  open_on(&rig, SIM_GFX90A, 64);
  add(&rig, SIM_OP_s_mov_b32, S8, ZERO + 7, NONE);
  add(&rig, SIM_OP_s_cmp_eq_u32, NONE, S8, ZERO + 7);
  for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
    add_imm(&rig, ops[i], NONE, NONE, 0);
  add(&rig, SIM_OP_s_addc_u32, S8, S8, ZERO);
  store_scalar(&rig, S8);
  run(&rig);
  assert_int_equal(rig_out(&rig, 0), 8);
  rig_close(&rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fields_of_a_kernel),    cmocka_unit_test(status_follows_the_wave),
      cmocka_unit_test(no_lane_is_execz),      cmocka_unit_test(waves_have_seats),
      cmocka_unit_test(workgroups_have_seats), cmocka_unit_test(unknown_registers),
      cmocka_unit_test(denormals_follow_mode), cmocka_unit_test(mode_reads_back),
      cmocka_unit_test(unknown_modes),         cmocka_unit_test(harmless_writes),
      cmocka_unit_test(first_mode_is_checked), cmocka_unit_test(traps_are_told),
      cmocka_unit_test(clocks_go_forward),     cmocka_unit_test(waiting_for_a_clock_ends),
      cmocka_unit_test(waits_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
