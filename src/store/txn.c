/* Transactions: their state, and the records put in them. */
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "model/check.h"
#include "store/change.h"
#include "store/store_priv.h"

/* ---- begin and end -------------------------------------------------------------------------------------- */

int drg_store_begin(struct drg_store *s, struct drg_txn **ret, struct drg_err *reterr)
{
	struct drg_store_head *sh = drg_store_head(s);
	struct drg_txn *t;
	assert(sh->txn == NULL && !sh->held);
	int rc = sh->ops->begin(s, &t, reterr);
	if (rc != DRG_OK)
		return rc;
	struct drg_txn_head *h = drg_txn_head(t);
	*h = (struct drg_txn_head){ .ops = sh->ops,
		                    .store = s,
		                    .number = h->number,
		                    .server = h->server,
		                    .began_ns = drg_clock_ns() };
	sh->txn = t;
	rc = sh->ops->clock(s, &h->before, reterr);
	if (rc != DRG_OK) {
		drg_txn_rollback(t);
		return rc;
	}
	if (h->before.seq < 0 || h->before.epoch[0] == '\0') {
		drg_txn_rollback(t);
		return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL,
		                "the clock of the store is damaged: restore the store from a backup");
	}
	/* The store was restored to an earlier state under this handle: the branch that it began is of another
	 * history. */
	if (h->before.seq < sh->last.seq || strcmp(h->before.epoch, sh->last.epoch) != 0) {
		sh->branched = false;
		sh->moment = 0;
	}
	sh->last = h->before;
	*ret = t;
	return DRG_OK;
}

/* Choose the branch that begins with this commit; 0: none. */
static int txn_branch(const struct drg_store_head *sh, int64_t seq, int64_t *ret, struct drg_err *reterr)
{
	*ret = 0;
	while (seq > 0 && !sh->branched && *ret == 0)
		if (getrandom(ret, sizeof *ret, 0) != sizeof *ret)
			return drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL, "no random numbers: %s",
			                strerror(errno));
	return DRG_OK;
}

/* Clean up after the engine has ended the transaction. */
static void txn_ended(struct drg_store *s, bool locked_imports)
{
	drg_store_head(s)->txn = NULL;
	if (locked_imports)
		drg_store_unlock_imports(s);
}

void drg_txn_rollback(struct drg_txn *t)
{
	if (t == NULL)
		return;
	const struct drg_txn_head h = *drg_txn_head(t);
	assert(drg_store_head(h.store)->txn == t);
	h.ops->rollback(t);
	txn_ended(h.store, h.locked_imports);
}

int drg_txn_commit(struct drg_txn *t, struct drg_clock *ret, struct drg_err *reterr)
{
	const struct drg_txn_head h = *drg_txn_head(t);
	struct drg_store_head *sh = drg_store_head(h.store);
	const int64_t seq = drg_txn_seq(t), at = (h.at_us != 0 ? h.at_us : drg_wall_us()) / 1000000;
	int64_t branch;
	assert(sh->txn == t && (seq == 0 || seq > sh->last.seq));
	if (h.rc != DRG_OK) {
		drg_txn_rollback(t);
		return drg_fail(reterr, h.rc, NULL, NULL,
		                "this transaction failed before: nothing of it was stored");
	}
	int rc = txn_branch(sh, seq, &branch, reterr);
	if (rc == DRG_OK)
		rc = drg_txn_counts_end(t, reterr);
	if (rc != DRG_OK) {
		drg_txn_rollback(t);
		return rc;
	}
	rc = h.ops->commit(t, seq, branch, at, reterr);
	txn_ended(h.store, h.locked_imports);
	if (rc == DRG_OK && seq > 0) {
		sh->branched = true;
		sh->last.seq = seq;
		sh->last.branch = branch != 0 ? branch : sh->last.branch;
		sh->moment = at > sh->moment ? at : sh->moment;
	}
	if (rc == DRG_OK && ret != NULL)
		*ret = sh->last;
	return rc;
}

void drg_txn_mark(const struct drg_txn *t, struct drg_txn_mark *ret)
{
	const struct drg_txn_head *h = (const struct drg_txn_head *)t;
	assert(drg_store_head(h->store)->txn == t);
	*ret = (struct drg_txn_mark){ h->before, drg_txn_seq(t), h->number, h->server, h->types };
}

int drg_store_resolve_commit(struct drg_store *s, const struct drg_txn_mark *mark, enum drg_outcome *ret,
                             struct drg_err *reterr)
{
	assert(drg_store_head(s)->txn == NULL);
	return drg_store_head(s)->ops->resolve_commit(s, mark, ret, reterr);
}

/* ---- its state ------------------------------------------------------------------------------------------ */

/* The clock is read once for this many puts. */
enum { PUTS_BETWEEN_LOOKS = 16 };

bool drg_txn_should_commit(struct drg_txn *t)
{
	static const int64_t WANTED_NS = 40 * INT64_C(1000000), UNWANTED_NS = 250 * INT64_C(1000000);
	struct drg_txn_head *h = drg_txn_head(t);
	if (++h->looks % PUTS_BETWEEN_LOOKS != 0)
		return false;
	int64_t held = drg_clock_ns() - h->began_ns;
	return held >= UNWANTED_NS || (held >= WANTED_NS && h->ops->wanted(t));
}

void drg_txn_watch(struct drg_txn *t, drg_watch_fn *fn, void *ctx)
{
	struct drg_txn_head *h = drg_txn_head(t);
	assert(h->watch == NULL || fn == NULL); /* one watch at a time */
	h->watch = fn;
	h->watch_ctx = ctx;
}

struct drg_store *drg_txn_store(const struct drg_txn *t)
{
	return ((const struct drg_txn_head *)t)->store;
}

int64_t drg_txn_seq(const struct drg_txn *t)
{
	const struct drg_txn_head *h = (const struct drg_txn_head *)t;
	return h->changed ? h->before.seq + 1 : 0;
}

unsigned long drg_txn_writes(const struct drg_txn *t)
{
	return ((const struct drg_txn_head *)t)->writes;
}

bool drg_txn_failed(const struct drg_txn *t)
{
	return ((const struct drg_txn_head *)t)->rc != DRG_OK;
}

int drg_txn_usable(const struct drg_txn_head *h, struct drg_err *reterr)
{
	assert(drg_store_head(h->store)->txn == (const struct drg_txn *)h); /* the transaction is open */
	return h->rc == DRG_OK ? DRG_OK
	                       : drg_fail(reterr, h->rc, NULL, NULL,
	                                  "this transaction failed before and can only be undone");
}

int drg_txn_note_write(struct drg_txn_head *h, int rc)
{
	assert(h->rc == DRG_OK); /* the first failure is kept */
	h->rc = rc;
	h->writes += rc == DRG_OK;
	return rc;
}

/* ---- one import at a time ------------------------------------------------------------------------------- */

int drg_store_lock_imports(struct drg_store *s, struct drg_err *reterr)
{
	struct drg_store_head *h = drg_store_head(s);
	assert(!h->imports_locked);
	int rc = h->ops->lock_imports(s, reterr);
	h->imports_locked = rc == DRG_OK;
	return rc;
}

void drg_store_unlock_imports(struct drg_store *s)
{
	struct drg_store_head *h = drg_store_head(s);
	assert(h->imports_locked);
	h->ops->unlock_imports(s);
	h->imports_locked = false;
}

int drg_txn_lock_imports(struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_txn_head *h = drg_txn_head(t);
	if (drg_store_head(h->store)->imports_locked)
		return DRG_OK;
	assert(!h->locked_imports);
	int rc = drg_store_lock_imports(h->store, reterr);
	h->locked_imports = rc == DRG_OK;
	return rc;
}

/* ---- records -------------------------------------------------------------------------------------------- */

static int txn_insert(struct drg_txn *t, const struct drg_record *r, bool *ret_inserted,
                      struct drg_err *reterr)
{
	const struct drg_txn_head *h = drg_txn_head(t);
	struct drg_row_meta meta;
	drg_change_first(r, h->before.seq + 1, &meta);
	int rc = h->ops->insert(t, r, &meta, ret_inserted, reterr);
	if (rc == DRG_OK && *ret_inserted && h->watch != NULL)
		h->watch(h->watch_ctx, NULL, r);
	return rc == DRG_OK && *ret_inserted ? drg_txn_count(t, NULL, r, reterr) : rc;
}

/* Change the row of this identity. @param ret_found  False: there is none. */
static int txn_change(struct drg_txn *t, const struct drg_record *r, bool *ret_found,
                      enum drg_put_result *ret, struct drg_err *reterr)
{
	const struct drg_txn_head *h = drg_txn_head(t);
	struct drg_stored row;
	struct drg_row_change change = { .result = DRG_PUT_SAME };
	int rc = h->ops->load(h->store, r, &row, reterr);
	bool found = rc == DRG_OK;
	if (found) {
		drg_change_put(&row.r, &row.m, r, h->before.seq + 1, &change);
		if (change.result != DRG_PUT_SAME && h->watch != NULL)
			h->watch(h->watch_ctx, &row.r, &change.next);
		if (change.result != DRG_PUT_SAME)
			rc = drg_txn_count(t, &row.r, &change.next, reterr);
		if (rc == DRG_OK && change.result != DRG_PUT_SAME)
			rc = h->ops->update(t, row.row, &change.next, &change.meta, reterr);
	}
	h->ops->unload(h->store, r->type);
	if (rc != DRG_OK && rc != DRG_ENOENT)
		return rc;
	*ret_found = found;
	*ret = change.result;
	return DRG_OK;
}

bool drg_txn_can_prefetch(const struct drg_txn *t)
{
	return ((const struct drg_txn_head *)t)->ops->expect != NULL;
}

int drg_txn_prefetch(struct drg_txn *t, const struct drg_record *key, struct drg_err *reterr)
{
	const struct drg_txn_head *h = drg_txn_head(t);
	assert(drg_store_head(h->store)->txn == t);
	int rc = drg_store_check_fields(key, true, reterr);
	return rc == DRG_OK && h->ops->expect != NULL ? h->ops->expect(t, key, reterr) : rc;
}

typedef int txn_write_fn(struct drg_txn *t, const struct drg_record *r, enum drg_put_result *ret,
                         struct drg_err *reterr);

/* New records of a type come in runs, and so do known ones: try first what was true of the last one. */
static int txn_put(struct drg_txn *t, const struct drg_record *r, enum drg_put_result *ret,
                   struct drg_err *reterr)
{
	struct drg_txn_head *h = drg_txn_head(t);
	bool inserted = false, found = false;
	int rc = DRG_OK;
	if (h->expect_new[r->type->id] && !r->deleted)
		rc = txn_insert(t, r, &inserted, reterr);
	if (rc == DRG_OK && !inserted)
		rc = txn_change(t, r, &found, ret, reterr);
	if (rc == DRG_OK && !inserted && !found && !r->deleted)
		rc = txn_insert(t, r, &inserted, reterr);
	if (rc == DRG_OK && inserted)
		*ret = DRG_PUT_CREATED;
	h->expect_new[r->type->id] = inserted;
	return rc;
}

/* Insert a record, or bring a tombstone back to life. */
static int txn_add(struct drg_txn *t, const struct drg_record *r, enum drg_put_result *ret,
                   struct drg_err *reterr)
{
	const struct drg_txn_head *h = drg_txn_head(t);
	bool inserted = false, found;
	int rc = txn_insert(t, r, &inserted, reterr);
	if (rc == DRG_OK && inserted) {
		*ret = DRG_PUT_CREATED;
		return DRG_OK;
	}
	if (rc == DRG_OK)
		rc = h->ops->exists(h->store, r, reterr);
	return rc == DRG_ENOENT ? txn_change(t, r, &found, ret, reterr) : rc;
}

/* Input was checked when it arrived, so a record that breaks the model is a bug of dragoman. */
static int txn_check(const struct drg_record *r, struct drg_err *reterr)
{
	struct drg_err e;
	int rc = drg_record_check(r, &e);
	if (rc == DRG_EINVAL)
		return drg_fail(reterr, DRG_EINTERNAL, NULL, e.field,
		                "a record that breaks the model is not stored: %s", e.message);
	return rc == DRG_OK ? rc : drg_fail_memory(reterr);
}

static int txn_write(struct drg_txn *t, txn_write_fn *fn, const struct drg_record *r,
                     enum drg_put_result *ret, struct drg_err *reterr)
{
	struct drg_txn_head *h = drg_txn_head(t);
	enum drg_put_result result = DRG_PUT_SAME;
	int rc = txn_check(r, reterr);
	if (rc == DRG_OK)
		rc = drg_txn_usable(h, reterr);
	if (rc != DRG_OK)
		return rc;
	h->rc = fn(t, r, &result, reterr);
	if (h->rc != DRG_OK)
		return h->rc;
	assert(!r->deleted || result == DRG_PUT_SAME || result == DRG_PUT_DELETED);
	h->changed = h->changed || result != DRG_PUT_SAME;
	h->types |= (unsigned)(result != DRG_PUT_SAME) << r->type->id;
	h->writes += result != DRG_PUT_SAME;
	*ret = result;
	return DRG_OK;
}

int drg_txn_put(struct drg_txn *t, const struct drg_record *r, enum drg_put_result *ret,
                struct drg_err *reterr)
{
	return txn_write(t, txn_put, r, ret, reterr);
}

int drg_txn_add(struct drg_txn *t, const struct drg_record *r, enum drg_put_result *ret,
                struct drg_err *reterr)
{
	assert(!r->deleted);
	return txn_write(t, txn_add, r, ret, reterr);
}
