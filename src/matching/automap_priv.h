/* src/matching/automap_priv.h
 * Shared by the files of the matcher on a store. */
#pragma once
#include "decide/ledger.h"
#include "match/keyed.h"
#include "match/labels/labels.h"
#include "match/sounds.h"
#include "matching/automap.h"
#include "matching/learn/decided.h"

/** Known meanings of a supplier's ids and names: hash to dict id. */
struct drg_known {
	struct drg_buf v; /**< struct drg_keyed, sorted by drg_known_sort(); DRG_PLACE_UNKNOWN: several */
};

void drg_known_sort(struct drg_known *k);
/** @return DRG_PLACE_UNKNOWN: nothing. */
int64_t drg_known_find(const struct drg_known *k, uint64_t key);

/** The common reference in the form that src/match needs. */
struct drg_automap_reference {
	struct drg_arena arena; /**< names of cities */
	struct drg_buf scratch;
	struct drg_vocab vocab;
	struct drg_places hotels;
	struct drg_candidate_index index;
	struct drg_sounds sounds; /**< of the hotels' names; vocab.sounds */
	struct drg_labels labels[DRG_KIND_COUNT]; /**< except hotels */
	struct drg_labels missing; /**< countries of ISO 3166-1 that the reference lacks, as their states */
	struct drg_buf cities, countries; /**< struct drg_city_names, sorted by id */
	struct drg_buf langs; /**< struct drg_str: languages of the names of countries */
};

struct drg_city_names {
	int64_t id;
	struct drg_place_city *names;
	unsigned n;
};

/** Read it.
 * @param kinds  A bit for each kind that is wanted.
 * @param leave  As drg_automap_kept_new().
 * @param ret    To be given to _done() in any case. */
DRG_MUSTCHECK
int drg_automap_reference_read(struct drg_store *s, struct drg_normal *n, unsigned kinds,
                               const atomic_bool *leave, struct drg_automap_reference *ret,
                               struct drg_err *reterr);
void drg_automap_reference_done(struct drg_automap_reference *x);
/** drg_automap_kept_add(). @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_automap_reference_add(struct drg_automap_reference *x, struct drg_normal *n,
                              const struct drg_record *hotel);

/** How names and codes of countries are read. */
extern const struct drg_label_reader drg_automap_country_reader;
/** Add further names of countries; call it after the last country was read. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_automap_name_countries(struct drg_automap_reference *x, struct drg_normal *n);
/** Find the country of an ISO code in any form; for a territory that the reference lacks, its state.
 * @return DRG_PLACE_UNKNOWN: none. */
int64_t drg_automap_country_of(const struct drg_automap_reference *x, struct drg_str code);
/** Is it a code or a name of a country that the reference lacks? @param by_code  A code counts. */
bool drg_automap_lacks_country(const struct drg_automap_reference *x, struct drg_normal *n,
                               struct drg_str text, bool by_code);
/** Fill in the code by which a supplier's country with this id, and with the name in @p q, is found. */
void drg_automap_country_query(const struct drg_automap_reference *x, struct drg_str id,
                               struct drg_label_query *q);

/** Fill in names, with their variants, and the names of its city and country. Texts are in @p arena and
 * @p room. */
void drg_automap_name(struct drg_place_input *in, struct drg_str name, struct drg_arena *arena,
                      struct drg_buf *room);
void drg_automap_city_names(const struct drg_automap_reference *x, struct drg_place_input *in);

/** Called with a text of a record. Any result but DRG_OK ends the walk and is returned. */
typedef int drg_automap_text_fn(void *ctx, struct drg_str text);
/** Call fn for the text of a field in each language. Texts are in @p arena. */
DRG_MUSTCHECK
int drg_automap_each_text(const struct drg_record *r, enum drg_field f, struct drg_arena *arena,
                          drg_automap_text_fn *fn, void *ctx);

/** Get the meaning of a meal or a category (match/labels/terms.h). @param ret  DRG_TERM_MAX bytes. */
void drg_automap_term(struct drg_normal *n, enum drg_kind kind, struct drg_str name, char *ret);

/** A mapping to be written. */
struct drg_automap_wish {
	int64_t adapter;
	enum drg_kind kind;
	struct drg_str id;
	int64_t dict_id;
	struct drg_str why;
};

/** Some mappings of a run, to be written in a transaction. Afterwards the ledger has the new state, which is
 * valid if the transaction commits. */
struct drg_automap_slice {
	struct drg_ledger *ledger;
	struct drg_ledger_state from; /**< the state of the last commit */
	const struct drg_automap_wish *wishes;
	size_t n;
	bool server; /**< written by a server, which leaves sources with DRG_AUTOMAP_ASK_SERVER to a run */
	/** the sources were read at this seq, and only the run itself has written since; -1: not known */
	int64_t since;
	uint64_t written, overtaken; /**< result */
	int64_t until; /**< result: `since` for the next slice */
};
DRG_MUSTCHECK
int drg_automap_write(void *slice, struct drg_txn *t, struct drg_err *reterr);

/** The reference in memory, and further data kept with it. */
struct drg_automap_kept {
	struct drg_normal *normal;
	struct drg_automap_reference ref;
	struct drg_tally apart; /**< drg_not_same_key() */
	/** Rarity by token, of the reference alone, and their number. */
	double *rarity, *address_rarity;
	size_t n_rarity;
};

/** drg_automap_kept_new() of some kinds. */
DRG_MUSTCHECK
int drg_automap_keep_kinds(struct drg_store *s, unsigned kinds, const atomic_bool *leave,
                           struct drg_automap_kept **ret, struct drg_err *reterr);
/** Add rarities for new tokens, which no record of the reference has. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_automap_keep_rarity(struct drg_automap_kept *k);
