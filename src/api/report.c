#include "api/report.h"

static bool report_can_read(const struct drg_report_response *a, const void *row)
{
	for (const struct drg_report_column *c = a->report->columns; c->name != NULL; c++) {
		const struct drg_report_supplier *s = (const void *)((const char *)row + c->offset);
		if (c->type == DRG_REPORT_SUPPLIER && !drg_api_can_read(a->x, s->id))
			return false;
	}
	return true;
}

static int report_take(void *answer, const void *row)
{
	struct drg_report_response *a = answer;
	if (!report_can_read(a, row))
		return DRG_OK;
	a->more = a->limit > 0 && a->n == a->limit;
	if (a->more)
		return DRG_ESTOPPED;
	a->n++;
	drg_report_json(&a->w, a->report, row, a->skip | DRG_REPORT_COMMAND);
	return a->w.b->rc;
}

static int report_run(void *answer, struct drg_store *s, struct drg_arena *arena, struct drg_err *reterr)
{
	struct drg_report_response *a = answer;
	struct drg_buf rows;
	drg_buf_init(&rows, SIZE_MAX);
	a->w = (struct drg_jw){ .b = &rows };
	a->n = 0;
	a->more = false;
	int rc = a->query(s, a->asked, arena, report_take, a, reterr);
	if (rc == DRG_ESTOPPED && a->more)
		rc = DRG_OK;
	if (rc == DRG_OK && a->also != NULL)
		rc = a->also(a->asked, s, arena, reterr);
	if (rc == DRG_OK)
		a->items = drg_arena_str(arena, drg_buf_view(&rows));
	if (rows.rc != DRG_OK || (rc == DRG_OK && a->items.p == NULL))
		rc = drg_fail_memory(reterr);
	drg_buf_done(&rows);
	return rc;
}

static int report_write(struct drg_reading *r, void *answer)
{
	const struct drg_report_response *a = answer;
	drg_items_begin(&r->w);
	if (a->items.n > 0)
		drg_jw_raw(&r->w, a->items);
	drg_jw_array_end(&r->w);
	int rc = a->tail != NULL ? a->tail(r, answer) : DRG_OK;
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return rc;
}

int drg_report_respond(struct drg_exchange *x, const struct drg_report_response *a)
{
	struct drg_report_response *copy = drg_arena_alloc(drg_exchange_arena(x), sizeof *copy);
	if (copy == NULL)
		return DRG_ENOMEM;
	*copy = *a;
	copy->x = x;
	return a->slow ? drg_slow_work_run(x, report_run, report_write, copy)
	               : drg_store_work_run(x, report_run, report_write, copy);
}

int drg_report_more(struct drg_reading *r, void *answer)
{
	const struct drg_report_response *a = answer;
	drg_jw_member_bool(&r->w, "more", a->more);
	return DRG_OK;
}
