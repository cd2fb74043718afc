/* What became of each line of an instance list.
 *
 * A list is read to its end whatever its lines hold, so that all bad lines can be shown at once; nothing is
 * printed here. */
#ifndef CKT_GEN_OUTCOME_H
#define CKT_GEN_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

#include "common/text.h"
#include "gen/instance.h"
#include "gen/rules.h"
#include "gen/space.h"
#include "gen/span.h"

/* Rows: name, word. */
#define CKT_OUTCOME_STATUSES(ROW)                                                                            \
  ROW(CKT_OUTCOME_INSTANCE, "instance")                                                                      \
  ROW(CKT_OUTCOME_COMMENT, "comment") /* nothing to read: a comment, a disabled line, a blank one */         \
  ROW(CKT_OUTCOME_SKIPPED, "skipped") /* understood, but not to be generated */                              \
  ROW(CKT_OUTCOME_SPACE, "space")     /* sets: instances that are not in the list of outcomes one by one */  \
  ROW(CKT_OUTCOME_REJECTED,                                                                                  \
      "rejected") /* a point of a space that is not kept; never in the list of outcomes */                   \
  ROW(CKT_OUTCOME_ERROR, "error")

enum ckt_outcome_status {
#define ROW(name, word) name,
  CKT_OUTCOME_STATUSES(ROW)
#undef ROW
      CKT_OUTCOME_STATUS_COUNT
};

/* Rows: name, word. When Composable Kernel's generator would stop: while it reads the list, or with a part of
 * the files written. */
#define CKT_OUTCOME_STAGES(ROW)                                                                              \
  ROW(CKT_STAGE_PARSE, "parse")                                                                              \
  ROW(CKT_STAGE_GENERATE, "generate")

enum ckt_outcome_stage {
#define ROW(name, word) name,
  CKT_OUTCOME_STAGES(ROW)
#undef ROW
};

/* Rows: suffix, member of struct ckt_instance. The numbers that are written into sources. */
#define CKT_OUTCOME_NUMBERS(ROW)                                                                             \
  ROW(TILE_M, tile[CKT_M])                                                                                   \
  ROW(TILE_N, tile[CKT_N])                                                                                   \
  ROW(TILE_K, tile[CKT_K])                                                                                   \
  ROW(WARPS_M, warps[CKT_M])                                                                                 \
  ROW(WARPS_N, warps[CKT_N])                                                                                 \
  ROW(WARPS_K, warps[CKT_K])                                                                                 \
  ROW(WARP_TILE_M, warp_tile[CKT_M])                                                                         \
  ROW(WARP_TILE_N, warp_tile[CKT_N])                                                                         \
  ROW(WARP_TILE_K, warp_tile[CKT_K])                                                                         \
  ROW(VECTOR_A, vector[CKT_A])                                                                               \
  ROW(VECTOR_B, vector[CKT_B])                                                                               \
  ROW(VECTOR_C, vector[CKT_C])                                                                               \
  ROW(GROUPS_TO_MERGE, num_groups_to_merge)

enum ckt_outcome_number {
#define ROW(suffix, member) CKT_NUMBER_##suffix,
  CKT_OUTCOME_NUMBERS(ROW)
#undef ROW
      CKT_OUTCOME_NUMBER_COUNT
};

/* By the seed's rules a number may be longer than any integer type, and the words of a pipeline and of the
 * groups to merge may be any text. Such texts, as a source shows them; NULL where the instance says it all. */
struct ckt_exact_texts {
  char *numbers[CKT_OUTCOME_NUMBER_COUNT];
  char *pipeline;
};

struct ckt_line_outcome {
  int64_t line; /* 0-based, the instance's id */
  enum ckt_outcome_status status;
  struct ckt_span text; /* the line without its end; points into the list's text */
  /* Instances (and skipped lines, as far as they were read). */
  struct ckt_instance instance;
  struct ckt_span specialization; /* the line's own word for it, "OddC"; empty when it has none */
  struct ckt_exact_texts *exact;  /* NULL unless the instance cannot hold what the line says */
  /* Spaces. */
  struct ckt_space *space; /* owned */
  int64_t kept;            /* points of it that some device can run */
  /* Points of spaces (ckt_outcome_of_point). */
  bool is_point;
  int64_t point;    /* its number in the product */
  const char *rule; /* why it is not kept */
  /* Skipped lines and errors. */
  char *reason;           /* skipped: the message to be printed; error: the words of the exception */
  char *sentence;         /* error: what is wrong, for a person */
  size_t column;          /* error: 1-based, in bytes */
  const char *error_type; /* error: "ValueError" and so on; by the hardware's rules the name of our code */
  enum ckt_outcome_stage stage; /* error */
};

struct ckt_outcome_request {
  enum ckt_rules rules;
  struct ckt_problem_defaults kind; /* what the list is read as */
  /* The name of the list in messages and of its instances before their "_17"; NULL: the usual one,
   * grouped_convolution_forward_tile_nhwgc_fp16. */
  const char *problem_name;
  bool dtype_unknown; /* seed: the list's name has no data type, which is an error of each of its lines */
};

struct ckt_outcome_list {
  char *path; /* owned */
  struct ckt_text text;
  struct ckt_line_outcome *items; /* one a line, in order */
  size_t count;
  size_t counts[CKT_OUTCOME_STATUS_COUNT];
};

/* What a list is called in messages: "-" is "stdin". */
const char *ckt_list_name(const char *path);
/* Reads every line of a list; "-" is stdin. Bad lines are no failure: they are in the list. CKT_E_INPUT when
 * the file cannot be read. The caller frees the list, also after a failure. */
int ckt_outcomes_read(const char *path, const struct ckt_outcome_request *request,
                      struct ckt_outcome_list *list, struct ckt_error *error);
void ckt_outcomes_free(struct ckt_outcome_list *list);
/* Appends "path:line:column: sentence\n" of one bad line, or of every one. */
void ckt_outcome_report(const struct ckt_outcome_list *list, const struct ckt_line_outcome *outcome,
                        struct ckt_text *text);
void ckt_outcomes_report(const struct ckt_outcome_list *list, struct ckt_text *text);

/* The outcome of the point at hand of a walk through a space; it borrows from both and is not to be freed. */
struct ckt_line_outcome ckt_outcome_of_point(const struct ckt_line_outcome *space,
                                             struct ckt_space_walk *walk);

const char *ckt_outcome_status_word(enum ckt_outcome_status status);
const char *ckt_outcome_stage_word(enum ckt_outcome_stage stage);
/* Appends a number as a source shows it. */
void ckt_outcome_number(const struct ckt_line_outcome *outcome, enum ckt_outcome_number number,
                        struct ckt_text *text);
/* Appends the pipeline in capitals: V1, ASYNC_V4. */
void ckt_outcome_pipeline(const struct ckt_line_outcome *outcome, struct ckt_text *text);

#endif
