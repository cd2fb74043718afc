/* What a space consists of. gen/space_read.c makes it, gen/space.c walks through it. Internal to gen. */
#ifndef CKT_GEN_SPACE_PARTS_H
#define CKT_GEN_SPACE_PARTS_H

#include "gen/instance_fields.h"
#include "gen/space.h"
#include "gen/where.h"

_Static_assert(CKT_SPACE_AXES_MAX == CKT_FIELD_COMPONENTS, "a set for every component");

/* One set: the values that components of a field take together. */
struct ckt_space_axis {
  const struct ckt_field *field;
  size_t component;     /* the first of `width` */
  size_t width;         /* components set together */
  size_t count;         /* values, each of `width` numbers */
  size_t first;         /* where they begin among the space's values */
  struct ckt_span text; /* the set as it stands in the line */
};

struct ckt_space {
  struct ckt_instance base; /* what all points have in common */
  bool given[CKT_FIELD_COUNT];
  const struct ckt_field *said[CKT_FIELD_COUNT]; /* the fields that are given, in the order of the line */
  size_t said_count;
  bool block_from_warps;                          /* the line does not state the block size */
  struct ckt_where *where;                        /* owned; NULL without a clause */
  struct ckt_space_axis axes[CKT_SPACE_AXES_MAX]; /* in the order of the line */
  size_t axis_count;
  int64_t *values; /* owned: of all axes, one axis after the other */
  size_t value_count, value_capacity;
  int64_t size;
};

/* The block size that follows from the waves, when the line states none. */
void ckt_space_settle_block(const struct ckt_space *space, struct ckt_instance *instance);

#endif
