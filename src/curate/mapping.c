#include "curate/mapping.h"

#include "base/clock.h"
#include "curate/apart.h"
#include "curate/history.h"
#include "curate/suggest.h"

/* A record and what it holds: a few texts of a supplier. */
enum { RECORD_ROOM = 1 << 20 };

struct deciding {
	struct drg_mapping_decision *d;
	struct drg_txn *txn;
	struct drg_store *s; /* of the transaction */
	struct drg_arena arena;
	struct drg_record source;
	struct drg_mapping_change change;
};

int drg_mapping_unknown_source(struct drg_store *s, const struct drg_mapping_source *of,
                               struct drg_err *reterr)
{
	struct drg_record adapter;
	drg_key_adapter(&adapter, of->adapter);
	int rc = drg_store_exists(s, &adapter, reterr);
	if (rc == DRG_ENOENT)
		return drg_fail(reterr, rc, DRG_R(unknown_adapter), "adapter_id", "there is no adapter %lld",
		                (long long)of->adapter);
	return rc != DRG_OK ? rc
	                    : drg_fail(reterr, DRG_ENOENT, DRG_R(unknown_source), "id",
	                               "adapter %lld has no %s \"%.*s\"", (long long)of->adapter,
	                               drg_kind_name(of->kind), DRG_STR_ARG(of->id));
}

static int find_source(struct deciding *x, struct drg_err *reterr)
{
	struct drg_record key;
	const struct drg_audit audit = { .by = x->d->by, .why = x->d->why };
	int rc = drg_audit_check(&audit, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_key_source(&key, x->d->adapter, x->d->kind, x->d->id);
	rc = drg_fetch(x->s, &key, &x->arena, &x->source, reterr);
	if (rc == DRG_ENOENT)
		return drg_mapping_unknown_source(
		        x->s, &(struct drg_mapping_source){ x->d->adapter, x->d->kind, x->d->id }, reterr);
	if (rc == DRG_OK)
		x->change =
		        (struct drg_mapping_change){ .was_mapped = drg_record_has(&x->source, DRG_F_DICT_ID),
			                             .was = drg_record_i(&x->source, DRG_F_DICT_ID, 0) };
	return rc;
}

/* What somebody took away stays away; what somebody takes back is a question again (decision M34). */
static int decide_unmapped(struct deciding *x, enum drg_how how, struct drg_err *reterr)
{
	return how == DRG_HOW_UNDO ? drg_suggest_again(x->txn, &x->source, &x->change.was, reterr)
	                           : drg_txn_unsuggest(x->txn, x->d->adapter, x->d->kind, x->d->id, reterr);
}

/* Map to @p dict_id or what it was merged into; NULL: to nothing. */
static int decide(struct deciding *x, const int64_t *dict_id, enum drg_how how, struct drg_err *reterr)
{
	struct drg_mapping_change *c = &x->change;
	struct drg_audit audit = { .how = how, .by = x->d->by, .why = x->d->why };
	int rc = DRG_OK;
	c->is_mapped = dict_id != NULL;
	if (dict_id != NULL) {
		rc = drg_resolve(x->s, x->d->kind, *dict_id, &c->is, reterr);
		c->asked = *dict_id;
		c->redirected = c->is != c->asked;
	}
	if (rc != DRG_OK)
		return rc;
	c->changed = c->is_mapped != c->was_mapped || (c->is_mapped && c->is != c->was);
	if (c->is_mapped)
		rc = drg_apart_forget(x->txn, &x->source, c->is, &c->was_apart, reterr);
	if (rc == DRG_OK && c->changed && !c->is_mapped)
		rc = decide_unmapped(x, how, reterr);
	if (rc != DRG_OK || !c->changed)
		return rc;
	rc = drg_event_next_at(x->s, &x->source, drg_wall_us(), &audit.at_us, reterr);
	return rc == DRG_OK
	               ? drg_event_put(x->txn, &x->source, dict_id != NULL ? &c->is : NULL, &audit, reterr)
	               : rc;
}

/* What a decision wants of a source that was found. */
typedef int wish_fn(struct deciding *x, struct drg_err *reterr);

static int about_source(void *decision, struct drg_txn *t, wish_fn *wish, struct drg_err *reterr)
{
	struct deciding x = { .d = decision, .txn = t, .s = drg_txn_store(t) };
	drg_arena_init(&x.arena, RECORD_ROOM);
	int rc = find_source(&x, reterr);
	if (rc == DRG_OK)
		rc = wish(&x, reterr);
	if (rc == DRG_OK)
		x.d->change = x.change;
	drg_arena_done(&x.arena);
	return rc;
}

/* ---- set, clear ------------------------------------------------------------------------------------------- */

static int mapping_wish_set(struct deciding *x, struct drg_err *reterr)
{
	return decide(x, &x->d->dict_id, DRG_HOW_SET, reterr);
}

int drg_mapping_set(void *decision, struct drg_txn *t, struct drg_err *reterr)
{
	return about_source(decision, t, mapping_wish_set, reterr);
}

static int mapping_wish_clear(struct deciding *x, struct drg_err *reterr)
{
	return decide(x, NULL, DRG_HOW_SET, reterr);
}

int drg_mapping_clear(void *decision, struct drg_txn *t, struct drg_err *reterr)
{
	return about_source(decision, t, mapping_wish_clear, reterr);
}

/* ---- undo ------------------------------------------------------------------------------------------------- */

/* The last event of a source. */
struct last {
	bool any, had_from, had_to;
	int64_t from, to;
	enum drg_how how;
};

static int take_last(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	*(struct last *)ctx = (struct last){
		.any = true,
		.had_from = drg_record_has(r, DRG_F_FROM),
		.had_to = drg_record_has(r, DRG_F_TO),
		.from = drg_record_i(r, DRG_F_FROM, 0),
		.to = drg_record_i(r, DRG_F_TO, 0),
		.how = (enum drg_how)drg_record_i(r, DRG_F_HOW, DRG_HOW_SET),
	};
	return DRG_OK;
}

static int can_be_undone(const struct deciding *x, const struct last *l, struct drg_err *reterr)
{
	const struct drg_mapping_change *c = &x->change;
	if (!l->any)
		return drg_fail(reterr, DRG_ENOENT, DRG_R(no_decision), NULL,
		                "there is no decision about this source that could be undone");
	if (l->how == DRG_HOW_MERGE)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(merged), NULL,
		                "its last change came from a merge: dragoman dict split %s %lld undoes that",
		                drg_kind_name(x->d->kind), (long long)l->from);
	if (l->how == DRG_HOW_SPLIT)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(split), NULL,
		                "its last change came from a split: use map set or map clear");
	if (l->had_to != c->was_mapped || (l->had_to && l->to != c->was))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(changed_since), NULL,
		                "an import has changed the mapping since the last decision: use map set or "
		                "map clear");
	return DRG_OK;
}

static int wish_undo(struct deciding *x, struct drg_err *reterr)
{
	struct last l = { .any = false };
	int rc = drg_event_each(x->s, &x->source, take_last, &l, reterr);
	if (rc == DRG_OK)
		rc = can_be_undone(x, &l, reterr);
	return rc == DRG_OK ? decide(x, l.had_from ? &l.from : NULL, DRG_HOW_UNDO, reterr) : rc;
}

int drg_mapping_undo(void *decision, struct drg_txn *t, struct drg_err *reterr)
{
	return about_source(decision, t, wish_undo, reterr);
}
