#include "bench/hipsim/sim_cu_loop.h"

#include <stdlib.h>

/* The iterations behind the cut: the loop's end and what follows it find the state they would find. */
enum { AFTER = 2, LEAST_ITERATIONS = 8, HEADERS = 64 };

/* A step that goes back in the code is the end of an iteration; where it goes to is the loop's header. */
static bool goes_back(const struct sim_cu_wave *wave, uint32_t step) {
  return step + 1 < wave->count && wave->steps[step + 1].at <= wave->steps[step].at;
}

struct header {
  uint32_t at, visits, first, last;
};

/* The header of the innermost loop that covers most of the wave: that with most iterations among those whose first and
 * last one span at least a third of the steps. */
static bool find_header(const struct sim_cu_wave *wave, uint32_t *at) {
  struct header headers[HEADERS];
  uint32_t count = 0;
  for (uint32_t i = 0; i + 1 < wave->count; ++i) {
    if (!goes_back(wave, i))
      continue;
    const uint32_t to = wave->steps[i + 1].at;
    uint32_t h = 0;
    while (h < count && headers[h].at != to)
      ++h;
    if (h == HEADERS)
      continue;
    if (h == count)
      headers[count++] = (struct header){.at = to, .first = i};
    ++headers[h].visits;
    headers[h].last = i;
  }
  const struct header *best = NULL;
  for (uint32_t h = 0; h < count; ++h)
    if ((headers[h].last - headers[h].first) / 2 >= wave->count / 6 &&
        (best == NULL || headers[h].visits > best->visits))
      best = &headers[h];
  if (best != NULL)
    *at = best->at;
  return best != NULL;
}

/* Steps at which an iteration begins, NULL when memory runs out. */
static uint32_t *find_iterations(const struct sim_cu_wave *wave, uint32_t header, uint32_t *count) {
  uint32_t capacity = 0;
  for (uint32_t i = 0; i + 1 < wave->count; ++i)
    capacity += goes_back(wave, i) && wave->steps[i + 1].at == header;
  uint32_t *iterations = malloc((capacity + 1) * sizeof *iterations);
  *count = 0;
  for (uint32_t i = 0; iterations != NULL && i + 1 < wave->count; ++i)
    if (goes_back(wave, i) && wave->steps[i + 1].at == header)
      iterations[(*count)++] = i + 1;
  return iterations;
}

static void no_cut(const struct sim_cu_trace *trace, struct sim_cu_cut *cut) {
  *cut = (struct sim_cu_cut){.left_out = 0};
  for (uint32_t i = 0; i < trace->waves; ++i) {
    cut->begin[i] = cut->from[i] = cut->stop[i] = cut->end[i] = UINT32_MAX;
    cut->steps += trace->wave[i].count;
  }
}

/* Cuts one wave: iterations [first, last) go. Returns the steps left out; *window is those of [from, first). */
static uint32_t cut_wave(struct sim_cu_cut *cut, uint32_t wave, const uint32_t *iterations, uint32_t count,
                         uint32_t first, uint32_t last, uint32_t *window) {
  const uint32_t from = first / 2;
  cut->begin[wave] = iterations[0];
  cut->from[wave] = iterations[from];
  cut->stop[wave] = iterations[first];
  cut->resume[wave] = iterations[last];
  cut->end[wave] = iterations[count - 1];
  *window = iterations[first] - iterations[from];
  return iterations[last] - iterations[first];
}

struct places {
  uint32_t *iterations[SIM_CU_MAX_WAVES];
  uint32_t count[SIM_CU_MAX_WAVES];
  uint32_t least; /* iterations of the wave that has fewest */
};

static bool find_places(const struct sim_cu_trace *trace, struct places *places) {
  uint32_t header;
  if (trace->waves == 0 || !find_header(&trace->wave[0], &header))
    return false;
  places->least = UINT32_MAX;
  for (uint32_t i = 0; i < trace->waves; ++i) {
    places->iterations[i] = find_iterations(&trace->wave[i], header, &places->count[i]);
    if (places->iterations[i] == NULL)
      return false;
    if (places->count[i] < places->least)
      places->least = places->count[i];
  }
  return true;
}

void sim_cu_cut_find(const struct sim_cu_trace *trace, uint32_t keep, struct sim_cu_cut *cut) {
  struct places places = {.least = 0};
  no_cut(trace, cut);
  const bool found = find_places(trace, &places);
  if (found && places.least > LEAST_ITERATIONS + AFTER + 1) {
    const uint32_t *first = places.iterations[0];
    const uint32_t body = (first[places.least - 1] - first[0]) / (places.least - 1);
    uint32_t kept = keep / (body > 0 ? body : 1) / 2 * 2;
    kept = kept < LEAST_ITERATIONS ? LEAST_ITERATIONS : kept;
    const uint32_t last = places.least - 1 - AFTER;
    uint64_t window = 0, out = 0;
    for (uint32_t i = 0; i < trace->waves && kept < last; ++i) {
      uint32_t part;
      out += cut_wave(cut, i, places.iterations[i], places.count[i], kept, last, &part);
      window += part;
    }
    cut->left_out = window > 0 ? (double)out / (double)window : 0;
    cut->steps -= out;
  }
  for (uint32_t i = 0; i < trace->waves; ++i)
    free(places.iterations[i]);
}
