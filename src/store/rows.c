/* Readings: rows that the caller pulls one after the other. A scan of all types, and a search for references to
 * a record, consist of parts, one for each type or field. An engine opens, steps and closes one part at a time;
 * the order of the parts, limits and the snapshot are the same for all engines and stand here. */
#include <assert.h>
#include <limits.h>

#include "store/sql.h"
#include "store/store_priv.h"

static const struct drg_store_ops *ops_of(const struct drg_rows *q)
{
	return drg_store_head(q->store)->ops;
}

static struct drg_rows *begin(struct drg_rows *q, struct drg_store *s, struct drg_err *reterr)
{
	/* The rest is written before it is read; a record is large. */
	q->rc = DRG_OK;
	q->clock = (struct drg_clock){ 0 };
	q->store = s;
	q->err = reterr;
	q->how = DRG_ROWS_FEW;
	q->type = NULL;
	q->n_types = q->n_fields = 0;
	q->left = UINT_MAX;
	q->in_snapshot = q->living = q->lent = false;
	q->page = q->ahead = NULL;
	q->at = q->n = q->asked = 0;
	q->rc_ahead = DRG_OK;
	return q;
}

/* Take the code of an engine's function that has opened a part. */
static void open_part(struct drg_rows *q, const struct drg_type *t, int rc)
{
	q->rc = rc;
	q->type = rc == DRG_OK ? t : NULL;
}

static void close_part(struct drg_rows *q)
{
	int rc = ops_of(q)->rows_end(q, q->rc == DRG_OK ? q->err : NULL);
	q->rc = q->rc == DRG_OK ? rc : q->rc;
	q->type = NULL;
}

/* ---- begin ---------------------------------------------------------------------------------------------- */

struct drg_rows *drg_rows_scan(struct drg_rows *q, struct drg_store *s, const struct drg_filter *f,
                               struct drg_err *reterr)
{
	assert(!f->latest_first || (f->type != NULL && f->type->id == DRG_TYPE_MAPPING_EVENT));
	assert(!f->highest_first || (f->type != NULL && f->type->id == DRG_TYPE_BATCH));
	begin(q, s, reterr)->how = DRG_ROWS_SCAN;
	q->filter = *f;
	q->rc = drg_store_snapshot(s, &q->clock, reterr);
	q->in_snapshot = q->rc == DRG_OK;
	return q;
}

struct drg_rows *drg_rows_get(struct drg_rows *q, struct drg_store *s, const struct drg_record *key,
                              struct drg_err *reterr)
{
	begin(q, s, reterr)->how = DRG_ROWS_GET;
	q->rc = drg_store_check_fields(key, true, reterr);
	if (q->rc != DRG_OK)
		return q;
	q->type = key->type;
	q->rc = ops_of(q)->load(s, key, &q->row, reterr);
	if (q->rc == DRG_ENOENT || (q->rc == DRG_OK && q->row.r.deleted))
		q->rc = drg_store_not_there(key, reterr);
	return q;
}

struct drg_rows *drg_rows_siblings(struct drg_rows *q, struct drg_store *s, const struct drg_record *key,
                                   unsigned limit, struct drg_err *reterr)
{
	begin(q, s, reterr);
	open_part(q, key->type, ops_of(q)->siblings(q, key, limit, reterr));
	return q;
}

/* Begin to read rows of these ids, tombstones included, if the engine has among(). */
static struct drg_rows *rows_among(struct drg_rows *q, struct drg_store *s, const struct drg_record *key,
                                   const struct drg_str *ids, size_t n, struct drg_err *reterr)
{
	begin(q, s, reterr);
	open_part(q, key->type, ops_of(q)->among(q, key, ids, n, reterr));
	return q;
}

struct drg_rows *drg_rows_query(struct drg_rows *q, struct drg_store *s, struct drg_buf *sql,
                                const struct drg_type *t, struct drg_err *reterr)
{
	begin(q, s, reterr);
	open_part(q, t, ops_of(q)->query(q, sql, t, reterr));
	return q;
}

struct drg_rows *drg_rows_referrers(struct drg_rows *q, struct drg_store *s, enum drg_kind kind, int64_t id,
                                    unsigned limit, struct drg_err *reterr)
{
	assert(kind < DRG_KIND_COUNT);
	begin(q, s, reterr)->how = DRG_ROWS_REFERRERS;
	q->kind = kind;
	q->id = id;
	q->left = limit;
	q->rc = drg_store_snapshot(s, NULL, reterr);
	q->in_snapshot = q->rc == DRG_OK;
	return q;
}

/* Can the field refer to a dict record of this kind? */
static bool refers_to(const struct drg_field_def *f, const struct drg_type *t, enum drg_kind kind)
{
	return f->ref == (int)kind || (f->ref == DRG_REF_OWN_KIND && drg_kind_in(t->kinds, kind));
}

struct drg_rows *drg_rows_mapped(struct drg_rows *q, struct drg_store *s, enum drg_kind kind, int64_t id,
                                 unsigned limit, struct drg_err *reterr)
{
	const struct drg_type *t = &drg_types[DRG_TYPE_SOURCE];
	const struct drg_field_def *f = drg_field_of(t, DRG_F_DICT_ID);
	drg_rows_referrers(q, s, kind, id, limit, reterr)->how = DRG_ROWS_FEW;
	if (q->rc == DRG_OK && limit > 0 && refers_to(f, t, kind))
		open_part(q, t, ops_of(q)->referrers(q, t, f, reterr));
	return q;
}

/* ---- go on ---------------------------------------------------------------------------------------------- */

static bool filter_wants(const struct drg_filter *f, const struct drg_type *t)
{
	if (f->type != NULL && f->type != t)
		return false;
	if (f->type == NULL && t->internal && !f->internal)
		return false;
	if (f->type == NULL && (f->without >> t->id & 1) != 0)
		return false;
	if (f->one_kind && !drg_kind_in(t->kinds, f->kind))
		return false;
	return f->adapter == 0 || drg_field_of(t, DRG_F_ADAPTER_ID) != NULL;
}

/* Open the next part. @return False: there is none, or it cannot be opened. */
static bool open_next(struct drg_rows *q)
{
	while (q->how == DRG_ROWS_SCAN && q->n_types < DRG_TYPE_COUNT) {
		const struct drg_type *t = &drg_types[q->n_types++];
		if (!filter_wants(&q->filter, t))
			continue;
		open_part(q, t, ops_of(q)->scan(q, t, q->err));
		return q->rc == DRG_OK;
	}
	while (q->how == DRG_ROWS_REFERRERS && q->left > 0 && q->n_types < DRG_TYPE_COUNT) {
		const struct drg_type *t = &drg_types[q->n_types];
		if (q->n_fields == t->n_fields) {
			q->n_types++;
			q->n_fields = 0;
			continue;
		}
		const struct drg_field_def *f = &t->fields[q->n_fields++];
		if (!refers_to(f, t, q->kind))
			continue;
		open_part(q, t, ops_of(q)->referrers(q, t, f, q->err));
		return q->rc == DRG_OK;
	}
	return false;
}

bool drg_rows_next(struct drg_rows *q)
{
	if (q->rc != DRG_OK)
		return false;
	if (q->how == DRG_ROWS_GET)
		return q->n++ == 0;
	while (q->type != NULL || open_next(q)) {
		int rc = ops_of(q)->rows_next(q, q->err);
		if (rc == DRG_OK && q->living && q->row.r.deleted)
			continue;
		if (rc == DRG_OK) {
			q->left--;
			return true;
		}
		if (rc != DRG_ENOENT)
			q->rc = rc;
		close_part(q);
		if (q->rc != DRG_OK)
			return false;
	}
	return false;
}

int drg_rows_end(struct drg_rows *q)
{
	if (q->how == DRG_ROWS_GET && q->type != NULL)
		ops_of(q)->unload(q->store, q->type);
	else if (q->type != NULL)
		close_part(q);
	q->type = NULL;
	if (q->in_snapshot)
		drg_store_snapshot_end(q->store);
	q->in_snapshot = false;
	return q->rc;
}

int drg_rows_each(struct drg_rows *q, drg_row_fn *fn, void *ctx)
{
	while (drg_rows_next(q))
		q->rc = fn(ctx, &q->row.r, &q->row.m);
	return drg_rows_end(q);
}

int drg_store_get_many(struct drg_store *s, const struct drg_record *key, const struct drg_str *ids, size_t n,
                       drg_row_fn *fn, void *ctx, struct drg_err *reterr)
{
	const struct drg_field_def *last = &key->type->fields[drg_sql_n_identity(key->type) - 1];
	struct drg_rows rows;
	struct drg_record one = *key;
	int rc = DRG_OK;
	assert(drg_store_head(s)->txn == NULL && drg_value_is_text(last->vtype));
	if (n > 0 && drg_store_head(s)->ops->among != NULL) {
		rows_among(&rows, s, key, ids, n, reterr)->living = true;
		return drg_rows_each(&rows, fn, ctx);
	}
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		drg_record_set_s(&one, last->field, ids[i]);
		rc = drg_rows_each(drg_rows_get(&rows, s, &one, reterr), fn, ctx);
		rc = rc == DRG_ENOENT ? DRG_OK : rc;
	}
	return rc;
}
