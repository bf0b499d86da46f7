#include "matching/survey/reports.h"

#include <stdio.h>

#include "store/coverage.h"
#include "store/uses.h"

/* ---- coverage -------------------------------------------------------------------------------------------- */

struct coverage_row {
	struct drg_report_supplier supplier;
	enum drg_kind kind;
	int64_t records, mapped, unmapped, percent, requests, requests_mapped, percent_of_requests;
	int64_t records_since, mapped_since;
};

/* clang-format off */
#define COVERAGE(...) DRG_REPORT_COLUMN(struct coverage_row, __VA_ARGS__)
const struct drg_report drg_coverage_report = { "CurateCovered", (const struct drg_report_column[]){
	COVERAGE(supplier, SUPPLIER, 20, .flags = DRG_REPORT_NULL, .doc = "name of the supplier"),
	COVERAGE(kind, KIND, 16, .doc = "kind of the records"),
	COVERAGE(records, INT, -10, .doc = "number of records"),
	COVERAGE(mapped, INT, -10, .doc = "number of mapped records"),
	COVERAGE(unmapped, INT, -10, .flags = DRG_REPORT_COMMAND),
	COVERAGE(percent, TENTHS, -7, .flags = DRG_REPORT_COMMAND),
	COVERAGE(requests, INT, -10, .doc = "number of ids that clients requested"),
	COVERAGE(requests_mapped, INT, -15, .flags = DRG_REPORT_JSON,
		.doc = "number of requested ids that were mapped"),
	COVERAGE(percent_of_requests, TENTHS, -19, .flags = DRG_REPORT_COMMAND),
	COVERAGE(records_since, INT, -13, .flags = DRG_REPORT_OPTIONAL, .doc = "growth of records"),
	COVERAGE(mapped_since, INT, -12, .flags = DRG_REPORT_OPTIONAL, .doc = "growth of mapped records"),
	{ 0 } } };
#undef COVERAGE
/* clang-format on */

struct coverage_reading {
	struct drg_coverage_wanted *wanted;
	struct drg_suppliers suppliers;
	struct drg_buf uses; /* struct drg_use: for each supplier and kind the sum of the days */
	drg_report_row_fn *fn;
	void *ctx;
};

static int coverage_take_use(void *ctx, const struct drg_use *u)
{
	struct coverage_reading *k = ctx;
	struct drg_use *last = k->uses.n > 0 ? (struct drg_use *)(void *)(k->uses.p + k->uses.n) - 1 : NULL;
	if (last != NULL && last->number == u->number && last->kind == u->kind) {
		last->count += u->count;
		last->mapped += u->mapped;
		return DRG_OK;
	}
	drg_buf_add(&k->uses, u, sizeof *u);
	return k->uses.rc;
}

/* In tenths of a per cent, rounded down, so that 100 means all. */
static int64_t coverage_tenths(int64_t part, int64_t all)
{
	return all > 0 ? part * 1000 / all : INT64_MIN;
}

static int coverage_take(void *ctx, const struct drg_coverage *c)
{
	char number[DRG_I64_TEXT];
	struct coverage_reading *k = ctx;
	struct drg_coverage_wanted *w = k->wanted;
	const struct drg_use *u = (const struct drg_use *)(const void *)k->uses.p;
	if ((c->records == 0 && c->records_since == 0) || (w->adapter != 0 && c->adapter != w->adapter) ||
	    (w->kind != DRG_KIND_NONE && c->kind != w->kind))
		return DRG_OK;
	struct coverage_row row = { .supplier = drg_suppliers_find(&k->suppliers, c->adapter, number),
		                    .kind = c->kind,
		                    .records = c->records,
		                    .mapped = c->mapped,
		                    .unmapped = c->records - c->mapped,
		                    .percent = coverage_tenths(c->mapped, c->records),
		                    .records_since = c->records_since,
		                    .mapped_since = c->mapped_since };
	for (size_t i = 0; i < k->uses.n / sizeof *u; i++)
		if (u[i].number == c->adapter && u[i].kind == c->kind) {
			row.requests = u[i].count;
			row.requests_mapped = u[i].mapped;
		}
	row.percent_of_requests = coverage_tenths(
	        row.requests_mapped < row.requests ? row.requests_mapped : row.requests, row.requests);
	w->below += c->mapped * 100 < w->min * c->records;
	return k->fn(k->ctx, &row);
}

int drg_coverage_query(struct drg_store *s, void *asked, struct drg_arena *arena, drg_report_row_fn *fn,
                       void *ctx, struct drg_err *reterr)
{
	struct coverage_reading k = { .wanted = asked, .fn = fn, .ctx = ctx };
	k.wanted->below = 0;
	drg_buf_init(&k.uses, SIZE_MAX);
	int rc = drg_suppliers_load(s, arena, &k.suppliers, reterr);
	if (rc == DRG_OK)
		rc = drg_store_uses(s, DRG_USE_KIND, k.wanted->since_day, coverage_take_use, &k, reterr);
	if (rc == DRG_OK)
		rc = drg_store_coverage(s, k.wanted->since ? k.wanted->since_day : INT64_MAX, coverage_take,
		                        &k, reterr);
	drg_buf_done(&k.uses);
	return rc;
}

/* ---- agreement ------------------------------------------------------------------------------------------- */

struct agreement_row {
	struct drg_report_supplier supplier;
	enum drg_kind kind;
	struct drg_str month;
	int64_t automatic, asked, people, confirmed, overruled, undone;
};

/* clang-format off */
#define AGREEMENT(...) DRG_REPORT_COLUMN(struct agreement_row, __VA_ARGS__)
const struct drg_report drg_agreement_report = { "CurateAgreed", (const struct drg_report_column[]){
	AGREEMENT(supplier, SUPPLIER, 20, .flags = DRG_REPORT_ENDPOINT | DRG_REPORT_NULL,
		.doc = "name of the supplier"),
	AGREEMENT(kind, KIND, 16, .flags = DRG_REPORT_ENDPOINT, .doc = "kind of the records"),
	AGREEMENT(month, TEXT, 8, .doc = "month (UTC), as 2026-11"),
	AGREEMENT(automatic, INT, -10, .doc = "mappings that the matcher made"),
	AGREEMENT(asked, INT, -10, .doc = "records that entered the queue"),
	AGREEMENT(people, INT, -10, .doc = "mappings that curators made or removed"),
	AGREEMENT(confirmed, INT, -10, .doc = "mappings of the matcher that an audit judged right"),
	AGREEMENT(overruled, INT, -10, .doc = "mappings of the matcher that curators removed or changed"),
	AGREEMENT(undone, INT, -10, .doc = "mappings of the matcher that were undone with their batch"),
	{ 0 } } };
#undef AGREEMENT
/* clang-format on */

struct agreement_reading {
	struct drg_suppliers suppliers;
	drg_report_row_fn *fn;
	void *ctx;
};

static int agreement_take(void *ctx, const struct drg_survey_month *m)
{
	char number[DRG_I64_TEXT];
	struct agreement_reading *k = ctx;
	char month[32];
	const int n = snprintf(month, sizeof month, "%04d-%02d", m->year, m->month);
	const struct agreement_row row = { .supplier = drg_suppliers_find(&k->suppliers, m->adapter, number),
		                           .kind = m->kind,
		                           .month = drg_str(month, (size_t)n),
		                           .automatic = m->n[DRG_SURVEY_AUTOMATIC],
		                           .asked = m->n[DRG_SURVEY_ASKED],
		                           .people = m->n[DRG_SURVEY_PEOPLE],
		                           .confirmed = m->n[DRG_SURVEY_CONFIRMED],
		                           .overruled = m->n[DRG_SURVEY_OVERRULED],
		                           .undone = m->n[DRG_SURVEY_UNDONE] };
	return k->fn(k->ctx, &row);
}

int drg_agreement_query(struct drg_store *s, void *asked, struct drg_arena *arena, drg_report_row_fn *fn,
                        void *ctx, struct drg_err *reterr)
{
	const struct drg_agreement_wanted *w = asked;
	struct agreement_reading k = { .fn = fn, .ctx = ctx };
	struct drg_survey_days days;
	drg_survey_days_init(&days, w->which.adapter, w->which.kind);
	int rc = w->days != NULL ? w->days(w->ctx, s, &days, reterr) : drg_survey_days_read(&days, s, reterr);
	if (rc == DRG_OK)
		rc = drg_suppliers_load(s, arena, &k.suppliers, reterr);
	if (rc == DRG_OK)
		rc = drg_survey_by_month(s, &days, &w->which, agreement_take, &k, reterr);
	drg_survey_days_done(&days);
	return rc;
}
