/* The upload queue, as it is written. */
#include <stdlib.h>

#include "results/store_sql.h"
#include "results/upload.h"

int ckt_store_queue_upload(struct ckt_store *store, int64_t run, const char *url, const char *reason,
                           struct ckt_error *error) {
  char *clean = ckt_upload_public_url(url, error);
  if (clean == NULL)
    return CKT_E_NOMEM;
  char now[CKT_TIME_MAX];
  ckt_time_now(now);
  struct ckt_sql sql = ckt_sql_start(store, CKT_SQL_QUEUE_UPLOAD);
  ckt_sql_i64(&sql, run);
  ckt_sql_text(&sql, clean);
  ckt_sql_text(&sql, reason);
  ckt_sql_text(&sql, now);
  const int status = ckt_sql_run(&sql, error);
  free(clean);
  return status;
}

int ckt_store_upload_done(struct ckt_store *store, int64_t run, const char *url, struct ckt_error *error) {
  char *clean = ckt_upload_public_url(url, error);
  if (clean == NULL)
    return CKT_E_NOMEM;
  char now[CKT_TIME_MAX];
  ckt_time_now(now);
  struct ckt_sql sql = ckt_sql_start(store, CKT_SQL_UPLOAD_DONE);
  ckt_sql_text(&sql, now);
  ckt_sql_i64(&sql, run);
  ckt_sql_text(&sql, clean);
  const int status = ckt_sql_run(&sql, error);
  free(clean);
  return status;
}
