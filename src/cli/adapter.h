/* src/cli/adapter.h
 * Suppliers on the command line: by code, or by number. */
#pragma once
#include "cli/cli.h"
#include "store/store.h"

/** @param text  A number, or a code as `dragoman supplier list` shows it. @return DRG_OK; DRG_ENOENT: there is none, with
 * the codes that are near in the message. */
DRG_MUSTCHECK
int drg_cli_adapter(struct drg_cli *cli, struct drg_store *s, const char *text, int64_t *ret);

/** Likewise, opening the store for it. A number is taken as it is. */
DRG_MUSTCHECK
int drg_cli_adapter_named(struct drg_cli *cli, const char *text, int64_t *ret);
/** --adapter; 0 where it is not given. */
DRG_MUSTCHECK
int drg_cli_adapter_option(struct drg_cli *cli, int64_t *ret);
