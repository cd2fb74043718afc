#include "gen/capitals.h"

#include <locale.h>
#include <wctype.h>

#define SHARP_S 0xdf

static void append_point(unsigned point, struct ckt_text *text) {
  const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
  const unsigned size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  unsigned char bytes[4];
  for (unsigned i = size; i-- > 1; point >>= 6)
    bytes[i] = (unsigned char)(0x80 | (point & 0x3f));
  bytes[0] = (unsigned char)(lead[size] | point);
  ckt_text_append_bytes(text, bytes, size);
}

void ckt_append_capitals(struct ckt_span span, struct ckt_text *text) {
  const locale_t unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  for (size_t at = 0, size; at < span.length; at += size) {
    unsigned point = 0;
    size = ckt_utf8_decode(span.text + at, span.length - at, &point);
    if (size == 0)
      break;
    if (point >= 'a' && point <= 'z')
      append_point(point - 'a' + 'A', text);
    else if (point == SHARP_S)
      ckt_text_append(text, "SS");
    else
      append_point(point < 0x80 || unicode == (locale_t)0 ? point
                                                          : (unsigned)towupper_l((wint_t)point, unicode),
                   text);
  }
  if (unicode != (locale_t)0)
    freelocale(unicode);
}
