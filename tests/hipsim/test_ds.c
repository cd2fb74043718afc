/* LDS: values through every width, bounds, bank conflicts, and the strict checks: each has a case that trips it and a
 * close one that does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "bench/hipsim/sim_bank.h"
#include "bench/hipsim/sim_lds.h"
#include "rig.h"

/* v1 = 4 * id; LDS[v1] = id, as one dword. */
static void add_write(struct rig *rig) {
  rig_add(rig, SIM_OP_v_lshlrev_b32, rig_inst(V(1), SIM_INLINE_INT_0 + 2, V(0), NONE));
  rig_add(rig, SIM_OP_ds_write_b32, rig_inst(NONE, V(1), V(0), NONE));
}

static void add_barrier(struct rig *rig) {
  rig_add(rig, SIM_OP_s_barrier, rig_inst(NONE, NONE, NONE, NONE));
}

/* Two waves write their ids and each reads what the other wrote. */
static int exchange(struct rig *rig, bool barrier) {
  rig_open(rig, 128, 512);
  add_write(rig);
  if (barrier) {
    add_barrier(rig);
  }
  struct sim_inst flip = rig_inst(V(2), SIM_LITERAL, V(1), NONE);
  flip.literal = 256;
  rig_add(rig, SIM_OP_v_xor_b32, flip);
  rig_add(rig, SIM_OP_ds_read_b32, rig_inst(V(3), V(2), NONE, NONE));
  rig_add_store(rig, V(3));
  return rig_run(rig);
}

static void exchange_between_waves(void **state) {
  (void)state;
  struct rig rig;
  assert_int_equal(exchange(&rig, true), 0);
  for (unsigned i = 0; i < 128; i++) {
    assert_int_equal(rig_out(&rig, i), i ^ 64);
  }
  rig_close(&rig);
}

static void race_between_waves(void **state) {
  (void)state;
  struct rig rig;
  assert_int_equal(exchange(&rig, false), -1);
  assert_true(strstr(rig.fault.text, "nothing in this workgroup has written") != NULL ||
              strstr(rig.fault.text, "no barrier between") != NULL);
  rig_close(&rig);
}

/* All waves read dword 0, then wave 1 writes it. */
static int read_then_write(struct rig *rig, bool barrier) {
  rig_open(rig, 128, 512);
  add_write(rig);
  add_barrier(rig);
  rig_add(rig, SIM_OP_v_mov_b32, rig_inst(V(2), SIM_INLINE_INT_0, NONE, NONE));
  rig_add(rig, SIM_OP_ds_read_b32, rig_inst(V(3), V(2), NONE, NONE));
  if (barrier) {
    add_barrier(rig);
  }
  rig_add(rig, SIM_OP_v_readfirstlane_b32, rig_inst(SIM_SGPR0 + 4, V(0), NONE, NONE));
  rig_add(rig, SIM_OP_s_cmp_eq_u32, rig_inst(NONE, SIM_SGPR0 + 4, SIM_INLINE_INT_0, NONE));
  struct sim_inst branch = rig_inst(NONE, NONE, NONE, NONE);
  branch.imm = 4;
  rig_add(rig, SIM_OP_s_cbranch_scc1, branch);
  rig_add(rig, SIM_OP_ds_write_b32, rig_inst(NONE, V(2), V(0), NONE));
  return rig_run(rig);
}

static void write_of_what_others_read(void **state) {
  (void)state;
  struct rig rig;
  assert_int_equal(read_then_write(&rig, false), -1);
  assert_non_null(strstr(rig.fault.text, "write of LDS byte 0 that wave 0 read with no barrier between"));
  assert_non_null(strstr(rig.fault.text, "wave 1"));
  rig_close(&rig);
  assert_int_equal(read_then_write(&rig, true), 0);
  rig_close(&rig);
}

static int read_with_offset(struct rig *rig, enum sim_op op, int32_t offset) {
  rig_open(rig, 64, 256 + 16);
  add_write(rig);
  struct sim_inst read = rig_inst(V(4), V(1), NONE, NONE);
  read.imm = offset;
  rig_add(rig, op, read);
  return rig_run(rig);
}

static void read_of_what_nobody_wrote(void **state) {
  (void)state;
  struct rig rig;
  assert_int_equal(read_with_offset(&rig, SIM_OP_ds_read_b32, 4), -1);
  assert_non_null(
      strstr(rig.fault.text, "read of LDS byte 256, which nothing in this workgroup has written"));
  assert_non_null(strstr(rig.fault.text, "lane 63"));
  rig_close(&rig);
  assert_int_equal(read_with_offset(&rig, SIM_OP_ds_read_b32, 0), 0);
  rig_close(&rig);
}

static void read_past_the_end(void **state) {
  (void)state;
  struct rig rig;
  assert_int_equal(read_with_offset(&rig, SIM_OP_ds_read_b32, 20), -1);
  assert_non_null(strstr(rig.fault.text, "read of 4 bytes at LDS byte 272, but the workgroup has 272 bytes"));
  assert_non_null(strstr(rig.fault.text, "lane 63"));
  rig_close(&rig);
}

/* An atomic at half a dword, and one at a whole one that several waves share with no barrier. */
static void atomics(void **state) {
  (void)state;
  for (int odd = 0; odd < 2; odd++) {
    struct rig rig;
    rig_open(&rig, 128, 512);
    add_write(&rig);
    add_barrier(&rig);
    rig_add(&rig, SIM_OP_v_mov_b32, rig_inst(V(2), SIM_INLINE_INT_0, NONE, NONE));
    rig_add(&rig, SIM_OP_v_mov_b32, rig_inst(V(3), SIM_INLINE_INT_0 + 1, NONE, NONE));
    struct sim_inst add = rig_inst(V(4), V(2), V(3), NONE);
    add.imm = 2 * odd;
    rig_add(&rig, SIM_OP_ds_add_rtn_u32, add);
    rig_add_store(&rig, V(4));
    assert_int_equal(rig_run(&rig), odd ? -1 : 0);
    if (odd) {
      assert_non_null(strstr(rig.fault.text, "no multiple of its 4 bytes"));
    } else {
      for (unsigned i = 0; i < 128; i++) {
        assert_int_equal(rig_out(&rig, i), i);
      }
    }
    rig_close(&rig);
  }
}

/* Two waves may own the halves of a dword. */
static void halves_of_a_dword(void **state) {
  (void)state;
  struct sim_fault fault = {.budget = false};
  struct rig rig;
  rig_open(&rig, 64, 64);
  struct sim_lds_shadow *shadow = sim_lds_create(64, 2);
  assert_non_null(shadow);
  struct sim_wave w = {.lds_shadow = shadow, .dispatch = &rig.dispatch, .code = &rig.code, .fault = &fault};
  assert_true(sim_lds_check_range(&w, SIM_LDS_WRITE, 8, 2, 0));
  w.number = 1;
  assert_true(sim_lds_check_range(&w, SIM_LDS_WRITE, 10, 2, 0));
  assert_true(sim_lds_check_range(&w, SIM_LDS_READ, 10, 2, 0));
  assert_false(sim_lds_check_range(&w, SIM_LDS_READ, 9, 1, 0));
  assert_non_null(strstr(fault.text, "LDS byte 9 that wave 0 wrote"));
  w.state = SIM_RUNNING;
  sim_lds_barrier(shadow);
  assert_true(sim_lds_check_range(&w, SIM_LDS_READ, 8, 4, 0));
  sim_lds_free(shadow);
  rig_close(&rig);
}

/* Writes 16 bytes a lane and reads them back in each width. */
static void widths(void **state) {
  (void)state;
  static const struct {
    enum sim_op op;
    int32_t offset;
    uint8_t offset1;
    uint32_t first; /* added to the id: what the first register reads */
  } read[] = {{SIM_OP_ds_read_b32, 8, 0, 2000},  {SIM_OP_ds_read_b64, 4, 0, 1000},
              {SIM_OP_ds_read_b96, 4, 0, 1000},  {SIM_OP_ds_read_b128, 0, 0, 0},
              {SIM_OP_ds_read2_b32, 3, 1, 3000}, {SIM_OP_ds_read2_b64, 1, 0, 2000},
              {SIM_OP_ds_read_u16, 12, 0, 3000}, {SIM_OP_ds_read_i16, 4, 0, 1000}};
  for (size_t i = 0; i < sizeof read / sizeof read[0]; i++) {
    struct rig rig;
    rig_open(&rig, 64, 1024);
    for (unsigned d = 0; d < 4; d++) {
      struct sim_inst add = rig_inst(V(8 + d), SIM_LITERAL, V(0), NONE);
      add.literal = 1000 * d;
      rig_add(&rig, SIM_OP_v_add_u32, add);
    }
    rig_add(&rig, SIM_OP_v_lshlrev_b32, rig_inst(V(2), SIM_INLINE_INT_0 + 4, V(0), NONE));
    rig_add(&rig, SIM_OP_ds_write_b128, rig_inst(NONE, V(2), V(8), NONE));
    struct sim_inst inst = rig_inst(A(4), V(2), NONE, NONE);
    inst.imm = read[i].offset;
    inst.offset1 = read[i].offset1;
    rig_add(&rig, read[i].op, inst);
    rig_add_store(&rig, A(4));
    assert_int_equal(rig_run(&rig), 0);
    for (unsigned lane = 0; lane < 64; lane++) {
      assert_int_equal(rig_out(&rig, lane), lane + read[i].first);
    }
    rig_close(&rig);
  }
}

static void assert_cost(enum sim_arch arch, const struct sim_bank_pattern *pattern, uint32_t cycles,
                        uint32_t conflicts) {
  uint32_t found[2];
  sim_bank_cost(arch, pattern, &found[0], &found[1]);
  assert_int_equal(found[0], cycles);
  assert_int_equal(found[1], conflicts);
}

static struct sim_bank_pattern strided(uint32_t stride, uint32_t size, bool read) {
  struct sim_bank_pattern pattern = {.exec = ~UINT64_C(0), .size = size, .read = read};
  for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
    pattern.distance[lane] = lane * stride;
  }
  return pattern;
}

static void bank_conflicts(void **state) {
  (void)state;
  static const struct {
    enum sim_arch arch;
    bool read;
    uint32_t stride, size, cycles, conflicts;
  } cases[] = {
      {SIM_GFX90A, true, 4, 4, 2, 0},     /* a dword a bank */
      {SIM_GFX90A, true, 0, 4, 2, 0},     /* one dword for all */
      {SIM_GFX90A, true, 8, 4, 4, 2},     /* every second bank */
      {SIM_GFX90A, true, 128, 4, 64, 62}, /* one bank */
      {SIM_GFX90A, true, 8, 8, 4, 0},
      {SIM_GFX90A, true, 16, 16, 8, 0},
      {SIM_GFX90A, true, 128, 16, 64, 56},
      {SIM_GFX90A, false, 80, 16, 8, 0},
      {SIM_GFX950, true, 4, 4, 1, 0},
      {SIM_GFX950, false, 4, 4, 2, 0},
      {SIM_GFX950, true, 8, 8, 2, 0},
      {SIM_GFX950, false, 8, 8, 4, 0},
      {SIM_GFX950, true, 16, 16, 4, 0},
      {SIM_GFX950, false, 16, 16, 8, 0},
      {SIM_GFX950, true, 16, 12, 8, 0},
      {SIM_GFX950, true, 12, 12, 16, 8}, /* lanes 0-3 have banks 0-11, lanes 20-23 banks 28-31 and 0-7, ... */
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const struct sim_bank_pattern pattern = strided(cases[i].stride, cases[i].size, cases[i].read);
    assert_cost(cases[i].arch, &pattern, cases[i].cycles, cases[i].conflicts);
  }
}

/* Two lanes ask for one dword, all others for another in the same bank. That takes a clock more than if all asked for one,
 * and two if the lanes are in different phases. Which are together was measured (sources in sim_bank.h). */
static void lanes_of_a_phase(void **state) {
  (void)state;
  static const struct {
    enum sim_arch arch;
    bool read;
    uint32_t size, lane, with, without;
  } cases[] = {
      {SIM_GFX90A, true, 8, 0, 15, 16},   {SIM_GFX90A, true, 16, 0, 20, 4},
      {SIM_GFX942, true, 16, 7, 16, 20},  {SIM_GFX942, true, 16, 11, 31, 12},
      {SIM_GFX942, true, 16, 15, 24, 28}, {SIM_GFX942, true, 16, 47, 56, 24},
      {SIM_GFX942, false, 16, 0, 7, 8},   {SIM_GFX950, true, 8, 0, 31, 32},
      {SIM_GFX950, false, 8, 0, 15, 16},  {SIM_GFX950, true, 16, 3, 12, 4},
      {SIM_GFX950, true, 16, 0, 27, 28},  {SIM_GFX950, true, 16, 4, 31, 20},
      {SIM_GFX950, true, 16, 36, 63, 32}, {SIM_GFX950, true, 12, 0, 23, 12},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct sim_bank_pattern pattern = strided(0, cases[i].size, cases[i].read);
    uint32_t one, cycles, conflicts;
    sim_bank_cost(cases[i].arch, &pattern, &one, &conflicts);
    pattern.distance[cases[i].lane] = 1024;
    struct sim_bank_pattern apart = pattern;
    pattern.distance[cases[i].with] = 1024;
    apart.distance[cases[i].without] = 1024;
    sim_bank_cost(cases[i].arch, &pattern, &cycles, &conflicts);
    assert_int_equal(cycles, one + 1);
    sim_bank_cost(cases[i].arch, &apart, &cycles, &conflicts);
    assert_int_equal(cycles, one + 2);
  }
}

/* A write by one address a lane: 1024 + 4 * lane, but that of lanes 1 to 4 is moved by `moved` dwords up, down, down and
 * up: neither the sum of the distances nor that of lane times distance tells. */
static void add_pattern(struct rig *rig, int moved) {
  static const int sign[] = {1, -1, -1, 1};
  rig_add(rig, SIM_OP_v_lshlrev_b32, rig_inst(V(2), SIM_INLINE_INT_0 + 2, V(0), NONE));
  struct sim_inst add = rig_inst(V(2), SIM_LITERAL, V(2), NONE);
  add.literal = 1024;
  rig_add(rig, SIM_OP_v_add_u32, add);
  rig_add(rig, SIM_OP_v_mov_b32, rig_inst(V(3), SIM_INLINE_INT_0, NONE, NONE));
  for (unsigned i = 0; i < 4; i++) {
    struct sim_inst set = rig_inst(10, SIM_LITERAL, NONE, NONE);
    set.literal = (uint32_t)(1024 + 4 * ((int)i + 1) + 4 * moved * sign[i]);
    rig_add(rig, SIM_OP_s_mov_b32, set);
    rig_add(rig, SIM_OP_v_writelane_b32, rig_inst(V(2), 10, SIM_INLINE_INT_0 + i + 1, NONE));
  }
  rig_add(rig, SIM_OP_v_writelane_b32, rig_inst(V(2), SIM_INLINE_INT_0, SIM_INLINE_INT_0, NONE));
  rig_add(rig, SIM_OP_ds_write_b32, rig_inst(NONE, V(2), V(3), NONE));
}

static uint64_t conflicts_of(const int *moved, size_t count) {
  struct rig rig;
  rig_open(&rig, 64, 4096);
  for (size_t i = 0; i < count; i++) {
    add_pattern(&rig, moved[i]);
  }
  assert_int_equal(rig_run(&rig), 0);
  const uint64_t conflicts = rig.counts.lds_conflict_cycles;
  rig_close(&rig);
  return conflicts;
}

/* What an access costs does not depend on those before it. */
static void patterns_are_not_mixed_up(void **state) {
  (void)state;
  const int straight = 0, moved = 28, both[] = {0, 28}, turned[] = {28, 0};
  assert_int_equal(conflicts_of(&straight, 1), 0);
  assert_true(conflicts_of(&moved, 1) > 0);
  assert_int_equal(conflicts_of(both, 2), conflicts_of(&moved, 1));
  assert_int_equal(conflicts_of(turned, 2), conflicts_of(&moved, 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exchange_between_waves),
      cmocka_unit_test(race_between_waves),
      cmocka_unit_test(write_of_what_others_read),
      cmocka_unit_test(read_of_what_nobody_wrote),
      cmocka_unit_test(read_past_the_end),
      cmocka_unit_test(atomics),
      cmocka_unit_test(halves_of_a_dword),
      cmocka_unit_test(widths),
      cmocka_unit_test(bank_conflicts),
      cmocka_unit_test(lanes_of_a_phase),
      cmocka_unit_test(patterns_are_not_mixed_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
