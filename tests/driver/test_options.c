/* Exercises: the option table (every row has help and fits its command's page), both ways to write a value,
 * letters, defaults, environment and its precedence, wrong values, unknown options and commands with the nearest
 * name, and the mapping of error codes to exit statuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver/command.h"

#define PARSE(...)                                                                                           \
  (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)

static int parse(const char *const *words, size_t count, unsigned command, struct ckt_options *options,
                 struct ckt_error *error) {
  return ckt_options_parse((int)count, (char *const *)words, command, "tune", options, error);
}

static void table_is_complete(void **state) {
  (void)state;
  for (size_t i = 0; i < ckt_option_count; i++) {
    const struct ckt_option *option = &ckt_option_table[i];
    assert_true(option->help != NULL && strlen(option->help) > 10);
    assert_true(option->commands != 0);
    assert_true((option->kind == CKT_OPTION_FLAG) == (option->value == NULL));
    assert_true((option->kind == CKT_OPTION_WORD) == (option->choices != NULL));
    for (size_t j = 0; j < i; j++) {
      const struct ckt_option *other = &ckt_option_table[j];
      const bool same_name = strcmp(option->name, other->name) == 0;
      assert_true(!same_name || (option->commands & other->commands) == 0);
      assert_true(same_name == (option->offset == other->offset));
      assert_true(same_name || option->letter == 0 || option->letter != other->letter);
    }
  }
}

/* Runs ckt_help with stdout in a file and gives what it printed. */
static char *help_text(const struct ckt_command *command) {
  static char text[1 << 16];
  FILE *file = tmpfile();
  assert_non_null(file);
  fflush(stdout);
  const int kept = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  ckt_help(command);
  fflush(stdout);
  dup2(kept, STDOUT_FILENO);
  close(kept);
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return text;
}

/* Rows of one name are for different commands. */
static bool is_taken(const char *name, unsigned command) {
  bool taken = false;
  for (size_t i = 0; i < ckt_option_count; i++)
    taken |= strcmp(ckt_option_table[i].name, name) == 0 && (ckt_option_table[i].commands & command) != 0;
  return taken;
}

static void help_lists_every_option(void **state) {
  (void)state;
  for (size_t i = 0; i < ckt_command_count; i++) {
    const char *text = help_text(ckt_commands[i]);
    assert_non_null(strstr(text, ckt_commands[i]->summary));
    for (size_t j = 0; j < ckt_option_count; j++) {
      char name[64];
      snprintf(name, sizeof name, " --%s%s", ckt_option_table[j].name,
               ckt_option_table[j].value != NULL ? " " : "");
      const bool listed = strstr(text, name) != NULL;
      assert_true(listed == is_taken(ckt_option_table[j].name, ckt_commands[i]->bit));
    }
  }
}

static void help_lists_every_command(void **state) {
  (void)state;
  const char *text = help_text(NULL);
  for (size_t i = 0; i < ckt_command_count; i++)
    assert_non_null(strstr(text, ckt_commands[i]->summary));
}

static void help_keeps_within_its_width(void **state) {
  (void)state;
  for (size_t i = 0; i < ckt_command_count; i++)
    for (const char *line = help_text(ckt_commands[i]); *line != '\0'; line += strcspn(line, "\n") + 1) {
      assert_true(strcspn(line, "\n") <= 100);
      if (line[strcspn(line, "\n")] == '\0')
        break;
    }
}

static void values_joined_and_apart(void **state) {
  (void)state;
  struct ckt_options options;
  struct ckt_error error = {0};
  assert_int_equal(parse(PARSE("--problem", "1,2", "--problem=n=1,c=2", "-p", "x", "-py", "--jobs=3",
                               "--budget", "1.5", "--spatial", "3", "--fresh", "-qv", "word", "--", "--jobs"),
                         CKT_FOR_TUNE, &options, &error),
                   CKT_OK);
  assert_int_equal(options.problems.count, 4);
  assert_string_equal(options.problems.items[1], "n=1,c=2");
  assert_string_equal(options.problems.items[3], "y");
  assert_int_equal(options.jobs, 3);
  assert_true(options.budget == 1.5);
  assert_int_equal(options.spatial, 3);
  assert_true(options.fresh && options.quiet && options.verbose);
  assert_int_equal(options.operands.count, 2);
  assert_string_equal(options.operands.items[1], "--jobs");
  ckt_options_free(&options);
}

static void defaults_come_from_the_table(void **state) {
  (void)state;
  struct ckt_options options;
  assert_int_equal(ckt_options_parse(0, NULL, CKT_FOR_TUNE, "tune", &options, NULL), CKT_OK);
  assert_string_equal(options.instances, "profiler");
  assert_string_equal(options.format, "table");
  assert_int_equal(options.spatial, 2);
  assert_true(options.compile_timeout > 0 && options.run_timeout > 0);
  assert_null(options.device);
  ckt_options_free(&options);
}

static void rows_of_one_name_are_told_apart(void **state) {
  (void)state;
  struct ckt_options options;
  assert_int_equal(ckt_options_parse(0, NULL, CKT_FOR_GEN, "gen", &options, NULL), CKT_OK);
  assert_string_equal(options.direction, "all");
  assert_null(options.dtype);
  assert_true(options.compile_timeout == 0); /* an option of other commands has no default here */
  assert_int_equal(options.spatial, 0);
  ckt_options_free(&options);
  assert_int_equal(ckt_options_parse(0, NULL, CKT_FOR_TUNE, "tune", &options, NULL), CKT_OK);
  assert_string_equal(options.direction, "forward");
  ckt_options_free(&options);
}

static void environment_is_weaker_than_the_command_line(void **state) {
  (void)state;
  struct ckt_options options;
  setenv("CKTUNE_DB", "/environment", 1);
  assert_int_equal(ckt_options_parse(0, NULL, CKT_FOR_TUNE, "tune", &options, NULL), CKT_OK);
  assert_string_equal(options.db, "/environment");
  ckt_options_free(&options);
  assert_int_equal(parse(PARSE("--db", "/line"), CKT_FOR_TUNE, &options, NULL), CKT_OK);
  assert_string_equal(options.db, "/line");
  ckt_options_free(&options);
  setenv("CKTUNE_DB", "", 1); /* empty: as if it were not set */
  assert_int_equal(ckt_options_parse(0, NULL, CKT_FOR_TUNE, "tune", &options, NULL), CKT_OK);
  assert_null(options.db);
  ckt_options_free(&options);
  unsetenv("CKTUNE_DB");
}

static void refused(const char *const *words, size_t count, const char *expected) {
  struct ckt_options options;
  struct ckt_error error = {0};
  assert_int_equal(parse(words, count, CKT_FOR_TUNE, &options, &error), CKT_E_USAGE);
  ckt_options_free(&options);
  if (strstr(error.text, expected) == NULL)
    fail_msg("'%s' does not say '%s'", error.text, expected);
}

static void wrong_words_are_named(void **state) {
  (void)state;
  refused(PARSE("--porblem", "x"), "did you mean --problem?");
  refused(PARSE("--instance=x"), "did you mean --instances?");
  refused(PARSE("--qqqqqqqqq"), "cktune help tune");
  refused(PARSE("--qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"),
          "there is no option");
  refused(PARSE("-Z"), "-Z");
  refused(PARSE("--db"), "--db needs a value: --db FILE");
  refused(PARSE("--db", "--fresh"), "--db needs a value");
  refused(PARSE("--db="), "--db is empty");
  refused(PARSE("--quiet=1"), "takes no value");
  refused(PARSE("--jobs", "0"), "at least 1");
  refused(PARSE("--jobs", "99999999999999999999"), "too large");
  refused(PARSE("--jobs", "2x"), "'2x'");
  refused(PARSE("--budget", "-1"), "out of range");
  refused(PARSE("--budget", "nan"), "'nan'");
  refused(PARSE("--format", "xml"), "table|json");
  refused(PARSE("--format", "tabl"), "table|json");
}

static void options_of_other_commands_are_refused(void **state) {
  (void)state;
  struct ckt_options options;
  struct ckt_error error = {0};
  const char *const words[] = {"--instances", "tests"};
  assert_int_equal(ckt_options_parse(2, (char *const *)words, CKT_FOR_UPLOAD, "upload", &options, &error),
                   CKT_E_USAGE);
  ckt_options_free(&options);
  assert_non_null(strstr(error.text, "not an option of 'cktune upload'"));
}

static void commands_are_found(void **state) {
  (void)state;
  const struct ckt_command *command;
  struct ckt_error error = {0};
  int used;
  const char *const best[] = {"best", "--db", "x"}, *const none[] = {"--problem", "1"},
                    *const wrong[] = {"bset"};
  assert_int_equal(ckt_command_find(3, (char *const *)best, &command, &used, &error), CKT_OK);
  assert_true(command == &ckt_command_best && used == 1);
  assert_int_equal(ckt_command_find(2, (char *const *)none, &command, &used, &error), CKT_OK);
  assert_true(command == &ckt_command_tune && used == 0);
  assert_int_equal(ckt_command_find(1, (char *const *)wrong, &command, &used, &error), CKT_E_USAGE);
  assert_non_null(strstr(error.text, "did you mean 'best'?"));
}

static void codes_have_exit_statuses(void **state) {
  (void)state;
  static const struct {
    int code, status;
  } rows[] = {{CKT_OK, 0},       {CKT_E_USAGE, 2},     {CKT_E_INPUT, 2},
              {CKT_E_DEVICE, 3}, {CKT_E_TOOLCHAIN, 3}, {CKT_E_STORE, 4},
              {CKT_E_CACHE, 4},  {CKT_E_WORKER, 3},    {CKT_E_INTERRUPTED, 130}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(ckt_exit_status(rows[i].code), rows[i].status);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_is_complete),
      cmocka_unit_test(help_lists_every_option),
      cmocka_unit_test(help_lists_every_command),
      cmocka_unit_test(help_keeps_within_its_width),
      cmocka_unit_test(values_joined_and_apart),
      cmocka_unit_test(defaults_come_from_the_table),
      cmocka_unit_test(rows_of_one_name_are_told_apart),
      cmocka_unit_test(environment_is_weaker_than_the_command_line),
      cmocka_unit_test(wrong_words_are_named),
      cmocka_unit_test(options_of_other_commands_are_refused),
      cmocka_unit_test(commands_are_found),
      cmocka_unit_test(codes_have_exit_statuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
