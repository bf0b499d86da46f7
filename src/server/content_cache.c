#include "server/content_cache.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sodium.h>

#include "base/lru.h"

enum {
	MIN_BUCKETS = 64,
	MAX_BUCKETS = 1 << 24,
	BYTES_PER_BUCKET = 2048 /* about the size of a hotel */
};

struct drg_hotel_rows {
	_Atomic unsigned holders; /* the cache is a holder while it keeps the rows */
	struct drg_lru_item used;
	int64_t seq;
	size_t bytes, key_n, packed_n;
	char data[]; /* the key, then the packed rows */
};

struct drg_content_cache {
	size_t max_bytes;
	unsigned char seed[crypto_shorthash_KEYBYTES]; /* so that nobody can prepare ids that collide */
	pthread_mutex_t lock; /* protects what follows */
	struct drg_lru rows;
	unsigned *marks; /* of each bucket: incremented when a hotel of the bucket is forgotten */
	size_t bytes;
};

/* ---- rows ------------------------------------------------------------------------------------------------ */

static void content_cache_hold(struct drg_hotel_rows *h)
{
	unsigned before = atomic_fetch_add_explicit(&h->holders, 1, memory_order_relaxed);
	assert(before > 0);
	(void)before;
}

void drg_hotel_rows_release(struct drg_hotel_rows *rows)
{
	if (rows == NULL)
		return;
	unsigned before = atomic_fetch_sub_explicit(&rows->holders, 1, memory_order_acq_rel);
	assert(before > 0);
	if (before == 1)
		free(rows);
}

bool drg_hotel_row(const struct drg_hotel_rows *rows, enum drg_type_id type, struct drg_record *ret)
{
	const char *packed = rows->data + rows->key_n;
	struct drg_record r;
	for (size_t at = 0, n; at < rows->packed_n; at += n) {
		n = drg_record_unpack(packed + at, rows->packed_n - at, &r);
		assert(n > 0);
		if (r.type->id == type) {
			*ret = r;
			return true;
		}
	}
	return false;
}

int64_t drg_hotel_rows_seq(const struct drg_hotel_rows *rows)
{
	return rows->seq;
}

static struct drg_hotel_rows *content_cache_make_rows(const struct drg_hotel_key *k, int64_t seq,
                                                      struct drg_str packed)
{
	size_t bytes = sizeof(struct drg_hotel_rows) + k->n + packed.n;
	struct drg_hotel_rows *h = malloc(bytes);
	if (h == NULL)
		return NULL;
	memset(h, 0, sizeof *h);
	atomic_init(&h->holders, 1);
	h->used.hash = k->hash;
	h->seq = seq;
	h->bytes = bytes;
	h->key_n = k->n;
	h->packed_n = packed.n;
	memcpy(h->data, k->bytes, k->n);
	if (packed.n > 0)
		memcpy(h->data + k->n, packed.p, packed.n);
	return h;
}

/* ---- keys ------------------------------------------------------------------------------------------------ */

static void content_cache_make_key(const struct drg_content_cache *c, int64_t adapter, const void *id,
                                   size_t n, struct drg_hotel_key *ret)
{
	unsigned char hash[crypto_shorthash_BYTES];
	assert(n <= DRG_HOTEL_KEY_MAX - sizeof adapter);
	ret->n = sizeof adapter + n;
	memcpy(ret->bytes, &adapter, sizeof adapter);
	memcpy(ret->bytes + sizeof adapter, id, n);
	crypto_shorthash(hash, (const unsigned char *)ret->bytes, ret->n, c->seed);
	memcpy(&ret->hash, hash, sizeof ret->hash);
}

void drg_hotel_key_orig(const struct drg_content_cache *c, int64_t adapter, struct drg_str hotel,
                        struct drg_hotel_key *ret)
{
	content_cache_make_key(c, adapter, hotel.p, hotel.n, ret);
}

void drg_hotel_key_common(const struct drg_content_cache *c, int64_t dict, struct drg_hotel_key *ret)
{
	content_cache_make_key(c, 0, &dict, sizeof dict, ret); /* no adapter has the number 0 */
}

/* ---- the table, under the lock --------------------------------------------------------------------------- */

static unsigned *content_cache_mark_of(struct drg_content_cache *c, const struct drg_hotel_key *k)
{
	return &c->marks[drg_lru_bucket(&c->rows, k->hash)];
}

static struct drg_hotel_rows *rows_of(struct drg_lru_item *item)
{
	return item != NULL ? DRG_CONTAINER_OF(item, struct drg_hotel_rows, used) : NULL;
}

static struct drg_hotel_rows *content_cache_find(const struct drg_content_cache *c,
                                                 const struct drg_hotel_key *k)
{
	struct drg_hotel_rows *h = rows_of(drg_lru_first(&c->rows, k->hash));
	while (h != NULL && !drg_str_eq(drg_str(h->data, h->key_n), drg_str(k->bytes, k->n)))
		h = rows_of(drg_lru_next(&h->used));
	return h;
}

static void content_cache_drop(struct drg_content_cache *c, struct drg_hotel_rows *h)
{
	drg_lru_remove(&c->rows, &h->used);
	assert(c->bytes >= h->bytes);
	c->bytes -= h->bytes;
	drg_hotel_rows_release(h);
}

static void content_cache_keep(struct drg_content_cache *c, struct drg_hotel_rows *h)
{
	while (c->bytes + h->bytes > c->max_bytes) {
		/* rows larger than the whole cache are not put into the list */
		assert(c->rows.oldest != NULL);
		content_cache_drop(c, rows_of(c->rows.oldest));
	}
	content_cache_hold(h);
	drg_lru_add(&c->rows, &h->used);
	c->bytes += h->bytes;
	assert(c->bytes <= c->max_bytes);
}

/* ---- for server/content.c ------------------------------------------------------------------------------- */

struct drg_hotel_rows *drg_content_cache_find(struct drg_content_cache *c, const struct drg_hotel_key *k,
                                              int64_t max_seq, unsigned *ret_mark)
{
	pthread_mutex_lock(&c->lock);
	struct drg_hotel_rows *h = content_cache_find(c, k);
	if (h != NULL && h->seq > max_seq)
		h = NULL;
	if (h != NULL) {
		drg_lru_use(&c->rows, &h->used);
		content_cache_hold(h);
	}
	if (ret_mark != NULL)
		*ret_mark = *content_cache_mark_of(c, k);
	pthread_mutex_unlock(&c->lock);
	return h;
}

struct drg_hotel_rows *drg_content_cache_put(struct drg_content_cache *c, const struct drg_hotel_key *k,
                                             unsigned mark, int64_t seq, struct drg_str packed)
{
	assert(seq >= 0);
	struct drg_hotel_rows *h = content_cache_make_rows(k, seq, packed);
	if (h == NULL || h->bytes > c->max_bytes)
		return h;
	pthread_mutex_lock(&c->lock);
	if (*content_cache_mark_of(c, k) == mark && content_cache_find(c, k) == NULL)
		content_cache_keep(c, h);
	pthread_mutex_unlock(&c->lock);
	return h;
}

void drg_content_cache_remove(struct drg_content_cache *c, const struct drg_hotel_key *k)
{
	pthread_mutex_lock(&c->lock);
	struct drg_hotel_rows *h = content_cache_find(c, k);
	if (h != NULL)
		content_cache_drop(c, h);
	(*content_cache_mark_of(c, k))++;
	pthread_mutex_unlock(&c->lock);
}

void drg_content_cache_clear(struct drg_content_cache *c)
{
	pthread_mutex_lock(&c->lock);
	while (c->rows.newest != NULL)
		content_cache_drop(c, rows_of(c->rows.newest));
	for (size_t i = 0; i < c->rows.n_buckets; i++)
		c->marks[i]++;
	pthread_mutex_unlock(&c->lock);
}

static void content_cache_destroy(struct drg_content_cache *c)
{
	assert(c->bytes == 0);
	drg_lru_done(&c->rows);
	pthread_mutex_destroy(&c->lock);
	free(c->marks);
	free(c);
}

int drg_content_cache_new(size_t max_bytes, struct drg_content_cache **ret, struct drg_err *reterr)
{
	struct drg_content_cache *c = sodium_init() >= 0 ? calloc(1, sizeof *c) : NULL;
	if (c == NULL)
		return drg_fail_memory(reterr);
	size_t n = MIN_BUCKETS;
	while (n < MAX_BUCKETS && n < max_bytes / BYTES_PER_BUCKET)
		n *= 2;
	c->max_bytes = max_bytes;
	c->marks = calloc(n, sizeof *c->marks);
	crypto_shorthash_keygen(c->seed);
	pthread_mutex_init(&c->lock, NULL);
	int rc = c->marks != NULL ? drg_lru_init(&c->rows, n, reterr) : drg_fail_memory(reterr);
	if (rc == DRG_OK)
		*ret = c;
	else
		content_cache_destroy(c);
	return rc;
}

void drg_content_cache_free(struct drg_content_cache *c)
{
	if (c == NULL)
		return;
	drg_content_cache_clear(c);
	content_cache_destroy(c);
}
