/* A space of instances: a line of our own notation whose fields may hold sets, and what is kept of their product.
 *
 *   tile={64,128}x{32..256*2}x32   in the place of a number: a set of numbers and ranges, or a range alone
 *   tile={64x128,128x64}x32        of several numbers together: 64x128x32 and 128x64x32
 *   vector={(8,8,8),(1,1,4)}       the same where commas part the numbers
 *   pipeline={v1,v3}               a set of words
 *   1..4   32..128+32   32..256*2  ranges: by 1, by adding, by multiplying; both ends belong to them
 *   where tile_m*tile_n <= 32768 and lds <= 65536
 *                                  to the end of the line: only points of which this is true (gen/where.h)
 *
 * Points are numbered from 0 through the whole product; the set that stands last in the line changes fastest. A
 * point that is not kept uses its number up, so that another `where`, another device or a line added to the list
 * gives no point another number. A line without sets and without `where` is one plain instance. */
#ifndef CKT_GEN_SPACE_H
#define CKT_GEN_SPACE_H

#include "gen/instance.h"
#include "gen/rules_hardware.h"
#include "gen/span.h"

/* Most points of one line: seconds of walking. Fuzz targets set a smaller limit. */
#ifndef CKT_SPACE_POINTS_MAX
#define CKT_SPACE_POINTS_MAX ((int64_t)100000000)
#endif
/* Sets of one line: as many as all fields have numbers and words. */
#define CKT_SPACE_AXES_MAX 28

struct ckt_space; /* opaque */

/* Reads a line of our own notation, which must outlive the space; a comment at its end is skipped. `defaults` as
 * for ckt_instance_parse; NULL: the line must be a key. CKT_E_INPUT: *fault is the part of the line that is wrong.
 * The caller frees the space with ckt_space_free, which takes NULL. */
int ckt_space_parse(struct ckt_span line, const struct ckt_problem_defaults *defaults,
                    struct ckt_space **space, struct ckt_span *fault, struct ckt_error *error);
void ckt_space_free(struct ckt_space *space);

/* A line without sets and without `where`. Rules are not asked of it: a sweep reports what it cannot do. */
bool ckt_space_is_plain(const struct ckt_space *space);
/* Points of the product, before anything is left out. */
int64_t ckt_space_size(const struct ckt_space *space);

/* The first point; of a plain line, its instance. */
const struct ckt_instance *ckt_space_first(const struct ckt_space *space);

/* A walk through a space, which must outlive it. */
struct ckt_space_walk {
  const struct ckt_space *space;
  const struct ckt_arch *arch;
  bool all;
  /* The point at hand. */
  int64_t number;
  struct ckt_instance instance;
  const char *rule; /* NULL: the point is kept; else "where" or the word of a rule of the hardware */
  char reason[CKT_REASON_MAX]; /* of a point that is not kept, "" otherwise */
  size_t digits[CKT_SPACE_AXES_MAX];
};

/* Begins a walk. With `arch` NULL the device is not known yet (see ckt_hardware_broken). With `all` points that are
 * not kept are shown as well, with rule and reason. */
void ckt_space_start(struct ckt_space_walk *walk, const struct ckt_space *space, const struct ckt_arch *arch,
                     bool all);
/* Goes to the next point; *more is false behind the last. CKT_E_INPUT when `where` cannot be computed for a point
 * (a division by zero): *fault is the part of the line. */
int ckt_space_next(struct ckt_space_walk *walk, bool *more, struct ckt_span *fault, struct ckt_error *error);

/* Points that are kept on a device that is not known yet; fails as ckt_space_next does. */
int ckt_space_count(const struct ckt_space *space, int64_t *kept, struct ckt_span *fault,
                    struct ckt_error *error);

/* The point as a plain line of our own notation, with the fields of its line in their order: what a person can copy. To be
 * freed; NULL when memory ran out. */
char *ckt_space_point_line(const struct ckt_space *space, const struct ckt_instance *instance);

#endif
