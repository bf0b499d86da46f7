#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "model/relink.h"
#include "decide/reference/merge_undo.h"
#include "decide/reference/merge_priv.h"
#include "decide/reference/merge_lineage.h"
#include "text/json.h"
#include "text/stamp.h"

/* The most redirects to follow for one record: a hotel has four references. */
enum { FOLLOWED_MAX = 8 };

/* A redirect to the same record, and the id that it first led to. */
struct link {
	int64_t id, parent;
};

struct split {
	struct drg_merging x;
	struct drg_record redirect; /* of FROM */
	int64_t to; /* the record that FROM leads to in the end */
	int64_t merged_us; /* the time of the merge */
	struct drg_undo undo;
	struct drg_buf links; /* struct link, by id */
	struct drg_buf stack; /* of drg_lineage_has() */
	const json_t *refs; /* for relink(): numbers of the references that change; NULL: all */
	unsigned ref;
};

static size_t n_links(const struct split *p)
{
	return p->links.n / sizeof(struct link);
}

/* ---- the redirect of FROM ------------------------------------------------------------------------------ */

static int find_redirect(struct split *p, struct drg_err *reterr)
{
	const struct drg_decision *d = p->x.d;
	struct drg_record key;
	drg_key_redirect(&key, d->kind, d->dict_id);
	int rc = drg_fetch(p->x.s, &key, &p->x.arena, &p->redirect, reterr);
	if (rc == DRG_ENOENT)
		return drg_fail(reterr, rc, DRG_R(not_merged), NULL, "%s %lld was not merged into another",
		                drg_kind_name(d->kind), (long long)d->dict_id);
	if (rc != DRG_OK)
		return rc;
	p->to = p->redirect.v[DRG_F_TO].i;
	p->x.sums.into = p->to;
	if (!drg_record_has(&p->redirect, DRG_F_AT) ||
	    !drg_stamp_parse(p->redirect.v[DRG_F_AT].s, &p->merged_us))
		p->merged_us = INT64_MIN; /* no source can be shown to have come this way */
	return drg_undo_read(&p->redirect, &p->x.arena, &p->undo, reterr);
}

/* ---- restoring FROM ------------------------------------------------------------------------------------ */

/* An id that FROM refers to and that was merged away. */
struct followed {
	enum drg_kind kind;
	int64_t id;
};

/* Follows redirects; stops at the first id that leads nowhere. */
struct resolving {
	struct drg_store *s;
	struct followed followed[FOLLOWED_MAX];
	unsigned n;
	int rc;
	struct drg_err *err;
};

static int64_t merge_split_resolve(void *ctx, enum drg_kind kind, int64_t id)
{
	struct resolving *v = ctx;
	int64_t now = id;
	if (v->rc == DRG_OK)
		v->rc = drg_resolve(v->s, kind, id, &now, v->err);
	if (now != id && v->n < FOLLOWED_MAX)
		v->followed[v->n++] = (struct followed){ kind, id };
	return now;
}

static int resolve_refs(struct split *p, struct resolving *v, struct drg_err *reterr)
{
	struct drg_err e = { .message = "" };
	bool changed;
	v->err = &e;
	if (drg_record_relink(&p->undo.record, merge_split_resolve, v, &p->x.arena, &changed) != DRG_OK)
		return drg_fail_memory(reterr);
	if (v->rc == DRG_ENOENT)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_dict), NULL,
		                "%s %lld cannot come back, it refers to what is gone: %.400s",
		                drg_kind_name(p->x.d->kind), (long long)p->x.d->dict_id, e.message);
	return v->rc == DRG_OK ? DRG_OK
	                       : drg_fail(reterr, v->rc, drg_reason_find(e.reason), e.field, "%s", e.message);
}

/* No other record may have a value that must be unique. */
static int check_unique(struct split *p, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_type *t = p->undo.record.type;
	const struct drg_filter kind = { .type = t, .one_kind = true, .kind = p->x.d->kind };
	int rc = DRG_OK;
	for (unsigned i = 0; i < t->n_fields && rc == DRG_OK; i++) {
		const struct drg_field_def *f = &t->fields[i];
		if ((f->flags & DRG_FF_UNIQUE) == 0 || !drg_record_has_value(&p->undo.record, f))
			continue;
		const struct drg_str value = drg_record_value(&p->undo.record, f)->s;
		bool found = false;
		int64_t other = 0;
		for (drg_rows_scan(&rows, p->x.s, &kind, reterr); drg_rows_next(&rows);)
			if (drg_str_eq(drg_record_s(&rows.row.r, f->field), value)) {
				found = true;
				other = rows.row.r.v[DRG_F_ID].i;
			}
		rc = drg_rows_end(&rows);
		if (rc == DRG_OK && found)
			rc = drg_fail(reterr, DRG_EINVAL, DRG_R(not_unique), f->wire,
			              "%s %lld cannot come back, %s %.*s is that of %lld now",
			              drg_kind_name(kind.kind), (long long)p->x.d->dict_id, f->wire,
			              DRG_STR_ARG(value), (long long)other);
	}
	return rc;
}

static int restore_record(struct split *p, struct drg_err *reterr)
{
	struct drg_record gone;
	drg_key_redirect(&gone, p->x.d->kind, p->x.d->dict_id);
	gone.deleted = true;
	struct resolving v = { .s = p->x.s };
	int rc = resolve_refs(p, &v, reterr);
	if (rc == DRG_OK)
		rc = check_unique(p, reterr);
	/* The batch identifies the split by this record, and undoes it by a merge (decide/batch_merges.c). */
	if (rc == DRG_OK)
		rc = drg_verb_put(p->x.v, &gone, reterr);
	if (rc == DRG_OK)
		rc = drg_merging_put(&p->x, &p->undo.record, reterr);
	for (unsigned i = 0; i < v.n && rc == DRG_OK; i++)
		rc = drg_merge_undo_extend(&p->x, &p->undo.record, v.followed[i].kind, v.followed[i].id,
		                           reterr);
	return rc;
}

/* ---- redirects that came through FROM ------------------------------------------------------------------ */

static int merge_split_by_id(const void *pa, const void *pb)
{
	const struct link *a = pa, *b = pb;
	return a->id < b->id ? -1 : a->id > b->id;
}

static int note_link(void *ctx, struct drg_record *r, struct drg_err *reterr)
{
	struct split *p = ctx;
	if (r->type->id != DRG_TYPE_REDIRECT)
		return DRG_OK;
	const struct link l = { r->v[DRG_F_ID].i, drg_record_i(r, DRG_F_INTO, r->v[DRG_F_TO].i) };
	drg_buf_add(&p->links, &l, sizeof l);
	return p->links.rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}

/* Did the id reach the same record through FROM? */
static bool came_through(const struct split *p, int64_t id)
{
	const struct link *l;
	struct link key = { id, 0 };
	for (size_t steps = 0; steps <= n_links(p); steps++) {
		l = bsearch(&key, p->links.p, n_links(p), sizeof key, merge_split_by_id);
		if (l == NULL || l->parent == p->x.d->dict_id)
			return l != NULL;
		key.id = l->parent;
	}
	return false;
}

static int turn_redirect(struct split *p, struct drg_record *r, struct drg_err *reterr)
{
	if (r->v[DRG_F_ID].i == p->x.d->dict_id || !came_through(p, r->v[DRG_F_ID].i))
		return DRG_OK;
	drg_record_set_i(r, DRG_F_TO, p->x.d->dict_id);
	if (drg_record_i(r, DRG_F_INTO, 0) == p->x.d->dict_id)
		drg_record_unset(r, DRG_F_INTO);
	p->x.sums.redirects++;
	return drg_merging_put(&p->x, r, reterr);
}

/* ---- sources ------------------------------------------------------------------------------------------- */

static int move_source_back(struct split *p, struct drg_record *r, struct drg_err *reterr)
{
	struct drg_audit audit = { .how = DRG_HOW_SPLIT, .by = p->x.v->ledger->by, .why = p->x.v->why };
	bool ours;
	int rc = drg_lineage_has(p->x.s, r, p->x.d->dict_id, p->merged_us, &p->stack, &ours, reterr);
	if (rc != DRG_OK || !ours)
		return rc;
	p->x.sums.sources++;
	rc = drg_event_next_at(p->x.s, r, drg_wall_us(), &audit.at_us, reterr);
	return rc == DRG_OK ? drg_event_put(p->x.txn, r, &p->x.d->dict_id, &audit, reterr) : rc;
}

static int move_back(void *ctx, struct drg_record *r, struct drg_err *reterr)
{
	struct split *p = ctx;
	return r->type->id == DRG_TYPE_SOURCE ? move_source_back(p, r, reterr) : turn_redirect(p, r, reterr);
}

static int move_all_back(struct split *p, struct drg_err *reterr)
{
	int rc = drg_referrers_collect(p->x.s, p->x.d->kind, p->to, false, &p->x.referrers, reterr);
	if (rc == DRG_OK)
		rc = drg_referrers_each(&p->x.referrers, note_link, p, reterr);
	if (n_links(p) > 0)
		qsort(p->links.p, n_links(p), sizeof(struct link), merge_split_by_id);
	return rc == DRG_OK ? drg_referrers_each(&p->x.referrers, move_back, p, reterr) : rc;
}

/* ---- the dict side ------------------------------------------------------------------------------------- */

static bool is_wanted(const json_t *refs, unsigned ref)
{
	if (refs == NULL)
		return true;
	for (size_t i = 2; i < json_array_size(refs); i++)
		if (json_integer_value(json_array_get(refs, i)) == (json_int_t)ref)
			return true;
	return false;
}

static int64_t merge_split_relink(void *ctx, enum drg_kind kind, int64_t id)
{
	struct split *p = ctx;
	bool hit = kind == p->x.d->kind && id == p->to && is_wanted(p->refs, p->ref);
	p->ref++;
	return hit ? p->x.d->dict_id : id;
}

/* Move the references of a stored record back. A record that was removed, or refers to another record by now,
 * does not change. */
static int relink_stored(struct split *p, const struct drg_record *key, const json_t *refs,
                         struct drg_err *reterr)
{
	struct drg_record r;
	bool changed;
	int rc = drg_fetch(p->x.s, key, &p->x.scratch, &r, reterr);
	if (rc != DRG_OK)
		return rc == DRG_ENOENT ? DRG_OK : rc;
	p->refs = refs;
	p->ref = 0;
	if (drg_record_relink(&r, merge_split_relink, p, &p->x.scratch, &changed) != DRG_OK)
		return drg_fail_memory(reterr);
	if (!changed)
		return DRG_OK;
	p->x.sums.others++;
	return drg_merging_put(&p->x, &r, reterr);
}

static int dict_back(struct split *p, enum drg_kind kind, const json_t *id, struct drg_err *reterr)
{
	struct drg_record key;
	bool merged = false;
	drg_key_dict(&key, kind, json_integer_value(id));
	int rc = relink_stored(p, &key, NULL, reterr);
	if (rc == DRG_OK)
		rc = drg_merge_undo_relink(&p->x, kind, json_integer_value(id), merge_split_relink, p,
		                           &merged, reterr);
	p->x.sums.others += merged;
	return rc;
}

static int content_back(struct split *p, const json_t *entry, struct drg_err *reterr)
{
	struct drg_record key;
	const json_t *hotel = json_array_get(entry, 1);
	drg_record_init(&key, &drg_types[DRG_TYPE_HOTEL_CONTENT]);
	drg_record_set_i(&key, DRG_F_ADAPTER_ID, json_integer_value(json_array_get(entry, 0)));
	drg_record_set_s(&key, DRG_F_HOTEL_ID, drg_str(json_string_value(hotel), json_string_length(hotel)));
	return relink_stored(p, &key, entry, reterr);
}

/* Bring a direction back. If FROM had been merged on, the present direction may be the other record's own: it
 * stays. */
static int direction_back(struct split *p, const json_t *entry, struct drg_err *reterr)
{
	struct drg_record own, now;
	bool kept = json_is_true(json_array_get(entry, 3)) || drg_record_has(&p->redirect, DRG_F_INTO);
	drg_record_init(&own, &drg_types[DRG_TYPE_DIRECTION]);
	drg_record_set_i(&own, DRG_F_ADAPTER_ID, json_integer_value(json_array_get(entry, 0)));
	drg_record_set_i(&own, DRG_F_DEP_CITY_ID, json_integer_value(json_array_get(entry, 1)));
	drg_record_set_i(&own, DRG_F_COUNTRY_ID, json_integer_value(json_array_get(entry, 2)));
	bool country = p->x.d->kind == DRG_KIND_COUNTRY;
	enum drg_field side = country ? DRG_F_COUNTRY_ID : DRG_F_DEP_CITY_ID;
	enum drg_field other = country ? DRG_F_DEP_CITY_ID : DRG_F_COUNTRY_ID;
	int64_t live;
	int rc = drg_resolve(p->x.s, country ? DRG_KIND_DEP_CITY : DRG_KIND_COUNTRY,
	                     drg_record_i(&own, other, 0), &live, reterr);
	if (rc != DRG_OK)
		return rc == DRG_ENOENT ? DRG_OK : rc;
	drg_record_set_i(&own, other, live);
	drg_record_set_i(&own, side, p->x.d->dict_id);
	now = own;
	drg_record_set_i(&now, side, p->to);
	rc = drg_store_exists(p->x.s, &now, reterr);
	if (rc != DRG_OK)
		return rc == DRG_ENOENT ? DRG_OK : rc;
	p->x.sums.others++;
	rc = drg_merging_put(&p->x, &own, reterr);
	now.deleted = true;
	return rc == DRG_OK && !kept ? drg_merging_put(&p->x, &now, reterr) : rc;
}

static int entry_back(struct split *p, const char *list, const json_t *entry, struct drg_err *reterr)
{
	drg_arena_reset(&p->x.scratch);
	if (strcmp(list, "direction") == 0)
		return direction_back(p, entry, reterr);
	if (strcmp(list, "hotel_content") == 0)
		return content_back(p, entry, reterr);
	enum drg_kind kind = drg_kind_by_name(drg_str_c(list));
	return kind != DRG_KIND_NONE ? dict_back(p, kind, entry, reterr) : DRG_OK;
}

static int dict_side_back(struct split *p, struct drg_err *reterr)
{
	json_t *moved = p->undo.moved;
	int rc = DRG_OK;
	for (void *at = json_object_iter(moved); at != NULL; at = json_object_iter_next(moved, at)) {
		const json_t *entries = json_object_iter_value(at);
		for (size_t i = 0; i < json_array_size(entries) && rc == DRG_OK; i++)
			rc = entry_back(p, json_object_iter_key(at), json_array_get(entries, i), reterr);
	}
	return rc;
}

/* Store the event; the record that the id led to may be removed itself. */
static int split_keep(struct split *p, struct drg_err *reterr)
{
	struct drg_record key, was;
	drg_key_dict(&key, p->x.d->kind, p->to);
	int rc = drg_fetch(p->x.s, &key, &p->x.arena, &was, reterr);
	if (rc != DRG_OK && rc != DRG_ENOENT)
		return rc;
	return drg_merging_keep(&p->x, DRG_DICT_HOW_SPLIT, rc == DRG_OK ? &was : &key, &p->undo.record,
	                        reterr);
}

int drg_verb_split(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	assert(d->verb == DRG_VERB_SPLIT);
	struct split p = { .to = 0 };
	drg_buf_init(&p.links, SIZE_MAX);
	drg_buf_init(&p.stack, SIZE_MAX);
	drg_merging_begin(&p.x, x, d);
	int rc = find_redirect(&p, reterr);
	if (rc == DRG_OK)
		rc = restore_record(&p, reterr);
	if (rc == DRG_OK)
		rc = move_all_back(&p, reterr);
	if (rc == DRG_OK)
		rc = dict_side_back(&p, reterr);
	if (rc == DRG_OK)
		rc = split_keep(&p, reterr);
	d->is.changed = true;
	d->is.sums = p.x.sums;
	drg_undo_done(&p.undo);
	drg_buf_done(&p.stack);
	drg_buf_done(&p.links);
	drg_merging_done(&p.x);
	return rc;
}
