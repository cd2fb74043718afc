/* A web server for the upload test: http_sink PORT_FILE STATUS... answers one request after the other with these
 * statuses, keeps each request as request.N in the current folder, and ends after the last. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

static char request[4 << 20];

static int listen_somewhere(const char *port_file) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  FILE *file = NULL;
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) != 0 || listen(fd, 4) != 0 ||
      getsockname(fd, (struct sockaddr *)&address, &length) != 0 || (file = fopen(port_file, "w")) == NULL)
    return -1;
  fprintf(file, "%d\n", ntohs(address.sin_port));
  fclose(file);
  return fd;
}

/* True when head and body are there. */
static bool is_whole(size_t length) {
  request[length] = '\0';
  const char *end = strstr(request, "\r\n\r\n");
  if (end == NULL)
    return false;
  const char *field = strcasestr(request, "\r\ncontent-length:");
  const size_t body = field != NULL && field < end ? strtoul(field + 17, NULL, 10) : 0;
  return length >= (size_t)(end + 4 - request) + body;
}

static size_t read_request(int client) {
  size_t length = 0;
  bool asked = false;
  while (length < sizeof request - 1) {
    const ssize_t got = read(client, request + length, sizeof request - 1 - length);
    if (got <= 0)
      break;
    length += (size_t)got;
    if (is_whole(length))
      break;
    if (!asked && strcasestr(request, "expect: 100-continue") != NULL) {
      static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
      asked = write(client, go_on, sizeof go_on - 1) > 0;
    }
  }
  return length;
}

static void answer(int client, const char *status, int number) {
  char name[32], head[128];
  const size_t length = read_request(client);
  snprintf(name, sizeof name, "request.%d", number);
  FILE *file = fopen(name, "w");
  if (file != NULL) {
    fwrite(request, 1, length, file);
    fclose(file);
  }
  const int size = snprintf(head, sizeof head,
                            "HTTP/1.1 %s Answer\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status);
  if (write(client, head, (size_t)size) != size)
    fprintf(stderr, "http_sink: the answer was not taken\n");
}

int main(int argc, char **argv) {
  const int server = argc > 2 ? listen_somewhere(argv[1]) : -1;
  if (server < 0) {
    fprintf(stderr, "usage: http_sink PORT_FILE STATUS...\n");
    return 2;
  }
  for (int i = 2; i < argc; i++) {
    const int client = accept(server, NULL, NULL);
    if (client < 0)
      return 1;
    answer(client, argv[i], i - 1);
    close(client);
  }
  close(server);
  return 0;
}
