#include "bench/headers.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/embedded.h"
#include "common/file.h"
#include "common/text.h"

/* Headers are source text written by hand; one beyond this is not one. */
#define HEADER_LIMIT  ((size_t)4 << 20)
#define MOST_HEADERS  ((size_t)1024)
#define OUT_OF_MEMORY "memory ran out while reading the kernel headers"

static bool is_header(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot != NULL && dot != name && (strcmp(dot, ".hpp") == 0 || strcmp(dot, ".h") == 0);
}

/* Adds a row; takes name and text over when they are `owned`, also on failure. */
static int add(struct ckt_headers *headers, const char *name, const char *text) {
  const size_t count = headers->count + 1;
  const char **names = realloc(headers->names, count * sizeof *names);
  if (names == NULL)
    return CKT_E_NOMEM;
  headers->names = names;
  const char **texts = realloc(headers->texts, count * sizeof *texts);
  if (texts == NULL)
    return CKT_E_NOMEM;
  headers->texts = texts;
  names[headers->count] = name;
  texts[headers->count] = text;
  headers->count = count;
  return CKT_OK;
}

static int own(struct ckt_headers *headers, char *string) {
  /* Two owned strings a header: its name, then its text. */
  size_t owned = 0;
  while (headers->owned != NULL && headers->owned[owned] != NULL)
    owned++;
  char **list = realloc(headers->owned, (owned + 2) * sizeof *list);
  if (list == NULL) {
    free(string);
    return CKT_E_NOMEM;
  }
  list[owned] = string;
  list[owned + 1] = NULL;
  headers->owned = list;
  return CKT_OK;
}

static int read_header(const char *folder, const char *name, struct ckt_headers *headers,
                       struct ckt_error *error) {
  struct ckt_text path = {0};
  struct ckt_text content;
  ckt_text_init(&content, HEADER_LIMIT);
  ckt_text_printf(&path, "%s/%s", folder, name);
  int status = ckt_file_read(ckt_text_string(&path), &content, error);
  ckt_text_free(&path);
  char *text = status == CKT_OK ? ckt_text_take(&content, error) : NULL;
  ckt_text_free(&content);
  if (text == NULL)
    return status != CKT_OK ? status : CKT_E_NOMEM;
  char *copy = strdup(name);
  if (copy == NULL) {
    free(text);
    return ckt_fail(error, CKT_E_NOMEM, OUT_OF_MEMORY);
  }
  /* own() frees what it cannot keep */
  const bool named = own(headers, copy) == CKT_OK;
  const bool texted = own(headers, text) == CKT_OK;
  if (!named || !texted || add(headers, copy, text) != CKT_OK)
    return ckt_fail(error, CKT_E_NOMEM, OUT_OF_MEMORY);
  return CKT_OK;
}

static int load_folder(const char *folder, struct ckt_headers *headers, struct ckt_error *error) {
  DIR *open_folder = opendir(folder);
  if (open_folder == NULL)
    return ckt_fail(error, CKT_E_INPUT, "cannot read the kernel folder %s: %s", folder, strerror(errno));
  int status = CKT_OK;
  const struct dirent *entry;
  while (status == CKT_OK && (entry = readdir(open_folder)) != NULL) {
    if (!is_header(entry->d_name))
      continue;
    status = headers->count < MOST_HEADERS
                 ? read_header(folder, entry->d_name, headers, error)
                 : ckt_fail(error, CKT_E_INPUT, "the kernel folder %s holds more than %zu headers", folder,
                            MOST_HEADERS);
  }
  closedir(open_folder);
  if (status == CKT_OK && headers->count == 0)
    return ckt_fail(error, CKT_E_INPUT, "the kernel folder %s holds no *.hpp or *.h file", folder);
  return status;
}

static int load_embedded(struct ckt_headers *headers, struct ckt_error *error) {
  for (size_t i = 0; i < ckt_embedded_header_count; i++)
    if (add(headers, ckt_embedded_headers[i].name, ckt_embedded_headers[i].text) != CKT_OK)
      return ckt_fail(error, CKT_E_NOMEM, OUT_OF_MEMORY);
  return CKT_OK;
}

/* By name, so that the digest does not depend on the order a folder is read in. The lists are short. */
static void sort(struct ckt_headers *headers) {
  for (size_t i = 1; i < headers->count; i++) {
    const char *name = headers->names[i];
    const char *text = headers->texts[i];
    size_t at = i;
    for (; at > 0 && strcmp(headers->names[at - 1], name) > 0; at--) {
      headers->names[at] = headers->names[at - 1];
      headers->texts[at] = headers->texts[at - 1];
    }
    headers->names[at] = name;
    headers->texts[at] = text;
  }
}

static int digest(struct ckt_headers *headers, struct ckt_error *error) {
  struct ckt_hash *hash = ckt_hash_create();
  if (hash == NULL)
    return ckt_fail(error, CKT_E_NOMEM, OUT_OF_MEMORY);
  for (size_t i = 0; i < headers->count; i++) {
    ckt_hash_string(hash, headers->names[i]);
    ckt_hash_string(hash, headers->texts[i]);
  }
  ckt_hash_digest(hash, headers->digest);
  ckt_hash_free(hash);
  return CKT_OK;
}

int ckt_headers_load(const char *folder, struct ckt_headers *headers, struct ckt_error *error) {
  *headers = (struct ckt_headers){0};
  int status = folder != NULL ? load_folder(folder, headers, error) : load_embedded(headers, error);
  if (status == CKT_OK) {
    sort(headers);
    status = digest(headers, error);
  }
  if (status != CKT_OK)
    ckt_headers_free(headers);
  return status;
}

void ckt_headers_free(struct ckt_headers *headers) {
  for (char **string = headers->owned; string != NULL && *string != NULL; string++)
    free(*string);
  free(headers->owned);
  free(headers->names);
  free(headers->texts);
  *headers = (struct ckt_headers){0};
}
