/* Results as a table for a person. */
#ifndef CKT_DRIVER_TABLE_H
#define CKT_DRIVER_TABLE_H

#include "common/text.h"
#include "gen/problem.h"
#include "results/store.h"

/* What a table of one problem in one run is made from. */
struct ckt_table {
  const struct ckt_problem *problem;
  const struct ckt_run_info *run;
  const struct ckt_record_list *records; /* of this problem and run, in any order */
  size_t listed, resumed;
};

/* Appends problem, device, ranked rows, verdict and counts. */
int ckt_table_problem(const struct ckt_table *table, struct ckt_text *text, struct ckt_error *error);

/* Appends one row for each best. */
void ckt_table_best(const struct ckt_record_list *bests, struct ckt_text *text);

#endif
