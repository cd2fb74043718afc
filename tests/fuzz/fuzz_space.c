/* A line with sets and a `where` clause, and the same bytes as a condition alone. A point that is kept is a line that
 * reads back as the same instance; what is refused is refused at a place inside the line or just behind it. */
#include <stdlib.h>
#include <string.h>

#include "fuzz_target.h"
#include "gen/space.h"
#include "gen/where.h"

/* Points looked at: a space may have very many. */
#define POINTS_MAX 60

static const struct ckt_problem_defaults defaults = {
    .direction = CKT_FORWARD, .dtype = CKT_FP16, .spatial = 2};

static void check_fault(int status, const struct ckt_error *error, struct ckt_span line,
                        struct ckt_span fault) {
  FUZZ_REQUIRE(status == CKT_E_INPUT && error->code == status && error->text[0] != '\0');
  FUZZ_REQUIRE(fault.text >= line.text && fault.text + fault.length <= line.text + line.length);
}

static void check_point(const struct ckt_space *space, const struct ckt_space_walk *walk) {
  char key[CKT_INSTANCE_KEY_MAX], again[CKT_INSTANCE_KEY_MAX];
  struct ckt_instance read;
  char *line = ckt_space_point_line(space, &walk->instance);
  FUZZ_REQUIRE(line != NULL && ckt_instance_parse(line, &defaults, &read, NULL, NULL) == CKT_OK);
  free(line);
  ckt_instance_key(&walk->instance, key);
  ckt_instance_key(&read, again);
  FUZZ_REQUIRE(strcmp(key, again) == 0);
}

static void walk_space(const struct ckt_space *space, struct ckt_span line, bool all) {
  struct ckt_space_walk walk;
  struct ckt_span fault = line;
  struct ckt_error error = {0};
  int64_t last = -1;
  bool more = true;
  ckt_space_start(&walk, space, NULL, all);
  for (int points = 0; points < POINTS_MAX && more; points++) {
    const int status = ckt_space_next(&walk, &more, &fault, &error);
    if (status != CKT_OK) {
      check_fault(status, &error, line, fault);
      return;
    }
    if (!more)
      break;
    FUZZ_REQUIRE(walk.number > last && walk.number < ckt_space_size(space));
    FUZZ_REQUIRE(!all || walk.number == last + 1);
    FUZZ_REQUIRE((walk.rule == NULL) == (walk.reason[0] == '\0'));
    last = walk.number;
    if (walk.rule == NULL)
      check_point(space, &walk);
  }
}

static void read_space(struct ckt_span line) {
  struct ckt_space *space;
  struct ckt_span fault;
  struct ckt_error error = {0};
  const int status = ckt_space_parse(line, &defaults, &space, &fault, &error);
  if (status != CKT_OK) {
    check_fault(status, &error, line, fault);
    return;
  }
  /* Spaces that keep few of many points are walked elsewhere (tests/perf). */
  FUZZ_REQUIRE(ckt_space_size(space) >= 1 && ckt_space_size(space) <= CKT_SPACE_POINTS_MAX);
  walk_space(space, line, true);
  if (ckt_space_size(space) <= 1000)
    walk_space(space, line, false);
  ckt_space_free(space);
}

static void read_condition(struct ckt_span text) {
  static const struct ckt_instance instance = {.dtype = CKT_FP16,
                                               .spatial = 2,
                                               .tile = {128, 64, 32},
                                               .warps = {2, 2, 1},
                                               .warp_tile = {32, 32, 8},
                                               .vector = {8, 8, 4},
                                               .split_k = 1,
                                               .num_wave_groups = 1,
                                               .num_groups_to_merge = 1,
                                               .block_size = 256};
  struct ckt_where *where;
  struct ckt_span fault = text;
  struct ckt_error error = {0};
  bool holds = false;
  int status = ckt_where_parse(text, &where, &fault, &error);
  if (status == CKT_OK) {
    status = ckt_where_holds(where, &instance, &holds, &fault, &error);
    ckt_where_free(where);
  }
  if (status != CKT_OK)
    check_fault(status, &error, text, fault);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *line = fuzz_string(data, size);
  read_space(ckt_span_of(line));
  read_condition(ckt_span_of(line));
  free(line);
  return 0;
}
