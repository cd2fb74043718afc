#include "driver/table.h"

#include <stdio.h>
#include <stdlib.h>

#include "results/ranking.h"

#define ROWS_MAX     20 /* measured instances shown; JSON has all */
#define FAILURES_MAX 10 /* instances shown that should have run and did not */

static void add_problem(const struct ckt_problem *problem, struct ckt_text *text) {
  ckt_problem_describe(problem, text);
  ckt_text_printf(text, "\n%.4g GFLOP, least traffic %.4g MB\n", (double)ckt_problem_flops(problem) * 1e-9,
                  (double)ckt_problem_bytes(problem) * 1e-6);
}

static void add_device(const struct ckt_run_info *run, struct ckt_text *text) {
  ckt_text_printf(text, "%s (%s, %lld CUs), HIP %s, %s, %s cache%s\n\n", run->device_name, run->device_target,
                  (long long)run->compute_units, run->hip_version, run->rtc_version, run->cache_state,
                  run->simulated ? "; simulated: times are modelled, not measured" : "");
}

/* "-" where it is unknown. */
static void format_count(int64_t value, char text[24]) {
  if (value < 0)
    snprintf(text, 24, "-");
  else
    snprintf(text, 24, "%lld", (long long)value);
}

static void add_row(size_t rank, const struct ckt_record *record, struct ckt_text *text) {
  const struct ckt_measurement *m = &record->measurement;
  char vgprs[24], agprs[24], registers[52], lds[24], groups[24];
  format_count(m->vgprs, vgprs);
  format_count(m->agprs, agprs);
  format_count(m->lds_bytes, lds);
  format_count(m->workgroups_per_cu, groups);
  snprintf(registers, sizeof registers, "%s+%s", vgprs, agprs);
  ckt_text_printf(text, "%4zu %10.2f %9.2f %8.1f %7.3f %9s %6s %5s  %s\n", rank, m->time_ms * 1e3, m->tflops,
                  m->gbps, m->error_ratio, registers, lds, groups, record->name);
}

static void add_rows(const struct ckt_record *const *ranked, size_t count, struct ckt_text *text) {
  if (count == 0)
    return;
  ckt_text_printf(text, "%4s %10s %9s %8s %7s %9s %6s %5s  %s\n", "rank", "time us", "TFLOP/s", "GB/s",
                  "error", "VGPR+AGPR", "LDS", "wg/CU", "instance");
  for (size_t i = 0; i < count && i < ROWS_MAX; i++)
    add_row(i + 1, ranked[i], text);
  if (count > ROWS_MAX)
    ckt_text_printf(text, "     ... and %zu more (--format json has all)\n", count - ROWS_MAX);
  ckt_text_append(text, "\n");
}

/* Measured, but by another method than those that are ranked. */
static void add_unranked(const struct ckt_record *const *records, size_t ranked, size_t all,
                         struct ckt_text *text) {
  size_t other = 0;
  for (size_t i = ranked; i < all; i++)
    other += records[i]->measurement.status == CKT_MEASURED;
  if (other > 0)
    ckt_text_printf(text, "%zu more could be timed by another method only and are not ranked.\n", other);
}

static void add_verdict(const struct ckt_record *const *ranked, size_t count, struct ckt_text *text) {
  if (count == 0) {
    ckt_text_append(text, "No instance is right and could be timed.\n");
    return;
  }
  const struct ckt_measurement *best = &ranked[0]->measurement;
  ckt_text_printf(text, "Fastest: %s, %.2f us%s", ranked[0]->name, best->time_ms * 1e3,
                  best->simulated ? " (modelled)" : "");
  if (count > 1)
    ckt_text_printf(text, ", %.1f %% less than the second",
                    100 * (1 - best->time_ms / ranked[1]->measurement.time_ms));
  ckt_text_printf(text, ".\n  %s\n", ranked[0]->line);
}

static void add_failures(const struct ckt_record_list *records, struct ckt_text *text) {
  size_t shown = 0, all = 0;
  for (size_t i = 0; i < records->count; i++) {
    const struct ckt_measurement *m = &records->items[i].measurement;
    if (m->status == CKT_MEASURED || m->status == CKT_PRUNED || m->status == CKT_NOT_APPLICABLE)
      continue;
    if (all++ >= FAILURES_MAX)
      continue;
    ckt_text_printf(text, "%s %s: %s\n", ckt_status_word(m->status), records->items[i].name, m->reason);
    shown++;
  }
  if (all > shown)
    ckt_text_printf(text, "... and %zu more failed (--format json has all)\n", all - shown);
}

static void add_counts(const struct ckt_table *table, struct ckt_text *text) {
  size_t counts[CKT_STATUS_COUNT] = {0};
  for (size_t i = 0; i < table->records->count; i++)
    counts[table->records->items[i].measurement.status]++;
  ckt_text_printf(text, "%zu instances:", table->listed);
  const char *comma = "";
  for (int status = 0; status < CKT_STATUS_COUNT; status++)
    if (counts[status] > 0) {
      ckt_text_printf(text, "%s %zu %s", comma, counts[status],
                      ckt_status_word((enum ckt_pair_status)status));
      comma = ",";
    }
  if (table->listed > table->records->count)
    ckt_text_printf(text, "%s %zu not reached", comma, table->listed - table->records->count);
  if (table->resumed > 0)
    ckt_text_printf(text, " (%zu of them before this command)", table->resumed);
  ckt_text_append(text, ".\n");
}

int ckt_table_problem(const struct ckt_table *table, struct ckt_text *text, struct ckt_error *error) {
  const struct ckt_record **ranked = calloc(table->records->count + 1, sizeof(const struct ckt_record *));
  if (ranked == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  for (size_t i = 0; i < table->records->count; i++)
    ranked[i] = &table->records->items[i];
  const size_t count = ckt_rank(ranked, table->records->count);
  add_problem(table->problem, text);
  add_device(table->run, text);
  add_rows(ranked, count, text);
  add_verdict(ranked, count, text);
  add_unranked(ranked, count, table->records->count, text);
  add_failures(table->records, text);
  add_counts(table, text);
  free(ranked);
  return ckt_text_status(text, error);
}

void ckt_table_best(const struct ckt_record_list *bests, struct ckt_text *text) {
  ckt_text_printf(text, "%10s %9s %-8s %-20s %s\n", "time us", "TFLOP/s", "timer", "measured", "problem");
  for (size_t i = 0; i < bests->count; i++) {
    const struct ckt_record *record = &bests->items[i];
    ckt_text_printf(text, "%10.2f %9.2f %-8s %-20s %s\n%31s%s\n%31s%s, %s, %s cache\n",
                    record->measurement.time_ms * 1e3, record->measurement.tflops,
                    record->measurement.simulated ? "model" : "hipEvent", record->started,
                    record->problem_key, "", record->line, "", record->device_name, record->rtc_version,
                    record->cache_state);
  }
}
