/* src/admin/name_index.h
 * Every name of the common reference, or of suppliers' records, folded and sorted, in a file of the data
 * folder: who looks for a name reads a few pages of it instead of all records. The store is the truth: the
 * file says of which commit it is, and what was changed since is read from the store. A file that is missing,
 * damaged, of another store or far behind is made anew; nobody has to care for it.
 *
 * (Tried in thought and left: words in the store, kept in step by whoever writes. An import of the reference
 * would have written three to four further rows for each record, and there would be two of it, one for each
 * engine.) */
#pragma once
#include "store/store.h"

/** A record that has names. */
struct drg_named {
	int64_t id; /**< of a source: where its id is in `texts`, up to a NUL */
	int64_t country, city; /**< of a dict record; 0 where it has none */
	int64_t adapter; /**< of a source; else 0 */
	float lat, lng; /**< NAN: it has none */
	uint32_t kind; /**< enum drg_kind */
	uint32_t unused;
};

/** A name, or the rest of one from a word on. */
struct drg_name_entry {
	uint32_t text; /**< in `texts`, up to a NUL */
	uint32_t record; /**< in `records` */
};

struct drg_name_part {
	const struct drg_named *records;
	const struct drg_name_entry *names, *words; /**< by text; words: from each word but the first */
	const char *texts;
	size_t n_records, n_names, n_words, n_texts;
};

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

/** How a name fits what is looked for. */
enum drg_name_fit { DRG_NAME_IS_IT, DRG_NAME_BEGINS_SO, DRG_NAME_HAS_A_WORD };

/** One that fits; @p entry may be of a record that came already. Anything but DRG_OK ends it and is
 * returned. */
typedef int drg_name_entry_fn(void *ctx, enum drg_name_fit fit, const struct drg_name_entry *entry);

/** The names that fit a folded text: by how, then by themselves. */
DRG_MUSTCHECK
int drg_name_part_find(const struct drg_name_part *p, struct drg_str folded, drg_name_entry_fn *fn,
                       void *ctx);

/** The id of a source in a part; empty in a damaged file. */
struct drg_str drg_named_source_id(const struct drg_name_part *p, const struct drg_named *named);

/** Every name of a record. */
typedef int drg_each_name_fn(void *ctx, struct drg_str name);
DRG_MUSTCHECK
int drg_each_name(const struct drg_record *r, struct drg_arena *arena, drg_each_name_fn *fn, void *ctx);
