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

/* A line of text for a person; comments have none. */
static void append_row(const struct ckt_line_outcome *outcome, struct ckt_text *text) {
  char key[CKT_INSTANCE_KEY_MAX];
  if (outcome->status == CKT_OUTCOME_INSTANCE) {
    ckt_instance_key(&outcome->instance, key);
    ckt_text_printf(text, "%6lld  instance  %s\n", (long long)outcome->line, key);
  } else if (outcome->status == CKT_OUTCOME_SKIPPED) {
    ckt_text_printf(text, "%6lld  skipped   %s\n", (long long)outcome->line, outcome->reason);
  }
}

static void print_list(const struct ckt_outcome_list *list, enum ckt_rules rules, bool as_json) {
  struct ckt_text text = {0};
  for (size_t i = 0; i < list->count; i++) {
    if (as_json)
      ckt_outcome_json(&list->items[i], rules, &text);
    else
      append_row(&list->items[i], &text);
  }
  fwrite(ckt_text_string(&text), 1, text.length, stdout);
  ckt_text_free(&text);
}

static void report_errors(const struct ckt_outcome_list *list) {
  struct ckt_text text = {0};
  ckt_outcomes_report(list, &text);
  ckt_log_lines(CKT_LOG_ERROR, ckt_text_string(&text));
  ckt_text_free(&text);
}

/* Bad lines are counted, and no failure here: those of other lists are to be shown too. */
static int show_list(const struct ckt_options *options, const struct ckt_list_choice *choice, size_t *bad,
                     struct ckt_error *error) {
  const bool seed = strcmp(options->rules, "seed") == 0;
  struct ckt_text name = {0};
  ckt_text_printf(&name, "grouped_convolution_%s_tile_", ckt_direction_word(choice->kind.direction));
  append_stem(choice->path, &name);
  const struct ckt_outcome_request request = {.rules = seed ? CKT_RULES_SEED : CKT_RULES_HARDWARE,
                                              .kind = choice->kind,
                                              .problem_name = ckt_text_string(&name),
                                              .dtype_unknown = choice->dtype_unknown};
  struct ckt_outcome_list list;
  const int status = ckt_outcomes_read(choice->path, &request, &list, error);
  if (status == CKT_OK) {
    print_list(&list, request.rules, strcmp(options->format, "jsonl") == 0);
    report_errors(&list);
    *bad += list.counts[CKT_OUTCOME_ERROR];
  }
  ckt_outcomes_free(&list);
  ckt_text_free(&name);
  return status;
}

int ckt_gen_list(const struct ckt_options *options, int *status, struct ckt_error *error) {
  struct ckt_list_choices choices;
  size_t bad = 0;
  CKT_TRY(ckt_list_choices_make(options, &choices, error));
  int code = CKT_OK;
  for (size_t i = 0; i < choices.count && code == CKT_OK; i++)
    code = show_list(options, &choices.items[i], &bad, error);
  ckt_list_choices_free(&choices);
  if (code == CKT_OK && bad > 0 && options->keep_going)
    ckt_log(CKT_LOG_WARNING, "%zu bad %s passed over", bad, bad == 1 ? "line was" : "lines were");
  else if (code == CKT_OK && bad > 0)
    *status = CKT_EXIT_USAGE;
  if (fflush(stdout) != 0 && code == CKT_OK)
    code = ckt_fail(error, CKT_E_IO, "stdout could not be written");
  return code;
}
