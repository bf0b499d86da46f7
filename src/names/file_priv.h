/* src/names/file_priv.h
 * Writes a part of the index to a file, and opens such a file. */
#pragma once
#include "names/part.h"
#include "store/store.h"

/** An open file. */
struct drg_name_file {
	void *map; /**< NULL: no file is open */
	size_t n;
	enum drg_type_id type;
	struct drg_clock clock;
	struct drg_name_part part; /**< borrows from the map */
};

/** @return DRG_OK; DRG_ENOENT: there is no file that can be used. */
DRG_MUSTCHECK
int drg_name_file_open(const char *path, struct drg_name_file *ret);
void drg_name_file_close(struct drg_name_file *f);
/** Write a part under another name, then rename it. After an error there is no file, and the index is used
 * without one. */
void drg_name_file_write(const char *path, enum drg_type_id type, const struct drg_clock *clock,
                         const struct drg_name_part *p);
