#include "gen/cktile_tree.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "common/file.h"

/* Copied beside the instances, with their permissions. */
static const char *const copied[CKT_CKTILE_COPIES] = {"instance_includes.inc", "instance_run.inc",
                                                      "signatures.hpp"};
#define COPY_BYTES_MAX ((size_t)1 << 20)

/* The order of the script. */
static const enum ckt_direction directions[] = {CKT_FORWARD, CKT_BACKWARD_WEIGHT, CKT_BACKWARD_DATA};
static const int dimensions[] = {2, 3};
static const enum ckt_dtype dtypes[] = {CKT_FP32, CKT_FP16, CKT_BF16};

#define COUNT(array) (sizeof(array) / sizeof *(array))
_Static_assert(COUNT(directions) * COUNT(dimensions) * COUNT(dtypes) == CKT_CKTILE_LISTS,
               "room for all lists");

/* ---- reading ---- */

/* All inputs are looked at before the first fault stops the run. */
struct reader {
  struct ckt_cktile_tree *tree;
  struct ckt_text path;
  struct ckt_text *faults;
  struct ckt_error *error;
};

static const char *set_path(struct ckt_text *path, const char *format, const char *folder, const char *name) {
  ckt_text_clear(path);
  ckt_text_printf(path, format, folder, name);
  return ckt_text_string(path);
}

/* A file that is missing or no text is one fault of several; that memory ran out is the end. */
static int note_file(struct reader *reader, int status) {
  if (status != CKT_E_INPUT && status != CKT_E_IO)
    return status;
  ckt_text_printf(reader->faults, "%s\n", reader->error->text);
  reader->tree->bad_files++;
  return CKT_OK;
}

static int read_copies(struct reader *reader) {
  struct ckt_cktile_tree *tree = reader->tree;
  for (size_t i = 0; i < CKT_CKTILE_COPIES; i++) {
    const char *path = set_path(&reader->path, "%s/include/%s", tree->request->root, copied[i]);
    struct stat info = {.st_mode = 0644};
    ckt_text_init(&tree->copies[i].content, COPY_BYTES_MAX);
    int status = ckt_file_read(path, &tree->copies[i].content, reader->error);
    if (status == CKT_OK && stat(path, &info) != 0)
      status = ckt_fail(reader->error, CKT_E_IO, "cannot read %s: %s", path, strerror(errno));
    tree->copies[i].mode = info.st_mode & 07777;
    CKT_TRY(note_file(reader, status));
  }
  return CKT_OK;
}

/* A specialization that nobody knows is met when the source is written: not by problems that are not wanted. */
static bool is_bad(const struct ckt_cktile_list *list, const struct ckt_line_outcome *outcome) {
  return outcome->status == CKT_OUTCOME_ERROR && (list->wanted || outcome->stage == CKT_STAGE_PARSE);
}

static void note_lines(struct reader *reader, const struct ckt_cktile_list *list) {
  for (size_t i = 0; i < list->outcomes.count; i++) {
    const struct ckt_line_outcome *outcome = &list->outcomes.items[i];
    if (!is_bad(list, outcome))
      continue;
    ckt_outcome_report(&list->outcomes, outcome, reader->faults);
    reader->tree->bad_lines++;
  }
}

static int read_list(struct reader *reader, const struct ckt_problem_defaults *kind) {
  struct ckt_cktile_tree *tree = reader->tree;
  struct ckt_cktile_list *list = &tree->lists[tree->list_count++];
  *list = (struct ckt_cktile_list){.kind = *kind, .names = ckt_cktile_names_of(kind)};
  list->wanted = strstr(list->names.problem, tree->request->filter) != NULL;
  ckt_text_clear(&reader->path);
  ckt_text_printf(&reader->path, "%s/configs/%s/%s/%s.conf", tree->request->root,
                  ckt_direction_word(kind->direction), tree->request->lists, list->names.config);
  const struct ckt_outcome_request request = {.rules = CKT_RULES_SEED, .kind = *kind};
  CKT_TRY(note_file(
      reader, ckt_outcomes_read(ckt_text_string(&reader->path), &request, &list->outcomes, reader->error)));
  note_lines(reader, list);
  return CKT_OK;
}

static int read_lists(struct reader *reader) {
  for (size_t direction = 0; direction < COUNT(directions); direction++)
    for (size_t dimension = 0; dimension < COUNT(dimensions); dimension++)
      for (size_t dtype = 0; dtype < COUNT(dtypes); dtype++) {
        const struct ckt_problem_defaults kind = {directions[direction], dtypes[dtype],
                                                  dimensions[dimension]};
        if (reader->tree->request->directions[kind.direction])
          CKT_TRY(read_list(reader, &kind));
      }
  return CKT_OK;
}

static int read_all(struct reader *reader) {
  struct ckt_cktile_tree *tree = reader->tree;
  CKT_TRY(read_copies(reader));
  const char *path =
      set_path(&reader->path, "%s/include/%s", tree->request->root, "grouped_convolution_tile.cpp.in");
  CKT_TRY(note_file(reader, ckt_cktile_template_read(path, &tree->template, reader->error)));
  return read_lists(reader);
}

int ckt_cktile_read(const struct ckt_cktile_request *request, struct ckt_cktile_tree *tree,
                    struct ckt_text *faults, struct ckt_error *error) {
  *tree = (struct ckt_cktile_tree){.request = request};
  struct ckt_error fault = {0}; /* note_file() reads it, also when nobody wants to know */
  struct reader reader = {.tree = tree, .faults = faults, .error = error != NULL ? error : &fault};
  const int status = read_all(&reader);
  ckt_text_free(&reader.path);
  CKT_TRY(status);
  const size_t bad_lines = request->keep_going ? 0 : tree->bad_lines;
  if (tree->bad_files == 0 && bad_lines == 0)
    return CKT_OK;
  return ckt_fail(error, CKT_E_INPUT, "nothing was written: %zu file%s cannot be read, %zu line%s bad%s",
                  tree->bad_files, tree->bad_files == 1 ? "" : "s", bad_lines,
                  bad_lines == 1 ? " is" : "s are",
                  tree->bad_files == 0 ? "; --keep-going leaves bad lines out" : "");
}

void ckt_cktile_messages(const struct ckt_cktile_tree *tree, struct ckt_text *text) {
  for (size_t i = 0; i < tree->list_count; i++) {
    const struct ckt_outcome_list *outcomes = &tree->lists[i].outcomes;
    for (size_t j = 0; j < outcomes->count; j++)
      if (outcomes->items[j].status == CKT_OUTCOME_SKIPPED)
        ckt_text_printf(text, "%s\n", outcomes->items[j].reason);
  }
}

bool ckt_cktile_has(const struct ckt_cktile_list *list, int64_t line) {
  return list->wanted && line >= 0 && (size_t)line < list->outcomes.count &&
         list->outcomes.items[line].status == CKT_OUTCOME_INSTANCE;
}

void ckt_cktile_free(struct ckt_cktile_tree *tree) {
  ckt_cktile_template_free(&tree->template);
  for (size_t i = 0; i < CKT_CKTILE_COPIES; i++)
    ckt_text_free(&tree->copies[i].content);
  for (size_t i = 0; i < tree->list_count; i++)
    ckt_outcomes_free(&tree->lists[i].outcomes);
  *tree = (struct ckt_cktile_tree){0};
}

/* ---- writing ---- */

struct writer {
  const struct ckt_cktile_tree *tree;
  struct ckt_text path, content; /* of the file at hand */
  struct ckt_cktile_counts *counts;
  struct ckt_error *error;
};

static int put(struct writer *writer) {
  bool changed;
  CKT_TRY(ckt_text_status(&writer->path, writer->error));
  CKT_TRY(ckt_text_status(&writer->content, writer->error));
  CKT_TRY(ckt_file_update(ckt_text_string(&writer->path), ckt_text_string(&writer->content),
                          writer->content.length, &changed, writer->error));
  writer->counts->written += changed;
  writer->counts->unchanged += !changed;
  ckt_text_clear(&writer->content);
  return CKT_OK;
}

static int write_copies(struct writer *writer) {
  const struct ckt_cktile_tree *tree = writer->tree;
  for (size_t i = 0; i < CKT_CKTILE_COPIES; i++) {
    const char *path = set_path(&writer->path, "%s/%s", tree->request->instances_dir, copied[i]);
    const struct ckt_text *content = &tree->copies[i].content;
    ckt_text_append_bytes(&writer->content, ckt_text_string(content), content->length);
    CKT_TRY(put(writer));
    if (chmod(path, tree->copies[i].mode) != 0)
      return ckt_fail(writer->error, CKT_E_IO, "cannot set the permissions of %s: %s", path, strerror(errno));
  }
  return CKT_OK;
}

typedef void emitter(const struct ckt_cktile_names *names, const struct ckt_line_outcome *outcome,
                     struct ckt_text *text);

/* A file of all instances of a list. */
static int write_summary(struct writer *writer, const struct ckt_cktile_list *list, const char *end,
                         emitter *emit) {
  ckt_text_clear(&writer->path);
  ckt_text_printf(&writer->path, "%s/instances/%s/%s%s", writer->tree->request->root,
                  ckt_direction_word(list->kind.direction), list->names.problem, end);
  for (size_t i = 0; i < list->outcomes.count; i++)
    if (ckt_cktile_has(list, (int64_t)i))
      emit(&list->names, &list->outcomes.items[i], &writer->content);
  return put(writer);
}

static int write_sources(struct writer *writer, const struct ckt_cktile_list *list) {
  for (size_t i = 0; i < list->outcomes.count; i++) {
    if (!ckt_cktile_has(list, (int64_t)i))
      continue;
    ckt_text_clear(&writer->path);
    ckt_text_printf(&writer->path, "%s/%s/%s/%s_%zu.cpp", writer->tree->request->instances_dir,
                    ckt_direction_word(list->kind.direction), list->names.config, list->names.problem, i);
    ckt_emit_cktile_source(&writer->tree->template, &list->names, &list->outcomes.items[i], &writer->content);
    CKT_TRY(put(writer));
  }
  return CKT_OK;
}

static int write_all(struct writer *writer) {
  CKT_TRY(write_copies(writer));
  for (size_t i = 0; i < writer->tree->list_count; i++) {
    const struct ckt_cktile_list *list = &writer->tree->lists[i];
    CKT_TRY(write_summary(writer, list, "_calls.inc", ckt_emit_cktile_call));
    CKT_TRY(write_summary(writer, list, ".inc", ckt_emit_cktile_declaration));
    CKT_TRY(write_sources(writer, list));
  }
  return CKT_OK;
}

int ckt_cktile_write(const struct ckt_cktile_tree *tree, struct ckt_cktile_counts *counts,
                     struct ckt_error *error) {
  struct writer writer = {.tree = tree, .counts = counts, .error = error};
  const int status = write_all(&writer);
  ckt_text_free(&writer.path);
  ckt_text_free(&writer.content);
  return status;
}
