/* src/names/index.h
 * An index of all names of the common reference, or of suppliers' records, folded and sorted, in a file of
 * the data folder. A search reads a few pages of it instead of all records. The store decides: the file names
 * the commit that it is of, and records that were changed since are read from the store. A file that is
 * missing, damaged, of another store or far behind is rebuilt; it needs no care.
 *
 * (Considered and rejected: words in the store, updated by each write. An import of the reference would have
 * written three to four further rows for each record, and each engine would have needed its own version.) */
#pragma once
#include "names/part.h"
#include "store/store.h"

struct drg_name_index;

struct drg_name_index_options {
	const char *path; /**< of the file */
	enum drg_type_id type; /**< DRG_TYPE_DICT or DRG_TYPE_SOURCE */
	size_t max_changed; /**< if more records were changed since, the index is rebuilt */
	/** called while the index is made, with the number of records read; may be NULL */
	void (*progress)(void *ctx, uint64_t done);
	void *ctx;
};

/**
 * Open an index.
 * @param s  Borrowed for the call.
 * @return DRG_OK; DRG_ENOMEM; errors of the store. A file that cannot be written is not an error.
 */
DRG_MUSTCHECK
int drg_name_index_open(struct drg_store *s, const struct drg_name_index_options *o,
                        struct drg_name_index **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_name_index_close(struct drg_name_index *x);

/** The names as of the file; drg_name_index_changed() tells whether a record was changed since, so that its
 * names do not count. */
const struct drg_name_part *drg_name_index_base(const struct drg_name_index *x);
bool drg_name_index_changed(const struct drg_name_index *x, const struct drg_named *named);
/** The names of the records that were changed since, as they are now. */
const struct drg_name_part *drg_name_index_fresh(const struct drg_name_index *x);
