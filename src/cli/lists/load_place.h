/* src/cli/lists/load_place.h
 * Where a load goes with --create and no data folder yet: what a preview has to compare with is a store in a
 * temporary folder, and the data folder is made when the file is known to be good. */
#pragma once
#include "cli/data_dir.h"

struct drg_load_place {
	struct drg_data_dir dir;
	int64_t adapter;
	bool passing; /**< dir is a temporary folder */
};

/**
 * The data folder, and the supplier that the first argument names. With --create and without the folder a
 * temporary one, in which there is the supplier and nothing else.
 * @return DRG_OK; DRG_ENOENT: there is no folder or no such supplier; as drg_data_dir_open().
 */
DRG_MUSTCHECK
int drg_load_place_find(struct drg_cli *cli, struct drg_load_place *ret);

/** Make the data folder, and the supplier in it, in place of the temporary one. */
DRG_MUSTCHECK
int drg_load_place_make(struct drg_cli *cli, struct drg_load_place *p);

/** Remove the temporary folder, if it is one. */
void drg_load_place_leave(struct drg_load_place *p);
