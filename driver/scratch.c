#include "driver/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/file.h"
#include "common/text.h"

static const char *parent(void) {
  const char *folder = getenv("TMPDIR");
  return folder != NULL && folder[0] == '/' ? folder : "/tmp";
}

/* Takes the lock of a folder; -1 when it is not ours to take or, with LOCK_NB, when another process holds it. */
static int take_lock(const char *folder, int wait) {
  const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat info;
  if (fd < 0)
    return -1;
  if (fstat(fd, &info) == 0 && info.st_uid == getuid() && flock(fd, LOCK_EX | wait) == 0)
    return fd;
  close(fd);
  return -1;
}

/* A folder whose lock can be had belongs to a run that was killed. One that was made a moment ago may not be
 * locked yet, so the young are left alone. */
static void remove_abandoned(const char *pattern) {
  glob_t found;
  if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
    return;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    struct stat info;
    const int lock = take_lock(found.gl_pathv[i], LOCK_NB);
    if (lock < 0)
      continue;
    if (fstat(lock, &info) == 0 && time(NULL) - info.st_mtime > 10)
      ckt_remove_tree(found.gl_pathv[i], NULL);
    close(lock);
  }
  globfree(&found);
}

int ckt_scratch_create(struct ckt_scratch *scratch, struct ckt_error *error) {
  *scratch = (struct ckt_scratch){.lock = -1};
  struct ckt_text pattern = {0}, name = {0};
  ckt_text_printf(&pattern, "%s/cktune-%ld-??????", parent(), (long)getuid());
  remove_abandoned(ckt_text_string(&pattern));
  ckt_text_free(&pattern);
  ckt_text_printf(&name, "%s/cktune-%ld-XXXXXX", parent(), (long)getuid());
  char *folder = ckt_text_take(&name, error);
  if (folder == NULL)
    return CKT_E_NOMEM;
  if (mkdtemp(folder) == NULL) {
    const int status = ckt_fail(error, CKT_E_IO,
                                "cannot make a temporary folder in %s: %s; set TMPDIR to one that "
                                "can be written",
                                parent(), strerror(errno));
    free(folder);
    return status;
  }
  scratch->folder = folder;
  /* Waits for a process that is just looking how old the folder is; unlocked it would look abandoned. */
  scratch->lock = take_lock(folder, 0);
  if (scratch->lock >= 0)
    return CKT_OK;
  const int status = ckt_fail(
      error, CKT_E_IO, "cannot lock the temporary folder %s: %s; set TMPDIR to a folder on a local disk",
      folder, strerror(errno));
  ckt_scratch_remove(scratch);
  return status;
}

void ckt_scratch_remove(struct ckt_scratch *scratch) {
  if (scratch->folder == NULL)
    return;
  ckt_remove_tree(scratch->folder, NULL);
  if (scratch->lock >= 0)
    close(scratch->lock);
  free(scratch->folder);
  *scratch = (struct ckt_scratch){.lock = -1};
}
