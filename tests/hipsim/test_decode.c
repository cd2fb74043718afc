/* The decoder and disassembler (sim_decode, sim_disassemble, sim_code), against the disassemblers of comgr and, for gfx942,
 * of LLVM: every instruction of compiled kernels and of 200,000 random encodings an arch must read the same, mnemonic,
 * operands and length, or both refuse (fuzz_decode does more of them). The truth table of v_bitop3. Entries in the middle of an instruction and unknown words fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "bench/hipsim/sim_elf.h"
#include "bench/hipsim/sim_table.h"
#include "bench/hipsim/sim_wave.h"
#include "code_object.h"
#include "compare_decode.h"

/* ---- compiled kernels ---- */

/* Compares the code in [begin, end) of an ELF's bytes; returns instructions that differ. */
static unsigned compare_code(struct oracle *o, const uint8_t *bytes, uint64_t size, enum sim_arch arch,
                             unsigned *compared) {
  unsigned wrong = 0;
  struct sim_code *code = sim_code_decode(bytes, size, 0x1000, arch);
  assert_non_null(code);
  for (uint64_t at = 0; at + 4 <= size;) {
    char theirs[256];
    unsigned length = oracle_read(o, bytes + at, size - at, theirs, sizeof theirs);
    if (length == 0) {
      at += 4;
      continue;
    }
    char text[256];
    sim_code_disassemble(code, 0x1000 + at, text, sizeof text);
    normalise_text(theirs);
    (*compared)++;
    if (strcmp(text, theirs) != 0 || code->at[at / 4].next != length) {
      if (wrong++ < 20)
        print_error("offset 0x%llx: '%s' (%u bytes), comgr has '%s' (%u bytes)\n", (unsigned long long)at,
                    text, code->at[at / 4].next, theirs, length);
    }
    at += length;
  }
  sim_code_free(code);
  return wrong;
}

static unsigned compare_object(struct oracle *o, const struct ckt_text *object, enum sim_arch arch,
                               unsigned *compared) {
  struct sim_elf elf;
  struct ckt_error error;
  const uint8_t *bytes;
  size_t length;
  unsigned wrong = 0;
  assert_int_equal(sim_elf_pick(object->data, object->length, arch, &bytes, &length, &error), 0);
  assert_int_equal(sim_elf_open(bytes, length, arch, &elf, &error), 0);
  for (size_t i = 0; i < elf.header.e_phnum; i++) {
    Elf64_Phdr segment;
    sim_elf_segment(&elf, i, &segment);
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X))
      wrong += compare_code(o, bytes + segment.p_offset, segment.p_filesz, arch, compared);
  }
  return wrong;
}

static void compiled_kernels_read_the_same(const char *target, enum sim_arch arch) {
  struct oracle *o = oracle_open(arch);
  struct ckt_text object = {0};
  unsigned compared = 0;
  if (!o)
    skip();
  int status = test_compile("decode_kernels.hip", target, &object);
  if (status == 77) {
    oracle_close(o);
    skip();
  }
  assert_int_equal(status, 0);
  assert_int_equal(compare_object(o, &object, arch, &compared), 0);
  assert_true(compared > 1000);
  ckt_text_free(&object);
  oracle_close(o);
}

static void compiled_for_gfx90a(void **state) {
  (void)state;
  compiled_kernels_read_the_same("gfx90a", SIM_GFX90A);
}

static void compiled_for_gfx908(void **state) {
  (void)state;
  compiled_kernels_read_the_same("gfx908", SIM_GFX908);
}

/* ---- random encodings ---- */

/* The same mnemonic, operands and length, or both refuse; but for instructions that have no row. */
static void random_encodings_read_the_same(enum sim_arch arch) {
  enum { ROUNDS = 200000 };
  struct oracle *o = oracle_open(arch);
  struct random_code random = random_code(arch, 7);
  struct comparison c = {0};
  if (!o)
    skip();
  compare_decode(o, &random, ROUNDS, &c);
  oracle_close(o);
  assert_int_equal(c.differs, 0);
  assert_true(c.same > ROUNDS / 3);
  assert_true(c.rowless < ROUNDS / 100);
}

static void random_for_gfx90a(void **state) {
  (void)state;
  random_encodings_read_the_same(SIM_GFX90A);
}

static void random_for_gfx908(void **state) {
  (void)state;
  random_encodings_read_the_same(SIM_GFX908);
}

static void random_for_gfx942(void **state) {
  (void)state;
  random_encodings_read_the_same(SIM_GFX942);
}

static void random_for_gfx950(void **state) {
  (void)state;
  random_encodings_read_the_same(SIM_GFX950);
}

/* ---- entries that fault ---- */

static void wrong_entries_fault(void **state) {
  (void)state;
  /* v_add_f32 v0, 0x3fc00000, v1 (8 bytes); an undefined word; half an instruction at the end */
  static const uint32_t text[] = {0x020002ff, 0x3fc00000, 0xf4000000, 0xd1000000};
  static const char *const part[] = {NULL, "middle", "unknown instruction 0xf4000000", "0xd1000000"};
  struct sim_code *code = sim_code_decode(text, sizeof text, 0x2000, SIM_GFX90A);
  assert_non_null(code);
  assert_int_equal(code->at[0].next, 8);
  char words[128];
  sim_code_disassemble(code, 0x2000, words, sizeof words);
  assert_string_equal(words, "v_add_f32_e32 v0, 0x3fc00000, v1");
  for (unsigned i = 1; i < 4; i++) {
    struct sim_dispatch dispatch = {.kernel = &(struct sim_kernel){.name = "k", .code = code}};
    struct sim_fault fault = {0};
    struct sim_wave wave = {.code = code, .dispatch = &dispatch, .fault = &fault, .now = &code->at[i]};
    wave.pc = 0x2000 + 4 * (i + 1);
    code->at[i].run(&wave, &code->at[i]);
    assert_int_equal(wave.state, SIM_FAULTED);
    assert_non_null(strstr(fault.text, part[i]));
  }
  sim_code_disassemble(code, 0x2002, words, sizeof words);
  assert_string_equal(words, "no instruction");
  sim_code_free(code);
}

/* omod, abs and neg make up the table: 0b01, 0b010, 0b011 is 0x53. */
static void truth_tables(void **state) {
  (void)state;
  static const uint32_t words[] = {0xd2340205, 0x6c0e0501};
  struct sim_inst inst;
  char text[128];
  assert_int_equal(sim_decode(words, 2, SIM_GFX950, &inst), 2);
  sim_disassemble(&inst, SIM_GFX950, text, sizeof text);
  assert_string_equal(text, "v_bitop3_b32 v5, v1, v2, v3 bitop3:0x53");
  assert_int_equal(inst.flags, 0);
  assert_int_equal(sim_decode(words, 2, SIM_GFX942, &inst), 0);
}

/* Loads of three and four dwords go to LDS since gfx950. */
static void wide_loads_to_lds(void **state) {
  (void)state;
  static const struct {
    uint32_t words[2];
    const char *text;
  } cases[] = {{{0xe05d1000, 0x05020002}, "buffer_load_dwordx4 v2, s[8:11], s5 offen lds"},
               {{0xe0590000, 0x05020000}, "buffer_load_dwordx3 off, s[8:11], s5 lds"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct sim_inst inst;
    char text[128];
    assert_int_equal(sim_decode(cases[i].words, 2, SIM_GFX942, &inst), 0);
    assert_int_equal(sim_decode(cases[i].words, 2, SIM_GFX950, &inst), 2);
    sim_disassemble(&inst, SIM_GFX950, text, sizeof text);
    assert_string_equal(text, cases[i].text);
  }
}

/* Encodings that were once read otherwise than LLVM 21 reads them; no text: both refuse. */
static void once_read_wrongly(void **state) {
  (void)state;
  static const struct {
    enum sim_arch arch;
    uint32_t words[2];
    const char *text;
  } cases[] = {
      {SIM_GFX942,
       {0xd87a208b, 0xf2000000},
       "ds_swizzle_b32 v242, v0 offset:swizzle(BITMASK_PERM,\"0i1pp\")"},
      {SIM_GFX950, {0xda7be50e, 0xaf00004b}, "ds_swizzle_b32 a175, v75 offset:swizzle(FFT,14)"},
      {SIM_GFX942, {0xd1ce6053, 0x0095e507}, "v_alignbit_b32 v83, v7, 1.0, s37 op_sel:[0,0,1,1]"},
      {SIM_GFX942, {0xd2a5402f, 0x00020b19}, "v_cvt_sr_bf8_f32 v47, v25, v5 op_sel:[0,0,0,1]"},
      {SIM_GFX942, {0xd2a3806e, 0x00020f0e}, NULL}, /* clamp of FP8 */
      {SIM_GFX942, {0xd1978030, 0x0000011e}, "v_cvt_pk_f32_bf8_e64 v[48:49], v30 clamp"},
      {SIM_GFX90A, {0xd3aa0061, 0x0c722b1c}, "v_dot8_i32_i4 v97, v28, v21, v28"},
      {SIM_GFX90A, {0xd3aa0861, 0x0c722b1c}, NULL}, /* op_sel of nibbles */
      {SIM_GFX942, {0xd204552e, 0x04120a51}, NULL}, /* abs of integers */
      {SIM_GFX90A, {0xd2060091, 0x0a2a26b9}, "v_fma_f16 v145, 57, v19, 10 mul:2"},
      {SIM_GFX90A, {0xd38a00cc, 0x780239cd}, "v_pk_add_u16 v204, v205, v28 neg_lo:[1,1]"},
      {SIM_GFX908,
       {0xd3a600d5, 0x247f26f4},
       "v_dot2_i32_i16 v213, 2.0, v147, v31 op_sel_hi:[0,0,0] neg_lo:[1,0,0]"},
      {SIM_GFX90A, {0x499d30ff, 0xee51817e}, "v_madmk_f16 v206, 0x817e, 0xee51817e, v152"},
      {SIM_GFX90A, {0x51cc16ff, 0x1cdc0031}, "v_subrev_u16_e32 v230, 0x31, v11"},
      {SIM_GFX908,
       {0x7816befa, 0x5e44eb29},
       "v_pk_fmac_f16_dpp v11, v41, -v95 quad_perm:[3,2,2,3] row_mask:0x5 bank_mask:0xe"},
      {SIM_GFX950, {0xe05d1035, 0x8956155c}, "buffer_load_dwordx4 v92, s[88:91], 9 offen offset:53 lds"},
      {SIM_GFX942, {0xe05d1035, 0x8956155c}, NULL},
      {SIM_GFX950, {0xd1991820, 0x00000109}, "v_permlane16_swap_b32_e64 v32, v9 bound_ctrl:0 fi:1"},
      {SIM_GFX950, {0xd26538f6, 0x00ae2303}, "v_ashr_pk_i8_i32 v246, v3, v17, s43 op_sel:[1,1,1,0]"},
      {SIM_GFX950, {0x7e2eb6ff, 0xc4006ee1}, "v_cvt_f32_bf16_e32 v23, 0xc4006ee1"},
      {SIM_GFX950, {0xd2341846, 0x3da62c90}, NULL}, /* op_sel of v_bitop3_b32 */
      {SIM_GFX950, {0xd23400cc, 0x04360c5a}, "v_bitop3_b32 v204, s90, v6, v13"},
      {SIM_GFX908,
       {0xe26cc110, 0x34e978f6},
       "buffer_store_short_d16_hi v[120:121], off, s[36:39], s52 offset:272 glc tfe"},
      {SIM_GFX908, {0xe10a8b6d, 0xae93a637}, NULL}, /* tfe of atomics */
      {SIM_GFX90A, {0xe0f80903, 0x3cf741ba}, NULL}, /* accumulation registers of cache control */
      {SIM_GFX942, {0xd14000ce, 0x00000000}, NULL}, /* a destination of v_nop */
      {SIM_GFX950, {0xd1ef9c89, 0x0265ff01}, NULL}, /* a literal in VOP3 */
      {SIM_GFX942, {0xd1e7804c, 0x03b207a7}, NULL}, /* 128 bits of an aperture */
      {SIM_GFX950, {0xc00b6dc2, 0xe3e00000}, "s_load_dwordx4 s[52:55], s[4:5], ttmp5 offset:0x0 glc"},
      {SIM_GFX942, {0x7f9c20fa, 0x8224ebec}, NULL}, /* quad_perm of 64 bits: v_cvt_f64_f32 */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct sim_inst inst;
    char text[128];
    unsigned used = sim_decode(cases[i].words, 2, cases[i].arch, &inst);
    assert_int_equal(used != 0, cases[i].text != NULL);
    sim_disassemble(&inst, cases[i].arch, text, sizeof text);
    if (cases[i].text)
      assert_string_equal(text, cases[i].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wide_loads_to_lds),   cmocka_unit_test(wrong_entries_fault),
      cmocka_unit_test(once_read_wrongly),   cmocka_unit_test(truth_tables),
      cmocka_unit_test(random_for_gfx90a),   cmocka_unit_test(random_for_gfx908),
      cmocka_unit_test(random_for_gfx942),   cmocka_unit_test(random_for_gfx950),
      cmocka_unit_test(compiled_for_gfx90a), cmocka_unit_test(compiled_for_gfx908),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
