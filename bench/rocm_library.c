#include "bench/rocm_library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/text.h"

#ifndef CKT_HIP_ROOT
#define CKT_HIP_ROOT "/opt/rocm"
#endif

static const char *const lib_folders[] = {"lib", "lib64", "lib/x86_64-linux-gnu"};
enum { LIB_FOLDERS = sizeof lib_folders / sizeof *lib_folders };

/* One search under way. */
struct search {
  const struct ckt_rocm_wanted *wanted;
  void *handle;                          /* what was found */
  struct ckt_text tried;                 /* places, for the message */
  char cause[CKT_LIBRARY_PATH_MAX + 64]; /* why a file that was there would not do; "" when there was none */
};

void ckt_library_path(void *handle, char path[CKT_LIBRARY_PATH_MAX]) {
  struct link_map *map = NULL;
  path[0] = '\0';
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != NULL && map->l_name != NULL)
    snprintf(path, CKT_LIBRARY_PATH_MAX, "%s", map->l_name);
}

/* A library without the symbol stays open; it is one that the process may need anyway. */
static bool open_file(struct search *search, const char *file) {
  void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    const char *cause = dlerror();
    snprintf(search->cause, sizeof search->cause, "%s", cause != NULL ? cause : "dlopen failed");
    return false;
  }
  if (dlsym(handle, search->wanted->symbol) == NULL) {
    snprintf(search->cause, sizeof search->cause, "%s has no %s", file, search->wanted->symbol);
    return false;
  }
  search->handle = handle;
  return true;
}

static bool search_folder(struct search *search, const char *folder) {
  ckt_text_printf(&search->tried, "%s%s", search->tried.length > 0 ? ", " : "", folder);
  for (const char *const *name = search->wanted->names; *name != NULL; name++) {
    char file[CKT_LIBRARY_PATH_MAX];
    const int length = snprintf(file, sizeof file, "%s/%s", folder, *name);
    if (length > 0 && (size_t)length < sizeof file && access(file, F_OK) == 0 && open_file(search, file))
      return true;
  }
  return false;
}

static bool search_prefix(struct search *search, const char *prefix) {
  if (prefix == NULL || prefix[0] == '\0')
    return false;
  for (size_t i = 0; i < LIB_FOLDERS; i++) {
    char folder[CKT_LIBRARY_PATH_MAX];
    const int length = snprintf(folder, sizeof folder, "%s/%s", prefix, lib_folders[i]);
    const bool usable = length > 0 && (size_t)length < sizeof folder;
    /* lib is always named in the message; the other two only where they exist */
    if (usable && (i == 0 || access(folder, F_OK) == 0) && search_folder(search, folder))
      return true;
  }
  return false;
}

static bool search_linker(struct search *search) {
  ckt_text_printf(&search->tried, "%sthe dynamic linker's folders", search->tried.length > 0 ? ", " : "");
  char before[sizeof search->cause];
  snprintf(before, sizeof before, "%s", search->cause);
  for (const char *const *name = search->wanted->names; *name != NULL; name++)
    if (open_file(search, *name))
      return true;
  /* "no such file" for a bare name says less than what a real file said, and nothing that `tried` does not */
  snprintf(search->cause, sizeof search->cause, "%s", before);
  return false;
}

static bool search_all(struct search *search, const char *rocm) {
  if (rocm != NULL)
    return search_prefix(search, rocm);
  return search_prefix(search, getenv("ROCM_PATH")) || search_prefix(search, getenv("HIP_PATH")) ||
         search_prefix(search, CKT_HIP_ROOT) || search_prefix(search, "/opt/rocm") || search_linker(search);
}

int ckt_rocm_open(const struct ckt_rocm_wanted *wanted, const char *rocm, void **handle,
                  char path[CKT_LIBRARY_PATH_MAX], struct ckt_error *error) {
  struct search search = {.wanted = wanted};
  int status = CKT_OK;
  if (search_all(&search, rocm)) {
    *handle = search.handle;
    ckt_library_path(search.handle, path);
  } else {
    status =
        ckt_fail(error, CKT_E_TOOLCHAIN, "cannot open %s: looked for %s and its kin in %s%s%s%s; %s",
                 wanted->what, wanted->names[0], ckt_text_string(&search.tried),
                 search.cause[0] != '\0' ? " (" : "", search.cause, search.cause[0] != '\0' ? ")" : "",
                 rocm != NULL ? "give --rocm the folder whose lib/ holds ROCm's libraries, or leave it out"
                              : wanted->remedy);
  }
  ckt_text_free(&search.tried);
  return status;
}
