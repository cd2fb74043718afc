#include "results/ranking.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool has_time(const struct ckt_record *record) {
  return record->measurement.status == CKT_MEASURED && record->measurement.time_ms > 0;
}

/* Places in the order: methods first, what has no time last. */
static int class_of(const struct ckt_record *record) {
  return has_time(record) ? (int)record->measurement.method : CKT_METHOD_COUNT;
}

static int compare(const void *left, const void *right) {
  const struct ckt_record *a = *(const struct ckt_record *const *)left;
  const struct ckt_record *b = *(const struct ckt_record *const *)right;
  const int class_a = class_of(a), class_b = class_of(b);
  if (class_a != class_b)
    return class_a - class_b;
  if (has_time(a) && a->measurement.time_ms != b->measurement.time_ms)
    return a->measurement.time_ms < b->measurement.time_ms ? -1 : 1;
  const int by_id = has_time(a) ? 0 : (a->id > b->id) - (a->id < b->id);
  return by_id != 0 ? by_id : strcmp(a->instance_key, b->instance_key);
}

size_t ckt_rank(const struct ckt_record **records, size_t count) {
  if (count > 1)
    qsort(records, count, sizeof(const struct ckt_record *), compare);
  size_t ranked = 0;
  while (ranked < count && has_time(records[ranked]) && class_of(records[ranked]) == class_of(records[0]))
    ranked++;
  return ranked;
}
