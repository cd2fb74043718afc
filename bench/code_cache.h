/* Code objects kept between runs.
 *
 * An entry is one file <folder>/<key>.co; kernel name and toolchain are in the key and in a small header of
 * the file, with a hash of the content, so that a damaged file is noticed and treated as absent. */
#ifndef CKT_BENCH_CODE_CACHE_H
#define CKT_BENCH_CODE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "common/hash.h"
#include "common/text.h"

struct ckt_code_cache; /* opaque */

/* Makes the folder. CKT_E_CACHE when it cannot be written. */
int ckt_code_cache_open(const char *folder, struct ckt_code_cache **cache, struct ckt_error *error);
void ckt_code_cache_close(struct ckt_code_cache **cache);
const char *ckt_code_cache_folder(const struct ckt_code_cache *cache);

struct ckt_code_key {
  const char *source;
  const char *headers_digest;
  const char *const *options; /* NULL-terminated */
  const char *toolchain;      /* ckt_rtc_version */
  const char *target;
  const char *kernel; /* entry name */
};
void ckt_code_cache_key(const struct ckt_code_key *key, char text[CKT_HASH_TEXT]);

/* The entry's path, whether or not it is there; to be freed. */
char *ckt_code_cache_path(const struct ckt_code_cache *cache, const char *key, struct ckt_error *error);
/* True when there is an entry and it is whole. */
bool ckt_code_cache_has(const struct ckt_code_cache *cache, const char *key);
/* Writes an entry file (atomically) at a path that ckt_code_cache_path gave; usable by a worker without a
 * cache object. */
int ckt_code_file_write(const char *path, const char *kernel, const void *code, size_t length,
                        struct ckt_error *error);
/* Reads it back: kernel name (to be freed) and code object. CKT_E_CACHE when it is damaged. */
int ckt_code_file_read(const char *path, char **kernel, struct ckt_text *code, struct ckt_error *error);
int ckt_code_cache_remove(struct ckt_code_cache *cache, const char *key, struct ckt_error *error);

#endif
