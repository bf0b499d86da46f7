/* src/cli/data_dir.h
 * The data folder and the store in it: --data and --store. */
#pragma once
#include <limits.h>
#include <stdbool.h>
#include "cli/cli.h"

struct drg_data_dir {
	char path[PATH_MAX]; /**< the folder */
	char store_url[PATH_MAX + 32]; /**< for drg_store_open(); default sqlite:PATH/dragoman.db */
};

/**
 * Find the data folder of a command that has the options --data and --store.
 * @param create  Make the folder (mode 0700, with its parents) when it is missing.
 * @return DRG_OK; DRG_EUSAGE: --data is missing; DRG_ENOENT: no such folder; DRG_EIO, DRG_EFULL.
 */
DRG_MUSTCHECK
int drg_data_dir_open(const struct drg_cli *cli, bool create, struct drg_data_dir *ret,
                      struct drg_err *reterr);
