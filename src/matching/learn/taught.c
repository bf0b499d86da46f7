/* Gathers what the matcher may learn from (decision M38). */
#include "matching/learn/taught.h"

#include <stdlib.h>

#include "base/bound.h"
#include "matching/automap_priv.h"
#include "matching/learn/last_event.h"
#include "model/key.h"
#include "store/fetch.h"

/* A hotel whose mapping people have decided. */
struct taught_one {
	int64_t adapter;
	struct drg_str id;
};

struct taught_reading {
	struct drg_store *s;
	struct drg_teaching *ret;
	struct drg_buf lists; /* int64_t: batches of mappings that people filled in */
	struct drg_buf
	        wanted; /* struct taught_one; with `imported` those whose record may have been made from them */
	/* with `imported`: sources that teach nothing: their last decision is not a person's, or the record
	 * was made from them */
	struct drg_tally others;
	bool imported;
	struct drg_err *err;
};

void drg_teaching_init(struct drg_teaching *t)
{
	*t = (struct drg_teaching){ .n_same = 0 };
	drg_arena_init(&t->texts, SIZE_MAX);
	drg_buf_init(&t->all, SIZE_MAX);
}

void drg_teaching_done(struct drg_teaching *t)
{
	drg_arena_done(&t->texts);
	drg_buf_done(&t->all);
}

/* ---- decisions of people about mappings ---------------------------------------------------------------- */

static int taught_batch(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct taught_reading *x = ctx;
	if (drg_record_i(r, DRG_F_WHAT, 0) == DRG_BATCH_MAP)
		drg_buf_add(&x->lists, &r->v[DRG_F_ID].i, sizeof(int64_t));
	return x->lists.rc;
}

static int taught_by_number(const void *pa, const void *pb)
{
	const int64_t *a = pa, *b = pb;
	return *a < *b ? -1 : *a > *b;
}

/* Was the batch a list? Batches are read in the order of their numbers. */
static bool taught_is_list(const struct taught_reading *x, int64_t batch)
{
	return x->lists.n > 0 &&
	       bsearch(&batch, x->lists.p, x->lists.n / sizeof batch, sizeof batch, taught_by_number) != NULL;
}

static bool taught_by_people(const struct taught_reading *x, const struct drg_last_event *e)
{
	switch (e->how) {
	case DRG_HOW_SET:
	case DRG_HOW_AUDIT: return true;
	case DRG_HOW_IMPORT: return x->imported || taught_is_list(x, e->batch);
	case DRG_HOW_BACK: return x->imported; /* back to an earlier mapping */
	default: return false;
	}
}

static int taught_last(void *ctx, const struct drg_last_event *e)
{
	struct taught_reading *x = ctx;
	bool said = taught_by_people(x, e) && e->has_to;
	if (e->kind != DRG_KIND_HOTEL)
		return DRG_OK;
	if (x->imported && !said)
		return drg_tally_add(&x->others, drg_automap_source_key(e->adapter, e->kind, e->id));
	if (!said || (x->imported && e->how == DRG_HOW_IMPORT && !taught_is_list(x, e->batch)))
		return DRG_OK;
	const struct taught_one v = { e->adapter, drg_arena_str(&x->ret->texts, e->id) };
	drg_buf_add(&x->wanted, &v, sizeof v);
	return v.id.p != NULL ? x->wanted.rc : DRG_ENOMEM;
}

/* ---- "is this dict record" ----------------------------------------------------------------------------- */

static int taught_add(struct drg_teaching *t, int64_t adapter, struct drg_str id, int64_t dict_id, bool same)
{
	const struct drg_taught v = { adapter, id, dict_id, same };
	drg_buf_add(&t->all, &v, sizeof v);
	t->n_same += same;
	t->n_apart += !same;
	return t->all.rc;
}

/* Load the mapping of a source. A dict record that was made in the commit of the mapping was made from the
 * source. @return DRG_ENOENT: it is not mapped */
static int taught_load(struct taught_reading *x, int64_t adapter, struct drg_str id, int64_t *ret_dict,
                       bool *ret_made)
{
	struct drg_rows rows;
	struct drg_record key;
	int64_t mapped = 0, created = 0; /* in which commit */
	*ret_dict = INT64_MIN;
	*ret_made = false;
	drg_key_source(&key, adapter, DRG_KIND_HOTEL, id);
	drg_rows_get(&rows, x->s, &key, x->err);
	if (drg_rows_next(&rows)) {
		*ret_dict = drg_record_i(&rows.row.r, DRG_F_DICT_ID, INT64_MIN);
		mapped = rows.row.m.mapped_seq;
	}
	int rc = drg_rows_end(&rows);
	if (rc != DRG_OK || *ret_dict == INT64_MIN)
		return rc != DRG_OK ? rc : DRG_ENOENT;
	drg_key_dict(&key, DRG_KIND_HOTEL, *ret_dict);
	drg_rows_get(&rows, x->s, &key, x->err);
	if (drg_rows_next(&rows))
		created = rows.row.m.created_seq;
	rc = drg_rows_end(&rows);
	*ret_made = created == mapped;
	return rc;
}

static int taught_take(struct taught_reading *x, int64_t adapter, struct drg_str id)
{
	int64_t dict_id;
	bool made;
	int rc = taught_load(x, adapter, id, &dict_id, &made);
	if (rc != DRG_OK)
		return rc == DRG_ENOENT ? DRG_OK : rc;
	if (x->imported)
		rc = made ? drg_tally_add(&x->others, drg_automap_source_key(adapter, DRG_KIND_HOTEL, id))
		          : DRG_OK;
	else if (!made)
		rc = taught_add(x->ret, adapter, id, dict_id, true);
	return rc == DRG_ENOMEM ? drg_fail_memory(x->err) : rc;
}

static int taught_ones(struct taught_reading *x)
{
	const struct taught_one *v = (const struct taught_one *)(const void *)x->wanted.p;
	int rc = DRG_OK;
	for (size_t i = 0; i < x->wanted.n / sizeof *v && rc == DRG_OK; i++)
		rc = taught_take(x, v[i].adapter, v[i].id);
	return rc;
}

/* With `imported`: take every mapping that the matcher has not made. Many have no event: they came with the
 * record. */
static int taught_source(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct taught_reading *x = ctx;
	int64_t adapter = r->v[DRG_F_ADAPTER_ID].i;
	struct drg_str id = r->v[DRG_F_SOURCE_ID].s;
	if (drg_record_kind(r) != DRG_KIND_HOTEL || !drg_record_has(r, DRG_F_DICT_ID) ||
	    drg_tally_get(&x->others, drg_automap_source_key(adapter, DRG_KIND_HOTEL, id)) > 0)
		return DRG_OK;
	id = drg_arena_str(&x->ret->texts, id);
	return id.p != NULL ? taught_add(x->ret, adapter, id, r->v[DRG_F_DICT_ID].i, true) : DRG_ENOMEM;
}

/* ---- "is not this dict record" ------------------------------------------------------------------------- */

static int taught_apart(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct taught_reading *x = ctx;
	if (drg_record_kind(r) != DRG_KIND_HOTEL)
		return DRG_OK;
	struct drg_str id = drg_arena_str(&x->ret->texts, r->v[DRG_F_SOURCE_ID].s);
	int rc = id.p != NULL ? taught_add(x->ret, r->v[DRG_F_ADAPTER_ID].i, id,
	                                   drg_record_i(r, DRG_F_APART_FROM, 0), false)
	                      : DRG_ENOMEM;
	return rc == DRG_OK ? rc : DRG_ENOMEM;
}

/* Replace dict records that were merged away by the records that they became. */
static int taught_resolve(struct taught_reading *x)
{
	struct drg_taught *v = (struct drg_taught *)(void *)x->ret->all.p;
	int rc = DRG_OK;
	for (size_t i = 0; i < x->ret->all.n / sizeof *v && rc == DRG_OK; i++)
		if (!v[i].same && (rc = drg_resolve(x->s, DRG_KIND_HOTEL, v[i].dict_id, &v[i].dict_id,
		                                    x->err)) == DRG_ENOENT)
			rc = DRG_OK;
	return rc;
}

/* ---- reading all of it --------------------------------------------------------------------------------- */

static int taught_order(const void *pa, const void *pb)
{
	const struct drg_taught *a = pa, *b = pb;
	if (a->adapter != b->adapter)
		return a->adapter < b->adapter ? -1 : 1;
	int order = drg_str_cmp(a->id, b->id);
	return order != 0 ? order : (int)b->same - (int)a->same;
}

static int taught_scan(struct taught_reading *x, enum drg_type_id type, drg_row_fn *fn)
{
	struct drg_rows rows;
	const struct drg_filter f = { .type = &drg_types[type] };
	int rc = drg_rows_each(drg_rows_scan(&rows, x->s, &f, x->err), fn, x);
	return rc == DRG_ENOMEM ? drg_fail_memory(x->err) : rc;
}

int drg_teaching_read(struct drg_store *s, bool imported, struct drg_teaching *ret, struct drg_err *reterr)
{
	struct taught_reading x = { .s = s, .ret = ret, .imported = imported, .err = reterr };
	drg_buf_init(&x.lists, SIZE_MAX);
	drg_buf_init(&x.wanted, SIZE_MAX);
	drg_tally_init(&x.others);
	int rc = taught_scan(&x, DRG_TYPE_BATCH, taught_batch);
	if (rc == DRG_OK && (rc = drg_last_events(s, taught_last, &x, reterr)) == DRG_ENOMEM)
		rc = drg_fail_memory(reterr);
	if (rc == DRG_OK)
		rc = taught_ones(&x);
	if (rc == DRG_OK && imported)
		rc = taught_scan(&x, DRG_TYPE_SOURCE, taught_source);
	if (rc == DRG_OK)
		rc = taught_scan(&x, DRG_TYPE_NOT_SAME, taught_apart);
	if (rc == DRG_OK)
		rc = taught_resolve(&x);
	if (ret->all.n > 0)
		qsort(ret->all.p, ret->all.n / sizeof(struct drg_taught), sizeof(struct drg_taught),
		      taught_order);
	drg_buf_done(&x.lists);
	drg_buf_done(&x.wanted);
	drg_tally_done(&x.others);
	return rc;
}

const struct drg_taught *drg_teaching_of(const struct drg_teaching *t, int64_t adapter, struct drg_str id,
                                         size_t *ret_n)
{
	const struct drg_taught *v = (const struct drg_taught *)(const void *)t->all.p;
	size_t end = t->all.n / sizeof *v, from;
	DRG_BOUND(from, end, i,
	          v[i].adapter != adapter ? v[i].adapter < adapter : drg_str_cmp(v[i].id, id) < 0);
	for (*ret_n = 0; from + *ret_n < end && v[from + *ret_n].adapter == adapter &&
	                 drg_str_eq(v[from + *ret_n].id, id);)
		++*ret_n;
	return *ret_n > 0 ? &v[from] : NULL;
}
