/* Whole numbers without limit, as Python has them: Composable Kernel's generator reads its lists with int() and
 * computes with what it gets. Internal to gen.
 *
 * Almost every number is small and costs no memory; a large one takes it from a pool that is freed at once. Memory
 * that runs out is remembered there and makes values 0. */
#ifndef CKT_GEN_WIDE_H
#define CKT_GEN_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/text.h"
#include "gen/span.h"

struct ckt_wide_limbs;

struct ckt_wide {
  int64_t small; /* between -CKT_WIDE_SMALL and CKT_WIDE_SMALL; counts when limbs is NULL */
  const struct ckt_wide_limbs *limbs;
};

/* Up to here a double holds every whole number. */
#define CKT_WIDE_SMALL ((int64_t)1 << 53)

struct ckt_wide_pool {
  struct ckt_wide_limbs *first; /* owned; all numbers of the pool */
  bool failed;
};

void ckt_wide_pool_free(struct ckt_wide_pool *pool);

/* value lies between -CKT_WIDE_SMALL and CKT_WIDE_SMALL. */
static inline struct ckt_wide ckt_wide_of(int64_t value) {
  return (struct ckt_wide){value, NULL};
}
/* Of a text that ckt_instance_read_whole took for a number, or found too large. */
struct ckt_wide ckt_wide_read(struct ckt_wide_pool *pool, struct ckt_span text);
struct ckt_wide ckt_wide_multiply(struct ckt_wide_pool *pool, struct ckt_wide a, struct ckt_wide b);
/* a // b: rounded down; b is not 0. */
struct ckt_wide ckt_wide_floor(struct ckt_wide_pool *pool, struct ckt_wide a, struct ckt_wide b);
/* int(a / b): the quotient as a double, correctly rounded, and then without its fraction; b is not 0. False when
 * no double is that large. */
bool ckt_wide_trunc(struct ckt_wide_pool *pool, struct ckt_wide a, struct ckt_wide b,
                    struct ckt_wide *quotient);
/* Below 0, 0 or above 0, as a is less than, equal to or greater than b. */
int ckt_wide_compare(struct ckt_wide a, struct ckt_wide b);
bool ckt_wide_is_odd(struct ckt_wide a);
/* Appends it in decimal. */
void ckt_wide_append(struct ckt_wide_pool *pool, struct ckt_wide a, struct ckt_text *text);

static inline bool ckt_wide_equals(struct ckt_wide a, int64_t value) {
  return a.limbs == NULL && a.small == value;
}
static inline struct ckt_wide ckt_wide_least(struct ckt_wide a, struct ckt_wide b) {
  return ckt_wide_compare(b, a) < 0 ? b : a;
}
static inline struct ckt_wide ckt_wide_most(struct ckt_wide a, struct ckt_wide b) {
  return ckt_wide_compare(b, a) > 0 ? b : a;
}

#endif
