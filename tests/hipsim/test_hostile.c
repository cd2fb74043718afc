/* Code that means harm: random instructions run for a bounded number of steps end in a report or at the program's end,
 * whatever registers and addresses they name (200,000 programs; HOSTILE_SEED and HOSTILE_PROGRAMS ask for others, meant for
 * AddressSanitizer); tuples past the end of a register file do not decode; odd tuples where even ones are wanted, masks in
 * vector registers, and registers that the kernel does not declare are reported by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hostile_machine.h"
#include "random_code.h"

/* ---- random programs ---- */

/* Other programs for each HOSTILE_SEED; fewer of them, by default, where each costs ten times as much. */
#ifdef __SANITIZE_ADDRESS__
enum { PROGRAMS = 5000 };
#else
enum { PROGRAMS = 50000 };
#endif

static unsigned number_of(const char *variable, unsigned otherwise) {
  const char *text = getenv(variable);
  return text != NULL ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

static void random_programs(enum sim_arch arch) {
  const unsigned programs = number_of("HOSTILE_PROGRAMS", PROGRAMS), seed = number_of("HOSTILE_SEED", 5);
  struct hostile_machine m;
  struct random_code r = random_code(arch, (uint64_t)seed * SIM_ARCHS + arch);
  unsigned ended = 0, reported = 0;
  assert_int_equal(hostile_open(&m, arch), 0);
  for (unsigned n = 0; n < programs; n++) {
    uint32_t words[HOSTILE_WORDS] = {0};
    size_t count = 0, wanted = 1 + random_word(&r) % 12;
    for (size_t i = 0; i < wanted && count + 3 <= HOSTILE_WORDS; i++) {
      random_instruction(&r, words + count);
      struct sim_inst inst;
      unsigned used = sim_decode(words + count, 3, arch, &inst);
      count += used > 0 ? used : 1;
    }
    if (hostile_run(&m, words, count) == 0)
      ended++;
    else if (m.fault.text[0])
      reported++;
  }
  hostile_close(&m);
  assert_int_equal(ended + reported, programs);
  assert_true(ended > programs / 100);
}

static void random_on_gfx908(void **state) {
  (void)state;
  random_programs(SIM_GFX908);
}

static void random_on_gfx90a(void **state) {
  (void)state;
  random_programs(SIM_GFX90A);
}

static void random_on_gfx942(void **state) {
  (void)state;
  random_programs(SIM_GFX942);
}

static void random_on_gfx950(void **state) {
  (void)state;
  random_programs(SIM_GFX950);
}

/* ---- bounds ---- */

/* Encodings of gfx90a whose last operand register is one too far, and the same one register earlier. */
static void tuples_past_the_end(void **state) {
  (void)state;
  static const struct {
    uint32_t wrong[2], right[2];
  } cases[] = {
      {{0xd280000a, 0x000209ff}, {0xd280000a, 0x000209fe}}, /* v_add_f64 v[10:11], v[255:256] | v[254:255] */
      {{0xd28000ff, 0x00020902}, {0xd28000fe, 0x00020902}}, /* v_add_f64 v[255:256] | v[254:255] */
      {{0xdc5c8000, 0xfe7f0000}, {0xdc5c8000, 0xfc7f0000}}, /* global_load_dwordx4 v[254:257] | v[252:255] */
      {{0xd9fe0000, 0xfe000000}, {0xd9fe0000, 0xfc000000}}, /* ds_read_b128 v[254:257] | v[252:255] */
      {{0xdbfe0000, 0xfe000000}, {0xdbfe0000, 0xfc000000}}, /* ds_read_b128 a[254:257] | a[252:255] */
      {{0xd3cc80f2, 0x040a0902},
       {0xd3cc80f0, 0x040a0902}}, /* v_mfma_f32_32x32x8f16 a[242:257] | a[240:255] */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct sim_inst inst;
    assert_int_equal(sim_decode(cases[i].wrong, 2, SIM_GFX90A, &inst), 0);
    assert_int_equal(inst.op, SIM_OP_UNKNOWN);
    assert_int_equal(sim_decode(cases[i].right, 2, SIM_GFX90A, &inst), 2);
  }
}

static void expect_report(const uint32_t *words, size_t count, enum sim_arch arch, const char *part) {
  struct hostile_machine m;
  assert_int_equal(hostile_open(&m, arch), 0);
  m.kernel.vgprs = m.kernel.agprs = 32;
  m.kernel.sgprs = 16;
  int status = hostile_run(&m, words, count);
  if (!part) {
    assert_int_equal(status, 0);
  } else {
    assert_int_equal(status, -1);
    if (!strstr(m.fault.text, part))
      fail_msg("'%s' does not say '%s'", m.fault.text, part);
  }
  hostile_close(&m);
}

static void odd_tuples(void **state) {
  (void)state;
  const uint32_t odd[] = {0xd2800003, 0x00020902}; /* v_add_f64 v[3:4], v[2:3], v[4:5] */
  const uint32_t even[] = {0xd2800004, 0x00020902};
  expect_report(odd, 2, SIM_GFX908, NULL);
  expect_report(odd, 2, SIM_GFX90A, "must begin at an even register, in `v_add_f64 v[3:4]");
  expect_report(even, 2, SIM_GFX90A, NULL);
}

static void undeclared_registers(void **state) {
  (void)state;
  const uint32_t v31 = 0x7e3e0280, v32 = 0x7e400280; /* v_mov_b32 v31, 0 | v32, 0 */
  const uint32_t s15 = 0xbe8f0080, s16 = 0xbe900080; /* s_mov_b32 s15, 0 | s16, 0 */
  const uint32_t a32[] = {0xd3d94020, 0x18000080};   /* v_accvgpr_write_b32 a32, 0 */
  const uint32_t jumped[] = {0xbf820001, v32};       /* s_branch over it */
  expect_report(&v31, 1, SIM_GFX90A, NULL);
  expect_report(&v32, 1, SIM_GFX90A, "needs 33 VGPRs, and the kernel declares 32, in `v_mov_b32_e32 v32, 0`");
  expect_report(&s15, 1, SIM_GFX90A, NULL);
  expect_report(&s16, 1, SIM_GFX90A, "needs 17 SGPRs");
  expect_report(a32, 2, SIM_GFX90A, "needs 33 AGPRs");
  expect_report(jumped, 2, SIM_GFX90A, NULL);
}

static void operands_of_the_wrong_kind(void **state) {
  (void)state;
  const uint32_t mask[] = {0xd1000000, 0x04120902}; /* v_cndmask_b32 v0, v2, v4, v[4:5] */
  const uint32_t lane[] = {0xd2890000, 0x00020902}; /* v_readlane_b32 s0, v2, v4 */
  const uint32_t swap[] = {0x7e00a280};             /* v_swap_b32 v0, 0 */
  expect_report(mask, 2, SIM_GFX908, "an operand is of a kind that the instruction cannot take");
  expect_report(lane, 2, SIM_GFX908, "an operand is of a kind that the instruction cannot take");
  expect_report(swap, 1, SIM_GFX908, "unknown instruction 0x7e00a280");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tuples_past_the_end),  cmocka_unit_test(odd_tuples),
      cmocka_unit_test(undeclared_registers), cmocka_unit_test(operands_of_the_wrong_kind),
      cmocka_unit_test(random_on_gfx908),     cmocka_unit_test(random_on_gfx90a),
      cmocka_unit_test(random_on_gfx942),     cmocka_unit_test(random_on_gfx950),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
