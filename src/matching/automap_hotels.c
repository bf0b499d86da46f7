/* The matcher on a supplier's hotels. */
#include "matching/automap_run_priv.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "matching/automap.h"
#include "decide/apart.h"
#include "matching/automap_supplier.h"
#include "matching/suggest_keep.h"
#include "model/key.h"

static void hotel_progress(void *ctx, uint64_t done, uint64_t total)
{
	drg_automap_progress(ctx, done, total);
}

int64_t drg_automap_hotel_dict(const struct drg_automapping *x, const struct drg_hotel_pair *p)
{
	return drg_place(&x->ref->hotels, p->i)->id;
}

bool drg_automap_hotels_apart(const void *ctx, uint32_t record, uint32_t reference)
{
	const struct drg_automapping *x = ctx;
	const struct drg_automap_result r = drg_result_of(x, drg_supplier_row(x->supplier, record));
	return drg_automap_is_apart(x, &r, drg_place(&x->ref->hotels, reference)->id);
}

static int automap_hotel(struct drg_automapping *x, struct drg_hotel_explainer *e, size_t i,
                         struct drg_hotel_match *m)
{
	m->reason = (uint8_t)drg_supplier_reason(drg_supplier_row(x->supplier, i),
	                                         (enum drg_match_reason)m->reason);
	struct drg_automap_result r = drg_result_of(x, drg_supplier_row(x->supplier, i));
	r.outcome = (enum drg_match_outcome)m->outcome;
	r.reason = (enum drg_match_reason)m->reason;
	r.candidates = m->candidates;
	const struct drg_place_record *place = drg_place(&x->supplier->hotels, (uint32_t)i);
	r.country = place->country;
	r.city = place->city;
	r.category = place->category;
	r.n_ranked = m->n_best;
	for (unsigned k = 0; k < m->n_best; k++) {
		r.ranked[k].dict_id = drg_automap_hotel_dict(x, &m->best[k]);
		r.ranked[k].bits = (double)m->best[k].bits;
		memcpy(r.ranked[k].level, m->best[k].level, sizeof r.ranked[k].level);
	}
	r.has_dict = m->n_best > 0 && r.outcome != DRG_MATCH_NONE;
	r.dict_id = r.has_dict ? r.ranked[0].dict_id : 0;
	drg_buf_clear(&x->text);
	drg_hotel_explain(e, (uint32_t)i, m, &x->text);
	if (m->twin > 0)
		drg_buf_printf(
		        &x->text,
		        "; its record \"%.*s\" is like it too: accept one, or both if they are one house",
		        DRG_STR_ARG(drg_supplier_row(x->supplier, m->twin - 1)->id));
	return drg_automap_take(x, &r);
}

/* Map dict ids of hotels to places in the reference. */
static int hotels_by_dict(const struct drg_automapping *x, struct drg_known *ret)
{
	for (uint32_t i = 0; i < drg_places_size(&x->ref->hotels); i++) {
		const struct drg_keyed e = { (uint64_t)drg_place(&x->ref->hotels, i)->id, i };
		drg_buf_add(&ret->v, &e, sizeof e);
	}
	drg_keyed_sort(&ret->v);
	return ret->v.rc;
}

/* Mark sources that are mapped: no other source gets their hotel. Sources that are not open are not matched. */
static int mark_taken(struct drg_automapping *x, struct drg_hotel_match *m)
{
	struct drg_known dicts;
	drg_buf_init(&dicts.v, SIZE_MAX);
	int rc = hotels_by_dict(x, &dicts);
	for (size_t i = 0; i < drg_supplier_size(x->supplier) && rc == DRG_OK; i++) {
		const struct drg_supplier_row *row = drg_supplier_row(x->supplier, i);
		if (drg_automap_is_open(x, row))
			continue;
		int64_t at = row->dict_id != DRG_PLACE_UNKNOWN
		                     ? drg_known_find(&dicts, (uint64_t)row->dict_id)
		                     : DRG_PLACE_UNKNOWN;
		m[i].taken = true;
		m[i].n_best = at != DRG_PLACE_UNKNOWN;
		m[i].best[0].i = at != DRG_PLACE_UNKNOWN ? (uint32_t)at : 0;
	}
	drg_buf_done(&dicts.v);
	return rc == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
}

int drg_automap_take_hotels(struct drg_automapping *x, const struct drg_hotel_matching *m,
                            struct drg_hotel_match *v)
{
	struct drg_hotel_explainer e;
	if (drg_hotel_explainer_init(&e, m) != DRG_OK)
		return drg_fail_memory(x->err);
	int rc = DRG_OK;
	for (size_t i = 0; i < drg_supplier_size(x->supplier) && rc == DRG_OK; i++)
		if (!v[i].taken)
			rc = automap_hotel(x, &e, i, &v[i]);
	drg_hotel_explainer_done(&e);
	return rc;
}

static void hotel_pair(void *ctx, uint32_t record, const struct drg_hotel_pair *p, enum drg_match_reason veto)
{
	const struct drg_automapping *x = ctx;
	(void)veto;
	x->o->pair(x->o->ctx, x->supplier->adapter, drg_supplier_row(x->supplier, record)->id,
	           drg_automap_hotel_dict(x, p), p);
}

static unsigned automap_threads(const struct drg_automapping *x)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	if (x->o->pair != NULL)
		return 1;
	return x->o->threads > 0 ? x->o->threads : cores > 0 ? (unsigned)cores : 1;
}

static int compare_against(const struct drg_automapping *x, struct drg_hotel_matching *m)
{
	for (m->against = 0; m->against < drg_places_size(&x->ref->hotels); m->against++)
		if (drg_place(&x->ref->hotels, m->against)->id == *x->o->against) {
			m->against_one = true;
			return DRG_OK;
		}
	return drg_fail(x->err, DRG_ENOENT, DRG_R(unknown_dict), "dict_id",
	                "there is no hotel %lld in the reference", (long long)*x->o->against);
}

int drg_automap_hotels(struct drg_automapping *x)
{
	struct drg_supplier *s = x->supplier;
	struct drg_hotel_matching m = { .card = &x->o->card,
		                        .index = &x->ref->index,
		                        .src = &s->hotels,
		                        .whole = true,
		                        .threads = automap_threads(x),
		                        .pair = x->o->pair != NULL ? hotel_pair : NULL,
		                        .pair_ctx = x,
		                        .progress = hotel_progress,
		                        .ctx = x };
	struct drg_hotel_match *v = calloc(drg_supplier_size(s) + 1, sizeof *v);
	if (v == NULL)
		return drg_fail_memory(x->err);
	if (x->apart->used > 0 && x->o->wanted == NULL) {
		m.apart = drg_automap_hotels_apart;
		m.apart_ctx = x;
	}
	drg_hotels_drop_crowds(&s->hotels);
	drg_places_gather(&s->hotels);
	int rc = mark_taken(x, v);
	if (rc == DRG_OK && x->o->against != NULL)
		rc = compare_against(x, &m);
	if (rc == DRG_OK)
		rc = drg_hotels_match(&m, v, x->err);
	if (rc == DRG_OK)
		rc = drg_automap_take_hotels(x, &m, v);
	free(v);
	return rc;
}
