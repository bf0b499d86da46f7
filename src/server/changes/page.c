#include "server/changes/page.h"

#include <assert.h>

#include "base/clock.h"
#include "model/key.h"
#include "store/fetch.h"
#include "text/stamp.h"

enum {
	TYPES = 1 << DRG_TYPE_DICT | 1 << DRG_TYPE_SOURCE | 1 << DRG_TYPE_REDIRECT,
	SCAN_MAX = 20000, /* rows that one page reads, wanted or not */
};

struct drg_change_filter drg_change_filter(enum drg_kind kind, int64_t adapter)
{
	unsigned kinds = kind == DRG_KIND_NONE ? DRG_KINDS_SOURCE : 1U << kind, dict_kinds = kinds;
	for (unsigned i = 0; drg_kind_has(DRG_TYPE_DICT, kind, DRG_F_CITY_ID) && i < DRG_KIND_PARENTS; i++)
		dict_kinds |= 1U << drg_kind_parents[i].kind;
	return (struct drg_change_filter){ kinds, dict_kinds, adapter };
}

/* ---- a page ---------------------------------------------------------------------------------------------- */

struct page_reading {
	struct drg_changes_page *p;
	struct drg_store *s;
	struct drg_snapshot *snapshot; /* made when the first record is rendered */
	unsigned scanned;
	bool full;
	struct drg_err *err;
};

static bool wants(const struct drg_change_filter *f, const struct drg_record *r)
{
	unsigned kind = 1U << drg_record_kind(r);
	if (r->type->id != DRG_TYPE_SOURCE)
		return (f->dict_kinds & kind) != 0;
	return (f->source_kinds & kind) != 0 && (f->adapter == 0 || r->v[DRG_F_ADAPTER_ID].i == f->adapter);
}

static unsigned what_of(const struct drg_record *r, const struct drg_row_meta *m, int64_t base)
{
	unsigned what = 0;
	if (r->deleted)
		return DRG_WHAT_DELETED;
	if (m->created_seq > base)
		what |= DRG_WHAT_CREATED;
	else if (m->data_seq > base)
		what |= DRG_WHAT_UPDATED;
	if (m->mapped_seq > base)
		what |= drg_record_has(r, DRG_F_DICT_ID) ? DRG_WHAT_MAPPED : DRG_WHAT_UNMAPPED;
	return what;
}

static int alive(struct drg_store *s, const struct drg_record *key, bool *ret, struct drg_err *reterr)
{
	int rc = drg_store_exists(s, key, reterr);
	*ret = rc == DRG_OK;
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* A merge leaves two rows in the store, the tombstone of the dict record and the redirect. Only the redirect
 * is reported. After a split the restored record is reported. @return in @p ret_other whether another row is
 * reported for this one. */
static int is_reported_by_other(struct page_reading *g, const struct drg_record *r, bool *ret_other)
{
	struct drg_record other;
	*ret_other = false;
	if (!r->deleted || r->type->id == DRG_TYPE_SOURCE)
		return DRG_OK;
	if (r->type->id == DRG_TYPE_DICT)
		drg_key_redirect(&other, drg_record_kind(r), r->v[DRG_F_ID].i);
	else
		drg_key_dict(&other, drg_record_kind(r), r->v[DRG_F_ID].i);
	return alive(g->s, &other, ret_other, g->err);
}

static int changes_page_show(struct page_reading *g, const struct drg_record *r, struct drg_view *ret)
{
	int rc = DRG_OK;
	if (g->snapshot == NULL)
		rc = drg_snapshot_new(g->s, g->p->lang, &g->snapshot, g->err);
	if (rc != DRG_OK)
		return rc;
	return r->type->id == DRG_TYPE_SOURCE ? drg_snapshot_source(g->snapshot, r, ret, g->err)
	                                      : drg_snapshot_dict(g->snapshot, r, ret, g->err);
}

static int changes_page_add(struct page_reading *g, const struct drg_record *r, unsigned what)
{
	struct drg_view view;
	struct drg_change c = { .what = what, .kind = drg_record_kind(r) };
	int rc = DRG_OK;
	c.is_dict = r->type->id != DRG_TYPE_SOURCE;
	if (c.is_dict) {
		c.dict_id = r->v[DRG_F_ID].i;
	} else {
		c.adapter = r->v[DRG_F_ADAPTER_ID].i;
		c.source_id = r->v[DRG_F_SOURCE_ID].s;
	}
	if (what == DRG_WHAT_MERGED) {
		c.is_merged = true;
		c.into = r->v[DRG_F_TO].i;
	} else if (what != DRG_WHAT_DELETED) {
		rc = changes_page_show(g, r, &view);
		c.view = &view;
	}
	if (drg_snapshot_refuses(rc)) { /* the record is left out, as if it did not exist (E14) */
		rc = DRG_OK;
		c.what = DRG_WHAT_DELETED;
		c.view = NULL;
	}
	assert(g->p->n < g->p->limit);
	if (rc == DRG_OK) {
		g->p->item(g->p->ctx, &c);
		g->p->n++;
	}
	return rc;
}

static int take_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct page_reading *g = ctx;
	bool other;
	g->full = g->p->n == g->p->limit || g->scanned == SCAN_MAX;
	if (g->full)
		return DRG_ESTOPPED;
	g->scanned++;
	if (drg_record_find_unknown_enum(r) != NULL || !wants(&g->p->filter, r))
		return DRG_OK;
	int rc = is_reported_by_other(g, r, &other);
	if (rc != DRG_OK || other)
		return rc;
	if (r->type->id == DRG_TYPE_REDIRECT && !r->deleted)
		return changes_page_add(g, r, DRG_WHAT_MERGED);
	return changes_page_add(g, r, what_of(r, m, g->p->cursor.base));
}

/* Is the cursor of a commit that this history does not have? Such a client must start over (decision F7). */
static int find_gone(struct drg_changes_page *p, struct drg_store *s, const struct drg_clock *clock,
                     struct drg_err *reterr)
{
	int64_t branch = 0;
	p->gone = p->cursor.seen > clock->seq;
	if (p->gone)
		return DRG_OK;
	int rc = drg_store_branch_at(s, p->cursor.seen, &branch, reterr);
	if (rc == DRG_OK)
		p->gone = p->cursor.history != drg_history_of(clock->epoch, branch);
	return rc;
}

/* Fail because the store does not know so early a time. */
static int time_not_kept(int64_t first_us, struct drg_err *reterr)
{
	char first[DRG_STAMP_TEXT];
	drg_stamp_text(first_us, first);
	return drg_fail(reterr, DRG_EINVAL, DRG_R(time_not_kept), "since",
	                "since: the times of changes are known from %s on; without since you get everything "
	                "from the beginning",
	                first);
}

/* Find the last commit before a time (decision F12). */
static int find_time(struct drg_changes_page *p, struct drg_store *s, const struct drg_clock *clock,
                     struct drg_err *reterr)
{
	struct drg_clock at = *clock;
	int64_t now = drg_wall_us(), first = 0;
	char text[DRG_STAMP_TEXT];
	if (p->since_us > now) {
		drg_stamp_text(now, text);
		return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_time), "since",
		                "since: this time is still to come; here it is %s", text);
	}
	int rc = drg_store_seq_before(s, p->since_us, &at.seq, &first, reterr);
	if (rc == DRG_ENOENT)
		return time_not_kept(first, reterr);
	if (rc == DRG_OK)
		rc = drg_store_branch_at(s, at.seq, &at.branch, reterr);
	if (rc == DRG_OK)
		p->cursor = drg_cursor_at(&at);
	return rc;
}

/* Find where the page begins. */
static int find_start(struct drg_changes_page *p, struct drg_store *s, const struct drg_clock *clock,
                      struct drg_err *reterr)
{
	const struct drg_cursor now = drg_cursor_at(clock);
	int rc = DRG_OK;
	p->gone = false;
	if (p->since == DRG_SINCE_START)
		p->cursor = (struct drg_cursor){ .place = { 0, DRG_FEED_END, 0 } };
	else if (p->since == DRG_SINCE_NOW)
		p->cursor = now;
	else if (p->since == DRG_SINCE_TIME)
		rc = find_time(p, s, clock, reterr);
	else
		rc = find_gone(p, s, clock, reterr);
	if (rc == DRG_OK)
		p->since = DRG_SINCE_CURSOR;
	if (rc == DRG_OK && !p->gone) {
		p->cursor.history = now.history;
		p->cursor.seen = now.seen;
	}
	return rc;
}

static int read_held(struct drg_changes_page *p, struct drg_store *s, const struct drg_clock *clock,
                     struct drg_err *reterr)
{
	struct page_reading g = { .p = p, .s = s, .err = reterr };
	struct drg_clock same;
	int rc = find_start(p, s, clock, reterr);
	if (rc != DRG_OK || p->gone)
		return rc;
	rc = drg_store_feed_from(s, TYPES, &p->cursor.place, take_row, &g, &same, reterr);
	/* Only at the end of the snapshot does the client have all of it. Before that, the client may have
	 * some records in a past state and lack others. So `base`, from which DRG_WHAT_... is computed, moves
	 * only now. */
	if (rc == DRG_OK)
		p->cursor = drg_cursor_at(clock);
	p->more = g.full;
	drg_snapshot_free(g.snapshot);
	return rc == DRG_ESTOPPED && g.full ? DRG_OK : rc;
}

int drg_changes_read_page(struct drg_changes_page *p, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_clock clock;
	const struct drg_cursor cursor = p->cursor;
	const enum drg_since since = p->since;
	int rc = drg_store_hold(s, &clock, reterr);
	if (rc != DRG_OK)
		return rc;
	p->n = 0;
	p->begin(p->ctx);
	rc = read_held(p, s, &clock, reterr);
	drg_store_release(s);
	if (rc != DRG_OK) {
		p->cursor = cursor;
		p->since = since;
	}
	return rc;
}

/* ---- what was touched ------------------------------------------------------------------------------------ */

struct touching {
	struct drg_touched *t;
	unsigned scanned;
};

static void touch_source(struct drg_touched *t, int64_t adapter, unsigned kind)
{
	unsigned i = 0;
	t->source_kinds |= kind;
	while (i < t->n_adapters && t->adapters[i].id != adapter)
		i++;
	if (i == DRG_ARRAY_LEN(t->adapters)) {
		t->all = true;
		return;
	}
	if (i == t->n_adapters) {
		t->adapters[t->n_adapters].source_kinds = 0;
		t->adapters[t->n_adapters++].id = adapter;
	}
	t->adapters[i].source_kinds |= kind;
}

static int touch(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct touching *g = ctx;
	(void)m;
	if (g->scanned++ == SCAN_MAX)
		g->t->all = true;
	if (g->t->all)
		return DRG_ESTOPPED;
	if (drg_record_find_unknown_enum(r) != NULL)
		return DRG_OK;
	if (r->type->id == DRG_TYPE_SOURCE)
		touch_source(g->t, r->v[DRG_F_ADAPTER_ID].i, 1U << drg_record_kind(r));
	else
		g->t->dict_kinds |= 1U << drg_record_kind(r);
	return DRG_OK;
}

int drg_changes_touched(struct drg_store *s, int64_t seq, struct drg_touched *ret, struct drg_err *reterr)
{
	struct drg_feed_place place = { seq, DRG_FEED_END, 0 };
	*ret = (struct drg_touched){ 0 };
	struct touching g = { ret, 0 };
	int rc = drg_store_feed_from(s, TYPES, &place, touch, &g, &ret->clock, reterr);
	return rc == DRG_ESTOPPED && ret->all ? DRG_OK : rc;
}

bool drg_change_filter_matches(const struct drg_change_filter *f, const struct drg_touched *t)
{
	if (t->all || (f->dict_kinds & t->dict_kinds) != 0)
		return true;
	if (f->adapter == 0)
		return (f->source_kinds & t->source_kinds) != 0;
	for (unsigned i = 0; i < t->n_adapters; i++)
		if (t->adapters[i].id == f->adapter)
			return (f->source_kinds & t->adapters[i].source_kinds) != 0;
	return false;
}
