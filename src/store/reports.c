#include "store/reports.h"

int drg_suppliers_load(struct drg_store *s, struct drg_arena *arena, struct drg_suppliers *ret,
                       struct drg_err *reterr)
{
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_ADAPTER] };
	struct drg_report_supplier *v = NULL;
	size_t n = 0, room = 0;
	struct drg_rows rows;
	for (drg_rows_scan(&rows, s, &f, reterr); drg_rows_next(&rows); n++) {
		const struct drg_record *r = &rows.row.r;
		if (n == room) {
			room = room > 0 ? 2 * room : 64;
			struct drg_report_supplier *larger = drg_arena_alloc(arena, room * sizeof *larger);
			if (larger == NULL) {
				rows.rc = drg_fail_memory(reterr);
				break;
			}
			if (n > 0)
				memcpy(larger, v, n * sizeof *v);
			v = larger;
		}
		v[n] = (struct drg_report_supplier){ r->v[DRG_F_ID].i,
			                             drg_arena_str(arena, drg_record_s(r, DRG_F_CODE)),
			                             drg_arena_str(arena, drg_record_s(r, DRG_F_NAME)) };
		if (v[n].code.p == NULL || v[n].name.p == NULL)
			rows.rc = drg_fail_memory(reterr);
	}
	*ret = (struct drg_suppliers){ v, n };
	return drg_rows_end(&rows);
}
