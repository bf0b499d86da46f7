/* GET curate/day: how far the day's work is, by person (decision C14). */
#include <stdlib.h>

#include "api/curate_words.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "base/clock.h"
#include "decide/standing.h"
#include "text/stamp.h"

enum { DAY_LOOKED_MAX = 50000 };
static const int64_t HOUR_US = 3600 * INT64_C(1000000);

struct day_person {
	struct drg_str name;
	bool decides; /* has signed in as who may, and may still */
	int64_t done, hour; /* since then, within the last hour */
	struct day_person *next;
};

/* A change of a supplier's record since then. */
struct day_change {
	int64_t adapter, at_us, seq;
	enum drg_kind kind;
	struct drg_str id;
	struct drg_event_gist is;
	struct day_person *by; /* who judged it; NULL: nobody */
	bool taken_back;
};

struct day_work {
	int64_t since_us, now_us;
	struct drg_arena *arena;
	struct day_person *people;
	struct drg_buf events; /* struct day_change */
	bool more; /* earlier ones were not looked at */
};

/* ---- on a thread of the readers ------------------------------------------------------------------------ */

static struct day_person *day_person(struct day_work *d, struct drg_str name)
{
	struct day_person **at = &d->people;
	while (*at != NULL && !drg_str_eq((*at)->name, name))
		at = &(*at)->next;
	if (*at == NULL && (*at = drg_arena_calloc(d->arena, 1, sizeof **at)) != NULL)
		(*at)->name = drg_arena_str(d->arena, name);
	return *at != NULL && (*at)->name.p != NULL ? *at : NULL;
}

static int day_read_people(struct day_work *d, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_PERSON] };
	for (drg_rows_scan(&rows, s, &f, reterr); drg_rows_next(&rows);) {
		const struct drg_record *r = &rows.row.r;
		if (drg_record_i(r, DRG_F_DISABLED, 0) != 0 ||
		    drg_record_i(r, DRG_F_PERSON_ROLE, DRG_PERSON_VIEWER) == DRG_PERSON_VIEWER)
			continue;
		struct day_person *p = day_person(d, drg_record_s(r, DRG_F_NAME));
		if (p != NULL)
			p->decides = true;
		else
			rows.rc = DRG_ENOMEM;
	}
	return drg_rows_end(&rows);
}

static int day_add_event(struct day_work *d, const struct drg_record *r, struct day_change e)
{
	struct drg_str by = drg_record_s(r, DRG_F_BY);
	bool judged = by.n > 0 && (e.is.how == DRG_HOW_SET || e.is.how == DRG_HOW_AUDIT);
	e.adapter = r->v[DRG_F_ADAPTER_ID].i;
	e.kind = drg_record_kind(r);
	e.id = drg_arena_str(d->arena, r->v[DRG_F_SOURCE_ID].s);
	e.by = judged ? day_person(d, by) : NULL;
	if (e.id.p == NULL || (judged && e.by == NULL))
		return DRG_ENOMEM;
	drg_buf_add(&d->events, &e, sizeof e);
	return d->events.rc;
}

/* The latest first; within a millisecond in another order than by time. */
static int day_read_events(struct day_work *d, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_MAPPING_EVENT], .latest_first = true };
	size_t looked = 0;
	for (drg_rows_scan(&rows, s, &f, reterr); drg_rows_next(&rows);) {
		const struct drg_record *r = &rows.row.r;
		struct day_change e = { .seq = rows.row.m.created_seq, .is = drg_event_gist(r) };
		if (drg_record_find_unknown_enum(r) != NULL || !drg_stamp_parse(r->v[DRG_F_AT].s, &e.at_us))
			continue;
		d->more = ++looked > DAY_LOOKED_MAX;
		if (d->more || e.at_us < d->since_us - 1000)
			break;
		if (e.at_us >= d->since_us && e.is.how != DRG_HOW_MERGE && e.is.how != DRG_HOW_SPLIT)
			rows.rc = day_add_event(d, r, e);
	}
	return drg_rows_end(&rows);
}

static int day_compare_source(const struct day_change *a, const struct day_change *b)
{
	if (a->adapter != b->adapter)
		return a->adapter < b->adapter ? -1 : 1;
	return a->kind != b->kind ? (a->kind > b->kind) - (a->kind < b->kind) : drg_str_cmp(a->id, b->id);
}

static int day_compare(const void *pa, const void *pb)
{
	const struct day_change *a = pa, *b = pb;
	int order = day_compare_source(a, b);
	if (order != 0)
		return order;
	return a->at_us != b->at_us ? (a->at_us > b->at_us) - (a->at_us < b->at_us)
	                            : (a->seq > b->seq) - (a->seq < b->seq);
}

/* An undo reverses the last of the record that stands; an audit only if it is the audit that it undoes. */
static void day_take_back(struct day_change *v, size_t at)
{
	v[at].taken_back = true;
	for (size_t i = at; i > 0 && day_compare_source(&v[i - 1], &v[at]) == 0; i--) {
		struct day_change *of = &v[i - 1];
		if (!of->taken_back &&
		    (of->is.how != DRG_HOW_AUDIT || drg_event_takes_back(v[at].is, of->is))) {
			of->taken_back = true;
			return;
		}
	}
}

/* Count the day's decisions. An undone decision no longer counts for the person who made it. */
static void day_count(struct day_work *d)
{
	struct day_change *v = (struct day_change *)(void *)d->events.p;
	size_t n = d->events.n / sizeof *v;
	if (n > 1)
		qsort(v, n, sizeof *v, day_compare);
	for (size_t i = 0; i < n; i++)
		if (v[i].is.how == DRG_HOW_UNDO)
			day_take_back(v, i);
	for (size_t i = 0; i < n; i++) {
		if (v[i].taken_back || v[i].by == NULL)
			continue;
		v[i].by->done++;
		v[i].by->hour += v[i].at_us > d->now_us - HOUR_US;
	}
}

static int day_run(void *work, struct drg_store *s, struct drg_arena *arena, struct drg_err *reterr)
{
	struct day_work *d = work;
	d->arena = arena;
	d->people = NULL;
	d->more = false;
	drg_buf_init(&d->events, SIZE_MAX);
	int rc = day_read_people(d, s, reterr);
	if (rc == DRG_OK)
		rc = day_read_events(d, s, reterr);
	if (rc == DRG_OK)
		day_count(d);
	drg_buf_done(&d->events);
	return rc;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

static int day_write(struct drg_reading *r, void *work)
{
	const struct day_work *d = work;
	drg_items_begin(&r->w);
	for (const struct day_person *p = d->people; p != NULL; p = p->next) {
		drg_jw_object(&r->w);
		drg_text_or_null(&r->w, "person", p->name);
		drg_jw_member_bool(&r->w, "decides", p->decides);
		drg_jw_member_i64(&r->w, "done", p->done);
		drg_jw_member_i64(&r->w, "hour", p->hour);
		drg_jw_object_end(&r->w);
	}
	drg_jw_array_end(&r->w);
	drg_jw_key(&r->w, "since");
	drg_curate_time(&r->w, d->since_us);
	drg_jw_member_bool(&r->w, "more", d->more);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

static int curate_day(struct drg_exchange *x)
{
	struct day_work *d = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *d);
	if (d == NULL)
		return DRG_ENOMEM;
	d->now_us = drg_wall_us();
	d->since_us = d->now_us - d->now_us % DRG_DAY_US;
	int rc = drg_curate_since(x, &d->since_us);
	return rc == DRG_OK ? drg_store_work_run(x, day_run, day_write, d) : rc;
}

static const struct drg_param day_params[] = {
	{ .name = "since",
	  .type = DRG_P_TEXT,
	  .max = 64,
	  .schema = DRG_SCHEMA_PAST,
	  .doc = "when the day began: a time with its zone; midnight in UTC when absent" },
	{ 0 },
};

const struct drg_endpoint drg_curate_day[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/day",
	  .name = "curateDay",
	  .handler = curate_day,
	  .auth = DRG_AUTH_PERSON,
	  .params = day_params,
	  .summary = "How much each person has decided today" },
	{ 0 },
};
