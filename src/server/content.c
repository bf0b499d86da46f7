#include "server/content.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/worker.h"
#include "model/key.h"
#include "store/fetch.h"

static const int64_t AWAIT_NS = INT64_C(200000000);

struct drg_contents {
	struct drg_contents_options o;
	struct drg_content_cache *cache;
	struct drg_worker waiter; /* its lock protects what follows */
	struct drg_hotel_lookup *waiting; /* looks that wait for the catalog, newest first */
};

/* ---- changes --------------------------------------------------------------------------------------------- */

/* @return false: the record belongs to no hotel. */
static bool content_key_of(const struct drg_contents *c, const struct drg_record *r,
                           struct drg_hotel_key *ret)
{
	bool hotel = drg_record_kind(r) == DRG_KIND_HOTEL;
	if (r->type->id == DRG_TYPE_HOTEL_CONTENT)
		drg_hotel_key_orig(c->cache, r->v[DRG_F_ADAPTER_ID].i, drg_record_s(r, DRG_F_HOTEL_ID), ret);
	else if (r->type->id == DRG_TYPE_SOURCE && hotel)
		drg_hotel_key_orig(c->cache, r->v[DRG_F_ADAPTER_ID].i, r->v[DRG_F_SOURCE_ID].s, ret);
	else if (r->type->id == DRG_TYPE_DICT && hotel)
		drg_hotel_key_common(c->cache, r->v[DRG_F_ID].i, ret);
	else
		return false;
	return true;
}

void drg_contents_changed(struct drg_contents *c, const struct drg_record *r)
{
	struct drg_hotel_key k;
	if (r == NULL)
		drg_content_cache_clear(c->cache);
	else if (content_key_of(c, r, &k))
		drg_content_cache_remove(c->cache, &k);
}

/* ---- reading, on a thread of the pool -------------------------------------------------------------------- */

struct content_reading {
	struct drg_store *s;
	struct drg_buf packed;
	int64_t seq; /* of the newest row */
};

static int content_pack(struct content_reading *x, const struct drg_record *key, struct drg_err *err)
{
	struct drg_rows rows;
	drg_rows_get(&rows, x->s, key, err);
	if (drg_rows_next(&rows)) {
		drg_record_pack(&rows.row.r, &x->packed);
		x->seq = rows.row.m.seq > x->seq ? rows.row.m.seq : x->seq;
		rows.rc = x->packed.rc;
	}
	return drg_rows_end(&rows);
}

/* Read a row. If the store lacks a record that the catalog has, the record was removed a moment ago. */
static int content_read_row(struct content_reading *x, const struct drg_record *key, struct drg_err *err)
{
	struct drg_clock clock;
	int rc = content_pack(x, key, err);
	if (rc != DRG_ENOENT)
		return rc;
	rc = drg_store_clock(x->s, &clock, err);
	if (rc == DRG_OK)
		x->seq = clock.seq;
	return rc;
}

static int read_orig(struct content_reading *x, const struct drg_hotel_lookup *l, struct drg_err *err)
{
	struct drg_record source, content;
	drg_key_source(&source, l->adapter, DRG_KIND_HOTEL, l->hotel);
	drg_record_init(&content, &drg_types[DRG_TYPE_HOTEL_CONTENT]);
	drg_record_set_i(&content, DRG_F_ADAPTER_ID, l->adapter);
	drg_record_set_s(&content, DRG_F_HOTEL_ID, l->hotel);
	int rc = content_read_row(x, &source, err);
	if (rc == DRG_OK)
		rc = content_pack(x, &content, err);
	return rc == DRG_ENOENT ? DRG_OK : rc; /* many hotels have no content */
}

static int read_common(struct content_reading *x, const struct drg_hotel_lookup *l, struct drg_err *err)
{
	struct drg_record key;
	drg_key_dict(&key, DRG_KIND_HOTEL, l->dict);
	return content_read_row(x, &key, err);
}

typedef int read_fn(struct content_reading *x, const struct drg_hotel_lookup *l, struct drg_err *err);

/* Look into the cache again before reading: another request may have read the same meanwhile. */
static int content_load(const struct drg_hotel_lookup *l, struct drg_store *s, const struct drg_hotel_key *k,
                        read_fn *read, struct drg_hotel_rows **ret, struct drg_err *err)
{
	unsigned mark;
	struct drg_hotel_rows *rows = drg_content_cache_find(l->contents->cache, k, INT64_MAX, &mark);
	if (rows == NULL) {
		struct content_reading x = { .s = s };
		drg_buf_init(&x.packed, SIZE_MAX);
		int rc = read(&x, l, err);
		if (rc == DRG_OK)
			rows = drg_content_cache_put(l->contents->cache, k, mark, x.seq,
			                             drg_buf_view(&x.packed));
		drg_buf_done(&x.packed);
		if (rc != DRG_OK)
			return rc;
	}
	if (rows == NULL)
		return drg_fail_memory(err);
	*ret = rows;
	return DRG_OK;
}

static int64_t shown_seq(const struct drg_contents *c)
{
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(c->o.follower);
	int64_t seq = cat != NULL ? drg_catalog_seq(cat) : -1;
	drg_read_unlock();
	return seq;
}

/* Note that rows were found when the catalog was at @p seq. */
static void note_found(struct drg_hotel_lookup *l, const struct drg_hotel_rows *rows, int64_t seq)
{
	if (rows == NULL)
		return;
	seq = seq > drg_hotel_rows_seq(rows) ? seq : drg_hotel_rows_seq(rows);
	if (l->as_of == 0 || seq < l->as_of)
		l->as_of = seq;
}

static bool content_is_of(const struct drg_hotel_rows *rows, int64_t seq)
{
	return rows == NULL || drg_hotel_rows_seq(rows) <= seq;
}

bool drg_hotel_lookup_is_valid_at(const struct drg_hotel_lookup *l, int64_t seq)
{
	return seq <= l->as_of && content_is_of(l->orig, seq) && content_is_of(l->common, seq);
}

static int content_run(struct drg_read_job *j, struct drg_store *s, struct drg_err *err)
{
	struct drg_hotel_lookup *l = DRG_CONTAINER_OF(j, struct drg_hotel_lookup, job);
	struct drg_hotel_key k;
	int64_t seq = shown_seq(l->contents);
	int rc = DRG_OK;
	if (l->orig == NULL) {
		drg_hotel_key_orig(l->contents->cache, l->adapter, l->hotel, &k);
		rc = content_load(l, s, &k, read_orig, &l->orig, err);
		note_found(l, l->orig, seq);
	}
	if (rc == DRG_OK && l->mapped && l->common == NULL) {
		drg_hotel_key_common(l->contents->cache, l->dict, &k);
		rc = content_load(l, s, &k, read_common, &l->common, err);
		note_found(l, l->common, seq);
	}
	return rc;
}

/* ---- waiting for the catalog ----------------------------------------------------------------------------- */

/* A look waits if the rows that it read are newer than the catalog. The catalog follows in a moment, except
 * while it is rebuilt: then a part of the answer is ahead of the others. A look that waits is in a list and
 * occupies no thread. */

static int64_t look_seq(const struct drg_hotel_lookup *l)
{
	int64_t orig = l->orig != NULL ? drg_hotel_rows_seq(l->orig) : -1;
	int64_t common = l->common != NULL ? drg_hotel_rows_seq(l->common) : -1;
	return orig > common ? orig : common;
}

/* Take the looks that have waited long enough out of the list. Under the lock. @return when the next look is
 * due. */
static int64_t content_take_due(struct drg_contents *c, struct drg_hotel_lookup **ret)
{
	int64_t seq = shown_seq(c), now_ns = drg_clock_ns(), next_ns = DRG_WHEN_WOKEN;
	struct drg_hotel_lookup **at = &c->waiting;
	while (*at != NULL) {
		struct drg_hotel_lookup *l = *at;
		if (look_seq(l) > seq && now_ns < l->until_ns && !c->waiter.stopping) {
			next_ns = l->until_ns < next_ns ? l->until_ns : next_ns;
			at = &l->next;
			continue;
		}
		*at = l->next;
		l->next = *ret;
		*ret = l;
	}
	return next_ns;
}

static int64_t content_waiter_step(void *contents)
{
	struct drg_contents *c = contents;
	struct drg_hotel_lookup *due = NULL;
	int64_t next_ns = content_take_due(c, &due);
	pthread_mutex_unlock(&c->waiter.lock);
	while (due != NULL) {
		struct drg_hotel_lookup *l = due;
		due = l->next;
		l->done(l->ctx);
	}
	pthread_mutex_lock(&c->waiter.lock);
	return next_ns;
}

void drg_contents_published(struct drg_contents *c)
{
	pthread_mutex_lock(&c->waiter.lock);
	if (c->waiting != NULL)
		drg_worker_wake_and_unlock(&c->waiter);
	else
		pthread_mutex_unlock(&c->waiter.lock);
}

static void content_done(struct drg_read_job *j)
{
	struct drg_hotel_lookup *l = DRG_CONTAINER_OF(j, struct drg_hotel_lookup, job);
	struct drg_contents *c = l->contents;
	if (j->rc != DRG_OK || look_seq(l) <= shown_seq(c)) {
		l->done(l->ctx);
		return;
	}
	l->until_ns = drg_clock_ns() + AWAIT_NS;
	pthread_mutex_lock(&c->waiter.lock);
	l->next = c->waiting;
	c->waiting = l;
	drg_worker_wake(&c->waiter); /* a publication may have come before the look was in the list */
	pthread_mutex_unlock(&c->waiter.lock);
	drg_follower_wake(c->o.follower);
}

/* ---- for requests ---------------------------------------------------------------------------------------- */

bool drg_contents_find(struct drg_contents *c, struct drg_hotel_lookup *l)
{
	struct drg_hotel_key k;
	int64_t seq = shown_seq(c);
	if (l->orig == NULL) {
		drg_hotel_key_orig(c->cache, l->adapter, l->hotel, &k);
		l->orig = drg_content_cache_find(c->cache, &k, seq, NULL);
		note_found(l, l->orig, seq);
	}
	if (l->mapped && l->common == NULL) {
		drg_hotel_key_common(c->cache, l->dict, &k);
		l->common = drg_content_cache_find(c->cache, &k, seq, NULL);
		note_found(l, l->common, seq);
	}
	return l->orig != NULL && (!l->mapped || l->common != NULL);
}

void drg_contents_read(struct drg_contents *c, struct drg_hotel_lookup *l)
{
	assert(l->done != NULL && (l->orig == NULL || l->mapped));
	l->contents = c;
	l->job.run = content_run;
	l->job.done = content_done;
	l->job.item.owner = l->key_id;
	if (drg_readers_submit(c->o.readers, &l->job) != DRG_OK)
		l->done(l->ctx);
}

void drg_hotel_lookup_done(struct drg_hotel_lookup *l)
{
	drg_hotel_rows_release(l->orig);
	drg_hotel_rows_release(l->common);
	l->orig = l->common = NULL;
	l->as_of = 0;
}

int drg_contents_new(const struct drg_contents_options *o, struct drg_contents **ret, struct drg_err *reterr)
{
	assert(o->follower != NULL && o->readers != NULL);
	struct drg_contents *c = calloc(1, sizeof *c);
	if (c == NULL)
		return drg_fail_memory(reterr);
	c->o = *o;
	drg_worker_init(&c->waiter);
	int rc = drg_content_cache_new(o->max_bytes, &c->cache, reterr);
	if (rc == DRG_OK)
		rc = drg_worker_start(&c->waiter, content_waiter_step, c, DRG_WHEN_WOKEN, reterr);
	if (rc == DRG_OK)
		*ret = c;
	else
		drg_contents_free(c);
	return rc;
}

void drg_contents_free(struct drg_contents *c)
{
	if (c == NULL)
		return;
	drg_worker_done(&c->waiter);
	assert(c->waiting == NULL);
	drg_content_cache_free(c->cache);
	free(c);
}
