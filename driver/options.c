#include "driver/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"

/* ---- nearest word ---- */

#define NEAREST_MAX 32 /* longer words are not compared */

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Insertions, deletions and replacements that lead from a to b. */
static size_t distance(const char *a, const char *b) {
  const size_t rows = strlen(a), columns = strlen(b);
  size_t row[NEAREST_MAX + 1];
  for (size_t j = 0; j <= columns; j++)
    row[j] = j;
  for (size_t i = 1; i <= rows; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= columns; j++) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
    }
  }
  return row[columns];
}

const char *ckt_nearest(const char *word, const char *const *candidates, size_t count) {
  const char *nearest = NULL;
  const size_t length = strlen(word);
  size_t best = length / 3 + 2; /* farther than this is another word */
  if (length > NEAREST_MAX)
    return NULL;
  for (size_t i = 0; i < count; i++) {
    const bool starts = length >= 3 && strncmp(candidates[i], word, length) == 0;
    const size_t far = strlen(candidates[i]) > NEAREST_MAX ? best
                       : starts                            ? 1
                                                           : distance(word, candidates[i]);
    if (far < best) {
      best = far;
      nearest = candidates[i];
    }
  }
  return nearest;
}

/* ---- one value ---- */

static void *field(struct ckt_options *options, const struct ckt_option *option) {
  return (char *)options + option->offset;
}

static int add_word(struct ckt_words *words, const char *word, struct ckt_error *error) {
  const char **items = realloc(words->items, (words->count + 1) * sizeof *items);
  if (items == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  words->items = items;
  items[words->count++] = word;
  return CKT_OK;
}

static bool is_choice(const char *choices, const char *value) {
  const size_t length = strlen(value);
  for (const char *at = choices; length > 0 && *at != '\0';) {
    const size_t size = strcspn(at, "|");
    if (size == length && memcmp(at, value, size) == 0)
      return true;
    at += size + (at[size] == '|' ? 1 : 0);
  }
  return false;
}

static int set_number(const struct ckt_option *option, const char *value, const char *origin, int64_t *number,
                      struct ckt_error *error) {
  int64_t parsed = 0;
  const enum ckt_number_result result = ckt_parse_i64(value, strlen(value), &parsed);
  if (result != CKT_NUMBER_OK)
    return ckt_fail(error, CKT_E_USAGE, "%s: '%s' %s; a whole number of at least %lld is expected", origin,
                    value, ckt_number_problem(result), (long long)option->least);
  if (parsed < option->least)
    return ckt_fail(error, CKT_E_USAGE, "%s: %s is too small; a whole number of at least %lld is expected",
                    origin, value, (long long)option->least);
  *number = parsed;
  return CKT_OK;
}

static int set_seconds(const char *value, const char *origin, double *seconds, struct ckt_error *error) {
  double parsed = 0;
  const enum ckt_number_result result = ckt_parse_f64(value, strlen(value), &parsed);
  if (result != CKT_NUMBER_OK)
    return ckt_fail(error, CKT_E_USAGE, "%s: '%s' %s; a number of seconds above 0 is expected", origin, value,
                    ckt_number_problem(result));
  if (parsed <= 0 || parsed > 1e9)
    return ckt_fail(error, CKT_E_USAGE,
                    "%s: %s seconds are out of range; above 0 and at most 1e9 are expected", origin, value);
  *seconds = parsed;
  return CKT_OK;
}

/* --spatial is a word for the user and a number for us. */
static int set_word(const struct ckt_option *option, const char *value, const char *origin, void *target,
                    struct ckt_error *error) {
  if (!is_choice(option->choices, value))
    return ckt_fail(error, CKT_E_USAGE, "%s: '%s' is not one of %s", origin, value, option->choices);
  if (option->offset == offsetof(struct ckt_options, spatial))
    *(int64_t *)target = value[0] - '0';
  else
    *(const char **)target = value;
  return CKT_OK;
}

/* `origin` is the option as it was written ("--jobs"), or the environment variable. */
static int set(const struct ckt_option *option, const char *value, const char *origin,
               struct ckt_options *options, struct ckt_error *error) {
  void *target = field(options, option);
  switch (option->kind) {
  case CKT_OPTION_FLAG:
    *(bool *)target = true;
    return CKT_OK;
  case CKT_OPTION_NUMBER:
    return set_number(option, value, origin, target, error);
  case CKT_OPTION_SECONDS:
    return set_seconds(value, origin, target, error);
  case CKT_OPTION_WORD:
    return set_word(option, value, origin, target, error);
  case CKT_OPTION_LIST:
  case CKT_OPTION_TEXT:
  case CKT_OPTION_ANY_TEXT:
    break;
  }
  if (value[0] == '\0' && option->kind != CKT_OPTION_ANY_TEXT)
    return ckt_fail(error, CKT_E_USAGE, "%s is empty, expected %s", origin, option->value);
  if (option->kind == CKT_OPTION_LIST)
    return add_word(target, value, error);
  *(const char **)target = value;
  return CKT_OK;
}

/* ---- the command line ---- */

struct reader {
  char *const *words;
  int count, at;
  unsigned command;
  const char *name;
};

/* The row for the command at hand, else one for another, which take() refuses by its name. `name` is NULL when a
 * letter is looked for. */
static const struct ckt_option *find(const struct reader *reader, const char *name, size_t length,
                                     char letter) {
  const struct ckt_option *found = NULL;
  for (size_t i = 0; i < ckt_option_count; i++) {
    const struct ckt_option *option = &ckt_option_table[i];
    const bool same = name == NULL
                          ? letter != '\0' && option->letter == letter
                          : strlen(option->name) == length && memcmp(option->name, name, length) == 0;
    if (same && (found == NULL || (option->commands & reader->command)))
      found = option;
  }
  return found;
}

#define TABLE_MAX 64 /* more options than this are not looked through for a near one */

static int unknown(const struct reader *reader, const char *word, struct ckt_error *error) {
  const char *names[TABLE_MAX];
  size_t count = 0;
  for (size_t i = 0; i < ckt_option_count && count < TABLE_MAX; i++)
    if (ckt_option_table[i].commands & reader->command)
      names[count++] = ckt_option_table[i].name;
  char bare[NEAREST_MAX + 2];
  snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word + 2, "="), word + 2);
  const char *near = word[1] == '-' ? ckt_nearest(bare, names, count) : NULL;
  if (near != NULL)
    return ckt_fail(error, CKT_E_USAGE, "there is no option %.*s; did you mean --%s?",
                    (int)strcspn(word, "="), word, near);
  return ckt_fail(error, CKT_E_USAGE, "there is no option %.*s; 'cktune help %s' lists those there are",
                  (int)strcspn(word, "="), word, reader->name);
}

/* Takes the value of an option: what follows '=' or, for a letter, the letter itself; else the next word. */
static int take(struct reader *reader, const struct ckt_option *option, const char *origin,
                const char *joined, struct ckt_options *options, struct ckt_error *error) {
  if (!(option->commands & reader->command))
    return ckt_fail(error, CKT_E_USAGE,
                    "%s is not an option of 'cktune %s'; 'cktune help %s' lists those that are", origin,
                    reader->name, reader->name);
  if (option->kind == CKT_OPTION_FLAG)
    return joined == NULL
               ? set(option, NULL, origin, options, error)
               : ckt_fail(error, CKT_E_USAGE, "%s takes no value, and '%s' was given", origin, joined);
  const char *next = joined == NULL && reader->at < reader->count ? reader->words[reader->at] : NULL;
  if (joined == NULL && (next == NULL || (next[0] == '-' && next[1] == '-')))
    return ckt_fail(error, CKT_E_USAGE, "%s needs a value: %s %s", origin, origin, option->value);
  reader->at += joined == NULL;
  return set(option, joined != NULL ? joined : next, origin, options, error);
}

static int read_long(struct reader *reader, const char *word, struct ckt_options *options,
                     struct ckt_error *error) {
  const size_t length = strcspn(word + 2, "=");
  const struct ckt_option *option = find(reader, word + 2, length, '\0');
  if (option == NULL)
    return unknown(reader, word, error);
  char origin[NEAREST_MAX + 8];
  snprintf(origin, sizeof origin, "--%s", option->name);
  return take(reader, option, origin, word[2 + length] == '=' ? word + 3 + length : NULL, options, error);
}

/* Letters that take no value may stand together: -qv. */
static int read_letters(struct reader *reader, const char *word, struct ckt_options *options,
                        struct ckt_error *error) {
  for (const char *at = word + 1; *at != '\0'; at++) {
    const struct ckt_option *option = find(reader, NULL, 0, *at);
    if (option == NULL)
      return unknown(reader, word, error);
    const char origin[] = {'-', *at, '\0'};
    const bool valued = option->kind != CKT_OPTION_FLAG;
    CKT_TRY(take(reader, option, origin, valued && at[1] != '\0' ? at + 1 + (at[1] == '=') : NULL, options,
                 error));
    if (valued)
      break;
  }
  return CKT_OK;
}

static int read_words(struct reader *reader, struct ckt_options *options, struct ckt_error *error) {
  bool only_operands = false;
  while (reader->at < reader->count) {
    const char *word = reader->words[reader->at++];
    if (only_operands || word[0] != '-' || word[1] == '\0')
      CKT_TRY(add_word(&options->operands, word, error));
    else if (strcmp(word, "--") == 0)
      only_operands = true;
    else if (word[1] == '-')
      CKT_TRY(read_long(reader, word, options, error));
    else
      CKT_TRY(read_letters(reader, word, options, error));
  }
  return CKT_OK;
}

static int read_presets(unsigned command, struct ckt_options *options, struct ckt_error *error) {
  for (size_t i = 0; i < ckt_option_count; i++) {
    const struct ckt_option *option = &ckt_option_table[i];
    if (!(option->commands & command))
      continue;
    if (option->preset != NULL)
      CKT_TRY(set(option, option->preset, option->name, options, error));
    const char *value = option->environment != NULL ? getenv(option->environment) : NULL;
    if (value != NULL && value[0] != '\0')
      CKT_TRY(set(option, value, option->environment, options, error));
  }
  const char *token = getenv("CKTUNE_UPLOAD_TOKEN");
  options->token = token != NULL && token[0] != '\0' ? token : NULL;
  return CKT_OK;
}

int ckt_options_parse(int count, char *const *words, unsigned command, const char *name,
                      struct ckt_options *options, struct ckt_error *error) {
  *options = (struct ckt_options){0};
  struct reader reader = {.words = words, .count = count, .command = command, .name = name};
  CKT_TRY(read_presets(command, options, error));
  return read_words(&reader, options, error);
}

void ckt_options_free(struct ckt_options *options) {
  free(options->problems.items);
  free(options->problem_files.items);
  free(options->operands.items);
  *options = (struct ckt_options){0};
}
