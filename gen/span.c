#include "gen/span.h"

#include <endian.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct ckt_span ckt_span_of(const char *string) {
  return (struct ckt_span){string, strlen(string)};
}

/* The forms of RFC 3629, section 4: no overlong form, no surrogate, nothing above U+10FFFF. */
size_t ckt_utf8_decode(const char *text, size_t length, unsigned *point) {
  static const struct {
    unsigned char mask, lead;
    unsigned least;
  } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
  const unsigned char *bytes = (const unsigned char *)text;
  for (size_t form = 0; form < sizeof forms / sizeof *forms; form++) {
    if (length <= form || (bytes[0] & forms[form].mask) != forms[form].lead)
      continue;
    unsigned value = bytes[0] & (unsigned char)~forms[form].mask;
    for (size_t i = 1; i <= form; i++) {
      if ((bytes[i] & 0xc0) != 0x80)
        return 0;
      value = value << 6 | (bytes[i] & 0x3f);
    }
    if (value < forms[form].least || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
      return 0;
    *point = value;
    return form + 1;
  }
  return 0;
}

size_t ckt_ascii_run(const char *text, size_t length) {
  const uint64_t high = 0x8080808080808080u, one = 0x0101010101010101u;
  size_t at = 0;
  for (uint64_t word; at + sizeof word <= length; at += sizeof word) {
    memcpy(&word, text + at, sizeof word);
    if (((word | (word - one)) & high) != 0) /* not ASCII, or a byte of 0 (or of 1 behind one: no harm) */
      break;
  }
  return at;
}

static bool is_space(unsigned point) {
  return (point >= 0x09 && point <= 0x0d) || (point >= 0x1c && point <= 0x20) || point == 0x85 ||
         point == 0xa0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200a) || point == 0x2028 ||
         point == 0x2029 || point == 0x202f || point == 0x205f || point == 0x3000;
}

size_t ckt_utf8_space(const char *text, size_t length) {
  unsigned point = 0;
  const size_t size = ckt_utf8_decode(text, length, &point);
  return size > 0 && is_space(point) ? size : 0;
}

/* Bytes of the white-space character that the span ends with; 0 when it ends with something else. */
static size_t space_at_end(struct ckt_span span) {
  for (size_t size = 1; size <= 3 && size <= span.length; size++)
    if (ckt_utf8_space(span.text + span.length - size, size) == size)
      return size;
  return 0;
}

bool ckt_span_ends_with_space(struct ckt_span span) {
  return space_at_end(span) > 0;
}

/* Whether trimming needs a look at characters at all: bytes of ASCII that are no white space come first and
 * last, as in nearly every argument of a list. */
static bool is_plain(char byte) {
  return byte > ' ' && byte < 0x7f;
}

struct ckt_span ckt_span_trim(struct ckt_span span) {
  if (span.length > 0 && is_plain(span.text[0]) && is_plain(span.text[span.length - 1]))
    return span;
  size_t size;
  while ((size = ckt_utf8_space(span.text, span.length)) > 0) {
    span.text += size;
    span.length -= size;
  }
  while ((size = space_at_end(span)) > 0)
    span.length -= size;
  return span;
}

struct ckt_span ckt_span_cut(struct ckt_span *rest, char separator) {
  struct ckt_span head = *rest;
  const char *at = rest->length > 0 ? memchr(rest->text, separator, rest->length) : NULL;
  if (at == NULL) {
    *rest = (struct ckt_span){NULL, 0};
    return head;
  }
  head.length = (size_t)(at - rest->text);
  *rest = (struct ckt_span){at + 1, rest->length - head.length - 1};
  return head;
}

/* The high bit of every byte of the word that lies between '(' and '/': parentheses, the comma and a few more. */
static uint64_t find_separators(uint64_t word) {
  const uint64_t low = 0x7f7f7f7f7f7f7f7fu;
  const uint64_t other = (word ^ 0x2828282828282828u) & 0xf8f8f8f8f8f8f8f8u; /* 0 in such a byte */
  return ~(((other & low) + low) | other | low);
}

/* The arguments being cut, up to `start`. */
struct cut {
  struct ckt_span *arguments;
  size_t most, count;
  const char *start;
  long depth; /* of parentheses */
};

static void add_argument(struct cut *cut, const char *end) {
  if (cut->count < cut->most)
    cut->arguments[cut->count] = (struct ckt_span){cut->start, (size_t)(end - cut->start)};
  cut->count++;
}

static void cut_at(struct cut *cut, const char *at) {
  cut->depth += (*at == '(') - (*at == ')');
  if (*at != ',' || cut->depth != 0)
    return;
  add_argument(cut, at);
  cut->start = at + 1;
}

/* Eight bytes at once: lists have fifty arguments a line, and a branch for each byte is what takes longest. */
size_t ckt_span_cut_arguments(struct ckt_span text, struct ckt_span *arguments, size_t most,
                              struct ckt_span *last) {
  struct cut cut = {.arguments = arguments, .most = most, .start = text.text};
  const char *end = text.text + text.length, *at = text.text;
  for (uint64_t word; end - at >= (ptrdiff_t)sizeof word; at += sizeof word) {
    memcpy(&word, at, sizeof word);
    for (uint64_t found = find_separators(le64toh(word)); found != 0; found &= found - 1)
      cut_at(&cut, at + __builtin_ctzll(found) / 8);
  }
  for (; at < end; at++)
    cut_at(&cut, at);
  *last = (struct ckt_span){cut.start, (size_t)(end - cut.start)};
  add_argument(&cut, end);
  return cut.count;
}

/* Looks for both characters in ever larger pieces, so that a text without one of them is not searched to its end
 * for every line. */
static size_t find_line_end(struct ckt_span text) {
  for (size_t from = 0, size = 512; from < text.length; from += size, size *= 2) {
    const size_t length = text.length - from < size ? text.length - from : size;
    const char *feed = memchr(text.text + from, '\n', length);
    const char *back =
        memchr(text.text + from, '\r', feed != NULL ? (size_t)(feed - text.text) - from : length);
    if (back != NULL || feed != NULL)
      return (size_t)((back != NULL ? back : feed) - text.text);
  }
  return text.length;
}

bool ckt_span_cut_line(struct ckt_span *rest, struct ckt_span *line) {
  if (rest->length == 0)
    return false;
  const size_t end = find_line_end(*rest);
  *line = (struct ckt_span){rest->text, end};
  size_t next = end;
  if (next < rest->length)
    next += rest->text[next] == '\r' && next + 1 < rest->length && rest->text[next + 1] == '\n' ? 2 : 1;
  *rest = (struct ckt_span){rest->text + next, rest->length - next};
  return true;
}

bool ckt_span_equals(struct ckt_span span, const char *word) {
  return span.length == strlen(word) && memcmp(span.text, word, span.length) == 0;
}

bool ckt_span_contains(struct ckt_span span, const char *word) {
  return span.length > 0 && memmem(span.text, span.length, word, strlen(word)) != NULL;
}

char *ckt_span_copy(struct ckt_span span) {
  char *copy = malloc(span.length + 1);
  if (copy == NULL)
    return NULL;
  memcpy(copy, span.text, span.length);
  copy[span.length] = '\0';
  return copy;
}

struct ckt_quote ckt_span_quote(struct ckt_span span) {
  struct ckt_quote quote;
  size_t put = 0, at = 0;
  quote.text[put++] = '"';
  while (at < span.length) {
    unsigned point = 0;
    const size_t size = ckt_utf8_decode(span.text + at, span.length - at, &point);
    const size_t taken = size > 0 ? size : 1;
    if (put + taken > CKT_QUOTE_SHOWN + 1)
      break;
    if (size == 0 || point < 0x20 || (point >= 0x7f && point < 0xa0))
      quote.text[put++] = '?';
    else {
      memcpy(quote.text + put, span.text + at, size);
      put += size;
    }
    at += taken;
  }
  memcpy(quote.text + put, at < span.length ? "...\"" : "\"", at < span.length ? 5 : 2);
  return quote;
}
