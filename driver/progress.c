#include "driver/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/clock.h"

#define TERMINAL_SECONDS 0.2
#define PLAIN_SECONDS    10.0

void ckt_progress_start(struct ckt_progress *progress, size_t total, bool quiet) {
  *progress = (struct ckt_progress){.on = !quiet,
                                    .terminal = isatty(STDERR_FILENO) == 1,
                                    .start = ckt_now(),
                                    .shown = ckt_now(),
                                    .total = total};
}

static size_t columns(void) {
  struct winsize size;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

/* "0:07", "12:40", "3:05:00". */
static void format_time(double seconds, char *text, size_t size) {
  const long whole = seconds < 0 ? 0 : seconds > 3.6e6 ? 3600000 : (long)seconds;
  if (whole >= 3600)
    snprintf(text, size, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  else
    snprintf(text, size, "%ld:%02ld", whole / 60, whole % 60);
}

static void format_line(const struct ckt_progress *progress, char *line, size_t size) {
  const double spent = ckt_now() - progress->start;
  const double rate = spent > 0 ? (double)progress->done / spent : 0;
  char left[32] = "?", best[64] = "";
  if (progress->done > 0 && rate > 0)
    format_time((double)(progress->total - progress->done) / rate, left, sizeof left);
  if (progress->best_ms > 0)
    snprintf(best, sizeof best, ", best %.2f us", progress->best_ms * 1e3);
  snprintf(line, size, "%zu/%zu pairs, %zu compiled, %.1f/s, %s left%s %s", progress->done, progress->total,
           progress->compiled, rate, left, best, progress->problem);
}

void ckt_progress_show(struct ckt_progress *progress) {
  const double every = progress->terminal ? TERMINAL_SECONDS : PLAIN_SECONDS;
  if (!progress->on || ckt_now() - progress->shown < every)
    return;
  char line[256], output[300];
  format_line(progress, line, sizeof line);
  if (progress->terminal)
    snprintf(output, sizeof output, "\r%.*s\033[K", (int)(columns() - 1), line);
  else
    snprintf(output, sizeof output, "cktune: %s\n", line);
  progress->shown = ckt_now();
  if (write(STDERR_FILENO, output, strlen(output)) < 0)
    progress->on = false; /* nobody reads it any more */
}

void ckt_progress_clear(struct ckt_progress *progress) {
  static const char clear[] = "\r\033[K";
  if (progress->on && progress->terminal && write(STDERR_FILENO, clear, sizeof clear - 1) < 0)
    progress->on = false;
}
