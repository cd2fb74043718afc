#include "bench/hip_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/rocm_library.h"
#include "common/place.h"

static const char *const amd_names[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                        "libamdhip64.so", NULL};

static const struct ckt_rocm_wanted amd_runtime = {
    .what = "AMD's HIP runtime",
    .names = amd_names,
    .symbol = "hipModuleLaunchKernel",
    .remedy = "install ROCm (Debian: libamdhip64-dev), or name its folder with --rocm DIR",
};

/* The symbol's C++ name in libraries that export no plain one (5.2.3 does not). */
#define EXT_LAUNCH_MANGLED                                                                                   \
  "_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j"

static int open_amd(const struct ckt_hip_where *where, struct ckt_hip *hip, struct ckt_error *error) {
  return ckt_rocm_open(&amd_runtime, where->rocm, &hip->handle, hip->library, error);
}

static int open_sim_file(const char *path, struct ckt_hip *hip, struct ckt_error *error) {
  hip->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (hip->handle == NULL) {
    const char *cause = dlerror();
    return ckt_fail(error, CKT_E_TOOLCHAIN,
                    "cannot open the simulated device's library %s: %s; it belongs to cktune, so install or "
                    "build cktune again",
                    path, cause != NULL ? cause : "dlopen failed");
  }
  ckt_library_path(hip->handle, hip->library);
  return CKT_OK;
}

static int open_sim(const struct ckt_hip_where *where, struct ckt_hip *hip, struct ckt_error *error) {
  /* The simulator reads its device once, when it starts. */
  if (where->sim_device != NULL && setenv("HIPSIM_DEVICE", where->sim_device, 1) != 0)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out while setting HIPSIM_DEVICE");
  if (where->sim_library != NULL)
    return open_sim_file(where->sim_library, hip, error);
  char *path = ckt_place_library("libhipsim.so", error);
  if (path == NULL)
    return error != NULL ? error->code : CKT_E_TOOLCHAIN;
  const int status = open_sim_file(path, hip, error);
  free(path);
  return status;
}

/* dlsym gives an object pointer, C wants a function pointer; POSIX promises that the bits are the same. */
static bool bind_symbol(void *handle, const char *name, void *function) {
  void *symbol = dlsym(handle, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static int bind_all(struct ckt_hip *hip, struct ckt_error *error) {
  const char *missing = NULL;
#define ROW(type, name, parameters)                                                                          \
  if (!bind_symbol(hip->handle, #name, &hip->name))                                                          \
    missing = #name;
  CKT_HIP_SYMBOLS(ROW)
#undef ROW
  if (missing != NULL)
    return ckt_fail(error, CKT_E_TOOLCHAIN,
                    "%s has no %s; HIP of ROCm 5, 6 or 7 is needed: name one with --rocm DIR", hip->library,
                    missing);
  if (!bind_symbol(hip->handle, "hipGetDevicePropertiesR0600", &hip->properties_r0600) &&
      !bind_symbol(hip->handle, "hipGetDeviceProperties", &hip->properties_r0000))
    return ckt_fail(
        error, CKT_E_TOOLCHAIN,
        "%s has neither hipGetDevicePropertiesR0600 nor hipGetDeviceProperties; HIP of ROCm 5, 6 or "
        "7 is needed: name one with --rocm DIR",
        hip->library);
  if (!bind_symbol(hip->handle, "hipExtModuleLaunchKernel", &hip->ext_launch))
    bind_symbol(hip->handle, EXT_LAUNCH_MANGLED, &hip->ext_launch);
  bind_symbol(hip->handle, "hipsim_report", &hip->hipsim_report);
  hip->simulated = dlsym(hip->handle, "hipsim_version") != NULL;
  return CKT_OK;
}

int ckt_hip_open(const struct ckt_hip_where *where, struct ckt_hip *hip, struct ckt_error *error) {
  *hip = (struct ckt_hip){0};
  CKT_TRY(where->simulated ? open_sim(where, hip, error) : open_amd(where, hip, error));
  CKT_TRY(bind_all(hip, error));
  if (hip->hipRuntimeGetVersion(&hip->runtime_version) != hipSuccess)
    hip->runtime_version = 0; /* the first real call reports what is wrong */
  return CKT_OK;
}

void ckt_hip_close(struct ckt_hip *hip) {
  *hip = (struct ckt_hip){0};
}

int ckt_hip_check(const struct ckt_hip *hip, hipError_t status, int code, const char *what,
                  struct ckt_error *error) {
  if (status == hipSuccess)
    return CKT_OK;
  const char *name = hip->hipGetErrorName(status);
  const char *text = hip->hipGetErrorString(status);
  return ckt_fail(error, code, "%s: %s (%s)", what, name != NULL ? name : "unknown HIP error",
                  text != NULL ? text : "no text");
}
