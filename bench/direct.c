#include "bench/direct.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/parallel.h"
#include "common/number.h"

/* A block of outputs that fits the registers: PIXELS positions by CHANNELS output channels. */
enum { PIXELS = 4, CHANNELS = 8 };
/* Positions that share one packed panel of weights. */
enum { CHUNK = 256 };

_Static_assert(CHANNELS * sizeof(double) == CKT_DIRECT_PANEL_BYTES, "what direct.h promises");

struct sums {
  double value[PIXELS][CHANNELS];
  double square[PIXELS][CHANNELS];
};

/* The compiler makes one copy for each vector extension and picks when the program starts; all give the same
 * bits, since lanes are output channels and ISO C contracts nothing. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define VECTOR_COPIES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define VECTOR_COPIES
#endif

/* Adds the products of `length` input channels: rows[p][c] * panel[c][k]. */
VECTOR_COPIES
static void multiply(const float *const rows[PIXELS], const double *restrict panel, int64_t length,
                     struct sums *restrict sums) {
  struct sums local = *sums;
  for (int64_t c = 0; c < length; c++) {
    const double *weights = panel + c * CHANNELS;
    for (int p = 0; p < PIXELS; p++) {
      const double a = (double)rows[p][c];
      for (int k = 0; k < CHANNELS; k++) {
        const double product = a * weights[k]; /* exact: 24 bits by 24 bits */
        local.value[p][k] += product;
        local.square[p][k] += product * product;
      }
    }
  }
  *sums = local;
}

/* The problem's extents, as the loops want them. */
struct shape {
  const struct ckt_problem *p;
  int64_t out[CKT_AXES];
  int64_t taps;
  int64_t positions; /* N*Do*Ho*Wo */
  int64_t blocks;    /* of CHANNELS output channels in a group */
  int64_t chunks;    /* of CHUNK positions */
};

/* How far a tap's input lies from that of tap (0,0,0). */
struct tap {
  int64_t offset[CKT_AXES];
};

struct forward {
  const struct ckt_direct *direct;
  struct shape shape;
  double *panels; /* one a worker: taps * C * CHANNELS */
  float *zeros;   /* C of them: the input row of a tap in the padding */
  struct tap *taps;
};

static struct shape shape_of(const struct ckt_problem *p) {
  struct shape shape = {.p = p, .taps = p->filter[0] * p->filter[1] * p->filter[2]};
  ckt_problem_output(p, shape.out);
  shape.positions = p->n * shape.out[0] * shape.out[1] * shape.out[2];
  shape.blocks = ckt_ceil_div_i64(p->k, CHANNELS);
  shape.chunks = ckt_ceil_div_i64(shape.positions, CHUNK);
  return shape;
}

/* Weights of one block of output channels as [tap][c][CHANNELS]; channels beyond K are zero. */
static void pack_panel(const struct forward *forward, int64_t group, int64_t block, double *panel) {
  const struct ckt_problem *p = forward->shape.p;
  const int64_t length = forward->shape.taps * p->c;
  for (int64_t lane = 0; lane < CHANNELS; lane++) {
    const int64_t k = block * CHANNELS + lane;
    const float *row = forward->direct->wei + (group * p->k + k) * length;
    for (int64_t i = 0; i < length; i++)
      panel[i * CHANNELS + lane] = k < p->k ? (double)row[i] : 0.0;
  }
}

/* Where an output position reads: its image, and the input coordinate of tap (0,0,0). */
struct position {
  int64_t image;
  int64_t origin[CKT_AXES];
};

static struct position position_of(const struct shape *shape, int64_t index) {
  struct position position;
  for (int axis = CKT_AXES - 1; axis >= 0; axis--) {
    position.origin[axis] = index % shape->out[axis] * shape->p->stride[axis] - shape->p->pad_left[axis];
    index /= shape->out[axis];
  }
  position.image = index;
  return position;
}

static void fill_taps(const struct ckt_problem *p, int64_t count, struct tap *taps) {
  for (int64_t i = 0; i < count; i++) {
    int64_t rest = i;
    for (int axis = CKT_AXES - 1; axis >= 0; axis--) {
      taps[i].offset[axis] = rest % p->filter[axis] * p->dilation[axis];
      rest /= p->filter[axis];
    }
  }
}

/* The input row (C channels of a group) under a tap, or NULL in the padding. */
static const float *input_row(const struct forward *forward, const struct position *position,
                              const struct tap *tap, int64_t group) {
  const struct ckt_problem *p = forward->shape.p;
  int64_t pixel = position->image;
  for (int axis = 0; axis < CKT_AXES; axis++) {
    const int64_t at = position->origin[axis] + tap->offset[axis];
    if (at < 0 || at >= p->in[axis])
      return NULL;
    pixel = pixel * p->in[axis] + at;
  }
  return forward->direct->in + (pixel * p->g + group) * p->c;
}

/* Rounded up: the sum of squares is right to far less than a float's last place. */
static float magnitude_of(double square) {
  const double root = sqrt(square);
  const float value = (float)root;
  return (double)value < root ? nextafterf(value, INFINITY) : value;
}

static void store(const struct forward *forward, int64_t position, int64_t group, int64_t block,
                  int64_t terms, const double value[CHANNELS], const double square[CHANNELS]) {
  const struct ckt_problem *p = forward->shape.p;
  const struct ckt_direct *direct = forward->direct;
  const int64_t first = block * CHANNELS;
  const int64_t base = (position * p->g + group) * p->k + first;
  for (int64_t lane = 0; lane < CHANNELS && first + lane < p->k; lane++) {
    direct->out[base + lane] = value[lane];
    direct->magnitude[base + lane] = magnitude_of(square[lane]);
    if (direct->terms != NULL)
      direct->terms[base + lane] = terms;
  }
}

/* PIXELS positions from `first` on (or fewer, up to `end`), one block of output channels. */
static void compute_block(const struct forward *forward, int64_t first, int64_t end, int64_t group,
                          int64_t block, const double *panel) {
  const struct ckt_problem *p = forward->shape.p;
  const int count = end - first < PIXELS ? (int)(end - first) : PIXELS;
  struct position positions[PIXELS];
  int64_t terms[PIXELS] = {0};
  for (int i = 0; i < count; i++)
    positions[i] = position_of(&forward->shape, first + i);
  struct sums sums;
  memset(&sums, 0, sizeof sums);
  for (int64_t tap = 0; tap < forward->shape.taps; tap++) {
    const float *rows[PIXELS];
    bool any = false;
    for (int i = 0; i < PIXELS; i++) {
      const float *row = i < count ? input_row(forward, &positions[i], &forward->taps[tap], group) : NULL;
      rows[i] = row != NULL ? row : forward->zeros;
      terms[i] += row != NULL ? p->c : 0;
      any = any || row != NULL;
    }
    if (any)
      multiply(rows, panel + tap * p->c * CHANNELS, p->c, &sums);
  }
  for (int i = 0; i < count; i++)
    store(forward, first + i, group, block, terms[i], sums.value[i], sums.square[i]);
}

/* An item is a group, a chunk of positions, and a block of output channels: blocks go fastest, so that the
 * chunk's input and output stay in the cache. */
static void forward_item(void *context, int worker, int64_t item) {
  const struct forward *forward = context;
  const struct shape *shape = &forward->shape;
  const int64_t block = item % shape->blocks;
  const int64_t chunk = item / shape->blocks % shape->chunks;
  const int64_t group = item / shape->chunks / shape->blocks;
  double *panel = forward->panels + worker * shape->taps * shape->p->c * CHANNELS;
  pack_panel(forward, group, block, panel);
  const int64_t first = chunk * CHUNK;
  const int64_t end = first + CHUNK < shape->positions ? first + CHUNK : shape->positions;
  for (int64_t position = first; position < end; position += PIXELS)
    compute_block(forward, position, end, group, block, panel);
}

int ckt_direct_forward(const struct ckt_direct *direct, int workers, struct ckt_error *error) {
  struct forward forward = {.direct = direct, .shape = shape_of(direct->problem)};
  const struct shape *shape = &forward.shape;
  const int used = workers < 1 ? 1 : workers;
  const size_t panel = (size_t)(shape->taps * direct->problem->c) * CHANNELS;
  forward.panels = calloc((size_t)used, panel * sizeof *forward.panels);
  forward.zeros = calloc((size_t)direct->problem->c, sizeof *forward.zeros);
  int status = CKT_OK;
  forward.taps = calloc((size_t)shape->taps, sizeof *forward.taps);
  if (forward.panels == NULL || forward.zeros == NULL || forward.taps == NULL) {
    status =
        ckt_fail(error, CKT_E_NOMEM, "memory ran out for the reference: %zu bytes a thread for %d threads",
                 panel * sizeof *forward.panels, used);
  } else {
    fill_taps(direct->problem, shape->taps, forward.taps);
    ckt_parallel(used, direct->problem->g * shape->blocks * shape->chunks, forward_item, &forward);
  }
  free(forward.panels);
  free(forward.taps);
  free(forward.zeros);
  return status;
}
