/* A grouped convolution: what is tuned for.
 *
 * Tensors are NHWGC (input), GKYXC (weight), NHWGK (output), in 3D NDHWGC, GKZYXC, NDHWGK; C and K are per
 * group. The three spatial extents are always there, in the order depth, height, width; a 2D problem has
 * depth 1, filter depth 1, stride 1, dilation 1 and no depth padding. */
#ifndef CKT_GEN_PROBLEM_H
#define CKT_GEN_PROBLEM_H

#include <stdint.h>

#include "common/error.h"
#include "common/text.h"

/* Rows: name, word in keys ("fwd"), word in options and lists ("forward"). */
#define CKT_DIRECTIONS(ROW)                                                                                  \
  ROW(CKT_FORWARD, "fwd", "forward")                                                                         \
  ROW(CKT_BACKWARD_DATA, "bwdd", "backward_data")                                                            \
  ROW(CKT_BACKWARD_WEIGHT, "bwdw", "backward_weight")

/* Rows: name, word, bytes an element. */
#define CKT_DTYPES(ROW)                                                                                      \
  ROW(CKT_FP32, "fp32", 4)                                                                                   \
  ROW(CKT_FP16, "fp16", 2)                                                                                   \
  ROW(CKT_BF16, "bf16", 2)

enum ckt_direction {
#define ROW(name, key, word) name,
  CKT_DIRECTIONS(ROW)
#undef ROW
};

enum ckt_dtype {
#define ROW(name, word, bytes) name,
  CKT_DTYPES(ROW)
#undef ROW
};

enum { CKT_DEPTH, CKT_HEIGHT, CKT_WIDTH, CKT_AXES };

struct ckt_problem {
  enum ckt_direction direction;
  enum ckt_dtype dtype;
  int spatial; /* 2 or 3 */
  int64_t g;   /* groups */
  int64_t n;   /* batch */
  int64_t k;   /* output channels per group */
  int64_t c;   /* input channels per group */
  int64_t in[CKT_AXES];
  int64_t filter[CKT_AXES];
  int64_t stride[CKT_AXES];
  int64_t dilation[CKT_AXES];
  int64_t pad_left[CKT_AXES];
  int64_t pad_right[CKT_AXES];
};

/* What a SPEC does not say. */
struct ckt_problem_defaults {
  enum ckt_direction direction;
  enum ckt_dtype dtype;
  int spatial;
};

/* Longest canonical key, with its NUL. */
#define CKT_PROBLEM_KEY_MAX 512

/* Reads a SPEC: positional, named, or a canonical key (README, "Problems"); fills *problem and validates it.
 * In the positional and named forms C and K are totals over the groups. CKT_E_INPUT names the number or the
 * name that is wrong, what was read and what was expected. */
int ckt_problem_parse(const char *spec, const struct ckt_problem_defaults *defaults,
                      struct ckt_problem *problem, struct ckt_error *error);
/* The same; *column (may be NULL) receives the 1-based column of the fault. */
int ckt_problem_parse_at(const char *spec, const struct ckt_problem_defaults *defaults,
                         struct ckt_problem *problem, size_t *column, struct ckt_error *error);

/* CKT_OK when every extent is positive, pads are not negative, the filter fits into the padded input, and
 * every element count, byte size and FLOP count fits into 63 bits. */
int ckt_problem_check(const struct ckt_problem *problem, struct ckt_error *error);

/* The canonical key: fwd-fp16-nhwgc-g1-n128-k256-c256-in14x14-fil3x3-s1x1-d1x1-pl1x1-pr1x1. */
void ckt_problem_key(const struct ckt_problem *problem, char key[CKT_PROBLEM_KEY_MAX]);
/* What was understood, with names, for a person: "forward fp16 2D, G=1 N=128 C=256 K=256 (per group), input
 * 14x14, ...". */
void ckt_problem_describe(const struct ckt_problem *problem, struct ckt_text *text);

/* The rest needs a problem that passed ckt_problem_check. */
void ckt_problem_output(const struct ckt_problem *problem, int64_t output[CKT_AXES]); /* Do, Ho, Wo */
int64_t ckt_problem_input_elements(const struct ckt_problem *problem);                /* N*Di*Hi*Wi*G*C */
int64_t ckt_problem_weight_elements(const struct ckt_problem *problem);               /* G*K*Z*Y*X*C */
int64_t ckt_problem_output_elements(const struct ckt_problem *problem);               /* N*Do*Ho*Wo*G*K */
/* Algorithmic: 2*G*N*K*C*Do*Ho*Wo*Z*Y*X, padding taps included, the same for every kernel and direction. */
int64_t ckt_problem_flops(const struct ckt_problem *problem);
/* Least traffic: every element of the three tensors moved once. */
int64_t ckt_problem_bytes(const struct ckt_problem *problem);

/* A list of problems, one a line, # comments. Bad lines are reported in `errors` (one sentence a line, each
 * with file:line:column) and left out. The caller frees with ckt_problem_list_free. */
struct ckt_problem_list {
  struct ckt_problem *items;
  size_t count;
  size_t bad_lines;
};
int ckt_problem_list_read(const char *path, const struct ckt_problem_defaults *defaults,
                          struct ckt_problem_list *list, struct ckt_text *errors,
                          struct ckt_error *error); /* path "-": stdin */
void ckt_problem_list_free(struct ckt_problem_list *list);

const char *ckt_direction_word(enum ckt_direction direction); /* "forward" */
const char *ckt_dtype_word(enum ckt_dtype dtype);             /* "fp16" */
int64_t ckt_dtype_bytes(enum ckt_dtype dtype);
/* "nhwgc" or "ndhwgc". */
const char *ckt_layout_word(int spatial);
/* Words of options, with their aliases (fwd, bwd, wrw ...). CKT_E_USAGE lists the words that are known. */
int ckt_direction_parse(const char *word, enum ckt_direction *direction, struct ckt_error *error);
int ckt_dtype_parse(const char *word, enum ckt_dtype *dtype, struct ckt_error *error);

#endif
