/* Whole files: read with a limit, written so that a reader sees the old content or the new, never a part. */
#ifndef CKT_COMMON_FILE_H
#define CKT_COMMON_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "common/error.h"
#include "common/text.h"

/* Appends the file's bytes to *content (whose limit bounds them). CKT_E_IO names the file and the cause. */
int ckt_file_read(const char *path, struct ckt_text *content, struct ckt_error *error);
/* The same from an open descriptor, to its end; `name` is for messages. */
int ckt_file_read_fd(int fd, const char *name, struct ckt_text *content, struct ckt_error *error);
/* Writes to a temporary name in the same folder, then renames. Missing folders are made. */
int ckt_file_write(const char *path, const void *bytes, size_t length, struct ckt_error *error);
/* Such a temporary name is NAME.cktune-XXXXXX, and a run that is killed leaves the file: the length of NAME, or 0 when
 * `name` is no such name. */
size_t ckt_file_temporary_stem(const char *name);
/* Whether a temporary file is that of a run that was killed: a younger one may be at work. */
bool ckt_file_was_left(const struct stat *info);
/* As ckt_file_write, but a file that holds these very bytes is left alone, with its time. *changed (may be NULL) tells. */
int ckt_file_update(const char *path, const void *bytes, size_t length, bool *changed,
                    struct ckt_error *error);
/* Makes a folder and its parents, mode 0755 less umask; one that is there is fine. */
int ckt_make_folder(const char *path, struct ckt_error *error);
/* Removes a folder and all below it, without following links. One that is not there is fine. */
int ckt_remove_tree(const char *path, struct ckt_error *error);
bool ckt_file_exists(const char *path);

#endif
