#include "common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Follows the name of a file in that of the temporary one that is to replace it: nobody else names a file so. */
#define TEMPORARY_MARK ".cktune-"
#define TEMPORARY_X    "XXXXXX"
#define TEMPORARY      TEMPORARY_MARK TEMPORARY_X

static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";

static int fail_errno(struct ckt_error *error, const char *what, const char *path) {
  return ckt_fail(error, CKT_E_IO, "%s %s: %s", what, path, strerror(errno));
}

int ckt_file_read_fd(int fd, const char *name, struct ckt_text *content, struct ckt_error *error) {
  char chunk[1 << 16];
  for (;;) {
    const ssize_t got = read(fd, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return fail_errno(error, "cannot read", name);
    if (got == 0)
      break;
    ckt_text_append_bytes(content, chunk, (size_t)got);
    if (content->failed)
      return ckt_fail(error, CKT_E_INPUT, "%s is larger than the %zu bytes that are read of such a file",
                      name, content->limit);
  }
  return CKT_OK;
}

int ckt_file_read(const char *path, struct ckt_text *content, struct ckt_error *error) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return fail_errno(error, "cannot open", path);
  const int status = ckt_file_read_fd(fd, path, content, error);
  close(fd);
  return status;
}

static int write_all(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    const ssize_t put = write(fd, bytes, length);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return -1;
    bytes += put;
    length -= (size_t)put;
  }
  return 0;
}

static int make_parent(const char *path, struct ckt_error *error) {
  const char *slash = strrchr(path, '/');
  if (slash == NULL || slash == path)
    return CKT_OK;
  char *folder = strndup(path, (size_t)(slash - path));
  if (folder == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  const int status = ckt_make_folder(folder, error);
  free(folder);
  return status;
}

/* Takes a name that nobody has, in place of the X at the end of `path`: with the mode that umask grants, unlike mkstemp,
 * which would take three more system calls to come to it. -1 with errno. */
static int open_temporary(char *path) {
  enum { TRIES = 1000, LETTERS = sizeof letters - 1 };
  struct timespec now = {0};
  char *name = path + strlen(path) - strlen(TEMPORARY_X);
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t number = (uint64_t)getpid() * 1000003 + (uint64_t)now.tv_nsec + (uint64_t)now.tv_sec * 1000000007;
  for (int i = 0; i < TRIES; i++, number++) {
    uint64_t rest = number;
    for (char *at = name; *at != '\0'; at++, rest /= LETTERS)
      *at = letters[rest % LETTERS];
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST)
      return fd;
  }
  return -1;
}

/* Most folders are there already: they are made when it turns out that one is not, or that it is none, of which
 * make_parent has more to say. */
static int create_temporary(const char *path, char *temporary, int *fd, struct ckt_error *error) {
  *fd = open_temporary(temporary);
  if (*fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
    CKT_TRY(make_parent(path, error));
    *fd = open_temporary(temporary);
  }
  return *fd >= 0 ? CKT_OK : fail_errno(error, "cannot write", path);
}

/* Closes the file in any case. */
static int fill(int fd, const char *path, const void *bytes, size_t length, struct ckt_error *error) {
  int status = CKT_OK;
  if (write_all(fd, bytes, length) != 0)
    status = fail_errno(error, "cannot write", path);
  if (close(fd) != 0 && status == CKT_OK)
    status = fail_errno(error, "cannot write", path);
  return status;
}

static int replace(const char *path, char *temporary, const void *bytes, size_t length,
                   struct ckt_error *error) {
  int fd;
  CKT_TRY(create_temporary(path, temporary, &fd, error));
  int status = fill(fd, path, bytes, length, error);
  if (status == CKT_OK && rename(temporary, path) != 0)
    status = fail_errno(error, "cannot rename a temporary file to", path);
  if (status != CKT_OK)
    unlink(temporary);
  return status;
}

int ckt_file_write(const char *path, const void *bytes, size_t length, struct ckt_error *error) {
  struct ckt_text name = {0};
  ckt_text_append(&name, path);
  ckt_text_append(&name, TEMPORARY);
  char *temporary = ckt_text_take(&name, error);
  if (temporary == NULL)
    return CKT_E_NOMEM;
  const int status = replace(path, temporary, bytes, length, error);
  free(temporary);
  return status;
}

size_t ckt_file_temporary_stem(const char *name) {
  const size_t length = strlen(name);
  if (length <= strlen(TEMPORARY))
    return 0;
  const size_t stem = length - strlen(TEMPORARY);
  const char *mark = name + stem, *end = mark + strlen(TEMPORARY_MARK);
  const bool ours = strncmp(mark, TEMPORARY_MARK, strlen(TEMPORARY_MARK)) == 0 &&
                    strspn(end, letters) == strlen(TEMPORARY_X);
  return ours ? stem : 0;
}

bool ckt_file_was_left(const struct stat *info) {
  enum { WRITING_SECONDS = 60 };
  return S_ISREG(info->st_mode) && time(NULL) - info->st_mtime > WRITING_SECONDS;
}

/* Reads on while what the file has is what it should have. */
static bool has_content(int fd, const char *bytes, size_t length) {
  char chunk[1 << 14];
  for (;;) {
    const ssize_t got = read(fd, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0 || (size_t)got > length || memcmp(chunk, bytes, (size_t)got) != 0)
      return false;
    if (got == 0)
      return length == 0;
    bytes += got;
    length -= (size_t)got;
  }
}

int ckt_file_update(const char *path, const void *bytes, size_t length, bool *changed,
                    struct ckt_error *error) {
  struct stat info;
  bool same = false;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); /* a pipe must not block */
  if (fd >= 0) {
    same = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && (size_t)info.st_size == length &&
           has_content(fd, bytes, length);
    close(fd);
  }
  if (changed != NULL)
    *changed = !same;
  return same ? CKT_OK : ckt_file_write(path, bytes, length, error);
}

int ckt_make_folder(const char *path, struct ckt_error *error) {
  struct stat info;
  if (stat(path, &info) == 0) {
    if (S_ISDIR(info.st_mode))
      return CKT_OK;
    return ckt_fail(error, CKT_E_IO, "cannot make the folder %s: there is a file of that name", path);
  }
  if (errno == ENAMETOOLONG) /* also bounds the depth of the recursion */
    return fail_errno(error, "cannot make the folder", path);
  CKT_TRY(make_parent(path, error));
  if (mkdir(path, 0777) != 0 && errno != EEXIST)
    return fail_errno(error, "cannot make the folder", path);
  return CKT_OK;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where) {
  (void)info;
  (void)type;
  (void)where;
  return remove(path);
}

int ckt_remove_tree(const char *path, struct ckt_error *error) {
  if (nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) != 0 && errno != ENOENT)
    return fail_errno(error, "cannot remove", path);
  return CKT_OK;
}

bool ckt_file_exists(const char *path) {
  return access(path, F_OK) == 0;
}
