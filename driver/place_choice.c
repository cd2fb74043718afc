#include "driver/place_choice.h"

#include <stdlib.h>
#include <string.h>

#include "common/place.h"

static char *copy(const char *path, struct ckt_error *error) {
  char *made = strdup(path);
  if (made == NULL)
    ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  return made;
}

char *ckt_store_path(const struct ckt_options *options, struct ckt_error *error) {
  return options->db != NULL ? copy(options->db, error) : ckt_place_user_data("cktune.db", error);
}

char *ckt_cache_path(const struct ckt_options *options, struct ckt_error *error) {
  return options->cache_dir != NULL ? copy(options->cache_dir, error) : ckt_place_cache("code", error);
}

int ckt_open_store(const struct ckt_options *options, bool read_only, struct ckt_store **store,
                   struct ckt_error *error) {
  char *path = ckt_store_path(options, error);
  if (path == NULL)
    return error->code;
  const int status = ckt_store_open(path, read_only, store, error);
  free(path);
  return status;
}

int ckt_open_cache(const struct ckt_options *options, struct ckt_code_cache **cache,
                   struct ckt_error *error) {
  char *path = ckt_cache_path(options, error);
  if (path == NULL)
    return error->code;
  const int status = ckt_code_cache_open(path, cache, error);
  free(path);
  return status;
}
