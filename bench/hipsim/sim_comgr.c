#include "bench/hipsim/sim_comgr.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {"libamd_comgr.so.3", "libamd_comgr.so.2", "libamd_comgr.so"};

static struct sim_comgr comgr;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The library does not survive being closed. */
static void bind_comgr(void) {
  void *handle = NULL;
  for (size_t i = 0; handle == NULL && i < sizeof names / sizeof names[0]; ++i)
    handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  const char *rocm = getenv("ROCM_PATH");
  char path[512];
  if (handle == NULL && snprintf(path, sizeof path, "%s/lib/libamd_comgr.so",
                                 rocm != NULL ? rocm : "/opt/rocm") < (int)sizeof path)
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    snprintf(comgr.trouble, sizeof comgr.trouble,
             "libamd_comgr.so.3 or .so.2 is not installed; install libamd-comgr2 (Debian) or ROCm");
    return;
  }
#define ROW(name)                                                                                            \
  *(void **)&comgr.name = dlsym(handle, "amd_comgr_" #name);                                                 \
  if (comgr.name == NULL)                                                                                    \
    snprintf(comgr.trouble, sizeof comgr.trouble,                                                            \
             "libamd_comgr has no symbol amd_comgr_%s; install ROCm 5 or later", #name);
  SIM_COMGR_SYMBOLS(ROW)
#undef ROW
}

const struct sim_comgr *sim_comgr(void) {
  pthread_once(&once, bind_comgr);
  return &comgr;
}
