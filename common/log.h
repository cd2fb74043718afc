/* Talk to the person on stderr. Only the driver and workers call it; libraries return errors instead. */
#ifndef CKT_COMMON_LOG_H
#define CKT_COMMON_LOG_H

enum ckt_log_level { CKT_LOG_QUIET, CKT_LOG_ERROR, CKT_LOG_WARNING, CKT_LOG_NOTE, CKT_LOG_DEBUG };

void ckt_log_set_level(enum ckt_log_level level); /* default CKT_LOG_NOTE */
/* One line "cktune: error: ..." by a single write(2), so that lines of several processes do not mix. */
void ckt_log(enum ckt_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A message for each line of `text`. */
void ckt_log_lines(enum ckt_log_level level, const char *text);

#endif
