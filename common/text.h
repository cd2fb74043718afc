/* A growing text buffer with a stated limit.
 *
 * Appending never fails at the call: the buffer remembers that memory ran out or the limit was passed, and
 * ckt_text_status tells at the end. The content is always NUL-terminated. */
#ifndef CKT_COMMON_TEXT_H
#define CKT_COMMON_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct ckt_text {
  char *data; /* owned; use ckt_text_string, since NULL while nothing was appended */
  size_t length;
  size_t capacity;
  size_t limit; /* most bytes of content */
  bool failed;
};

#define CKT_TEXT_LIMIT ((size_t)1 << 30)

/* An empty buffer that holds at most `limit` bytes (0: CKT_TEXT_LIMIT). Allocates nothing. */
void ckt_text_init(struct ckt_text *text, size_t limit);
/* Releases the content; the buffer is empty and usable again. */
void ckt_text_free(struct ckt_text *text);
/* Forgets the content, keeps the memory and clears the failure. */
void ckt_text_clear(struct ckt_text *text);

void ckt_text_append(struct ckt_text *text, const char *string);
void ckt_text_append_bytes(struct ckt_text *text, const void *bytes, size_t length);
void ckt_text_printf(struct ckt_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ckt_text_vprintf(struct ckt_text *text, const char *format, va_list arguments);

/* The content; "" when empty. Valid until the next change. */
const char *ckt_text_string(const struct ckt_text *text);
/* Hands the content over, to be freed by the caller; NULL and CKT_E_NOMEM in *error when an append failed. */
char *ckt_text_take(struct ckt_text *text, struct ckt_error *error);
/* CKT_OK, or CKT_E_NOMEM when an append failed. */
int ckt_text_status(const struct ckt_text *text, struct ckt_error *error);

#endif
