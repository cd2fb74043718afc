/* Which records of a problem are compared, and in what order: one rule for the table, the document and the
 * store's best (CKT_SQL_BEST). */
#ifndef CKT_RESULTS_RANKING_H
#define CKT_RESULTS_RANKING_H

#include <stddef.h>

#include "results/store.h"

/* Sorts the records of one problem and gives how many of them are ranked. These come first, the fastest in
 * front, equal times by the instance's key; the others follow by id. Ranked is what was measured by one method,
 * the first in the order of CKT_METHODS that any of the records has: times of different methods contain
 * different things. */
size_t ckt_rank(const struct ckt_record **records, size_t count);

#endif
