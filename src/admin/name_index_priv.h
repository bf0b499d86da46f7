/* src/admin/name_index_priv.h
 * The making of an index of names, and its file. */
#pragma once
#include "admin/name_index.h"
#include "base/buf.h"

/** A part that is being made. */
struct drg_name_making {
	struct drg_buf records, texts, names,
	        words; /**< the last two: struct name_key until they are sorted */
	struct drg_buf folded;
	struct drg_arena arena; /**< of a record */
	int rc;
};

void drg_name_making_init(struct drg_name_making *m);
void drg_name_making_done(struct drg_name_making *m);
/** @return DRG_OK; DRG_ENOMEM; DRG_ELIMIT: more than 4 GiB of names. */
DRG_MUSTCHECK
int drg_name_making_add(struct drg_name_making *m, const struct drg_record *r);
/** Sort it. @param ret  Borrows from @p m. */
DRG_MUSTCHECK
int drg_name_making_end(struct drg_name_making *m, struct drg_name_part *ret);

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
