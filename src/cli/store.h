/* src/cli/store.h
 * The store of a command: that of --store, or the one in the data folder of --data. */
#pragma once
#include "cli/cli.h"
#include "store/txn_run.h"

/** Open it. The data folder has to be there, whatever the mode. What went wrong is in cli->err. */
DRG_MUSTCHECK
int drg_cli_open_store(struct drg_cli *cli, enum drg_store_mode mode, struct drg_store **ret);

/** Open it, run a decision in a transaction of its own, close it. */
DRG_MUSTCHECK
int drg_cli_txn(struct drg_cli *cli, enum drg_store_mode mode, drg_txn_fn *run, void *decision);
