/* One element of a set of whole numbers: a number or a range. Internal to gen.
 *
 *   64            one number
 *   1..4          1, 2, 3, 4
 *   32..128+32    32, 64, 96, 128
 *   32..256*2     32, 64, 128, 256 */
#ifndef CKT_GEN_RANGE_H
#define CKT_GEN_RANGE_H

#include "common/error.h"
#include "gen/span.h"
#include <stdint.h>

struct ckt_range {
  int64_t first, last, step; /* first <= last; a step to add is at least 1, a factor at least 2 */
  bool times;                /* step is a factor; first is then at least 1 */
};

/* Reads all of `text`, white space around numbers allowed. On failure *fault is the part that is wrong, and the
 * error says what was read and what was expected. */
int ckt_range_parse(struct ckt_span text, struct ckt_range *range, struct ckt_span *fault,
                    struct ckt_error *error);
/* The member that follows *value, which is one; false behind the last. */
bool ckt_range_next(const struct ckt_range *range, int64_t *value);
bool ckt_range_contains(const struct ckt_range *range, int64_t value);

#endif
