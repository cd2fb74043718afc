#include "gen/wide.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gen/instance_reader.h"

enum { BILLION = 1000000000 };

/* Sign and magnitude; the least significant limb first, the last one is not 0. */
struct ckt_wide_limbs {
  struct ckt_wide_limbs *next; /* in the pool */
  bool negative;
  size_t count;
  uint32_t limb[];
};

void ckt_wide_pool_free(struct ckt_wide_pool *pool) {
  while (pool->first != NULL) {
    struct ckt_wide_limbs *limbs = pool->first;
    pool->first = limbs->next;
    free(limbs);
  }
  pool->failed = false;
}

/* All 0. NULL when memory ran out. */
static struct ckt_wide_limbs *new_limbs(struct ckt_wide_pool *pool, size_t count) {
  struct ckt_wide_limbs *limbs = calloc(1, sizeof *limbs + count * sizeof(uint32_t));
  if (limbs == NULL) {
    pool->failed = true;
    return NULL;
  }
  limbs->next = pool->first;
  limbs->count = count;
  pool->first = limbs;
  return limbs;
}

/* A number as limbs, wherever it is kept. */
struct view {
  const uint32_t *limb;
  size_t count;
  bool negative;
  uint32_t of_small[2];
};

static void look_at(struct ckt_wide value, struct view *view) {
  if (value.limbs != NULL) {
    view->limb = value.limbs->limb;
    view->count = value.limbs->count;
    view->negative = value.limbs->negative;
    return;
  }
  const uint64_t magnitude = value.small < 0 ? -(uint64_t)value.small : (uint64_t)value.small;
  view->of_small[0] = (uint32_t)magnitude;
  view->of_small[1] = (uint32_t)(magnitude >> 32);
  view->limb = view->of_small;
  view->count = view->of_small[1] != 0 ? 2 : view->of_small[0] != 0 ? 1 : 0;
  view->negative = value.small < 0;
}

/* Drops leading zeros; small where it fits. */
static struct ckt_wide settle(struct ckt_wide_limbs *limbs) {
  if (limbs == NULL)
    return ckt_wide_of(0);
  while (limbs->count > 0 && limbs->limb[limbs->count - 1] == 0)
    limbs->count--;
  if (limbs->count > 2)
    return (struct ckt_wide){0, limbs};
  const uint64_t high = limbs->count > 1 ? limbs->limb[1] : 0, low = limbs->count > 0 ? limbs->limb[0] : 0;
  const uint64_t magnitude = high << 32 | low;
  if (magnitude > (uint64_t)CKT_WIDE_SMALL)
    return (struct ckt_wide){0, limbs};
  return ckt_wide_of(limbs->negative ? -(int64_t)magnitude : (int64_t)magnitude);
}

/* limbs = limbs * factor + addend, in the room it has. */
static void multiply_add(struct ckt_wide_limbs *limbs, uint32_t factor, uint32_t addend) {
  uint64_t carry = addend;
  for (size_t i = 0; i < limbs->count; i++) {
    carry += (uint64_t)limbs->limb[i] * factor;
    limbs->limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry != 0)
    limbs->limb[limbs->count++] = (uint32_t)carry;
}

struct ckt_wide ckt_wide_read(struct ckt_wide_pool *pool, struct ckt_span text) {
  /* A limb holds more than nine digits, and no digit takes less than a byte. */
  struct ckt_wide_limbs *limbs = new_limbs(pool, text.length / 9 + 2);
  if (limbs == NULL)
    return ckt_wide_of(0);
  limbs->count = 0;
  unsigned point = 0;
  uint32_t some = 0, factor = 1; /* up to nine digits at once */
  for (size_t at = 0, size; at < text.length; at += size) {
    size = ckt_utf8_decode(text.text + at, text.length - at, &point);
    const int digit = size > 0 ? ckt_instance_digit(point) : -1;
    if (size == 0)
      break;
    limbs->negative |= point == '-';
    if (digit < 0)
      continue;
    some = some * 10 + (uint32_t)digit;
    factor *= 10;
    if (factor == BILLION) {
      multiply_add(limbs, factor, some);
      some = 0;
      factor = 1;
    }
  }
  multiply_add(limbs, factor, some);
  return settle(limbs);
}

struct ckt_wide ckt_wide_multiply(struct ckt_wide_pool *pool, struct ckt_wide a, struct ckt_wide b) {
  int64_t product;
  if (a.limbs == NULL && b.limbs == NULL && !__builtin_mul_overflow(a.small, b.small, &product) &&
      product >= -CKT_WIDE_SMALL && product <= CKT_WIDE_SMALL)
    return ckt_wide_of(product);
  struct view left, right;
  look_at(a, &left);
  look_at(b, &right);
  struct ckt_wide_limbs *result = new_limbs(pool, left.count + right.count);
  if (result == NULL)
    return ckt_wide_of(0);
  result->negative = left.negative != right.negative;
  for (size_t i = 0; i < left.count; i++) {
    uint64_t carry = 0;
    for (size_t j = 0; j < right.count; j++) {
      carry += (uint64_t)left.limb[i] * right.limb[j] + result->limb[i + j];
      result->limb[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
    result->limb[i + right.count] = (uint32_t)carry;
  }
  return settle(result);
}

/* --- division --- */

static unsigned bits_of(uint32_t limb) {
  return limb == 0 ? 0 : 32 - (unsigned)__builtin_clz(limb);
}

static size_t bits(const struct view *view) {
  return view->count == 0 ? 0 : (view->count - 1) * 32 + bits_of(view->limb[view->count - 1]);
}

/* The magnitude times 2^shift, with a limb of 0 above it. */
static struct ckt_wide_limbs *shifted(struct ckt_wide_pool *pool, const struct view *view, size_t shift) {
  const size_t whole = shift / 32;
  const unsigned part = (unsigned)(shift % 32);
  struct ckt_wide_limbs *result = new_limbs(pool, view->count + whole + 2);
  if (result == NULL)
    return NULL;
  for (size_t i = 0; i < view->count; i++) {
    const uint64_t moved = (uint64_t)view->limb[i] << part;
    result->limb[i + whole] |= (uint32_t)moved;
    result->limb[i + whole + 1] = (uint32_t)(moved >> 32);
  }
  return result;
}

/* rest[0..count] -= factor * divisor[0..count), and one divisor back when that was too much. Returns the factor
 * that was right. */
static uint32_t subtract(uint32_t *rest, const uint32_t *divisor, size_t count, uint32_t factor) {
  uint64_t borrow = 0, carry = 0;
  for (size_t i = 0; i < count; i++) {
    borrow += (uint64_t)divisor[i] * factor;
    const uint64_t taken = (uint64_t)rest[i] - (uint32_t)borrow;
    rest[i] = (uint32_t)taken;
    borrow = (borrow >> 32) + (taken >> 63);
  }
  const uint64_t top = (uint64_t)rest[count] - borrow;
  rest[count] = (uint32_t)top;
  if (top >> 63 == 0)
    return factor;
  for (size_t i = 0; i < count; i++) {
    carry += (uint64_t)rest[i] + divisor[i];
    rest[i] = (uint32_t)carry;
    carry >>= 32;
  }
  rest[count] += (uint32_t)carry;
  return factor - 1;
}

/* Schoolbook division of magnitudes with an estimate of each digit from the highest limbs (Knuth, The Art of
 * Computer Programming, volume 2, 4.3.1, algorithm D). *exact tells whether nothing remains. */
static struct ckt_wide divide(struct ckt_wide_pool *pool, const struct view *a, const struct view *b,
                              bool *exact) {
  const size_t n = b->count;
  const unsigned shift = 32 - bits_of(b->limb[n - 1]);
  struct ckt_wide_limbs *rest = shifted(pool, a, shift), *divisor = shifted(pool, b, shift);
  struct ckt_wide_limbs *quotient = new_limbs(pool, a->count + 1);
  *exact = true;
  if (rest == NULL || divisor == NULL || quotient == NULL)
    return ckt_wide_of(0);
  for (size_t j = a->count >= n ? a->count - n + 1 : 0; j-- > 0;) {
    const uint64_t top = (uint64_t)rest->limb[j + n] << 32 | rest->limb[j + n - 1];
    uint64_t guess = top / divisor->limb[n - 1], left = top % divisor->limb[n - 1];
    while (guess >> 32 != 0 ||
           (n > 1 && guess * divisor->limb[n - 2] > (left << 32 | rest->limb[j + n - 2]))) {
      guess--;
      left += divisor->limb[n - 1];
      if (left >> 32 != 0)
        break;
    }
    quotient->limb[j] = subtract(rest->limb + j, divisor->limb, n, (uint32_t)guess);
  }
  for (size_t i = 0; i < rest->count; i++)
    *exact &= rest->limb[i] == 0;
  return settle(quotient);
}

struct ckt_wide ckt_wide_floor(struct ckt_wide_pool *pool, struct ckt_wide a, struct ckt_wide b) {
  struct view left, right;
  look_at(a, &left);
  look_at(b, &right);
  bool exact;
  struct ckt_wide quotient = divide(pool, &left, &right, &exact);
  if (left.negative == right.negative)
    return quotient;
  if (quotient.limbs == NULL && quotient.small < CKT_WIDE_SMALL)
    return ckt_wide_of(-quotient.small - (exact ? 0 : 1));
  struct view magnitude;
  look_at(quotient, &magnitude);
  struct ckt_wide_limbs *result = shifted(pool, &magnitude, 0);
  if (result == NULL)
    return ckt_wide_of(0);
  result->negative = true;
  for (size_t i = 0; !exact && i < result->count && ++result->limb[i] == 0; i++)
    ;
  return settle(result);
}

/* A magnitude of at most 56 bits, rounded to 53 bits, ties to even; `more` when it is a little larger than it
 * looks. *dropped: the bits taken off. */
static uint64_t round_to_double(uint64_t value, bool more, unsigned *dropped) {
  unsigned length = 64 - (unsigned)__builtin_clzll(value);
  *dropped = length > 53 ? length - 53 : 0;
  const uint64_t half = *dropped > 0 ? (uint64_t)1 << (*dropped - 1) : 0;
  const uint64_t below = value & ((half << 1) - (half > 0));
  uint64_t kept = value >> *dropped;
  if (half > 0 && (below > half || (below == half && (more || kept % 2 == 1))))
    kept++;
  return kept;
}

/* A number as a double has it: kept * 2^exponent, where kept has at most 53 bits. */
struct rounded {
  uint64_t kept;
  int64_t exponent;
};

/* The quotient of two magnitudes that are not 0. */
static struct rounded divide_rounded(struct ckt_wide_pool *pool, const struct view *a, const struct view *b) {
  struct rounded result = {0};
  /* Scaled so that the quotient has 55 or 56 bits: two at least are left to round by. */
  const int64_t scale = (int64_t)bits(a) - (int64_t)bits(b) - 55;
  struct view scaled;
  look_at(settle(scale < 0 ? shifted(pool, a, (size_t)-scale) : shifted(pool, b, (size_t)scale)), &scaled);
  if (pool->failed)
    return result;
  bool exact;
  struct view digits;
  look_at(scale < 0 ? divide(pool, &scaled, b, &exact) : divide(pool, a, &scaled, &exact), &digits);
  if (pool->failed)
    return result;
  unsigned dropped;
  result.kept = round_to_double((uint64_t)digits.limb[1] << 32 | digits.limb[0], !exact, &dropped);
  result.exponent = scale + (int64_t)dropped;
  return result;
}

/* Without its fraction. */
static struct ckt_wide whole_part(struct ckt_wide_pool *pool, struct rounded value, bool negative) {
  struct view view;
  if (value.exponent <= 0) {
    const int64_t whole = value.exponent > -64 ? (int64_t)(value.kept >> -value.exponent) : 0;
    return ckt_wide_of(negative ? -whole : whole);
  }
  look_at(ckt_wide_of((int64_t)value.kept), &view);
  struct ckt_wide_limbs *limbs = shifted(pool, &view, (size_t)value.exponent);
  if (limbs != NULL)
    limbs->negative = negative;
  return settle(limbs);
}

bool ckt_wide_trunc(struct ckt_wide_pool *pool, struct ckt_wide a, struct ckt_wide b,
                    struct ckt_wide *quotient) {
  *quotient = ckt_wide_of(0);
  if (a.limbs == NULL && b.limbs == NULL) {
    *quotient = ckt_wide_of((int64_t)((double)a.small / (double)b.small));
    return true;
  }
  struct view left, right;
  look_at(a, &left);
  look_at(b, &right);
  if (left.count == 0 || bits(&right) > bits(&left) + 2)
    return true;
  const struct rounded value = divide_rounded(pool, &left, &right);
  if (pool->failed)
    return true;
  if (value.exponent + 64 - __builtin_clzll(value.kept) > 1024)
    return false;
  *quotient = whole_part(pool, value, left.negative != right.negative);
  return true;
}

/* --- the rest --- */

int ckt_wide_compare(struct ckt_wide a, struct ckt_wide b) {
  if (a.limbs == NULL && b.limbs == NULL)
    return (a.small > b.small) - (a.small < b.small);
  struct view left, right;
  look_at(a, &left);
  look_at(b, &right);
  if (left.negative != right.negative)
    return left.negative ? -1 : 1;
  const int sign = left.negative ? -1 : 1;
  if (left.count != right.count)
    return left.count > right.count ? sign : -sign;
  for (size_t i = left.count; i-- > 0;)
    if (left.limb[i] != right.limb[i])
      return left.limb[i] > right.limb[i] ? sign : -sign;
  return 0;
}

bool ckt_wide_is_odd(struct ckt_wide a) {
  return a.limbs != NULL ? (a.limbs->limb[0] & 1) != 0 : a.small % 2 != 0;
}

void ckt_wide_append(struct ckt_wide_pool *pool, struct ckt_wide a, struct ckt_text *text) {
  if (a.limbs == NULL) {
    ckt_text_printf(text, "%" PRId64, a.small);
    return;
  }
  struct view view;
  look_at(a, &view);
  struct ckt_wide_limbs *rest = shifted(pool, &view, 0);
  struct ckt_wide_limbs *digits = new_limbs(pool, view.count * 32 / 29 + 1); /* nine digits in each */
  if (rest == NULL || digits == NULL)
    return;
  size_t count = 0;
  for (size_t top = view.count; top > 0;) {
    uint64_t left = 0;
    for (size_t i = top; i-- > 0;) {
      left = left << 32 | rest->limb[i];
      rest->limb[i] = (uint32_t)(left / BILLION);
      left %= BILLION;
    }
    digits->limb[count++] = (uint32_t)left;
    while (top > 0 && rest->limb[top - 1] == 0)
      top--;
  }
  ckt_text_printf(text, "%s%" PRIu32, view.negative ? "-" : "", digits->limb[count - 1]);
  while (--count > 0)
    ckt_text_printf(text, "%09" PRIu32, digits->limb[count - 1]);
}
