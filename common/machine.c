#include "common/machine.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "common/number.h"

int ckt_usable_cpus(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return 1;
  const int count = CPU_COUNT(&set);
  return count < 1 ? 1 : count;
}

int64_t ckt_available_memory(void) {
  int64_t kib = -1;
  char line[256];
  FILE *file = fopen("/proc/meminfo", "re");
  while (file != NULL && kib < 0 && fgets(line, sizeof line, file) != NULL) {
    static const char word[] = "MemAvailable:";
    if (strncmp(line, word, sizeof word - 1) != 0)
      continue;
    const char *number = line + sizeof word - 1;
    number += strspn(number, " \t");
    if (ckt_parse_i64(number, strspn(number, "0123456789"), &kib) != CKT_NUMBER_OK)
      kib = -1;
  }
  if (file != NULL)
    fclose(file);
  return kib < 0 || kib > INT64_MAX / 1024 ? INT64_MAX : kib * 1024;
}
