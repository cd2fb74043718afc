/* A run's document on its way to a dashboard: queued first, so that a failure or a kill loses nothing. */
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

/* Posts the document of a run and takes it off the queue. CKT_E_NETWORK when it did not arrive: it is then in
 * the queue, with the reason. */
int ckt_post_run(struct ckt_store *store, int64_t run, const char *url, const char *token,
                 const struct ckt_document_problem *problems, size_t count, struct ckt_error *error);

#endif
