/* A run's document on its way to a dashboard. */
#ifndef CKT_DRIVER_POST_H
#define CKT_DRIVER_POST_H

#include "driver/options.h"
#include "results/document.h"
#include "results/store.h"

/* The token: --token-file's first line, else $CKTUNE_UPLOAD_TOKEN, else "". To be freed. */
char *ckt_post_token(const struct ckt_options *options, struct ckt_error *error);

/* CKT_E_USAGE when the URL is not one that can be posted to. Before any work, so that a typing error is told
 * at once. */
int ckt_post_check(const char *url, struct ckt_error *error);

/* Posts the document of a run. The queue is the caller's matter. CKT_E_NETWORK: it did not arrive. */
int ckt_post_run(struct ckt_store *store, int64_t run, const char *url, const char *token,
                 const struct ckt_document_problem *problems, size_t count, struct ckt_error *error);

/* The same with the queue: the run is in it, under that URL, unless it arrived. */
int ckt_post_queued(struct ckt_store *store, int64_t run, const char *url, const char *token,
                    const struct ckt_document_problem *problems, size_t count, struct ckt_error *error);

#endif
