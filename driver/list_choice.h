/* Which instance lists --instances, --direction, --dtype and --spatial mean. */
#ifndef CKT_DRIVER_LIST_CHOICE_H
#define CKT_DRIVER_LIST_CHOICE_H

#include "driver/options.h"
#include "gen/instance.h"

/* `profiler` and `tests` are lists that come with the program; anything else is a file. */
bool ckt_list_is_shipped(const char *instances);
/* Path of the list for one kind of problem, to be freed; it need not be there. NULL with *error filled. */
char *ckt_list_path(const char *instances, const struct ckt_problem_defaults *kind, struct ckt_error *error);

/* --filter: keeps the entries whose name, line or key contains `text`, and when that is the short form of an instance
 * (gen/instance_short.h) those that it may show; all when it is NULL. */
void ckt_list_filter(struct ckt_instance_list *list, const char *text);

/* One list, and as what it is read. */
struct ckt_list_choice {
  char *path; /* owned; "-": stdin */
  struct ckt_problem_defaults kind;
  bool dtype_unknown; /* neither --dtype nor the file's name says it; kind has fp16 */
};

struct ckt_list_choices {
  struct ckt_list_choice *items;
  size_t count;
};

/* The lists that `cktune gen` was asked for: `profiler` without --instances. A file is one list, whose data type and dimensions are in its name
 * (nhwgc_fp16.conf) when no option says them; of the shipped ones, all that are there for what was not said. */
int ckt_list_choices_make(const struct ckt_options *options, struct ckt_list_choices *choices,
                          struct ckt_error *error);
void ckt_list_choices_free(struct ckt_list_choices *choices);

/* --direction of cktune gen: a direction, or all three as "all". Sets wanted[enum ckt_direction]. */
#define CKT_DIRECTION_COUNT 3
int ckt_directions_parse(const char *word, bool wanted[CKT_DIRECTION_COUNT], struct ckt_error *error);

#endif
