/* src/cli/read_back.h
 * Commands that read back a list that people filled in. */
#pragma once
#include <inttypes.h>

#include "cli/cli.h"
#include "load/read_back.h"

/** Read the command line: files, --by, --why, --dry-run. A line is printed for each refused row. */
struct drg_read_back drg_cli_read_back(struct drg_cli *cli);
/** How many more rows were refused than were said. */
void drg_cli_read_back_more(const struct drg_read_back *b);
/** The end of the command: the batch, if there is one. @return DRG_OK; DRG_EINVAL, with their number: rows
 * were refused. */
DRG_MUSTCHECK
int drg_cli_read_back_end(struct drg_cli *cli, const struct drg_read_back *b);
