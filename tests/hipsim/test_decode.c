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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wide_loads_to_lds),   cmocka_unit_test(wrong_entries_fault),
      cmocka_unit_test(truth_tables),        cmocka_unit_test(random_for_gfx90a),
      cmocka_unit_test(random_for_gfx908),   cmocka_unit_test(random_for_gfx942),
      cmocka_unit_test(compiled_for_gfx90a), cmocka_unit_test(compiled_for_gfx908),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
