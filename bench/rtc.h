/* hipRTC, bound at run time. Only compile workers use it: an unknown architecture corrupts its heap, and it
 * keeps what it allocates. It needs no device. */
#ifndef CKT_BENCH_RTC_H
#define CKT_BENCH_RTC_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/headers.h"
#include "common/error.h"
#include "common/text.h"

struct ckt_rtc; /* opaque */

/* libhiprtc from the folder HIP comes from, else the copy in libamdhip64 (ROCm 5). rocm: --rocm DIR or NULL. */
int ckt_rtc_open(const char *rocm, struct ckt_rtc **rtc, struct ckt_error *error);
void ckt_rtc_close(struct ckt_rtc **rtc);

/* "hiprtc 5.2, comgr 2.4": what the cache key and the toolchain record carry. */
const char *ckt_rtc_version(const struct ckt_rtc *rtc);
const char *ckt_rtc_library(const struct ckt_rtc *rtc);

struct ckt_rtc_request {
  const char *source;
  const char *name;   /* file name for messages */
  const char *target; /* "gfx90a:sramecc+:xnack-" */
  const struct ckt_headers *headers;
  bool lines; /* with debug information, so that reports of hipsim name source lines */
};

/* The options every compile gets, besides the target; part of the cache key. NULL-terminated. */
extern const char *const ckt_rtc_options[];

/* Appends the code object to *code and the compiler's log to *log. CKT_E_COMPILE when the source is refused
 * (the first error line of the log is the sentence). */
int ckt_rtc_compile(struct ckt_rtc *rtc, const struct ckt_rtc_request *request, struct ckt_text *code,
                    struct ckt_text *log, struct ckt_error *error);

#endif
