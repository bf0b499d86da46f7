/* src/cli/store.h
 * The store of a command: that of --store, or the one in the data folder of --data. */
#pragma once
#include "base/tempfile.h"
#include "cli/cli.h"
#include "decide/decision.h"

/** Open it. The data folder has to be there, whatever the mode. What went wrong is in cli->err. */
DRG_MUSTCHECK
int drg_cli_open_store(struct drg_cli *cli, enum drg_store_mode mode, struct drg_store **ret);

/** A file for what the command writes to standard output while it reads the store. A pipe or a terminal takes
 * that at the pace of its reader, and the store would be held as long (see struct drg_rows); so it is written
 * when the store has been read. NULL: standard output is a file, which takes it at once. */
DRG_MUSTCHECK
int drg_cli_open_aside(struct drg_cli *cli, struct drg_tempfile **ret);

/** Open it, run a function in a transaction of its own, close it. */
DRG_MUSTCHECK
int drg_cli_txn(struct drg_cli *cli, enum drg_store_mode mode, drg_txn_fn *run, void *ctx);

/** Likewise a decision, in the name that --by gives, for the reason in --why. @return also what it refused
 * with. */
DRG_MUSTCHECK
int drg_cli_decide(struct drg_cli *cli, struct drg_decision *d);
