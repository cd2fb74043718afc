#include "bench/hipsim/sim_msgpack.h"

enum { DEPTH_MAX = 32 };

/* What a first byte announces: the value's kind, and its length or count, which `wide` more bytes may hold. */
enum kind { NUMBER, STRING, ARRAY, MAP, REFUSED };

struct head {
  enum kind kind;
  uint32_t length; /* bytes that follow, or elements, unless `wide` */
  uint8_t wide;    /* bytes of a length that follows, big-endian */
};

/* First bytes 0xc0..0xdf, in order: nil, (never used), false, true, bin 8 16 32, ext 8 16 32, float 32 64, uint 8 16 32 64,
 * int 8 16 32 64, fixext 1 2 4 8 16, str 8 16 32, array 16 32, map 16 32. */
static const struct head wide_heads[] = {
    {NUMBER, 0, 0},  {REFUSED, 0, 0}, {NUMBER, 0, 0},  {NUMBER, 0, 0},  {REFUSED, 0, 0}, {REFUSED, 0, 0},
    {REFUSED, 0, 0}, {REFUSED, 0, 0}, {REFUSED, 0, 0}, {REFUSED, 0, 0}, {NUMBER, 4, 0},  {NUMBER, 8, 0},
    {NUMBER, 1, 0},  {NUMBER, 2, 0},  {NUMBER, 4, 0},  {NUMBER, 8, 0},  {NUMBER, 1, 0},  {NUMBER, 2, 0},
    {NUMBER, 4, 0},  {NUMBER, 8, 0},  {REFUSED, 0, 0}, {REFUSED, 0, 0}, {REFUSED, 0, 0}, {REFUSED, 0, 0},
    {REFUSED, 0, 0}, {STRING, 0, 1},  {STRING, 0, 2},  {STRING, 0, 4},  {ARRAY, 0, 2},   {ARRAY, 0, 4},
    {MAP, 0, 2},     {MAP, 0, 4},
};

static struct head head_of(uint8_t first) {
  if (first < 0x80 || first >= 0xe0)
    return (struct head){NUMBER, 0, 0};
  if (first < 0x90)
    return (struct head){MAP, first & 0xfu, 0};
  if (first < 0xa0)
    return (struct head){ARRAY, first & 0xfu, 0};
  if (first < 0xc0)
    return (struct head){STRING, first & 0x1fu, 0};
  return wide_heads[first - 0xc0];
}

struct reader {
  const uint8_t *at, *end;
};

static bool read_head(struct reader *reader, struct head *head) {
  if (reader->at == reader->end)
    return false;
  *head = head_of(*reader->at++);
  if (head->kind == REFUSED || (size_t)(reader->end - reader->at) < head->wide)
    return false;
  for (unsigned i = 0; i < head->wide; ++i)
    head->length = head->length << 8 | *reader->at++;
  return true;
}

static bool skip(struct reader *reader, uint32_t bytes) {
  if ((size_t)(reader->end - reader->at) < bytes)
    return false;
  reader->at += bytes;
  return true;
}

static bool is_string(const struct reader *reader) {
  return reader->at != reader->end && head_of(*reader->at).kind == STRING;
}

static bool read_value(struct reader *reader, int depth) {
  struct head head;
  if (depth == 0 || !read_head(reader, &head))
    return false;
  if (head.kind == NUMBER || head.kind == STRING)
    return skip(reader, head.length);
  for (uint32_t i = 0; i < head.length; ++i) {
    if (head.kind == MAP && (!is_string(reader) || !read_value(reader, depth - 1)))
      return false;
    if (!read_value(reader, depth - 1))
      return false;
  }
  return true;
}

bool sim_msgpack_is_plain(const uint8_t *bytes, size_t size) {
  struct reader reader = {bytes, bytes + size};
  return read_value(&reader, DEPTH_MAX);
}
