/* Code objects as outside input (sim_elf, sim_metadata, sim_module): a real one is read right, one for another device is
 * told from a broken one, bundles are taken apart, and neither cutting nor flipping bits crashes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "bench/hipsim/sim_elf.h"
#include "bench/hipsim/sim_module.h"
#include "code_object.h"

static struct ckt_text code;
static struct sim_memory *memory;

/* Loads a copy that ends where its allocation ends, so that the sanitizer sees a read past it. */
static int load(const void *bytes, size_t size, struct sim_module **module, struct ckt_error *error) {
  uint8_t *copy = malloc(size > 0 ? size : 1);
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  const int status = sim_module_load(memory, SIM_GFX90A, copy, size, module, error);
  free(copy);
  return status;
}

static void real_one_is_read(void **state) {
  (void)state;
  struct sim_module *module;
  struct ckt_error error;
  assert_int_equal(load(code.data, code.length, &module, &error), CKT_OK);
  const struct sim_function *function = sim_module_function(module, "arguments");
  assert_non_null(function);
  assert_string_equal(function->kernel.name, "arguments");
  assert_int_equal(function->explicit_bytes, 40);
  assert_int_equal(function->metadata->arguments[0].offset, 0);
  assert_int_equal(function->metadata->arguments[1].offset, 8);
  assert_int_equal(function->metadata->arguments[2].offset, 16);
  assert_int_equal(function->metadata->arguments[2].bytes, 2);
  assert_int_equal(function->metadata->arguments[4].offset, 32);
  function = sim_module_function(module, "reverse");
  assert_int_equal(function->kernel.lds_bytes, 1024);
  assert_int_equal(function->kernel.max_block, 256);
  assert_true(function->kernel.vgprs >= function->metadata->vgprs && function->kernel.vgprs % 4 == 0);
  assert_int_equal(function->kernel.scratch_bytes, 0);
  assert_null(sim_module_function(module, "no_such_kernel"));
  uint64_t address, bytes;
  assert_int_equal(sim_module_variable(module, "scale", &address, &bytes), 0);
  assert_int_equal(bytes, 4);
  assert_int_equal(*(const int *)(uintptr_t)address, 3);
  assert_true(sim_memory_span(memory, address)->writable);
  assert_false(sim_memory_span(memory, function->kernel.entry)->writable);
  sim_module_free(&module);
  assert_int_equal(sim_memory_used(memory), 0);
}

static void code_without_a_size_is_measured(void **state) {
  (void)state;
  const uint8_t *bytes;
  size_t length;
  struct ckt_error error;
  assert_int_equal(sim_elf_pick(code.data, 0, SIM_GFX90A, &bytes, &length, &error), CKT_OK);
  assert_ptr_equal(bytes, code.data);
  assert_int_equal(length, code.length);
}

static void another_device_is_told_apart(void **state) {
  (void)state;
  struct sim_module *module;
  struct ckt_error error;
  assert_int_equal(sim_module_load(memory, SIM_GFX942, code.data, code.length, &module, &error),
                   CKT_E_UNSUPPORTED);
  assert_non_null(strstr(error.text, "gfx90a"));
  assert_non_null(strstr(error.text, "gfx942"));
  Elf64_Ehdr header;
  memcpy(&header, code.data, sizeof header);
  const uint32_t flags = header.e_flags;
  header.e_flags = flags | 0x300; /* xnack on */
  memcpy(code.data, &header, sizeof header);
  assert_int_equal(load(code.data, code.length, &module, &error), CKT_E_UNSUPPORTED);
  header.e_flags = flags;
  memcpy(code.data, &header, sizeof header);
}

static size_t put(uint8_t *to, size_t at, const void *bytes, size_t length) {
  memcpy(to + at, bytes, length);
  return at + length;
}

/* A bundle of a host entry and two device entries, the last of which is ours. */
static uint8_t *make_bundle(size_t *size) {
  const char *const ids[] = {"host-x86_64-unknown-linux--", "hipv4-amdgcn-amd-amdhsa--gfx942",
                             "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"};
  enum { HEADER = 4096 };
  *size = HEADER + code.length;
  uint8_t *bundle = calloc(*size, 1);
  assert_non_null(bundle);
  const uint64_t count = 3;
  size_t at = put(bundle, 0, "__CLANG_OFFLOAD_BUNDLE__", 24);
  at = put(bundle, at, &count, sizeof count);
  for (int i = 0; i < 3; ++i) {
    const uint64_t entry[3] = {HEADER, i == 2 ? code.length : 0, strlen(ids[i])};
    at = put(bundle, at, entry, sizeof entry);
    at = put(bundle, at, ids[i], strlen(ids[i]));
  }
  memcpy(bundle + HEADER, code.data, code.length);
  return bundle;
}

static void bundles_are_taken_apart(void **state) {
  (void)state;
  size_t size;
  uint8_t *bundle = make_bundle(&size);
  struct sim_module *module;
  struct ckt_error error;
  assert_int_equal(load(bundle, size, &module, &error), CKT_OK);
  sim_module_free(&module);
  assert_int_equal(sim_module_load(memory, SIM_GFX908, bundle, size, &module, &error), CKT_E_UNSUPPORTED);
  for (size_t cut = 1; cut < 400; ++cut)
    assert_int_not_equal(load(bundle, cut, &module, &error), CKT_OK);
  for (size_t at = 0; at < 300; ++at) {
    bundle[at] ^= 0xff;
    if (load(bundle, size, &module, &error) == CKT_OK)
      sim_module_free(&module);
    bundle[at] ^= 0xff;
  }
  free(bundle);
}

/* A bundle whose size no one told, at the end of what is mapped: its list goes on behind, and its entry. */
static void bundles_without_a_size_end_with_their_pages(void **state) {
  (void)state;
  enum { PAGE = 4096, HEAD = 32 };
  uint8_t *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(pages != MAP_FAILED && munmap(pages + PAGE, PAGE) == 0);
  const char id[] = "hipv4-amdgcn-amd-amdhsa--gfx90a";
  const uint64_t entry[3] = {0, 2 * PAGE, sizeof id - 1}, count = 2;
  const uint8_t *bytes;
  size_t length;
  struct ckt_error error;
  for (size_t room = HEAD - 8; room <= HEAD + sizeof entry + sizeof id - 1; ++room) {
    uint8_t *image = pages + PAGE - room, whole[HEAD + sizeof entry + sizeof id];
    size_t at = put(whole, 0, "__CLANG_OFFLOAD_BUNDLE__", 24);
    at = put(whole, at, &count, sizeof count);
    at = put(whole, at, entry, sizeof entry);
    put(whole, at, id, sizeof id - 1);
    memcpy(image, whole, room);
    assert_int_equal(sim_elf_pick(image, 0, SIM_GFX90A, &bytes, &length, &error), CKT_E_INPUT);
  }
  munmap(pages, PAGE);
}

/* Loading may succeed (a flipped bit in the code) or not; nothing else may happen. */
static void try_it(const uint8_t *bytes, size_t size) {
  struct sim_module *module;
  struct ckt_error error;
  error.text[0] = '\0';
  const int status = load(bytes, size, &module, &error);
  if (status == CKT_OK)
    sim_module_free(&module);
  else {
    assert_null(module);
    assert_true(error.text[0] != '\0');
  }
}

static void cut_anywhere(void **state) {
  (void)state;
  struct sim_module *module;
  struct ckt_error error;
  for (size_t size = 1; size < code.length; size += size < 1024 ? 1 : 13)
    assert_int_not_equal(load(code.data, size, &module, &error), CKT_OK);
  assert_int_equal(sim_memory_used(memory), 0);
}

static void flipped_anywhere(void **state) {
  (void)state;
  uint8_t *bytes = (uint8_t *)code.data;
  const uint8_t masks[] = {0x01, 0x80, 0xff};
  for (size_t at = 0; at < code.length; ++at)
    for (size_t m = 0; m < sizeof masks; ++m) {
      if (at >= 64 + 1024 && m != at % 3) /* headers: all masks; elsewhere: one */
        continue;
      bytes[at] ^= masks[m];
      try_it(bytes, code.length);
      bytes[at] ^= masks[m];
    }
  assert_int_equal(sim_memory_used(memory), 0);
}

/* Numbers in headers that are large in one way or another. */
static void headers_with_large_numbers(void **state) {
  (void)state;
  uint8_t *bytes = (uint8_t *)code.data;
  const uint64_t values[] = {UINT64_MAX,        (uint64_t)1 << 63, (uint64_t)1 << 31,
                             UINT64_MAX - 4096, code.length,       0};
  Elf64_Ehdr header;
  memcpy(&header, bytes, sizeof header);
  const size_t ends[] = {sizeof header + header.e_phnum * sizeof(Elf64_Phdr), code.length};
  const size_t begins[] = {24, header.e_shoff};
  for (int table = 0; table < 2; ++table)
    for (size_t at = begins[table]; at + 8 <= ends[table]; at += 4)
      for (size_t v = 0; v < sizeof values / sizeof values[0]; ++v) {
        uint64_t was;
        memcpy(&was, bytes + at, sizeof was);
        memcpy(bytes + at, &values[v], sizeof was);
        try_it(bytes, code.length);
        memcpy(bytes + at, &was, sizeof was);
      }
  assert_int_equal(sim_memory_used(memory), 0);
}

int main(void) {
  ckt_text_init(&code, 0);
  const int compiled = test_compile("api_kernels.hip", "gfx90a:sramecc+:xnack-", &code);
  if (compiled != 0)
    return compiled == 77 ? 77 : 1;
  memory = sim_memory_create((uint64_t)1 << 30);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(real_one_is_read),
      cmocka_unit_test(code_without_a_size_is_measured),
      cmocka_unit_test(another_device_is_told_apart),
      cmocka_unit_test(bundles_are_taken_apart),
      cmocka_unit_test(bundles_without_a_size_end_with_their_pages),
      cmocka_unit_test(cut_anywhere),
      cmocka_unit_test(flipped_anywhere),
      cmocka_unit_test(headers_with_large_numbers),
  };
  const int failed = memory != NULL ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
  sim_memory_free(&memory);
  ckt_text_free(&code);
  return failed;
}
