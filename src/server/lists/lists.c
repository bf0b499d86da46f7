#include "server/lists/lists.h"

#include <assert.h>
#include <stdlib.h>
#include <sodium.h>

#include "server/lists/lists_priv.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/lru.h"
#include "base/outage.h"
#include "base/worker.h"
#include "server/lists/held.h"
#include "text/collate.h"

enum {
	LIST_BUCKETS = 1024,
	STALE_MS = 600, /* a list may be served while it is behind the data by less than this */
	USED_MS = 1000, /* precision of the order of use */
	DEFAULT_MAX_LISTS = 16384,
	DEFAULT_MAX_WAITING = 1024,
};
static const size_t DEFAULT_MAX_BYTES = (size_t)512 << 20;
static const size_t MAX_LIST_BYTES = (size_t)1 << 30;

/* ---- entries, under the lock ----------------------------------------------------------------------------- */

static struct drg_list_entry *entry_of(struct drg_lru_item *item)
{
	return item != NULL ? DRG_CONTAINER_OF(item, struct drg_list_entry, used) : NULL;
}

struct drg_list_entry *drg_lists_awaited(struct drg_awaited *a)
{
	return a != NULL ? DRG_CONTAINER_OF(a, struct drg_list_entry, awaited) : NULL;
}

bool drg_lists_is_awaited(const struct drg_list_entry *e)
{
	return !TAILQ_EMPTY(&e->awaited.waits);
}

struct drg_list_entry *drg_lists_newest(const struct drg_lists *l)
{
	return entry_of(l->entries.newest);
}

struct drg_list_entry *drg_lists_older(const struct drg_list_entry *e)
{
	return entry_of(e->used.older);
}

static struct drg_list_entry *find_entry(struct drg_lists *l, const struct drg_list_key *key)
{
	struct drg_lru_item *item = drg_lru_first(&l->entries, drg_hash(key, sizeof *key, 0));
	while (item != NULL && memcmp(&entry_of(item)->key, key, sizeof *key) != 0)
		item = drg_lru_next(item);
	return entry_of(item);
}

static struct drg_list_entry *lists_add_entry(struct drg_lists *l, const struct drg_list_key *key)
{
	struct drg_list_entry *e = calloc(1, sizeof *e);
	if (e == NULL)
		return NULL;
	memcpy(&e->key, key, sizeof *key);
	e->used.hash = drg_hash(key, sizeof *key, 0);
	TAILQ_INIT(&e->awaited.waits);
	drg_lru_add(&l->entries, &e->used);
	return e;
}

static void drop_entry(struct drg_lists *l, struct drg_list_entry *e)
{
	assert(!e->building && !drg_lists_is_awaited(e) && (e->ready == NULL || l->bytes >= e->ready->bytes));
	drg_lru_remove(&l->entries, &e->used);
	if (e->ready != NULL)
		l->bytes -= e->ready->bytes;
	drg_list_release(e->ready);
	free(e);
}

/* Drop an entry that was never built and will not be: it must not take the place of a list that is ready. A
 * stranger can ask for thousands and be refused, or leave. */
static void drop_unbuilt(struct drg_lists *l, struct drg_list_entry *e)
{
	if (e->ready == NULL && e->rc == DRG_OK && !e->building && !drg_lists_is_awaited(e))
		drop_entry(l, e);
}

void drg_lists_shrink(struct drg_lists *l, const struct drg_list_entry *fresh)
{
	struct drg_list_entry *newer;
	for (struct drg_list_entry *e = entry_of(l->entries.oldest);
	     e != NULL && (l->bytes > l->o.max_bytes || l->entries.n > l->o.max_lists); e = newer) {
		newer = entry_of(e->used.newer);
		if (e != fresh && !drg_lists_is_awaited(e))
			drop_entry(l, e);
	}
}

void drg_lists_wake(struct drg_list_waits *waits)
{
	struct drg_list_wait *w;
	while ((w = TAILQ_FIRST(waits)) != NULL) {
		TAILQ_REMOVE(waits, w, beside);
		w->wake(w->ctx);
	}
}

/* ---- the builder ----------------------------------------------------------------------------------------- */

/* The newest version of the data for which the list of an entry is known to be right: the present one, if
 * nothing has changed since that a list can show. The list may have been built from data whose publication
 * was not reported yet. */
static struct drg_data_version newest_of(const struct drg_lists *l, const struct drg_list_entry *e)
{
	bool current = e->version == l->version && l->data.seq >= e->at.seq;
	return current ? l->data : e->at;
}

void drg_lists_data_changed(struct drg_lists *l)
{
	struct drg_data_version data = { 0 };
	uint64_t now = drg_lists_data_version(l, &data);
	int64_t t = drg_clock_ns();
	pthread_mutex_lock(&l->builder.lock);
	for (struct drg_list_entry *e = drg_lists_newest(l); e != NULL && now != l->version;
	     e = drg_lists_older(e)) {
		e->at = newest_of(l, e);
		if (e->ready != NULL && e->version != now && e->stale_since_ns == 0)
			e->stale_since_ns = t;
		if (e->building && e->moved_ns == 0)
			e->moved_ns = t;
		e->rc = DRG_OK; /* a failed build may succeed with other data */
	}
	l->version = now;
	l->data = data;
	drg_worker_wake(&l->builder);
	pthread_mutex_unlock(&l->builder.lock);
}

/* ---- for requests ---------------------------------------------------------------------------------------- */

void drg_lists_lang(const struct drg_catalog *cat, struct drg_str lang, char *buf)
{
	char room[DRG_LANG_FULL + 1];
	struct drg_str pick = drg_catalog_lang(cat, lang, true, room);
	assert(pick.n <= DRG_LANG_MAX);
	memset(buf, 0, DRG_LANG_MAX + 1);
	memcpy(buf, pick.p, pick.n);
}

/* May the list be served to a request that came at @p asked_ns? A list that was built since then always may,
 * however long it took: a stream of changes must not make a request wait for ever. */
static bool fresh_enough(const struct drg_lists *l, const struct drg_list_entry *e,
                         const struct drg_list_wish *wish)
{
	return e->ready != NULL &&
	       (e->stale_since_ns == 0 || wish->asked_ns - e->stale_since_ns < STALE_MS * INT64_C(1000000)) &&
	       newest_of(l, e).seq >= wish->min_seq;
}

/* Update the version of a list that was built from earlier data and is equal for the present ones. */
static int refresh_version(struct drg_lists *l, struct drg_list_entry *e)
{
	struct drg_data_version newest = newest_of(l, e);
	if (DRG_LIKELY(drg_data_version_eq(&e->ready->list.version, &newest)))
		return DRG_OK;
	struct drg_held_list *again = drg_held_list_clone(e->ready, &newest);
	if (again == NULL || drg_lists_attach(l, again) != DRG_OK) {
		drg_list_release(again);
		return DRG_ENOMEM;
	}
	drg_list_release(e->ready);
	e->ready = again;
	return DRG_OK;
}

static int wait_for(struct drg_lists *l, struct drg_list_entry *e, struct drg_list_wait *w,
                    struct drg_err *err)
{
	bool first = !drg_lists_is_awaited(e);
	int rc = drg_turns_join(&l->turns, &e->awaited, w);
	if (rc == DRG_ENOMEM)
		return drg_fail_memory(err);
	if (rc != DRG_OK) {
		l->refused++;
		l->queue_ns = drg_clock_ns();
		return drg_fail(err, DRG_ELIMIT, DRG_R(lists_waiting), NULL,
		                "%s; try again later, and ask for one after the other",
		                rc == DRG_ELIMIT ? "your address waits for many lists already"
		                                 : "too many lists are waited for");
	}
	if (first)
		e->awaited.since_ns = drg_clock_ns();
	drg_worker_wake(&l->builder);
	return DRG_EBUSY;
}

/* Note the use of a list. The order of use is kept to the second, so that hot lists are not moved with every
 * request. */
static void mark_used(struct drg_lists *l, struct drg_list_entry *e, const struct drg_list_wish *wish)
{
	e->asked_ns = wish->asked_ns;
	e->coding_ns[wish->coding] = wish->asked_ns;
	if (wish->asked_ns - e->used_ns < USED_MS * INT64_C(1000000))
		return;
	e->used_ns = wish->asked_ns;
	drg_lru_use(&l->entries, &e->used);
}

static int fail_stopping(struct drg_err *err)
{
	return drg_fail(err, DRG_ESTOPPED, DRG_R(stopping), NULL, "the server is stopping");
}

static int hand_out(struct drg_lists *l, struct drg_list_entry *e, const struct drg_list **ret,
                    struct drg_err *err)
{
	if (refresh_version(l, e) != DRG_OK)
		return drg_fail_memory(err);
	drg_list_hold(e->ready);
	*ret = &e->ready->list;
	return DRG_OK;
}

static int get_from(struct drg_lists *l, struct drg_list_entry *e, const struct drg_list_wish *wish,
                    struct drg_list_wait *wait, const struct drg_list **ret, struct drg_err *err)
{
	mark_used(l, e, wish);
	bool fresh = fresh_enough(l, e, wish);
	if (fresh && drg_list_has(&e->ready->list, wish->coding))
		return hand_out(l, e, ret, err);
	if (l->draining && !e->building)
		return fail_stopping(err);
	if (wait == NULL)
		return DRG_EBUSY;
	if (e->rc != DRG_OK && wish->asked_ns <= e->failed_ns) {
		if (err != NULL)
			*err = e->err;
		return e->rc;
	}
	wait->coding = (int)wish->coding;
	e->wanted |= !fresh;
	return wait_for(l, e, wait, err);
}

static int get_locked(struct drg_lists *l, const struct drg_list_wish *wish, struct drg_list_wait *wait,
                      const struct drg_list **ret, struct drg_err *err)
{
	if (l->builder.stopping)
		return fail_stopping(err);
	struct drg_list_entry *e = find_entry(l, &wish->key);
	if (e == NULL)
		e = lists_add_entry(l, &wish->key);
	if (e == NULL)
		return drg_fail_memory(err);
	int rc = get_from(l, e, wish, wait, ret, err);
	drop_unbuilt(l, e);
	return rc;
}

int drg_lists_get(struct drg_lists *l, const struct drg_list_wish *wish, struct drg_list_wait *wait,
                  const struct drg_list **ret, struct drg_err *reterr)
{
	assert(wish->coding < DRG_CODING_COUNT && wish->key.build != NULL);
	pthread_mutex_lock(&l->builder.lock);
	int rc = get_locked(l, wish, wait, ret, reterr);
	pthread_mutex_unlock(&l->builder.lock);
	return rc;
}

bool drg_lists_cancel(struct drg_lists *l, struct drg_list_wait *wait)
{
	pthread_mutex_lock(&l->builder.lock);
	struct drg_list_entry *e = drg_lists_awaited(wait->awaited);
	bool waited = drg_turns_leave(&l->turns, wait);
	if (waited)
		drop_unbuilt(l, e);
	pthread_mutex_unlock(&l->builder.lock);
	return waited;
}

size_t drg_lists_waiting(struct drg_lists *l)
{
	pthread_mutex_lock(&l->builder.lock);
	size_t n = l->turns.n;
	pthread_mutex_unlock(&l->builder.lock);
	return n;
}

void drg_lists_count(struct drg_lists *l, struct drg_lists_counts *ret)
{
	*ret = (struct drg_lists_counts){ .failed = drg_measure_of(&l->failed) };
	drg_durations_gather(&l->builds, &ret->builds);
	pthread_mutex_lock(&l->builder.lock);
	ret->waiting = l->turns.n;
	ret->ready = l->entries.n;
	ret->bytes = l->bytes;
	pthread_mutex_unlock(&l->builder.lock);
}

void drg_lists_drain(struct drg_lists *l)
{
	struct drg_list_waits over = TAILQ_HEAD_INITIALIZER(over);
	if (l == NULL)
		return;
	pthread_mutex_lock(&l->builder.lock);
	l->draining = true;
	for (struct drg_list_entry *e = drg_lists_newest(l); e != NULL; e = drg_lists_older(e))
		if (!e->building)
			drg_turns_take(&l->turns, &e->awaited, &over);
	pthread_mutex_unlock(&l->builder.lock);
	drg_lists_wake(&over);
}

static void lists_free(struct drg_lists *l)
{
	assert(l->bytes == 0 && l->turns.n == 0);
	drg_lru_done(&l->entries);
	drg_turns_done(&l->turns);
	drg_buf_done(&l->body.text);
	drg_buf_done(&l->coded);
	drg_packer_free(l->packer);
	drg_worker_done(&l->builder);
	free(l);
}

int drg_lists_start(const struct drg_lists_options *o, struct drg_lists **ret, struct drg_err *reterr)
{
	assert(o->follower != NULL && (o->attach == NULL) == (o->detach == NULL));
	/* libsodium chooses its fastest hash, for ETags */
	struct drg_lists *l = sodium_init() >= 0 ? calloc(1, sizeof *l) : NULL;
	if (l == NULL)
		return drg_fail_memory(reterr);
	l->o = *o;
	if (l->o.max_bytes == 0)
		l->o.max_bytes = DEFAULT_MAX_BYTES;
	if (l->o.max_lists == 0)
		l->o.max_lists = DEFAULT_MAX_LISTS;
	drg_buf_init(&l->body.text, MAX_LIST_BYTES);
	drg_buf_init(&l->coded, 2 * MAX_LIST_BYTES);
	drg_worker_init(&l->builder);
	int rc = drg_lru_init(&l->entries, LIST_BUCKETS, reterr);
	if (rc == DRG_OK)
		rc = drg_turns_init(&l->turns, o->max_waiting > 0 ? o->max_waiting : DEFAULT_MAX_WAITING,
		                    reterr);
	if (rc == DRG_OK)
		rc = drg_worker_start(&l->builder, drg_lists_build_next, l, DRG_WHEN_WOKEN, reterr);
	if (rc == DRG_OK)
		*ret = l;
	else
		lists_free(l);
	return rc;
}

void drg_lists_stop(struct drg_lists *l)
{
	if (l == NULL)
		return;
	drg_worker_stop(&l->builder);
	drg_lists_drain(l);
	while (l->entries.newest != NULL)
		drop_entry(l, drg_lists_newest(l));
	lists_free(l);
}
