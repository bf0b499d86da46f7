/* src/cli/refused.h
 * Rows of a file of decisions that were refused: one line for each, and the end of the command. */
#pragma once
#include <inttypes.h>

#include "cli/cli.h"

/** Say that a row was refused, and why; as drg_map_load.refused and drg_answers_load.refused. */
void drg_say_refused(void *ctx, const char *file, uint64_t line, const char *why);
/** What the command returns. @return DRG_OK: none; DRG_EINVAL with their number */
DRG_MUSTCHECK
int drg_end_refused(struct drg_cli *cli, uint64_t n);
