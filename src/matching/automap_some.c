/* The matcher on some sources, for a server: results are handed over to the server, not written. */
#include "matching/automap_run_priv.h"

#include <assert.h>
#include <stdlib.h>

#include "matching/automap.h"
#include "decide/apart.h"
#include "matching/automap_supplier.h"
#include "decide/history.h"
#include "matching/suggest_keep.h"
#include "model/key.h"

/* Between two records: a server that stops does not wait for the others. */
static int some_check_leave(const struct drg_automapping *x)
{
	const atomic_bool *leave = x->outcome->leave;
	bool left = leave != NULL && atomic_load_explicit(leave, memory_order_relaxed);
	return left ? drg_fail(x->err, DRG_ESTOPPED, DRG_R(shutting_down), NULL, "it was stopped") : DRG_OK;
}

/* Take a source, if it is open. */
static int some_take(struct drg_automapping *x, const struct drg_automap_source *v)
{
	struct drg_record key, source;
	struct drg_arena arena;
	enum drg_automap_openness open;
	drg_arena_init(&arena, 1 << 20);
	drg_key_source(&key, v->adapter, v->kind, v->id);
	int rc = some_check_leave(x);
	if (rc == DRG_OK)
		rc = drg_automap_find_open(x->s, &key, &arena, &source, &open, x->err);
	if (rc == DRG_OK && drg_supplier_add_record(x->supplier, &source, false) != DRG_OK)
		rc = drg_fail_memory(x->err);
	drg_arena_done(&arena);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* Ask about a hotel that another source of this supplier has already. */
static int some_claims(struct drg_automapping *x, struct drg_hotel_match *m)
{
	struct drg_rows rows;
	enum { SOURCES_OF_A_HOTEL = 1000 };
	int rc = DRG_OK;
	for (size_t i = 0; i < drg_supplier_size(x->supplier) && rc == DRG_OK; i++) {
		rc = some_check_leave(x);
		if (rc != DRG_OK || m[i].outcome != DRG_MATCH_AUTOMATIC)
			continue;
		int64_t hotel = drg_automap_hotel_dict(x, &m[i].best[0]);
		for (drg_rows_mapped(&rows, x->s, DRG_KIND_HOTEL, hotel, SOURCES_OF_A_HOTEL, x->err);
		     drg_rows_next(&rows);)
			if (rows.row.r.v[DRG_F_ADAPTER_ID].i == x->supplier->adapter) {
				m[i].outcome = DRG_MATCH_ASK;
				m[i].reason = DRG_WHY_VETO_CLAIMED;
			}
		rc = drg_rows_end(&rows);
	}
	return rc;
}

static int some_hotels(struct drg_automapping *x, struct drg_automap_kept *k)
{
	struct drg_hotel_matching m = { .card = &x->o->card,
		                        .index = &x->ref->index,
		                        .src = &x->supplier->hotels,
		                        .threads = 1,
		                        .leave = x->outcome->leave,
		                        .rarity = k->rarity,
		                        .address_rarity = k->address_rarity };
	struct drg_hotel_match *v = calloc(drg_supplier_size(x->supplier) + 1, sizeof *v);
	if (v == NULL)
		return drg_fail_memory(x->err);
	if (x->apart->used > 0) {
		m.apart = drg_automap_hotels_apart;
		m.apart_ctx = x;
	}
	drg_hotels_drop_crowds(&x->supplier->hotels);
	int rc = drg_hotels_match(&m, v, x->err);
	if (rc == DRG_ESTOPPED)
		rc = some_check_leave(x);
	if (rc == DRG_OK)
		rc = some_claims(x, v);
	if (rc == DRG_OK)
		rc = drg_automap_take_hotels(x, &m, v);
	free(v);
	return rc;
}

static int some_labels(struct drg_automapping *x)
{
	int rc = DRG_OK;
	int64_t dict;
	for (size_t i = 0; i < drg_supplier_size(x->supplier) && rc == DRG_OK; i++) {
		rc = some_check_leave(x);
		if (rc == DRG_OK)
			rc = drg_automap_label(x, drg_supplier_row(x->supplier, i), &dict);
	}
	return rc;
}

/* Hand the results over to the server's outcome. */
static int some_hand_over(struct drg_automapping *x)
{
	struct drg_automap_outcome *o = x->outcome;
	bool room = true;
	for (size_t i = 0; i < x->n_waiting; i++) {
		struct drg_automap_wish w = x->waiting[i];
		w.id = drg_arena_str(&o->texts, w.id);
		w.why = drg_arena_str(&o->texts, w.why);
		room = room && w.id.p != NULL && w.why.p != NULL;
		drg_buf_add(&o->wishes, &w, sizeof w);
	}
	for (size_t i = 0; i < x->n_suggestions; i++) {
		struct drg_suggestion s = x->suggestions[i];
		s.id = drg_arena_str(&o->texts, s.id);
		s.ranked = drg_arena_str(&o->texts, s.ranked);
		s.explanation = drg_arena_str(&o->texts, s.explanation);
		room = room && s.id.p != NULL && s.ranked.p != NULL && s.explanation.p != NULL;
		drg_buf_add(&o->suggestions, &s, sizeof s);
	}
	return room && o->wishes.rc == DRG_OK && o->suggestions.rc == DRG_OK ? DRG_OK
	                                                                     : drg_fail_memory(x->err);
}

static int some_match(struct drg_automapping *x, struct drg_automap_kept *k,
                      const struct drg_automap_source *v, size_t n)
{
	struct drg_supplier supplier;
	int rc = DRG_OK;
	drg_supplier_init(&supplier, v[0].adapter, x->normal, x->ref, &x->decided);
	supplier.ask = x->s;
	x->supplier = &supplier;
	drg_supplier_clear(&supplier, v[0].kind);
	rc = drg_supplier_detect_iso_codes(&supplier, x->s, v[0].kind, x->err);
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		rc = some_take(x, &v[i]);
	if (rc == DRG_OK && drg_automap_keep_rarity(k) != DRG_OK)
		rc = drg_fail_memory(x->err);
	if (rc == DRG_OK && drg_supplier_size(&supplier) > 0)
		rc = drg_kind_compared(v[0].kind) == DRG_COMPARED_HOTELS ? some_hotels(x, k) : some_labels(x);
	if (rc == DRG_OK)
		rc = some_hand_over(x);
	drg_supplier_done(&supplier);
	return rc;
}

int drg_automap_some(struct drg_store *s, struct drg_automap_kept *k, const struct drg_scorecard *card,
                     const struct drg_automap_source *v, size_t n, struct drg_automap_outcome *o,
                     struct drg_err *reterr)
{
	const struct drg_automap_options options = { .card = *card };
	struct drg_automap_totals totals;
	if (n == 0)
		return DRG_OK;
	assert(n < WRITE_AT_A_TIME);
	struct drg_automapping *x = drg_automapping_new(s, k, &options, &totals, reterr);
	if (x == NULL)
		return drg_fail_memory(reterr);
	x->outcome = o;
	int rc = some_match(x, k, v, n);
	drg_automapping_free(x);
	return rc;
}
