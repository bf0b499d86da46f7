#include "store/store.h"

#include <assert.h>

static const struct drg_store_ops *const engines[] = { &drg_sqlite_ops };

static const struct drg_store_ops *ops_of(const struct drg_store *s)
{
	return ((const struct drg_store_head *)s)->ops;
}

static const struct drg_store_ops *txn_ops_of(const struct drg_txn *t)
{
	return ((const struct drg_store_head *)t)->ops;
}

int drg_store_open(const char *url, enum drg_store_mode mode, struct drg_store **ret, struct drg_err *reterr)
{
	struct drg_str rest = drg_str_c(url), scheme;
	if (!drg_str_split(&rest, ':', &scheme) || rest.p == NULL || rest.n == 0)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "the store is a URL such as sqlite:PATH, found \"%s\"", url);
	for (size_t i = 0; i < DRG_ARRAY_LEN(engines); i++)
		if (drg_str_eq(scheme, drg_str_c(engines[i]->scheme)))
			return engines[i]->open(rest.p, mode, ret, reterr);
	return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "no store engine is called \"%.*s\"; known: %s",
	                DRG_STR_ARG(scheme), engines[0]->scheme);
}

void drg_store_close(struct drg_store *s)
{
	if (s != NULL)
		ops_of(s)->close(s);
}

int drg_store_clock(struct drg_store *s, struct drg_clock *ret, struct drg_err *reterr)
{
	return ops_of(s)->clock(s, ret, reterr);
}

int drg_store_begin(struct drg_store *s, struct drg_txn **ret, struct drg_err *reterr)
{
	return ops_of(s)->begin(s, ret, reterr);
}

/* The fields of a record against its type and kind. Values were checked where they came in. */
static int check_fields(const struct drg_record *r, bool identity_only, struct drg_err *reterr)
{
	const struct drg_type *t = r->type;
	enum drg_kind kind = drg_record_kind(r);
	if (t->n_kinds > 0 && (unsigned)kind >= t->n_kinds)
		return drg_fail(reterr, DRG_EINVAL, NULL, "kind", "kind: expected a kind of %s", t->name);
	uint64_t allowed = 0;
	for (unsigned i = 0; i < t->n_fields; i++) {
		const struct drg_field_def *f = &t->fields[i];
		if ((f->flags & DRG_FF_ID) != 0 && !drg_record_has(r, f->field))
			return drg_fail(reterr, DRG_EINVAL, "missing_field", f->wire,
			                "%s: is part of the identity of %s and is missing", f->wire, t->name);
		if (drg_field_applies(f, kind))
			allowed |= UINT64_C(1) << f->field;
	}
	if (!identity_only && (r->has & ~allowed) != 0)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "%s %s has a field that belongs to another type", t->name,
		                drg_kind_name(kind));
	return DRG_OK;
}

int drg_txn_put(struct drg_txn *t, const struct drg_record *r, enum drg_put_result *ret,
                struct drg_err *reterr)
{
	int rc = check_fields(r, r->deleted, reterr);
	return rc != DRG_OK ? rc : txn_ops_of(t)->put(t, r, ret, reterr);
}

int drg_txn_add(struct drg_txn *t, const struct drg_record *r, enum drg_put_result *ret,
                struct drg_err *reterr)
{
	assert(!r->deleted);
	int rc = check_fields(r, false, reterr);
	return rc != DRG_OK ? rc : txn_ops_of(t)->add(t, r, ret, reterr);
}

int drg_txn_kept(struct drg_txn *t, int64_t key_id, struct drg_str name, drg_kept_fn *fn, void *ctx,
                 struct drg_err *reterr)
{
	return txn_ops_of(t)->kept(t, key_id, name, fn, ctx, reterr);
}

int drg_txn_keep(struct drg_txn *t, const struct drg_kept_answer *k, struct drg_err *reterr)
{
	return txn_ops_of(t)->keep(t, k, reterr);
}

int drg_txn_forget(struct drg_txn *t, int64_t before_us, unsigned limit, struct drg_err *reterr)
{
	return txn_ops_of(t)->forget(t, before_us, limit, reterr);
}

int64_t drg_txn_seq(const struct drg_txn *t)
{
	return txn_ops_of(t)->txn_seq(t);
}

int drg_txn_commit(struct drg_txn *t, int64_t *ret_seq, struct drg_err *reterr)
{
	return txn_ops_of(t)->commit(t, ret_seq, reterr);
}

void drg_txn_rollback(struct drg_txn *t)
{
	if (t != NULL)
		txn_ops_of(t)->rollback(t);
}

int drg_store_scan(struct drg_store *s, const struct drg_filter *f, drg_row_fn *fn, void *ctx,
                   struct drg_clock *ret_clock, struct drg_err *reterr)
{
	return ops_of(s)->scan(s, f, fn, ctx, ret_clock, reterr);
}

int drg_store_feed(struct drg_store *s, int64_t since, drg_row_fn *fn, void *ctx, struct drg_clock *ret_clock,
                   struct drg_err *reterr)
{
	struct drg_feed_place place = { since, DRG_PLACE_END, 0 };
	struct drg_clock clock;
	int rc = ops_of(s)->feed_from(s, (1U << DRG_TYPE_COUNT) - 1, &place, fn, ctx, &clock, reterr);
	if (rc == DRG_OK && ret_clock != NULL)
		*ret_clock = clock;
	return rc;
}

int drg_store_feed_from(struct drg_store *s, unsigned types, struct drg_feed_place *place, drg_row_fn *fn,
                        void *ctx, struct drg_clock *ret_clock, struct drg_err *reterr)
{
	return ops_of(s)->feed_from(s, types, place, fn, ctx, ret_clock, reterr);
}

int drg_store_hold(struct drg_store *s, struct drg_clock *ret_clock, struct drg_err *reterr)
{
	return ops_of(s)->hold(s, ret_clock, reterr);
}

void drg_store_let_go(struct drg_store *s)
{
	ops_of(s)->let_go(s);
}

int drg_store_get(struct drg_store *s, const struct drg_record *key, drg_row_fn *fn, void *ctx,
                  struct drg_err *reterr)
{
	int rc = check_fields(key, true, reterr);
	return rc != DRG_OK ? rc : ops_of(s)->get(s, key, fn, ctx, reterr);
}

int drg_store_exists(struct drg_store *s, const struct drg_record *key, struct drg_err *reterr)
{
	int rc = check_fields(key, true, reterr);
	return rc != DRG_OK ? rc : ops_of(s)->exists(s, key, reterr);
}

int drg_store_siblings(struct drg_store *s, const struct drg_record *key, drg_row_fn *fn, void *ctx,
                       struct drg_err *reterr)
{
	return ops_of(s)->siblings(s, key, fn, ctx, reterr);
}

int drg_store_referrers(struct drg_store *s, enum drg_kind kind, int64_t id, unsigned limit, drg_row_fn *fn,
                        void *ctx, struct drg_err *reterr)
{
	assert(kind < DRG_KIND_COUNT);
	return ops_of(s)->referrers(s, kind, id, limit, fn, ctx, reterr);
}

int drg_store_counts(struct drg_store *s, drg_count_fn *fn, void *ctx, struct drg_err *reterr)
{
	return ops_of(s)->counts(s, fn, ctx, reterr);
}

int drg_store_check(struct drg_store *s, drg_finding_fn *fn, void *ctx, struct drg_err *reterr)
{
	return ops_of(s)->check(s, fn, ctx, reterr);
}
