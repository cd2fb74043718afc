/* Runs a fuzz target on files, without libFuzzer: the seeds as a test, or an input that libFuzzer found.
 *
 *   fuzz_replay_<target> FILE|FOLDER...
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/file.h"
#include "fuzz_target.h"

enum { CUTS = 1024 };

static bool replay_file(const char *path) {
  struct ckt_text content = {0};
  struct ckt_error error = {0};
  if (ckt_file_read(path, &content, &error) != CKT_OK) {
    fprintf(stderr, "%s\n", error.text);
    ckt_text_free(&content);
    return false;
  }
  /* Shortened at both ends as well, at up to CUTS places: the readers meet text that stops anywhere. */
  const uint8_t *bytes = (const uint8_t *)ckt_text_string(&content);
  LLVMFuzzerTestOneInput(bytes, content.length);
  const size_t step = content.length / CUTS + 1;
  for (size_t cut = 1; cut < content.length; cut += step) {
    LLVMFuzzerTestOneInput(bytes, content.length - cut);
    LLVMFuzzerTestOneInput(bytes + cut, content.length - cut);
  }
  ckt_text_free(&content);
  return true;
}

/* How many files were replayed, -1 on a failure. */
static int replay(const char *path) {
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
    return replay_file(path) ? 1 : -1;
  DIR *folder = opendir(path);
  if (folder == NULL)
    return -1;
  int count = 0;
  for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    if (entry->d_name[0] == '.')
      continue;
    char file[4096];
    snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
    if (!replay_file(file)) {
      count = -1;
      break;
    }
    count++;
  }
  closedir(folder);
  return count;
}

int main(int argc, char **argv) {
  int total = 0;
  for (int i = 1; i < argc; i++) {
    const int count = replay(argv[i]);
    if (count < 0) {
      fprintf(stderr, "%s could not be replayed\n", argv[i]);
      return 1;
    }
    total += count;
  }
  printf("%d inputs\n", total);
  return total > 0 ? 0 : 1;
}
