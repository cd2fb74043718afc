/* 128-bit hashes (XXH3) as text, for cache keys and run identity. Not for secrets. */
#ifndef CKT_COMMON_HASH_H
#define CKT_COMMON_HASH_H

#include <stddef.h>

#define CKT_HASH_TEXT 33 /* 32 lower-case hexadecimal digits and a NUL */

struct ckt_hash; /* a hash under way */

/* NULL when memory ran out; every other function accepts NULL and the digest is then "". */
struct ckt_hash *ckt_hash_create(void);
void ckt_hash_free(struct ckt_hash *hash);
/* Each part goes in with its length, so that ("ab","c") and ("a","bc") differ. */
void ckt_hash_part(struct ckt_hash *hash, const void *bytes, size_t length);
void ckt_hash_string(struct ckt_hash *hash, const char *string);
void ckt_hash_digest(const struct ckt_hash *hash, char digest[CKT_HASH_TEXT]);

#endif
