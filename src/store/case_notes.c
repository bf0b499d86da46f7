#include "store/case_notes.h"

#include <assert.h>

#include "store/side_priv.h"

int drg_txn_case_note(struct drg_txn *t, const struct drg_case_note *n, struct drg_err *reterr)
{
	assert(n->what.n > 0 && n->id.n > 0);
	return drg_txn_side_put(t, DRG_SIDE_NOTE, n, reterr);
}

DRG_SIDE_READER(note, drg_case_note_fn)

int drg_store_case_notes(struct drg_store *s, int64_t adapter, enum drg_kind kind, struct drg_str id,
                         drg_case_note_fn *fn, void *ctx, struct drg_err *reterr)
{
	const struct drg_side_values v = { 3, { drg_side_i(adapter), drg_side_i(kind), drg_side_s(id) } };
	struct note_reading x = { .fn = fn, .ctx = ctx };
	return drg_store_side(s, DRG_SIDE_NOTES_OF, &v, note_read, &x, reterr);
}

int drg_store_each_case_note(struct drg_store *s, drg_case_note_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct note_reading x = { .fn = fn, .ctx = ctx };
	return drg_store_side(s, DRG_SIDE_ALL + DRG_SIDE_NOTE, NULL, note_read, &x, reterr);
}
