/* src/admin/backup/layout.h
 * The rows of a backup: sorts of rows (the types of records, the side tables) with named columns, which the
 * head of the file lists. So a file describes itself. It is the same for both engines, and later versions,
 * which have more columns, can read it. */
#pragma once
#include "base/packed.h"
#include "store/side.h"

enum {
	DRG_LAYOUT_SORTS = 64, /**< the most sorts of a file */
	DRG_LAYOUT_COLUMNS = 64 /**< the most columns of a sort; each has a bit */
};

/** A column of a file, and its meaning in this program. */
struct drg_layout_column {
	const struct drg_field_def *field; /**< the field of a record; NULL: none */
	const struct drg_side_column *side; /**< the column of a side table; NULL: none */
};
struct drg_layout_sort {
	const struct drg_type *type; /**< NULL: rows of a side table */
	enum drg_side_id side;
	unsigned n;
	struct drg_layout_column columns[DRG_LAYOUT_COLUMNS];
};
struct drg_layout {
	unsigned n;
	struct drg_layout_sort sorts[DRG_LAYOUT_SORTS];
};

/* ---- writing: the sorts of this program ---------------------------------------------------------------- */

/** The number of a sort in a file that this program writes. */
static inline unsigned drg_layout_of_type(const struct drg_type *t)
{
	return t->id;
}
static inline unsigned drg_layout_of_side(enum drg_side_id side)
{
	return DRG_TYPE_COUNT + side;
}

/** Write a line for each sort, in the order of their numbers: "records dict kind:i id:i name:s". */
void drg_layout_write(struct drg_buf *out);
void drg_layout_pack_row(const struct drg_record *r, const struct drg_row_meta *m, struct drg_buf *out);
void drg_layout_pack_side(enum drg_side_id side, const void *row, struct drg_buf *out);

/* ---- reading ------------------------------------------------------------------------------------------- */

/**
 * Read the next sort of a file from its line without the first word.
 * @param records  The first word was "records"; false: "beside".
 * @return DRG_OK; DRG_EINVAL, without a message: this program has no such sort or column.
 */
DRG_MUSTCHECK
int drg_layout_read(struct drg_layout *l, bool records, struct drg_str line);

/** Read the next row. Texts are borrowed. @return false: the row is cut off, or not of this sort. */
DRG_MUSTCHECK
bool drg_layout_unpack_row(const struct drg_layout_sort *sort, struct drg_packed *from,
                           struct drg_record *ret, struct drg_row_meta *ret_meta);
DRG_MUSTCHECK
bool drg_layout_unpack_side(const struct drg_layout_sort *sort, struct drg_packed *from,
                            union drg_side_row *ret);
