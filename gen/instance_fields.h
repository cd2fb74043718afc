/* Every field of an instance by its name in our own notation, with its kind, its words and where its value comes from
 * when a line does not say it. Key, readers, spaces and `where` clauses all go by this table. Internal to gen. */
#ifndef CKT_GEN_INSTANCE_FIELDS_H
#define CKT_GEN_INSTANCE_FIELDS_H

#include "gen/instance.h"
#include "gen/span.h"

enum ckt_field_kind {
  CKT_FIELD_WORD,    /* an enumerator or a small int: index of the word */
  CKT_FIELD_FLAG,    /* a bool: words are false and true */
  CKT_FIELD_NUMBERS, /* one or more int64_t, `separator` between them */
};

enum ckt_field_default {
  CKT_FIELD_REQUIRED,
  CKT_FIELD_FROM_LIST,
  CKT_FIELD_FROM_VALUE,
  CKT_FIELD_FROM_WARPS
};

struct ckt_field {
  const char *name;
  enum ckt_field_kind kind;
  enum ckt_field_default source;
  size_t offset; /* in struct ckt_instance */
  const char *const *words;
  size_t word_count;   /* some may be NULL */
  size_t width;        /* components: numbers, or 1 */
  const char *letters; /* of the components, where there are several: "mnk" */
  char separator;      /* between them */
  int64_t value;       /* CKT_FIELD_FROM_VALUE */
  const char *example; /* expected form, for messages */
};

#define CKT_FIELD_COUNT      20
#define CKT_FIELD_COMPONENTS 28 /* of all fields together */

/* In the order of the key. */
extern const struct ckt_field ckt_fields[CKT_FIELD_COUNT];

/* NULL when no field has this name. */
const struct ckt_field *ckt_field_find(struct ckt_span name);
/* A component's value: a number, the index of a word, 0 or 1. */
int64_t ckt_field_get(const struct ckt_instance *instance, const struct ckt_field *field, size_t component);
void ckt_field_set(struct ckt_instance *instance, const struct ckt_field *field, size_t component,
                   int64_t value);
/* The index of the field's word; false when it has no such word. */
bool ckt_field_word(const struct ckt_field *field, struct ckt_span word, int64_t *index);
/* Writes "name=value", cut to size - 1 bytes; returns the length of the whole text. */
size_t ckt_field_print(const struct ckt_field *field, const struct ckt_instance *instance, char *text,
                       size_t size);

#endif
