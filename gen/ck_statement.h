/* What a line in Composable Kernel's notation says, OpName<arg0,arg1,...>, before anything follows from it.
 *
 * The meaning of an argument is its position, which differs from kind to kind of line: one table of positions a
 * kind. Internal to gen. */
#ifndef CKT_GEN_CK_STATEMENT_H
#define CKT_GEN_CK_STATEMENT_H

#include "common/text.h"
#include "gen/instance.h"
#include "gen/rules.h"
#include "gen/span.h"

/* Rows: name, name in messages, whether it is a whole number. */
#define CKT_CK_FIELDS(ROW)                                                                                   \
  ROW(SPATIAL, "spatial dimensions", true)                                                                   \
  ROW(DTYPE, "data type of A", false)                                                                        \
  ROW(SPECIALIZATION, "convolution specialization", false)                                                   \
  ROW(BLOCK_SIZE, "block size", true)                                                                        \
  ROW(TILE_M, "M per block", true)                                                                           \
  ROW(TILE_N, "N per block", true)                                                                           \
  ROW(TILE_K, "K per block", true)                                                                           \
  ROW(K0, "K0 per block", true)                                                                              \
  ROW(K1_A, "K1 of A", true)                                                                                 \
  ROW(K1_B, "K1 of B", true)                                                                                 \
  ROW(XDL_M, "M per XDL", true)                                                                              \
  ROW(XDL_N, "N per XDL", true)                                                                              \
  ROW(REPEAT_M, "M XDL per wave", true)                                                                      \
  ROW(REPEAT_N, "N XDL per wave", true)                                                                      \
  ROW(VECTOR_A, "A source vector", true)                                                                     \
  ROW(VECTOR_B, "B source vector", true)                                                                     \
  ROW(VECTOR_C, "C vector", true)                                                                            \
  ROW(SCHEDULER, "scheduler", false)                                                                         \
  ROW(VERSION, "pipeline version", false)                                                                    \
  ROW(DIRECT_LOAD, "direct load", false)                                                                     \
  ROW(GROUPS_TO_MERGE, "groups to merge", true)

enum ckt_ck_field {
#define ROW(name, words, number) CKT_CK_##name,
  CKT_CK_FIELDS(ROW)
#undef ROW
      CKT_CK_FIELD_COUNT
};

/* Rows: name of the exception that Composable Kernel's generator, a Python script, would stop with. */
#define CKT_CK_FAULTS(ROW)                                                                                   \
  ROW(ValueError)                                                                                            \
  ROW(IndexError)                                                                                            \
  ROW(ZeroDivisionError)                                                                                     \
  ROW(OverflowError)                                                                                         \
  ROW(RuntimeError)                                                                                          \
  ROW(UnicodeDecodeError)

enum ckt_ck_fault_type {
#define ROW(name) CKT_CK_##name,
  CKT_CK_FAULTS(ROW)
#undef ROW
};

/* Why a line is refused. */
struct ckt_ck_fault {
  enum ckt_ck_fault_type type;
  bool late;              /* the generator notices only while it writes */
  const char *at;         /* in the line, or its end; NULL: the line as a whole */
  struct ckt_error error; /* the sentence */
  struct ckt_text reason; /* the generator's own words; empty where they are Python's */
};

struct ckt_ck_kind;

struct ckt_ck_statement {
  const struct ckt_ck_kind *kind;
  struct ckt_span line;
  bool ended; /* a line end follows, which the generator's messages show */
  bool split_image, two_stage;
  struct ckt_span texts[CKT_CK_FIELD_COUNT]; /* text is NULL where the kind has no such field */
  int64_t numbers[CKT_CK_FIELD_COUNT];
  unsigned beyond; /* bit of a number that lies beyond CKT_INSTANCE_NUMBER_MAX: only its text counts */
};

_Static_assert(CKT_CK_FIELD_COUNT <= 32, "a bit for each field");

/* What a kind of line has without saying it, and what differs in deriving an instance from it. */
struct ckt_ck_kind {
  const char *mark; /* a line that holds this text is of this kind; the first that fits counts */
  const struct ckt_ck_position *positions; /* in the order in which the generator reads them */
  size_t position_count;
  /* A line that holds this text has the property: NULL none, "" every one. */
  const char *split_image_mark, *two_stage_mark;
  /* The generator's words when the count is wrong: the first in any case, the second in its second sentence. */
  const char *count_words, *count_noun;
  enum ckt_direction direction;
  int arguments; /* how many the line has; 0: not counted */
  int dtype;     /* position of the data type; -1: none */
  bool mark_in_name;
  bool is_explicit;
  bool merges_text; /* the generator never makes a number of the groups to merge */
};

/* Reads a line. CKT_E_INPUT fills *fault; CKT_E_NOMEM is possible too. By the seed's rules faults come in the
 * order in which the generator would meet them; by the hardware's, counts and sizes are checked as well, and what
 * stands behind a '#' after white space is a comment. `reason` of the fault is the caller's to free. */
int ckt_ck_state(struct ckt_span line, bool ended, enum ckt_direction direction, enum ckt_rules rules,
                 struct ckt_ck_statement *statement, struct ckt_ck_fault *fault);

/* Fills the fault; `at` points into the line. Returns CKT_E_INPUT. */
int ckt_ck_fail(struct ckt_ck_fault *fault, enum ckt_ck_fault_type type, const char *at, const char *format,
                ...) __attribute__((format(printf, 4, 5)));
/* Appends the line as the generator shows it. */
void ckt_ck_quote_line(const struct ckt_ck_statement *statement, struct ckt_text *text);

const char *ckt_ck_fault_word(enum ckt_ck_fault_type type);
const char *ckt_ck_field_words(enum ckt_ck_field field);

#endif
