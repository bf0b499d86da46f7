/* src/cli/adapter.h
 * Suppliers on the command line: by code, or by number. */
#pragma once
#include "cli/cli.h"
#include "store/store.h"

/** @param text  A number, or a code as `dragoman supplier list` shows it. @return DRG_OK; DRG_ENOENT: there is none, with
 * the codes that are near in the message. */
DRG_MUSTCHECK
int drg_cli_adapter(struct drg_cli *cli, struct drg_store *s, const char *text, int64_t *ret);
