/* src/cli/help.h
 * What `--help` prints, made from the command and option tables. */
#pragma once
#include <stdio.h>
#include "cli/cli.h"

/** The commands, one line each. */
void drg_help_all(FILE *out);
/** One command with its options. */
void drg_help_command(FILE *out, const struct drg_command *c);
