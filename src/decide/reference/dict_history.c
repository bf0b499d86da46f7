#include "decide/reference/dict_history.h"

#include <assert.h>

#include "base/clock.h"
#include "text/stamp.h"

static void dict_event_text(struct drg_record *r, enum drg_field f, struct drg_str text)
{
	if (text.n > 0)
		drg_record_set_s(r, f, text);
}

int drg_dict_event_put(struct drg_txn *t, const struct drg_dict_event *e, struct drg_err *reterr)
{
	assert(e->kind < DRG_KIND_COUNT);
	struct drg_record r;
	enum drg_put_result result;
	char at[DRG_STAMP_TEXT];
	int64_t at_us;
	drg_key_dict_event(&r, e->kind, e->id);
	int rc = drg_event_at_beside(drg_txn_store(t), &r, drg_wall_us(), &at_us, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_record_set_s(&r, DRG_F_AT, drg_str(at, drg_stamp_text(at_us, at)));
	drg_record_set_i(&r, DRG_F_DICT_HOW, (int64_t)e->how);
	dict_event_text(&r, DRG_F_LANG, e->lang);
	dict_event_text(&r, DRG_F_NAME_WAS, e->was);
	dict_event_text(&r, DRG_F_NAME_IS, e->is);
	if (e->how == DRG_DICT_HOW_MERGE || e->how == DRG_DICT_HOW_SPLIT)
		drg_record_set_i(&r, DRG_F_MERGED_INTO, e->into);
	dict_event_text(&r, DRG_F_BY, e->by);
	dict_event_text(&r, DRG_F_WHY, e->why);
	return drg_txn_put(t, &r, &result, reterr);
}

int drg_dict_event_each(struct drg_store *s, enum drg_kind kind, int64_t id, drg_row_fn *fn, void *ctx,
                        struct drg_err *reterr)
{
	struct drg_record key;
	drg_key_dict_event(&key, kind, id);
	return drg_event_siblings(s, &key, fn, ctx, reterr);
}
