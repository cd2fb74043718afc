/* The kernel headers (kernels/) as hipRTC wants them: names and texts. */
#ifndef CKT_BENCH_HEADERS_H
#define CKT_BENCH_HEADERS_H

#include <stddef.h>

#include "common/error.h"
#include "common/hash.h"

struct ckt_headers {
  size_t count;
  const char **names;         /* owned array; include names as the sources write them: "conv_forward.hpp" */
  const char **texts;         /* owned array; texts owned when loaded from a folder */
  char **owned;               /* NULL for the embedded ones */
  char digest[CKT_HASH_TEXT]; /* of all names and texts */
};

/* The headers inside the binary (folder NULL), or every *.hpp and *.h of a folder. */
int ckt_headers_load(const char *folder, struct ckt_headers *headers, struct ckt_error *error);
void ckt_headers_free(struct ckt_headers *headers);

#endif
