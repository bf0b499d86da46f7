/* src/names/index.h
 * Every name of the common reference, or of suppliers' records, folded and sorted, in a file of the data
 * folder: who looks for a name reads a few pages of it instead of all records. The store is the truth: the
 * file says of which commit it is, and what was changed since is read from the store. A file that is
 * missing, damaged, of another store or far behind is made anew; nobody has to care for it.
 *
 * (Tried in thought and left: words in the store, kept in step by whoever writes. An import of the
 * reference would have written three to four further rows for each record, and there would be two of it,
 * one for each engine.) */
#pragma once
#include "names/part.h"
#include "store/store.h"

struct drg_name_index;

struct drg_name_index_options {
	const char *path; /**< of the file */
	enum drg_type_id type; /**< DRG_TYPE_DICT or DRG_TYPE_SOURCE */
	size_t max_changed; /**< more records changed since, and it is made anew */
	void (*progress)(void *ctx, uint64_t done); /**< while it is made: names; may be NULL */
	void *ctx;
};

/**
 * @param s  Borrowed for the call.
 * @return DRG_OK; DRG_ENOMEM; errors of the store. That the file cannot be written is none.
 */
DRG_MUSTCHECK
int drg_name_index_open(struct drg_store *s, const struct drg_name_index_options *o,
                        struct drg_name_index **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_name_index_close(struct drg_name_index *x);

/** As of the file; drg_name_index_changed() tells what of it does not count any more. */
const struct drg_name_part *drg_name_index_base(const struct drg_name_index *x);
bool drg_name_index_changed(const struct drg_name_index *x, const struct drg_named *named);
/** What was changed since, as it is now. */
const struct drg_name_part *drg_name_index_fresh(const struct drg_name_index *x);
