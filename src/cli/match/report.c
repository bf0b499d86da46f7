#include "cli/match/report.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "text/json.h"

static const char *const report_columns[] = { "adapter_id", "kind",    "id",         "name",       "outcome",
	                                      "reason",     "dict_id", "candidates", "explanation" };

static bool report_is_table(const char *path)
{
	size_t n = strlen(path);
	return n > 4 && (strcmp(path + n - 4, ".csv") == 0 || (n > 5 && strcmp(path + n - 5, ".xlsx") == 0));
}

static int report_failed(struct drg_err *reterr)
{
	return drg_fail(reterr, drg_rc_from_errno(errno), NULL, "report", "the report cannot be written: %s",
	                strerror(errno));
}

int drg_match_report_open(const char *path, struct drg_match_report *ret, struct drg_err *reterr)
{
	struct drg_str cells[DRG_ARRAY_LEN(report_columns)];
	*ret = (struct drg_match_report){ .lines = NULL };
	drg_buf_init(&ret->line, 1 << 20);
	drg_buf_init(&ret->candidates, 1 << 20);
	if (path == NULL)
		return DRG_OK;
	if (!report_is_table(path)) {
		ret->lines = fopen(path, "we");
		return ret->lines != NULL ? DRG_OK
		                          : drg_fail(reterr, drg_rc_from_errno(errno), NULL, "report",
		                                     "--report %s: %s", path, strerror(errno));
	}
	int rc = drg_table_out_open(path, true, '\0', &ret->table, reterr);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cells); i++)
		cells[i] = drg_str_c(report_columns[i]);
	if (rc == DRG_OK)
		drg_table_out_row(ret->table, cells, DRG_ARRAY_LEN(cells));
	return rc;
}

/* ---- NDJSON -------------------------------------------------------------------------------------------- */

static double report_bits(double bits)
{
	return (double)(int64_t)(bits * 100) / 100;
}

static void report_ranked(struct drg_jw *w, const struct drg_automap_result *r)
{
	drg_jw_member_array(w, "candidates");
	for (unsigned i = 0; i < r->n_ranked && i < DRG_HOTEL_SHOWN; i++) {
		drg_jw_object(w);
		drg_jw_member_i64(w, "dict_id", r->ranked[i].dict_id);
		drg_jw_member_real(w, "bits", report_bits(r->ranked[i].bits));
		drg_jw_object_end(w);
	}
	drg_jw_array_end(w);
	drg_jw_member_i64(w, "compared", r->candidates);
}

static int report_line(struct drg_match_report *x, const struct drg_automap_result *r, struct drg_err *reterr)
{
	struct drg_jw w = { .b = &x->line };
	drg_buf_clear(&x->line);
	drg_jw_object(&w);
	drg_jw_member_i64(&w, "adapter_id", r->adapter);
	drg_jw_member_str(&w, "kind", drg_str_c(drg_kind_name(r->kind)));
	drg_jw_member_str(&w, "id", r->id);
	drg_jw_member_str(&w, "name", r->name);
	drg_jw_member_str(&w, "outcome", drg_str_c(drg_outcome_name(r->outcome)));
	drg_jw_member_str(&w, "reason", drg_str_c(drg_reason_name(r->reason)));
	drg_jw_member_i64_or_null(&w, "dict_id", r->has_dict, r->dict_id);
	if (drg_kind_compared(r->kind) == DRG_COMPARED_HOTELS)
		report_ranked(&w, r);
	drg_jw_member_str(&w, "explanation", r->explanation);
	drg_jw_object_end(&w);
	drg_buf_char(&x->line, '\n');
	if (x->line.rc != DRG_OK)
		return drg_fail_memory(reterr);
	return fwrite(x->line.p, 1, x->line.n, x->lines) == x->line.n ? DRG_OK : report_failed(reterr);
}

/* ---- tables -------------------------------------------------------------------------------------------- */

/* "55 (10.1), 77 (-2.3)" */
static struct drg_str report_candidates(struct drg_match_report *x, const struct drg_automap_result *r)
{
	drg_buf_clear(&x->candidates);
	for (unsigned i = 0;
	     i < r->n_ranked && i < DRG_HOTEL_SHOWN && drg_kind_compared(r->kind) == DRG_COMPARED_HOTELS; i++)
		drg_buf_printf(&x->candidates, "%s%" PRId64 " (%.1f)", i > 0 ? ", " : "",
		               r->ranked[i].dict_id, r->ranked[i].bits);
	return drg_buf_view(&x->candidates);
}

static void report_row(struct drg_match_report *x, const struct drg_automap_result *r)
{
	char adapter[DRG_I64_TEXT], dict[DRG_I64_TEXT];
	const struct drg_str cells[DRG_ARRAY_LEN(report_columns)] = {
		drg_str(adapter, drg_i64_text(r->adapter, adapter)),
		drg_str_c(drg_kind_name(r->kind)),
		r->id,
		r->name,
		drg_str_c(drg_outcome_name(r->outcome)),
		drg_str_c(drg_reason_name(r->reason)),
		drg_str(dict, r->has_dict ? drg_i64_text(r->dict_id, dict) : 0),
		report_candidates(x, r),
		r->explanation,
	};
	drg_table_out_row(x->table, cells, DRG_ARRAY_LEN(cells));
}

int drg_match_report_add(struct drg_match_report *x, const struct drg_automap_result *r,
                         struct drg_err *reterr)
{
	if (x->table != NULL)
		report_row(x, r);
	return x->lines != NULL ? report_line(x, r, reterr) : DRG_OK;
}

int drg_match_report_close(struct drg_match_report *x, int rc, struct drg_err *reterr)
{
	struct drg_err e;
	if (drg_table_out_close(x->table, &e) != DRG_OK && rc == DRG_OK) {
		rc = e.code;
		*reterr = e;
	}
	if (x->lines != NULL && fclose(x->lines) != 0 && rc == DRG_OK)
		rc = report_failed(reterr);
	drg_buf_done(&x->line);
	drg_buf_done(&x->candidates);
	return rc;
}
