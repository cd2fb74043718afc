/* The role `compile`: source in, code object out. Loads hipRTC, which may end the process. */
#include <stdlib.h>

#include "bench/code_cache.h"
#include "bench/headers.h"
#include "bench/rtc.h"
#include "common/clock.h"
#include "common/file.h"
#include "driver/worker.h"

#define SOURCE_LIMIT ((size_t)64 << 20)

struct compiler {
  struct ckt_rtc *rtc;
  struct ckt_headers headers;
};

static int write_result(const cJSON *request, const struct ckt_text *code, const struct ckt_text *log,
                        int compiled, struct ckt_error *error) {
  const char *log_path = ckt_json_text(request, "log");
  if (log->length > 0 && log_path != NULL)
    CKT_TRY(ckt_file_write(log_path, log->data, log->length, error));
  if (compiled != CKT_OK)
    return compiled;
  return ckt_code_file_write(ckt_json_text(request, "output"), ckt_json_text(request, "kernel"), code->data,
                             code->length, error);
}

static int compile_source(struct compiler *compiler, const cJSON *request, const char *source,
                          struct ckt_error *error) {
  struct ckt_text code = {0}, log = {0};
  const struct ckt_rtc_request job = {.source = source,
                                      .name = ckt_json_text(request, "source"),
                                      .target = ckt_json_text(request, "target"),
                                      .headers = &compiler->headers};
  const int compiled = ckt_rtc_compile(compiler->rtc, &job, &code, &log, error);
  const int status = write_result(request, &code, &log, compiled, error);
  ckt_text_free(&code);
  ckt_text_free(&log);
  return status;
}

static int compile(struct compiler *compiler, const cJSON *request, struct ckt_error *error) {
  static const char *const needed[] = {"source", "target", "kernel", "output"};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (ckt_json_text(request, needed[i]) == NULL)
      return ckt_fail(error, CKT_E_WORKER, "a compile request has no \"%s\"", needed[i]);
  struct ckt_text source;
  ckt_text_init(&source, SOURCE_LIMIT);
  int status = ckt_file_read(ckt_json_text(request, "source"), &source, error);
  if (status == CKT_OK)
    status = compile_source(compiler, request, ckt_text_string(&source), error);
  ckt_text_free(&source);
  return status;
}

static int answer_request(struct compiler *compiler, const cJSON *request) {
  struct ckt_error error = {0};
  const double start = ckt_now();
  const int status = compile(compiler, request, &error);
  cJSON *answer = cJSON_CreateObject();
  cJSON_AddNumberToObject(answer, "seconds", ckt_now() - start);
  if (status != CKT_OK) {
    cJSON_AddNumberToObject(answer, "code", status);
    cJSON_AddStringToObject(answer, "error", error.text);
  }
  return ckt_worker_send(answer);
}

static int say_hello(const struct compiler *compiler) {
  cJSON *hello = cJSON_CreateObject();
  cJSON_AddStringToObject(hello, "version", ckt_rtc_version(compiler->rtc));
  cJSON_AddStringToObject(hello, "library", ckt_rtc_library(compiler->rtc));
  cJSON_AddStringToObject(hello, "headers", compiler->headers.digest);
  return ckt_worker_send(hello);
}

static void serve(struct compiler *compiler, FILE *input) {
  int status = say_hello(compiler);
  cJSON *request;
  while (status == 0 && (request = ckt_worker_receive(input)) != NULL) {
    status = answer_request(compiler, request);
    cJSON_Delete(request);
  }
}

int ckt_worker_compile(FILE *input, const cJSON *setup) {
  struct compiler compiler = {0};
  struct ckt_error error = {0};
  int status = ckt_headers_load(ckt_json_text(setup, "kernels"), &compiler.headers, &error);
  if (status == CKT_OK)
    status = ckt_rtc_open(ckt_json_text(setup, "rocm"), &compiler.rtc, &error);
  if (status == CKT_OK)
    serve(&compiler, input);
  else
    ckt_worker_send_error(&error);
  if (compiler.rtc != NULL)
    ckt_rtc_close(&compiler.rtc);
  ckt_headers_free(&compiler.headers);
  return status == CKT_OK ? 0 : 1;
}
