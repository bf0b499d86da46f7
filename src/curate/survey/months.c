#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "curate/survey/survey.h"
#include "text/stamp.h"

enum { FIRST_YEAR = 1970, YEARS = 200 };

struct month_reading {
	const struct drg_survey_months *which;
	struct drg_survey_month *months; /* YEARS * 12 */
	struct drg_survey_month before; /* of `since`: counted for the state of a source, and not told */
	struct drg_buf id; /* of the source whose events are read */
	int64_t adapter;
	enum drg_kind kind;
	bool by_matcher; /* what it is mapped to now is so by the matcher */
	drg_survey_month_fn *fn;
	void *ctx;
};

/* What was counted is told, and forgotten. */
static int months_tell(struct month_reading *x)
{
	int rc = DRG_OK;
	for (size_t i = 0; i < YEARS * 12 && rc == DRG_OK; i++) {
		struct drg_survey_month *m = &x->months[i];
		if (m->year == 0)
			continue;
		m->adapter = x->which->split ? x->adapter : 0;
		m->kind = x->which->split ? x->kind : DRG_KIND_NONE;
		rc = x->fn(x->ctx, m);
		*m = (struct drg_survey_month){ .year = 0 };
	}
	return rc;
}

static struct drg_survey_month *month_of(struct month_reading *x, const struct drg_record *event)
{
	int64_t us;
	struct tm tm;
	if (!drg_stamp_parse(event->v[DRG_F_AT].s, &us))
		return NULL;
	time_t at = (time_t)(us / 1000000);
	if (us < x->which->since_us)
		return &x->before;
	if (gmtime_r(&at, &tm) == NULL || tm.tm_year < FIRST_YEAR - 1900 ||
	    tm.tm_year >= FIRST_YEAR - 1900 + YEARS)
		return NULL;
	struct drg_survey_month *m = &x->months[(tm.tm_year + 1900 - FIRST_YEAR) * 12 + tm.tm_mon];
	m->year = tm.tm_year + 1900;
	m->month = tm.tm_mon + 1;
	return m;
}

static bool month_is_next_source(struct month_reading *x, const struct drg_record *r)
{
	struct drg_str id = r->v[DRG_F_SOURCE_ID].s;
	bool same = x->adapter == r->v[DRG_F_ADAPTER_ID].i && x->kind == drg_record_kind(r) &&
	            drg_str_eq(drg_buf_view(&x->id), id);
	if (same)
		return false;
	x->adapter = r->v[DRG_F_ADAPTER_ID].i;
	x->kind = drg_record_kind(r);
	drg_buf_clear(&x->id);
	drg_buf_str(&x->id, id);
	return true;
}

static bool month_is_kept(const struct drg_record *r)
{
	return drg_record_has(r, DRG_F_FROM) && drg_record_has(r, DRG_F_TO) &&
	       r->v[DRG_F_FROM].i == r->v[DRG_F_TO].i;
}

static void month_count(struct month_reading *x, struct drg_survey_month *m, const struct drg_record *r)
{
	bool kept = month_is_kept(r), was_its = x->by_matcher;
	x->by_matcher = false;
	switch ((enum drg_how)drg_record_i(r, DRG_F_HOW, DRG_HOW_SET)) {
	case DRG_HOW_MATCH:
		m->automatic++;
		x->by_matcher = true;
		break;
	case DRG_HOW_UNDO:
		if (drg_record_has(r, DRG_F_OF_BATCH)) {
			m->undone += was_its;
			break;
		}
		m->people++;
		m->overruled += was_its;
		break;
	case DRG_HOW_AUDIT:
		m->people++;
		m->confirmed += kept;
		m->overruled += !kept;
		break;
	case DRG_HOW_SET:
	case DRG_HOW_IMPORT:
		m->people++;
		m->overruled += was_its;
		break;
	default: x->by_matcher = was_its; break; /* merges and the like move it */
	}
}

static int month_event(void *ctx, const struct drg_record *r, const struct drg_row_meta *meta)
{
	(void)meta;
	struct month_reading *x = ctx;
	const struct drg_survey_months *w = x->which;
	if (w->split && (x->adapter != r->v[DRG_F_ADAPTER_ID].i || x->kind != drg_record_kind(r))) {
		int rc = months_tell(x);
		if (rc != DRG_OK)
			return rc;
	}
	if (month_is_next_source(x, r))
		x->by_matcher = false;
	struct drg_survey_month *m = month_of(x, r);
	if (m != NULL)
		month_count(x, m, r);
	return x->id.rc;
}

int drg_survey_by_month(struct drg_store *s, const struct drg_survey_months *which, drg_survey_month_fn *fn,
                        void *ctx, struct drg_err *reterr)
{
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_MAPPING_EVENT],
		                      .adapter = which->adapter,
		                      .one_kind = which->kind != DRG_KIND_NONE,
		                      .kind = which->kind };
	struct month_reading x = {
		.which = which, .months = calloc(YEARS * 12, sizeof *x.months), .fn = fn, .ctx = ctx
	};
	if (x.months == NULL)
		return drg_fail_memory(reterr);
	drg_buf_init(&x.id, 1 << 16);
	int rc = drg_store_scan(s, &f, month_event, &x, NULL, reterr);
	if (rc == DRG_OK)
		rc = months_tell(&x);
	drg_buf_done(&x.id);
	free(x.months);
	return rc;
}
