#include "gen/measurement.h"

#include <string.h>

static const char *const status_words[] = {
#define ROW(name, word) word,
    CKT_STATUSES(ROW)
#undef ROW
};

static const char *const method_words[] = {
#define ROW(name, word) word,
    CKT_METHODS(ROW)
#undef ROW
};

static int find(const char *const *words, size_t count, const char *word) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(words[i], word) == 0)
      return (int)i;
  return -1;
}

const char *ckt_status_word(enum ckt_pair_status status) {
  return status_words[status];
}

int ckt_status_parse(const char *word) {
  return find(status_words, sizeof status_words / sizeof *status_words, word);
}

const char *ckt_method_word(enum ckt_method method) {
  return method_words[method];
}

int ckt_method_parse(const char *word) {
  return find(method_words, sizeof method_words / sizeof *method_words, word);
}
