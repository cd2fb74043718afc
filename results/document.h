/* The run's JSON document (README, "JSON"): printed by --format json, posted by --upload. */
#ifndef CKT_RESULTS_DOCUMENT_H
#define CKT_RESULTS_DOCUMENT_H

#include "common/text.h"
#include "results/store.h"

/* What the store does not know of a problem in a run: how many instances were listed, how many pairs were
 * there from an earlier, interrupted process. In the order in which problems are to be shown. */
struct ckt_document_problem {
  struct ckt_problem problem;
  int64_t listed;
  int64_t resumed;
};

/* Appends the document of a run, built from what the store has. problems NULL: the run's problems in order of
 * recording (listed = number of records). In an unfinished run (budget spent) pairs without a record count as
 * not_reached, so that listed is the sum of the statuses and of these. indent: for people. */
int ckt_document_build(struct ckt_store *store, int64_t run, const struct ckt_document_problem *problems,
                       size_t count, bool indent, struct ckt_text *json, struct ckt_error *error);

#endif
