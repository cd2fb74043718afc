/* cktune gen --list: what becomes of each line of instance lists, without writing a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "driver/command.h"
#include "driver/gen_parts.h"
#include "driver/list_choice.h"
#include "gen/outcome_json.h"

/* "forward/nhwgc_fp16.conf" without folders and without what follows its last dot. */
static void append_stem(const char *path, struct ckt_text *text) {
  const char *slash = strrchr(path, '/');
  const char *name = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  ckt_text_append_bytes(text, name, dot != NULL ? (size_t)(dot - name) : strlen(name));
}

/* How a list is shown, and what is not on stdout yet. */
struct shown {
  const struct ckt_arch *arch; /* NULL: any */
  enum ckt_rules rules;
  bool as_json, why;
  struct ckt_text text;
};

/* More text than this goes to stdout, so that a space of millions of points needs no memory for them. */
#define TEXT_KEPT ((size_t)64 << 10)

static void flush_text(struct shown *shown) {
  fwrite(ckt_text_string(&shown->text), 1, shown->text.length, stdout);
  ckt_text_clear(&shown->text);
}

/* A line of text for a person; comments have none. */
static void append_row(const struct ckt_line_outcome *outcome, struct ckt_text *text) {
  char key[CKT_INSTANCE_KEY_MAX];
  char id[48];
  snprintf(id, sizeof id, outcome->is_point ? "%lld.%lld" : "%lld", (long long)outcome->line,
           (long long)outcome->point);
  ckt_instance_key(&outcome->instance, key);
  if (outcome->status == CKT_OUTCOME_INSTANCE)
    ckt_text_printf(text, "%8s  instance  %s\n", id, key);
  else if (outcome->status == CKT_OUTCOME_SKIPPED)
    ckt_text_printf(text, "%8s  skipped   %s\n", id, outcome->reason);
  else if (outcome->status == CKT_OUTCOME_REJECTED)
    ckt_text_printf(text, "%8s  rejected  %s: %s: %s\n", id, outcome->rule, outcome->reason, key);
}

static void show(const struct ckt_line_outcome *outcome, struct shown *shown) {
  if (shown->as_json)
    ckt_outcome_json(outcome, shown->rules, &shown->text);
  else
    append_row(outcome, &shown->text);
  if (shown->text.length > TEXT_KEPT)
    flush_text(shown);
}

/* How many points of a space broke each rule. */
struct tally {
  const char *rules[CKT_HARDWARE_RULES_MAX + 1];
  int64_t counts[CKT_HARDWARE_RULES_MAX + 1];
  int64_t kept;
};

static void count(struct tally *tally, const char *rule) {
  size_t at = 0;
  if (rule == NULL) {
    tally->kept++;
    return;
  }
  while (tally->rules[at] != NULL && strcmp(tally->rules[at], rule) != 0)
    at++;
  tally->rules[at] = rule;
  tally->counts[at]++;
}

static void report_tally(const struct tally *tally, const struct ckt_outcome_list *list,
                         const struct ckt_line_outcome *space) {
  struct ckt_text text = {0};
  ckt_text_printf(&text, "%s:%lld: %lld points, %lld kept", ckt_list_name(list->path),
                  (long long)space->line + 1, (long long)ckt_space_size(space->space),
                  (long long)tally->kept);
  for (size_t i = 0; i <= CKT_HARDWARE_RULES_MAX && tally->rules[i] != NULL; i++)
    ckt_text_printf(&text, ", %lld left out by %s", (long long)tally->counts[i], tally->rules[i]);
  ckt_log(CKT_LOG_NOTE, "%s", ckt_text_string(&text));
  ckt_text_free(&text);
}

/* The points of a space that are kept; with --why the others too, and how many there were of each kind. */
static int show_space(const struct ckt_outcome_list *list, const struct ckt_line_outcome *space,
                      struct shown *shown, struct ckt_error *error) {
  struct tally tally = {.kept = 0};
  struct ckt_space_walk walk;
  struct ckt_span fault;
  bool more;
  ckt_space_start(&walk, space->space, shown->arch, shown->why);
  CKT_TRY(ckt_space_next(&walk, &more, &fault, error));
  while (more) {
    const struct ckt_line_outcome point = ckt_outcome_of_point(space, &walk);
    show(&point, shown);
    count(&tally, walk.rule);
    CKT_TRY(ckt_space_next(&walk, &more, &fault, error));
  }
  if (shown->why)
    report_tally(&tally, list, space);
  return CKT_OK;
}

static int print_list(const struct ckt_outcome_list *list, struct shown *shown, struct ckt_error *error) {
  int status = CKT_OK;
  for (size_t i = 0; i < list->count && status == CKT_OK; i++) {
    if (list->items[i].status == CKT_OUTCOME_SPACE)
      status = show_space(list, &list->items[i], shown, error);
    else
      show(&list->items[i], shown);
  }
  flush_text(shown);
  ckt_text_free(&shown->text);
  return status;
}

static void report_errors(const struct ckt_outcome_list *list) {
  struct ckt_text text = {0};
  ckt_outcomes_report(list, &text);
  ckt_log_lines(CKT_LOG_ERROR, ckt_text_string(&text));
  ckt_text_free(&text);
}

/* An option that was not given is NULL. */
static bool is_word(const char *given, const char *word) {
  return given != NULL && strcmp(given, word) == 0;
}

/* Bad lines are counted, and no failure here: those of other lists are to be shown too. */
static int show_list(const struct ckt_options *options, const struct ckt_list_choice *choice,
                     const struct ckt_arch *arch, size_t *bad, struct ckt_error *error) {
  const bool seed = is_word(options->rules, "seed");
  struct ckt_text name = {0};
  ckt_text_printf(&name, "grouped_convolution_%s_tile_", ckt_direction_word(choice->kind.direction));
  append_stem(choice->path, &name);
  const struct ckt_outcome_request request = {.rules = seed ? CKT_RULES_SEED : CKT_RULES_HARDWARE,
                                              .kind = choice->kind,
                                              .problem_name = ckt_text_string(&name),
                                              .dtype_unknown = choice->dtype_unknown};
  struct ckt_outcome_list list;
  int status = ckt_outcomes_read(choice->path, &request, &list, error);
  if (status == CKT_OK) {
    struct shown shown = {.arch = arch,
                          .rules = request.rules,
                          .as_json = is_word(options->format, "jsonl"),
                          .why = options->why};
    status = print_list(&list, &shown, error);
    report_errors(&list);
    *bad += list.counts[CKT_OUTCOME_ERROR];
  }
  ckt_outcomes_free(&list);
  ckt_text_free(&name);
  return status;
}

int ckt_gen_list(const struct ckt_options *options, int *status, struct ckt_error *error) {
  struct ckt_list_choices choices;
  const struct ckt_arch *arch = NULL;
  size_t bad = 0;
  if (options->arch != NULL)
    CKT_TRY(ckt_arch_parse(options->arch, &arch, error));
  CKT_TRY(ckt_list_choices_make(options, &choices, error));
  int code = CKT_OK;
  for (size_t i = 0; i < choices.count && code == CKT_OK; i++)
    code = show_list(options, &choices.items[i], arch, &bad, error);
  ckt_list_choices_free(&choices);
  if (code == CKT_OK && options->keep_going)
    ckt_gen_say_left_out(bad);
  else if (code == CKT_OK && bad > 0)
    *status = CKT_EXIT_USAGE;
  if (fflush(stdout) != 0 && code == CKT_OK)
    code = ckt_fail(error, CKT_E_IO, "stdout could not be written");
  return code;
}
