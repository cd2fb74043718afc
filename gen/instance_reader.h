/* What the two readers of instance lines share with ckt_instance_parse. Internal to gen. */
#ifndef CKT_GEN_INSTANCE_READER_H
#define CKT_GEN_INSTANCE_READER_H

#include "gen/instance.h"
#include "gen/span.h"

/* Numbers of a line lie between -CKT_INSTANCE_NUMBER_MAX and CKT_INSTANCE_NUMBER_MAX: far more than any
 * kernel can have, and few enough that 64 times the product of three of them fits into 63 bits. */
#define CKT_INSTANCE_NUMBER_MAX ((int64_t)1 << 18)

/* Direction, data type and dimensions that the line has to have; NULL when the line must say them itself. */
struct ckt_instance_reader {
  const char *start; /* of the line, for columns */
  size_t column;     /* of the fault, 1-based */
  const struct ckt_problem_defaults *defaults;
  struct ckt_instance instance;
  struct ckt_span specialization; /* the line's word for it; text NULL: none */
  struct ckt_error *error;
};

/* Makes `span` the place of a fault. */
void ckt_instance_mark(struct ckt_instance_reader *reader, struct ckt_span span);

/* Reads one line, of whatever notation, by the hardware's rules. */
int ckt_instance_read(struct ckt_span line, const struct ckt_problem_defaults *defaults,
                      struct ckt_instance *instance, struct ckt_span *specialization, size_t *column,
                      struct ckt_error *error);

/* The readers of one notation each. Their text has no comment and no white space around it.
 * Composable Kernel's: OpName<...>. */
int ckt_instance_read_ck(struct ckt_instance_reader *reader, struct ckt_span line);
/* CK Tile's: GroupedConvolution...Kernel<...>. */
int ckt_instance_read_tile(struct ckt_instance_reader *reader, struct ckt_span line);
/* Our own: name=value, order free. */
int ckt_instance_read_own(struct ckt_instance_reader *reader, struct ckt_span line);

/* The line without its comment and the white space around the rest. A '#' starts a comment at the line's start and
 * after white space. */
struct ckt_span ckt_instance_code(struct ckt_span line);

enum ckt_line_kind {
  CKT_LINE_BLANK,
  CKT_LINE_COMMENT, /* nothing but a comment; one that starts with ';' is disabled in lists of Composable Kernel */
  CKT_LINE_CK,
  CKT_LINE_TILE,
  CKT_LINE_OWN,
};
enum ckt_line_kind ckt_instance_line_kind(struct ckt_span line);

/* A whole number as Python's int() reads it: white space around it, a sign, leading zeros, single underscores
 * between digits, decimal digits of any script. False when it is none, or beyond CKT_INSTANCE_NUMBER_MAX
 * (*too_large is then true). */
bool ckt_instance_read_whole(struct ckt_span text, int64_t *value, bool *too_large);
/* 0 to 9 of a decimal digit of any script, -1 of anything else. */
int ckt_instance_digit(unsigned point);

#endif
