/* src/matching/airmatch_priv.h
 * Shared by the files of the matcher of airports on a store. */
#pragma once
#include "decide/ledger.h"
#include "matching/airmatch.h"
#include "matching/automap_priv.h"

/* A row about an id of a supplier. */
struct drg_airmatch_entry {
	struct drg_airmatch_row row;
	size_t order;
};

struct drg_airmatching {
	struct drg_store *s;
	const struct drg_airmatch_options *o;
	struct drg_airmatch_totals *ret;
	struct drg_err *err;
	struct drg_normal *normal;
	struct drg_vocab vocab;
	struct drg_airports ref, src;
	struct drg_buf cities; /* struct drg_keyed: city code to `city_names` */
	struct drg_buf city_names; /* struct drg_str */
	struct drg_known countries; /* names to alpha-2 codes */
	struct drg_arena arena, record; /* of the run, of a record */
	struct drg_airport_input in; /* the airport that is being read */
	uint64_t city; /* the key of the city that is being read */
	int64_t country; /* the two letters of the country that is being read */
	struct drg_ledger ledger;

	/* of an adapter */
	int64_t adapter;
	struct drg_arena texts;
	struct drg_buf entries; /* struct drg_airmatch_entry */
	struct drg_buf ids; /* struct drg_str: ids of the records of `src` */
	struct drg_tally mapped, removed; /* ids */
};

DRG_MUSTCHECK
int drg_airmatch_read_reference(struct drg_airmatching *x);
uint64_t drg_airmatch_text_key(struct drg_str s);
