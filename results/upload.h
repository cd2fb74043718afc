/* Posts a document to a dashboard. */
#ifndef CKT_RESULTS_UPLOAD_H
#define CKT_RESULTS_UPLOAD_H

#include <stddef.h>

#include "common/error.h"

struct ckt_upload_target {
  const char *url;   /* http:// or https:// */
  const char *token; /* sent as "Authorization: Bearer ..."; NULL: none. Never printed, logged or stored */
  long connect_timeout_ms, total_timeout_ms; /* 0: defaults of 10 s and 60 s */
};

/* CKT_OK when the server answered 2xx. CKT_E_NETWORK says what happened, with the URL's user and password
 * left out; CKT_E_USAGE when the URL is not http or https. Certificates are verified. */
int ckt_upload_post(const struct ckt_upload_target *target, const char *content_type, const void *body,
                    size_t length, struct ckt_error *error);

/* CKT_OK for http or https with a host, which ckt_upload_post takes; CKT_E_USAGE for another URL; CKT_E_TOOLCHAIN when
 * libcurl is not there. */
int ckt_upload_check(const char *url, struct ckt_error *error);

/* The URL without user and password, for messages and the store; to be freed. One that holds an '@' and cannot
 * be read comes back as its scheme and "[unreadable]". NULL when memory ran out, or
 * libcurl is not there. */
char *ckt_upload_public_url(const char *url, struct ckt_error *error);

/* A text (a command line) in which every URL's user and password are left out; to be freed. NULL only when
 * memory ran out. */
char *ckt_upload_hide_secrets(const char *text, struct ckt_error *error);

#endif
