#include "driver/gen_hip_clean.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "common/file.h"

/* A manifest of a hundred thousand instances. */
#define MANIFEST_BYTES_MAX ((size_t)128 << 20)

static int no_memory(struct ckt_error *error) {
  return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
}

int ckt_sources_add(struct ckt_sources *sources, const char *path, struct ckt_error *error) {
  /* Doubled whenever the count is a power of two. */
  if ((sources->count & (sources->count - 1)) == 0) {
    const size_t capacity = sources->count > 0 ? 2 * sources->count : 1;
    char **paths = realloc(sources->paths, capacity * sizeof *paths);
    if (paths == NULL)
      return no_memory(error);
    sources->paths = paths;
  }
  char *copy = strdup(path);
  if (copy == NULL)
    return no_memory(error);
  sources->paths[sources->count++] = copy;
  return CKT_OK;
}

void ckt_sources_free(struct ckt_sources *sources) {
  for (size_t i = 0; i < sources->count; i++)
    free(sources->paths[i]);
  free(sources->paths);
  *sources = (struct ckt_sources){0};
}

/* One or more characters of `set` at *at, which goes behind them; NULL when there is none. */
static const char *take(const char **at, const char *set, int *length) {
  const char *start = *at;
  *length = (int)strspn(start, set);
  *at += *length;
  return *length > 0 ? start : NULL;
}

/* What we write and nothing else, whatever a manifest says:
 * DIRECTION/CONFIG/grouped_convolution_DIRECTION_tile_CONFIG_LINE.hip, or _LINE_POINT.hip. */
static bool is_source(const char *path) {
  static const char word[] = "abcdefghijklmnopqrstuvwxyz0123456789_", digits[] = "0123456789";
  char name[256];
  const char *at = path;
  int direction_length, config_length, length;
  const char *direction = take(&at, word, &direction_length);
  if (direction == NULL || *at++ != '/')
    return false;
  const char *config = take(&at, word, &config_length);
  if (config == NULL || *at++ != '/')
    return false;
  length = snprintf(name, sizeof name, "grouped_convolution_%.*s_tile_%.*s_", direction_length, direction,
                    config_length, config);
  if ((size_t)length >= sizeof name || strncmp(at, name, (size_t)length) != 0)
    return false;
  at += length;
  if (take(&at, digits, &length) == NULL || (*at == '_' && (at++, take(&at, digits, &length) == NULL)))
    return false;
  return strcmp(at, ".hip") == 0;
}

static int add_sources(const cJSON *instances, struct ckt_sources *sources, struct ckt_error *error) {
  const cJSON *instance;
  cJSON_ArrayForEach(instance, instances) {
    const char *source = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(instance, "source"));
    if (source != NULL && is_source(source))
      CKT_TRY(ckt_sources_add(sources, source, error));
  }
  return CKT_OK;
}

static int parse_manifest(const char *path, const struct ckt_text *text, struct ckt_sources *sources,
                          struct ckt_error *error) {
  cJSON *manifest = cJSON_ParseWithLength(ckt_text_string(text), text->length);
  const char *target = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(manifest, "target"));
  int status = CKT_OK;
  if (target == NULL || strcmp(target, "hip") != 0)
    status = ckt_fail(
        error, CKT_E_INPUT,
        "%s is no manifest of cktune, so what an earlier run wrote is not known: run without --clean", path);
  else
    status = add_sources(cJSON_GetObjectItemCaseSensitive(manifest, "instances"), sources, error);
  cJSON_Delete(manifest);
  return status;
}

int ckt_sources_of_manifest(const char *folder, struct ckt_sources *sources, struct ckt_error *error) {
  struct ckt_text path = {0}, text;
  ckt_text_init(&text, MANIFEST_BYTES_MAX);
  ckt_text_printf(&path, "%s/manifest.json", folder);
  int status = ckt_text_status(&path, error);
  if (status == CKT_OK && ckt_file_exists(ckt_text_string(&path))) {
    status = ckt_file_read(ckt_text_string(&path), &text, error);
    if (status == CKT_OK)
      status = parse_manifest(ckt_text_string(&path), &text, sources, error);
  }
  ckt_text_free(&path);
  ckt_text_free(&text);
  return status;
}

static int by_text(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Folders that became empty go, too: the source's, and that of its direction. */
static void remove_folders(char *path, const char *folder) {
  for (char *slash; (slash = strrchr(path, '/')) != NULL && (size_t)(slash - path) > strlen(folder);) {
    *slash = '\0';
    if (rmdir(path) != 0)
      return; /* something is in it */
  }
}

static int remove_source(const char *folder, const char *source, size_t *removed, struct ckt_error *error) {
  struct ckt_text text = {0};
  ckt_text_printf(&text, "%s/%s", folder, source);
  char *path = ckt_text_take(&text, error);
  if (path == NULL)
    return CKT_E_NOMEM;
  int status = CKT_OK;
  if (unlink(path) == 0) {
    (*removed)++;
    remove_folders(path, folder);
  } else if (errno != ENOENT) {
    status = ckt_fail(error, CKT_E_IO, "cannot remove %s: %s", path, strerror(errno));
  }
  free(path);
  return status;
}

/* Whether NAME in a folder below the output is the temporary file of a source. */
static bool is_left(const char *folder, int descriptor, const char *name) {
  const size_t stem = ckt_file_temporary_stem(name);
  struct ckt_text source = {0};
  struct stat info;
  ckt_text_printf(&source, "%s/%.*s", folder, (int)stem, name);
  const bool ours = stem > 0 && is_source(ckt_text_string(&source));
  ckt_text_free(&source);
  return ours && fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && ckt_file_was_left(&info);
}

/* What cannot be removed stays: nobody reads it. */
static void remove_left_in(const char *output, const char *folder, size_t *removed) {
  struct ckt_text path = {0};
  ckt_text_printf(&path, "%s/%s", output, folder);
  DIR *entries = opendir(ckt_text_string(&path));
  ckt_text_free(&path);
  if (entries == NULL)
    return;
  for (const struct dirent *entry; (entry = readdir(entries)) != NULL;)
    if (is_left(folder, dirfd(entries), entry->d_name) && unlinkat(dirfd(entries), entry->d_name, 0) == 0)
      (*removed)++;
  closedir(entries);
}

/* In every folder of the sources, which stand together by folder. */
static int remove_left(const char *output, const struct ckt_sources *sources, size_t *removed,
                       struct ckt_error *error) {
  char *last = NULL;
  for (size_t i = 0; i < sources->count; i++) {
    const size_t length = (size_t)(strrchr(sources->paths[i], '/') - sources->paths[i]);
    if (last != NULL && strncmp(sources->paths[i], last, length) == 0 && last[length] == '\0')
      continue;
    free(last);
    last = strndup(sources->paths[i], length);
    if (last == NULL)
      return no_memory(error);
    remove_left_in(output, last, removed);
  }
  free(last);
  return CKT_OK;
}

int ckt_sources_clean(const char *folder, const struct ckt_sources *earlier, struct ckt_sources *now,
                      size_t *removed, struct ckt_error *error) {
  CKT_TRY(remove_left(folder, earlier, removed, error));
  CKT_TRY(remove_left(folder, now, removed, error));
  if (now->count > 0)
    qsort(now->paths, now->count, sizeof *now->paths, by_text);
  for (size_t i = 0; i < earlier->count; i++)
    if (now->count == 0 ||
        bsearch(&earlier->paths[i], now->paths, now->count, sizeof *now->paths, by_text) == NULL)
      CKT_TRY(remove_source(folder, earlier->paths[i], removed, error));
  return CKT_OK;
}
