/* src/names/part.h
 * A part of an index: all names of some records, folded (text/fold.h) and sorted, in memory or in a file. */
#pragma once
#include "base/compiler.h"
#include "base/str.h"

/** A record that has names. */
struct drg_named {
	int64_t id; /**< dict id; of a source: place of its id in `texts`, up to a NUL */
	int64_t country, city; /**< dict ids; DRG_NAMED_UNKNOWN */
	union {
		int64_t category; /**< dict id; DRG_NAMED_UNKNOWN */
		int64_t adapter; /**< of a source */
	};
	float lat, lng; /**< NAN: the record has no coordinates */
	uint32_t spelled; /**< the first of its names in drg_name_making.spelled */
	uint16_t n_spelled;
	uint16_t kind; /**< enum drg_kind, or a number behind these that the maker has given */
};
#define DRG_NAMED_UNKNOWN INT64_MIN

/** A name, or the rest of a name from one of its words on. */
struct drg_name_entry {
	uint32_t text; /**< place in `texts`, up to a NUL */
	uint32_t record; /**< number in `records` */
};

struct drg_name_part {
	const struct drg_named *records;
	/** sorted by text; `words` has an entry for each word but the first */
	const struct drg_name_entry *names, *words;
	const char *texts;
	size_t n_records, n_names, n_words, n_texts;
};

/** Get the place of the first name, or word, that is not before a folded text. */
size_t drg_name_lower_bound(const struct drg_name_part *p, const struct drg_name_entry *v, size_t n,
                            struct drg_str folded);

/** How a name fits a text: it is equal, begins with it, or has a word that begins with it. */
enum drg_name_fit { DRG_NAME_EXACT, DRG_NAME_PREFIX, DRG_NAME_WORD_PREFIX };

/** Called with an entry that fits; its record may have come before. A result other than DRG_OK ends the
 * search and is returned. */
typedef int drg_name_entry_fn(void *ctx, enum drg_name_fit fit, const struct drg_name_entry *entry);

/** Call @p fn for the names that fit a folded text: equal names and names that begin with it by text, then
 * words by text. */
DRG_MUSTCHECK
int drg_name_part_find(const struct drg_name_part *p, struct drg_str folded, drg_name_entry_fn *fn,
                       void *ctx);

/** Get the id of a source in a part; empty if the file is damaged. */
struct drg_str drg_named_source_id(const struct drg_name_part *p, const struct drg_named *named);
