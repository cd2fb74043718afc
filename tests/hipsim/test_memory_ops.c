/* Vector memory: widths, unaligned and partial accesses, buffer resources at the end of their range, atomics, scratch, and
 * reports: out of bounds, freed, read-only, misaligned atomics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

static void fill_out(const struct rig *rig) {
  for (unsigned i = 0; i < RIG_OUT_BYTES / 4; i++) {
    memcpy((char *)(uintptr_t)rig->out + (size_t)4 * i, &i, sizeof i);
  }
}

/* v1 = id * 2^shift */
static void add_offsets(struct rig *rig, unsigned shift) {
  rig_add(rig, SIM_OP_v_lshlrev_b32, rig_inst(V(1), SIM_INLINE_INT_0 + shift, V(0), NONE));
}

/* Loads with `op` at out + id * 16 + offset and stores register `which` of the result at id. */
static int load(struct rig *rig, enum sim_op op, int32_t offset, unsigned which) {
  rig_open(rig, 64, 0);
  fill_out(rig);
  add_offsets(rig, 4);
  struct sim_inst inst = rig_inst(V(4), V(1), NONE, SIM_SGPR0);
  inst.imm = offset;
  rig_add(rig, op, inst);
  rig_add_store(rig, V(4 + which));
  return rig_run(rig);
}

static void loads_of_every_width(void **state) {
  (void)state;
  static const struct {
    enum sim_op op;
    int32_t offset;
    unsigned which, value; /* of lane 0; it rises by `step` a lane */
    unsigned step, mask;
  } cases[] = {
      {SIM_OP_global_load_dword, 0, 0, 0, 4, ~0u},     {SIM_OP_global_load_dwordx2, 4, 1, 2, 4, ~0u},
      {SIM_OP_global_load_dwordx3, 4, 2, 3, 4, ~0u},   {SIM_OP_global_load_dwordx4, 0, 3, 3, 4, ~0u},
      {SIM_OP_global_load_ushort, 8, 0, 2, 4, 0xffff}, {SIM_OP_global_load_ubyte, 8, 0, 2, 4, 0xff},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct rig rig;
    assert_int_equal(load(&rig, cases[i].op, cases[i].offset, cases[i].which), 0);
    for (unsigned lane = 0; lane < 64; lane++) {
      assert_int_equal(rig_out(&rig, lane), (cases[i].value + cases[i].step * lane) & cases[i].mask);
    }
    rig_close(&rig);
  }
}

static void unaligned_load(void **state) {
  (void)state;
  struct rig rig;
  assert_int_equal(load(&rig, SIM_OP_global_load_dword, 1, 0), 0);
  assert_int_equal(rig_out(&rig, 0), 0x01000000);
  assert_int_equal(rig_out(&rig, 1), 0x05000000);
  rig_close(&rig);
}

/* The last lane of 16 bytes begins at 1008: an offset of 3072 ends at 4096, one of 3076 four bytes behind. */
static void load_at_the_end(void **state) {
  (void)state;
  struct rig rig;
  assert_int_equal(load(&rig, SIM_OP_global_load_dwordx4, 3072, 0), 0);
  rig_close(&rig);
  assert_int_equal(load(&rig, SIM_OP_global_load_dwordx4, 3076, 0), -1);
  assert_non_null(strstr(rig.fault.text, "load of 16 bytes"));
  assert_non_null(strstr(rig.fault.text, "0 bytes past the end of allocation"));
  assert_non_null(strstr(rig.fault.text, "of 4096 bytes"));
  assert_non_null(strstr(rig.fault.text, "lane 63"));
  assert_non_null(strstr(rig.fault.text, "global_load_dwordx4"));
  rig_close(&rig);
}

static void access_in_front(void **state) {
  (void)state;
  struct rig rig;
  assert_int_equal(load(&rig, SIM_OP_global_load_dword, -4, 0), -1);
  assert_non_null(strstr(rig.fault.text, "4 bytes before the begin of allocation"));
  assert_non_null(strstr(rig.fault.text, "lane 0"));
  rig_close(&rig);
}

static int store_to(struct rig *rig, uint64_t address) {
  rig->dispatch.kernarg = address;
  rig_add_store(rig, V(0));
  return rig_run(rig);
}

static void store_into_freed_memory(void **state) {
  (void)state;
  struct rig rig;
  rig_open(&rig, 64, 0);
  uint64_t gone = sim_memory_allocate(rig.memory, 4096, SIM_SPAN_BUFFER, true);
  assert_true(gone != 0);
  assert_int_equal(sim_memory_release(rig.memory, gone), 0);
  assert_int_equal(store_to(&rig, gone), -1);
  assert_non_null(strstr(rig.fault.text, "which was freed"));
  rig_close(&rig);
}

static void store_into_read_only_memory(void **state) {
  (void)state;
  struct rig rig;
  rig_open(&rig, 64, 0);
  uint64_t constant = sim_memory_allocate(rig.memory, 4096, SIM_SPAN_KERNARG, false);
  assert_true(constant != 0);
  assert_int_equal(store_to(&rig, constant), -1);
  assert_non_null(strstr(rig.fault.text, "which kernels may only read"));
  rig_close(&rig);
}

/* ---- buffers ---- */

/* The resource of `records` bytes of the output in s[4:7]. */
static void add_resource(struct rig *rig, unsigned records) {
  rig_add(rig, SIM_OP_s_mov_b32, rig_inst(SIM_SGPR0 + 4, SIM_SGPR0, NONE, NONE));
  rig_add(rig, SIM_OP_s_mov_b32, rig_inst(SIM_SGPR0 + 5, SIM_SGPR0 + 1, NONE, NONE));
  struct sim_inst inst = rig_inst(SIM_SGPR0 + 6, SIM_LITERAL, NONE, NONE);
  inst.literal = records;
  rig_add(rig, SIM_OP_s_mov_b32, inst);
  inst.dst = SIM_SGPR0 + 7;
  inst.literal = 0x00020000;
  rig_add(rig, SIM_OP_s_mov_b32, inst);
}

/* Each dword is tested alone: of the lane that straddles the end, two are there and two are zero. */
static void buffer_load_at_the_end(void **state) {
  (void)state;
  for (unsigned which = 0; which < 4; which++) {
    struct rig rig;
    rig_open(&rig, 64, 0);
    fill_out(&rig);
    add_resource(&rig, 16 * 10 + 8);
    add_offsets(&rig, 4);
    struct sim_inst inst = rig_inst(V(4), V(1), NONE, SIM_SGPR0 + 4);
    inst.flags = SIM_F_OFFEN;
    inst.soffset = SIM_INLINE_INT_0;
    rig_add(&rig, SIM_OP_buffer_load_dwordx4, inst);
    rig_add_store(&rig, V(4 + which));
    assert_int_equal(rig_run(&rig), 0);
    for (unsigned lane = 0; lane < 64; lane++) {
      bool there = lane < 10 || (lane == 10 && which < 2);
      assert_int_equal(rig_out(&rig, lane), there ? 4 * lane + which : 0);
    }
    rig_close(&rig);
  }
}

static void buffer_store_at_the_end(void **state) {
  (void)state;
  struct rig rig;
  rig_open(&rig, 64, 0);
  memset((void *)(uintptr_t)rig.out, 0xee, RIG_OUT_BYTES);
  add_resource(&rig, 40);
  add_offsets(&rig, 2);
  struct sim_inst inst = rig_inst(NONE, V(1), V(0), SIM_SGPR0 + 4);
  inst.flags = SIM_F_OFFEN;
  inst.soffset = SIM_INLINE_INT_0;
  rig_add(&rig, SIM_OP_buffer_store_dword, inst);
  assert_int_equal(rig_run(&rig), 0);
  assert_int_equal(rig_out(&rig, 9), 9);
  assert_int_equal(rig_out(&rig, 10), 0xeeeeeeee);
  rig_close(&rig);
}

/* A resource larger than what is allocated: in its range, but a mistake. */
static void buffer_past_the_allocation(void **state) {
  (void)state;
  struct rig rig;
  rig_open(&rig, 64, 0);
  add_resource(&rig, 1u << 20);
  add_offsets(&rig, 7);
  struct sim_inst inst = rig_inst(V(4), V(1), NONE, SIM_SGPR0 + 4);
  inst.flags = SIM_F_OFFEN;
  inst.soffset = SIM_INLINE_INT_0;
  rig_add(&rig, SIM_OP_buffer_load_dword, inst);
  assert_int_equal(rig_run(&rig), -1);
  assert_non_null(strstr(rig.fault.text, "0 bytes past the end of allocation"));
  assert_non_null(strstr(rig.fault.text, "lane 32"));
  rig_close(&rig);
}

/* ---- atomics and scratch ---- */

static int atomic_add(struct rig *rig, int32_t offset) {
  rig_open(rig, 256, 0);
  memset((void *)(uintptr_t)rig->out, 0, RIG_OUT_BYTES);
  rig_add(rig, SIM_OP_v_mov_b32, rig_inst(V(2), SIM_INLINE_INT_0, NONE, NONE));
  struct sim_inst inst = rig_inst(V(4), V(2), V(0), SIM_SGPR0);
  inst.flags = SIM_F_GLC;
  inst.imm = offset;
  rig_add(rig, SIM_OP_global_atomic_add, inst);
  return rig_run(rig);
}

static void atomic_sum(void **state) {
  (void)state;
  struct rig rig;
  assert_int_equal(atomic_add(&rig, 0), 0);
  assert_int_equal(rig_out(&rig, 0), 255 * 256 / 2);
  rig_close(&rig);
  assert_int_equal(atomic_add(&rig, 2), -1);
  assert_non_null(strstr(rig.fault.text, "no multiple of its 4 bytes"));
  rig_close(&rig);
}

static int scratch_round_trip(struct rig *rig, int32_t offset) {
  rig_open(rig, 64, 0);
  rig->kernel.scratch_bytes = 64;
  rig->dispatch.scratch =
      sim_memory_allocate(rig->memory, sim_group_scratch_bytes(&rig->kernel, 64), SIM_SPAN_SCRATCH, true);
  rig->kernel.properties |= 1u << 5; /* flat scratch init, behind the kernarg pointer */
  rig->kernel.rsrc2 = 4u << 1;
  rig_add(rig, SIM_OP_s_mov_b64, rig_inst(SIM_FLAT_SCRATCH_LO, SIM_SGPR0 + 2, NONE, NONE));
  rig_add(rig, SIM_OP_v_mov_b32, rig_inst(V(5), V(0), NONE, NONE));
  struct sim_inst inst = rig_inst(NONE, NONE, V(4), NONE);
  inst.imm = offset;
  rig_add(rig, SIM_OP_scratch_store_dwordx2, inst);
  inst = rig_inst(V(6), NONE, NONE, NONE);
  inst.imm = offset + 4;
  rig_add(rig, SIM_OP_scratch_load_dword, inst);
  rig_add_store(rig, V(6));
  return rig_run(rig);
}

static void scratch(void **state) {
  (void)state;
  struct rig rig;
  assert_int_equal(scratch_round_trip(&rig, 56), 0);
  for (unsigned lane = 0; lane < 64; lane++) {
    assert_int_equal(rig_out(&rig, lane), lane);
  }
  rig_close(&rig);
  assert_int_equal(scratch_round_trip(&rig, 60), -1);
  assert_non_null(strstr(rig.fault.text, "at scratch byte 64 of 64"));
  rig_close(&rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_of_every_width),
      cmocka_unit_test(unaligned_load),
      cmocka_unit_test(load_at_the_end),
      cmocka_unit_test(access_in_front),
      cmocka_unit_test(store_into_freed_memory),
      cmocka_unit_test(store_into_read_only_memory),
      cmocka_unit_test(buffer_load_at_the_end),
      cmocka_unit_test(buffer_store_at_the_end),
      cmocka_unit_test(buffer_past_the_allocation),
      cmocka_unit_test(atomic_sum),
      cmocka_unit_test(scratch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
