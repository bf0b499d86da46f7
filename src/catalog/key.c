#include <assert.h>
#include <stdlib.h>

#include "catalog/catalog_priv.h"
#include "text/stamp.h"

/* The index of keys by hash; requests find keys by it. The table of keys is sorted by number, so each
 * publication makes a new index. */
struct drg_key_index {
	size_t n;
	struct key_at {
		struct drg_str hash;
		const struct drg_key *key;
	} at[]; /**< ascending by hash */
};

static int key_compare(const void *a, const void *b)
{
	int64_t x = ((const struct drg_key *)a)->id, y = ((const struct drg_key *)b)->id;
	return x < y ? -1 : x > y;
}

void drg_keys_init(struct drg_small *s)
{
	drg_small_init(s, sizeof(struct drg_key), key_compare);
}

/* ---- in ------------------------------------------------------------------------------------------------- */

static int key_by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

/* Read "7,9,12" into an ascending array in the heap. */
static int read_adapters(struct drg_catalog *c, const struct drg_record *r, enum drg_field f,
                         const int64_t **ret, size_t *ret_n, struct drg_err *reterr)
{
	struct drg_str list = drg_record_s(r, f);
	struct drg_buf b = drg_heap_top(&c->heap);
	struct drg_str part;
	while (drg_str_split(&list, ',', &part)) {
		int64_t id;
		if (!drg_str_to_i64(drg_str_trim(part), &id))
			return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_value), drg_field_of(r->type, f)->wire,
			                "expected adapter ids with commas, found \"%.*s\"",
			                DRG_STR_ARG(part));
		drg_buf_add(&b, &id, sizeof id);
	}
	if (b.rc != DRG_OK)
		return drg_heap_full(&c->heap, reterr);
	int64_t *ids = (int64_t *)(void *)b.p;
	*ret_n = b.n / sizeof *ids;
	*ret = ids;
	qsort(ids, *ret_n, sizeof *ids, key_by_number);
	drg_heap_take(&c->heap, b.n);
	return DRG_OK;
}

/* Read the hashes from before the key was rotated. */
static int key_read_old(struct drg_catalog *c, const struct drg_record *r, struct drg_key *k,
                        struct drg_err *reterr)
{
	struct drg_str until = drg_record_s(r, DRG_F_OLD_UNTIL);
	if (!drg_stamp_parse(until, &k->old_until_us))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_value), "old_until",
		                "expected an RFC 3339 time, found \"%.*s\"", DRG_STR_ARG(until));
	int rc = drg_heap_str(&c->heap, drg_record_s(r, DRG_F_OLD_HASH), &k->old_hash, reterr);
	if (rc == DRG_OK && drg_record_has(r, DRG_F_OLD_SECRET_HASH))
		rc = drg_heap_str(&c->heap, drg_record_s(r, DRG_F_OLD_SECRET_HASH), &k->old_secret_hash,
		                  reterr);
	return rc;
}

/* A key keeps its count of requests when it changes. The count has a cache line of its own, so that threads
 * that read other keys do not wait for it. */
static int key_read_limits(struct drg_catalog *c, const struct drg_record *r, struct drg_key *k,
                           struct drg_err *reterr)
{
	enum { LINE = 64 };
	static const char room[2 * LINE];
	const struct drg_key *old = drg_small_find(&c->keys, k);
	k->requests_per_second = (int32_t)drg_record_i(r, DRG_F_REQUESTS_PER_SECOND, 0);
	k->adds_per_day = (int32_t)drg_record_i(r, DRG_F_ADDS_PER_DAY, 0);
	k->rate = old != NULL ? old->rate : NULL;
	if (k->requests_per_second == 0 || k->rate != NULL)
		return DRG_OK;
	struct drg_buf b = drg_heap_top(&c->heap);
	drg_buf_add(&b, room, sizeof room);
	if (b.rc != DRG_OK)
		return drg_heap_full(&c->heap, reterr);
	k->rate = (_Atomic int64_t *)(void *)(b.p + (LINE - (uintptr_t)b.p % LINE));
	drg_heap_take(&c->heap, b.n);
	return DRG_OK;
}

static int key_read_key(struct drg_catalog *c, const struct drg_record *r, struct drg_key *k,
                        struct drg_err *reterr)
{
	k->api = (enum drg_api)drg_record_i(r, DRG_F_API, DRG_API_A);
	k->role = (int)drg_record_i(r, DRG_F_ROLE, DRG_KEY_OLD);
	k->text_ids = drg_record_i(r, DRG_F_TEXT_IDS, 0) != 0;
	if (drg_record_has(r, DRG_F_EXPIRES) &&
	    !drg_stamp_parse(drg_record_s(r, DRG_F_EXPIRES), &k->expires_us))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_value), "expires",
		                "expected an RFC 3339 time, found \"%.*s\"",
		                DRG_STR_ARG(drg_record_s(r, DRG_F_EXPIRES)));
	int rc = drg_heap_str(&c->heap, drg_record_s(r, DRG_F_KEY_HASH), &k->key_hash, reterr);
	if (rc == DRG_OK && drg_record_has(r, DRG_F_SECRET_HASH))
		rc = drg_heap_str(&c->heap, drg_record_s(r, DRG_F_SECRET_HASH), &k->secret_hash, reterr);
	if (rc == DRG_OK && drg_record_has(r, DRG_F_OLD_HASH))
		rc = key_read_old(c, r, k, reterr);
	if (rc == DRG_OK && drg_record_has(r, DRG_F_ADAPTERS))
		rc = read_adapters(c, r, DRG_F_ADAPTERS, &k->adapters, &k->n_adapters, reterr);
	if (rc == DRG_OK && drg_record_has(r, DRG_F_READS))
		rc = read_adapters(c, r, DRG_F_READS, &k->reads, &k->n_reads, reterr);
	return rc == DRG_OK ? key_read_limits(c, r, k, reterr) : rc;
}

static size_t key_bytes(const struct drg_key *k)
{
	return k->key_hash.n + k->secret_hash.n + k->old_hash.n + k->old_secret_hash.n +
	       (k->n_adapters + k->n_reads) * sizeof *k->adapters;
}

int drg_key_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr)
{
	assert(r->type->id == DRG_TYPE_API_KEY);
	struct drg_key k = { .id = r->v[DRG_F_ID].i };
	bool gone = !drg_catalog_keeps(r);
	int rc = gone ? DRG_OK : key_read_key(c, r, &k, reterr);
	if (rc == DRG_OK)
		rc = drg_small_change(&c->keys, &k, gone, reterr);
	const struct drg_key *old = rc == DRG_OK ? drg_small_find(&c->keys, &k) : NULL;
	if (old != NULL)
		drg_heap_add_dead(&c->heap, key_bytes(old));
	return rc;
}

/* ---- the index ------------------------------------------------------------------------------------------ */

static int by_hash(const void *a, const void *b)
{
	return drg_str_cmp(((const struct key_at *)a)->hash, ((const struct key_at *)b)->hash);
}

static size_t index_bytes(size_t n)
{
	return sizeof(struct drg_key_index) + n * sizeof(struct key_at);
}

int drg_key_index_new(const struct drg_sorted_rows *rows, struct drg_key_index **ret, struct drg_err *reterr)
{
	const struct drg_key *k = (const struct drg_key *)(const void *)rows->row;
	size_t n = rows->n;
	for (size_t i = 0; i < rows->n; i++)
		n += k[i].old_hash.n > 0;
	struct drg_key_index *index = malloc(index_bytes(n));
	if (index == NULL)
		return drg_fail_memory(reterr);
	index->n = 0;
	for (size_t i = 0; i < rows->n; i++) {
		index->at[index->n++] = (struct key_at){ k[i].key_hash, &k[i] };
		if (k[i].old_hash.n > 0)
			index->at[index->n++] = (struct key_at){ k[i].old_hash, &k[i] };
	}
	assert(index->n == n);
	qsort(index->at, index->n, sizeof *index->at, by_hash);
	*ret = index;
	return DRG_OK;
}

void drg_key_index_publish(struct drg_catalog *c, struct drg_key_index *index)
{
	assert(index != NULL);
	struct drg_key_index *old = atomic_load_explicit(&c->key_index, memory_order_relaxed);
	atomic_store_explicit(&c->key_index, index, memory_order_release);
	drg_retire_block(&c->retire, old, old != NULL ? index_bytes(old->n) : 0);
}

/* ---- out ------------------------------------------------------------------------------------------------ */

const struct drg_key *drg_catalog_key(const struct drg_catalog *c, struct drg_str key_hash)
{
	const struct drg_key_index *index = atomic_load_explicit(&c->key_index, memory_order_acquire);
	if (index == NULL)
		return NULL;
	const struct key_at wanted = { key_hash, NULL };
	const struct key_at *found = bsearch(&wanted, index->at, index->n, sizeof wanted, by_hash);
	return found != NULL ? found->key : NULL;
}

static int key_write_adapters(const int64_t *ids, size_t n_ids, struct drg_arena *arena, struct drg_str *ret)
{
	char *text = drg_arena_alloc(arena, n_ids * DRG_I64_TEXT + 1);
	if (text == NULL)
		return DRG_ENOMEM;
	size_t n = 0;
	for (size_t i = 0; i < n_ids; i++) {
		n += drg_i64_text(ids[i], text + n);
		text[n++] = ',';
	}
	assert(n <= n_ids * DRG_I64_TEXT);
	*ret = drg_str(text, n - (n > 0));
	return DRG_OK;
}

static int key_write_time(int64_t us, enum drg_field f, struct drg_arena *arena, struct drg_record *ret)
{
	char *stamp = drg_arena_alloc(arena, DRG_STAMP_TEXT);
	if (stamp == NULL)
		return DRG_ENOMEM;
	drg_record_set_s(ret, f, drg_str(stamp, drg_stamp_text(us, stamp)));
	return DRG_OK;
}

int drg_key_record(const struct drg_key *k, struct drg_arena *arena, struct drg_record *ret)
{
	struct drg_str text;
	drg_record_init(ret, &drg_types[DRG_TYPE_API_KEY]);
	drg_record_set_i(ret, DRG_F_ID, k->id);
	drg_record_set_i(ret, DRG_F_API, k->api);
	drg_record_set_s(ret, DRG_F_KEY_HASH, k->key_hash);
	if (k->secret_hash.p != NULL)
		drg_record_set_s(ret, DRG_F_SECRET_HASH, k->secret_hash);
	if (k->adapters != NULL) {
		if (key_write_adapters(k->adapters, k->n_adapters, arena, &text) != DRG_OK)
			return DRG_ENOMEM;
		drg_record_set_s(ret, DRG_F_ADAPTERS, text);
	}
	if (k->role != DRG_KEY_OLD)
		drg_record_set_i(ret, DRG_F_ROLE, k->role);
	if (k->reads != NULL) {
		if (key_write_adapters(k->reads, k->n_reads, arena, &text) != DRG_OK)
			return DRG_ENOMEM;
		drg_record_set_s(ret, DRG_F_READS, text);
	}
	if (k->requests_per_second > 0)
		drg_record_set_i(ret, DRG_F_REQUESTS_PER_SECOND, k->requests_per_second);
	if (k->adds_per_day > 0)
		drg_record_set_i(ret, DRG_F_ADDS_PER_DAY, k->adds_per_day);
	if (k->text_ids)
		drg_record_set_i(ret, DRG_F_TEXT_IDS, 1);
	int rc = k->expires_us != 0 ? key_write_time(k->expires_us, DRG_F_EXPIRES, arena, ret) : DRG_OK;
	if (rc != DRG_OK || k->old_hash.n == 0)
		return rc;
	drg_record_set_s(ret, DRG_F_OLD_HASH, k->old_hash);
	if (k->old_secret_hash.n > 0)
		drg_record_set_s(ret, DRG_F_OLD_SECRET_HASH, k->old_secret_hash);
	return key_write_time(k->old_until_us, DRG_F_OLD_UNTIL, arena, ret);
}
