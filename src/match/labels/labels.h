/* src/match/labels/labels.h
 * An index of records of the reference by their names in every language. For the kinds that are matched by
 * name and place: countries, currencies, departure cities, cities. Meals and categories are matched by their
 * meaning too. */
#pragma once
#include "match/normal.h"
#include "match/outcome.h"
#include "match/place.h"
#include "match/labels/terms.h"

/** A record of the reference. */
struct drg_label {
	int64_t id;
	int64_t country, state; /**< dict ids; the state that a territory belongs to; DRG_PLACE_UNKNOWN */
	double lat, lng; /**< NAN: not known */
	char code[DRG_TERM_MAX]; /**< ISO code, or the meaning of a meal or category; "": none */
};

enum { DRG_LABEL_KEYS = 3 };

/** How names and codes of a kind are read, where that takes more than drg_label_key(). */
struct drg_label_reader {
	/** Get the keys of a name, the surest first; 0: it has none of this sort.
	 * @param plain  May be NULL; else what plain() writes is appended. @return how many. */
	unsigned (*keys)(struct drg_normal *n, struct drg_str name, uint64_t ret[static DRG_LABEL_KEYS],
	                 struct drg_buf *plain);
	unsigned n_indexed; /**< so many of them are those of a name of the reference */
	struct drg_str (*code)(struct drg_str text); /**< the code that a text is; empty: it is not a code */
	bool (*capitals)(struct drg_str text); /**< is it written as codes are, and not as names? */
	/** Write the words of a name in a row, for names that were cut at a width. @param cut  Without the
	 * words of its form, nor what may be the beginning of one. @param ret  DRG_NORMAL_MAX bytes. */
	struct drg_str (*plain)(struct drg_normal *n, struct drg_str name, bool cut, char *ret);
};

struct drg_labels {
	const struct drg_label_reader *reader; /**< NULL: names are read by drg_label_key() */
	struct drg_buf items; /**< struct drg_label */
	struct drg_buf names; /**< struct drg_keyed: hash and item, sorted by drg_labels_build_index() */
	struct drg_buf further; /**< further names, likewise; empty after drg_labels_build_index() */
	struct drg_buf plain; /**< what the reader's plain() wrote: a uint32_t for the item, the text, '\n' */
};

void drg_labels_init(struct drg_labels *l);
void drg_labels_done(struct drg_labels *l);

/** The key of a name: without spaces, abbreviations expanded. @return 0: nothing is left of it. */
uint64_t drg_label_key(struct drg_normal *n, struct drg_str name);
/** The same of its tokens. */
uint64_t drg_label_tokens_key(const struct drg_tokens *t);

/** Add a record, then its names. */
DRG_MUSTCHECK
int drg_labels_add(struct drg_labels *l, const struct drg_label *item);
DRG_MUSTCHECK
int drg_labels_name(struct drg_labels *l, struct drg_normal *n, struct drg_str name);
/** Add a further name of an item. It counts only if no item has it as its own name, and no other item has it
 * as a further name. */
DRG_MUSTCHECK
int drg_labels_further_name(struct drg_labels *l, struct drg_normal *n, size_t item, struct drg_str name);
/** Sort the index: call it after the last record, before the first query. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_labels_build_index(struct drg_labels *l);

/** The item with this code, whatever the case; NULL: none. */
const struct drg_label *drg_labels_of_code(const struct drg_labels *l, struct drg_str code);

/** The supplier's data. */
struct drg_label_query {
	struct drg_str name;
	struct drg_str code; /**< a possible ISO code; empty: none */
	bool code_is_sure; /**< it is certainly an ISO code */
	bool code_is_name; /**< the code is the name, and sure unless another record has this name */
	bool code_only; /**< the name is a code in capitals: no name is looked up */
	bool wants_country; /**< a name alone is not enough without the country, as for cities */
	bool is_place; /**< more than the name may stand in it: "New York, NY", "Baku Metropolitan Area" */
	const struct drg_labels *countries; /**< to tell what stands there; NULL: nothing does */
	int64_t country, state; /**< the state that a territory belongs to */
	double lat, lng;
};

struct drg_label_match {
	enum drg_match_outcome outcome;
	enum drg_match_reason reason;
	int64_t id; /**< with automatic and ask: the best one */
	unsigned hits; /**< records with this name (in this country, if it is known) */
	double metres; /**< NAN: not known */
	bool by_code;
	bool cut; /**< a part of the name was found; the rest says something else */
};

void drg_label_match(const struct drg_labels *l, struct drg_normal *n, const struct drg_label_query *q,
                     struct drg_label_match *ret);

/** Write "automatic: name in this country, the only one, 2.1 km". */
void drg_label_explain(const struct drg_label_query *q, const struct drg_label_match *x, struct drg_buf *out);
