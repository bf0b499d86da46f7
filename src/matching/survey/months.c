#include <stdlib.h>
#include <time.h>

#include "matching/survey/days.h"
#include "store/uses.h"

enum { DAY_S = 86400 };

struct month_adding {
	const struct drg_survey_months *which;
	struct drg_buf v; /* struct drg_survey_month */
};

static int month_compare(const void *pa, const void *pb)
{
	const struct drg_survey_month *a = pa, *b = pb;
	if (a->adapter != b->adapter)
		return a->adapter < b->adapter ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	int month = (a->year - b->year) * 12 + a->month - b->month;
	return (month > 0) - (month < 0);
}

static struct drg_survey_month *month_at(const struct month_adding *x)
{
	return (struct drg_survey_month *)(void *)x->v.p;
}

/* Add a day; the days of a supplier and kind follow each other. */
static int months_add(struct month_adding *x, const struct drg_survey_day *day)
{
	const struct drg_survey_months *w = x->which;
	struct drg_survey_month m = { .adapter = w->split ? day->adapter : 0,
		                      .kind = w->split ? day->kind : DRG_KIND_NONE };
	struct tm tm;
	time_t at = (time_t)(day->day * DAY_S);
	if ((w->adapter != 0 && w->adapter != day->adapter) ||
	    (w->kind != DRG_KIND_NONE && w->kind != day->kind) || day->day < w->since_day ||
	    gmtime_r(&at, &tm) == NULL)
		return DRG_OK;
	m.year = tm.tm_year + 1900;
	m.month = tm.tm_mon + 1;
	size_t n = x->v.n / sizeof m;
	if (n == 0 || month_compare(&month_at(x)[n - 1], &m) != 0) {
		drg_buf_add(&x->v, &m, sizeof m);
		if (x->v.rc != DRG_OK)
			return x->v.rc;
		n++;
	}
	for (unsigned i = 0; i < DRG_SURVEY_COUNT; i++)
		month_at(x)[n - 1].n[i] += day->n[i];
	return DRG_OK;
}

static int month_asked(void *ctx, const struct drg_use *u)
{
	const struct drg_survey_day day = {
		.adapter = u->number, .kind = u->kind, .day = u->slot, .n = { [DRG_SURVEY_ASKED] = u->count }
	};
	return months_add(ctx, &day);
}

static bool month_has_some(const struct drg_survey_month *m)
{
	for (unsigned i = 0; i < DRG_SURVEY_COUNT; i++)
		if (m->n[i] != 0)
			return true;
	return false;
}

/* Report the sums of each month, unless all are 0 because records were only merged or the like. */
static int months_report(struct month_adding *x, drg_survey_month_fn *fn, void *ctx)
{
	struct drg_survey_month *v = month_at(x);
	size_t n = x->v.n / sizeof *v;
	int rc = DRG_OK;
	if (n > 1)
		qsort(v, n, sizeof *v, month_compare);
	for (size_t i = 0, end; i < n && rc == DRG_OK; i = end) {
		for (end = i + 1; end < n && month_compare(&v[i], &v[end]) == 0; end++)
			for (unsigned k = 0; k < DRG_SURVEY_COUNT; k++)
				v[i].n[k] += v[end].n[k];
		rc = month_has_some(&v[i]) ? fn(ctx, &v[i]) : DRG_OK;
	}
	return rc;
}

int drg_survey_by_month(struct drg_store *s, const struct drg_survey_days *d,
                        const struct drg_survey_months *which, drg_survey_month_fn *fn, void *ctx,
                        struct drg_err *reterr)
{
	struct month_adding x = { .which = which };
	const struct drg_survey_day *v = (const struct drg_survey_day *)(const void *)d->v.p;
	int64_t since_day = which->since_day > 0 ? which->since_day : 0;
	drg_buf_init(&x.v, SIZE_MAX);
	int rc = drg_store_uses(s, DRG_USE_ASKED, since_day, month_asked, &x, reterr);
	for (size_t i = 0; i < d->v.n / sizeof *v && rc == DRG_OK; i++)
		rc = months_add(&x, &v[i]);
	if (rc == DRG_OK)
		rc = months_report(&x, fn, ctx);
	drg_buf_done(&x.v);
	return rc == DRG_ENOMEM ? drg_fail_memory(reterr) : rc;
}
