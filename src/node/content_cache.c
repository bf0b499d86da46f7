#include "node/content_cache.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sodium.h>

enum {
	MIN_BUCKETS = 64,
	MAX_BUCKETS = 1 << 24,
	BYTES_PER_BUCKET = 2048 /* about what a hotel takes */
};

struct drg_hotel_rows {
	_Atomic unsigned holders; /* the cache is one of them while it keeps it */
	uint64_t hash;
	int64_t seq;
	size_t bytes, key_n, packed_n;
	struct drg_hotel_rows *in_bucket;
	struct drg_hotel_rows *newer, *older; /* by last use */
	char data[]; /* the key, then the packed rows */
};

struct bucket {
	struct drg_hotel_rows *first;
	unsigned mark; /* moves with everything that is forgotten here */
};

struct drg_content_cache {
	size_t max_bytes;
	unsigned char seed[crypto_shorthash_KEYBYTES]; /* so that nobody can prepare ids that collide */
	pthread_mutex_t lock; /* for what follows */
	struct bucket *buckets;
	size_t n_buckets; /* a power of two */
	struct drg_hotel_rows *newest, *oldest;
	size_t bytes;
};

/* ---- rows ------------------------------------------------------------------------------------------------ */

static void hold(struct drg_hotel_rows *h)
{
	atomic_fetch_add_explicit(&h->holders, 1, memory_order_relaxed);
}

void drg_hotel_rows_release(struct drg_hotel_rows *rows)
{
	if (rows != NULL && atomic_fetch_sub_explicit(&rows->holders, 1, memory_order_acq_rel) == 1)
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

static struct drg_hotel_rows *make_rows(const struct drg_hotel_key *k, int64_t seq, struct drg_str packed)
{
	size_t bytes = sizeof(struct drg_hotel_rows) + k->n + packed.n;
	struct drg_hotel_rows *h = malloc(bytes);
	if (h == NULL)
		return NULL;
	memset(h, 0, sizeof *h);
	atomic_init(&h->holders, 1);
	h->hash = k->hash;
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

static void make_key(const struct drg_content_cache *c, int64_t adapter, const void *id, size_t n,
                     struct drg_hotel_key *ret)
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
	make_key(c, adapter, hotel.p, hotel.n, ret);
}

void drg_hotel_key_common(const struct drg_content_cache *c, int64_t dict, struct drg_hotel_key *ret)
{
	make_key(c, 0, &dict, sizeof dict, ret); /* no adapter has the number 0 */
}

/* ---- the table, under the lock --------------------------------------------------------------------------- */

static struct bucket *bucket_of(struct drg_content_cache *c, uint64_t hash)
{
	return &c->buckets[hash & (c->n_buckets - 1)];
}

static void unlink_used(struct drg_content_cache *c, struct drg_hotel_rows *h)
{
	*(h->newer != NULL ? &h->newer->older : &c->newest) = h->older;
	*(h->older != NULL ? &h->older->newer : &c->oldest) = h->newer;
}

static void link_newest(struct drg_content_cache *c, struct drg_hotel_rows *h)
{
	h->newer = NULL;
	h->older = c->newest;
	*(c->newest != NULL ? &c->newest->newer : &c->oldest) = h;
	c->newest = h;
}

static struct drg_hotel_rows *find(struct drg_content_cache *c, const struct drg_hotel_key *k)
{
	struct drg_hotel_rows *h = bucket_of(c, k->hash)->first;
	while (h != NULL && !drg_str_eq(drg_str(h->data, h->key_n), drg_str(k->bytes, k->n)))
		h = h->in_bucket;
	return h;
}

static void drop(struct drg_content_cache *c, struct drg_hotel_rows *h)
{
	struct drg_hotel_rows **at = &bucket_of(c, h->hash)->first;
	while (*at != h)
		at = &(*at)->in_bucket;
	*at = h->in_bucket;
	unlink_used(c, h);
	c->bytes -= h->bytes;
	drg_hotel_rows_release(h);
}

static void keep(struct drg_content_cache *c, struct drg_hotel_rows *h)
{
	struct bucket *b = bucket_of(c, h->hash);
	while (c->bytes + h->bytes > c->max_bytes)
		drop(c, c->oldest);
	hold(h);
	h->in_bucket = b->first;
	b->first = h;
	link_newest(c, h);
	c->bytes += h->bytes;
}

/* ---- for node/content.c ------------------------------------------------------------------------------- */

struct drg_hotel_rows *drg_content_cache_take(struct drg_content_cache *c, const struct drg_hotel_key *k,
                                              int64_t max_seq, unsigned *ret_mark)
{
	pthread_mutex_lock(&c->lock);
	struct drg_hotel_rows *h = find(c, k);
	if (h != NULL && h->seq > max_seq)
		h = NULL;
	if (h != NULL) {
		unlink_used(c, h);
		link_newest(c, h);
		hold(h);
	}
	if (ret_mark != NULL)
		*ret_mark = bucket_of(c, k->hash)->mark;
	pthread_mutex_unlock(&c->lock);
	return h;
}

struct drg_hotel_rows *drg_content_cache_put(struct drg_content_cache *c, const struct drg_hotel_key *k,
                                             unsigned mark, int64_t seq, struct drg_str packed)
{
	struct drg_hotel_rows *h = make_rows(k, seq, packed);
	if (h == NULL || h->bytes > c->max_bytes)
		return h;
	pthread_mutex_lock(&c->lock);
	if (bucket_of(c, k->hash)->mark == mark && find(c, k) == NULL)
		keep(c, h);
	pthread_mutex_unlock(&c->lock);
	return h;
}

void drg_content_cache_forget(struct drg_content_cache *c, const struct drg_hotel_key *k)
{
	pthread_mutex_lock(&c->lock);
	struct drg_hotel_rows *h = find(c, k);
	if (h != NULL)
		drop(c, h);
	bucket_of(c, k->hash)->mark++;
	pthread_mutex_unlock(&c->lock);
}

void drg_content_cache_forget_all(struct drg_content_cache *c)
{
	pthread_mutex_lock(&c->lock);
	while (c->newest != NULL)
		drop(c, c->newest);
	for (size_t i = 0; i < c->n_buckets; i++)
		c->buckets[i].mark++;
	pthread_mutex_unlock(&c->lock);
}

int drg_content_cache_new(size_t max_bytes, struct drg_content_cache **ret, struct drg_err *reterr)
{
	struct drg_content_cache *c = calloc(1, sizeof *c);
	size_t n = MIN_BUCKETS;
	while (n < MAX_BUCKETS && n < max_bytes / BYTES_PER_BUCKET)
		n *= 2;
	if (c != NULL)
		c->buckets = calloc(n, sizeof *c->buckets);
	if (c == NULL || c->buckets == NULL || sodium_init() < 0) {
		free(c != NULL ? c->buckets : NULL);
		free(c);
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory");
	}
	c->max_bytes = max_bytes;
	c->n_buckets = n;
	crypto_shorthash_keygen(c->seed);
	pthread_mutex_init(&c->lock, NULL);
	*ret = c;
	return DRG_OK;
}

void drg_content_cache_free(struct drg_content_cache *c)
{
	if (c == NULL)
		return;
	drg_content_cache_forget_all(c);
	pthread_mutex_destroy(&c->lock);
	free(c->buckets);
	free(c);
}
