#include "common/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/file.h"
#include "common/text.h"

struct ckt_child {
  pid_t pid; /* 0 once it is reaped */
  int socket, errors;
  char *tmpdir;
  struct ckt_text input; /* received bytes; the first `taken` of them were handed out */
  size_t taken;
  char said[CKT_CHILD_STDERR_KEPT + 1]; /* the end of stderr, then one line of it */
  size_t said_length;
};

/* What the new process needs, made before the fork: afterwards only async-signal-safe calls are allowed. */
struct launch {
  const char *program;
  char *const *arguments;
  char **environment;
  int socket, errors, null;
  pid_t parent;
};

static void close_fd(int *fd) {
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
}

/* What a child does not inherit: what is replaced, and the secret, which is none of a compiler's business. */
static bool is_left_out(const char *entry) {
  static const char *const names[] = {"TMPDIR=", "AMD_COMGR_CACHE=", "CKTUNE_UPLOAD_TOKEN="};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(entry, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

/* The parent's environment with TMPDIR replaced and comgr's own cache off (ours keeps the code objects). The
 * two new strings are owned by entries 0 and 1; the others are borrowed. */
static char **make_environment(const char *tmpdir) {
  size_t count = 0;
  while (environ[count] != NULL)
    count++;
  char **environment = calloc(count + 3, sizeof *environment);
  struct ckt_text entry = {0};
  ckt_text_printf(&entry, "TMPDIR=%s", tmpdir);
  char *first = ckt_text_take(&entry, NULL);
  char *second = strdup("AMD_COMGR_CACHE=0");
  if (environment == NULL || first == NULL || second == NULL) {
    free(environment);
    free(first);
    free(second);
    return NULL;
  }
  environment[0] = first;
  environment[1] = second;
  size_t at = 2;
  for (size_t i = 0; i < count; i++)
    if (!is_left_out(environ[i]))
      environment[at++] = environ[i];
  return environment;
}

static void free_environment(char **environment) {
  if (environment == NULL)
    return;
  free(environment[0]);
  free(environment[1]);
  free(environment);
}

/* Descriptors above the socket are nobody's in the new process. Before Linux 5.9 there is no close_range. */
static void close_others(void) {
  if (close_range(CKT_CHILD_SOCKET + 1, ~0U, 0) == 0)
    return;
  struct rlimit limit;
  const int top =
      getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536 ? (int)limit.rlim_cur : 65536;
  for (int fd = CKT_CHILD_SOCKET + 1; fd < top; fd++)
    close(fd);
}

static void default_signals(void) {
  for (int number = 1; number < NSIG; number++)
    signal(number, SIG_DFL); /* fails for SIGKILL, SIGSTOP and the C library's own, as it should */
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Puts the descriptors in their places. Moved up first, so that no dup2 overwrites one that is still needed. */
static bool place_descriptors(const struct launch *launch) {
  const int null = fcntl(launch->null, F_DUPFD, 16);
  const int errors = fcntl(launch->errors, F_DUPFD, 16);
  const int socket = fcntl(launch->socket, F_DUPFD, 16);
  return null >= 0 && errors >= 0 && socket >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
         dup2(null, STDOUT_FILENO) >= 0 && dup2(errors, STDERR_FILENO) >= 0 &&
         dup2(socket, CKT_CHILD_SOCKET) >= 0;
}

/* The new process up to its program. Ends with status 127 and a word on stderr when it does not get there. */
static _Noreturn void become(const struct launch *launch) {
  const struct rlimit no_core = {0, 0};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launch->parent) /* it ended before the line above */
    _exit(127);
  setpgid(0, 0);
  setrlimit(RLIMIT_CORE, &no_core);
  default_signals();
  int errors = launch->errors; /* stderr is still the parent's */
  if (place_descriptors(launch)) {
    errors = STDERR_FILENO;
    close_others();
    execve(launch->program, launch->arguments, launch->environment);
  }
  static const char sorry[] = "the worker's program could not be executed";
  if (write(errors, sorry, sizeof sorry - 1) < 0)
    _exit(126);
  _exit(127);
}

static int set_nonblocking(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

static int fork_child(struct ckt_child *child, struct launch *launch, struct ckt_error *error) {
  int sockets[2], pipes[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return ckt_fail(error, CKT_E_WORKER, "cannot make a socket pair for a worker: %s", strerror(errno));
  child->socket = sockets[0];
  launch->socket = sockets[1];
  if (pipe2(pipes, O_CLOEXEC) != 0)
    return ckt_fail(error, CKT_E_WORKER, "cannot make a pipe for a worker: %s", strerror(errno));
  child->errors = pipes[0];
  launch->errors = pipes[1];
  launch->null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (launch->null < 0 || set_nonblocking(child->socket) != 0 || set_nonblocking(child->errors) != 0)
    return ckt_fail(error, CKT_E_WORKER, "cannot prepare a worker's descriptors: %s", strerror(errno));
  const pid_t pid = fork();
  if (pid == 0)
    become(launch);
  if (pid < 0)
    return ckt_fail(error, CKT_E_WORKER, "cannot start a worker process: %s", strerror(errno));
  child->pid = pid;
  return CKT_OK;
}

static int make_tmpdir(const char *scratch, char **tmpdir, struct ckt_error *error) {
  CKT_TRY(ckt_make_folder(scratch, error));
  struct ckt_text name = {0};
  ckt_text_printf(&name, "%s/worker-XXXXXX", scratch);
  char *folder = ckt_text_take(&name, error);
  if (folder == NULL)
    return CKT_E_NOMEM;
  if (mkdtemp(folder) == NULL) {
    const int status =
        ckt_fail(error, CKT_E_IO, "cannot make a worker's folder below %s: %s", scratch, strerror(errno));
    free(folder);
    return status;
  }
  *tmpdir = folder;
  return CKT_OK;
}

static int start(const struct ckt_child_setup *setup, struct ckt_child *child, struct ckt_error *error) {
  CKT_TRY(make_tmpdir(setup->scratch, &child->tmpdir, error));
  char **environment = make_environment(child->tmpdir);
  if (environment == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  struct launch launch = {.program = setup->program != NULL ? setup->program : "/proc/self/exe",
                          .arguments = (char *const *)setup->arguments,
                          .environment = environment,
                          .socket = -1,
                          .errors = -1,
                          .null = -1,
                          .parent = getpid()};
  const int status = fork_child(child, &launch, error);
  close_fd(&launch.socket);
  close_fd(&launch.errors);
  close_fd(&launch.null);
  free_environment(environment);
  return status;
}

int ckt_child_start(const struct ckt_child_setup *setup, struct ckt_child **child, struct ckt_error *error) {
  struct ckt_child *made = calloc(1, sizeof *made);
  if (made == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  made->socket = made->errors = -1;
  ckt_text_init(&made->input, 2 * CKT_CHILD_LINE_MAX);
  const int status = start(setup, made, error);
  if (status != CKT_OK)
    ckt_child_destroy(&made);
  *child = made;
  return status;
}

void ckt_child_destroy(struct ckt_child **child) {
  if (*child == NULL)
    return;
  if ((*child)->pid != 0) {
    kill((*child)->pid, SIGKILL);
    while (waitpid((*child)->pid, NULL, 0) < 0 && errno == EINTR)
      ;
  }
  close_fd(&(*child)->socket);
  close_fd(&(*child)->errors);
  if ((*child)->tmpdir != NULL)
    ckt_remove_tree((*child)->tmpdir, NULL);
  free((*child)->tmpdir);
  ckt_text_free(&(*child)->input);
  free(*child);
  *child = NULL;
}

pid_t ckt_child_pid(const struct ckt_child *child) {
  return child->pid;
}

const char *ckt_child_tmpdir(const struct ckt_child *child) {
  return child->tmpdir;
}

int ckt_child_socket(const struct ckt_child *child) {
  return child->socket;
}

int ckt_child_stderr(const struct ckt_child *child) {
  return child->errors;
}

int ckt_child_send(struct ckt_child *child, const char *line, struct ckt_error *error) {
  if (child->socket < 0)
    return ckt_fail(error, CKT_E_WORKER, "a message cannot be sent to a worker that has ended");
  struct ckt_text message = {0};
  ckt_text_printf(&message, "%s\n", line);
  ssize_t sent = -1;
  int status = ckt_text_status(&message, error);
  if (status == CKT_OK)
    do
      sent = send(child->socket, ckt_text_string(&message), message.length, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
  if (status == CKT_OK && sent < 0)
    status = ckt_fail(error, CKT_E_WORKER, "a message cannot be sent to a worker: %s", strerror(errno));
  else if (status == CKT_OK && (size_t)sent < message.length)
    status = ckt_fail(error, CKT_E_WORKER, "a worker does not read its messages");
  ckt_text_free(&message);
  return status;
}

/* Hands out the next whole line of what was received; NULL when there is none. */
static const char *take_line(struct ckt_child *child) {
  if (child->input.length == child->taken)
    return NULL;
  char *start = child->input.data + child->taken;
  char *end = memchr(start, '\n', child->input.length - child->taken);
  if (end == NULL)
    return NULL;
  *end = '\0';
  child->taken = (size_t)(end - child->input.data) + 1;
  return start;
}

/* Forgets what was handed out. */
static void compact(struct ckt_child *child) {
  if (child->taken == 0)
    return;
  child->input.length -= child->taken;
  memmove(child->input.data, child->input.data + child->taken, child->input.length);
  child->taken = 0;
}

enum ckt_child_input ckt_child_receive(struct ckt_child *child, const char **line) {
  char chunk[4096];
  while ((*line = take_line(child)) == NULL) {
    compact(child);
    if (child->input.length > CKT_CHILD_LINE_MAX || child->input.failed)
      return CKT_CHILD_TOO_LONG;
    if (child->socket < 0)
      return CKT_CHILD_CLOSED;
    const ssize_t got = recv(child->socket, chunk, sizeof chunk, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      return CKT_CHILD_NOTHING;
    if (got <= 0)
      close_fd(&child->socket);
    else
      ckt_text_append_bytes(&child->input, chunk, (size_t)got);
  }
  return CKT_CHILD_LINE;
}

/* Keeps the last bytes of stderr. */
static void keep(struct ckt_child *child, const char *bytes, size_t length) {
  if (length > CKT_CHILD_STDERR_KEPT) {
    bytes += length - CKT_CHILD_STDERR_KEPT;
    length = CKT_CHILD_STDERR_KEPT;
  }
  const size_t room = CKT_CHILD_STDERR_KEPT - length;
  if (child->said_length > room) {
    memmove(child->said, child->said + child->said_length - room, room);
    child->said_length = room;
  }
  memcpy(child->said + child->said_length, bytes, length);
  child->said_length += length;
}

void ckt_child_read_stderr(struct ckt_child *child) {
  char chunk[4096];
  while (child->errors >= 0) {
    const ssize_t got = read(child->errors, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      return;
    if (got <= 0)
      close_fd(&child->errors);
    else
      keep(child, chunk, (size_t)got);
  }
}

const char *ckt_child_said(struct ckt_child *child) {
  ckt_child_read_stderr(child);
  size_t length = 0;
  for (size_t i = 0; i < child->said_length; i++) {
    char byte = child->said[i];
    if ((unsigned char)byte < ' ' || byte == 0x7f)
      byte = ' ';
    if (byte != ' ' || (length > 0 && child->said[length - 1] != ' '))
      child->said[length++] = byte;
  }
  while (length > 0 && child->said[length - 1] == ' ')
    length--;
  child->said[length] = '\0';
  child->said_length = length;
  return child->said;
}

/* True once it is reaped. */
static bool reap(struct ckt_child *child, int options, int *status) {
  pid_t got;
  do
    got = waitpid(child->pid, status, options);
  while (got < 0 && errno == EINTR);
  if (got == 0)
    return false;
  child->pid = 0;
  return true;
}

#define OWN_END_MS 200 /* patience with a child that has closed its socket */

void ckt_child_end(struct ckt_child *child, char cause[CKT_CHILD_CAUSE_MAX]) {
  int status = 0;
  snprintf(cause, CKT_CHILD_CAUSE_MAX, "ended already");
  if (child->pid == 0)
    return;
  bool reaped = reap(child, WNOHANG, &status);
  for (int ms = 0; !reaped && child->socket < 0 && ms < OWN_END_MS; ms++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    reaped = reap(child, WNOHANG, &status);
  }
  if (!reaped) {
    kill(child->pid, SIGKILL);
    reap(child, 0, &status);
  }
  if (WIFSIGNALED(status))
    snprintf(cause, CKT_CHILD_CAUSE_MAX, "killed by signal %d (%s)", WTERMSIG(status),
             strsignal(WTERMSIG(status)));
  else
    snprintf(cause, CKT_CHILD_CAUSE_MAX, "exit status %d", WEXITSTATUS(status));
}
