/* src/curate/automap_priv.h
 * What the files of the matcher on a store share. */
#pragma once
#include "curate/automap.h"
#include "match/labels.h"

/** Hash to dict id: what is known of a supplier's ids and names. */
struct drg_known {
	struct drg_buf v; /**< struct drg_known_entry, sorted by drg_known_settle() */
};
struct drg_known_entry {
	uint64_t key;
	int64_t dict_id; /**< DRG_PLACE_UNKNOWN: several */
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
	struct drg_labels labels[DRG_KIND_SOURCE_COUNT]; /**< but of hotels */
	struct drg_buf cities; /**< struct drg_city_names, sorted by id */
};

struct drg_city_names {
	int64_t id;
	struct drg_str *names;
	unsigned n;
};

/** Read it. @param kinds  A bit for each kind that is wanted. @param ret  To be given to _done() in any case. */
DRG_MUSTCHECK
int drg_automap_reference_read(struct drg_store *s, struct drg_normal *n, unsigned kinds,
                               struct drg_automap_reference *ret, struct drg_err *reterr);
void drg_automap_reference_done(struct drg_automap_reference *x);

/** Fill in names, with their variants, and the names of its city. Texts are in @p arena and @p room. */
void drg_automap_name(struct drg_place_input *in, struct drg_str name, struct drg_arena *arena,
                      struct drg_buf *room);
void drg_automap_city_names(const struct drg_automap_reference *x, struct drg_place_input *in);

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

/** A decision: some wishes, in a batch. */
struct drg_automap_slice {
	const char *batch;
	const struct drg_automap_wish *wishes;
	size_t n;
	uint64_t written, overtaken; /**< result */
};
DRG_MUSTCHECK
int drg_automap_write(void *slice, struct drg_txn *t, struct drg_err *reterr);

/** Sources that a person has decided about: counted by drg_automap_source_key(). */
DRG_MUSTCHECK
int drg_automap_decided(struct drg_store *s, struct drg_tally *ret, struct drg_err *reterr);
uint64_t drg_automap_source_key(int64_t adapter, enum drg_kind kind, struct drg_str id);
