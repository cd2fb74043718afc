/* The lists that are shipped: every line reads, every instance can be built for every architecture or says why
 * not, keys read back, sources are emitted; no instance is listed twice, no set names what no device can run; the tests lists cover what they claim; the
 * problem lists read without a bad line. */
#include "gen/emit_hip.h"
#include "gen/outcome.h"
#include "gen_test.h"

static struct ckt_instance_list list_of(const char *mode, enum ckt_dtype dtype) {
  const struct ckt_problem_defaults defaults = defaults_of(dtype);
  char path[512];
  snprintf(path, sizeof path, "%s/configs/forward/%s/nhwgc_%s.conf", CKT_SOURCE_DIR, mode,
           ckt_dtype_word(dtype));
  struct ckt_instance_list list;
  struct ckt_error error = {0};
  if (ckt_instance_list_read(path, &defaults, &list, NULL, &error) != CKT_OK)
    fail_msg("%s", error.text);
  return list;
}

/* The instances that the lines of a list stand for, one by one. What is left out is left out by a `where`. */
static size_t instances_of_lines(const struct ckt_instance_list *list, enum ckt_dtype dtype) {
  const struct ckt_outcome_request request = {.rules = CKT_RULES_HARDWARE, .kind = defaults_of(dtype)};
  struct ckt_outcome_list lines;
  struct ckt_error error = {0};
  assert_int_equal(ckt_outcomes_read(list->path, &request, &lines, &error), CKT_OK);
  assert_int_equal(lines.counts[CKT_OUTCOME_ERROR], 0);
  size_t count = lines.counts[CKT_OUTCOME_INSTANCE];
  for (size_t i = 0; i < lines.count; i++) {
    const struct ckt_line_outcome *line = &lines.items[i];
    if (line->status != CKT_OUTCOME_SPACE)
      continue;
    struct ckt_space_walk walk;
    struct ckt_span fault;
    bool more;
    ckt_space_start(&walk, line->space, NULL, true);
    while (ckt_space_next(&walk, &more, &fault, &error) == CKT_OK && more) {
      count += walk.rule == NULL;
      if (walk.rule != NULL && strcmp(walk.rule, "where") != 0)
        fail_msg("%s: %.*s: %s", list->path, (int)line->text.length, line->text.text, walk.reason);
    }
  }
  ckt_outcomes_free(&lines);
  return count;
}

static void check_entry(const struct ckt_instance_entry *entry) {
  char key[CKT_INSTANCE_KEY_MAX], again[CKT_INSTANCE_KEY_MAX], reason[CKT_REASON_MAX];
  struct ckt_instance copy;
  struct ckt_text source = {0};
  struct ckt_error error = {0};
  ckt_instance_key(&entry->instance, key);
  assert_int_equal(ckt_instance_parse(key, NULL, &copy, NULL, &error), CKT_OK);
  ckt_instance_key(&copy, again);
  assert_string_equal(key, again);
  assert_int_equal(ckt_emit_hip(&entry->instance, &source, &error), CKT_OK);
  ckt_text_free(&source);
  static const char *const must_build[] = {"gfx90a", "gfx942", "gfx950"};
  for (size_t i = 0; i < 3; i++)
    if (!ckt_buildable(&entry->instance, ckt_arch_find(must_build[i]), reason))
      fail_msg("%s on %s: %s", entry->name, must_build[i], reason);
  if (!ckt_buildable(&entry->instance, ckt_arch_find("gfx908"), reason))
    assert_contains(reason, "a lane"); /* its registers are fewer */
}

static void instance_lists_are_sound(void **state) {
  (void)state;
  static const char *const modes[] = {"tests", "profiler"};
  static const size_t least[] = {24, 80}, most[] = {60, 150};
  for (int mode = 0; mode < 2; mode++)
    for (int dtype = 0; dtype < 3; dtype++) {
      struct ckt_instance_list list = list_of(modes[mode], (enum ckt_dtype)dtype);
      assert_in_range(list.count, least[mode], most[mode]);
      assert_int_equal(list.count, instances_of_lines(&list, (enum ckt_dtype)dtype)); /* no duplicates */
      for (size_t i = 0; i < list.count; i++)
        check_entry(&list.entries[i]);
      ckt_instance_list_free(&list);
    }
}

static size_t count_applicable(const struct ckt_instance_list *list, const char *spec, enum ckt_dtype dtype) {
  const struct ckt_problem problem = problem_of(spec, dtype);
  size_t count = 0;
  for (size_t i = 0; i < list->count; i++) {
    char reason[CKT_REASON_MAX];
    count += ckt_applicable(&list->entries[i].instance, &problem, ckt_arch_find("gfx90a"), reason);
  }
  return count;
}

static void tests_lists_have_something_for_every_shape(void **state) {
  (void)state;
  static const struct {
    const char *spec;
    size_t least;
  } shapes[] = {
      {"2,64,64,14,14,3,3,1,1,1,1", 20},
      {"2,5,7,9,9,3,3,1,1,1,1", 5},
      {"2,64,32,14,14,1,1", 20},
      {"2,64,32,14,14,1,1,2,2", 20},
      {"1,3,64,32,32,7,7,2,2,3,3", 5},
      {"1,32,32,14,14,3,3,1,1,2,2,2,2", 20},
      {"2,64,64,14,14,3,3,1,1,1,1,1,1,4", 20},
      {"1,64,64,3,3,3,3", 20},
      {"n=1,c=32,k=32,hi=14,wi=14,y=2,x=2,lpy=1,lpx=1", 20},
      {"1,32,32,7,21,3,3,1,1,1,1", 20},
  };
  for (int dtype = 0; dtype < 3; dtype++) {
    struct ckt_instance_list list = list_of("tests", (enum ckt_dtype)dtype);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
      const size_t count = count_applicable(&list, shapes[i].spec, (enum ckt_dtype)dtype);
      if (count < shapes[i].least)
        fail_msg("only %zu instances for %s of %s", count, shapes[i].spec, list.path);
    }
    ckt_instance_list_free(&list);
  }
}

static void problem_lists_read_without_a_bad_line(void **state) {
  (void)state;
  static const char *const names[] = {"resnet50", "smoke"};
  static const size_t counts[] = {23, 10};
  const struct ckt_problem_defaults defaults = defaults_of(CKT_FP16);
  for (size_t i = 0; i < 2; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/configs/problems/%s.txt", CKT_SOURCE_DIR, names[i]);
    struct ckt_problem_list list;
    struct ckt_text errors = {0};
    struct ckt_error error = {0};
    assert_int_equal(ckt_problem_list_read(path, &defaults, &list, &errors, &error), CKT_OK);
    assert_string_equal(ckt_text_string(&errors), "");
    assert_int_equal(list.count, counts[i]);
    ckt_problem_list_free(&list);
    ckt_text_free(&errors);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instance_lists_are_sound),
      cmocka_unit_test(tests_lists_have_something_for_every_shape),
      cmocka_unit_test(problem_lists_read_without_a_bad_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
