#include "bench/hipsim/sim_lines.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/hipsim/sim_comgr.h"

struct sim_lines {
  size_t size;
  char bytes[];
};

/* The name of the section that lines are in, as the table of names has it. */
static bool has_lines(const uint8_t *bytes, size_t size) {
  static const char name[] = ".debug_line";
  return memmem(bytes, size, name, sizeof name) != NULL;
}

struct sim_lines *sim_lines_keep(const uint8_t *bytes, size_t size) {
  if (!has_lines(bytes, size))
    return NULL;
  struct sim_lines *lines = malloc(sizeof *lines + size);
  if (lines != NULL) {
    lines->size = size;
    memcpy(lines->bytes, bytes, size);
  }
  return lines;
}

void sim_lines_free(struct sim_lines *lines) {
  free(lines);
}

/* ---- what the symbolizer prints ----
 * "function at folder/file:line:column", and a line more for each call that was inlined, innermost first; "??" for what
 * it does not know. */

struct sentence {
  char *text;
  size_t size;
};

static void add_frame(struct sentence *s, const char *line, size_t length) {
  char frame[512];
  if (length >= sizeof frame)
    return;
  memcpy(frame, line, length);
  frame[length] = '\0';
  char *place = NULL;
  for (char *at = strstr(frame, " at "); at != NULL; at = strstr(place, " at "))
    place = at + 4;
  char *column = place != NULL ? strrchr(place, ':') : NULL;
  if (column == NULL || strncmp(place, "??", 2) == 0)
    return;
  *column = '\0';
  const char *slash = strrchr(place, '/');
  const size_t used = strlen(s->text);
  snprintf(s->text + used, s->size - used, "%s%s", used > 0 ? ", inlined at " : "",
           slash != NULL ? slash + 1 : place);
}

static void take(const char *symbol, void *user) {
  for (const char *line = symbol; *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    add_frame(user, line, length);
    line += length + (line[length] == '\n');
  }
}

void sim_lines_find(const struct sim_lines *lines, uint64_t address, char *text, size_t size) {
  const struct sim_comgr *comgr = sim_comgr();
  struct sentence sentence = {.text = text, .size = size};
  text[0] = '\0';
  amd_comgr_data_t data;
  amd_comgr_symbolizer_info_t info;
  if (comgr->trouble[0] != '\0' ||
      comgr->create_data(AMD_COMGR_DATA_KIND_EXECUTABLE, &data) != AMD_COMGR_STATUS_SUCCESS)
    return;
  if (comgr->set_data(data, lines->size, lines->bytes) == AMD_COMGR_STATUS_SUCCESS &&
      comgr->create_symbolizer_info(data, take, &info) == AMD_COMGR_STATUS_SUCCESS) {
    (void)comgr->symbolize(info, address, true, &sentence); /* without an answer there is no line to tell */
    (void)comgr->destroy_symbolizer_info(info);
  }
  (void)comgr->release_data(data);
}
