/* A condition as it is kept: operators, terms and where they stand in the text. What gen/where_read.c writes and
 * gen/where.c computes. Internal to gen. */
#ifndef CKT_GEN_WHERE_TREE_H
#define CKT_GEN_WHERE_TREE_H

#include "gen/instance_fields.h"
#include "gen/range.h"
#include "gen/where.h"

/* Terms and operators of one condition. */
#define CKT_WHERE_NODES_MAX 512

enum ckt_where_type { CKT_WHERE_NUMBER, CKT_WHERE_TRUTH, CKT_WHERE_WORD };

/* Rows: name, text, precedence, type of the operands, type of the result. EQUAL and DIFFERENT take all types, IN
 * words as well. */
#define CKT_WHERE_OPERATORS(ROW)                                                                             \
  ROW(OR, "or", 1, TRUTH, TRUTH)                                                                             \
  ROW(AND, "and", 2, TRUTH, TRUTH)                                                                           \
  ROW(EQUAL, "==", 4, NUMBER, TRUTH)                                                                         \
  ROW(DIFFERENT, "!=", 4, NUMBER, TRUTH)                                                                     \
  ROW(AT_MOST, "<=", 4, NUMBER, TRUTH)                                                                       \
  ROW(AT_LEAST, ">=", 4, NUMBER, TRUTH)                                                                      \
  ROW(LESS, "<", 4, NUMBER, TRUTH)                                                                           \
  ROW(MORE, ">", 4, NUMBER, TRUTH)                                                                           \
  ROW(IN, "in", 4, NUMBER, TRUTH)                                                                            \
  ROW(ADD, "+", 5, NUMBER, NUMBER)                                                                           \
  ROW(SUBTRACT, "-", 5, NUMBER, NUMBER)                                                                      \
  ROW(MULTIPLY, "*", 6, NUMBER, NUMBER)                                                                      \
  ROW(DIVIDE, "/", 6, NUMBER, NUMBER)                                                                        \
  ROW(REMAINDER, "%", 6, NUMBER, NUMBER)

enum ckt_where_operation {
#define ROW(name, text, precedence, operands, result) CKT_WHERE_##name,
  CKT_WHERE_OPERATORS(ROW)
#undef ROW
      CKT_WHERE_OPERATOR_COUNT,
  CKT_WHERE_NOT = CKT_WHERE_OPERATOR_COUNT,
  CKT_WHERE_NEGATE,
  CKT_WHERE_CONSTANT,
  CKT_WHERE_FIELD,
  CKT_WHERE_DERIVED,
};

/* A number that follows from an instance. */
typedef int64_t ckt_where_number(const struct ckt_instance *instance);

struct ckt_where_node {
  enum ckt_where_operation operation;
  enum ckt_where_type type;
  size_t left, right; /* operands; of CKT_WHERE_IN, `count` members stand from `right` on */
  size_t count;
  struct ckt_range range; /* CKT_WHERE_CONSTANT: its first; members of a set */
  const struct ckt_field *field;
  size_t component;
  ckt_where_number *compute;
  struct ckt_span at;
};

struct ckt_where {
  size_t root, count;
  struct ckt_where_node nodes[]; /* room for CKT_WHERE_NODES_MAX while it is read */
};

#endif
