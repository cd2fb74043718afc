/* Sources of an earlier `cktune gen --target hip`, as its manifest names them. */
#ifndef CKT_DRIVER_GEN_HIP_CLEAN_H
#define CKT_DRIVER_GEN_HIP_CLEAN_H

#include <stddef.h>

#include "common/error.h"

/* Paths below a folder, owned. */
struct ckt_sources {
  char **paths;
  size_t count;
};

/* Adds a copy. */
int ckt_sources_add(struct ckt_sources *sources, const char *path, struct ckt_error *error);
void ckt_sources_free(struct ckt_sources *sources);

/* The sources that <folder>/manifest.json names; none when there is no manifest. CKT_E_INPUT when the file is no manifest
 * of ours. Names that are none of ours are passed over. */
int ckt_sources_of_manifest(const char *folder, struct ckt_sources *sources, struct ckt_error *error);

/* Removes the files of `earlier` that are not in `now`, which gets sorted, and the temporary files that killed runs left
 * in the folders of both; adds their count to *removed. */
int ckt_sources_clean(const char *folder, const struct ckt_sources *earlier, struct ckt_sources *now,
                      size_t *removed, struct ckt_error *error);

#endif
