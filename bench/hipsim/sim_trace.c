#include "bench/hipsim/sim_trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct sim_trace_file {
  FILE *stream;
  uint64_t left; /* bytes */
};

struct sim_trace_file *sim_trace_open(const struct sim_settings *settings, const struct sim_dispatch *d) {
  struct sim_trace_file *file = malloc(sizeof *file);
  if (file == NULL)
    return NULL;
  *file = (struct sim_trace_file){.stream = fopen(settings->trace, "ae"), .left = settings->trace_bytes};
  if (file->stream == NULL) {
    fprintf(stderr, "hipsim: HIPSIM_TRACE: %s cannot be written (%s); name a file in a folder that can\n",
            settings->trace, strerror(errno));
    free(file);
    return NULL;
  }
  const uint32_t *id = settings->trace_group;
  fprintf(file->stream, "# kernel %s, grid %u,%u,%u, block %u,%u,%u, workgroup %u,%u,%u\n", d->kernel->name,
          d->grid[0], d->grid[1], d->grid[2], d->block[0], d->block[1], d->block[2], id[0], id[1], id[2]);
  return file;
}

void sim_trace_close(struct sim_trace_file *file) {
  if (file == NULL)
    return;
  fclose(file->stream);
  free(file);
}

void sim_trace_write(struct sim_trace_file *file, const struct sim_wave *w, uint32_t at) {
  if (file->left == 0)
    return;
  char text[160];
  const uint64_t address = w->code->base + 4u * (uint64_t)at;
  sim_code_disassemble(w->code, address, text, sizeof text);
  const int length = fprintf(file->stream, "wave %u 0x%llx exec %016llx %s\n", w->number,
                             (unsigned long long)(address - w->dispatch->kernel->entry),
                             (unsigned long long)sim_exec(w), text);
  const uint64_t written = length > 0 ? (uint64_t)length : file->left;
  if (written < file->left) {
    file->left -= written;
    return;
  }
  file->left = 0;
  fprintf(file->stream, "# HIPSIM_TRACE_BYTES are written; the rest is left out\n");
}
