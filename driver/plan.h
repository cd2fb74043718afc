/* What a run is to do: problems, the instances of each, and the code objects they need.
 *
 * Reading comes first and needs no device, so that wrong input is told before anything starts; preparing comes
 * when device and toolchain are known. */
#ifndef CKT_DRIVER_PLAN_H
#define CKT_DRIVER_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/code_cache.h"
#include "common/hash.h"
#include "driver/options.h"
#include "driver/session.h"
#include "gen/arch.h"
#include "gen/instance.h"
#include "gen/measurement.h"
#include "gen/problem.h"

#define CKT_NO_CODE SIZE_MAX

/* A list of instances, read for one direction, dtype and number of dimensions. */
struct ckt_plan_list {
  struct ckt_problem_defaults kind;
  struct ckt_instance_list list; /* after --filter */
  size_t first_code;             /* code of entry i is codes[first_code + i] */
};

enum ckt_code_state {
  CKT_CODE_UNWANTED, /* no pair needs it, or it cannot be built */
  CKT_CODE_MISSING,
  CKT_CODE_COMPILING,
  CKT_CODE_READY,
  CKT_CODE_FAILED
};

/* A code object; several problems may use one. */
struct ckt_plan_code {
  const struct ckt_instance_entry *entry;
  enum ckt_code_state state;
  char key[CKT_HASH_TEXT]; /* in the cache; "" when it cannot be built */
  char *path;              /* owned; of the cache entry */
  double seconds; /* compiling took this long; 0 from the cache, and once a pair has accounted for it */
  bool again;     /* it was compiled a second time, since the cached object did not load */
  enum ckt_pair_status failure;
  char reason[CKT_MEASUREMENT_REASON_MAX];
};

struct ckt_plan_pair {
  size_t problem, list;
  size_t code; /* CKT_NO_CODE: not applicable */
  const struct ckt_instance_entry *entry;
  char *reason; /* owned; why it is not applicable */
  bool done;
};

/* A problem's pairs are pairs[first .. first + listed). */
struct ckt_plan_problem {
  struct ckt_problem problem;
  char key[CKT_PROBLEM_KEY_MAX];
  size_t list, first, listed, resumed;
  bool measured; /* some pair of it is */
};

struct ckt_plan {
  struct ckt_plan_problem *problems;
  size_t problem_count;
  struct ckt_plan_list *lists;
  size_t list_count;
  struct ckt_plan_code *codes;
  size_t code_count;
  struct ckt_plan_pair *pairs; /* problem by problem, in order of its list */
  size_t pair_count;
  size_t bad_lines; /* of problem files: reported and left out */
};

/* Reads problems and instance lists as the options say. Accepts a zeroed plan; free it in any case. */
int ckt_plan_read(const struct ckt_options *options, struct ckt_plan *plan, struct ckt_error *error);

/* Decides what is applicable, writes the sources into the cache's folder and finds what is compiled already. */
int ckt_plan_prepare(struct ckt_plan *plan, const struct ckt_session *session, const struct ckt_arch *arch,
                     struct ckt_code_cache *cache, struct ckt_error *error);

/* The hash of the resolved request: problems, instance keys, options that change results, device, toolchain.
 * A run of the same identity that is unfinished is continued. */
int ckt_plan_identity(const struct ckt_plan *plan, const struct ckt_session *session,
                      const struct ckt_options *options, const char *version, char identity[CKT_HASH_TEXT],
                      struct ckt_error *error);

/* Paths beside a code's cache entry: its source (".hip") and the compiler's log (".log"). To be freed. */
char *ckt_code_sibling(const struct ckt_plan_code *code, const char *suffix, struct ckt_error *error);

void ckt_plan_free(struct ckt_plan *plan);

#endif
