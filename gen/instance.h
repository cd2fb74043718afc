/* A kernel instance: every quantity that makes one kernel different from another. */
#ifndef CKT_GEN_INSTANCE_H
#define CKT_GEN_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/problem.h"

/* Rows: name, word in our own lists, name in Composable Kernel's output. */
#define CKT_SPECIALIZATIONS(ROW)                                                                             \
  ROW(CKT_SPEC_DEFAULT, "default", "DEFAULT")                                                                \
  ROW(CKT_SPEC_FILTER_1X1_PAD0, "filter1x1_pad0", "FILTER_1X1_PAD0")                                         \
  ROW(CKT_SPEC_FILTER_1X1_STRIDE1_PAD0, "filter1x1_stride1_pad0", "FILTER_1X1_STRIDE1_PAD0")                 \
  ROW(CKT_SPEC_FILTER_3X3, "filter3x3", "FILTER_3x3")

/* Rows: name, word. */
#define CKT_PIPELINES(ROW)                                                                                   \
  ROW(CKT_PIPELINE_V1, "v1")                                                                                 \
  ROW(CKT_PIPELINE_V2, "v2")                                                                                 \
  ROW(CKT_PIPELINE_V3, "v3")                                                                                 \
  ROW(CKT_PIPELINE_V4, "v4")                                                                                 \
  ROW(CKT_PIPELINE_V5, "v5")                                                                                 \
  ROW(CKT_PIPELINE_V6, "v6")                                                                                 \
  ROW(CKT_PIPELINE_ASYNC_V1, "async_v1")                                                                     \
  ROW(CKT_PIPELINE_ASYNC_V4, "async_v4")                                                                     \
  ROW(CKT_PIPELINE_WAVELET, "wavelet")

#define CKT_SCHEDULERS(ROW)                                                                                  \
  ROW(CKT_INTRAWAVE, "intrawave")                                                                            \
  ROW(CKT_INTERWAVE, "interwave")

#define CKT_IMPLS(ROW) ROW(CKT_IMPL_CKTUNE, "cktune")

enum ckt_specialization {
#define ROW(name, word, ck) name,
  CKT_SPECIALIZATIONS(ROW)
#undef ROW
};

enum ckt_pipeline {
#define ROW(name, word) name,
  CKT_PIPELINES(ROW)
#undef ROW
      CKT_PIPELINE_COUNT
};

enum ckt_scheduler {
#define ROW(name, word) name,
  CKT_SCHEDULERS(ROW)
#undef ROW
};

enum ckt_impl {
#define ROW(name, word) name,
  CKT_IMPLS(ROW)
#undef ROW
};

enum { CKT_M, CKT_N, CKT_K, CKT_GEMM_DIMS };     /* index of tile, warps, warp_tile */
enum { CKT_A, CKT_B, CKT_C, CKT_GEMM_OPERANDS }; /* index of vector */

struct ckt_instance {
  enum ckt_direction direction;
  enum ckt_dtype dtype;
  int spatial; /* 2 or 3 */
  enum ckt_specialization specialization;
  int64_t tile[CKT_GEMM_DIMS];       /* of the GEMM a workgroup computes: M, N, and the K step of its loop */
  int64_t warps[CKT_GEMM_DIMS];      /* waves along M, N, K; K is 0 in odd lines (refused later) */
  int64_t warp_tile[CKT_GEMM_DIMS];  /* M and N of one MFMA (32 or 16), K a wave takes at once */
  int64_t vector[CKT_GEMM_OPERANDS]; /* elements of one global access: input, weight, output (forward) */
  enum ckt_pipeline pipeline;
  enum ckt_scheduler scheduler;
  bool double_smem_buffer;
  int64_t num_wave_groups;
  int64_t num_groups_to_merge;
  bool split_image;
  bool explicit_gemm;
  bool two_stage;
  int64_t split_k;
  bool specialize_shape; /* the problem's extents are compile-time constants */
  enum ckt_impl impl;
  int64_t block_size; /* threads of the workgroup as the line states it; warps x 64 when it states none */
};

/* Longest canonical text, with its NUL. */
#define CKT_INSTANCE_KEY_MAX 512

/* The key: every field including defaults in a fixed order, in the readable form, so that it can be read back
 * with ckt_instance_parse. It is the instance's identity everywhere. */
void ckt_instance_key(const struct ckt_instance *instance, char key[CKT_INSTANCE_KEY_MAX]);

/* Our own notation: name=value, with white space between, in any order; '#' starts a comment.
 *
 *   tile=128x128x32 warps=2x2x1 warp_tile=32x32x8 vector=8,8,8     must be given: M x N x K, and A,B,C
 *   spec=default pipeline=v1 scheduler=intrawave impl=cktune       what is not given has these values
 *   num_wave_groups=1 num_groups_to_merge=1 split_k=1
 *   double_smem_buffer=false split_image=false explicit_gemm=false two_stage=false specialize_shape=false
 *   block_size=N                                                   64 threads for each of the warps
 *   direction=forward dtype=fp16 spatial=2                         those of the list
 *
 * Composable Kernel's: OpName<argument,argument,...>, the kinds of gen/ck_statement.h, by the hardware's rules.
 * CK Tile's: GroupedConvolutionForwardKernel<field,field,...>, also BackwardData and BackwardWeight.
 * Arguments and fields count by position.
 *
 * Reads one line of any of them; which it is follows from the text: a name with a '<' behind it, or "Device" at its
 * start, is Composable Kernel's or CK Tile's. `defaults` gives what a line does not say; a line that contradicts it
 * (fp16 in a list read as fp32) is an error. With NULL instead the line must be a key. `column` (may be NULL) receives
 * the 1-based column of the fault. */
int ckt_instance_parse(const char *line, const struct ckt_problem_defaults *defaults,
                       struct ckt_instance *instance, size_t *column, struct ckt_error *error);

/* One entry of a list. */
struct ckt_instance_entry {
  struct ckt_instance instance;
  int64_t id; /* 0-based line number in its list */
  int64_t
      point;  /* its number in the product of the line's sets (gen/space.h); -1: the line is one instance */
  char *name; /* owned: grouped_convolution_forward_tile_nhwgc_fp16_17, of a point ..._17_42 */
  char *line; /* owned: the text as it stands in the list; of a point, that with its values */
};

struct ckt_instance_list {
  char *path;                         /* owned */
  struct ckt_instance_entry *entries; /* in order of the list; of one key the first alone */
  size_t count;
  size_t bad_lines; /* that were left out */
};

/* Reads a list. Bad lines make it CKT_E_INPUT; each of them is a line of `faults`, with file:line:column, what was read
 * and what was expected. With `faults` NULL the error is the first of them. */
int ckt_instance_list_read(const char *path, const struct ckt_problem_defaults *defaults,
                           struct ckt_instance_list *list, struct ckt_text *faults, struct ckt_error *error);
/* The same, but bad lines are left out and counted. */
int ckt_instance_list_read_good(const char *path, const struct ckt_problem_defaults *defaults,
                                struct ckt_instance_list *list, struct ckt_text *faults,
                                struct ckt_error *error);
void ckt_instance_list_free(struct ckt_instance_list *list);

const char *ckt_specialization_word(enum ckt_specialization specialization);
const char *ckt_pipeline_word(enum ckt_pipeline pipeline);
const char *ckt_scheduler_word(enum ckt_scheduler scheduler);

#endif
