/* Hashes: XXH3's published value for the empty input, parts that do not run together, digests on the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/hash.h"

static void digest_of(const char *const *parts, size_t count, char digest[CKT_HASH_TEXT]) {
  struct ckt_hash *hash = ckt_hash_create();
  assert_non_null(hash);
  for (size_t i = 0; i < count; i++)
    ckt_hash_string(hash, parts[i]);
  ckt_hash_digest(hash, digest);
  ckt_hash_free(hash);
}

/* XXH3_128bits of nothing, seed 0, as printed by `xxhsum -H2 /dev/null`. */
static void is_xxh3_128(void **state) {
  (void)state;
  char digest[CKT_HASH_TEXT];
  digest_of(NULL, 0, digest);
  assert_string_equal(digest, "99aa06d3014798d86001c324468d497f");
}

static void parts_do_not_run_together(void **state) {
  (void)state;
  char digests[5][CKT_HASH_TEXT];
  digest_of((const char *const[]){"ab", "c"}, 2, digests[0]);
  digest_of((const char *const[]){"a", "bc"}, 2, digests[1]);
  digest_of((const char *const[]){"abc"}, 1, digests[2]);
  digest_of((const char *const[]){"abc", ""}, 2, digests[3]);
  digest_of((const char *const[]){"", "abc"}, 2, digests[4]);
  for (int i = 0; i < 5; i++)
    for (int j = i + 1; j < 5; j++)
      assert_string_not_equal(digests[i], digests[j]);
  char again[CKT_HASH_TEXT];
  digest_of((const char *const[]){"ab", "c"}, 2, again);
  assert_string_equal(again, digests[0]);
}

static void a_digest_does_not_end_the_hash(void **state) {
  (void)state;
  struct ckt_hash *hash = ckt_hash_create();
  char first[CKT_HASH_TEXT];
  char second[CKT_HASH_TEXT];
  ckt_hash_string(hash, "a");
  ckt_hash_digest(hash, first);
  ckt_hash_digest(hash, second);
  assert_string_equal(first, second);
  ckt_hash_string(hash, "b");
  ckt_hash_digest(hash, second);
  ckt_hash_free(hash);
  digest_of((const char *const[]){"a", "b"}, 2, first);
  assert_string_equal(first, second);
}

static void accepts_null(void **state) {
  (void)state;
  char digest[CKT_HASH_TEXT] = "x";
  ckt_hash_string(NULL, "a");
  ckt_hash_part(NULL, "a", 1);
  ckt_hash_digest(NULL, digest);
  assert_string_equal(digest, "");
  ckt_hash_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_xxh3_128),
      cmocka_unit_test(parts_do_not_run_together),
      cmocka_unit_test(a_digest_does_not_end_the_hash),
      cmocka_unit_test(accepts_null),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
