/* Gathers the hotels that nothing in the reference is similar to (decision M40). */
#include <stdlib.h>

#include "match/sounds.h"
#include "matching/automap_supplier.h"
#include "matching/propose/propose_priv.h"
#include "model/key.h"
#include "store/suggestions.h"

enum { POOL_ROOM = 1 << 20 };

struct pool_reading {
	struct drg_store *s;
	struct drg_automap_kept *kept;
	struct drg_pooled *pool;
	struct drg_buf found; /* struct drg_pooled_row */
	struct drg_tally often; /* by name: the most records that one supplier has with it */
	struct drg_tally nobody; /* decisions of people, which are not needed here */
	struct drg_arena arena; /* of a record */
	bool other; /* a name is not in Latin letters */
	struct drg_err *err;
};

/* ---- sources for which the matcher found nothing ------------------------------------------------------- */

static int pool_suggestion(void *ctx, const struct drg_suggestion *s)
{
	struct pool_reading *x = ctx;
	if (s->kind != DRG_KIND_HOTEL || s->outcome != DRG_MATCH_NONE)
		return DRG_OK;
	const struct drg_pooled_row row = { .adapter = s->adapter,
		                            .country = s->country,
		                            .city = s->city,
		                            .category = s->category,
		                            .id = drg_arena_str(&x->pool->texts, s->id) };
	drg_buf_add(&x->found, &row, sizeof row);
	return row.id.p != NULL && x->found.rc == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
}

static int pool_order(const void *pa, const void *pb)
{
	const struct drg_pooled_row *a = pa, *b = pb;
	if (a->adapter != b->adapter)
		return a->adapter < b->adapter ? -1 : 1;
	return drg_str_cmp(a->id, b->id);
}

/* ---- the sources of one supplier ----------------------------------------------------------------------- */

/* Add a hotel, unless it was mapped, decided about or removed since: then the reference does not lack it. */
static int propose_pool_take(struct pool_reading *x, struct drg_supplier *supplier,
                             const struct drg_pooled_row *found)
{
	struct drg_pooled_row row = *found;
	struct drg_record key, source;
	enum drg_automap_openness open;
	drg_arena_reset(&x->arena);
	drg_key_source(&key, row.adapter, DRG_KIND_HOTEL, row.id);
	int rc = drg_automap_find_open(x->s, &key, &x->arena, &source, &open, x->err);
	if (rc != DRG_OK)
		return rc == DRG_ENOENT ? DRG_OK : rc;
	row.name = drg_arena_str(&x->pool->texts, drg_record_s(&source, DRG_F_NAME));
	row.lang = drg_arena_str(&x->pool->texts, drg_record_s(&source, DRG_F_LANG));
	row.city_name = drg_arena_str(&x->pool->texts, drg_record_s(&source, DRG_F_CITY_NAME));
	x->other |= drg_normal_has_other_script(row.name);
	rc = drg_supplier_add_record(supplier, &source, false);
	drg_buf_add(&x->pool->rows, &row, sizeof row);
	if (rc != DRG_OK || row.name.p == NULL || row.lang.p == NULL || row.city_name.p == NULL ||
	    x->pool->rows.rc != DRG_OK)
		return drg_fail_memory(x->err);
	return DRG_OK;
}

/* Count names. A name that two suppliers have is no more common for that: it may be one house. */
static int pool_count_names(struct pool_reading *x, const struct drg_tally *of_one)
{
	int rc = DRG_OK;
	for (size_t i = 0; i < of_one->n_slots; i++) {
		const struct drg_tally_slot *slot = &of_one->slots[i];
		uint32_t had = slot->key != 0 ? drg_tally_get(&x->often, slot->key) : 0;
		for (; slot->key != 0 && had < slot->n && rc == DRG_OK; had++)
			rc = drg_tally_add(&x->often, slot->key);
	}
	return rc == DRG_OK ? rc : drg_fail_memory(x->err);
}

/* Add the records of a supplier to the pool; names are counted for each supplier by itself. */
static int pool_take_all(struct pool_reading *x, struct drg_supplier *supplier,
                         const struct drg_pooled_row *v, size_t n)
{
	int rc = DRG_OK;
	drg_supplier_clear(supplier, DRG_KIND_HOTEL);
	drg_places_done(&supplier->hotels);
	supplier->hotels = x->pool->places;
	drg_tally_init(&supplier->hotels.often);
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		rc = propose_pool_take(x, supplier, &v[i]);
	if (rc == DRG_OK)
		rc = pool_count_names(x, &supplier->hotels.often);
	drg_tally_done(&supplier->hotels.often);
	x->pool->places = supplier->hotels;
	drg_places_init(&supplier->hotels, &x->kept->ref.vocab);
	return rc;
}

static int pool_supplier(struct pool_reading *x, const struct drg_pooled_row *v, size_t n)
{
	struct drg_supplier supplier;
	int rc = DRG_OK;
	drg_supplier_init(&supplier, v[0].adapter, x->kept->normal, &x->kept->ref, &x->nobody);
	for (size_t i = 0; i < DRG_KIND_PARENTS && rc == DRG_OK; i++) {
		rc = drg_supplier_read(&supplier, x->s, drg_kind_parents[i].kind, x->err);
		if (rc == DRG_OK && drg_supplier_learn_mapped(&supplier) != DRG_OK)
			rc = drg_fail_memory(x->err);
	}
	if (rc == DRG_OK)
		rc = drg_supplier_detect_iso_codes(&supplier, x->s, DRG_KIND_HOTEL, x->err);
	if (rc == DRG_OK)
		rc = pool_take_all(x, &supplier, v, n);
	drg_supplier_done(&supplier);
	return rc;
}

/* ---- the pool ------------------------------------------------------------------------------------------ */

static int pool_suppliers(struct pool_reading *x)
{
	struct drg_pooled_row *v = (struct drg_pooled_row *)(void *)x->found.p;
	size_t n = x->found.n / sizeof *v;
	int rc = DRG_OK;
	if (n > 0)
		qsort(v, n, sizeof *v, pool_order);
	for (size_t from = 0, to; from < n && rc == DRG_OK; from = to) {
		for (to = from + 1; to < n && v[to].adapter == v[from].adapter;)
			to++;
		rc = pool_supplier(x, v + from, to - from);
	}
	x->pool->places.often = x->often;
	drg_hotels_drop_crowds(&x->pool->places);
	return rc;
}

/* Read the hotels again, now that it is known which words in Latin letters those in others may mean: the
 * reference lacks these hotels, so it may lack their words. */
static int pool_hear(struct pool_reading *x)
{
	struct drg_vocab *vocab = &x->kept->ref.vocab;
	struct drg_sounds heard, *had = vocab->sounds;
	struct drg_places first = x->pool->places;
	int rc = drg_sounds_make(&x->kept->ref.hotels, &first, &heard);
	if (rc != DRG_OK)
		return drg_fail_memory(x->err);
	drg_places_init(&x->pool->places, vocab);
	drg_tally_init(&x->often);
	drg_buf_clear(&x->pool->rows);
	vocab->sounds = &heard;
	rc = pool_suppliers(x);
	vocab->sounds = had;
	drg_sounds_done(&heard);
	drg_places_done(&first);
	return rc;
}

int drg_pooled_read(struct drg_store *s, struct drg_automap_kept *kept, struct drg_pooled *ret,
                    struct drg_err *reterr)
{
	struct pool_reading x = { .s = s, .kept = kept, .pool = ret, .err = reterr };
	drg_arena_init(&ret->texts, SIZE_MAX);
	drg_buf_init(&ret->rows, SIZE_MAX);
	drg_places_init(&ret->places, &kept->ref.vocab);
	drg_buf_init(&x.found, SIZE_MAX);
	drg_arena_init(&x.arena, POOL_ROOM);
	drg_tally_init(&x.often);
	drg_tally_init(&x.nobody);
	int rc = drg_store_suggestions(s, 0, pool_suggestion, &x, reterr);
	if (rc == DRG_OK)
		rc = pool_suppliers(&x);
	if (rc == DRG_OK && x.other)
		rc = pool_hear(&x);
	drg_buf_done(&x.found);
	drg_arena_done(&x.arena);
	drg_tally_done(&x.nobody);
	return rc;
}

void drg_pooled_done(struct drg_pooled *p)
{
	drg_arena_done(&p->texts);
	drg_buf_done(&p->rows);
	drg_places_done(&p->places);
}
