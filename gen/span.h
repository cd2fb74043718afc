/* A piece of a text that somebody else owns, as the readers of gen cut lines up. Internal to gen. */
#ifndef CKT_GEN_SPAN_H
#define CKT_GEN_SPAN_H

#include <stdbool.h>
#include <stddef.h>

struct ckt_span {
  const char *text;
  size_t length;
};

struct ckt_span ckt_span_of(const char *string);
/* Without white space (in Unicode's sense, of UTF-8 text) at both ends. */
struct ckt_span ckt_span_trim(struct ckt_span span);
bool ckt_span_ends_with_space(struct ckt_span span);
/* Takes what stands before the first `separator` off the front of *rest; all of it when there is none, which
 * leaves rest->text NULL. A span whose text is NULL has nothing left to take. */
struct ckt_span ckt_span_cut(struct ckt_span *rest, char separator);
/* Cuts the text at its commas, but for those inside parentheses. Returns how many arguments there are, at least one; the
 * first `most` of them are stored, and the last one besides. */
size_t ckt_span_cut_arguments(struct ckt_span text, struct ckt_span *arguments, size_t most,
                              struct ckt_span *last);
/* Takes the first line off the front of *rest; lines end with \n, \r\n or a lone \r, the last one need not
 * end. False when nothing is left. */
bool ckt_span_cut_line(struct ckt_span *rest, struct ckt_span *line);
bool ckt_span_equals(struct ckt_span span, const char *word);
bool ckt_span_contains(struct ckt_span span, const char *word);
/* A copy with its NUL, to be freed; NULL when memory ran out. */
char *ckt_span_copy(struct ckt_span span);

/* Room for a span in a message: at most CKT_QUOTE_SHOWN bytes of it, then "...". */
#define CKT_QUOTE_SHOWN 48
struct ckt_quote {
  char text[CKT_QUOTE_SHOWN + 8];
};
/* The span in double quotes, cut when it is long, bytes that a terminal would act on shown as '?'. */
struct ckt_quote ckt_span_quote(struct ckt_span span);

/* Bytes of the white-space character (Unicode's White_Space, and what Python's str.strip takes besides) that
 * text[0..length) starts with; 0 when it starts with something else. */
size_t ckt_utf8_space(const char *text, size_t length);
/* How many bytes from the start are ASCII and not NUL, at least as far as whole words of them go. */
size_t ckt_ascii_run(const char *text, size_t length);
/* Bytes of the first character, its code point in *point; 0 when it is not UTF-8. */
size_t ckt_utf8_decode(const char *text, size_t length, unsigned *point);

#endif
