/* src/cli/adapter.h
 * Suppliers on the command line: by code, or by number. */
#pragma once
#include "base/buf.h"
#include "cli/cli.h"
#include "model/model.h"
#include "store/store.h"

/** @param text  A number, or a code as `dragoman supplier list` shows it. @return DRG_OK; DRG_ENOENT: there is
 *              none, with the codes that are near in the message. */
DRG_MUSTCHECK
int drg_cli_adapter(struct drg_cli *cli, struct drg_store *s, const char *text, int64_t *ret);

/** Likewise, opening the store for it. A number is taken as it is. */
DRG_MUSTCHECK
int drg_cli_adapter_named(struct drg_cli *cli, const char *text, int64_t *ret);
/** Every supplier of an option that may be repeated, in cli->arena. The word "all" alone is none of them. */
DRG_MUSTCHECK
int drg_cli_adapters_option(struct drg_cli *cli, const char *name, const int64_t **ret, size_t *ret_n);

/** ADAPTER KIND ID, the first three arguments. */
DRG_MUSTCHECK
int drg_cli_source(struct drg_cli *cli, int64_t *ret_adapter, enum drg_kind *ret_kind,
                   struct drg_str *ret_id);

/** --adapter and --kind; 0 and DRG_KIND_NONE if they are not given. */
DRG_MUSTCHECK
int drg_cli_which(struct drg_cli *cli, int64_t *ret_adapter, enum drg_kind *ret_kind);

/** --adapter; 0 where it is not given. */
DRG_MUSTCHECK
int drg_cli_adapter_option(struct drg_cli *cli, int64_t *ret);
