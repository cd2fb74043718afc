/* compile_source SOURCE TARGET OUTPUT [lines]: a code object from a HIP source, by hipRTC, with debug information or
 * without. A program of its own, since hipRTC may
 * end its process, and since its library exports the names that libhipsim exports, too.
 *
 * Exit status: 0, 77 when hipRTC is not installed, 1 when the source is refused (the log goes to stderr). */
#include <stdio.h>

#include "bench/rtc.h"
#include "common/file.h"

enum { EXIT_SKIPPED = 77 };

static int compile(struct ckt_rtc *rtc, char **argv, struct ckt_error *error) {
  struct ckt_text source, code, log;
  ckt_text_init(&source, 0);
  ckt_text_init(&code, 0);
  ckt_text_init(&log, 0);
  const struct ckt_headers none = {.count = 0};
  int status = ckt_file_read(argv[1], &source, error);
  if (status == CKT_OK) {
    const struct ckt_rtc_request request = {.source = ckt_text_string(&source),
                                            .name = "test.hip",
                                            .target = argv[2],
                                            .headers = &none,
                                            .lines = argv[4] != NULL};
    status = ckt_rtc_compile(rtc, &request, &code, &log, error);
    if (status != CKT_OK)
      fprintf(stderr, "%s\n", ckt_text_string(&log));
  }
  if (status == CKT_OK)
    status = ckt_file_write(argv[3], code.data, code.length, error);
  ckt_text_free(&source);
  ckt_text_free(&code);
  ckt_text_free(&log);
  return status;
}

int main(int argc, char **argv) {
  struct ckt_rtc *rtc;
  struct ckt_error error;
  if (argc != 4 && argc != 5) {
    fprintf(stderr, "usage: compile_source SOURCE TARGET OUTPUT [lines]\n");
    return 2;
  }
  if (ckt_rtc_open(NULL, &rtc, &error) != CKT_OK) {
    fprintf(stderr, "compile_source: %s\n", error.text);
    return EXIT_SKIPPED;
  }
  const int status = compile(rtc, argv, &error);
  if (status != CKT_OK)
    fprintf(stderr, "compile_source: %s\n", error.text);
  ckt_rtc_close(&rtc);
  return status == CKT_OK ? 0 : 1;
}
