/* What it takes to read instance lists: CPU time of the best of many rounds over all lists, and the peak of memory.
 *
 *   gen_bench_read seed|hardware LIST...
 *
 * Directions and data types are in the names: .../forward/profiler/nhwgc_fp16.conf. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "gen/outcome.h"

enum { ROUNDS = 200 };

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct ckt_problem_defaults kind_of(const char *path) {
  struct ckt_problem_defaults kind = {.spatial = strstr(path, "ndhwgc") != NULL ? 3 : 2};
  for (unsigned i = CKT_FP32; i <= CKT_BF16; i++)
    if (strstr(path, ckt_dtype_word((enum ckt_dtype)i)) != NULL)
      kind.dtype = (enum ckt_dtype)i;
  for (unsigned i = CKT_FORWARD; i <= CKT_BACKWARD_WEIGHT; i++)
    if (strstr(path, ckt_direction_word((enum ckt_direction)i)) != NULL)
      kind.direction = (enum ckt_direction)i;
  return kind;
}

struct sums {
  size_t lines, instances, bytes;
};

static int read_lists(enum ckt_rules rules, int count, char **paths, struct sums *sums) {
  *sums = (struct sums){0};
  for (int i = 0; i < count; i++) {
    const struct ckt_outcome_request request = {.rules = rules, .kind = kind_of(paths[i])};
    struct ckt_outcome_list list;
    struct ckt_error error;
    const int status = ckt_outcomes_read(paths[i], &request, &list, &error);
    if (status != CKT_OK)
      fprintf(stderr, "%s\n", error.text);
    sums->lines += list.count;
    sums->instances += list.counts[CKT_OUTCOME_INSTANCE];
    sums->bytes += list.text.length;
    ckt_outcomes_free(&list);
    if (status != CKT_OK)
      return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  const enum ckt_rules rules = strcmp(argv[1], "seed") == 0 ? CKT_RULES_SEED : CKT_RULES_HARDWARE;
  struct sums sums = {0};
  double best = 1e9;
  for (int round = 0; round < ROUNDS; round++) {
    const double start = cpu_seconds();
    if (read_lists(rules, argc - 2, argv + 2, &sums) != 0)
      return 1;
    const double taken = cpu_seconds() - start;
    best = taken < best ? taken : best;
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%-8s  %zu lines, %zu instances, %.0f kB: %.2f ms of CPU, %.0f ns a line, peak memory %.1f MiB\n",
         argv[1], sums.lines, sums.instances, (double)sums.bytes / 1000, 1e3 * best,
         1e9 * best / (double)sums.lines, (double)usage.ru_maxrss / 1024);
  return 0;
}
