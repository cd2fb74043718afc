/* The kernel headers as the build embeds them (scripts/cmake/embed.cmake). */
#ifndef CKT_BENCH_EMBEDDED_H
#define CKT_BENCH_EMBEDDED_H

#include <stddef.h>

struct ckt_embedded {
  const char *name;
  const char *text; /* NUL-terminated */
};

extern const struct ckt_embedded ckt_embedded_headers[];
extern const size_t ckt_embedded_header_count;

#endif
