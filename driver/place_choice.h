/* Where the store and the cache are: the option, the environment, or XDG's places. */
#ifndef CKT_DRIVER_PLACE_CHOICE_H
#define CKT_DRIVER_PLACE_CHOICE_H

#include "bench/code_cache.h"
#include "driver/options.h"
#include "results/store.h"

char *ckt_store_path(const struct ckt_options *options, struct ckt_error *error); /* to be freed */
char *ckt_cache_path(const struct ckt_options *options, struct ckt_error *error); /* to be freed */
int ckt_open_store(const struct ckt_options *options, bool read_only, struct ckt_store **store,
                   struct ckt_error *error);
int ckt_open_cache(const struct ckt_options *options, struct ckt_code_cache **cache, struct ckt_error *error);

#endif
