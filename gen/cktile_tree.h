/* The source tree of the CK Tile target: the files that Composable Kernel's generate_instances.py writes, in its
 * places, with its bytes.
 *
 *   <root>/configs/<direction>/<profiler|tests>/<config>.conf     read: 6 lists a direction
 *   <root>/include/grouped_convolution_tile.cpp.in                read: the template
 *   <root>/include/<copied file>                                  read
 *   <instances_dir>/<copied file>
 *   <instances_dir>/<direction>/<config>/<problem>_<id>.cpp       one for each instance
 *   <root>/instances/<direction>/<problem>_calls.inc              calls of all instances
 *   <root>/instances/<direction>/<problem>.inc                    their declarations
 *
 * Unlike the script's, a run first reads everything and then writes; each file is replaced in one step. */
#ifndef CKT_GEN_CKTILE_TREE_H
#define CKT_GEN_CKTILE_TREE_H

#include <sys/types.h>

#include "gen/emit_cktile.h"

#define CKT_CKTILE_COPIES 3
#define CKT_CKTILE_LISTS  18 /* 3 directions, 2 layouts, 3 data types */

struct ckt_cktile_request {
  const char *root;
  const char *instances_dir;
  const char *lists;  /* folder of the lists in a direction's: "profiler", "tests" */
  const char *filter; /* part of a problem's name; files of other problems are written empty */
  bool directions[3]; /* by enum ckt_direction */
  bool keep_going;    /* bad lines are left out */
};

struct ckt_cktile_list {
  struct ckt_problem_defaults kind;
  struct ckt_cktile_names names;
  struct ckt_outcome_list outcomes;
  bool wanted; /* by the filter */
};

struct ckt_cktile_tree {
  const struct ckt_cktile_request *request; /* borrowed */
  struct ckt_cktile_template template;
  struct {
    struct ckt_text content;
    mode_t mode;
  } copies[CKT_CKTILE_COPIES];
  struct ckt_cktile_list lists[CKT_CKTILE_LISTS]; /* in the script's order */
  size_t list_count;
  size_t bad_lines, bad_files;
};

/* Reads and checks all inputs. What is wrong with lines and files is appended to `faults`, a sentence a line, all of
 * it; files that cannot be read, and bad lines unless they are to be left out, make it CKT_E_INPUT. The caller frees
 * the tree, also after a failure. */
int ckt_cktile_read(const struct ckt_cktile_request *request, struct ckt_cktile_tree *tree,
                    struct ckt_text *faults, struct ckt_error *error);
/* Appends what the script prints: the lines that it skips. */
void ckt_cktile_messages(const struct ckt_cktile_tree *tree, struct ckt_text *text);

struct ckt_cktile_counts {
  size_t written, unchanged, removed; /* files */
};

/* Writes all files; one that holds its bytes already is left alone. Adds to *counts. */
int ckt_cktile_write(const struct ckt_cktile_tree *tree, struct ckt_cktile_counts *counts,
                     struct ckt_error *error);
/* Removes the .cpp files of earlier runs that this one does not have: of the tree's problems alone, by their names, in
 * the folders where they are written; then folders that became empty. Adds to *counts. */
int ckt_cktile_clean(const struct ckt_cktile_tree *tree, struct ckt_cktile_counts *counts,
                     struct ckt_error *error);
void ckt_cktile_free(struct ckt_cktile_tree *tree);

/* Whether the instance of that line has a source: it is no error, comment or skipped line, and its problem is wanted. */
bool ckt_cktile_has(const struct ckt_cktile_list *list, int64_t line);

#endif
