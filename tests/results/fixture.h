/* What the tests of results/ share: a private folder, and made-up runs, problems, instances, measurements. */
#ifndef CKT_TESTS_RESULTS_FIXTURE_H
#define CKT_TESTS_RESULTS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/instance.h"
#include "gen/measurement.h"
#include "gen/problem.h"
#include "results/store.h"

/* cmocka set-up and tear-down: *state is the path of a fresh folder. */
int fixture_folder_make(void **state);
int fixture_folder_remove(void **state);
/* "<folder>/<name>", to be freed. */
char *fixture_path(void **state, const char *name);

struct ckt_run_setup fixture_setup(const char *identity);
struct ckt_problem fixture_problem(int64_t k); /* forward fp16, differing in K */

/* An instance per index; the texts live in the struct. */
struct fixture_entry {
  struct ckt_instance_entry entry;
  char name[64];
  char line[96];
};
void fixture_entry(struct fixture_entry *entry, int64_t index);

struct ckt_measurement fixture_measured(double time_ms);
struct ckt_measurement fixture_status(enum ckt_pair_status status, const char *reason);

/* Each fails the test with the error's text. */
struct ckt_store *fixture_open(const char *path);
int64_t fixture_begin(struct ckt_store *store, const char *identity, bool fresh, bool *resumed);
void fixture_record(struct ckt_store *store, int64_t run, int64_t k, int64_t index,
                    const struct ckt_measurement *measurement);

#define assert_ok(expression, error)                                                                         \
  do {                                                                                                       \
    if ((expression) != CKT_OK)                                                                              \
      fail_msg("%s: %s", #expression, (error).text);                                                         \
  } while (0)
#define assert_contains(text, part)                                                                          \
  do {                                                                                                       \
    if (strstr((text), (part)) == NULL)                                                                      \
      fail_msg("\"%s\" does not contain \"%s\"", (text), (part));                                            \
  } while (0)
#define assert_lacks(text, part)                                                                             \
  do {                                                                                                       \
    if (strstr((text), (part)) != NULL)                                                                      \
      fail_msg("\"%s\" contains \"%s\"", (text), (part));                                                    \
  } while (0)

#endif
