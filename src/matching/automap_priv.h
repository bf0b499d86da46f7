/* src/matching/automap_priv.h
 * What the files of the matcher on a store share. */
#pragma once
#include "matching/automap.h"
#include "matching/learn/decided.h"
#include "match/keyed.h"
#include "match/labels.h"
#include "match/sounds.h"
#include "store/ledger.h"

/** Hash to dict id: what is known of a supplier's ids and names. */
struct drg_known {
	struct drg_buf v; /**< struct drg_keyed, sorted by drg_known_settle(); DRG_PLACE_UNKNOWN: several */
};

void drg_known_settle(struct drg_known *k);
/** @return DRG_PLACE_UNKNOWN: nothing. */
int64_t drg_known_find(const struct drg_known *k, uint64_t key);

/** The common reference as the engine wants it. */
struct drg_automap_reference {
	struct drg_arena arena; /**< names of cities */
	struct drg_buf scratch;
	struct drg_vocab vocab;
	struct drg_places hotels;
	struct drg_candidate_index index;
	struct drg_sounds sounds; /**< of the hotels' names; vocab.sounds */
	struct drg_labels labels[DRG_KIND_SOURCE_COUNT]; /**< but of hotels */
	struct drg_buf cities, countries; /**< struct drg_city_names, sorted by id */
};

struct drg_city_names {
	int64_t id;
	struct drg_place_city *names;
	unsigned n;
};

/** Read it.
 * @param kinds  A bit for each kind that is wanted.
 * @param leave  As drg_automap_keep().
 * @param ret    To be given to _done() in any case. */
DRG_MUSTCHECK
int drg_automap_reference_read(struct drg_store *s, struct drg_normal *n, unsigned kinds,
                               const atomic_bool *leave, struct drg_automap_reference *ret,
                               struct drg_err *reterr);
void drg_automap_reference_done(struct drg_automap_reference *x);

/** Fill in names, with their variants, and the names of its city and country. Texts are in @p arena and
 * @p room. */
void drg_automap_name(struct drg_place_input *in, struct drg_str name, struct drg_arena *arena,
                      struct drg_buf *room);
void drg_automap_city_names(const struct drg_automap_reference *x, struct drg_place_input *in);

/** A text of a record. Anything but DRG_OK ends the walk and is returned. */
typedef int drg_automap_text_fn(void *ctx, struct drg_str text);
/** Each text of a field by language. Texts are in @p arena. */
DRG_MUSTCHECK
int drg_automap_each_text(const struct drg_record *r, enum drg_field f, struct drg_arena *arena,
                          drg_automap_text_fn *fn, void *ctx);

/** What a meal or a category means (match/terms.h). @param ret  DRG_TERM_MAX bytes. */
void drg_automap_term(struct drg_normal *n, enum drg_kind kind, struct drg_str name, char *ret);

/** A mapping to be written. */
struct drg_automap_wish {
	int64_t adapter;
	enum drg_kind kind;
	struct drg_str id;
	int64_t dict_id;
	struct drg_str why;
};

/** A decision: some wishes of a run. The ledger then has the state after it, which counts if it is
 * committed. */
struct drg_automap_slice {
	struct drg_ledger *ledger;
	struct drg_ledger_state from; /**< what was committed before */
	const struct drg_automap_wish *wishes;
	size_t n;
	bool server; /**< written by a server, which leaves what is DRG_AUTOMAP_ASK_SERVER to a run */
	/** what is written was read at this seq and, but for the run itself, after it; -1: not known */
	int64_t since;
	uint64_t written, overtaken; /**< result */
	int64_t until; /**< result: `since` for what is written next */
};
DRG_MUSTCHECK
int drg_automap_write(void *slice, struct drg_txn *t, struct drg_err *reterr);

/** The reference, and what else is kept. */
struct drg_automap_kept {
	struct drg_normal *normal;
	struct drg_automap_reference ref;
	struct drg_tally apart; /**< drg_apart_key() */
	/** By token, of the reference alone; so many. */
	double *rarity, *address_rarity;
	size_t n_rarity;
};

/** drg_automap_keep() of some kinds. */
DRG_MUSTCHECK
int drg_automap_keep_kinds(struct drg_store *s, unsigned kinds, const atomic_bool *leave,
                           struct drg_automap_kept **ret, struct drg_err *reterr);
/** Bring the rarities up to the tokens there are; such as came since are in no record of the reference.
 * @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_automap_keep_rarity(struct drg_automap_kept *k);
