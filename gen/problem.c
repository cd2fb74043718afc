#include "gen/problem.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/number.h"

static const char *const direction_keys[] = {
#define ROW(name, key, word) key,
    CKT_DIRECTIONS(ROW)
#undef ROW
};

static const char *const direction_words[] = {
#define ROW(name, key, word) word,
    CKT_DIRECTIONS(ROW)
#undef ROW
};

static const struct {
  const char *word;
  int64_t bytes;
} dtypes[] = {
#define ROW(name, word, bytes) {word, bytes},
    CKT_DTYPES(ROW)
#undef ROW
};

/* Words of options beside the table's own. "wrw" is MIOpen's word for the weight gradient. */
static const struct {
  const char *word;
  enum ckt_direction direction;
} direction_aliases[] = {
    {"fwd", CKT_FORWARD},          {"bwd", CKT_BACKWARD_DATA},   {"bwd_data", CKT_BACKWARD_DATA},
    {"bwdd", CKT_BACKWARD_DATA},   {"wrw", CKT_BACKWARD_WEIGHT}, {"bwd_weight", CKT_BACKWARD_WEIGHT},
    {"bwdw", CKT_BACKWARD_WEIGHT},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

const char *ckt_direction_word(enum ckt_direction direction) {
  return direction_words[direction];
}

const char *ckt_dtype_word(enum ckt_dtype dtype) {
  return dtypes[dtype].word;
}

int64_t ckt_dtype_bytes(enum ckt_dtype dtype) {
  return dtypes[dtype].bytes;
}

const char *ckt_layout_word(int spatial) {
  return spatial == 3 ? "ndhwgc" : "nhwgc";
}

int ckt_direction_parse(const char *word, enum ckt_direction *direction, struct ckt_error *error) {
  for (size_t i = 0; i < COUNT(direction_words); i++)
    if (strcmp(word, direction_words[i]) == 0) {
      *direction = (enum ckt_direction)i;
      return CKT_OK;
    }
  for (size_t i = 0; i < COUNT(direction_aliases); i++)
    if (strcmp(word, direction_aliases[i].word) == 0) {
      *direction = direction_aliases[i].direction;
      return CKT_OK;
    }
  return ckt_fail(error, CKT_E_USAGE,
                  "the direction \"%.48s\" is not known: use forward (fwd), backward_data (bwd) or "
                  "backward_weight (wrw)",
                  word);
}

int ckt_dtype_parse(const char *word, enum ckt_dtype *dtype, struct ckt_error *error) {
  for (size_t i = 0; i < COUNT(dtypes); i++)
    if (strcmp(word, dtypes[i].word) == 0) {
      *dtype = (enum ckt_dtype)i;
      return CKT_OK;
    }
  return ckt_fail(error, CKT_E_USAGE, "the data type \"%.48s\" is not known: use fp32, fp16 or bf16", word);
}

/* Extents of one kind, "14x14" or "8x14x14". */
struct extents_text {
  char text[72];
};

static struct extents_text extents(const int64_t values[CKT_AXES], int spatial) {
  struct extents_text out;
  if (spatial == 3)
    snprintf(out.text, sizeof out.text, "%" PRId64 "x%" PRId64 "x%" PRId64, values[CKT_DEPTH],
             values[CKT_HEIGHT], values[CKT_WIDTH]);
  else
    snprintf(out.text, sizeof out.text, "%" PRId64 "x%" PRId64, values[CKT_HEIGHT], values[CKT_WIDTH]);
  return out;
}

void ckt_problem_key(const struct ckt_problem *problem, char key[CKT_PROBLEM_KEY_MAX]) {
  const struct ckt_problem *p = problem;
  snprintf(key, CKT_PROBLEM_KEY_MAX,
           "%s-%s-%s-g%" PRId64 "-n%" PRId64 "-k%" PRId64 "-c%" PRId64 "-in%s-fil%s-s%s-d%s-pl%s-pr%s",
           direction_keys[p->direction], dtypes[p->dtype].word, ckt_layout_word(p->spatial), p->g, p->n, p->k,
           p->c, extents(p->in, p->spatial).text, extents(p->filter, p->spatial).text,
           extents(p->stride, p->spatial).text, extents(p->dilation, p->spatial).text,
           extents(p->pad_left, p->spatial).text, extents(p->pad_right, p->spatial).text);
}

void ckt_problem_describe(const struct ckt_problem *problem, struct ckt_text *text) {
  const struct ckt_problem *p = problem;
  int64_t output[CKT_AXES];
  ckt_problem_output(p, output);
  ckt_text_printf(text, "%s %s %dD, G=%" PRId64 " N=%" PRId64 " C=%" PRId64 " K=%" PRId64 "%s",
                  direction_words[p->direction], dtypes[p->dtype].word, p->spatial, p->g, p->n, p->c, p->k,
                  p->g > 1 ? " (C and K per group)" : "");
  ckt_text_printf(text, ", input %s, filter %s, stride %s, dilation %s", extents(p->in, p->spatial).text,
                  extents(p->filter, p->spatial).text, extents(p->stride, p->spatial).text,
                  extents(p->dilation, p->spatial).text);
  if (memcmp(p->pad_left, p->pad_right, sizeof p->pad_left) == 0)
    ckt_text_printf(text, ", pad %s", extents(p->pad_left, p->spatial).text);
  else
    ckt_text_printf(text, ", left pad %s, right pad %s", extents(p->pad_left, p->spatial).text,
                    extents(p->pad_right, p->spatial).text);
  ckt_text_printf(text, ", output %s", extents(output, p->spatial).text);
}

/* Output extent along one axis, "out = (in + left + right - (dilation*(filter-1)+1)) / stride + 1", as in
 * the documentation of PyTorch's Conv2d. False when a sum does not fit; *padded < *reach: the filter does not. */
static bool output_extent(const struct ckt_problem *problem, int axis, int64_t *padded, int64_t *reach,
                          int64_t *output) {
  *padded = *reach = 0;
  if (!ckt_add_i64(problem->in[axis], problem->pad_left[axis], padded) ||
      !ckt_add_i64(*padded, problem->pad_right[axis], padded) ||
      !ckt_mul_i64(problem->filter[axis] - 1, problem->dilation[axis], reach) ||
      !ckt_add_i64(*reach, 1, reach))
    return false;
  *output = *padded >= *reach ? (*padded - *reach) / problem->stride[axis] + 1 : 0;
  return true;
}

void ckt_problem_output(const struct ckt_problem *problem, int64_t output[CKT_AXES]) {
  for (int axis = 0; axis < CKT_AXES; axis++) {
    int64_t padded, reach;
    output[axis] = 0;
    output_extent(problem, axis, &padded, &reach, &output[axis]);
  }
}

/* The product of positive numbers; 0 when it does not fit into 63 bits. */
static int64_t product(const int64_t *factors, size_t count) {
  int64_t result = 1;
  for (size_t i = 0; i < count; i++)
    if (!ckt_mul_i64(result, factors[i], &result))
      return 0;
  return result;
}

#define PRODUCT(...) product((const int64_t[]){__VA_ARGS__}, COUNT(((const int64_t[]){__VA_ARGS__})))

int64_t ckt_problem_input_elements(const struct ckt_problem *problem) {
  const int64_t *in = problem->in;
  return PRODUCT(problem->n, in[CKT_DEPTH], in[CKT_HEIGHT], in[CKT_WIDTH], problem->g, problem->c);
}

int64_t ckt_problem_weight_elements(const struct ckt_problem *problem) {
  const int64_t *filter = problem->filter;
  return PRODUCT(problem->g, problem->k, filter[CKT_DEPTH], filter[CKT_HEIGHT], filter[CKT_WIDTH],
                 problem->c);
}

int64_t ckt_problem_output_elements(const struct ckt_problem *problem) {
  int64_t out[CKT_AXES];
  ckt_problem_output(problem, out);
  return PRODUCT(problem->n, out[CKT_DEPTH], out[CKT_HEIGHT], out[CKT_WIDTH], problem->g, problem->k);
}

int64_t ckt_problem_flops(const struct ckt_problem *problem) {
  const int64_t *filter = problem->filter;
  int64_t out[CKT_AXES];
  ckt_problem_output(problem, out);
  return PRODUCT(2, problem->g, problem->n, problem->k, problem->c, out[CKT_DEPTH], out[CKT_HEIGHT],
                 out[CKT_WIDTH], filter[CKT_DEPTH], filter[CKT_HEIGHT], filter[CKT_WIDTH]);
}

int64_t ckt_problem_bytes(const struct ckt_problem *problem) {
  const int64_t elements[] = {ckt_problem_input_elements(problem), ckt_problem_weight_elements(problem),
                              ckt_problem_output_elements(problem)};
  int64_t sum = 0;
  for (size_t i = 0; i < COUNT(elements); i++)
    if (elements[i] == 0 || !ckt_add_i64(sum, elements[i], &sum))
      return 0;
  return PRODUCT(sum, dtypes[problem->dtype].bytes);
}

static const char axis_letter[CKT_AXES] = {'d', 'h', 'w'};
static const char tap_letter[CKT_AXES] = {'z', 'y', 'x'};

static int check_least(const char *name, char axis, int64_t value, int64_t least, struct ckt_error *error) {
  if (value >= least)
    return CKT_OK;
  const char letter[2] = {axis, '\0'};
  return ckt_fail(error, CKT_E_INPUT, "%s%s is %" PRId64 ", expected %" PRId64 " or more", name, letter,
                  value, least);
}

static int check_extents(const struct ckt_problem *p, int axis, struct ckt_error *error) {
  const char tap = tap_letter[axis];
  CKT_TRY(check_least("the input extent ", axis_letter[axis], p->in[axis], 1, error));
  CKT_TRY(check_least("the filter extent ", tap, p->filter[axis], 1, error));
  CKT_TRY(check_least("the stride s", tap, p->stride[axis], 1, error));
  CKT_TRY(check_least("the dilation d", tap, p->dilation[axis], 1, error));
  CKT_TRY(check_least("the left pad lp", tap, p->pad_left[axis], 0, error));
  return check_least("the right pad rp", tap, p->pad_right[axis], 0, error);
}

static int check_fit(const struct ckt_problem *p, int axis, struct ckt_error *error) {
  static const char *const names[CKT_AXES] = {"depth", "height", "width"};
  int64_t padded, reach, output;
  if (!output_extent(p, axis, &padded, &reach, &output))
    return ckt_fail(error, CKT_E_INPUT,
                    "the %s of the padded input or of the dilated filter is too large: it "
                    "does not fit into 63 bits",
                    names[axis]);
  if (padded >= reach)
    return CKT_OK;
  return ckt_fail(error, CKT_E_INPUT,
                  "the filter is larger than the padded input: along the %s %" PRId64
                  " taps with dilation %" PRId64 " span %" PRId64 ", but the input of %" PRId64
                  " with pads %" PRId64 " and %" PRId64 " has only %" PRId64,
                  names[axis], p->filter[axis], p->dilation[axis], reach, p->in[axis], p->pad_left[axis],
                  p->pad_right[axis], padded);
}

/* Where nothing is said of the depth, it must change nothing. */
static int check_flat_depth(const struct ckt_problem *p, struct ckt_error *error) {
  const bool flat = p->in[CKT_DEPTH] == 1 && p->filter[CKT_DEPTH] == 1 && p->stride[CKT_DEPTH] == 1 &&
                    p->dilation[CKT_DEPTH] == 1 && p->pad_left[CKT_DEPTH] == 0 &&
                    p->pad_right[CKT_DEPTH] == 0;
  if (p->spatial == 3 || flat)
    return CKT_OK;
  return ckt_fail(error, CKT_E_INPUT,
                  "a 2D problem has a depth of its own: make it 3D, or give depth, filter "
                  "depth, stride and dilation 1 and no depth padding");
}

static int check_sizes(const struct ckt_problem *p, struct ckt_error *error) {
  const struct {
    const char *name;
    int64_t value;
  } sizes[] = {{"channels C of all groups", PRODUCT(p->g, p->c)},
               {"channels K of all groups", PRODUCT(p->g, p->k)},
               {"elements of the input", ckt_problem_input_elements(p)},
               {"elements of the weight", ckt_problem_weight_elements(p)},
               {"elements of the output", ckt_problem_output_elements(p)},
               {"bytes of the three tensors", ckt_problem_bytes(p)},
               {"floating-point operations", ckt_problem_flops(p)}};
  for (size_t i = 0; i < COUNT(sizes); i++)
    if (sizes[i].value == 0)
      return ckt_fail(error, CKT_E_INPUT,
                      "the problem is too large: the number of %s does not fit into 63 bits", sizes[i].name);
  return CKT_OK;
}

int ckt_problem_check(const struct ckt_problem *problem, struct ckt_error *error) {
  const struct ckt_problem *p = problem;
  if (p->spatial != 2 && p->spatial != 3)
    return ckt_fail(error, CKT_E_INPUT, "%d spatial dimensions are not possible, expected 2 or 3",
                    p->spatial);
  CKT_TRY(check_least("the number of groups G", '\0', p->g, 1, error));
  CKT_TRY(check_least("the batch size N", '\0', p->n, 1, error));
  CKT_TRY(check_least("the number of input channels C", '\0', p->c, 1, error));
  CKT_TRY(check_least("the number of output channels K", '\0', p->k, 1, error));
  for (int axis = 0; axis < CKT_AXES; axis++)
    CKT_TRY(check_extents(p, axis, error));
  CKT_TRY(check_flat_depth(p, error));
  for (int axis = 0; axis < CKT_AXES; axis++)
    CKT_TRY(check_fit(p, axis, error));
  return check_sizes(p, error);
}
