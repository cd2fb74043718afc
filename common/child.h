/* Processes that work for this one: started, talked to by lines, watched, and cleared away.
 *
 * A child is a program (mostly this one in another role) that may crash, hang or be killed without harm to its
 * parent. It gets
 *   - a socket as descriptor CKT_CHILD_SOCKET for messages of one line each; all other descriptors are closed;
 *   - /dev/null as stdin and stdout; a pipe as stderr, of which the parent keeps the end;
 *   - a private folder as TMPDIR, removed with the child; no core file; a process group of its own, so that
 *     the terminal's Ctrl-C reaches the parent alone; default signal handling;
 *   - SIGKILL when the parent's thread that started it ends.
 * The rest of the environment (LD_LIBRARY_PATH and the like) is the parent's. */
#ifndef CKT_COMMON_CHILD_H
#define CKT_COMMON_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/error.h"

#define CKT_CHILD_SOCKET      3
#define CKT_CHILD_LINE_MAX    ((size_t)256 << 10) /* longest message that is accepted */
#define CKT_CHILD_STDERR_KEPT ((size_t)4 << 10)
#define CKT_CHILD_CAUSE_MAX   512

struct ckt_child; /* opaque */

struct ckt_child_setup {
  const char *program;          /* NULL: this program, through /proc/self/exe */
  const char *const *arguments; /* its argv, from the name on; NULL-terminated */
  const char *scratch;          /* the folder in which its TMPDIR is made */
};

/* Starts it. CKT_E_WORKER says what failed. */
int ckt_child_start(const struct ckt_child_setup *setup, struct ckt_child **child, struct ckt_error *error);
/* Kills what still runs, reaps it and removes its TMPDIR. Accepts NULL and clears the handle. */
void ckt_child_destroy(struct ckt_child **child);

pid_t ckt_child_pid(const struct ckt_child *child);
const char *ckt_child_tmpdir(const struct ckt_child *child);
/* Descriptors to poll for reading; -1 once the child has closed its end. */
int ckt_child_socket(const struct ckt_child *child);
int ckt_child_stderr(const struct ckt_child *child);

/* Sends one line (without its newline). Never blocks: a child that leaves a message unread is at fault, and
 * that, like one that is gone, is CKT_E_WORKER. */
int ckt_child_send(struct ckt_child *child, const char *line, struct ckt_error *error);

enum ckt_child_input {
  CKT_CHILD_LINE,    /* a whole line is in *line, without its newline; valid until the next call */
  CKT_CHILD_NOTHING, /* no whole line yet */
  CKT_CHILD_CLOSED,  /* the child closed the socket: it has ended or is about to */
  CKT_CHILD_TOO_LONG /* a line longer than CKT_CHILD_LINE_MAX, or than memory allows */
};
/* Takes the next line, reading what is there. Never blocks. */
enum ckt_child_input ckt_child_receive(struct ckt_child *child, const char **line);

/* Reads what is there of stderr. Never blocks. */
void ckt_child_read_stderr(struct ckt_child *child);
/* The last CKT_CHILD_STDERR_KEPT bytes of it as one line: control characters are spaces, runs of them one. */
const char *ckt_child_said(struct ckt_child *child);

/* Kills the child if it still runs, reaps it, and says how it ended: "killed by signal 11 (Segmentation
 * fault)", "exit status 3". A child that has closed its socket is given a moment to end by itself, so that
 * the cause is its own. */
void ckt_child_end(struct ckt_child *child, char cause[CKT_CHILD_CAUSE_MAX]);

#endif
