/* Which process works on a run. A run that a living process works on is not continued by a second one. A
 * process is named by boot, pid namespace, pid and start time, so that a pid used again does not count; of
 * another boot or namespace nothing can be known, and its process is taken for gone. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/store_sql.h"

static void read_small(const char *path, char *content, size_t size) {
  content[0] = '\0';
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return;
  const ssize_t got = read(fd, content, size - 1);
  content[got > 0 ? got : 0] = '\0';
  close(fd);
}

/* Start time of a process in ticks since boot, 0 when it is gone (a zombie is). proc(5): field 3 is the
 * state, field 22 the start time, counted from after the command in parentheses, which may hold anything. */
static unsigned long long start_time(long pid) {
  char path[64];
  char content[1024];
  snprintf(path, sizeof path, "/proc/%ld/stat", pid);
  read_small(path, content, sizeof content);
  const char *after = strrchr(content, ')');
  unsigned long long start = 0;
  char state = 'X';
  if (after == NULL ||
      sscanf(after + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
             &state, &start) != 2)
    return 0;
  return state == 'Z' || state == 'X' ? 0 : start;
}

/* "boot-id namespace": what must be equal for a pid to mean anything. */
static void machine(char text[CKT_OWNER_MAX / 2]) {
  char boot[48];
  read_small("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
  boot[strcspn(boot, "\n")] = '\0';
  struct stat info = {0};
  if (stat("/proc/self/ns/pid", &info) != 0)
    info.st_ino = 0;
  snprintf(text, CKT_OWNER_MAX / 2, "%s %llu", boot, (unsigned long long)info.st_ino);
}

void ckt_owner_self(char owner[CKT_OWNER_MAX]) {
  char here[CKT_OWNER_MAX / 2];
  machine(here);
  snprintf(owner, CKT_OWNER_MAX, "%s %ld %llu", here, (long)getpid(), start_time(getpid()));
}

bool ckt_owner_is_other_and_alive(const char *owner) {
  char here[CKT_OWNER_MAX / 2];
  machine(here);
  const size_t length = strlen(here);
  long pid;
  unsigned long long start;
  if (strncmp(owner, here, length) != 0 || sscanf(owner + length, " %ld %llu", &pid, &start) != 2)
    return false;
  return pid != (long)getpid() && start != 0 && start_time(pid) == start;
}
