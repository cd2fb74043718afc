#include "driver/post.h"

#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/text.h"
#include "results/upload.h"

#define TOKEN_LIMIT ((size_t)64 << 10)

static char *token_of_file(const char *path, struct ckt_error *error) {
  struct ckt_text content;
  ckt_text_init(&content, TOKEN_LIMIT);
  char *token = NULL;
  if (ckt_file_read(path, &content, error) != CKT_OK)
    error->code = CKT_E_INPUT;
  else if ((token = strndup(ckt_text_string(&content), strcspn(ckt_text_string(&content), "\r\n"))) == NULL)
    ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  else if (token[0] == '\0') {
    ckt_fail(error, CKT_E_INPUT, "--token-file %s: its first line, which is the token, is empty", path);
    free(token);
    token = NULL;
  }
  ckt_text_free(&content);
  return token;
}

char *ckt_post_token(const struct ckt_options *options, struct ckt_error *error) {
  if (options->token_file != NULL)
    return token_of_file(options->token_file, error);
  char *token = strdup(options->token != NULL ? options->token : "");
  if (token == NULL)
    ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  return token;
}

int ckt_post_check(const char *url, struct ckt_error *error) {
  const int status = ckt_upload_check(url, error);
  return status == CKT_OK ? CKT_OK : ckt_fail(error, status, "--upload: %s", error->text);
}

static int post(const char *url, const char *token, const struct ckt_text *document,
                struct ckt_error *error) {
  const struct ckt_upload_target target = {.url = url, .token = token[0] != '\0' ? token : NULL};
  return ckt_upload_post(&target, "application/json", ckt_text_string(document), document->length, error);
}

int ckt_post_run(struct ckt_store *store, int64_t run, const char *url, const char *token,
                 const struct ckt_document_problem *problems, size_t count, struct ckt_error *error) {
  struct ckt_text document = {0};
  int status = ckt_document_build(store, run, problems, count, false, &document, error);
  if (status == CKT_OK)
    status = post(url, token, &document, error);
  ckt_text_free(&document);
  return status;
}

/* Queued first, so that a kill in between loses nothing. */
int ckt_post_queued(struct ckt_store *store, int64_t run, const char *url, const char *token,
                    const struct ckt_document_problem *problems, size_t count, struct ckt_error *error) {
  CKT_TRY(ckt_store_queue_upload(store, run, url, "it was not tried yet", error));
  const int status = ckt_post_run(store, run, url, token, problems, count, error);
  if (status == CKT_OK)
    return ckt_store_upload_done(store, run, url, error);
  ckt_store_queue_upload(store, run, url, error->text,
                         NULL); /* it is in the queue already, with less to say */
  return status;
}
