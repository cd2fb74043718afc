#include "common/place.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/text.h"

char *ckt_place_executable(struct ckt_error *error) {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) {
    ckt_fail(error, CKT_E_IO, "cannot read /proc/self/exe to find the program's own folder: %s",
             strerror(errno));
    return NULL;
  }
  struct ckt_text text = {0};
  ckt_text_append_bytes(&text, path, (size_t)length);
  return ckt_text_take(&text, error);
}

static char *beside_executable(const char *folder, const char *relative, struct ckt_error *error) {
  char *executable = ckt_place_executable(error);
  if (executable == NULL)
    return NULL;
  for (int level = 0; level < 2; level++) { /* off with /cktune, off with /bin */
    char *slash = strrchr(executable, '/');
    if (slash != NULL)
      *slash = '\0';
  }
  struct ckt_text text = {0};
  ckt_text_printf(&text, "%s/%s/%s", executable, folder, relative);
  free(executable);
  return ckt_text_take(&text, error);
}

char *ckt_place_library(const char *name, struct ckt_error *error) {
  return beside_executable("lib/cktune", name, error);
}

char *ckt_place_data(const char *relative, struct ckt_error *error) {
  return beside_executable("share/cktune", relative, error);
}

static const char *home(void) {
  const char *folder = getenv("HOME");
  if (folder != NULL && folder[0] == '/')
    return folder;
  const struct passwd *user = getpwuid(getuid());
  return user != NULL && user->pw_dir != NULL ? user->pw_dir : "/";
}

/* The XDG rules ignore a value that is not an absolute path. */
static char *xdg(const char *variable, const char *fallback, const char *relative, struct ckt_error *error) {
  const char *folder = getenv(variable);
  struct ckt_text text = {0};
  if (folder != NULL && folder[0] == '/')
    ckt_text_printf(&text, "%s/cktune/%s", folder, relative);
  else
    ckt_text_printf(&text, "%s/%s/cktune/%s", home(), fallback, relative);
  return ckt_text_take(&text, error);
}

char *ckt_place_cache(const char *relative, struct ckt_error *error) {
  return xdg("XDG_CACHE_HOME", ".cache", relative, error);
}

char *ckt_place_user_data(const char *relative, struct ckt_error *error) {
  return xdg("XDG_DATA_HOME", ".local/share", relative, error);
}
