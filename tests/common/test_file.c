/* Whole files: written and read back, replaced in one step, limits, folders made and removed, links not
 * followed, and every failure named with its path. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/file.h"

static int make_folder(void **state) {
  const char *base = getenv("TMPDIR");
  char path[512];
  snprintf(path, sizeof path, "%s/cktune-file-XXXXXX", base != NULL ? base : "/tmp");
  *state = mkdtemp(path) != NULL ? strdup(path) : NULL;
  return *state != NULL ? 0 : -1;
}

static int remove_folder(void **state) {
  const int status = ckt_remove_tree(*state, NULL);
  free(*state);
  return status;
}

static const char *in(void **state, const char *name) {
  static char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", (const char *)*state, name);
  return path;
}

static int entries_of(const char *path) {
  DIR *folder = opendir(path);
  assert_non_null(folder);
  int count = 0;
  while (readdir(folder) != NULL)
    count++;
  closedir(folder);
  return count - 2;
}

static void expect_content(const char *path, const char *content) {
  struct ckt_text text = {0};
  assert_int_equal(ckt_file_read(path, &text, NULL), CKT_OK);
  assert_string_equal(ckt_text_string(&text), content);
  ckt_text_free(&text);
}

static void writes_and_reads_back(void **state) {
  const char *path = in(state, "a/b/c");
  char bytes[200000];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (char)(i * 7);
  assert_int_equal(ckt_file_write(path, bytes, sizeof bytes, NULL), CKT_OK);
  struct ckt_text text = {0};
  assert_int_equal(ckt_file_read(path, &text, NULL), CKT_OK);
  assert_int_equal(text.length, sizeof bytes);
  assert_memory_equal(text.data, bytes, sizeof bytes);
  ckt_text_free(&text);
  assert_true(ckt_file_exists(path));
  assert_false(ckt_file_exists(in(state, "a/b/d")));
}

static void replaces_and_leaves_no_other_file(void **state) {
  assert_int_equal(ckt_file_write(in(state, "f"), "old", 3, NULL), CKT_OK);
  const int reader = open(in(state, "f"), O_RDONLY | O_CLOEXEC);
  assert_int_equal(ckt_file_write(in(state, "f"), "", 0, NULL), CKT_OK);
  expect_content(in(state, "f"), "");
  char old[4] = "";
  assert_int_equal(read(reader, old, 3), 3); /* who has the old file open still sees all of it */
  assert_string_equal(old, "old");
  close(reader);
  assert_int_equal(entries_of(*state), 1);
}

static void a_new_file_has_the_mode_of_umask(void **state) {
  const mode_t mask = umask(027);
  assert_int_equal(ckt_file_write(in(state, "f"), "x", 1, NULL), CKT_OK);
  umask(mask);
  struct stat info;
  assert_int_equal(stat(in(state, "f"), &info), 0);
  assert_int_equal(info.st_mode & 0777, 0640);
}

/* Writes twice a second apart in the file's own time; tells whether the second one touched it. */
static bool touched_by_update(void **state, const char *first, const char *second) {
  const char *path = in(state, "f");
  bool changed = false;
  struct stat info;
  const struct timespec long_ago[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
  assert_int_equal(ckt_file_write(path, first, strlen(first), NULL), CKT_OK);
  assert_int_equal(utimensat(AT_FDCWD, path, long_ago, 0), 0);
  assert_int_equal(ckt_file_update(path, second, strlen(second), &changed, NULL), CKT_OK);
  expect_content(path, second);
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(changed, info.st_mtime != 1000);
  return changed;
}

static void an_update_leaves_alone_what_is_right(void **state) {
  assert_false(touched_by_update(state, "same", "same"));
  assert_false(touched_by_update(state, "", ""));
  assert_true(touched_by_update(state, "same", "sane"));
  assert_true(touched_by_update(state, "same", "sam"));
  assert_true(touched_by_update(state, "sam", "same"));
  assert_true(touched_by_update(state, "same", ""));
  assert_int_equal(ckt_file_update(in(state, "new/f"), "x", 1, NULL, NULL), CKT_OK);
  expect_content(in(state, "new/f"), "x");
}

/* A link in the file's place is replaced, what it leads to stays. */
static void an_update_does_not_follow_links(void **state) {
  char target[PATH_MAX];
  snprintf(target, sizeof target, "%s", in(state, "target"));
  assert_int_equal(ckt_file_write(target, "same", 4, NULL), CKT_OK);
  assert_int_equal(symlink(target, in(state, "f")), 0);
  bool changed = false;
  assert_int_equal(ckt_file_update(in(state, "f"), "same", 4, &changed, NULL), CKT_OK);
  struct stat info;
  assert_int_equal(lstat(in(state, "f"), &info), 0);
  assert_true(changed && S_ISREG(info.st_mode));
  assert_int_equal(mkfifo(in(state, "pipe"), 0600), 0); /* with nobody at its other end */
  assert_int_equal(ckt_file_update(in(state, "pipe"), "x", 1, &changed, NULL), CKT_OK);
  expect_content(in(state, "pipe"), "x");
}

static void names_what_cannot_be_read(void **state) {
  struct ckt_error error = {0};
  struct ckt_text text = {0};
  assert_int_equal(ckt_file_read(in(state, "none"), &text, &error), CKT_E_IO);
  assert_non_null(strstr(error.text, in(state, "none")));
  assert_non_null(strstr(error.text, strerror(ENOENT)));
  assert_int_equal(ckt_file_read(*state, &text, &error), CKT_E_IO);
  assert_non_null(strstr(error.text, strerror(EISDIR)));
  assert_int_equal(ckt_file_read_fd(-1, "the pipe", &text, &error), CKT_E_IO);
  assert_non_null(strstr(error.text, "the pipe"));
  ckt_text_free(&text);
}

static void reads_no_more_than_the_limit(void **state) {
  assert_int_equal(ckt_file_write(in(state, "f"), "123456", 6, NULL), CKT_OK);
  struct ckt_text text;
  struct ckt_error error = {0};
  ckt_text_init(&text, 6);
  assert_int_equal(ckt_file_read(in(state, "f"), &text, &error), CKT_OK);
  ckt_text_free(&text);
  ckt_text_init(&text, 5);
  assert_int_equal(ckt_file_read(in(state, "f"), &text, &error), CKT_E_INPUT);
  assert_non_null(strstr(error.text, "5 bytes"));
  ckt_text_free(&text);
  ckt_text_init(&text, 1 << 20);
  assert_int_equal(ckt_file_read("/dev/zero", &text, &error), CKT_E_INPUT); /* ends */
  ckt_text_free(&text);
}

static void names_what_cannot_be_written(void **state) {
  struct ckt_error error = {0};
  assert_int_equal(ckt_file_write(in(state, "f"), "x", 1, NULL), CKT_OK);
  assert_int_equal(ckt_file_write(in(state, "f/g"), "x", 1, &error), CKT_E_IO);
  assert_non_null(strstr(error.text, "file of that name"));
  assert_int_equal(ckt_file_write(in(state, "f/g/h"), "x", 1, &error), CKT_E_IO);
  assert_int_equal(ckt_file_write("/proc/cktune", "x", 1, &error), CKT_E_IO);
  assert_non_null(strstr(error.text, "/proc/cktune"));
  assert_int_equal(ckt_make_folder(in(state, "folder"), NULL), CKT_OK);
  assert_int_equal(ckt_file_write(in(state, "folder"), "x", 1, &error), CKT_E_IO);
  assert_int_equal(entries_of(*state), 2); /* no temporary file is left */
  expect_content(in(state, "f"), "x");
}

/* A limit on the file's size stands for a full disk. */
static int write_too_much(const char *path) {
  signal(SIGXFSZ, SIG_IGN);
  const struct rlimit limit = {1000, 1000};
  setrlimit(RLIMIT_FSIZE, &limit);
  static const char bytes[5000];
  struct ckt_error error = {0};
  return ckt_file_write(path, bytes, sizeof bytes, &error) == CKT_E_IO && strstr(error.text, path) != NULL
             ? 0
             : 1;
}

static void a_full_disk_keeps_the_old_content(void **state) {
  assert_int_equal(ckt_file_write(in(state, "f"), "old", 3, NULL), CKT_OK);
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0)
    _exit(write_too_much(in(state, "f")));
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  expect_content(in(state, "f"), "old");
  assert_int_equal(entries_of(*state), 1);
}

static void makes_folders(void **state) {
  struct ckt_error error = {0};
  assert_int_equal(ckt_make_folder(in(state, "a/b//c/"), &error), CKT_OK);
  assert_int_equal(ckt_make_folder(in(state, "a/b/c"), &error), CKT_OK);
  assert_int_equal(ckt_make_folder("/", &error), CKT_OK);
  assert_int_equal(ckt_make_folder(".", &error), CKT_OK);
  assert_int_equal(ckt_file_write(in(state, "f"), "x", 1, NULL), CKT_OK);
  assert_int_equal(ckt_make_folder(in(state, "f"), &error), CKT_E_IO);
  assert_non_null(strstr(error.text, in(state, "f")));
  assert_int_equal(ckt_make_folder(in(state, "f/g"), &error), CKT_E_IO);
  assert_int_equal(ckt_make_folder("/proc/cktune/a", &error), CKT_E_IO);
  char *deep = malloc(1000001); /* far deeper than a path can be */
  for (int i = 0; i < 1000000; i++)
    deep[i] = i % 2 == 0 ? 'a' : '/';
  deep[1000000] = '\0';
  assert_int_equal(ckt_make_folder(deep, &error), CKT_E_IO);
  free(deep);
}

static void removes_a_tree_without_following_links(void **state) {
  char target[PATH_MAX];
  snprintf(target, sizeof target, "%s", in(state, "keep/file"));
  assert_int_equal(ckt_file_write(target, "kept", 4, NULL), CKT_OK);
  assert_int_equal(ckt_file_write(in(state, "gone/deep/er/file"), "x", 1, NULL), CKT_OK);
  char keep[PATH_MAX];
  snprintf(keep, sizeof keep, "%s", in(state, "keep"));
  assert_int_equal(symlink(keep, in(state, "gone/link")), 0);
  assert_int_equal(symlink("nowhere", in(state, "gone/deep/broken")), 0);
  struct ckt_error error = {0};
  assert_int_equal(ckt_remove_tree(in(state, "gone"), &error), CKT_OK);
  assert_false(ckt_file_exists(in(state, "gone")));
  expect_content(target, "kept");
  assert_int_equal(ckt_remove_tree(in(state, "gone"), &error), CKT_OK); /* not there: fine */
  assert_int_equal(ckt_remove_tree("/proc/self/status", &error), CKT_E_IO);
  assert_non_null(strstr(error.text, "/proc/self/status"));
}

static void knows_the_names_of_temporary_files(void **state) {
  (void)state;
  assert_int_equal(ckt_file_temporary_stem("a.cpp.cktune-0az9b1"), 5);
  assert_int_equal(ckt_file_temporary_stem("a.cktune-000000"), 1);
  assert_int_equal(ckt_file_temporary_stem("a.cktune-000000.cktune-000000"), 15);
  static const char *const others[] = {"",
                                       "a.cpp",
                                       "a.cpp.backup",
                                       "a.cpp.a1b2c3",
                                       ".cktune-000000",
                                       "a.cktune-00000",
                                       "a.cktune-0000000",
                                       "a.cktune-00000A",
                                       "a.cktune-00000.",
                                       "a_cktune-000000",
                                       "a.cktune-000000.cpp"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_int_equal(ckt_file_temporary_stem(others[i]), 0);
}

#define FOLDER_TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void) {
  const struct CMUnitTest tests[] = {
      FOLDER_TEST(writes_and_reads_back),
      FOLDER_TEST(replaces_and_leaves_no_other_file),
      FOLDER_TEST(a_new_file_has_the_mode_of_umask),
      FOLDER_TEST(an_update_leaves_alone_what_is_right),
      FOLDER_TEST(an_update_does_not_follow_links),
      FOLDER_TEST(names_what_cannot_be_read),
      FOLDER_TEST(reads_no_more_than_the_limit),
      FOLDER_TEST(names_what_cannot_be_written),
      FOLDER_TEST(a_full_disk_keeps_the_old_content),
      cmocka_unit_test(knows_the_names_of_temporary_files),
      FOLDER_TEST(makes_folders),
      FOLDER_TEST(removes_a_tree_without_following_links),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
