#include "matching/survey/days.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bound.h"
#include "base/clock.h"
#include "decide/standing.h"
#include "model/key.h"
#include "text/stamp.h"

enum { SINCE_MAX = 2000 }; /* the most sources that are read one by one */

void drg_survey_days_init(struct drg_survey_days *d, int64_t adapter, enum drg_kind kind)
{
	*d = (struct drg_survey_days){ .adapter = adapter, .kind = kind };
	drg_buf_init(&d->v, SIZE_MAX);
}

void drg_survey_days_done(struct drg_survey_days *d)
{
	drg_buf_done(&d->v);
}

int drg_survey_days_copy(const struct drg_survey_days *d, struct drg_survey_days *ret)
{
	assert(d != ret);
	ret->adapter = d->adapter;
	ret->kind = d->kind;
	ret->read = d->read;
	ret->upto = d->upto;
	ret->last_row = d->last_row;
	drg_buf_add(&ret->v, d->v.p, d->v.n);
	return ret->v.rc;
}

/* ---- events -------------------------------------------------------------------------------------------- */

/* An event of a source. */
struct day_event {
	int64_t us, seq; /* its time; the commit that it came with */
	struct drg_event_gist is;
	bool of_batch; /* undone with its batch */
	bool left_out; /* it does not count */
};

static int event_by_time(const void *pa, const void *pb)
{
	const struct day_event *a = pa, *b = pb;
	return a->us != b->us ? (a->us > b->us) - (a->us < b->us) : (a->seq > b->seq) - (a->seq < b->seq);
}

/* Take an event; one without a readable time does not count. */
static int event_take(struct drg_buf *events, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct day_event e = { .seq = m->created_seq,
		               .is = drg_event_gist(r),
		               .of_batch = drg_record_has(r, DRG_F_OF_BATCH) };
	if (drg_stamp_parse(r->v[DRG_F_AT].s, &e.us))
		drg_buf_add(events, &e, sizeof e);
	return events->rc;
}

/* Leave out what came after a commit, and judgements that were undone until then (M39). Sorted by time. */
static void events_leave_out(struct day_event *v, size_t n, int64_t upto)
{
	for (size_t i = 0, before; i < n; i++) {
		v[i].left_out = v[i].seq > upto;
		for (before = i; !v[i].left_out && before > 0 && v[before - 1].left_out;)
			before--;
		if (v[i].left_out || before == 0 || !drg_event_takes_back(v[i].is, v[before - 1].is))
			continue;
		v[i].left_out = true;
		v[before - 1].left_out = true;
	}
}

/* Count an event. @param by_matcher  The present mapping of the source is the matcher's. */
static void event_count(const struct day_event *e, bool *by_matcher, int64_t *n)
{
	bool was_its = *by_matcher;
	memset(n, 0, DRG_SURVEY_COUNT * sizeof *n);
	*by_matcher = false;
	switch (e->is.how) {
	case DRG_HOW_MATCH:
		n[DRG_SURVEY_AUTOMATIC] = 1;
		*by_matcher = true;
		break;
	case DRG_HOW_UNDO:
		if (e->of_batch) {
			n[DRG_SURVEY_UNDONE] = was_its;
			break;
		}
		n[DRG_SURVEY_PEOPLE] = 1;
		n[DRG_SURVEY_OVERRULED] = was_its;
		break;
	case DRG_HOW_AUDIT:
		n[DRG_SURVEY_PEOPLE] = 1;
		n[DRG_SURVEY_CONFIRMED] = e->is.keeps;
		n[DRG_SURVEY_OVERRULED] = !e->is.keeps;
		break;
	case DRG_HOW_SET:
	case DRG_HOW_IMPORT:
		n[DRG_SURVEY_PEOPLE] = 1;
		n[DRG_SURVEY_OVERRULED] = was_its;
		break;
	default: *by_matcher = was_its; break; /* merges and the like move the mapping */
	}
}

/* ---- the table ----------------------------------------------------------------------------------------- */

static int day_compare(const struct drg_survey_day *a, const struct drg_survey_day *b)
{
	if (a->adapter != b->adapter)
		return a->adapter < b->adapter ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->day > b->day) - (a->day < b->day);
}

/* @return its place, or the place where it belongs */
static size_t days_find(const struct drg_survey_days *d, const struct drg_survey_day *key)
{
	const struct drg_survey_day *v = (const struct drg_survey_day *)(const void *)d->v.p;
	size_t at;
	DRG_BOUND(at, d->v.n / sizeof *v, i, day_compare(&v[i], key) < 0);
	return at;
}

/* Add a day, @p times times. */
static int days_add(struct drg_survey_days *d, const struct drg_survey_day *x, int64_t times)
{
	struct drg_survey_day none = { .adapter = x->adapter, .kind = x->kind, .day = x->day };
	size_t at = days_find(d, x), n = d->v.n / sizeof none;
	struct drg_survey_day *v = (struct drg_survey_day *)(void *)d->v.p;
	if (at == n || day_compare(&v[at], x) != 0) {
		drg_buf_add(&d->v, &none, sizeof none);
		if (d->v.rc != DRG_OK)
			return d->v.rc;
		v = (struct drg_survey_day *)(void *)d->v.p;
		memmove(&v[at + 1], &v[at], (n - at) * sizeof *v);
		v[at] = none;
	}
	for (unsigned i = 0; i < DRG_SURVEY_COUNT; i++)
		v[at].n[i] += times * x->n[i];
	return DRG_OK;
}

/* A source and its events. */
struct day_source {
	int64_t adapter;
	enum drg_kind kind;
	struct drg_str id;
	struct drg_buf *events; /* struct day_event */
};

/* Add the counts of a source up to a commit, @p times times. Ids of events are in the order of their bytes,
 * which is not quite the order of their times. */
static int days_add_source(struct drg_survey_days *d, const struct day_source *s, int64_t upto, int64_t times)
{
	struct day_event *v = (struct day_event *)(void *)s->events->p;
	size_t n = s->events->n / sizeof *v;
	bool by_matcher = false;
	int rc = DRG_OK;
	if (n > 1)
		qsort(v, n, sizeof *v, event_by_time);
	events_leave_out(v, n, upto);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		struct drg_survey_day x = { .adapter = s->adapter,
			                    .kind = s->kind,
			                    .day = v[i].us / DRG_DAY_US - (v[i].us % DRG_DAY_US < 0) };
		if (v[i].seq > upto)
			continue;
		if (!v[i].left_out) /* else its day is there all the same, as before it was undone */
			event_count(&v[i], &by_matcher, x.n);
		rc = days_add(d, &x, times);
	}
	return rc;
}

/* ---- reading all events -------------------------------------------------------------------------------- */

struct days_reading {
	struct drg_survey_days *d;
	struct drg_buf id, events; /* of the source that is being read */
	int64_t adapter;
	enum drg_kind kind;
};

/* Add a source after its last event; events of a source follow each other. */
static int reading_end_source(struct days_reading *x)
{
	const struct day_source s = { x->adapter, x->kind, drg_buf_view(&x->id), &x->events };
	int rc = days_add_source(x->d, &s, INT64_MAX, 1);
	drg_buf_clear(&x->events);
	return rc;
}

static int days_read_all(struct drg_survey_days *d, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_MAPPING_EVENT],
		                      .adapter = d->adapter,
		                      .one_kind = d->kind != DRG_KIND_NONE,
		                      .kind = d->kind };
	struct days_reading x = { .d = d };
	drg_buf_clear(&d->v);
	d->last_row = 0;
	drg_buf_init(&x.id, SIZE_MAX);
	drg_buf_init(&x.events, SIZE_MAX);
	for (drg_rows_scan(&rows, s, &f, reterr); drg_rows_next(&rows);) {
		const struct drg_record *r = &rows.row.r;
		const struct drg_str id = r->v[DRG_F_SOURCE_ID].s;
		d->last_row = rows.row.m.row > d->last_row ? rows.row.m.row : d->last_row;
		if (x.adapter != r->v[DRG_F_ADAPTER_ID].i || x.kind != drg_record_kind(r) ||
		    !drg_str_eq(drg_buf_view(&x.id), id)) {
			rows.rc = reading_end_source(&x);
			x.adapter = r->v[DRG_F_ADAPTER_ID].i;
			x.kind = drg_record_kind(r);
			drg_buf_clear(&x.id);
			drg_buf_str(&x.id, id);
		}
		rows.rc = rows.rc == DRG_OK && x.id.rc == DRG_OK ? event_take(&x.events, r, &rows.row.m)
		                                                 : DRG_ENOMEM;
	}
	int rc = drg_rows_end(&rows);
	d->upto = rows.clock;
	if (rc == DRG_OK)
		rc = reading_end_source(&x);
	drg_buf_done(&x.events);
	drg_buf_done(&x.id);
	return rc;
}

/* ---- reading later events ------------------------------------------------------------------------------ */

struct days_since {
	struct drg_survey_days *d;
	struct drg_clock to;
	int64_t last_row; /* highest row of all events so far */
	struct drg_arena ids;
	struct drg_buf sources; /* struct day_source */
	struct drg_buf events; /* of one */
	bool all; /* too many changes: read all sources */
};

static int since_compare(const void *pa, const void *pb)
{
	const struct day_source *a = pa, *b = pb;
	if (a->adapter != b->adapter)
		return a->adapter < b->adapter ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return drg_str_cmp(a->id, b->id);
}

/* Gather the sources that have new events. An event that was changed or removed was counted with its old
 * content, which is not known any more. The same is true of an event that was removed and written again: it
 * has its old row. */
static int since_gather(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct days_since *x = ctx;
	struct day_source s = { r->v[DRG_F_ADAPTER_ID].i, drg_record_kind(r), r->v[DRG_F_SOURCE_ID].s,
		                &x->events };
	size_t n = x->sources.n / sizeof s;
	const struct day_source *v = (const struct day_source *)(const void *)x->sources.p;
	x->all = r->deleted || m->created_seq <= x->d->upto.seq || m->row <= x->d->last_row || n == SINCE_MAX;
	if (x->all)
		return DRG_ELIMIT;
	if (m->row > x->last_row)
		x->last_row = m->row;
	if (n > 0 && since_compare(&v[n - 1], &s) == 0)
		return DRG_OK;
	s.id = drg_arena_str(&x->ids, s.id);
	drg_buf_add(&x->sources, &s, sizeof s);
	return s.id.p != NULL ? x->sources.rc : DRG_ENOMEM;
}

/* Subtract the old counts of a source and add the new ones. */
static int since_source(struct days_since *x, struct drg_store *s, const struct day_source *of,
                        struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_record key;
	drg_key_event(&key, of->adapter, of->kind, of->id);
	drg_buf_clear(&x->events);
	for (drg_rows_siblings(&rows, s, &key, 0, reterr); drg_rows_next(&rows);)
		rows.rc = event_take(&x->events, &rows.row.r, &rows.row.m);
	int rc = drg_rows_end(&rows);
	if (rc == DRG_OK)
		rc = days_add_source(x->d, of, x->d->upto.seq, -1);
	return rc == DRG_OK ? days_add_source(x->d, of, x->to.seq, 1) : rc;
}

static int since_sources(struct days_since *x, struct drg_store *s, struct drg_err *reterr)
{
	struct day_source *v = (struct day_source *)(void *)x->sources.p;
	size_t n = x->sources.n / sizeof *v;
	int rc = DRG_OK;
	if (n > 0)
		qsort(v, n, sizeof *v, since_compare);
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		if (i == 0 || since_compare(&v[i - 1], &v[i]) != 0)
			rc = since_source(x, s, &v[i], reterr);
	return rc;
}

static int days_read_since(struct days_since *x, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_feed_place place = { .seq = x->d->upto.seq, .type = DRG_FEED_END };
	int rc =
	        drg_store_feed_from(s, 1U << DRG_TYPE_MAPPING_EVENT, &place, since_gather, x, &x->to, reterr);
	if (rc == DRG_ELIMIT && x->all)
		return DRG_OK;
	if (rc == DRG_OK)
		rc = since_sources(x, s, reterr);
	if (rc == DRG_OK) {
		x->d->upto = x->to;
		x->d->last_row = x->last_row;
	}
	return rc;
}

/* Is the store a later state of the one that the counts were read from? */
static int days_follow_on(const struct drg_survey_days *d, struct drg_store *s, const struct drg_clock *now,
                          bool *ret, struct drg_err *reterr)
{
	int64_t branch = 0;
	*ret = d->read && strcmp(d->upto.epoch, now->epoch) == 0 && d->upto.seq <= now->seq;
	int rc = *ret ? drg_store_branch_at(s, d->upto.seq, &branch, reterr) : DRG_OK;
	*ret = *ret && branch == d->upto.branch;
	return rc;
}

static int days_read_held(struct drg_survey_days *d, struct drg_store *s, const struct drg_clock *now,
                          struct drg_err *reterr)
{
	struct days_since x = { .d = d, .to = *now, .last_row = d->last_row };
	bool follows;
	int rc = days_follow_on(d, s, now, &follows, reterr);
	if (rc != DRG_OK || (follows && now->seq == d->upto.seq))
		return rc;
	drg_arena_init(&x.ids, SIZE_MAX);
	drg_buf_init(&x.sources, SIZE_MAX);
	drg_buf_init(&x.events, SIZE_MAX);
	x.all = !follows || d->adapter != 0 || d->kind != DRG_KIND_NONE;
	if (!x.all)
		rc = days_read_since(&x, s, reterr);
	if (rc == DRG_OK && x.all)
		rc = days_read_all(d, s, reterr);
	d->read = rc == DRG_OK;
	drg_buf_done(&x.events);
	drg_buf_done(&x.sources);
	drg_arena_done(&x.ids);
	return rc == DRG_ENOMEM ? drg_fail_memory(reterr) : rc;
}

int drg_survey_days_read(struct drg_survey_days *d, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_clock now;
	int rc = drg_store_hold(s, &now, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = days_read_held(d, s, &now, reterr);
	drg_store_release(s);
	return rc;
}
