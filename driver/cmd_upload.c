/* cktune upload: sends what is queued, or one run. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/log.h"
#include "common/number.h"
#include "driver/command.h"
#include "driver/place_choice.h"
#include "driver/post.h"

struct sender {
  struct ckt_store *store;
  const struct ckt_options *options;
  char *token;
  size_t sent, failed;
};

/* An upload that fails is counted, and the next one is tried. */
static int account(struct sender *sender, int64_t run, int status, struct ckt_error *error) {
  sender->sent += status == CKT_OK;
  if (status != CKT_E_NETWORK)
    return status;
  ckt_log(CKT_LOG_ERROR, "run %" PRId64 " stays in the queue: %s", run, error->text);
  sender->failed++;
  return CKT_OK;
}

/* A queued URL lacks user and password; --upload URL replaces it, and its entry stays under the old one until
 * it has arrived. */
static int send_upload(struct sender *sender, const struct ckt_upload *upload, struct ckt_error *error) {
  const char *url = sender->options->upload != NULL ? sender->options->upload : upload->url;
  int status = ckt_post_run(sender->store, upload->run, url, sender->token, NULL, 0, error);
  if (status == CKT_OK)
    status = ckt_store_upload_done(sender->store, upload->run, upload->url, error);
  else
    ckt_store_queue_upload(sender->store, upload->run, upload->url, error->text, NULL);
  return account(sender, upload->run, status, error);
}

/* Sends what is queued of a run, or of all (0). *found is how many there were. */
static int send_queued(struct sender *sender, int64_t run, size_t *found, struct ckt_error *error) {
  struct ckt_upload_list list = {0};
  CKT_TRY(ckt_store_uploads(sender->store, &list, error));
  int status = CKT_OK;
  *found = 0;
  for (size_t i = 0; i < list.count && status == CKT_OK; i++)
    if (run == 0 || list.items[i].run == run) {
      status = send_upload(sender, &list.items[i], error);
      (*found)++;
    }
  ckt_upload_list_free(&list);
  return status;
}

static int send_asked(struct sender *sender, struct ckt_error *error) {
  const struct ckt_options *options = sender->options;
  int64_t run = 0;
  size_t found;
  if (options->operands.count == 1) {
    const char *word = options->operands.items[0];
    if (ckt_parse_i64(word, strlen(word), &run) != CKT_NUMBER_OK || run <= 0)
      return ckt_fail(error, CKT_E_USAGE, "'%s' is not the number of a run", word);
  }
  CKT_TRY(send_queued(sender, run, &found, error));
  if (found > 0 || run == 0)
    return CKT_OK;
  if (options->upload == NULL)
    return ckt_fail(error, CKT_E_USAGE,
                    "nothing of run %" PRId64 " is queued; --upload URL says where to send it", run);
  return account(sender, run,
                 ckt_post_queued(sender->store, run, options->upload, sender->token, NULL, 0, error), error);
}

/* Opening to write would make one, and there is nothing to send in it. */
static int open_existing(const struct ckt_options *options, struct ckt_store **store,
                         struct ckt_error *error) {
  char *path = ckt_store_path(options, error);
  if (path == NULL)
    return error->code;
  const int status =
      ckt_file_exists(path)
          ? ckt_store_open(path, false, store, error)
          : ckt_fail(error, CKT_E_STORE,
                     "there is no store %s yet; `cktune --problem ...` makes one, --db names another", path);
  free(path);
  return status;
}

static int run(const struct ckt_options *options, int *status, struct ckt_error *error) {
  if (options->operands.count > 1)
    return ckt_fail(error, CKT_E_USAGE, "'cktune upload' takes one run, or none for all that are queued");
  if (options->upload != NULL)
    CKT_TRY(ckt_post_check(options->upload, error));
  struct sender sender = {.options = options, .token = ckt_post_token(options, error)};
  if (sender.token == NULL)
    return error->code;
  int code = open_existing(options, &sender.store, error);
  if (code == CKT_OK)
    code = send_asked(&sender, error);
  if (code == CKT_OK)
    ckt_log(CKT_LOG_NOTE, "%zu sent, %zu still queued", sender.sent, sender.failed);
  *status = sender.failed > 0 ? CKT_EXIT_NO_BEST : CKT_EXIT_OK;
  ckt_store_close(&sender.store);
  free(sender.token);
  return code;
}

const struct ckt_command ckt_command_upload = {
    .name = "upload",
    .bit = CKT_FOR_UPLOAD,
    .operands = "[RUN]",
    .summary = "send what could not be uploaded when it was measured",
    .example = "cktune upload 12 --upload https://dashboard.example/api/runs",
    .run = run,
};
