/* Exercises bench/code_cache: round trip, replacement, every kind of damage, keys that differ in any part, a
 * folder that cannot be made; and bench/headers: the embedded ones, a folder, and the digest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/code_cache.h"
#include "bench/headers.h"
#include "common/file.h"

static char *folder;

static int make_folder(void **state) {
  (void)state;
  char name[] = "/tmp/cktune-cache-XXXXXX";
  folder = mkdtemp(name) != NULL ? strdup(name) : NULL;
  return folder != NULL ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  const int status = ckt_remove_tree(folder, NULL);
  free(folder);
  return status;
}

static const char *const options[] = {"-O3", "-std=c++17", NULL};

static struct ckt_code_key sample_key(void) {
  return (struct ckt_code_key){.source = "source",
                               .headers_digest = "digest",
                               .options = options,
                               .toolchain = "hiprtc 5.2, comgr 2.4",
                               .target = "gfx90a",
                               .kernel = "ckt_conv"};
}

static struct ckt_code_cache *open_cache(void) {
  struct ckt_code_cache *cache = NULL;
  struct ckt_error error = {0};
  assert_int_equal(ckt_code_cache_open(folder, &cache, &error), CKT_OK);
  return cache;
}

static const char code[] = "\177ELF\0\0not really one\0";

/* Writes the sample entry; its path is to be freed. */
static char *write_sample(const struct ckt_code_cache *cache, char key[CKT_HASH_TEXT]) {
  struct ckt_error error = {0};
  const struct ckt_code_key parts = sample_key();
  ckt_code_cache_key(&parts, key);
  char *path = ckt_code_cache_path(cache, key, &error);
  assert_non_null(path);
  assert_int_equal(ckt_code_file_write(path, "ckt_conv", code, sizeof code, &error), CKT_OK);
  return path;
}

static void test_round_trip(void **state) {
  (void)state;
  struct ckt_code_cache *cache = open_cache();
  char key[CKT_HASH_TEXT];
  char *path = write_sample(cache, key);
  assert_true(ckt_code_cache_has(cache, key));
  char *kernel = NULL;
  struct ckt_text content = {0};
  struct ckt_error error = {0};
  assert_int_equal(ckt_code_file_read(path, &kernel, &content, &error), CKT_OK);
  assert_string_equal(kernel, "ckt_conv");
  assert_int_equal(content.length, sizeof code);
  assert_memory_equal(content.data, code, sizeof code);
  assert_int_equal(ckt_code_cache_remove(cache, key, &error), CKT_OK);
  assert_false(ckt_code_cache_has(cache, key));
  assert_int_equal(ckt_code_cache_remove(cache, key, &error), CKT_OK);
  free(kernel);
  ckt_text_free(&content);
  free(path);
  ckt_code_cache_close(&cache);
  assert_null(cache);
}

/* Every single-byte change and every cut of an entry must be noticed. */
static void test_damage(void **state) {
  (void)state;
  struct ckt_code_cache *cache = open_cache();
  char key[CKT_HASH_TEXT];
  char *path = write_sample(cache, key);
  struct ckt_text entry = {0};
  assert_int_equal(ckt_file_read(path, &entry, NULL), CKT_OK);
  for (size_t i = 0; i < entry.length; i++) {
    entry.data[i] = (char)(entry.data[i] ^ 0x10);
    assert_int_equal(ckt_file_write(path, entry.data, entry.length, NULL), CKT_OK);
    assert_false(ckt_code_cache_has(cache, key));
    entry.data[i] = (char)(entry.data[i] ^ 0x10);
  }
  for (size_t length = 0; length < entry.length; length++) {
    assert_int_equal(ckt_file_write(path, entry.data, length, NULL), CKT_OK);
    struct ckt_error error = {0};
    char *kernel = NULL;
    struct ckt_text content = {0};
    assert_int_equal(ckt_code_file_read(path, &kernel, &content, &error), CKT_E_CACHE);
    assert_non_null(strstr(error.text, path));
    assert_null(kernel);
    ckt_text_free(&content);
  }
  ckt_text_append(&entry, "x");
  assert_int_equal(ckt_file_write(path, entry.data, entry.length, NULL), CKT_OK);
  assert_false(ckt_code_cache_has(cache, key));
  free(write_sample(cache, key)); /* the old entry is replaced */
  assert_true(ckt_code_cache_has(cache, key));
  ckt_text_free(&entry);
  free(path);
  ckt_code_cache_close(&cache);
}

/* An entry that lies under another key holds another kernel, however whole it is. */
static void test_wrong_place(void **state) {
  (void)state;
  struct ckt_code_cache *cache = open_cache();
  char key[CKT_HASH_TEXT];
  char *path = write_sample(cache, key);
  static const char other[] = "00000000000000000000000000000000";
  char *place = ckt_code_cache_path(cache, other, NULL);
  assert_int_equal(rename(path, place), 0);
  assert_false(ckt_code_cache_has(cache, other));
  assert_int_equal(rename(place, path), 0);
  assert_true(ckt_code_cache_has(cache, key));
  free(place);
  free(path);
  ckt_code_cache_close(&cache);
}

static void test_key_depends_on_every_part(void **state) {
  (void)state;
  static const char *const other_options[] = {"-O2", "-std=c++17", NULL};
  struct ckt_code_key parts[7];
  for (int i = 0; i < 7; i++)
    parts[i] = sample_key();
  parts[1].source = "Source";
  parts[2].headers_digest = "Digest";
  parts[3].options = other_options;
  parts[4].toolchain = "hiprtc 6.4, comgr 2.8";
  parts[5].target = "gfx90a:xnack-";
  parts[6].kernel = "ckt_conv2";
  char keys[7][CKT_HASH_TEXT];
  for (int i = 0; i < 7; i++) {
    ckt_code_cache_key(&parts[i], keys[i]);
    assert_int_equal(strlen(keys[i]), CKT_HASH_TEXT - 1);
    for (int j = 0; j < i; j++)
      assert_string_not_equal(keys[i], keys[j]);
  }
  char again[CKT_HASH_TEXT];
  ckt_code_cache_key(&parts[0], again);
  assert_string_equal(again, keys[0]);
}

static void test_folder_that_cannot_be(void **state) {
  (void)state;
  struct ckt_text path = {0};
  ckt_text_printf(&path, "%s/file", folder);
  assert_int_equal(ckt_file_write(ckt_text_string(&path), "x", 1, NULL), CKT_OK);
  ckt_text_append(&path, "/below");
  struct ckt_code_cache *cache = NULL;
  struct ckt_error error = {0};
  assert_int_equal(ckt_code_cache_open(ckt_text_string(&path), &cache, &error), CKT_E_CACHE);
  assert_null(cache);
  assert_non_null(strstr(error.text, "--cache-dir"));
  ckt_text_free(&path);
}

static void test_embedded_headers(void **state) {
  (void)state;
  struct ckt_headers embedded;
  struct ckt_headers read;
  struct ckt_error error = {0};
  assert_int_equal(ckt_headers_load(NULL, &embedded, &error), CKT_OK);
  assert_true(embedded.count > 0);
  assert_int_equal(ckt_headers_load(CKT_SOURCE_DIR "/kernels", &read, &error), CKT_OK);
  assert_int_equal(embedded.count, read.count);
  for (size_t i = 0; i < read.count; i++)
    assert_string_equal(embedded.names[i], read.names[i]);
  ckt_headers_free(&embedded);
  ckt_headers_free(&read);
}

static void write_header(const char *name, const char *content) {
  struct ckt_text path = {0};
  ckt_text_printf(&path, "%s/kernels/%s", folder, name);
  assert_int_equal(ckt_file_write(ckt_text_string(&path), content, strlen(content), NULL), CKT_OK);
  ckt_text_free(&path);
}

static void test_headers_of_a_folder(void **state) {
  (void)state;
  struct ckt_text path = {0};
  ckt_text_printf(&path, "%s/kernels", folder);
  struct ckt_headers headers;
  struct ckt_error error = {0};
  assert_int_equal(ckt_headers_load(ckt_text_string(&path), &headers, &error), CKT_E_INPUT);
  assert_non_null(strstr(error.text, folder));
  write_header("b.hpp", "bee");
  write_header("a.h", "ay");
  write_header("notes.txt", "not one");
  assert_int_equal(ckt_headers_load(ckt_text_string(&path), &headers, &error), CKT_OK);
  assert_int_equal(headers.count, 2);
  assert_string_equal(headers.names[0], "a.h");
  assert_string_equal(headers.texts[0], "ay");
  assert_string_equal(headers.names[1], "b.hpp");
  char before[CKT_HASH_TEXT];
  memcpy(before, headers.digest, sizeof before);
  ckt_headers_free(&headers);
  write_header("b.hpp", "bees");
  assert_int_equal(ckt_headers_load(ckt_text_string(&path), &headers, &error), CKT_OK);
  assert_string_not_equal(before, headers.digest);
  ckt_headers_free(&headers);
  ckt_text_free(&path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_round_trip, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_damage, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_wrong_place, make_folder, remove_folder),
      cmocka_unit_test(test_key_depends_on_every_part),
      cmocka_unit_test_setup_teardown(test_folder_that_cannot_be, make_folder, remove_folder),
      cmocka_unit_test(test_embedded_headers),
      cmocka_unit_test_setup_teardown(test_headers_of_a_folder, make_folder, remove_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
