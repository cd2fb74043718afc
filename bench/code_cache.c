#include "bench/code_cache.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "common/number.h"

/* An entry: four lines of text, then the code object.
 *
 *   cktune code object 1
 *   kernel NAME
 *   hash 32 HEXADECIMAL DIGITS      of name and code
 *   length BYTES
 */
#define MAGIC       "cktune code object 1\n"
#define ENTRY_LIMIT ((size_t)256 << 20)
#define KERNEL_MAX  ((size_t)4096)

struct ckt_code_cache {
  char *folder;
};

int ckt_code_cache_open(const char *folder, struct ckt_code_cache **cache, struct ckt_error *error) {
  *cache = NULL;
  struct ckt_error cause = {0};
  if (ckt_make_folder(folder, &cause) != CKT_OK)
    return ckt_fail(error, CKT_E_CACHE, "cannot make the cache folder: %s; name another with --cache-dir",
                    cause.text);
  if (access(folder, R_OK | W_OK | X_OK) != 0)
    return ckt_fail(error, CKT_E_CACHE,
                    "cannot write in the cache folder %s: %s; name another with --cache-dir", folder,
                    strerror(errno));
  struct ckt_code_cache *made = calloc(1, sizeof *made);
  char *copy = strdup(folder);
  if (made == NULL || copy == NULL) {
    free(made);
    free(copy);
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out while opening the cache folder %s", folder);
  }
  made->folder = copy;
  *cache = made;
  return CKT_OK;
}

void ckt_code_cache_close(struct ckt_code_cache **cache) {
  if (*cache != NULL)
    free((*cache)->folder);
  free(*cache);
  *cache = NULL;
}

const char *ckt_code_cache_folder(const struct ckt_code_cache *cache) {
  return cache->folder;
}

void ckt_code_cache_key(const struct ckt_code_key *key, char text[CKT_HASH_TEXT]) {
  struct ckt_hash *hash = ckt_hash_create();
  ckt_hash_string(hash, MAGIC);
  ckt_hash_string(hash, key->source);
  ckt_hash_string(hash, key->headers_digest);
  ckt_hash_string(hash, key->toolchain);
  ckt_hash_string(hash, key->target);
  ckt_hash_string(hash, key->kernel);
  for (const char *const *option = key->options; *option != NULL; option++)
    ckt_hash_string(hash, *option);
  ckt_hash_digest(hash, text);
  ckt_hash_free(hash);
}

char *ckt_code_cache_path(const struct ckt_code_cache *cache, const char *key, struct ckt_error *error) {
  struct ckt_text path = {0};
  ckt_text_printf(&path, "%s/%s.co", cache->folder, key);
  return ckt_text_take(&path, error);
}

bool ckt_code_cache_has(const struct ckt_code_cache *cache, const char *key) {
  char *path = ckt_code_cache_path(cache, key, NULL);
  if (path == NULL)
    return false;
  char *kernel = NULL;
  struct ckt_text code = {0};
  const bool whole = ckt_code_file_read(path, &kernel, &code, NULL) == CKT_OK;
  ckt_text_free(&code);
  free(kernel);
  free(path);
  return whole;
}

/* The file's own name is part of it: an entry that was copied or renamed to another key does not pass. */
static int content_hash(const char *path, const char *kernel, const void *code, size_t length,
                        char text[CKT_HASH_TEXT], struct ckt_error *error) {
  const char *slash = strrchr(path, '/');
  struct ckt_hash *hash = ckt_hash_create();
  if (hash == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out while hashing a code object");
  ckt_hash_string(hash, slash != NULL ? slash + 1 : path);
  ckt_hash_string(hash, kernel);
  ckt_hash_part(hash, code, length);
  ckt_hash_digest(hash, text);
  ckt_hash_free(hash);
  return CKT_OK;
}

int ckt_code_file_write(const char *path, const char *kernel, const void *code, size_t length,
                        struct ckt_error *error) {
  if (kernel[0] == '\0' || strchr(kernel, '\n') != NULL || strlen(kernel) > KERNEL_MAX)
    return ckt_fail(error, CKT_E_INTERNAL, "a kernel name of one line and at most %zu bytes was expected",
                    KERNEL_MAX);
  char hash[CKT_HASH_TEXT];
  CKT_TRY(content_hash(path, kernel, code, length, hash, error));
  struct ckt_text entry;
  ckt_text_init(&entry, ENTRY_LIMIT);
  ckt_text_printf(&entry, MAGIC "kernel %s\nhash %s\nlength %zu\n", kernel, hash, length);
  ckt_text_append_bytes(&entry, code, length);
  int status = ckt_text_status(&entry, error);
  struct ckt_error cause = {0};
  if (status == CKT_OK && ckt_file_write(path, entry.data, entry.length, &cause) != CKT_OK)
    status = ckt_fail(error, CKT_E_CACHE, "%s", cause.text);
  ckt_text_free(&entry);
  return status;
}

/* What is left of an entry while it is read. */
struct reader {
  const char *at;
  size_t left;
};

/* Takes a line that starts with `word`; the rest without its newline. False when there is none. */
static bool take_line(struct reader *reader, const char *word, const char **rest, size_t *length) {
  const size_t word_length = strlen(word);
  const char *end = memchr(reader->at, '\n', reader->left);
  if (end == NULL || (size_t)(end - reader->at) < word_length || memcmp(reader->at, word, word_length) != 0)
    return false;
  *rest = reader->at + word_length;
  *length = (size_t)(end - *rest);
  reader->left -= (size_t)(end + 1 - reader->at);
  reader->at = end + 1;
  return true;
}

/* The fault of an entry, or NULL; on success *kernel is owned by the caller. */
static const char *read_entry(struct reader *reader, char **kernel, char hash[CKT_HASH_TEXT]) {
  const char *rest;
  size_t length;
  if (reader->left < strlen(MAGIC) || memcmp(reader->at, MAGIC, strlen(MAGIC)) != 0)
    return "is no code object of this version of cktune";
  reader->at += strlen(MAGIC);
  reader->left -= strlen(MAGIC);
  if (!take_line(reader, "kernel ", &rest, &length) || length == 0 || length > KERNEL_MAX ||
      memchr(rest, '\0', length) != NULL)
    return "has no kernel name";
  const char *name = rest;
  const size_t name_length = length;
  if (!take_line(reader, "hash ", &rest, &length) || length != CKT_HASH_TEXT - 1)
    return "has no hash";
  memcpy(hash, rest, length);
  hash[length] = '\0';
  int64_t bytes;
  if (!take_line(reader, "length ", &rest, &length) || ckt_parse_i64(rest, length, &bytes) != CKT_NUMBER_OK ||
      bytes < 0 || (uint64_t)bytes != reader->left)
    return "is cut off or has grown";
  *kernel = strndup(name, name_length);
  return *kernel != NULL ? NULL : "could not be read: memory ran out";
}

static int check_entry(const char *path, const struct ckt_text *entry, char **kernel, struct ckt_text *code,
                       struct ckt_error *error) {
  struct reader reader = {ckt_text_string(entry), entry->length};
  char stated[CKT_HASH_TEXT];
  char found[CKT_HASH_TEXT];
  const char *fault = read_entry(&reader, kernel, stated);
  if (fault == NULL) {
    CKT_TRY(content_hash(path, *kernel, reader.at, reader.left, found, error));
    if (memcmp(stated, found, CKT_HASH_TEXT) != 0)
      fault = "does not match its hash";
  }
  if (fault != NULL)
    return ckt_fail(error, CKT_E_CACHE, "the cached code object %s %s: compile it again", path, fault);
  ckt_text_append_bytes(code, reader.at, reader.left);
  return ckt_text_status(code, error);
}

int ckt_code_file_read(const char *path, char **kernel, struct ckt_text *code, struct ckt_error *error) {
  *kernel = NULL;
  struct ckt_text entry;
  ckt_text_init(&entry, ENTRY_LIMIT);
  struct ckt_error cause = {0};
  int status = ckt_file_read(path, &entry, &cause);
  status = status == CKT_OK ? check_entry(path, &entry, kernel, code, error)
                            : ckt_fail(error, CKT_E_CACHE, "%s", cause.text);
  ckt_text_free(&entry);
  if (status != CKT_OK) {
    free(*kernel);
    *kernel = NULL;
  }
  return status;
}

int ckt_code_cache_remove(struct ckt_code_cache *cache, const char *key, struct ckt_error *error) {
  char *path = ckt_code_cache_path(cache, key, error);
  if (path == NULL)
    return CKT_E_NOMEM;
  int status = CKT_OK;
  if (unlink(path) != 0 && errno != ENOENT)
    status = ckt_fail(error, CKT_E_CACHE, "cannot remove %s: %s", path, strerror(errno));
  free(path);
  return status;
}
