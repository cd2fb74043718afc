/* The text buffer: growth, the stated limit, failure that is remembered, handing over, a zeroed struct. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/text.h"

static void appends(void **state) {
  (void)state;
  struct ckt_text text;
  ckt_text_init(&text, 0);
  assert_string_equal(ckt_text_string(&text), "");
  ckt_text_append(&text, "a");
  ckt_text_append_bytes(&text, "b\0c", 3);
  ckt_text_printf(&text, "%d%s", 12, "");
  assert_int_equal(text.length, 6);
  assert_memory_equal(text.data, "ab\0c12", 7);
  ckt_text_append_bytes(&text, NULL, 0);
  assert_int_equal(ckt_text_status(&text, NULL), CKT_OK);
  ckt_text_free(&text);
  assert_string_equal(ckt_text_string(&text), "");
}

static void grows(void **state) {
  (void)state;
  struct ckt_text text = {0};
  for (int i = 0; i < 20000; i++)
    ckt_text_printf(&text, "%04d,", i % 10000);
  assert_int_equal(text.length, 100000);
  assert_int_equal(strlen(text.data), 100000);
  assert_int_equal(strncmp(text.data + 99995, "9999,", 5), 0);
  ckt_text_free(&text);
}

static void keeps_its_limit(void **state) {
  (void)state;
  struct ckt_text text;
  ckt_text_init(&text, 5);
  ckt_text_append(&text, "12345");
  assert_int_equal(ckt_text_status(&text, NULL), CKT_OK);
  ckt_text_append(&text, "6");
  struct ckt_error error = {0};
  assert_int_equal(ckt_text_status(&text, &error), CKT_E_NOMEM);
  assert_string_equal(ckt_text_string(&text), "12345"); /* nothing half appended */
  ckt_text_clear(&text);
  ckt_text_printf(&text, "%s", "123456");
  assert_true(text.failed);
  ckt_text_append(&text, "1"); /* would fit, but a part would be missing */
  assert_true(text.failed);
  assert_null(ckt_text_take(&text, &error));
  ckt_text_append(&text, "fine"); /* empty and usable again, with its limit */
  assert_string_equal(ckt_text_string(&text), "fine");
  ckt_text_append(&text, "12");
  assert_true(text.failed);
  ckt_text_free(&text);
}

static void hands_its_content_over(void **state) {
  (void)state;
  struct ckt_text text = {0};
  char *empty = ckt_text_take(&text, NULL);
  assert_string_equal(empty, "");
  free(empty);
  ckt_text_append(&text, "content");
  char *content = ckt_text_take(&text, NULL);
  assert_string_equal(content, "content");
  assert_int_equal(text.length, 0);
  free(content);
  ckt_text_append(&text, "new");
  assert_string_equal(ckt_text_string(&text), "new");
  ckt_text_free(&text);
}

static void clears(void **state) {
  (void)state;
  struct ckt_text text = {0};
  ckt_text_clear(&text);
  ckt_text_append(&text, "old");
  const size_t capacity = text.capacity;
  ckt_text_clear(&text);
  assert_string_equal(ckt_text_string(&text), "");
  assert_int_equal(text.capacity, capacity);
  ckt_text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(appends),         cmocka_unit_test(grows),
      cmocka_unit_test(keeps_its_limit), cmocka_unit_test(hands_its_content_over),
      cmocka_unit_test(clears),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
