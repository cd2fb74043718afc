#include "common/hash.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

struct ckt_hash *ckt_hash_create(void) {
  XXH3_state_t *state = XXH3_createState();
  if (state != NULL)
    XXH3_128bits_reset(state);
  return (struct ckt_hash *)state;
}

void ckt_hash_free(struct ckt_hash *hash) {
  XXH3_freeState((XXH3_state_t *)hash);
}

void ckt_hash_part(struct ckt_hash *hash, const void *bytes, size_t length) {
  if (hash == NULL)
    return;
  const uint64_t size = length;
  XXH3_128bits_update((XXH3_state_t *)hash, &size, sizeof size);
  XXH3_128bits_update((XXH3_state_t *)hash, bytes, length);
}

void ckt_hash_string(struct ckt_hash *hash, const char *string) {
  ckt_hash_part(hash, string, strlen(string));
}

void ckt_hash_digest(const struct ckt_hash *hash, char digest[CKT_HASH_TEXT]) {
  digest[0] = '\0';
  if (hash == NULL)
    return;
  const XXH128_hash_t value = XXH3_128bits_digest((const XXH3_state_t *)hash);
  snprintf(digest, CKT_HASH_TEXT, "%016llx%016llx", (unsigned long long)value.high64,
           (unsigned long long)value.low64);
}
