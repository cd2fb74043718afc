#include "driver/jobs.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "common/file.h"
#include "common/machine.h"
#include "common/number.h"

/* Reads a small file of the kernel; "" when it is not there. */
static void read_small(const char *path, char *text, size_t size) {
  struct ckt_text content;
  ckt_text_init(&content, 1 << 16);
  text[0] = '\0';
  if (ckt_file_read(path, &content, NULL) == CKT_OK)
    snprintf(text, size, "%s", ckt_text_string(&content));
  ckt_text_free(&content);
}

/* The first number of a file, or -1 (also for "max"). */
static int64_t read_number(const char *folder, const char *name) {
  char path[PATH_MAX + 64], text[64];
  int64_t value;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  read_small(path, text, sizeof text);
  const size_t length = strcspn(text, " \n");
  return ckt_parse_i64(text, length, &value) == CKT_NUMBER_OK ? value : -1;
}

static double least_limit(double a, double b) {
  return a < 0 ? b : b < 0 ? a : a < b ? a : b;
}

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

struct limits {
  double quota; /* processors' worth of time */
  int64_t free_bytes;
};

/* cgroup v2: cpu.max is "quota period" or "max period". */
static void look_at_group(const char *folder, struct limits *limits) {
  char path[PATH_MAX + 16], text[64];
  double quota, period;
  snprintf(path, sizeof path, "%s/cpu.max", folder);
  read_small(path, text, sizeof text);
  if (sscanf(text, "%lf %lf", &quota, &period) == 2 && period > 0)
    limits->quota = least_limit(limits->quota, quota / period);
  const int64_t most = read_number(folder, "memory.max"), used = read_number(folder, "memory.current");
  if (most >= 0 && used >= 0)
    limits->free_bytes = least(limits->free_bytes, most > used ? most - used : 0);
}

/* The process's own group and every one above it. */
static void look_at_groups(struct limits *limits) {
  static const char root[] = "/sys/fs/cgroup";
  char text[4096], folder[PATH_MAX];
  read_small("/proc/self/cgroup", text, sizeof text);
  const char *line = strstr(text, "0::");
  snprintf(folder, sizeof folder, "%s%.*s", root, line != NULL ? (int)strcspn(line + 3, "\n") : 0,
           line != NULL ? line + 3 : "");
  while (strlen(folder) >= sizeof root - 1) {
    look_at_group(folder, limits);
    *strrchr(folder, '/') = '\0';
  }
  const int64_t quota = read_number("/sys/fs/cgroup/cpu", "cpu.cfs_quota_us"); /* v1 */
  const int64_t period = read_number("/sys/fs/cgroup/cpu", "cpu.cfs_period_us");
  if (quota > 0 && period > 0)
    limits->quota = least_limit(limits->quota, (double)quota / (double)period);
}

int64_t ckt_jobs_from(int64_t cpus, double quota, int64_t free_bytes) {
  int64_t jobs = cpus < CKT_JOBS_MAX ? cpus : CKT_JOBS_MAX;
  if (quota >= 0 && quota < (double)jobs)
    jobs = (int64_t)quota;
  if (free_bytes >= 0 && free_bytes / CKT_JOB_MEMORY - 1 < jobs)
    jobs = free_bytes / CKT_JOB_MEMORY - 1;
  return jobs > 0 ? jobs : 1;
}

int64_t ckt_jobs_default(void) {
  struct limits limits = {.quota = -1, .free_bytes = ckt_available_memory()};
  look_at_groups(&limits);
  return ckt_jobs_from(ckt_usable_cpus(), limits.quota, limits.free_bytes);
}
