#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "driver/command.h"
#include "driver/version.h"

#define HELP_COLUMN 32
#define HELP_WIDTH  100

/* Prints a sentence from the current column on, wrapped between words. */
static void print_wrapped(const char *text, int column) {
  int at = column;
  while (*text != '\0') {
    const int length = (int)strcspn(text, " ");
    const bool first = at == column;
    if (!first && at + 1 + length > HELP_WIDTH) {
      printf("\n%*s", HELP_COLUMN, "");
      at = HELP_COLUMN;
    } else if (!first) {
      at += printf(" ");
    }
    at += printf("%.*s", length, text);
    text += length;
    text += strspn(text, " ");
  }
  putchar('\n');
}

static void print_option(const struct ckt_option *option) {
  char head[64];
  char letter[8] = "    ";
  if (option->letter != '\0')
    snprintf(letter, sizeof letter, "-%c, ", option->letter);
  snprintf(head, sizeof head, "  %s--%s%s%s", letter, option->name, option->value != NULL ? " " : "",
           option->value != NULL ? option->value : "");
  int column = printf("%-*s", HELP_COLUMN - 1, head);
  column += printf(" ");
  char text[512];
  int length = snprintf(text, sizeof text, "%s", option->help);
  if (option->preset != NULL)
    length += snprintf(text + length, sizeof text - (size_t)length, " [%s]", option->preset);
  if (option->environment != NULL)
    snprintf(text + length, sizeof text - (size_t)length, " ($%s)", option->environment);
  print_wrapped(text, column);
}

static void print_overview(void) {
  printf("cktune finds the fastest grouped-convolution kernel for a problem on AMD MI-series GPUs.\n\n"
         "usage: cktune [COMMAND] [OPTIONS]\n\ncommands:\n");
  for (size_t i = 0; i < ckt_command_count; i++)
    printf("  %-10s %s\n", ckt_commands[i]->name, ckt_commands[i]->summary);
  printf(
      "\n'cktune help COMMAND' lists a command's options; with no command, tune is meant.\n\nexample:\n  "
      "%s\n\n"
      "exit status: 0 every problem has a best; 1 some problem has none; 2 wrong usage or unreadable input;\n"
      "3 no usable device or toolchain; 4 the store or the cache could not be written; 130 interrupted.\n",
      ckt_command_tune.example);
}

void ckt_help(const struct ckt_command *command) {
  if (command == NULL) {
    print_overview();
    return;
  }
  printf("cktune %s: %s\n\nusage: cktune %s [OPTIONS]%s%s\n\noptions:\n", command->name, command->summary,
         command == &ckt_command_tune ? "[tune]" : command->name, command->operands[0] != '\0' ? " " : "",
         command->operands);
  for (size_t i = 0; i < ckt_option_count; i++)
    if (ckt_option_table[i].commands & command->bit)
      print_option(&ckt_option_table[i]);
  printf("\nexample:\n  %s\n", command->example);
}

void ckt_print_version(void) {
  printf("cktune %s\n", CKT_VERSION);
}
