/* Opening and reading: the parts that are the same for every engine. */
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/lockfile.h"
#include "store/sql.h"
#include "store/store_priv.h"
#include "store/lend.h"

/* Engines by the scheme of the URL. */
static const struct {
	const char *scheme;
	const struct drg_store_ops *ops;
} engines[] = {
	{ "sqlite", &drg_sqlite_ops },
	{ "postgresql", &drg_postgres_ops },
	{ "postgres", &drg_postgres_ops },
};

static const struct drg_store_ops *store_ops_of(const struct drg_store *s)
{
	return ((const struct drg_store_head *)s)->ops;
}

static int engine_of(const char *url, const struct drg_store_ops **ret, const char **ret_rest,
                     struct drg_err *reterr)
{
	struct drg_str rest = drg_str_c(url), scheme;
	if (!drg_str_split(&rest, ':', &scheme) || rest.p == NULL || rest.n == 0)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "the store is a URL, sqlite:PATH or postgresql://HOST/DATABASE, found \"%s\"",
		                url);
	for (size_t i = 0; i < DRG_ARRAY_LEN(engines); i++)
		if (drg_str_eq(scheme, drg_str_c(engines[i].scheme))) {
			*ret = engines[i].ops;
			*ret_rest = rest.p;
			return DRG_OK;
		}
	return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
	                "no store engine is called \"%.*s\"; known: sqlite, postgresql", DRG_STR_ARG(scheme));
}

int drg_store_open(const char *url, enum drg_store_mode mode, struct drg_store **ret, struct drg_err *reterr)
{
	const struct drg_store_ops *ops;
	const char *rest;
	struct drg_store *s;
	int rc = engine_of(url, &ops, &rest, reterr);
	if (rc == DRG_OK)
		rc = ops->open(rest, mode, &s, reterr);
	if (rc != DRG_OK)
		return rc;
	if (mode == DRG_STORE_CREATE)
		rc = drg_store_repair(s, url, reterr);
	if (rc != DRG_OK)
		drg_store_close(s);
	else
		*ret = s;
	return rc;
}

int drg_store_copy_older(const char *url, const char *path, struct drg_err *reterr)
{
	const struct drg_store_ops *ops;
	const char *rest;
	int rc = engine_of(url, &ops, &rest, reterr);
	if (rc != DRG_OK)
		return rc;
	return ops->copy_older != NULL
	               ? ops->copy_older(rest, path, reterr)
	               : drg_fail(reterr, DRG_ELIMIT, NULL, NULL, "a store in a database is not copied");
}

void drg_store_close(struct drg_store *s)
{
	if (s == NULL)
		return;
	assert(drg_store_head(s)->txn == NULL);
	assert(!drg_store_head(s)->held);
	if (drg_store_head(s)->imports_locked)
		drg_store_unlock_imports(s);
	char *lent_url = drg_store_head(s)->lent_url;
	store_ops_of(s)->close(s);
	drg_store_lent_ended(lent_url);
}

int drg_store_clock(struct drg_store *s, struct drg_clock *ret, struct drg_err *reterr)
{
	return store_ops_of(s)->clock(s, ret, reterr);
}

int drg_store_in_place(struct drg_store *s, struct drg_err *reterr)
{
	return store_ops_of(s)->in_place(s, reterr);
}

int drg_store_keep_open(const char *url, struct drg_store **s, struct drg_err *reterr)
{
	if (*s != NULL && drg_store_in_place(*s, NULL) == DRG_OK)
		return DRG_OK;
	drg_store_close(*s);
	*s = NULL;
	return drg_store_borrow(url, DRG_STORE_READ, s, reterr);
}

void drg_store_allow_unknown_enums(struct drg_store *s)
{
	drg_store_head(s)->odd_words = true;
}

const char *drg_store_remark(const struct drg_store *s)
{
	return ((const struct drg_store_head *)s)->ops->remark(s);
}

static _Atomic unsigned store_timeout_ms;

void drg_store_set_timeout(unsigned ms)
{
	store_timeout_ms = ms;
}

unsigned drg_store_timeout(void)
{
	return store_timeout_ms;
}

static _Atomic bool store_stops;

void drg_store_stop(void)
{
	enum { LOCK_MS = 1000, ANSWER_MS = 3000 };
	drg_lockfile_set_timeout(LOCK_MS);
	drg_store_set_timeout(ANSWER_MS);
	store_stops = true;
}

bool drg_store_stops(void)
{
	return store_stops;
}

int drg_store_bytes(struct drg_store *s, uint64_t *ret, struct drg_err *reterr)
{
	return store_ops_of(s)->bytes(s, ret, reterr);
}

uint64_t drg_store_log_bytes(const char *url)
{
	char path[PATH_MAX];
	struct stat st;
	if (!drg_store_is_file(url))
		return 0;
	int n = snprintf(path, sizeof path, "%s-wal", url + strlen("sqlite:"));
	return n > 0 && (size_t)n < sizeof path && stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

int drg_store_empty_log(struct drg_store *s, struct drg_err *reterr)
{
	assert(drg_store_head(s)->txn == NULL && !drg_store_head(s)->held);
	return store_ops_of(s)->empty_log != NULL ? store_ops_of(s)->empty_log(s, reterr) : DRG_OK;
}

int drg_store_listen(struct drg_store *s, struct drg_err *reterr)
{
	const struct drg_store_ops *ops = store_ops_of(s);
	return ops->listen != NULL ? ops->listen(s, reterr)
	                           : drg_fail(reterr, DRG_ENOENT, NULL, NULL, "this store announces nothing");
}

int drg_store_wait_commit(struct drg_store *s, int wake, unsigned ms, bool *ret_news, struct drg_err *reterr)
{
	assert(store_ops_of(s)->await_news != NULL); /* drg_store_listen() returned DRG_OK */
	return store_ops_of(s)->await_news(s, wake, ms, ret_news, reterr);
}

bool drg_store_is_file(const char *url)
{
	return strncmp(url, "sqlite:", 7) == 0;
}

int drg_store_check_fields(const struct drg_record *r, bool identity_only, struct drg_err *reterr)
{
	const struct drg_type *t = r->type;
	enum drg_kind kind = drg_record_kind(r);
	if (t->kinds != 0 && !drg_kind_in(t->kinds, kind))
		return drg_fail(reterr, DRG_EINVAL, NULL, "kind", "kind: expected a kind of %s", t->name);
	uint64_t allowed = 0;
	for (unsigned i = 0; i < t->n_fields; i++) {
		const struct drg_field_def *f = &t->fields[i];
		if ((f->flags & DRG_FF_ID) != 0 && !drg_record_has_value(r, f))
			return drg_fail(reterr, DRG_EINVAL, DRG_R(missing_field), f->wire,
			                "%s: is part of the identity of %s and is missing", f->wire, t->name);
		if (drg_field_applies(f, kind))
			allowed |= drg_field_bit(f->field);
	}
	if (!identity_only && (r->has & ~allowed) != 0)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "%s %s has a field that belongs to another type", t->name,
		                drg_kind_name(kind));
	return DRG_OK;
}

/* ---- snapshots ------------------------------------------------------------------------------------------ */

static bool store_in_snapshot(struct drg_store *s)
{
	const struct drg_store_head *h = drg_store_head(s);
	return h->txn != NULL || h->held;
}

int drg_store_snapshot(struct drg_store *s, struct drg_clock *ret_clock, struct drg_err *reterr)
{
	struct drg_clock clock;
	int rc = store_in_snapshot(s) ? DRG_OK : store_ops_of(s)->snapshot(s, reterr);
	if (rc != DRG_OK)
		return rc;
	/* Read the clock first: the first read makes the snapshot. */
	rc = store_ops_of(s)->clock(s, &clock, reterr);
	if (rc != DRG_OK)
		drg_store_snapshot_end(s);
	else if (ret_clock != NULL)
		*ret_clock = clock;
	return rc;
}

void drg_store_snapshot_end(struct drg_store *s)
{
	if (!store_in_snapshot(s))
		store_ops_of(s)->snapshot_end(s);
}

int drg_store_hold(struct drg_store *s, struct drg_clock *ret_clock, struct drg_err *reterr)
{
	assert(!store_in_snapshot(s));
	int rc = drg_store_snapshot(s, ret_clock, reterr);
	drg_store_head(s)->held = rc == DRG_OK;
	return rc;
}

void drg_store_release(struct drg_store *s)
{
	assert(drg_store_head(s)->held);
	drg_store_head(s)->held = false;
	drg_store_snapshot_end(s);
}

/* ---- counts and check ------------------------------------------------------------------------------------ */

int drg_store_counts(struct drg_store *s, drg_count_fn *fn, void *ctx, struct drg_err *reterr)
{
	int rc = drg_store_snapshot(s, NULL, reterr);
	if (rc != DRG_OK)
		return rc;
	for (unsigned i = 0; i < DRG_TYPE_COUNT && rc == DRG_OK; i++)
		rc = store_ops_of(s)->counts(s, &drg_types[i], fn, ctx, reterr);
	drg_store_snapshot_end(s);
	return rc;
}

int drg_store_check(struct drg_store *s, drg_finding_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct drg_clock clock;
	int rc = drg_store_snapshot(s, &clock, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = store_ops_of(s)->check(s, &clock, fn, ctx, reterr);
	drg_store_snapshot_end(s);
	return rc;
}

/* ---- single rows ---------------------------------------------------------------------------------------- */

int drg_store_not_there(const struct drg_record *key, struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_ENOENT, NULL, NULL, "there is no such %s %s", key->type->name,
	                drg_kind_name(drg_record_kind(key)));
}

int drg_store_removed(struct drg_store *s, const struct drg_record *key, int64_t *ret, struct drg_err *reterr)
{
	struct drg_stored row;
	int rc = drg_store_check_fields(key, true, reterr);
	*ret = 0;
	if (rc != DRG_OK)
		return rc;
	rc = store_ops_of(s)->load(s, key, &row, reterr);
	if (rc == DRG_OK && row.r.deleted)
		*ret = row.m.seq;
	store_ops_of(s)->unload(s, key->type);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

int drg_store_exists(struct drg_store *s, const struct drg_record *key, struct drg_err *reterr)
{
	int rc = drg_store_check_fields(key, true, reterr);
	if (rc == DRG_OK)
		rc = store_ops_of(s)->exists(s, key, reterr);
	return rc == DRG_ENOENT ? drg_store_not_there(key, reterr) : rc;
}
