#include "decide/apart.h"
#include "matching/automap_priv.h"
#include "decide/history.h"
#include "matching/suggest_keep.h"
#include "model/key.h"
#include "store/fetch.h"

enum { SOURCE_ROOM = 1 << 20 };

/* ---- writing -------------------------------------------------------------------------------------------- */

/* Write a mapping, and replace the old suggestions of the source: if the mapping is undone, they would not
 * explain why people are asked about the source. */
static int write_mapping(struct drg_automap_slice *x, const struct drg_automap_wish *w, struct drg_txn *t,
                         struct drg_record *source, struct drg_err *reterr)
{
	enum drg_put_result result;
	drg_source_set_mapping(source, &w->dict_id);
	x->ledger->event_why = w->why;
	int rc = drg_ledger_put(x->ledger, t, source, &result, reterr);
	x->written += rc == DRG_OK;
	return rc == DRG_OK ? drg_txn_suggestion_delete(t, w->adapter, w->kind, w->id, reterr) : rc;
}

/* Did a person say meanwhile that they are not the same? */
static int wish_is_apart(struct drg_store *s, const struct drg_record *source, int64_t dict_id,
                         struct drg_err *reterr)
{
	struct drg_buf apart;
	drg_buf_init(&apart, SIZE_MAX);
	int rc = drg_not_same_of_source(s, source, &apart, reterr);
	const int64_t *v = (const int64_t *)(const void *)apart.p;
	for (size_t i = 0; i < apart.n / sizeof *v && rc == DRG_OK; i++)
		if (v[i] == dict_id)
			rc = DRG_ENOENT;
	drg_buf_done(&apart);
	return rc;
}

/* Write a mapping, unless the source was mapped, decided about, merged away or removed since it was read. */
static int write_wish(struct drg_automap_slice *x, const struct drg_automap_wish *w, struct drg_txn *t,
                      struct drg_arena *arena, struct drg_err *reterr)
{
	struct drg_record key, source;
	struct drg_store *s = drg_txn_store(t);
	enum drg_automap_openness open = DRG_AUTOMAP_OPEN;
	drg_arena_reset(arena);
	drg_key_source(&key, w->adapter, w->kind, w->id);
	int rc = x->until >= 0 ? drg_fetch(s, &key, arena, &source, reterr)
	                       : drg_automap_find_open(s, &key, arena, &source, &open, reterr);
	bool people = open == DRG_AUTOMAP_ASK || (open == DRG_AUTOMAP_ASK_SERVER && x->server);
	if (rc == DRG_OK && (drg_record_has(&source, DRG_F_DICT_ID) || people))
		rc = DRG_ENOENT;
	if (rc == DRG_OK && x->until < 0)
		rc = wish_is_apart(s, &source, w->dict_id, reterr);
	if (rc == DRG_OK) {
		drg_key_dict(&key, w->kind, w->dict_id);
		rc = drg_store_exists(s, &key, reterr);
	}
	if (rc == DRG_ENOENT) {
		x->overtaken++;
		return DRG_OK;
	}
	return rc == DRG_OK ? write_mapping(x, w, t, &source, reterr) : rc;
}

int drg_automap_write(void *slice, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_automap_slice *x = slice;
	struct drg_arena arena;
	struct drg_clock before;
	int rc = drg_store_clock(drg_txn_store(t), &before, reterr);
	if (rc != DRG_OK)
		return rc;
	x->written = x->overtaken = 0;
	x->until = before.seq == x->since ? x->since : -1;
	x->ledger->state = x->from;
	drg_arena_init(&arena, SOURCE_ROOM);
	for (size_t i = 0; i < x->n && rc == DRG_OK; i++)
		rc = write_wish(x, &x->wishes[i], t, &arena, reterr);
	drg_arena_done(&arena);
	if (rc == DRG_OK)
		rc = drg_ledger_end(x->ledger, t, reterr);
	if (x->until >= 0 && drg_txn_seq(t) > 0)
		x->until = drg_txn_seq(t);
	return rc;
}

/* ---- writing the outcome of a server ------------------------------------------------------------------- */

int drg_automap_outcome_write(void *outcome, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_automap_outcome *o = outcome;
	struct drg_ledger ledger = { .what = DRG_BATCH_MATCH, .by = DRG_STR("dragoman serve") };
	drg_ledger_init(&ledger);
	struct drg_automap_slice slice = { .server = true,
		                           .ledger = &ledger,
		                           .from = ledger.state,
		                           .since = -1,
		                           .wishes =
		                                   (const struct drg_automap_wish *)(const void *)o->wishes.p,
		                           .n = o->wishes.n / sizeof(struct drg_automap_wish) };
	struct drg_suggest_slice suggestions = {
		.since = -1,
		.v = (const struct drg_suggestion *)(const void *)o->suggestions.p,
		.n = o->suggestions.n / sizeof(struct drg_suggestion)
	};
	int rc = slice.n > 0 ? drg_automap_write(&slice, t, reterr) : DRG_OK;
	o->written = slice.written;
	if (rc == DRG_OK)
		rc = drg_suggest_write(&suggestions, t, reterr);
	drg_ledger_done(&ledger);
	return rc;
}
