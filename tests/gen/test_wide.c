/* Numbers without limit, against values computed with Python's integers and doubles: reading and writing, products,
 * quotients rounded down, and quotients of doubles without their fraction, which round to 53 bits first. */
#include "gen/wide.h"
#include "gen_test.h"

static struct ckt_wide wide(struct ckt_wide_pool *pool, const char *digits) {
  return ckt_wide_read(pool, ckt_span_of(digits));
}

static void assert_digits(struct ckt_wide_pool *pool, struct ckt_wide value, const char *digits) {
  struct ckt_text text = {0};
  ckt_wide_append(pool, value, &text);
  assert_string_equal(ckt_text_string(&text), digits);
  ckt_text_free(&text);
}

static void numbers_read_and_write_themselves(void **state) {
  (void)state;
  static const struct {
    const char *text, *digits;
  } cases[] = {
      {"0", "0"},
      {"-0", "0"},
      {"+007", "7"},
      {"1_000_000_000", "1000000000"},
      {"9007199254740992", "9007199254740992"},
      {"9007199254740993", "9007199254740993"},
      {"-18446744073709551616", "-18446744073709551616"},
      {"4294967296000000000000000000", "4294967296000000000000000000"},
      {"100000000000000000000000000000000000000000000000001",
       "100000000000000000000000000000000000000000000000001"},
      {"\xd9\xa1\xd9\xa2\xd9\xa3" /* Arabic-Indic digits */ "000000000000000000000",
       "123000000000000000000000"},
  };
  struct ckt_wide_pool pool = {0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_digits(&pool, wide(&pool, cases[i].text), cases[i].digits);
  ckt_wide_pool_free(&pool);
}

static void products_are_exact(void **state) {
  (void)state;
  static const struct {
    const char *a, *b, *product;
  } cases[] = {
      {"10000000000000000000000007", "9999999999999999999", "99999999999999999990000069999999999999999993"},
      {"-9007199254740992", "2", "-18014398509481984"},
      {"4294967296", "4294967296", "18446744073709551616"},
      {"99999999999999999999", "0", "0"},
      {"-3", "-5", "15"},
  };
  struct ckt_wide_pool pool = {0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_digits(&pool, ckt_wide_multiply(&pool, wide(&pool, cases[i].a), wide(&pool, cases[i].b)),
                  cases[i].product);
  ckt_wide_pool_free(&pool);
}

static void quotients_round_down(void **state) {
  (void)state;
  static const struct {
    const char *a, *b, *quotient;
  } cases[] = {
      {"7", "2", "3"},
      {"-7", "2", "-4"},
      {"7", "-2", "-4"},
      {"-7", "-2", "3"},
      {"-8", "2", "-4"},
      {"10000000000000000000000000000000000000000", "7", "1428571428571428571428571428571428571428"},
      {"-10000000000000000000000000000000000000000", "7", "-1428571428571428571428571428571428571429"},
      {"10000000000000000000000000000000000000006", "-7", "-1428571428571428571428571428571428571430"},
      {"5", "1000000000000000000000000000000", "0"},
      {"-5", "1000000000000000000000000000000", "-1"},
      {"79228162514264337593543950335", "4294967295", "18446744078004518913"},
      {"340282366920938463463374607431768211456", "18446744073709551615", "18446744073709551617"},
      {"-9007199254740992", "-1", "9007199254740992"},
      {"-18446744073709551616", "1", "-18446744073709551616"},
      {"1461501637330902918124456670202018682062388592640", "79228162514264337593543950335",
       "18446744073709551615"},
  };
  struct ckt_wide_pool pool = {0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_digits(&pool, ckt_wide_floor(&pool, wide(&pool, cases[i].a), wide(&pool, cases[i].b)),
                  cases[i].quotient);
  ckt_wide_pool_free(&pool);
}

/* 2^1024 - 2^970 is halfway between the largest double and the first that is none; one less still rounds down. */
#define HALFWAY(last)                                                                                        \
  "17976931348623158079372897140530341507993413271003782693617377898044496829276475094664901797758720709633" \
  "028"                                                                                                      \
  "64166928879109465555478519404026306574886715058206819089020007083836762738548458177115317644757302700698" \
  "555"                                                                                                      \
  "71366959622842914819860834936475292719074168444365510704342711559699508093042880177904174497" last

static void quotients_of_doubles_round_to_53_bits(void **state) {
  (void)state;
  static const struct {
    const char *a, *b, *quotient; /* NULL: too large for a double */
  } cases[] = {
      {"7", "2", "3"},
      {"-7", "2", "-3"},
      {"0", "1000000000000000000000000000000", "0"},
      {"9007199254740993", "1", "9007199254740992"},
      {"9007199254740995", "1", "9007199254740996"},
      {"9999999999999999999999999999999999999999", "10000000000000000000000000000000000000000", "1"},
      {"10000000000000000000000000000000000000000", "3", "3333333333333333031620069604124830728192"},
      {"-10000000000000000000000000000000000000000", "3", "-3333333333333333031620069604124830728192"},
      {"10000000000000000000000000000000000000000", "1000000000000000000000000000000000000001", "10"},
      {"1", "1000000000000000000000000000000000000000000000000000000000000", "0"},
      {"1000000000000000000000000000000", "-64", "-15625000000000000310697263104"},
      {"123456789012345678901234567890", "63209876550320987654976", "1953124"},
      {HALFWAY("792"), "1", NULL},
      {HALFWAY("791"), "1",
       "17976931348623157081452742373170435679807056752584499659891747680315726078002853876058955863276687817"
       "154045"
       "89535143824642343213268894641827684675467035375169860499105765512820762454900903893289440758685084551"
       "339423"
       "04583236903222948165808559332123348274797826204144723168738177180919299881250404026184124858368"},
  };
  struct ckt_wide_pool pool = {0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ckt_wide quotient;
    const bool fits = ckt_wide_trunc(&pool, wide(&pool, cases[i].a), wide(&pool, cases[i].b), &quotient);
    assert_int_equal(fits, cases[i].quotient != NULL);
    if (fits)
      assert_digits(&pool, quotient, cases[i].quotient);
  }
  ckt_wide_pool_free(&pool);
}

static void numbers_compare(void **state) {
  (void)state;
  static const char *const ascending[] = {"-100000000000000000000000000000000000000001",
                                          "-100000000000000000000000000000000000000000",
                                          "-2",
                                          "0",
                                          "1",
                                          "9007199254740993",
                                          "18446744073709551616",
                                          "18446744073709551617",
                                          "100000000000000000000000000000000000000000"};
  struct ckt_wide_pool pool = {0};
  enum { NUMBERS = sizeof ascending / sizeof *ascending };
  for (int i = 0; i < NUMBERS; i++)
    for (int j = 0; j < NUMBERS; j++) {
      const struct ckt_wide a = wide(&pool, ascending[i]), b = wide(&pool, ascending[j]);
      const int order = ckt_wide_compare(a, b);
      assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
      assert_int_equal(ckt_wide_compare(ckt_wide_least(a, b), ckt_wide_most(a, b)) <= 0, true);
    }
  assert_true(ckt_wide_is_odd(wide(&pool, "18446744073709551617")));
  assert_true(ckt_wide_is_odd(wide(&pool, "-3")));
  assert_false(ckt_wide_is_odd(wide(&pool, "18446744073709551616")));
  ckt_wide_pool_free(&pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_read_and_write_themselves),
      cmocka_unit_test(products_are_exact),
      cmocka_unit_test(quotients_round_down),
      cmocka_unit_test(quotients_of_doubles_round_to_53_bits),
      cmocka_unit_test(numbers_compare),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
