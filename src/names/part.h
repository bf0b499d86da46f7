/* src/names/part.h
 * Every name of some records, folded (text/fold.h) and sorted: as it is made in memory, or as a file has
 * it. */
#pragma once
#include "base/compiler.h"
#include "base/str.h"

/** A record that has names. */
struct drg_named {
	int64_t id; /**< of a source: where its id is in `texts`, up to a NUL */
	int64_t country, city; /**< dict ids; DRG_NAMED_UNKNOWN */
	union {
		int64_t category; /**< dict id; DRG_NAMED_UNKNOWN */
		int64_t adapter; /**< of a source */
	};
	float lat, lng; /**< NAN: it has none */
	uint32_t spelled; /**< the first of its names in drg_name_making.spelled */
	uint16_t n_spelled;
	uint16_t kind; /**< enum drg_kind, or behind these what the maker has given */
};
#define DRG_NAMED_UNKNOWN INT64_MIN

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

/** Of names or words: the place of the first that is not before a folded text. */
size_t drg_name_first(const struct drg_name_part *p, const struct drg_name_entry *v, size_t n,
                      struct drg_str folded);

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
