/* cktune gen --target cktile: a drop-in for Composable Kernel's generate_instances.py. */
#include <stdio.h>
#include <string.h>

#include "common/log.h"
#include "driver/gen_parts.h"
#include "driver/list_choice.h"
#include "gen/cktile_tree.h"

/* The script's own defaults. */
#define DEFAULT_INSTANCES_DIR "../build/experimental/grouped_convolution_tile_instances"
#define DEFAULT_FILTER        "convolution"
/* Mode `compilation` is a filter that no problem's name contains. */
#define COMPILATION_FILTER "empty"

static const char *or_else(const char *text, const char *otherwise) {
  return text != NULL ? text : otherwise;
}

static int make_request(const struct ckt_options *options, struct ckt_cktile_request *request,
                        struct ckt_error *error) {
  const char *mode = or_else(options->mode, "profiler");
  *request = (struct ckt_cktile_request){
      .root = or_else(options->root, "."),
      .instances_dir = or_else(options->instances_dir, DEFAULT_INSTANCES_DIR),
      .lists = strcmp(mode, "tests") == 0 ? "tests" : "profiler",
      .filter = strcmp(mode, "compilation") == 0 ? COMPILATION_FILTER
                                                 : or_else(options->filter_pattern, DEFAULT_FILTER),
      .keep_going = options->keep_going};
  return ckt_directions_parse(options->direction, request->directions, error);
}

static int write_tree(const struct ckt_options *options, const struct ckt_cktile_tree *tree,
                      struct ckt_error *error) {
  struct ckt_cktile_counts counts = {0};
  CKT_TRY(ckt_cktile_write(tree, &counts, error));
  if (options->clean)
    CKT_TRY(ckt_cktile_clean(tree, &counts, error));
  ckt_log(CKT_LOG_NOTE, "%s: %zu files written, %zu as they were, %zu removed", tree->request->instances_dir,
          counts.written, counts.unchanged, counts.removed);
  return CKT_OK;
}

/* The skipped lines are the script's whole output on stdout, and ours. */
static int print_messages(const struct ckt_cktile_tree *tree, struct ckt_error *error) {
  struct ckt_text text = {0};
  ckt_cktile_messages(tree, &text);
  const int status = ckt_text_status(&text, error);
  if (status == CKT_OK)
    fputs(ckt_text_string(&text), stdout);
  ckt_text_free(&text);
  return status;
}

static int make_tree(const struct ckt_options *options, const struct ckt_cktile_request *request,
                     struct ckt_cktile_tree *tree, struct ckt_error *error) {
  struct ckt_text faults = {0};
  const int status = ckt_cktile_read(request, tree, &faults, error);
  ckt_log_lines(status == CKT_OK ? CKT_LOG_WARNING : CKT_LOG_ERROR, ckt_text_string(&faults));
  ckt_text_free(&faults);
  CKT_TRY(status);
  ckt_gen_say_left_out(tree->bad_lines);
  CKT_TRY(print_messages(tree, error));
  return write_tree(options, tree, error);
}

int ckt_gen_cktile(const struct ckt_options *options, int *status, struct ckt_error *error) {
  (void)status;
  struct ckt_cktile_request request;
  struct ckt_cktile_tree tree = {0};
  CKT_TRY(make_request(options, &request, error));
  const int code = make_tree(options, &request, &tree, error);
  ckt_cktile_free(&tree);
  return code;
}
