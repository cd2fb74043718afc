/* libcurl, bound when it is needed: it brings thirty libraries along, which a program that posts nothing (a compile worker,
 * cktune gen) need neither load, 6 MiB and some milliseconds, nor find. */
#ifndef CKT_RESULTS_CURL_API_H
#define CKT_RESULTS_CURL_API_H

#include <curl/curl.h>

#include "common/error.h"

/* Rows: type of the result, name without its "curl_", parameters. */
#define CKT_CURL_SYMBOLS(ROW)                                                                                \
  ROW(CURLcode, global_init, (long flags))                                                                   \
  ROW(curl_version_info_data *, version_info, (CURLversion version))                                         \
  ROW(void, free, (void *text))                                                                              \
  ROW(CURL *, easy_init, (void))                                                                             \
  ROW(void, easy_cleanup, (CURL * handle))                                                                   \
  ROW(CURLcode, easy_setopt, (CURL * handle, CURLoption option, ...))                                        \
  ROW(CURLcode, easy_getinfo, (CURL * handle, CURLINFO info, ...))                                           \
  ROW(CURLcode, easy_perform, (CURL * handle))                                                               \
  ROW(const char *, easy_strerror, (CURLcode status))                                                        \
  ROW(struct curl_slist *, slist_append, (struct curl_slist * list, const char *text))                       \
  ROW(void, slist_free_all, (struct curl_slist * list))                                                      \
  ROW(CURLU *, url, (void))                                                                                  \
  ROW(void, url_cleanup, (CURLU * url))                                                                      \
  ROW(CURLUcode, url_get, (const CURLU *url, CURLUPart part, char **text, unsigned flags))                   \
  ROW(CURLUcode, url_set, (CURLU * url, CURLUPart part, const char *text, unsigned flags))

struct ckt_curl_api {
#define ROW(type, name, parameters) type(*name) parameters;
  CKT_CURL_SYMBOLS(ROW)
#undef ROW
};

/* Loads and initialises the library at the first call, from whatever thread; *api stays valid. CKT_E_TOOLCHAIN says
 * what is missing. */
int ckt_curl(const struct ckt_curl_api **api, struct ckt_error *error);

#endif
