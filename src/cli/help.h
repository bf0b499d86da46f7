/* src/cli/help.h
 * What `--help` prints, made from the command and option tables. */
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include "cli/cli.h"

/** The commands, one line each. */
void drg_help_all(FILE *out);
/** One command with its options. */
void drg_help_command(FILE *out, const struct drg_command *c);
/** The commands under a word such as "key", one line each. @return false: there are none. */
bool drg_help_group(FILE *out, const char *word);
