/* src/names/file_priv.h
 * A part as a file. */
#pragma once
#include "names/part.h"
#include "store/store.h"

/** What a file is of. */
struct drg_name_file {
	void *map; /**< NULL: none */
	size_t n;
	enum drg_type_id type;
	struct drg_clock clock;
	struct drg_name_part part; /**< borrows from the map */
};

/** @return DRG_OK; DRG_ENOENT: there is none that can be used. */
DRG_MUSTCHECK
int drg_name_file_open(const char *path, struct drg_name_file *ret);
void drg_name_file_close(struct drg_name_file *f);
/** Under another name first. What goes wrong leaves no file: then there is none. */
void drg_name_file_write(const char *path, enum drg_type_id type, const struct drg_clock *clock,
                         const struct drg_name_part *p);
