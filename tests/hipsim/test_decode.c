/* The decoder and disassembler (sim_decode, sim_disassemble, sim_code), against comgr's disassembler:
 * every instruction of compiled kernels must read the same, mnemonic, operands and length; of random words ours either
 * reads the same mnemonic and length or refuses. Entries in the middle of an instruction and unknown words fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <amd_comgr.h>
#include <cmocka.h>

#include "bench/hipsim/sim_elf.h"
#include "bench/hipsim/sim_table.h"
#include "bench/hipsim/sim_wave.h"
#include "code_object.h"

/* ---- the oracle ---- */

struct oracle {
  amd_comgr_disassembly_info_t info;
  const uint8_t *bytes;
  uint64_t size;
  char text[512];
};

static uint64_t read_memory(uint64_t from, char *to, uint64_t size, void *user) {
  const struct oracle *o = user;
  if (from >= o->size)
    return 0;
  uint64_t count = size < o->size - from ? size : o->size - from;
  memcpy(to, o->bytes + from, count);
  return count;
}

/* Keeps the text without surrounding blanks and comments. */
static void keep_text(const char *text, void *user) {
  struct oracle *o = user;
  while (*text == ' ' || *text == '\t')
    text++;
  size_t length = strcspn(text, ";/\n");
  while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
    length--;
  if (length >= sizeof o->text)
    length = sizeof o->text - 1;
  memcpy(o->text, text, length);
  o->text[length] = '\0';
}

static void ignore_address(uint64_t address, void *user) {
  (void)address;
  (void)user;
}

static bool oracle_open(struct oracle *o, const char *isa) {
  memset(o, 0, sizeof *o);
  return amd_comgr_create_disassembly_info(isa, read_memory, keep_text, ignore_address, &o->info) ==
         AMD_COMGR_STATUS_SUCCESS;
}

/* Bytes of the instruction at `address`, 0 when comgr knows none there. */
static uint64_t oracle_read(struct oracle *o, uint64_t address) {
  uint64_t size = 0;
  o->text[0] = '\0';
  if (amd_comgr_disassemble_instruction(o->info, address, o, &size) != AMD_COMGR_STATUS_SUCCESS ||
      !o->text[0])
    return 0;
  return size;
}

/* ---- compiled kernels ---- */

/* Texts of the same meaning that comgr's versions spell differently. */
static void normalise(char *text) {
  static const char *const same[][2] = {{" bound_ctrl:1", " bound_ctrl:0"}};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    char *at = strstr(text, same[i][0]);
    if (at)
      memcpy(at, same[i][1], strlen(same[i][1]));
  }
}

/* Compares the code in [begin, end) of an ELF's bytes; returns instructions that differ. */
static unsigned compare_code(struct oracle *o, const uint8_t *bytes, uint64_t size, enum sim_arch arch,
                             unsigned *compared) {
  unsigned wrong = 0;
  o->bytes = bytes;
  o->size = size;
  struct sim_code *code = sim_code_decode(bytes, size, 0x1000, arch);
  assert_non_null(code);
  for (uint64_t at = 0; at + 4 <= size;) {
    uint64_t length = oracle_read(o, at);
    if (length == 0) {
      at += 4;
      continue;
    }
    char text[256];
    sim_code_disassemble(code, 0x1000 + at, text, sizeof text);
    normalise(o->text);
    (*compared)++;
    if (strcmp(text, o->text) != 0 || code->at[at / 4].next != length) {
      if (wrong++ < 20)
        print_error("offset 0x%llx: '%s' (%u bytes), comgr has '%s' (%u bytes)\n", (unsigned long long)at,
                    text, code->at[at / 4].next, o->text, (unsigned)length);
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
  struct oracle o;
  char isa[64];
  struct ckt_text object = {0};
  unsigned compared = 0;
  snprintf(isa, sizeof isa, "amdgcn-amd-amdhsa--%s", target);
  if (!oracle_open(&o, isa))
    skip();
  int status = test_compile("decode_kernels.hip", target, &object);
  if (status == 77)
    skip();
  assert_int_equal(status, 0);
  assert_int_equal(compare_object(&o, &object, arch, &compared), 0);
  assert_true(compared > 1000);
  ckt_text_free(&object);
  amd_comgr_destroy_disassembly_info(o.info);
}

static void compiled_for_gfx90a(void **state) {
  (void)state;
  compiled_kernels_read_the_same("gfx90a", SIM_GFX90A);
}

static void compiled_for_gfx908(void **state) {
  (void)state;
  compiled_kernels_read_the_same("gfx908", SIM_GFX908);
}

/* ---- random words ---- */

static uint64_t random_state;

static uint32_t random_word(void) { /* xorshift64* */
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return (uint32_t)(random_state * UINT64_C(0x2545F4914F6CDD1D) >> 32);
}

/* Prefixes of the long formats, so that random words hit them often. */
static uint32_t likely_instruction(void) {
  static const uint32_t prefixes[] = {0xd0000000, 0xd3800000, 0xd8000000, 0xdc000000,
                                      0xe0000000, 0xc0000000, 0xbe800000, 0x7e000000};
  uint32_t word = random_word();
  unsigned choice = random_word() % 16;
  return choice < 8 ? prefixes[choice] | (word & 0x03ffffff) : word;
}

static void random_words_never_read_wrong(const char *isa, enum sim_arch arch) {
  enum { ROUNDS = 100000 };
  struct oracle o;
  uint32_t words[4];
  unsigned wrong = 0, same = 0;
  if (!oracle_open(&o, isa))
    skip();
  random_state = UINT64_C(0x9e3779b97f4a7c15);
  for (unsigned i = 0; i < ROUNDS; i++) {
    for (unsigned k = 0; k < 4; k++)
      words[k] = k == 0 ? likely_instruction() : random_word();
    struct sim_inst inst;
    unsigned used = sim_decode(words, 3, arch, &inst);
    if (used == 0)
      continue; /* a refusal is allowed: not every instruction has a row */
    o.bytes = (const uint8_t *)words;
    o.size = 12;
    uint64_t length = oracle_read(&o, 0);
    if (length == 0)
      continue; /* comgr is stricter about reserved fields */
    char text[256], ours[64], theirs[64];
    sim_disassemble(&inst, arch, text, sizeof text);
    snprintf(ours, sizeof ours, "%.*s", (int)strcspn(text, " "), text);
    snprintf(theirs, sizeof theirs, "%.*s", (int)strcspn(o.text, " "), o.text);
    if (strcmp(ours, theirs) == 0 && used * 4 == length)
      same++;
    else if (wrong++ < 20)
      print_error("%08x %08x %08x: '%s' (%u bytes), comgr has '%s' (%u bytes)\n", words[0], words[1],
                  words[2], text, used * 4, o.text, (unsigned)length);
  }
  amd_comgr_destroy_disassembly_info(o.info);
  assert_int_equal(wrong, 0);
  assert_true(same > ROUNDS / 4);
}

static void random_for_gfx90a(void **state) {
  (void)state;
  random_words_never_read_wrong("amdgcn-amd-amdhsa--gfx90a", SIM_GFX90A);
}

static void random_for_gfx908(void **state) {
  (void)state;
  random_words_never_read_wrong("amdgcn-amd-amdhsa--gfx908", SIM_GFX908);
}

static void random_for_gfx942(void **state) {
  (void)state;
  random_words_never_read_wrong("amdgcn-amd-amdhsa--gfx942", SIM_GFX942);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_entries_fault), cmocka_unit_test(random_for_gfx90a),
      cmocka_unit_test(random_for_gfx908),   cmocka_unit_test(random_for_gfx942),
      cmocka_unit_test(compiled_for_gfx90a), cmocka_unit_test(compiled_for_gfx908),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
