/* A workgroup: work-item ids and partial waves, the order of waves under HIPSIM_SCHEDULE seeds, barriers with ended
 * waves, the instruction budget, jumps out of the code, counts, reports. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

static void ids_of_a_partial_wave(void **state) {
  (void)state;
  struct rig rig;
  rig_open(&rig, 100, 0);
  memset((void *)(uintptr_t)rig.out, 0xee, RIG_OUT_BYTES);
  rig_add_store(&rig, V(0));
  assert_int_equal(rig_run(&rig), 0);
  for (unsigned i = 0; i < 100; i++) {
    assert_int_equal(rig_out(&rig, i), i);
  }
  assert_int_equal(rig_out(&rig, 100), 0xeeeeeeee);
  assert_int_equal(rig.counts.instructions, 2 * 3);
  assert_int_equal(rig.counts.vmem_store, 2);
  assert_int_equal(rig.counts.store_bytes, 400);
  rig_close(&rig);
}

static void ids_of_three_axes(void **state) {
  (void)state;
  struct rig rig;
  rig_open(&rig, 4, 0);
  rig.dispatch.block[1] = 3;
  rig.dispatch.block[2] = 2;
  rig.kernel.rsrc2 |= 2u << 11;
  /* v2 = lane, from the count of lower lanes: the packed ids are no index */
  rig_add(&rig, SIM_OP_v_mbcnt_lo_u32_b32, rig_inst(V(2), SIM_INLINE_INT_0 + 65, SIM_INLINE_INT_0, NONE));
  rig_add(&rig, SIM_OP_v_lshlrev_b32, rig_inst(V(1), SIM_INLINE_INT_0 + 2, V(2), NONE));
  rig_add(&rig, SIM_OP_global_store_dword, rig_inst(NONE, V(1), V(0), SIM_SGPR0));
  assert_int_equal(rig_run(&rig), 0);
  for (unsigned i = 0; i < 24; i++) {
    assert_int_equal(rig_out(&rig, i), i % 4 | i / 4 % 3 << 10 | i / 12 << 20);
  }
  rig_close(&rig);
}

/* Every wave stores its v0 at one place: the last one to run stays. */
static uint32_t last_writer(uint32_t seed) {
  struct rig rig;
  rig_open(&rig, 256, 0);
  rig.dispatch.seed = seed;
  rig_add(&rig, SIM_OP_v_mov_b32, rig_inst(V(1), SIM_INLINE_INT_0, NONE, NONE));
  rig_add(&rig, SIM_OP_global_store_dword, rig_inst(NONE, V(1), V(0), SIM_SGPR0));
  assert_int_equal(rig_run(&rig), 0);
  uint32_t value = rig_out(&rig, 0);
  rig_close(&rig);
  return value;
}

static void seeds_permute_waves(void **state) {
  (void)state;
  uint32_t seen = 0;
  assert_int_equal(last_writer(0), 255);
  for (uint32_t seed = 1; seed <= 64; seed++) {
    uint32_t value = last_writer(seed);
    assert_int_equal(value, last_writer(seed));
    seen |= 1u << value / 64;
  }
  assert_int_equal(seen, 15);
}

/* Wave 1 ends before the barrier; wave 0 goes on. */
static void ended_waves_have_arrived(void **state) {
  (void)state;
  struct rig rig;
  rig_open(&rig, 128, 0);
  rig_add(&rig, SIM_OP_v_readfirstlane_b32, rig_inst(SIM_SGPR0 + 4, V(0), NONE, NONE));
  rig_add(&rig, SIM_OP_s_cmp_lg_u32, rig_inst(NONE, SIM_SGPR0 + 4, SIM_INLINE_INT_0, NONE));
  struct sim_inst branch = rig_inst(NONE, NONE, NONE, NONE);
  branch.imm = 12;
  rig_add(&rig, SIM_OP_s_cbranch_scc1, branch);
  rig_add(&rig, SIM_OP_s_barrier, rig_inst(NONE, NONE, NONE, NONE));
  rig_add_store(&rig, V(0));
  assert_int_equal(rig_run(&rig), 0);
  assert_int_equal(rig_out(&rig, 63), 63);
  assert_int_equal(rig.counts.barrier, 1);
  rig_close(&rig);
}

static void endless_loop(void **state) {
  (void)state;
  struct rig rig;
  rig_open(&rig, 64, 0);
  rig.dispatch.budget = 5000;
  struct sim_inst branch = rig_inst(NONE, NONE, NONE, NONE);
  branch.imm = -4;
  rig_add(&rig, SIM_OP_s_branch, branch);
  assert_int_equal(rig_run(&rig), -1);
  assert_true(rig.fault.budget);
  assert_non_null(strstr(rig.fault.text, "kernel rig: the workgroup has executed 5000 instructions"));
  assert_int_equal(rig.counts.branch, 5000);
  rig_close(&rig);
}

static void jump_out_of_the_code(void **state) {
  (void)state;
  struct rig rig;
  rig_open(&rig, 64, 0);
  struct sim_inst branch = rig_inst(NONE, NONE, NONE, NONE);
  branch.imm = 4000;
  rig_add(&rig, SIM_OP_s_branch, branch);
  assert_int_equal(rig_run(&rig), -1);
  assert_false(rig.fault.budget);
  assert_non_null(strstr(rig.fault.text, "outside the code"));
  rig_close(&rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ids_of_a_partial_wave), cmocka_unit_test(ids_of_three_axes),
      cmocka_unit_test(seeds_permute_waves),   cmocka_unit_test(ended_waves_have_arrived),
      cmocka_unit_test(endless_loop),          cmocka_unit_test(jump_out_of_the_code),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
