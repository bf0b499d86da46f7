/* GET curate/day: how far the day's work is, by person (decision C14). */
#include "api/curate_words.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "base/clock.h"
#include "text/stamp.h"

enum { LOOKED_MAX = 50000, MS_US = 1000 };
static const int64_t HOUR_US = 3600 * INT64_C(1000000), DAY_US = 24 * 3600 * INT64_C(1000000);

struct day_person {
	struct drg_str name;
	bool decides; /* has signed in as who may, and may still */
	int64_t done, hour; /* since then, within the last hour */
	struct day_person *next;
};

struct day_work {
	int64_t since_us, now_us;
	struct drg_arena *arena;
	struct day_person *people;
	size_t looked;
	bool more; /* earlier ones were not looked at */
	bool stopped;
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

static int day_take_person(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct day_work *d = ctx;
	(void)m;
	if (drg_record_i(r, DRG_F_DISABLED, 0) != 0 ||
	    drg_record_i(r, DRG_F_PERSON_ROLE, DRG_PERSON_VIEWER) == DRG_PERSON_VIEWER)
		return DRG_OK;
	struct day_person *p = day_person(d, drg_record_s(r, DRG_F_NAME));
	if (p == NULL)
		return DRG_ENOMEM;
	p->decides = true;
	return DRG_OK;
}

/* What a person decides is one more, what is taken back one less. */
static int64_t day_counts(const struct drg_record *r)
{
	switch (drg_record_i(r, DRG_F_HOW, DRG_HOW_SET)) {
	case DRG_HOW_SET:
	case DRG_HOW_AUDIT: return 1;
	case DRG_HOW_UNDO: return -1;
	default: return 0;
	}
}

/* The latest first; within a millisecond in another order than by time. */
static int day_take_event(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct day_work *d = ctx;
	struct drg_str by = drg_record_s(r, DRG_F_BY);
	int64_t at_us;
	(void)m;
	if (drg_record_find_unknown_enum(r) != NULL || !drg_stamp_parse(r->v[DRG_F_AT].s, &at_us))
		return DRG_OK;
	d->more = ++d->looked > LOOKED_MAX;
	d->stopped = d->more || at_us < d->since_us - MS_US;
	if (d->stopped)
		return DRG_ESTOPPED;
	const int64_t counts = day_counts(r);
	if (at_us < d->since_us || by.n == 0 || counts == 0)
		return DRG_OK;
	struct day_person *p = day_person(d, by);
	if (p == NULL)
		return DRG_ENOMEM;
	p->done += counts;
	p->hour += at_us > d->now_us - HOUR_US ? counts : 0;
	return DRG_OK;
}

static int day_run(void *work, struct drg_store *s, struct drg_arena *arena, struct drg_err *reterr)
{
	struct day_work *d = work;
	const struct drg_filter people = { .type = &drg_types[DRG_TYPE_PERSON] };
	const struct drg_filter events = { .type = &drg_types[DRG_TYPE_MAPPING_EVENT], .latest_first = true };
	d->arena = arena;
	d->people = NULL;
	d->looked = 0;
	d->stopped = d->more = false;
	int rc = drg_store_scan(s, &people, day_take_person, d, NULL, reterr);
	if (rc == DRG_OK)
		rc = drg_store_scan(s, &events, day_take_event, d, NULL, reterr);
	return rc == DRG_ESTOPPED && d->stopped ? DRG_OK : rc;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

static void day_number(struct drg_jw *w, const char *name, int64_t n)
{
	drg_jw_key(w, name);
	drg_jw_i64(w, n > 0 ? n : 0);
}

static int day_write(struct drg_reading *r, void *work)
{
	const struct day_work *d = work;
	drg_items_begin(&r->w);
	for (const struct day_person *p = d->people; p != NULL; p = p->next) {
		drg_jw_object(&r->w);
		drg_text_or_null(&r->w, "person", p->name);
		drg_jw_key(&r->w, "decides");
		drg_jw_bool(&r->w, p->decides);
		day_number(&r->w, "done", p->done);
		day_number(&r->w, "hour", p->hour);
		drg_jw_object_end(&r->w);
	}
	drg_jw_array_end(&r->w);
	drg_jw_key(&r->w, "since");
	drg_curate_time(&r->w, d->since_us);
	drg_jw_key(&r->w, "more");
	drg_jw_bool(&r->w, d->more);
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
	d->since_us = d->now_us - d->now_us % DAY_US;
	int rc = drg_curate_since(x, &d->since_us);
	return rc == DRG_OK ? drg_store_work_run(x, day_run, day_write, d) : rc;
}

static const struct drg_param params[] = {
	{ .name = "since",
	  .type = DRG_P_TEXT,
	  .max = 64,
	  .doc = "when the day began: a time with its zone; midnight in UTC when absent" },
	{ 0 },
};

const struct drg_endpoint drg_curate_day[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/day",
	  .name = "curateDay",
	  .handler = curate_day,
	  .auth = DRG_AUTH_PERSON,
	  .params = params,
	  .summary = "How much each person has decided today" },
	{ 0 },
};
