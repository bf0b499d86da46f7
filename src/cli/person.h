/* src/cli/person.h
 * What the commands about mappings have in common: kinds and ids on the command line, and who gives the
 * command. */
#pragma once
#include "cli/cli.h"
#include "model/model.h"

/** --by, or else who gives the command: $SUDO_USER, $USER, or as the system knows the user; may be empty. */
struct drg_str drg_person(const struct drg_cli *cli);

/** --why, or nothing. */
struct drg_str drg_reason(const struct drg_cli *cli);

/** Check --by and --why before the command does anything, if it has these options. @return DRG_OK;
 * DRG_EINVAL. */
DRG_MUSTCHECK
int drg_person_check(struct drg_cli *cli);

/** --since; left as it is where it is not given. @return DRG_OK; DRG_EUSAGE. */
DRG_MUSTCHECK
int drg_cli_since(struct drg_cli *cli, int64_t *ret_us);

/** One of @p kinds, a bit for each, by its name. @return DRG_OK; DRG_EUSAGE. */
DRG_MUSTCHECK
int drg_cli_parse_kind(struct drg_cli *cli, const char *text, unsigned kinds, enum drg_kind *ret);

/** An integer that the usage calls @p name. @return DRG_OK; DRG_EUSAGE. */
DRG_MUSTCHECK
int drg_cli_parse_number(struct drg_cli *cli, const char *name, const char *text, int64_t *ret);
