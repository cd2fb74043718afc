/* Numbers without limit: two texts of digits, parted by the first byte that is none. What a number writes reads back
 * the same; a product divided by one factor is the other; quotients of what fits into a double are a double's. */
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "fuzz_target.h"
#include "gen/wide.h"

/* Takes a sign and digits off the front, and one byte behind them. */
static struct ckt_wide take(struct ckt_wide_pool *pool, const char **text) {
  const size_t sign = **text == '-';
  const size_t length = sign + strspn(*text + sign, "0123456789");
  const struct ckt_wide value = ckt_wide_read(pool, (struct ckt_span){*text, length});
  *text += length + ((*text)[length] != '\0');
  return value;
}

static void write_and_read(struct ckt_wide_pool *pool, struct ckt_wide value) {
  struct ckt_text text = {0};
  ckt_wide_append(pool, value, &text);
  FUZZ_REQUIRE(ckt_wide_compare(ckt_wide_read(pool, ckt_span_of(ckt_text_string(&text))), value) == 0);
  ckt_text_free(&text);
}

static void divide(struct ckt_wide_pool *pool, struct ckt_wide a, struct ckt_wide b) {
  struct ckt_wide quotient;
  const struct ckt_wide product = ckt_wide_multiply(pool, a, b);
  FUZZ_REQUIRE(ckt_wide_compare(ckt_wide_floor(pool, product, b), a) == 0);
  /* q <= a/b < q+1, as q*b and (q+1)*b lie around a */
  const struct ckt_wide floor = ckt_wide_floor(pool, a, b);
  const int sign = ckt_wide_compare(b, ckt_wide_of(0));
  FUZZ_REQUIRE(ckt_wide_compare(ckt_wide_multiply(pool, floor, b), a) * sign <= 0);
  /* A double's quotient, rounded to a whole number, is off by less than one part in 2^52. */
  if (ckt_wide_trunc(pool, a, b, &quotient) && a.limbs == NULL && b.limbs == NULL)
    FUZZ_REQUIRE(llabs(quotient.small - a.small / b.small) <= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 4096)
    return 0;
  char *string = fuzz_string(data, size);
  const char *rest = string;
  struct ckt_wide_pool pool = {0};
  const struct ckt_wide a = take(&pool, &rest), b = take(&pool, &rest);
  write_and_read(&pool, a);
  write_and_read(&pool, ckt_wide_multiply(&pool, a, b));
  if (!ckt_wide_equals(b, 0))
    divide(&pool, a, b);
  ckt_wide_pool_free(&pool);
  free(string);
  return 0;
}
