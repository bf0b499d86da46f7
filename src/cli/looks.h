/* src/cli/looks.h
 * Options that say how the files of a supplier look. */
#pragma once
#include <stdint.h>
#include "cli/cli.h"
#include "load/plan.h"

/** @param ret  Borrows from the command line and cli->arena. @return DRG_OK, DRG_EUSAGE, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_cli_parse_format(struct drg_cli *cli, struct drg_plan_wishes *ret);

/** --map FIELD=COLUMN,...: the pairs, NULL-terminated, in cli->arena. @return DRG_OK, DRG_EUSAGE,
 * DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_cli_parse_map(struct drg_cli *cli, const char *const **ret);

/** --separator: one character of any script, or "tab".
 * @param ret  Unchanged if the option is not given. @return DRG_OK,
 * DRG_EUSAGE. */
DRG_MUSTCHECK
int drg_cli_parse_separator(struct drg_cli *cli, uint32_t *ret);
