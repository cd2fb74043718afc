#include "results/curl_api.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Names of the ABI that all libcurl since 7.16 has; the second is Debian's, built with GnuTLS. */
static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

/* Bound once for the whole process: initialising libcurl again, from another thread, is not safe in every version we
 * meet. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct ckt_curl_api bound;
static char fault[256]; /* why it could not be bound; "" when it is */

/* dlsym gives an object pointer, C wants a function pointer; POSIX promises that the bits are the same. */
static bool bind_symbol(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
  if (symbol == NULL)
    snprintf(fault, sizeof fault, "libcurl has no %s, version 7.62 or later is expected", name);
  return symbol != NULL;
}

static void *open_library(void) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library != NULL)
      return library;
    const char *cause = dlerror();
    if (i == 0)
      snprintf(fault, sizeof fault, "%s cannot be opened: %s; install libcurl, which uploads need", names[i],
               cause != NULL ? cause : "dlopen failed");
  }
  return NULL;
}

static void bind_all(void) {
  void *library = open_library();
  if (library == NULL)
    return;
  fault[0] = '\0';
  bool complete = true;
#define ROW(type, name, parameters) complete = complete && bind_symbol(library, "curl_" #name, &bound.name);
  CKT_CURL_SYMBOLS(ROW)
#undef ROW
  if (complete && bound.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    snprintf(fault, sizeof fault, "libcurl cannot be started");
}

int ckt_curl(const struct ckt_curl_api **api, struct ckt_error *error) {
  pthread_once(&once, bind_all);
  *api = &bound;
  return fault[0] == '\0' ? CKT_OK : ckt_fail(error, CKT_E_TOOLCHAIN, "%s", fault);
}
