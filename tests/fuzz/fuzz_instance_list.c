/* An instance list: entries have distinct keys, names and lines; a fault is one sentence. */
#include <string.h>
#include <unistd.h>

#include "fuzz_target.h"
#include "gen/instance.h"

/* Entries compared with all others: a space may bring very many. */
#define COMPARED_MAX 300

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[32];
  const int fd = fuzz_file(data, size, path);
  const struct ckt_problem_defaults defaults = {.direction = CKT_FORWARD, .dtype = CKT_FP16, .spatial = 2};
  struct ckt_instance_list list;
  struct ckt_error error = {0};
  if (ckt_instance_list_read(path, &defaults, &list, NULL, &error) == CKT_OK) {
    for (size_t i = 0; i < list.count; i++) {
      char key[CKT_INSTANCE_KEY_MAX];
      char other[CKT_INSTANCE_KEY_MAX];
      FUZZ_REQUIRE(list.entries[i].name != NULL && list.entries[i].line != NULL && list.entries[i].id >= 0);
      ckt_instance_key(&list.entries[i].instance, key);
      for (size_t j = 0; j < i && i < COMPARED_MAX; j++) {
        ckt_instance_key(&list.entries[j].instance, other);
        FUZZ_REQUIRE(strcmp(key, other) != 0);
      }
    }
    ckt_instance_list_free(&list);
  } else {
    FUZZ_REQUIRE(error.text[0] != '\0' && strchr(error.text, '\n') == NULL);
  }
  close(fd);
  return 0;
}
