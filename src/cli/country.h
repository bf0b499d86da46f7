/* src/cli/country.h
 * A country of the reference on the command line: by name, ISO code or id. */
#pragma once
#include "cli/cli.h"
#include "store/store.h"

/**
 * @param text  A name, an ISO code such as TR, or an id.
 * @return DRG_OK; DRG_ENOENT: no country of the reference, or more than one, has that code or name; errors of
 * the store.
 */
DRG_MUSTCHECK
int drg_cli_country(struct drg_cli *cli, struct drg_store *s, const char *text, int64_t *ret);
/**
 * --country.
 * @param none  What is meant where it is not given.
 * @return as drg_cli_country().
 */
DRG_MUSTCHECK
int drg_cli_country_option(struct drg_cli *cli, struct drg_store *s, int64_t none, int64_t *ret);
