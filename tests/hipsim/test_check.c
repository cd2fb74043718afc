/* Strict checks of registers, waits, wait states, barriers and races: for each a kernel that makes the mistake and one
 * as close to it as can be that does not. Never written registers that are stored, make an address or decide a branch;
 * partial EXEC, selection and indexed registers; loads used ahead of s_waitcnt (vector in order, scalar out of order); scalar addresses off a dword; ended waves at a barrier;
 * loads and stores of two waves to one place; LDS that loads to LDS are still to fill, and that stores were not waited for
 * ahead of a barrier; stores to the arguments; what a report names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

enum { ZERO = SIM_INLINE_INT_0, MINUS_ONE = 193, WAIT_VM_0 = 0x0f70, WAIT_LGKM_0 = 0xc07f };

static unsigned number(unsigned n) {
  return SIM_INLINE_INT_0 + n;
}

static void open_on(struct rig *rig, enum sim_arch arch, uint32_t items) {
  rig_open(rig, items, 64);
  rig->dispatch.lenient = false;
  rig->dispatch.arch = arch;
  rig->code.arch = arch;
}

static void open_rig(struct rig *rig, uint32_t items) {
  open_on(rig, SIM_GFX90A, items);
}

static void add(struct rig *rig, enum sim_op op, unsigned dst, unsigned a, unsigned b, unsigned c) {
  rig_add(rig, op, rig_inst(dst, a, b, c));
}

static void add_imm(struct rig *rig, enum sim_op op, unsigned dst, unsigned a, int imm) {
  struct sim_inst inst = rig_inst(dst, a, NONE, NONE);
  inst.imm = imm;
  rig_add(rig, op, inst);
}

static void move(struct rig *rig, unsigned dst, unsigned value) {
  add(rig, dst < SIM_VGPR0 ? SIM_OP_s_mov_b32 : SIM_OP_v_mov_b32, dst, value, NONE, NONE);
}

/* The mistake is reported in these words, or, text NULL, there is none. */
static void expect(struct rig *rig, const char *text) {
  int status = rig_run(rig);
  if (text == NULL) {
    if (status != 0) {
      fail_msg("%s", rig->fault.text);
    }
  } else {
    assert_int_equal(status, -1);
    if (strstr(rig->fault.text, text) == NULL) {
      fail_msg("%s", rig->fault.text);
    }
  }
  rig_close(rig);
}

/* ---- registers that nothing has written ---- */

static void undefined_is_stored(void **state) {
  (void)state;
  struct rig rig;
  open_rig(&rig, 64);
  rig_add_store(&rig, V(5));
  expect(&rig, "v5, which nothing has written, is stored, in `global_store_dword v1, v5, s[0:1]");
  open_rig(&rig, 64);
  move(&rig, V(5), number(1));
  rig_add_store(&rig, V(5));
  expect(&rig, NULL);
}

static void undefined_goes_through_arithmetic(void **state) {
  (void)state;
  struct rig rig;
  open_rig(&rig, 64);
  add(&rig, SIM_OP_v_add_u32, V(4), V(0), V(5), NONE);
  rig_add_store(&rig, V(4));
  expect(&rig, "v4, which nothing has written, is stored");
  open_rig(&rig, 64); /* what is computed and not used does no harm */
  add(&rig, SIM_OP_v_add_u32, V(4), V(0), V(5), NONE);
  rig_add_store(&rig, V(0));
  expect(&rig, NULL);
}

/* v[4:5] from v[6:7] and v[8:9] of which one dword has no value. */
struct half_case {
  enum sim_op op;
  unsigned a, b, c; /* sources */
  unsigned hole;    /* the dword without a value */
  unsigned reaches; /* dwords of the result that then have none, a bit each */
  unsigned sel, sel_hi;
};

static const struct half_case halves[] = {
    {SIM_OP_v_mad_u64_u32, V(0), V(0), V(6), V(7), 2, 0, 0},
    {SIM_OP_v_mad_u64_u32, V(0), V(0), V(6), V(6), 3, 0, 0},
    {SIM_OP_v_lshlrev_b64, 131, V(6), NONE, V(7), 2, 0, 0},
    {SIM_OP_v_lshlrev_b64, 131, V(6), NONE, V(6), 3, 0, 0},
    {SIM_OP_v_lshrrev_b64, 131, V(6), NONE, V(6), 1, 0, 0},
    {SIM_OP_v_lshrrev_b64, 131, V(6), NONE, V(7), 3, 0, 0},
    {SIM_OP_v_pk_add_f32, V(6), V(8), NONE, V(7), 2, 0, 3},
    {SIM_OP_v_pk_add_f32, V(6), V(8), NONE, V(7), 0, 0, 2},
    {SIM_OP_v_pk_add_f32, V(6), V(8), NONE, V(9), 3, 2, 3},
    {SIM_OP_v_pk_mov_b32, V(6), V(8), NONE, V(6), 1, 0, 0},
    {SIM_OP_v_pk_mov_b32, V(6), V(8), NONE, V(6), 0, 3, 0},
    {SIM_OP_v_pk_mov_b32, V(6), V(8), NONE, V(9), 2, 3, 0},
};

static void halves_are_apart(void **state) {
  (void)state;
  for (size_t i = 0; i < 2 * sizeof halves / sizeof halves[0]; i++) {
    const struct half_case *half = &halves[i / 2];
    const unsigned stored = i % 2;
    struct rig rig;
    open_rig(&rig, 64);
    for (unsigned reg = V(6); reg <= V(9); reg++) {
      if (reg != half->hole) {
        move(&rig, reg, number(1));
      }
    }
    struct sim_inst inst = rig_inst(V(4), half->a, half->b, half->c);
    inst.op_sel = (uint8_t)half->sel;
    inst.op_sel_hi = (uint8_t)half->sel_hi;
    if (half->op == SIM_OP_v_mad_u64_u32) {
      inst.sdst = SIM_VCC_LO;
    }
    rig_add(&rig, half->op, inst);
    rig_add_store(&rig, V(4) + stored);
    expect(&rig, half->reaches >> stored & 1u ? "which nothing has written, is stored" : NULL);
  }
}

static void undefined_address(void **state) {
  (void)state;
  struct rig rig;
  open_rig(&rig, 64);
  add(&rig, SIM_OP_global_load_dword, V(3), V(7), NONE, SIM_SGPR0);
  expect(&rig, "v7, which nothing has written, is part of an address");
  open_rig(&rig, 64);
  move(&rig, V(7), ZERO);
  add(&rig, SIM_OP_global_load_dword, V(3), V(7), NONE, SIM_SGPR0);
  expect(&rig, NULL);
}

static void scalar_branch(struct rig *rig, bool defined) {
  open_rig(rig, 64);
  if (defined) {
    move(rig, SIM_SGPR0 + 9, ZERO);
  }
  add(rig, SIM_OP_s_cmp_lg_u32, NONE, SIM_SGPR0 + 9, ZERO, NONE);
  add_imm(rig, SIM_OP_s_cbranch_scc1, NONE, NONE, 0);
}

static void undefined_decides_a_branch(void **state) {
  (void)state;
  struct rig rig;
  scalar_branch(&rig, false);
  expect(&rig, "decides a branch, in `s_cbranch_scc1");
  scalar_branch(&rig, true);
  expect(&rig, NULL);
}

/* A compare in lanes without a value, then EXEC made of it. */
static void masks_and_exec(void **state) {
  (void)state;
  for (unsigned masked = 0; masked < 2; masked++) {
    struct rig rig;
    open_rig(&rig, 64);
    move(&rig, SIM_EXEC_HI, ZERO);
    move(&rig, V(5), number(1)); /* lanes 0 to 31 */
    move(&rig, SIM_EXEC_HI, MINUS_ONE);
    struct sim_inst compare = rig_inst(NONE, V(5), V(0), NONE);
    compare.sdst = SIM_VCC_LO;
    rig_add(&rig, SIM_OP_v_cmp_eq_u32, compare);
    if (masked) { /* keeps the lanes that have one */
      move(&rig, SIM_SGPR0 + 10, MINUS_ONE);
      move(&rig, SIM_SGPR0 + 11, ZERO);
      add(&rig, SIM_OP_s_and_b64, SIM_VCC_LO, SIM_VCC_LO, SIM_SGPR0 + 10, NONE);
    }
    add(&rig, SIM_OP_s_and_saveexec_b64, SIM_SGPR0 + 4, SIM_VCC_LO, NONE, NONE);
    expect(&rig, masked ? NULL : "EXEC is made of registers that nothing has written");
  }
}

static void partial_exec(void **state) {
  (void)state;
  for (unsigned partial = 0; partial < 2; partial++) {
    struct rig rig;
    open_rig(&rig, 64);
    move(&rig, SIM_EXEC_HI, ZERO);
    move(&rig, V(5), number(1));
    if (!partial) {
      move(&rig, SIM_EXEC_HI, MINUS_ONE);
    }
    rig_add_store(&rig, V(5));
    expect(&rig, partial ? NULL : "wave 0, lane 32");
  }
}

static void selection_takes_the_defined_source(void **state) {
  (void)state;
  for (unsigned takes = 0; takes < 2; takes++) {
    struct rig rig;
    open_rig(&rig, 64);
    move(&rig, V(4), number(3));
    move(&rig, SIM_VCC_LO, takes ? MINUS_ONE : ZERO);
    move(&rig, SIM_VCC_HI, MINUS_ONE);
    add(&rig, SIM_OP_v_cndmask_b32, V(6), V(5), V(4), SIM_VCC_LO);
    rig_add_store(&rig, V(6));
    expect(&rig, takes ? NULL : "v6, which nothing has written, is stored");
  }
}

/* v_mov_b32 v2, ... with an index of 3 writes v5, no other register. */
static void indexed_registers(void **state) {
  (void)state;
  for (unsigned used = 4; used <= 5; used++) {
    struct rig rig;
    open_rig(&rig, 64);
    add_imm(&rig, SIM_OP_s_set_gpr_idx_on, NONE, number(3), 8);
    move(&rig, V(2), number(1));
    add(&rig, SIM_OP_s_set_gpr_idx_off, NONE, NONE, NONE, NONE);
    rig_add_store(&rig, V(used));
    expect(&rig, used == 4 ? "v4, which nothing has written, is stored" : NULL);
  }
}

/* ---- loads and s_waitcnt ---- */

static void two_loads(struct rig *rig, int wait, unsigned used) {
  open_rig(rig, 64);
  move(rig, V(2), ZERO);
  add(rig, SIM_OP_global_load_dword, V(3), V(2), NONE, SIM_SGPR0);
  add(rig, SIM_OP_global_load_dword, V(4), V(2), NONE, SIM_SGPR0);
  add_imm(rig, SIM_OP_s_waitcnt, NONE, NONE, wait);
  add(rig, SIM_OP_v_mov_b32, V(6), V(used), NONE, NONE);
}

static void vector_loads_return_in_order(void **state) {
  (void)state;
  struct rig rig;
  two_loads(&rig, WAIT_VM_0 + 2, 3);
  expect(&rig, "v3 is read while a load into it is still in flight: an s_waitcnt of vmcnt is missing");
  two_loads(&rig, WAIT_VM_0 + 1, 3);
  expect(&rig, NULL);
  two_loads(&rig, WAIT_VM_0 + 1, 4);
  expect(&rig, "v4 is read while");
  two_loads(&rig, WAIT_VM_0, 4);
  expect(&rig, NULL);
}

static void load_is_overwritten(void **state) {
  (void)state;
  for (unsigned again = 0; again < 2; again++) {
    struct rig rig;
    open_rig(&rig, 64);
    move(&rig, V(2), ZERO);
    add(&rig, SIM_OP_global_load_dword, V(3), V(2), NONE, SIM_SGPR0);
    if (again) { /* by a load behind it: in order */
      add(&rig, SIM_OP_global_load_dword, V(3), V(2), NONE, SIM_SGPR0);
    } else {
      move(&rig, V(3), ZERO);
    }
    expect(&rig, again ? NULL : "v3 is written while a load into it is still in flight");
  }
}

static void scalar_loads_return_in_any_order(void **state) {
  (void)state;
  for (unsigned all = 0; all < 2; all++) {
    struct rig rig;
    open_rig(&rig, 64);
    add(&rig, SIM_OP_s_load_dword, SIM_SGPR0 + 8, SIM_SGPR0, NONE, NONE);
    add(&rig, SIM_OP_s_load_dword, SIM_SGPR0 + 9, SIM_SGPR0, NONE, NONE);
    add_imm(&rig, SIM_OP_s_waitcnt, NONE, NONE, all ? WAIT_LGKM_0 : WAIT_LGKM_0 + 0x100);
    move(&rig, SIM_SGPR0 + 10, SIM_SGPR0 + 8);
    expect(&rig, all ? NULL : "s8 is read while a load into it is still in flight: an s_waitcnt of lgkmcnt");
  }
}

static void stored_data_are_free_at_once(void **state) {
  (void)state;
  struct rig rig;
  open_rig(&rig, 64);
  rig_add_store(&rig, V(0));
  move(&rig, V(0), ZERO);
  expect(&rig, NULL);
}

/* ---- low bits that are dropped ---- */

static void scalar_load_off_a_dword(void **state) {
  (void)state;
  for (int offset = 2; offset <= 4; offset += 2) {
    struct rig rig;
    open_rig(&rig, 64);
    add_imm(&rig, SIM_OP_s_load_dword, SIM_SGPR0 + 8, SIM_SGPR0, offset);
    expect(&rig, offset == 2 ? "which is no multiple of 4: hardware drops the two low bits, in `s_load_dword"
                             : NULL);
  }
}

/* ---- several waves ---- */

/* Wave 1 leaves ahead of the barrier, or not. */
static void ended_wave_at_a_barrier(void **state) {
  (void)state;
  for (unsigned leaves = 0; leaves < 2; leaves++) {
    struct rig rig;
    open_rig(&rig, 128);
    add(&rig, SIM_OP_v_readfirstlane_b32, SIM_SGPR0 + 4, V(0), NONE, NONE);
    add(&rig, SIM_OP_s_cmp_lg_u32, NONE, SIM_SGPR0 + 4, leaves ? ZERO : number(64), NONE);
    add_imm(&rig, leaves ? SIM_OP_s_cbranch_scc1 : SIM_OP_s_cbranch_scc0, NONE, NONE, leaves ? 4 : 0);
    add(&rig, SIM_OP_s_barrier, NONE, NONE, NONE, NONE);
    expect(&rig, leaves ? "wave 1 has ended without reaching the barrier that wave 0 waits at" : NULL);
  }
}

/* v1 = 4 * (item & mask): two waves on one place, or each its own. */
static void place(struct rig *rig, unsigned mask) {
  move(rig, SIM_SGPR0 + 8, mask == 64 ? MINUS_ONE : number(mask));
  add(rig, SIM_OP_v_and_b32, V(1), SIM_SGPR0 + 8, V(0), NONE);
  add(rig, SIM_OP_v_lshlrev_b32, V(1), number(2), V(1), NONE);
}

static void two_waves_store(void **state) {
  (void)state;
  for (unsigned mask = 63; mask <= 64; mask++) {
    struct rig rig;
    open_rig(&rig, 128);
    place(&rig, mask);
    add(&rig, SIM_OP_global_store_dword, NONE, V(1), V(0), SIM_SGPR0);
    expect(&rig, mask == 63 ? "which wave 0 stored with no barrier between" : NULL);
  }
}

/* Every lane loads what the second wave will store, or, when stores come first, what the first wave has stored. */
static void load_and_store(struct rig *rig, bool load_first, bool barrier) {
  open_rig(rig, 128);
  place(rig, 64);
  move(rig, SIM_SGPR0 + 8, number(load_first ? 64 : 63));
  add(rig, SIM_OP_s_lshl_b32, SIM_SGPR0 + 8, SIM_SGPR0 + 8, number(2), NONE);
  add(rig, load_first ? SIM_OP_v_or_b32 : SIM_OP_v_and_b32, V(2), SIM_SGPR0 + 8, V(1), NONE);
  for (unsigned i = 0; i < 2; i++) {
    if ((i == 0) == load_first) {
      add(rig, SIM_OP_global_load_dword, V(3), V(2), NONE, SIM_SGPR0);
    } else {
      add(rig, SIM_OP_global_store_dword, NONE, V(1), V(0), SIM_SGPR0);
    }
    if (i == 0 && barrier) {
      add(rig, SIM_OP_s_barrier, NONE, NONE, NONE, NONE);
    }
  }
}

static void load_and_store_race(void **state) {
  (void)state;
  struct rig rig;
  load_and_store(&rig, false, false);
  expect(&rig, "which wave 0 stored with no barrier between, in `global_load_dword");
  load_and_store(&rig, false, true);
  expect(&rig, NULL);
  load_and_store(&rig, true, false);
  expect(&rig, "which wave 0 loaded with no barrier between, in `global_store_dword");
  load_and_store(&rig, true, true);
  expect(&rig, NULL);
}

static void atomics_do_not_race(void **state) {
  (void)state;
  struct rig rig;
  open_rig(&rig, 128);
  place(&rig, 63);
  add(&rig, SIM_OP_global_atomic_add, NONE, V(1), V(0), SIM_SGPR0);
  expect(&rig, NULL);
}

/* ---- LDS that is on its way ---- */

enum { WAIT_VM_1 = WAIT_VM_0 + 1, LANE_BYTES = 256, NO_WAIT = 0xcf7f };

/* v1 = 4 * item; M0, where loads to LDS go: 256 bytes a wave. */
static void open_landing(struct rig *rig, uint32_t items) {
  rig_open(rig, items, 1024);
  rig->dispatch.lenient = false;
  add(rig, SIM_OP_v_lshlrev_b32, V(1), number(2), V(0), NONE);
  add(rig, SIM_OP_v_readfirstlane_b32, SIM_M0, V(1), NONE, NONE);
  add_imm(rig, SIM_OP_s_nop, NONE, NONE, 7);
}

static void land(struct rig *rig, int offset) {
  struct sim_inst load = rig_inst(NONE, V(1), NONE, SIM_SGPR0);
  load.flags = SIM_F_LDS;
  load.imm = offset;
  rig_add(rig, SIM_OP_global_load_dword, load);
}

static void wait(struct rig *rig, int counts) {
  add_imm(rig, SIM_OP_s_waitcnt, NONE, NONE, counts);
}

/* Of two loads, the second 256 bytes behind the first, one is read (or written) after a wait. */
static void landing_of_one_wave(void **state) {
  (void)state;
  static const struct {
    int wait, offset;
    enum sim_op op;
    const char *said;
  } cases[] = {
      {NO_WAIT, 0, SIM_OP_ds_read_b32,
       "read of LDS byte 0 that a load of wave 0 is still to fill: an s_waitcnt"},
      {WAIT_VM_1, 0, SIM_OP_ds_read_b32, NULL},
      {WAIT_VM_1, LANE_BYTES, SIM_OP_ds_read_b32, "read of LDS byte 256 that a load of wave 0"},
      {WAIT_VM_0, LANE_BYTES, SIM_OP_ds_read_b32, NULL},
      {NO_WAIT, 0, SIM_OP_ds_write_b32, "write of LDS byte 0 that a load of wave 0"},
      {NO_WAIT, 2 * LANE_BYTES, SIM_OP_ds_write_b32, NULL},
      {WAIT_VM_1, 0, SIM_OP_ds_add_u32, NULL},
      {WAIT_VM_1, LANE_BYTES, SIM_OP_ds_add_u32, "atomic of LDS byte 256 that a load of wave 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct rig rig;
    open_landing(&rig, 64);
    land(&rig, 0);
    land(&rig, LANE_BYTES);
    wait(&rig, cases[i].wait);
    bool reads = cases[i].op == SIM_OP_ds_read_b32;
    struct sim_inst access = rig_inst(reads ? V(3) : NONE, V(1), reads ? NONE : V(0), NONE);
    access.imm = cases[i].offset;
    rig_add(&rig, cases[i].op, access);
    expect(&rig, cases[i].said);
  }
}

static void landing_again(void **state) {
  (void)state;
  struct rig rig;
  open_landing(&rig, 64); /* one on top of the other: they come in order, and the second is waited for, too */
  land(&rig, 0);
  land(&rig, 0);
  wait(&rig, WAIT_VM_1);
  add(&rig, SIM_OP_ds_read_b32, V(3), V(1), NONE, NONE);
  expect(&rig, "is still to fill");
}

/* Each of two waves fills its part, in one of two ways, and reads the other's behind a barrier. */
static void hand_over(struct rig *rig, bool lands, int before, int after) {
  open_landing(rig, 128);
  move(rig, SIM_SGPR0 + 8, number(64));
  add(rig, SIM_OP_s_lshl_b32, SIM_SGPR0 + 8, SIM_SGPR0 + 8, number(2), NONE);
  add(rig, SIM_OP_v_xor_b32, V(2), SIM_SGPR0 + 8, V(1), NONE);
  if (lands) {
    land(rig, 0);
  } else {
    add(rig, SIM_OP_ds_write_b32, NONE, V(1), V(0), NONE);
  }
  wait(rig, before);
  add(rig, SIM_OP_s_barrier, NONE, NONE, NONE, NONE);
  wait(rig, after);
  add(rig, SIM_OP_ds_read_b32, V(3), V(2), NONE, NONE);
}

static void landing_is_handed_over(void **state) {
  (void)state;
  struct rig rig;
  hand_over(&rig, true, WAIT_VM_0, NO_WAIT);
  expect(&rig, NULL);
  hand_over(&rig, true, NO_WAIT, NO_WAIT);
  expect(&rig,
         "that a load of wave 1 is still to fill: an s_waitcnt of vmcnt is missing ahead of the barrier");
  hand_over(&rig, true, WAIT_LGKM_0, NO_WAIT);
  expect(&rig, "is still to fill");
}

/* Both wait behind the barrier; wave 0 does not read, so that its load has landed when wave 1 looks at it. */
static void landing_waits_too_late(void **state) {
  (void)state;
  for (unsigned looks = 0; looks < 2; looks++) {
    struct rig rig;
    hand_over(&rig, true, looks ? NO_WAIT : WAIT_VM_0, WAIT_VM_0);
    rig.code.size -= 4; /* the read */
    add(&rig, SIM_OP_s_cmp_eq_u32, NONE, SIM_M0, ZERO, NONE);
    add_imm(&rig, SIM_OP_s_cbranch_scc1, NONE, NONE, 4);
    add(&rig, SIM_OP_ds_read_b32, V(3), V(2), NONE, NONE);
    expect(&rig, looks ? "read of LDS byte 0 that wave 0 wrote and did not wait for" : NULL);
  }
}

static void store_is_handed_over(void **state) {
  (void)state;
  struct rig rig;
  hand_over(&rig, false, WAIT_LGKM_0, NO_WAIT);
  expect(&rig, NULL);
  hand_over(&rig, false, NO_WAIT, NO_WAIT);
  expect(&rig,
         "read of LDS byte 256 that wave 1 wrote and did not wait for (s_waitcnt) ahead of the barrier");
  hand_over(&rig, false, WAIT_VM_0, WAIT_LGKM_0);
  expect(&rig, "did not wait for");
  open_landing(&rig, 128); /* a wave's own accesses come in order */
  add(&rig, SIM_OP_ds_write_b32, NONE, V(1), V(0), NONE);
  add(&rig, SIM_OP_s_barrier, NONE, NONE, NONE, NONE);
  add(&rig, SIM_OP_ds_read_b32, V(3), V(1), NONE, NONE);
  expect(&rig, NULL);
}

/* ---- kernel arguments ---- */

/* The arguments are at s[0:1] when the program gets the pointer; here they are what the output is. */
static void arguments_are_only_read(void **state) {
  (void)state;
  for (unsigned stores = 0; stores < 2; stores++) {
    struct rig rig;
    open_rig(&rig, 64);
    rig.dispatch.kernarg = sim_memory_allocate(rig.memory, 64, SIM_SPAN_KERNARG, false);
    assert_true(rig.dispatch.kernarg != 0);
    move(&rig, V(1), ZERO);
    if (stores) {
      add(&rig, SIM_OP_global_store_dword, NONE, V(1), V(1), SIM_SGPR0);
    } else {
      add(&rig, SIM_OP_global_load_dword, V(3), V(1), NONE, SIM_SGPR0);
    }
    expect(&rig, stores ? "in the kernel's arguments, span 2, which kernels may only read" : NULL);
  }
}

static void report_names_the_place(void **state) {
  (void)state;
  struct rig rig;
  open_rig(&rig, 64);
  move(&rig, V(4), ZERO);
  rig_add_store(&rig, V(5));
  expect(&rig, "kernel rig: v5, which nothing has written, is stored, in `global_store_dword v1, v5, s[0:1]` "
               "at offset "
               "0x8 of the kernel, workgroup (0,0,0), wave 0, lane 0");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(undefined_is_stored),
      cmocka_unit_test(undefined_goes_through_arithmetic),
      cmocka_unit_test(halves_are_apart),
      cmocka_unit_test(undefined_address),
      cmocka_unit_test(undefined_decides_a_branch),
      cmocka_unit_test(masks_and_exec),
      cmocka_unit_test(partial_exec),
      cmocka_unit_test(selection_takes_the_defined_source),
      cmocka_unit_test(indexed_registers),
      cmocka_unit_test(vector_loads_return_in_order),
      cmocka_unit_test(load_is_overwritten),
      cmocka_unit_test(scalar_loads_return_in_any_order),
      cmocka_unit_test(stored_data_are_free_at_once),
      cmocka_unit_test(scalar_load_off_a_dword),
      cmocka_unit_test(ended_wave_at_a_barrier),
      cmocka_unit_test(two_waves_store),
      cmocka_unit_test(load_and_store_race),
      cmocka_unit_test(atomics_do_not_race),
      cmocka_unit_test(landing_of_one_wave),
      cmocka_unit_test(landing_again),
      cmocka_unit_test(landing_is_handed_over),
      cmocka_unit_test(landing_waits_too_late),
      cmocka_unit_test(store_is_handed_over),
      cmocka_unit_test(arguments_are_only_read),
      cmocka_unit_test(report_names_the_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
