#include "store/reports.h"

#include <stdlib.h>

static int suppliers_take(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct drg_suppliers *s = ctx;
	(void)m;
	if (s->n == s->room) {
		size_t room = s->room > 0 ? 2 * s->room : 64;
		struct drg_report_supplier *v = drg_arena_alloc(s->arena, room * sizeof *v);
		if (v == NULL)
			return DRG_ENOMEM;
		if (s->n > 0)
			memcpy(v, s->v, s->n * sizeof *v);
		s->v = v;
		s->room = room;
	}
	struct drg_report_supplier *one = &s->v[s->n++];
	*one = (struct drg_report_supplier){ r->v[DRG_F_ID].i,
		                             drg_arena_str(s->arena, drg_record_s(r, DRG_F_CODE)),
		                             drg_arena_str(s->arena, drg_record_s(r, DRG_F_NAME)) };
	return one->code.p != NULL && one->name.p != NULL ? DRG_OK : DRG_ENOMEM;
}

int drg_suppliers_load(struct drg_store *s, struct drg_arena *arena, struct drg_suppliers *ret,
                       struct drg_err *reterr)
{
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_ADAPTER] };
	*ret = (struct drg_suppliers){ .arena = arena };
	struct drg_rows rows;
	int rc = drg_rows_each(drg_rows_scan(&rows, s, &f, reterr), suppliers_take, ret);
	return rc == DRG_ENOMEM ? drg_fail_memory(reterr) : rc;
}

static int suppliers_compare(const void *key, const void *row)
{
	int64_t id = *(const int64_t *)key, other = ((const struct drg_report_supplier *)row)->id;
	return id < other ? -1 : id > other;
}

struct drg_report_supplier drg_suppliers_find(struct drg_suppliers *s, int64_t id)
{
	const struct drg_report_supplier *one =
	        s->n > 0 ? bsearch(&id, s->v, s->n, sizeof *s->v, suppliers_compare) : NULL;
	return one != NULL
	               ? *one
	               : (struct drg_report_supplier){ .id = id,
		                                       .code = { s->number, drg_i64_text(id, s->number) } };
}

int drg_suppliers_list(struct drg_suppliers *s, struct drg_str ids, struct drg_report_suppliers *ret,
                       struct drg_err *reterr)
{
	struct drg_buf codes;
	struct drg_str rest = ids, one;
	int64_t id;
	drg_buf_init(&codes, SIZE_MAX);
	while (rest.n > 0 && drg_str_split(&rest, ',', &one)) {
		if (!drg_str_to_i64(drg_str_trim(one), &id))
			continue;
		const struct drg_str code = drg_suppliers_find(s, id).code;
		drg_buf_printf(&codes, "%s%.*s", codes.n > 0 ? "," : "", DRG_STR_ARG(code));
	}
	*ret = (struct drg_report_suppliers){ ids, drg_arena_str(s->arena, drg_buf_view(&codes)) };
	bool failed = codes.rc != DRG_OK || ret->codes.p == NULL;
	drg_buf_done(&codes);
	return failed ? drg_fail_memory(reterr) : DRG_OK;
}
