/* src/matching/automap_run_priv.h
 * A run of the matcher, for its files. */
#pragma once
#include "decide/ledger.h"
#include "matching/automap_supplier.h"
#include "store/suggestions.h"

enum { WRITE_AT_A_TIME = 2000, EXPLANATION_MAX = 4096 };

/* The state of a run. */
struct drg_automapping {
	struct drg_store *s;
	const struct drg_automap_options *o;
	struct drg_automap_totals *ret;
	struct drg_normal *normal;
	struct drg_automap_reference *ref;
	/* sources that people decided about; those of them that are open again */
	struct drg_tally decided, ask;
	const struct drg_tally *apart; /* drg_not_same_key() */
	struct drg_automap_outcome *outcome; /* for a server; NULL: this run writes itself */
	struct drg_supplier *supplier;
	struct drg_buf text; /* of an explanation */
	struct drg_ledger ledger;
	struct drg_arena why; /* texts of mappings that wait to be written */
	struct drg_automap_wish waiting[WRITE_AT_A_TIME];
	size_t n_waiting;
	struct drg_arena said; /* texts of suggestions that wait to be written */
	struct drg_suggestion suggestions[WRITE_AT_A_TIME];
	size_t n_suggestions;
	bool suggested; /* suggestions of this kind of the supplier were written already */
	int64_t since; /* the seq at the start, then of its last commit; -1: others have written meanwhile */
	uint64_t done, total; /* rows, for the progress */
	struct drg_err *err;
};

DRG_MUSTCHECK
int drg_automap_label(struct drg_automapping *x, const struct drg_supplier_row *row, int64_t *ret_dict);
int64_t drg_automap_hotel_dict(const struct drg_automapping *x, const struct drg_hotel_pair *p);
bool drg_automap_hotels_apart(const void *ctx, uint32_t record, uint32_t reference);
DRG_MUSTCHECK
int drg_automap_take_hotels(struct drg_automapping *x, const struct drg_hotel_matching *m,
                            struct drg_hotel_match *v);
struct drg_automapping *drg_automapping_new(struct drg_store *s, struct drg_automap_kept *k,
                                            const struct drg_automap_options *o,
                                            struct drg_automap_totals *totals, struct drg_err *reterr);
void drg_automapping_free(struct drg_automapping *x);

/* ---- automap_hotels.c ---- */

DRG_MUSTCHECK
int drg_automap_hotels(struct drg_automapping *x);
/** Count a result, report it to the caller, and queue it for writing. */
DRG_MUSTCHECK
int drg_automap_take(struct drg_automapping *x, struct drg_automap_result *r);
void drg_automap_progress(struct drg_automapping *x, uint64_t done, uint64_t total);
/** Is the source open: not mapped, and not closed by a person? */
bool drg_automap_is_open(struct drg_automapping *x, const struct drg_supplier_row *row);
struct drg_automap_result drg_result_of(const struct drg_automapping *x, const struct drg_supplier_row *row);
bool drg_automap_is_apart(const struct drg_automapping *x, const struct drg_automap_result *r,
                          int64_t dict_id);
