/* Finds and opens ROCm's shared libraries: the one search order that HIP and hipRTC share. */
#ifndef CKT_BENCH_ROCM_LIBRARY_H
#define CKT_BENCH_ROCM_LIBRARY_H

#include "common/error.h"

#define CKT_LIBRARY_PATH_MAX 1024

struct ckt_rocm_wanted {
  const char *what;         /* for messages: "AMD's HIP runtime" */
  const char *const *names; /* NULL-terminated file names, the first that is there wins within a folder */
  const char *symbol;       /* one that the library must have; without it the search goes on */
  const char *remedy;       /* what to do when it is nowhere: "install ..." */
};

/* Opens the first fitting library of: DIR/lib (rocm, --rocm DIR, when not NULL: and then nowhere else, since
 * a folder that was asked for by name is never silently replaced); else $ROCM_PATH/lib, $HIP_PATH/lib, the
 * prefix of the build, /opt/rocm/lib, and last the dynamic linker's own folders. `lib` stands for lib, lib64
 * and Debian's lib/x86_64-linux-gnu. CKT_E_TOOLCHAIN names every place that was tried. The library stays open
 * until the process ends: AMD's do not survive being unloaded. */
int ckt_rocm_open(const struct ckt_rocm_wanted *wanted, const char *rocm, void **handle,
                  char path[CKT_LIBRARY_PATH_MAX], struct ckt_error *error);

/* The file behind a handle of dlopen, "" when it cannot be told. */
void ckt_library_path(void *handle, char path[CKT_LIBRARY_PATH_MAX]);

#endif
