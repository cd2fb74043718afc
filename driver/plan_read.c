/* The first half of a plan: problems and instance lists. */
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/log.h"
#include "common/text.h"
#include "driver/list_choice.h"
#include "driver/plan.h"

static int no_memory(struct ckt_error *error) {
  return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
}

/* ---- instance lists ---- */

static int read_list(const char *instances, const char *path, const struct ckt_problem_defaults *kind,
                     struct ckt_instance_list *list, struct ckt_error *error) {
  if (ckt_list_is_shipped(instances) && !ckt_file_exists(path))
    return ckt_fail(
        error, CKT_E_INPUT,
        "no list of %s kernels for %s %s comes with cktune (%s is not there); --instances FILE names one",
        ckt_direction_word(kind->direction), ckt_layout_word(kind->spatial), ckt_dtype_word(kind->dtype),
        path);
  struct ckt_text faults = {0};
  const int status = ckt_instance_list_read(path, kind, list, &faults, error);
  ckt_log_lines(CKT_LOG_ERROR, ckt_text_string(&faults));
  ckt_text_free(&faults);
  return status;
}

static int apply_filter(struct ckt_instance_list *list, const char *filter, struct ckt_error *error) {
  if (list->count == 0)
    return ckt_fail(error, CKT_E_INPUT, "%s holds no instance", list->path);
  ckt_list_filter(list, filter);
  if (list->count == 0)
    return ckt_fail(error, CKT_E_USAGE, "--filter: no instance of %s contains '%s'", list->path, filter);
  return CKT_OK;
}

static int add_list(const struct ckt_options *options, const struct ckt_problem_defaults *kind,
                    struct ckt_plan *plan, struct ckt_error *error) {
  struct ckt_plan_list *lists = realloc(plan->lists, (plan->list_count + 1) * sizeof *lists);
  if (lists == NULL)
    return no_memory(error);
  plan->lists = lists;
  lists[plan->list_count] = (struct ckt_plan_list){.kind = *kind};
  char *path = ckt_list_path(options->instances, kind, error);
  if (path == NULL)
    return error->code;
  struct ckt_instance_list *list = &lists[plan->list_count].list;
  const int status = read_list(options->instances, path, kind, list, error);
  free(path);
  if (status != CKT_OK)
    return status;
  plan->list_count++;
  return apply_filter(list, options->filter, error);
}

static int find_list(const struct ckt_options *options, const struct ckt_problem *problem,
                     struct ckt_plan *plan, size_t *index, struct ckt_error *error) {
  for (*index = 0; *index < plan->list_count; (*index)++) {
    const struct ckt_problem_defaults *kind = &plan->lists[*index].kind;
    if (kind->direction == problem->direction && kind->dtype == problem->dtype &&
        kind->spatial == problem->spatial)
      return CKT_OK;
  }
  const struct ckt_problem_defaults kind = {problem->direction, problem->dtype, problem->spatial};
  return add_list(options, &kind, plan, error);
}

/* ---- problems ---- */

/* More than this is no list of problems that can be tuned, and each is compared with those before it. */
#define PROBLEMS_MAX 10000

/* A problem that is there already is not tuned twice. */
static int add_problem(const struct ckt_options *options, const struct ckt_problem *problem,
                       struct ckt_plan *plan, struct ckt_error *error) {
  struct ckt_plan_problem added = {.problem = *problem};
  ckt_problem_key(problem, added.key);
  for (size_t i = 0; i < plan->problem_count; i++)
    if (strcmp(plan->problems[i].key, added.key) == 0)
      return CKT_OK;
  if (plan->problem_count == PROBLEMS_MAX)
    return ckt_fail(error, CKT_E_INPUT,
                    "there are more than %d different problems: split the list into several runs",
                    PROBLEMS_MAX);
  CKT_TRY(find_list(options, problem, plan, &added.list, error));
  struct ckt_plan_problem *problems = realloc(plan->problems, (plan->problem_count + 1) * sizeof *problems);
  if (problems == NULL)
    return no_memory(error);
  plan->problems = problems;
  problems[plan->problem_count++] = added;
  return CKT_OK;
}

static int read_spec(const struct ckt_options *options, const char *spec,
                     const struct ckt_problem_defaults *kind, struct ckt_plan *plan,
                     struct ckt_error *error) {
  struct ckt_problem problem;
  const int status = ckt_problem_parse(spec, kind, &problem, error);
  if (status != CKT_OK)
    return ckt_fail(error, status, "--problem %s: %s", spec, error->text);
  return add_problem(options, &problem, plan, error);
}

static int read_file(const struct ckt_options *options, const char *path,
                     const struct ckt_problem_defaults *kind, struct ckt_plan *plan,
                     struct ckt_error *error) {
  struct ckt_problem_list list = {0};
  struct ckt_text errors = {0};
  int status = ckt_problem_list_read(path, kind, &list, &errors, error);
  ckt_log_lines(CKT_LOG_ERROR, ckt_text_string(&errors));
  plan->bad_lines += list.bad_lines;
  for (size_t i = 0; i < list.count && status == CKT_OK; i++)
    status = add_problem(options, &list.items[i], plan, error);
  if (status == CKT_OK && list.count == 0)
    status = ckt_fail(error, CKT_E_INPUT, "%s holds no problem that can be tuned", path);
  ckt_problem_list_free(&list);
  ckt_text_free(&errors);
  return status;
}

int ckt_plan_read(const struct ckt_options *options, struct ckt_plan *plan, struct ckt_error *error) {
  struct ckt_problem_defaults kind = {.spatial = (int)options->spatial};
  CKT_TRY(ckt_direction_parse(options->direction, &kind.direction, error));
  CKT_TRY(ckt_dtype_parse(options->dtype, &kind.dtype, error));
  if (options->problems.count == 0 && options->problem_files.count == 0)
    return ckt_fail(
        error, CKT_E_USAGE,
        "no problem was given; --problem SPEC names one, --problems FILE many ('cktune help tune')");
  for (size_t i = 0; i < options->problems.count; i++)
    CKT_TRY(read_spec(options, options->problems.items[i], &kind, plan, error));
  for (size_t i = 0; i < options->problem_files.count; i++)
    CKT_TRY(read_file(options, options->problem_files.items[i], &kind, plan, error));
  return CKT_OK;
}

void ckt_plan_free(struct ckt_plan *plan) {
  for (size_t i = 0; i < plan->pair_count; i++)
    free(plan->pairs[i].reason);
  for (size_t i = 0; i < plan->code_count; i++)
    free(plan->codes[i].path);
  for (size_t i = 0; i < plan->list_count; i++)
    ckt_instance_list_free(&plan->lists[i].list);
  free(plan->pairs);
  free(plan->codes);
  free(plan->lists);
  free(plan->problems);
  *plan = (struct ckt_plan){0};
}
