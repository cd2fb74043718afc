/* The upload, against a real server on 127.0.0.1: what is sent (method, headers, body), statuses, a slow
 * server, a closed port, redirects, URLs that cannot be used; the token and the URL's password are in no
 * message. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "fixture.h"
#include "results/upload.h"

#define TOKEN "s3cret-t0ken"

/* --- a server that takes one request and gives one answer --- */

struct server {
  int listener;
  int port;
  const char *answer; /* the whole of it, with head; NULL: none, until the client hangs up */
  pthread_t thread;
  char request[1 << 17];
  size_t length;
};

static size_t content_length(const char *request) {
  const char *header = strcasestr(request, "\r\ncontent-length:");
  return header != NULL ? (size_t)strtoul(header + 17, NULL, 10) : 0;
}

static bool is_whole(const struct server *server) {
  const char *body = strstr(server->request, "\r\n\r\n");
  return body != NULL &&
         server->length >= (size_t)(body + 4 - server->request) + content_length(server->request);
}

static void *serve(void *context) {
  struct server *server = context;
  const int client = accept(server->listener, NULL, NULL);
  if (client < 0)
    return NULL;
  while (!is_whole(server) && server->length < sizeof server->request - 1) {
    const ssize_t got =
        recv(client, server->request + server->length, sizeof server->request - 1 - server->length, 0);
    if (got <= 0)
      break;
    server->length += (size_t)got;
    if (server->request[0] == 0x16) /* a TLS handshake: no request will come */
      break;
  }
  char byte;
  if (server->answer == NULL)
    (void)!recv(client, &byte, 1, 0); /* until the client gives up */
  else
    (void)!send(client, server->answer, strlen(server->answer), MSG_NOSIGNAL);
  close(client);
  return NULL;
}

static void start(struct server *server, const char *answer) {
  *server = (struct server){.answer = answer, .listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  assert_int_equal(bind(server->listener, (struct sockaddr *)&address, size), 0);
  assert_int_equal(listen(server->listener, 4), 0);
  assert_int_equal(getsockname(server->listener, (struct sockaddr *)&address, &size), 0);
  server->port = ntohs(address.sin_port);
  assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
}

static void stop_server(struct server *server) {
  shutdown(server->listener, SHUT_RDWR); /* wakes an accept that nobody came to */
  pthread_join(server->thread, NULL);
  close(server->listener);
}

/* One post of `body` to a server that gives `answer`. */
struct exchange {
  struct server server;
  struct ckt_error error;
  int status;
};

static void post(struct exchange *exchange, const char *answer, const char *user, const char *token,
                 long timeout, const char *body) {
  start(&exchange->server, answer);
  char url[200];
  snprintf(url, sizeof url, "http://%s127.0.0.1:%d/api/v1?db=x", user, exchange->server.port);
  const struct ckt_upload_target target = {.url = url, .token = token, .total_timeout_ms = timeout};
  exchange->error = (struct ckt_error){0};
  exchange->status = ckt_upload_post(&target, "application/json", body, strlen(body), &exchange->error);
  stop_server(&exchange->server);
}

static struct exchange *exchange_new(void) {
  struct exchange *exchange = calloc(1, sizeof *exchange);
  assert_non_null(exchange);
  return exchange;
}

/* --- what is sent --- */

static void sends_body_and_token(void **state) {
  (void)state;
  struct exchange *exchange = exchange_new();
  post(exchange, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "", TOKEN, 0, "{\"schema\":1}");
  assert_ok(exchange->status, exchange->error);
  const char *request = exchange->server.request;
  assert_int_equal(strncmp(request, "POST /api/v1?db=x HTTP/1.1\r\n", 28), 0);
  assert_contains(request, "\r\nAuthorization: Bearer " TOKEN "\r\n");
  assert_contains(request, "\r\nContent-Type: application/json\r\n");
  assert_contains(request, "\r\nContent-Length: 12\r\n");
  assert_contains(request, "\r\n\r\n{\"schema\":1}");
  assert_lacks(request, "Expect:");
  free(exchange);
}

static void sends_no_token_without_one(void **state) {
  (void)state;
  struct exchange *exchange = exchange_new();
  post(exchange, "HTTP/1.1 204 No Content\r\n\r\n", "", NULL, 0, "x");
  assert_ok(exchange->status, exchange->error);
  assert_lacks(exchange->server.request, "Authorization");
  free(exchange);
}

static void sends_user_and_password_of_the_url(void **state) {
  (void)state;
  struct exchange *exchange = exchange_new();
  post(exchange, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n", "me:pa55@", NULL, 0, "x");
  assert_ok(exchange->status, exchange->error);
  assert_contains(exchange->server.request, "\r\nAuthorization: Basic bWU6cGE1NQ==\r\n");
  free(exchange);
}

static void sends_a_large_body(void **state) {
  (void)state;
  struct exchange *exchange = exchange_new();
  char *body = malloc(100001);
  memset(body, 'j', 100000);
  body[100000] = '\0';
  post(exchange, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "", TOKEN, 0, body);
  assert_ok(exchange->status, exchange->error);
  const char *received = strstr(exchange->server.request, "\r\n\r\n") + 4;
  assert_string_equal(received, body);
  free(body);
  free(exchange);
}

/* --- what is refused --- */

static void assert_refused(const struct exchange *exchange, const char *part) {
  assert_int_equal(exchange->status, CKT_E_NETWORK);
  assert_contains(exchange->error.text, part);
  assert_contains(exchange->error.text, "http://127.0.0.1:");
  assert_lacks(exchange->error.text, "pa55");
  assert_lacks(exchange->error.text, TOKEN);
  assert_lacks(exchange->error.text, "\n");
}

static void tells_the_status_and_the_answer(void **state) {
  (void)state;
  struct exchange *exchange = exchange_new();
  post(exchange, "HTTP/1.1 401 Unauthorized\r\nContent-Length: 12\r\n\r\nwho are you?", "me:pa55@", TOKEN, 0,
       "x");
  assert_refused(exchange, "status 401: \"who are you?\"");
  assert_contains(exchange->error.text, "CKTUNE_UPLOAD_TOKEN");
  post(exchange, "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", "me:pa55@", TOKEN, 0, "x");
  assert_refused(exchange, "status 500");
  post(exchange, "HTTP/1.1 400 Bad\r\nConnection: close\r\n\r\n\r\n bad \x1b[31mbody\x07\r\nsecond line", "",
       TOKEN, 0, "x");
  assert_refused(exchange, "status 400: \"bad ?[31mbody?\"");
  assert_lacks(exchange->error.text, "second");
  free(exchange);
}

static void never_repeats_an_echoed_token(void **state) {
  (void)state;
  struct exchange *exchange = exchange_new();
  post(exchange, "HTTP/1.1 403 No\r\nConnection: close\r\n\r\ntoken " TOKEN TOKEN " is unknown", "", TOKEN, 0,
       "x");
  assert_refused(exchange, "token [token][token] is unknown");
  free(exchange);
}

static void quotes_little_of_a_long_answer(void **state) {
  (void)state;
  struct exchange *exchange = exchange_new();
  char *answer = malloc(60001);
  const int head = sprintf(answer, "HTTP/1.1 500 Oops\r\nConnection: close\r\n\r\n");
  memset(answer + head, 'z', (size_t)(60000 - head));
  answer[60000] = '\0';
  post(exchange, answer, "", TOKEN, 0, "x");
  assert_refused(exchange, "zzz");
  assert_true(strlen(exchange->error.text) < 400);
  free(answer);
  free(exchange);
}

static void follows_no_redirect(void **state) {
  (void)state;
  struct exchange *exchange = exchange_new();
  struct server *other = calloc(1, sizeof *other);
  start(other, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  char answer[200];
  snprintf(answer, sizeof answer,
           "HTTP/1.1 307 Elsewhere\r\nLocation: http://127.0.0.1:%d/\r\nContent-Length: 0\r\n\r\n",
           other->port);
  post(exchange, answer, "", TOKEN, 0, "x");
  assert_refused(exchange, "status 307");
  assert_contains(exchange->error.text, "redirect");
  stop_server(other);
  assert_int_equal(other->length, 0); /* nobody came */
  free(other);
  free(exchange);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void gives_up_on_a_slow_server(void **state) {
  (void)state;
  struct exchange *exchange = exchange_new();
  const double before = seconds();
  post(exchange, NULL, "me:pa55@", TOKEN, 300, "x");
  assert_true(seconds() - before < 20);
  assert_refused(exchange, "timed out");
  free(exchange);
}

static void tells_of_a_connection_that_ends(void **state) {
  (void)state;
  struct exchange *exchange = exchange_new();
  post(exchange, "", "me:pa55@", TOKEN, 0, "x");
  assert_refused(exchange, "Empty reply");
  post(exchange, "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\npart", "me:pa55@", TOKEN, 0, "x");
  assert_refused(exchange, "did not arrive");
  free(exchange);
}

static void tells_of_a_closed_port(void **state) {
  (void)state;
  struct server *server = calloc(1, sizeof *server);
  start(server, "");
  stop_server(server);
  char url[100];
  snprintf(url, sizeof url, "http://me:pa55@127.0.0.1:%d/", server->port);
  const struct ckt_upload_target target = {.url = url, .token = TOKEN};
  struct ckt_error error = {0};
  assert_int_equal(ckt_upload_post(&target, "text/plain", "x", 1, &error), CKT_E_NETWORK);
  assert_contains(error.text, "onnect");
  assert_lacks(error.text, "pa55");
  free(server);
}

static void speaks_tls_to_https(void **state) {
  (void)state;
  struct server *server = calloc(1, sizeof *server);
  start(server, "this is no TLS\r\n");
  char url[100];
  snprintf(url, sizeof url, "https://me:pa55@127.0.0.1:%d/", server->port);
  const struct ckt_upload_target target = {.url = url, .token = TOKEN, .total_timeout_ms = 5000};
  struct ckt_error error = {0};
  assert_int_equal(ckt_upload_post(&target, "text/plain", "x", 1, &error), CKT_E_NETWORK);
  stop_server(server);
  assert_int_equal(server->request[0], 0x16); /* a handshake, and nothing else */
  assert_lacks(error.text, "pa55");
  assert_lacks(server->request, TOKEN);
  free(server);
}

static void refuses_urls_that_are_not_http(void **state) {
  (void)state;
  static const char *const urls[] = {"",
                                     "dashboard",
                                     "ftp://me:pa55@host/x",
                                     "file:///etc/passwd",
                                     "http://",
                                     "http:/host/",
                                     "https://me:pa55@host:notaport/",
                                     "https://me:pa55@host:99999/",
                                     "influx+http://me:pa55@host/",
                                     "http://ho st/"};
  for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
    const struct ckt_upload_target target = {.url = urls[i], .token = TOKEN};
    struct ckt_error error = {0};
    if (ckt_upload_post(&target, "text/plain", "x", 1, &error) != CKT_E_USAGE)
      fail_msg("%s: %s", urls[i], error.text);
    assert_contains(error.text, "https://host/path");
    assert_lacks(error.text, "pa55");
  }
}

static void refuses_tokens_that_break_the_header(void **state) {
  (void)state;
  static const char *const tokens[] = {"", "a\nX-Other: b", "a\r"};
  for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
    const struct ckt_upload_target target = {.url = "http://127.0.0.1:1/", .token = tokens[i]};
    struct ckt_error error = {0};
    assert_int_equal(ckt_upload_post(&target, "text/plain", "x", 1, &error), CKT_E_USAGE);
    assert_lacks(error.text, "Other");
  }
}

/* --- what a URL shows --- */

static void hides_users_and_passwords(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"https://me:pw@host/x", "https://host/x"},
      {"https://me@host:8443/x?db=a&p=1", "https://host:8443/x?db=a&p=1"},
      {"https://host/a@b", "https://host/a@b"},
      {"influx+https://me:p%40w@host/x", "influx+https://host/x"},
      {"https://me:pw@host:bad/x", "https://[unreadable]"},
      {"me:pw@host", "[unreadable]"},
      {"no url", "no url"},
  };
  struct ckt_error error = {0};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char *shown = ckt_upload_public_url(rows[i][0], &error);
    assert_non_null(shown);
    assert_string_equal(shown, rows[i][1]);
    free(shown);
  }
  char *text = ckt_upload_hide_secrets("a http://u:p@h/ 'https://v:q@r@i' http://j/ b@c ://", &error);
  assert_string_equal(text, "a http://h/ 'https://i' http://j/ b@c ://");
  free(text);
}

int main(void) {
  setenv("no_proxy", "*", 1); /* the servers are here */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sends_body_and_token),
      cmocka_unit_test(sends_no_token_without_one),
      cmocka_unit_test(sends_user_and_password_of_the_url),
      cmocka_unit_test(sends_a_large_body),
      cmocka_unit_test(tells_the_status_and_the_answer),
      cmocka_unit_test(never_repeats_an_echoed_token),
      cmocka_unit_test(quotes_little_of_a_long_answer),
      cmocka_unit_test(follows_no_redirect),
      cmocka_unit_test(gives_up_on_a_slow_server),
      cmocka_unit_test(tells_of_a_connection_that_ends),
      cmocka_unit_test(tells_of_a_closed_port),
      cmocka_unit_test(speaks_tls_to_https),
      cmocka_unit_test(refuses_urls_that_are_not_http),
      cmocka_unit_test(refuses_tokens_that_break_the_header),
      cmocka_unit_test(hides_users_and_passwords),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
