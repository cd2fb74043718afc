#include "driver/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "common/child.h"
#include "common/log.h"

const char *ckt_json_text(const cJSON *object, const char *name) {
  return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

double ckt_json_number(const cJSON *object, const char *name, double fallback) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  return cJSON_IsNumber(item) ? item->valuedouble : fallback;
}

cJSON *ckt_worker_receive(FILE *input) {
  char *line = NULL;
  size_t size = 0;
  cJSON *message = getline(&line, &size, input) > 0 ? cJSON_Parse(line) : NULL;
  free(line);
  return message;
}

static int send_all(const char *bytes, size_t length) {
  while (length > 0) {
    const ssize_t sent = send(CKT_CHILD_SOCKET, bytes, length, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return -1;
    bytes += sent;
    length -= (size_t)sent;
  }
  return 0;
}

int ckt_worker_send(cJSON *answer) {
  char *text = cJSON_PrintUnformatted(answer);
  cJSON_Delete(answer);
  const int status = text != NULL && send_all(text, strlen(text)) == 0 && send_all("\n", 1) == 0 ? 0 : -1;
  cJSON_free(text);
  return status;
}

int ckt_worker_send_error(const struct ckt_error *error) {
  cJSON *answer = cJSON_CreateObject();
  cJSON_AddNumberToObject(answer, "code", error->code);
  cJSON_AddStringToObject(answer, "error", error->text);
  return ckt_worker_send(answer);
}

int ckt_worker_main(const char *role) {
  FILE *input = fcntl(CKT_CHILD_SOCKET, F_SETFD, FD_CLOEXEC) == 0 ? fdopen(CKT_CHILD_SOCKET, "r") : NULL;
  if (input == NULL) {
    ckt_log(CKT_LOG_ERROR, "'%s' is started by cktune itself and is no command", CKT_WORKER_WORD);
    return 2;
  }
  int status = 2;
  cJSON *setup = ckt_worker_receive(input);
  if (setup != NULL && strcmp(role, CKT_ROLE_COMPILE) == 0)
    status = ckt_worker_compile(input, setup);
  else if (setup != NULL && strcmp(role, CKT_ROLE_RUN) == 0)
    status = ckt_worker_run(input, setup);
  cJSON_Delete(setup);
  fclose(input);
  return status;
}
