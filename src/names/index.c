#include "names/index.h"

#include <assert.h>
#include <stdlib.h>

#include "base/hash.h"
#include "names/file_priv.h"
#include "names/making.h"

/* Fewer names than this are not written to a file: reading all records takes no time. */
enum { NAMES_WORTH_A_FILE = 20000 };

struct changed {
	int64_t id; /* dict id; of a source: a hash of adapter and id */
	uint32_t kind;
};

struct drg_name_index {
	const struct drg_name_index_options *o; /* only while the index is opened */
	struct drg_name_file file;
	/* made: the index if there is no file; since: records changed since the file was written */
	struct drg_name_making made, since;
	struct drg_name_part base, fresh;
	struct drg_buf changed; /* struct changed */
	enum drg_type_id type;
	struct drg_err *err; /* only while the index is opened */
};

/* ---- records changed since the file was written -------------------------------------------------------- */

static int64_t changed_source(int64_t adapter, struct drg_str id)
{
	return (int64_t)drg_hash(id.p, id.n, (uint64_t)adapter);
}

static int by_identity(const void *pa, const void *pb)
{
	const struct changed *a = pa, *b = pb;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static int index_fail(struct drg_name_index *x, int rc)
{
	return rc == DRG_ELIMIT ? drg_fail(x->err, rc, NULL, NULL, "the names are more than 4 GiB")
	       : rc == DRG_OK   ? rc
	                        : drg_fail_memory(x->err);
}

static int index_take_change(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct drg_name_index *x = ctx;
	struct changed c = { .kind = (uint32_t)drg_record_kind(r) };
	(void)m;
	c.id = x->type == DRG_TYPE_DICT ? r->v[DRG_F_ID].i
	                                : changed_source(r->v[DRG_F_ADAPTER_ID].i, r->v[DRG_F_SOURCE_ID].s);
	if (x->changed.n / sizeof c >= x->o->max_changed)
		return DRG_ESTOPPED;
	drg_buf_add(&x->changed, &c, sizeof c);
	if (x->changed.rc != DRG_OK)
		return drg_fail_memory(x->err);
	return r->deleted ? DRG_OK : index_fail(x, drg_name_making_add(&x->since, r, NULL));
}

/* Read the records that were changed since the file was written. @return DRG_ESTOPPED: they are too many. */
static int index_catch_up(struct drg_name_index *x, struct drg_store *s, struct drg_err *reterr)
{
	assert(x->file.map != NULL && x->changed.n == 0);
	struct drg_feed_place place = { .seq = x->file.clock.seq, .type = DRG_FEED_END };
	struct drg_clock clock;
	int rc = drg_store_feed_from(s, 1U << x->type, &place, index_take_change, x, &clock, reterr);
	if (rc != DRG_OK)
		return rc;
	if (x->changed.n > 0)
		qsort(x->changed.p, x->changed.n / sizeof(struct changed), sizeof(struct changed),
		      by_identity);
	return index_fail(x, drg_name_making_end(&x->since, &x->fresh));
}

bool drg_name_index_changed(const struct drg_name_index *x, const struct drg_named *named)
{
	const int64_t id = x->type == DRG_TYPE_DICT
	                           ? named->id
	                           : changed_source(named->adapter, drg_named_source_id(&x->base, named));
	const struct changed c = { .id = id, .kind = named->kind };
	return x->changed.n > 0 &&
	       bsearch(&c, x->changed.p, x->changed.n / sizeof c, sizeof c, by_identity) != NULL;
}

/* ---- reading the file, or rebuilding the index -------------------------------------------------------- */

/* Is the file of a commit in this store's history? */
static bool index_is_of(const struct drg_name_index *x, struct drg_store *s)
{
	struct drg_clock now;
	int64_t branch;
	return drg_store_clock(s, &now, NULL) == DRG_OK && strcmp(now.epoch, x->file.clock.epoch) == 0 &&
	       x->file.clock.seq <= now.seq &&
	       drg_store_branch_at(s, x->file.clock.seq, &branch, NULL) == DRG_OK &&
	       branch == x->file.clock.branch;
}

/* @return DRG_ENOENT: the index must be rebuilt. */
static int index_read(struct drg_name_index *x, struct drg_store *s, struct drg_err *reterr)
{
	int rc = drg_name_file_open(x->o->path, &x->file);
	if (rc == DRG_OK && (x->file.type != x->type || !index_is_of(x, s)))
		rc = DRG_ENOENT;
	if (rc == DRG_OK)
		rc = index_catch_up(x, s, reterr);
	if (rc == DRG_OK)
		x->base = x->file.part;
	return rc == DRG_ESTOPPED ? DRG_ENOENT : rc;
}

static int index_make(struct drg_name_index *x, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter all = { .type = &drg_types[x->type], .any_order = true };
	uint64_t seen = 0;
	for (drg_rows_scan(&rows, s, &all, reterr); drg_rows_next(&rows);) {
		if (++seen % 4096 == 0 && x->o->progress != NULL)
			x->o->progress(x->o->ctx, seen);
		rows.rc = index_fail(x, drg_name_making_add(&x->made, &rows.row.r, NULL));
	}
	int rc = drg_rows_end(&rows);
	if (rc == DRG_OK)
		rc = index_fail(x, drg_name_making_end(&x->made, &x->base));
	if (rc == DRG_OK && x->base.n_names >= NAMES_WORTH_A_FILE)
		drg_name_file_write(x->o->path, x->type, &rows.clock, &x->base);
	return rc;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

int drg_name_index_open(struct drg_store *s, const struct drg_name_index_options *o,
                        struct drg_name_index **ret, struct drg_err *reterr)
{
	assert(o->path != NULL && (o->type == DRG_TYPE_DICT || o->type == DRG_TYPE_SOURCE));
	struct drg_name_index *x = calloc(1, sizeof *x);
	if (x == NULL)
		return drg_fail_memory(reterr);
	x->o = o;
	x->type = o->type;
	x->err = reterr;
	drg_name_making_init(&x->made, false);
	drg_name_making_init(&x->since, false);
	drg_buf_init(&x->changed, SIZE_MAX);
	int rc = index_read(x, s, reterr);
	if (rc == DRG_ENOENT) {
		drg_buf_clear(&x->changed);
		x->fresh = (struct drg_name_part){ .n_names = 0 };
		rc = index_make(x, s, reterr);
	}
	x->o = NULL;
	x->err = NULL;
	if (rc == DRG_OK)
		*ret = x;
	else
		drg_name_index_close(x);
	return rc;
}

void drg_name_index_close(struct drg_name_index *x)
{
	if (x == NULL)
		return;
	drg_name_file_close(&x->file);
	drg_name_making_done(&x->made);
	drg_name_making_done(&x->since);
	drg_buf_done(&x->changed);
	free(x);
}

const struct drg_name_part *drg_name_index_base(const struct drg_name_index *x)
{
	return &x->base;
}

const struct drg_name_part *drg_name_index_fresh(const struct drg_name_index *x)
{
	return &x->fresh;
}
