/* Where things lie: the program's own data (relative to the executable), and the user's (XDG). */
#ifndef CKT_COMMON_PLACE_H
#define CKT_COMMON_PLACE_H

#include "common/error.h"

/* All results are to be freed by the caller; NULL with *error filled when there is none.
 *
 * The build tree and an installed tree have one shape:
 *   bin/cktune   lib/cktune/libhipsim.so   share/cktune/{configs,kernels}
 * so that the program's data are found from bin/ in both. */
char *ckt_place_executable(struct ckt_error *error);
char *ckt_place_library(const char *name, struct ckt_error *error);  /* ../lib/cktune/<name> */
char *ckt_place_data(const char *relative, struct ckt_error *error); /* ../share/cktune/<relative> */

/* $XDG_CACHE_HOME/cktune/<relative> (default ~/.cache), $XDG_DATA_HOME/cktune/<relative> (default
 * ~/.local/share). */
char *ckt_place_cache(const char *relative, struct ckt_error *error);
char *ckt_place_user_data(const char *relative, struct ckt_error *error);

#endif
