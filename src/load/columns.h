/* src/load/columns.h
 * The names that suppliers give their columns, and the fields that they mean in a list of a kind. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "model/model.h"
#include "sheet/sheet.h"

/** Fold the known names, once for the process. @return DRG_OK; DRG_EINTERNAL: ICU lacks its data. */
DRG_MUSTCHECK
int drg_columns_open(struct drg_err *reterr);

/** The name of a column, folded once: a header may have a thousand names, and each is compared with many. */
struct drg_column {
	struct drg_str name; /**< borrowed */
	struct drg_str key; /**< the folded name; empty if the name is longer than any that people use */
	/** the folded name without a remark in brackets at its end, and with blanks in CamelCase; empty: the
	 * same as the key */
	struct drg_str bare;
	bool remarked; /**< it has such a remark */
	uint64_t says; /**< what its words say (load/column_words.h); 0: not known */
	unsigned rank; /**< bits of enum drg_column_rank: of two columns for a field the lower one is it */
};
enum drg_column_rank {
	DRG_COLUMN_FEWER = 1, /**< another word is more usual: "category" beside "stars" */
	DRG_COLUMN_FOREIGN = 2, /**< in another language than English, of several */
	DRG_COLUMN_REMARKED = 4, /**< understood without a remark in brackets */
	DRG_COLUMN_VAGUE = 8, /**< it may mean the field: "region" */
	DRG_COLUMN_RANKS = 16
};
/** @param arena  Owns the folded names. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_column_make(struct drg_str name, struct drg_arena *arena, struct drg_column *ret,
                    struct drg_err *reterr);
/** Are two names equal except for case, diacritics and blanks? */
bool drg_column_same(const struct drg_column *a, const struct drg_column *b);

/** The field that a column feeds in a list of this kind; NULL: none is known. @param ret_rank  Its rank among
 * the columns for the field; may be NULL. */
const struct drg_field_def *drg_column_field(enum drg_kind kind, const struct drg_column *column,
                                             unsigned *ret_rank);
/**
 * The fields of a column that may feed two, because its cells have two parts: "Coordinates", "lat, lng",
 * "Code / Name".
 * @return how many fields are in @p ret: 0 to 2.
 */
unsigned drg_column_fields(enum drg_kind kind, const struct drg_column *column,
                           const struct drg_field_def *ret[2]);
/** True if the column has only the minutes or the seconds of a coordinate: "lat min". */
bool drg_column_is_minutes(const struct drg_column *column);
/** Is the cell a word for a sum: "Total", "Итого"? */
bool drg_column_is_total(struct drg_str cell);
/** Does an id's cell look like a sum or a note: "Total hotels: 12", "Page 1 of 3"? If the row has a name, the
 * caller takes it for an id. */
bool drg_column_is_remark(struct drg_str cell);
/** The part of its cells that feeds the field, if the column feeds two fields: 0, 1; -1: it does not feed
 * two, or not this one. */
int drg_column_part(enum drg_kind kind, const struct drg_column *column, const struct drg_field_def *f);
/** May a column feed both fields? It may if its cells have a part for each, and as the id and the name of a
 * list of names. */
bool drg_column_may_feed(enum drg_kind kind, const struct drg_column *column, const struct drg_field_def *a,
                         const struct drg_field_def *b);

/** Find another kind of list that a header fits better than the expected kind: the kind's words name the
 * id or the name, and it reads more columns. @return DRG_KIND_NONE: there is none. */
enum drg_kind drg_columns_other_kind(const struct drg_column *columns, unsigned n, enum drg_kind kind);
/** Find the columns of a list of ours. @param ret  For each of the @p n names the place of its column in the
 * header; -1: there is none.
 * @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_columns_find(const struct drg_sheet_row *header, const char *const *names, unsigned n, int *ret,
                     struct drg_err *reterr);
