/* Removing what earlier runs of the CK Tile target left behind. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "common/number.h"
#include "gen/cktile_tree.h"

/* The id of <problem>_<id>.cpp, which is all `size` characters of the name, or -1 when the name is another. An id has no
 * leading zero and no sign. */
static int64_t id_of(const char *name, size_t size, const char *problem) {
  const size_t length = strlen(problem);
  int64_t id;
  if (strncmp(name, problem, length) != 0 || name[length] != '_')
    return -1;
  const char *digits = name + length + 1;
  const size_t count = strspn(digits, "0123456789");
  const char *end = digits + count;
  const bool source = count > 0 && (digits[0] != '0' || count == 1) && strncmp(end, ".cpp", 4) == 0 &&
                      (size_t)(end + 4 - name) == size;
  return source && ckt_parse_i64(digits, count, &id) == CKT_NUMBER_OK ? id : -1;
}

/* What a run that was killed left, or a source that is no longer in the list. */
static bool is_stale(const struct ckt_cktile_list *list, const char *name, const struct stat *info) {
  const size_t stem = ckt_file_temporary_stem(name);
  const int64_t id = id_of(name, stem > 0 ? stem : strlen(name), list->names.problem);
  if (id < 0 || !S_ISREG(info->st_mode))
    return false;
  return stem > 0 ? ckt_file_was_left(info) : !ckt_cktile_has(list, id);
}

static int clean_file(const struct ckt_cktile_list *list, int folder, const char *path, const char *name,
                      size_t *removed, struct ckt_error *error) {
  struct stat info;
  if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !is_stale(list, name, &info))
    return CKT_OK;
  if (unlinkat(folder, name, 0) == 0)
    (*removed)++;
  else if (errno != ENOENT) /* another run may be cleaning, too */
    return ckt_fail(error, CKT_E_IO, "cannot remove %s/%s: %s", path, name, strerror(errno));
  return CKT_OK;
}

static int clean_folder(const struct ckt_cktile_list *list, const char *path, size_t *removed,
                        struct ckt_error *error) {
  DIR *folder = opendir(path);
  if (folder == NULL)
    return errno == ENOENT
               ? CKT_OK
               : ckt_fail(error, CKT_E_IO, "cannot read the folder %s: %s", path, strerror(errno));
  int status = CKT_OK;
  for (const struct dirent *entry; status == CKT_OK && (entry = readdir(folder)) != NULL;)
    status = clean_file(list, dirfd(folder), path, entry->d_name, removed, error);
  closedir(folder);
  return status;
}

static int clean_list(const struct ckt_cktile_tree *tree, const struct ckt_cktile_list *list,
                      struct ckt_text *path, size_t *removed, struct ckt_error *error) {
  const char *direction = ckt_direction_word(list->kind.direction);
  const size_t before = *removed;
  ckt_text_clear(path);
  ckt_text_printf(path, "%s/%s/%s", tree->request->instances_dir, direction, list->names.config);
  CKT_TRY(ckt_text_status(path, error));
  CKT_TRY(clean_folder(list, ckt_text_string(path), removed, error));
  if (*removed == before || rmdir(ckt_text_string(path)) != 0)
    return CKT_OK; /* something is in it */
  ckt_text_clear(path);
  ckt_text_printf(path, "%s/%s", tree->request->instances_dir, direction);
  (void)rmdir(ckt_text_string(path));
  return CKT_OK;
}

int ckt_cktile_clean(const struct ckt_cktile_tree *tree, struct ckt_cktile_counts *counts,
                     struct ckt_error *error) {
  struct ckt_text path = {0};
  int status = CKT_OK;
  for (size_t i = 0; i < tree->list_count && status == CKT_OK; i++)
    status = clean_list(tree, &tree->lists[i], &path, &counts->removed, error);
  ckt_text_free(&path);
  return status;
}
