#include "results/upload.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/text.h"
#include "results/curl_api.h"

#define CONNECT_TIMEOUT_MS 10000L
#define TOTAL_TIMEOUT_MS   60000L
#define ANSWER_KEPT        4096 /* bytes of the answer; its first line goes into the message */
#define ANSWER_QUOTED      200

/* CURLOPT_PROTOCOLS by its number, since newer headers call the name deprecated. */
#define PROTOCOLS_OPTION ((CURLoption)181)

/* --- what a URL may show --- */

static char *unreadable(const char *url, struct ckt_error *error) {
  const char *scheme = strstr(url, "://");
  struct ckt_text text = {0};
  if (strchr(url, '@') == NULL) { /* no user in it: show what is wrong */
    ckt_text_append(&text, url);
    return ckt_text_take(&text, error);
  }
  if (scheme != NULL && strspn(url, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+.-0123456789") ==
                            (size_t)(scheme - url))
    ckt_text_append_bytes(&text, url, (size_t)(scheme + 3 - url));
  ckt_text_append(&text, "[unreadable]");
  return ckt_text_take(&text, error);
}

/* Parses with the parser that will also connect, so that both see the same user and password. */
static char *without_user(const struct ckt_curl_api *curl, CURLU *parts, const char *url,
                          struct ckt_error *error) {
  char *shown = NULL;
  if (curl->url_set(parts, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK ||
      curl->url_set(parts, CURLUPART_USER, NULL, 0) != CURLUE_OK ||
      curl->url_set(parts, CURLUPART_PASSWORD, NULL, 0) != CURLUE_OK ||
      curl->url_set(parts, CURLUPART_OPTIONS, NULL, 0) != CURLUE_OK ||
      curl->url_get(parts, CURLUPART_URL, &shown, 0) != CURLUE_OK)
    return unreadable(url, error);
  struct ckt_text text = {0};
  ckt_text_append(&text, shown);
  curl->free(shown);
  return ckt_text_take(&text, error);
}

char *ckt_upload_public_url(const char *url, struct ckt_error *error) {
  const struct ckt_curl_api *curl;
  if (ckt_curl(&curl, error) != CKT_OK)
    return NULL;
  CURLU *parts = curl->url();
  if (parts == NULL) {
    ckt_fail(error, CKT_E_NOMEM, "memory ran out");
    return NULL;
  }
  char *clean = without_user(curl, parts, url, error);
  curl->url_cleanup(parts);
  return clean;
}

/* Between "://" and the last '@' before white space or a quote: too much rather than too little, since a
 * password may hold '/' and '@' by mistake. */
char *ckt_upload_hide_secrets(const char *text, struct ckt_error *error) {
  struct ckt_text clean = {0};
  const char *scheme;
  while ((scheme = strstr(text, "://")) != NULL) {
    const char *start = scheme + 3;
    const size_t length = strcspn(start, " \t\r\n\"'");
    const char *at = memrchr(start, '@', length);
    ckt_text_append_bytes(&clean, text, (size_t)(start - text));
    text = at != NULL ? at + 1 : start;
  }
  ckt_text_append(&clean, text);
  return ckt_text_take(&clean, error);
}

/* --- one post --- */

struct post {
  const struct ckt_curl_api *curl;
  CURL *handle;
  struct curl_slist *headers;
  char *public_url;
  const char *token;
  struct ckt_text answer;
  char detail[CURL_ERROR_SIZE];
};

/* Keeps the beginning of the answer and swallows the rest. */
static size_t take_answer(char *bytes, size_t size, size_t count, void *context) {
  struct post *post = context;
  const size_t length = size * count;
  const size_t room = ANSWER_KEPT - post->answer.length;
  ckt_text_append_bytes(&post->answer, bytes, length < room ? length : room);
  return length;
}

static bool contains_line_break(const char *text) {
  return strpbrk(text, "\r\n") != NULL;
}

static int add_header(struct post *post, const char *name, const char *value, struct ckt_error *error) {
  struct ckt_text line = {0};
  ckt_text_printf(&line, "%s%s", name, value);
  char *header = ckt_text_take(&line, error);
  if (header == NULL)
    return CKT_E_NOMEM;
  struct curl_slist *longer = post->curl->slist_append(post->headers, header);
  explicit_bzero(header, strlen(header));
  free(header);
  if (longer == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  post->headers = longer;
  return CKT_OK;
}

static int set_headers(struct post *post, const char *content_type, struct ckt_error *error) {
  if (post->token != NULL && (post->token[0] == '\0' || contains_line_break(post->token)))
    return ckt_fail(error, CKT_E_USAGE,
                    "the upload token is empty or holds a line break; a single line of text was expected");
  CKT_TRY(add_header(post, "Content-Type: ", content_type, error));
  CKT_TRY(add_header(post, "Expect:", "", error)); /* no wait for a 100 that many servers never send */
  return post->token != NULL ? add_header(post, "Authorization: Bearer ", post->token, error) : CKT_OK;
}

/* Only http and https; a redirect is not followed, since it would carry token and body to another host. */
static CURLcode restrict_protocols(const struct post *post) {
#if LIBCURL_VERSION_NUM >= 0x075500 /* 7.85.0 */
  const CURLcode status = post->curl->easy_setopt(post->handle, CURLOPT_PROTOCOLS_STR, "http,https");
  if (status != CURLE_UNKNOWN_OPTION) /* the library may be older than its header was */
    return status;
#endif
  return post->curl->easy_setopt(post->handle, PROTOCOLS_OPTION, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
}

static CURLcode set_options(struct post *post, const struct ckt_upload_target *target, const void *body,
                            size_t length) {
  CURLcode status = restrict_protocols(post);
#define SET(option, value)                                                                                   \
  if (status == CURLE_OK)                                                                                    \
  status = post->curl->easy_setopt(post->handle, option, value)
  SET(CURLOPT_URL, target->url);
  SET(CURLOPT_ERRORBUFFER, post->detail);
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_FOLLOWLOCATION, 0L);
  SET(CURLOPT_SSL_VERIFYPEER, 1L);
  SET(CURLOPT_SSL_VERIFYHOST, 2L);
  SET(CURLOPT_USERAGENT, "cktune");
  SET(CURLOPT_HTTPHEADER, post->headers);
  SET(CURLOPT_CONNECTTIMEOUT_MS,
      target->connect_timeout_ms > 0 ? target->connect_timeout_ms : CONNECT_TIMEOUT_MS);
  SET(CURLOPT_TIMEOUT_MS, target->total_timeout_ms > 0 ? target->total_timeout_ms : TOTAL_TIMEOUT_MS);
  SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
  SET(CURLOPT_POSTFIELDS, body);
  SET(CURLOPT_WRITEFUNCTION, take_answer);
  SET(CURLOPT_WRITEDATA, post);
#undef SET
  return status;
}

/* The first line of the answer, printable, without the token if the server echoes it. */
static void quote_answer(const struct post *post, struct ckt_text *quoted) {
  const char *answer = ckt_text_string(&post->answer);
  answer += strspn(answer, " \t\r\n");
  const size_t length = strcspn(answer, "\r\n");
  const size_t token = post->token != NULL ? strlen(post->token) : 0;
  for (size_t at = 0; at < length && quoted->length < ANSWER_QUOTED;) {
    if (token > 0 && strncmp(answer + at, post->token, token) == 0) {
      ckt_text_append(quoted, "[token]");
      at += token;
      continue;
    }
    const unsigned char byte = (unsigned char)answer[at++];
    ckt_text_printf(quoted, "%c", byte >= 0x20 && byte != 0x7f ? byte : '?');
  }
}

static int judge(struct post *post, CURLcode status, struct ckt_error *error) {
  if (status != CURLE_OK)
    return ckt_fail(error, CKT_E_NETWORK, "the upload to %s did not arrive: %s", post->public_url,
                    post->detail[0] != '\0' ? post->detail : post->curl->easy_strerror(status));
  long code = 0;
  post->curl->easy_getinfo(post->handle, CURLINFO_RESPONSE_CODE, &code);
  if (code >= 200 && code < 300)
    return CKT_OK;
  struct ckt_text quoted = {0};
  quote_answer(post, &quoted);
  const char *hint = code == 401 || code == 403  ? "; check CKTUNE_UPLOAD_TOKEN"
                     : code >= 300 && code < 400 ? "; redirects are not followed, give the final URL"
                                                 : "";
  ckt_fail(error, CKT_E_NETWORK, "the upload to %s was answered with status %ld%s%s%s%s", post->public_url,
           code, quoted.length > 0 ? ": \"" : "", ckt_text_string(&quoted), quoted.length > 0 ? "\"" : "",
           hint);
  ckt_text_free(&quoted);
  return CKT_E_NETWORK;
}

int ckt_upload_check(const char *url, struct ckt_error *error) {
  const struct ckt_curl_api *curl;
  CKT_TRY(ckt_curl(&curl, error));
  bool usable = strncasecmp(url, "http://", 7) == 0 || strncasecmp(url, "https://", 8) == 0;
  CURLU *parts = curl->url();
  usable = usable && parts != NULL && curl->url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK;
  curl->url_cleanup(parts);
  return usable
             ? CKT_OK
             : ckt_fail(error, CKT_E_USAGE, "a URL like http://host/path or https://host/path is expected");
}

static int perform(struct post *post, const struct ckt_upload_target *target, const char *content_type,
                   const void *body, size_t length, struct ckt_error *error) {
  post->public_url = ckt_upload_public_url(target->url, error);
  if (post->public_url == NULL)
    return CKT_E_NOMEM;
  if (ckt_upload_check(target->url, NULL) != CKT_OK)
    return ckt_fail(error, CKT_E_USAGE,
                    "the upload URL \"%s\" cannot be used; one like https://host/path was expected",
                    post->public_url);
  post->handle = post->curl->easy_init();
  if (post->handle == NULL)
    return ckt_fail(error, CKT_E_NETWORK, "libcurl cannot be started");
  CKT_TRY(set_headers(post, content_type, error));
  CURLcode status = set_options(post, target, body, length);
  if (status == CURLE_OK)
    status = post->curl->easy_perform(post->handle);
  return judge(post, status, error);
}

int ckt_upload_post(const struct ckt_upload_target *target, const char *content_type, const void *body,
                    size_t length, struct ckt_error *error) {
  struct post post = {.token = target->token};
  CKT_TRY(ckt_curl(&post.curl, error));
  const int status = perform(&post, target, content_type, body, length, error);
  post.curl->easy_cleanup(post.handle);
  post.curl->slist_free_all(post.headers);
  ckt_text_free(&post.answer);
  free(post.public_url);
  return status;
}
