#include "catalog/catalog_priv.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

#include "catalog/rcu.h"

/* ---- life ----------------------------------------------------------------------------------------------- */

static int reserve_bytes(struct drg_catalog *c, size_t bytes, struct drg_err *reterr)
{
	int rc = drg_heap_init(&c->heap, bytes, reterr);
	if (rc == DRG_OK)
		rc = drg_handles_init(&c->handles, bytes, &c->retire, c->seed, reterr);
	if (rc != DRG_OK) {
		drg_handles_done(&c->handles);
		drg_heap_done(&c->heap);
	}
	return rc;
}

/* Reserve less if address space is limited (ulimit -v, strict overcommit): a smaller catalog is better than
 * none. */
static int reserve(struct drg_catalog *c, size_t max_bytes, struct drg_err *reterr)
{
	size_t bytes = max_bytes == 0 || max_bytes > DRG_HEAP_MAX ? DRG_HEAP_MAX : max_bytes;
	if (bytes < DRG_HEAP_MIN)
		bytes = DRG_HEAP_MIN;
	int rc = reserve_bytes(c, bytes, reterr);
	while (rc != DRG_OK && max_bytes == 0 && bytes > DRG_HEAP_MIN) {
		bytes /= 2;
		rc = reserve_bytes(c, bytes, reterr);
	}
	return rc;
}

static int catalog_init(struct drg_catalog *c, size_t max_bytes, struct drg_err *reterr)
{
	if (getrandom(&c->seed, sizeof c->seed, 0) != sizeof c->seed)
		return drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL, "no random numbers: %m");
	drg_adapters_init(&c->adapters);
	drg_directions_init(&c->directions);
	drg_keys_init(&c->keys);
	drg_people_init(&c->people, &c->sessions);
	drg_catalog_redirects_init(&c->redirects);
	drg_air_init(&c->air);
	c->epoch = "";
	c->fragments.heap = &c->heap;
	c->fragments.seed = c->seed;

	int rc = reserve(c, max_bytes, reterr);
	if (rc == DRG_OK)
		rc = drg_table_init(&c->fragments.table, &c->retire, reterr);
	if (rc == DRG_OK)
		rc = drg_table_init(&c->by_id, &c->retire, reterr);
	if (rc == DRG_OK)
		rc = drg_table_init(&c->by_dict, &c->retire, reterr);
	return rc;
}

int drg_catalog_new(const struct drg_catalog_options *o, struct drg_catalog **ret, struct drg_err *reterr)
{
	struct drg_catalog *c = calloc(1, sizeof *c);
	if (c == NULL)
		return drg_fail_memory(reterr);
	c->no_search = o->no_search;
	c->retire.alone = o->alone;
	int rc = catalog_init(c, o->max_bytes, reterr);
	if (rc == DRG_OK)
		*ret = c;
	else
		drg_catalog_free(c);
	return rc;
}

void drg_catalog_free(struct drg_catalog *c)
{
	if (c == NULL)
		return;
	drg_retire_flush(&c->retire);
	free(atomic_load_explicit(&c->key_index, memory_order_relaxed));
	drg_air_done(&c->air);
	drg_small_done(&c->redirects);
	drg_small_done(&c->keys);
	drg_small_done(&c->people);
	drg_small_done(&c->sessions);
	drg_small_done(&c->directions);
	drg_small_done(&c->adapters);
	drg_vec_done(&c->adapter_ids);
	drg_table_done(&c->by_dict);
	drg_table_done(&c->by_id);
	drg_table_done(&c->fragments.table);
	drg_handles_done(&c->handles);
	drg_heap_done(&c->heap);
	free(c);
}

/* ---- writing -------------------------------------------------------------------------------------------- */

static int apply_dict(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr)
{
	int rc = drg_dict_apply(c, r, reterr);
	if (rc != DRG_OK || drg_record_kind(r) != DRG_KIND_COUNTRY)
		return rc;
	if (!r->deleted)
		drg_country_note(c, r);
	return drg_air_country_apply(c, r, reterr);
}

typedef int apply_fn(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr);

/* NULL: the catalog ignores records of this type. */
static apply_fn *const apply_type[DRG_TYPE_COUNT] = {
	[DRG_TYPE_ADAPTER] = drg_adapter_apply,     [DRG_TYPE_DICT] = apply_dict,
	[DRG_TYPE_SOURCE] = drg_source_apply,       [DRG_TYPE_DIRECTION] = drg_direction_apply,
	[DRG_TYPE_REDIRECT] = drg_redirect_apply,   [DRG_TYPE_API_KEY] = drg_key_apply,
	[DRG_TYPE_AIR_PLACE] = drg_air_place_apply, [DRG_TYPE_AIR_SOURCE] = drg_air_source_apply,
	[DRG_TYPE_AIR_MAP] = drg_air_map_apply,     [DRG_TYPE_PERSON] = drg_person_apply,
	[DRG_TYPE_SESSION] = drg_session_apply,
};

/* Check fields whose numbers stand for words: another program may have written any number into the store. */
static int check_words(const struct drg_record *r, struct drg_err *reterr)
{
	const struct drg_type *type = r->type;
	const struct drg_field_def *f = NULL;
	if (type->kinds == 0)
		f = r->deleted ? NULL : drg_record_find_unknown_enum(r);
	else if (!drg_kind_in(type->kinds, drg_record_kind(r)))
		/* sources have no other word, and there are millions of them */
		f = drg_field_of(type, DRG_F_KIND);
	if (f == NULL)
		return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_value), f->wire,
	                "expected the number of a word of \"%s\", found %lld", f->wire,
	                (long long)drg_record_value(r, f)->i);
}

/* Make the counter odd before the record is published. A relaxed store is enough: the record itself is
 * published with release, so a reader that sees the record sees the odd counter. */
static void open_state(struct drg_catalog *c)
{
	uint64_t state = atomic_load_explicit(&c->state, memory_order_relaxed);
	if (state % 2 == 0)
		atomic_store_explicit(&c->state, state + 1, memory_order_relaxed);
}

int drg_catalog_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr)
{
	assert(r->type->id < DRG_TYPE_COUNT);
	assert(c->retire.alone || !drg_read_is_ongoing());
	apply_fn *apply = apply_type[r->type->id];
	open_state(c);
	int rc = apply != NULL ? check_words(r, reterr) : DRG_OK;
	return rc == DRG_OK && apply != NULL ? apply(c, r, reterr) : rc;
}

unsigned drg_catalog_ignored_types(void)
{
	unsigned types = 0;
	for (unsigned i = 0; i < DRG_TYPE_COUNT; i++)
		if (apply_type[i] == NULL)
			types |= 1u << i;
	return types;
}

bool drg_catalog_keeps(const struct drg_record *r)
{
	return apply_type[r->type->id] != NULL && !r->deleted &&
	       (r->type->id != DRG_TYPE_API_KEY || !drg_record_has(r, DRG_F_REVOKED));
}

/* The epoch to be published: the present one if it is equal, else a copy in the heap. */
static int keep_epoch(struct drg_catalog *c, const char *epoch, const char **ret, struct drg_err *reterr)
{
	struct drg_str copy;
	*ret = drg_catalog_epoch(c);
	if (strcmp(*ret, epoch) == 0)
		return DRG_OK;
	int rc = drg_heap_str(&c->heap, drg_str(epoch, strlen(epoch) + 1), &copy, reterr);
	if (rc == DRG_OK)
		*ret = copy.p;
	return rc;
}

/* All catalogs of the process draw from one counter, so a rebuilt catalog never repeats a version of the one
 * before it. */
static uint64_t next_list_version(void)
{
	static _Atomic uint64_t last;
	return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

void drg_catalog_set_history(struct drg_catalog *c, uint64_t history)
{
	c->history = history;
}

/* Publish the version. If the same seq is published again, its commit is not complete yet, so the version
 * stays open. */
static void show_version(struct drg_catalog *c, int64_t seq)
{
	uint64_t n = atomic_load_explicit(&c->published, memory_order_relaxed) + 1;
	uint64_t state = atomic_load_explicit(&c->state, memory_order_relaxed);
	bool more = seq == drg_catalog_seq(c);
	/* Stored with release: a reader that sees only one of the two new values finds `published` changed,
	 * and reads again. */
	atomic_store_explicit(&c->at[n % 2].history, c->history, memory_order_release);
	atomic_store_explicit(&c->at[n % 2].seq, seq, memory_order_release);
	atomic_store_explicit(&c->published, n, memory_order_release);
	if (!more && state % 2 != 0)
		atomic_store_explicit(&c->state, state + 1, memory_order_release);
}

enum { SMALL_TABLES = 6 };

/* Do first what may fail, so that a publication happens as a whole or not at all. */
int drg_catalog_publish(struct drg_catalog *c, int64_t seq, const char *epoch, struct drg_err *reterr)
{
	assert(epoch != NULL && seq >= 0 && (c->retire.alone || !drg_read_is_ongoing()));
	struct drg_small *const small[SMALL_TABLES] = { &c->keys,      &c->adapters, &c->directions,
		                                        &c->redirects, &c->people,   &c->sessions };
	struct drg_sorted_rows *rows[SMALL_TABLES] = { NULL }, *const *keys = &rows[0];
	struct drg_key_index *index = NULL;
	struct drg_air_next air = { 0 };
	int rc = DRG_OK;
	for (size_t i = 0; i < SMALL_TABLES && rc == DRG_OK; i++)
		rc = drg_small_merge(small[i], &rows[i], reterr);
	if (rc == DRG_OK && *keys != NULL)
		rc = drg_key_index_new(*keys, &index, reterr);
	if (rc == DRG_OK)
		rc = keep_epoch(c, epoch, &epoch, reterr);
	if (rc == DRG_OK)
		rc = drg_air_prepare(c, &air, reterr);
	if (rc != DRG_OK) {
		for (size_t i = 0; i < SMALL_TABLES; i++)
			free(rows[i]);
		free(index);
		return rc;
	}
	if (*keys != NULL)
		/* publish the index before the key rows of the old index are retired */
		drg_key_index_publish(c, index);
	for (size_t i = 0; i < SMALL_TABLES; i++)
		drg_small_publish(small[i], rows[i], &c->retire);
	drg_air_publish(c, &air);
	if (c->list_changed)
		atomic_store_explicit(&c->list_version, next_list_version(), memory_order_release);
	c->list_changed = false;
	atomic_store_explicit(&c->epoch, epoch, memory_order_release);
	show_version(c, seq);
	drg_retire_flush(&c->retire);
	return DRG_OK;
}

/* ---- what is in it -------------------------------------------------------------------------------------- */

int64_t drg_catalog_seq(const struct drg_catalog *c)
{
	uint64_t n = atomic_load_explicit(&c->published, memory_order_acquire);
	return atomic_load_explicit(&c->at[n % 2].seq, memory_order_relaxed);
}

/* Read the published version. Read again if two publications came in between. */
static struct drg_data_version shown_version(const struct drg_catalog *c)
{
	struct drg_data_version v = { .open = false };
	uint64_t n, again = atomic_load_explicit(&c->published, memory_order_acquire);
	do {
		n = again;
		v.history = atomic_load_explicit(&c->at[n % 2].history, memory_order_acquire);
		v.seq = atomic_load_explicit(&c->at[n % 2].seq, memory_order_acquire);
		again = atomic_load_explicit(&c->published, memory_order_acquire);
	} while (again != n);
	return v;
}

struct drg_catalog_read_mark drg_catalog_read_begin(const struct drg_catalog *c)
{
	uint64_t state = atomic_load_explicit(&c->state, memory_order_acquire);
	return (struct drg_catalog_read_mark){ shown_version(c), state };
}

struct drg_data_version drg_catalog_read_end(const struct drg_catalog *c,
                                             const struct drg_catalog_read_mark *look)
{
	struct drg_data_version v = look->version;
	v.open = look->state % 2 != 0 || atomic_load_explicit(&c->state, memory_order_acquire) != look->state;
	return v;
}

const char *drg_catalog_epoch(const struct drg_catalog *c)
{
	return atomic_load_explicit(&c->epoch, memory_order_acquire);
}

uint64_t drg_catalog_list_version(const struct drg_catalog *c)
{
	return atomic_load_explicit(&c->list_version, memory_order_acquire);
}

void drg_catalog_stats(const struct drg_catalog *c, struct drg_catalog_stats *ret)
{
	drg_read_lock();
	*ret = (struct drg_catalog_stats){
		.heap_used = atomic_load_explicit(&c->heap.used, memory_order_relaxed),
		.heap_dead = atomic_load_explicit(&c->heap.dead, memory_order_relaxed),
		.table_bytes = drg_table_bytes(&c->by_id) + drg_table_bytes(&c->by_dict) +
		               drg_table_bytes(&c->fragments.table) + drg_handles_bytes(&c->handles),
	};
	for (size_t k = 0; k < DRG_KIND_COUNT; k++) {
		ret->sources_of[k] = atomic_load_explicit(&c->n_sources[k], memory_order_relaxed);
		ret->sources += ret->sources_of[k];
	}
	for (size_t k = 0; k < DRG_KIND_COUNT; k++) {
		ret->dicts_of[k] = atomic_load_explicit(&c->n_dicts[k], memory_order_relaxed);
		ret->dicts += ret->dicts_of[k];
	}
	drg_read_unlock();
}
