#include "server/lists/lists.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/lru.h"
#include "base/outage.h"
#include "base/worker.h"
#include "http/negotiate.h"
#include "server/lists/turns.h"
#include "text/collate.h"

enum {
	LIST_BUCKETS = 1024,
	COMPRESS_FROM_BYTES = 1024, /* compression does not pay below this */
	STALE_MS = 600, /* a list may be served while it is behind the data by less than this */
	USED_MS = 1000, /* precision of the order of use */
	DEFAULT_MAX_LISTS = 16384,
	DEFAULT_MAX_WAITING = 1024,
	/* delay before a rebuild without a waiting request, so that a burst of commits costs one rebuild */
	GATHER_MS = 150,
	HOT_SECONDS = 60, /* a list is rebuilt without a request if it was requested within this time */
	LATE_MS = 1000, /* a longer wait is logged ... */
	/* ... and its end is logged after this time without one; memory is freed then, too */
	CALM_MS = 10000,
	GATE_MS = 5, /* how often a test's gate is checked */
};
static const size_t DEFAULT_MAX_BYTES = (size_t)512 << 20;
static const size_t MAX_LIST_BYTES = (size_t)1 << 30;

struct list_entry {
	struct drg_lru_item used;
	struct drg_list_key key;
	struct drg_content *ready; /* NULL before the first build; only the builder sets it */
	uint64_t version; /* list version of `ready` */
	/* once `ready` is outdated: the newest version that it is known to match */
	struct drg_data_version at;
	int64_t stale_since_ns; /* when it became outdated; 0: it is up to date */
	int64_t moved_ns; /* when a change arrived during the build; 0: none */
	/* when it was last requested; when it last moved to the front of the order of use */
	int64_t asked_ns, used_ns;
	int64_t first_ns; /* when it was first built; 0: never */
	int64_t coding_ns[DRG_CODING_COUNT]; /* when it was last requested in each coding */
	bool wanted; /* requests wait for a build, not only for a coding */
	struct drg_list_asks asks; /* the requests that wait */
	int64_t awaited_ns; /* when the first of them began to wait */
	int rc; /* the failure of the last build */
	struct drg_err err;
	int64_t failed_ns; /* when it failed; requests that arrived earlier get `rc` */
	bool building;
};

struct drg_lists {
	struct drg_lists_options o;
	struct drg_worker builder; /* its lock protects what follows, and the bodies of contents */
	uint64_t version; /* list version of the last change */
	struct drg_data_version data; /* ... and the newest data version with equal lists */
	struct drg_lru entries;
	struct drg_turns turns;
	size_t bytes;
	int64_t built; /* number of builds */
	bool draining; /* requests wait only for the list that is being built */
	struct drg_outage queue; /* requests wait too long, or too many wait */
	int64_t queue_ns; /* when requests last waited too long */
	size_t refused; /* requests refused since the outage began */
	struct drg_buf text; /* for the builder, kept between builds */
	struct drg_buf coded; /* likewise */
	struct drg_packer *packer; /* likewise; NULL: nothing was compressed lately */
	int64_t built_ns; /* when the last build ended */
	struct drg_durations builds;
	drg_measure failed;
};

/* ---- entries, under the lock ----------------------------------------------------------------------------- */

static struct list_entry *entry_of(struct drg_lru_item *item)
{
	return item != NULL ? DRG_CONTAINER_OF(item, struct list_entry, used) : NULL;
}

static struct list_entry *entry_awaited(struct drg_list_asks *asks)
{
	return asks != NULL ? DRG_CONTAINER_OF(asks, struct list_entry, asks) : NULL;
}

static struct list_entry *find_entry(struct drg_lists *l, const struct drg_list_key *key)
{
	struct drg_lru_item *item = drg_lru_first(&l->entries, drg_hash(key, sizeof *key, 0));
	while (item != NULL && memcmp(&entry_of(item)->key, key, sizeof *key) != 0)
		item = drg_lru_next(item);
	return entry_of(item);
}

static struct list_entry *lists_add_entry(struct drg_lists *l, const struct drg_list_key *key)
{
	struct list_entry *e = calloc(1, sizeof *e);
	if (e == NULL)
		return NULL;
	memcpy(&e->key, key, sizeof *key);
	e->used.hash = drg_hash(key, sizeof *key, 0);
	TAILQ_INIT(&e->asks);
	drg_lru_add(&l->entries, &e->used);
	return e;
}

static size_t content_bytes(const struct drg_content *c)
{
	size_t n = 0;
	for (int coding = 0; c != NULL && coding < DRG_CODING_COUNT; coding++)
		n += c->body[coding].n;
	return c != NULL ? sizeof *c + n : 0;
}

static void drop_entry(struct drg_lists *l, struct list_entry *e)
{
	assert(!e->building && TAILQ_EMPTY(&e->asks) && l->bytes >= content_bytes(e->ready));
	drg_lru_remove(&l->entries, &e->used);
	l->bytes -= content_bytes(e->ready);
	drg_content_release(e->ready);
	free(e);
}

/* Drop an entry that was never built and will not be: it must not displace a list that is ready. A stranger
 * can ask for thousands and be refused, or leave. */
static void drop_unbuilt(struct drg_lists *l, struct list_entry *e)
{
	if (e->ready == NULL && e->rc == DRG_OK && !e->building && TAILQ_EMPTY(&e->asks))
		drop_entry(l, e);
}

/* Drop the least recently used lists. @p fresh stays, however large it is, because requests wait for it. */
static void shrink(struct drg_lists *l, const struct list_entry *fresh)
{
	struct list_entry *newer;
	for (struct list_entry *e = entry_of(l->entries.oldest);
	     e != NULL && (l->bytes > l->o.max_bytes || l->entries.n > l->o.max_lists); e = newer) {
		newer = entry_of(e->used.newer);
		if (e != fresh && TAILQ_EMPTY(&e->asks))
			drop_entry(l, e);
	}
}

/* ---- versions of the data -------------------------------------------------------------------------------- */

/* The newest version of the data for which the list of an entry is known to be right: the present one, if
 * nothing has changed since that a list can show. The list may have been built from data whose publication
 * was not reported yet. */
static struct drg_data_version newest_of(const struct drg_lists *l, const struct list_entry *e)
{
	bool current = e->version == l->version && l->data.seq >= e->at.seq;
	return current ? l->data : e->at;
}

/* Return the present data version. Called on the follower's thread, or while that is held. */
static uint64_t present_version(const struct drg_catalog *cat, struct drg_data_version *ret)
{
	const struct drg_catalog_read_mark look = drg_catalog_read_begin(cat);
	*ret = drg_catalog_read_end(cat, &look);
	return drg_catalog_list_version(cat);
}

void drg_lists_data_changed(struct drg_lists *l)
{
	struct drg_data_version data = { 0 };
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(l->o.follower);
	uint64_t now = cat != NULL ? present_version(cat, &data) : 0;
	drg_read_unlock();
	int64_t t = drg_clock_ns();
	pthread_mutex_lock(&l->builder.lock);
	for (struct list_entry *e = entry_of(l->entries.newest); e != NULL && now != l->version;
	     e = entry_of(e->used.older)) {
		e->at = newest_of(l, e);
		if (e->ready != NULL && e->version != now && e->stale_since_ns == 0)
			e->stale_since_ns = t;
		if (e->building && e->moved_ns == 0)
			e->moved_ns = t;
		e->rc = DRG_OK; /* a failed build may succeed with other data */
	}
	const bool changed = now != l->version;
	l->version = now;
	l->data = data;
	if (changed)
		drg_worker_wake_and_unlock(&l->builder);
	else
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

/* Return the coding that a request needs: none until it is known whether the client already has the list. */
static enum drg_coding coding_needed(const struct drg_list_ask *ask)
{
	return ask->tags.p != NULL ? DRG_CODING_IDENTITY : ask->coding;
}

/* True if the list can be served to a request. A list that was built after the request arrived always can,
 * however long the build took, so that a stream of changes never makes a request wait forever. */
static bool is_fresh(const struct drg_lists *l, const struct list_entry *e, const struct drg_list_ask *ask)
{
	return e->ready != NULL &&
	       (e->stale_since_ns == 0 || ask->asked_ns - e->stale_since_ns < STALE_MS * INT64_C(1000000)) &&
	       newest_of(l, e).seq >= ask->min_seq;
}

/* True if the content can be sent, or the client already has it. */
static bool suffices(const struct drg_content *c, struct drg_list_ask *ask)
{
	enum drg_coding named = ask->coding;
	if (!c->coded_when_asked || c->body[ask->coding].n > 0 ||
	    (ask->tags.p != NULL && drg_etag_matches(ask->tags, false, c->etag, &named)))
		return true;
	ask->tags = drg_str(NULL, 0); /* the client has another list */
	return false;
}

static int fail_stopping(struct drg_err *err)
{
	return drg_fail(err, DRG_ESTOPPED, DRG_R(stopping), NULL, "the server is stopping");
}

/* Answer a request. @return DRG_OK, with the content; DRG_EBUSY: the list has to be built; or the error of
 * its build. */
static int find_answer(const struct drg_lists *l, const struct list_entry *e, struct drg_list_ask *ask)
{
	if (is_fresh(l, e, ask) && suffices(e->ready, ask)) {
		drg_content_hold(e->ready);
		ask->content = e->ready;
		ask->version = newest_of(l, e);
		return DRG_OK;
	}
	if (l->draining && !e->building)
		return fail_stopping(ask->err);
	if (e->rc == DRG_OK || ask->asked_ns > e->failed_ns)
		return DRG_EBUSY;
	if (ask->err != NULL)
		*ask->err = e->err;
	return e->rc;
}

static int wait_for(struct drg_lists *l, struct list_entry *e, struct drg_list_ask *ask)
{
	bool first = TAILQ_EMPTY(&e->asks);
	int rc = drg_turns_join(&l->turns, &e->asks, ask);
	if (rc == DRG_ENOMEM)
		return drg_fail_memory(ask->err);
	if (rc != DRG_OK) {
		l->refused++;
		l->queue_ns = drg_clock_ns();
		return drg_fail(ask->err, DRG_ELIMIT, DRG_R(lists_waiting), NULL,
		                "%s; try again later, and ask for one after the other",
		                rc == DRG_ELIMIT ? "your address waits for many lists already"
		                                 : "too many lists are waited for");
	}
	if (first)
		e->awaited_ns = drg_clock_ns();
	e->wanted |= !is_fresh(l, e, ask);
	drg_worker_wake(&l->builder);
	return DRG_EBUSY;
}

/* Note the use of a list. The order of use is kept to the second, so that hot lists are not moved with every
 * request. */
static void mark_used(struct drg_lists *l, struct list_entry *e, const struct drg_list_ask *ask)
{
	e->asked_ns = ask->asked_ns;
	e->coding_ns[coding_needed(ask)] = ask->asked_ns;
	if (ask->asked_ns - e->used_ns < USED_MS * INT64_C(1000000))
		return;
	e->used_ns = ask->asked_ns;
	drg_lru_use(&l->entries, &e->used);
}

static int get_locked(struct drg_lists *l, struct drg_list_ask *ask)
{
	if (l->builder.stopping)
		return fail_stopping(ask->err);
	struct list_entry *e = find_entry(l, &ask->key);
	if (e == NULL)
		e = lists_add_entry(l, &ask->key);
	if (e == NULL)
		return drg_fail_memory(ask->err);
	int rc = find_answer(l, e, ask);
	mark_used(l, e, ask);
	if (rc == DRG_EBUSY && ask->wake != NULL)
		rc = wait_for(l, e, ask);
	drop_unbuilt(l, e);
	return rc;
}

int drg_lists_get(struct drg_lists *l, struct drg_list_ask *ask)
{
	assert(ask->coding < DRG_CODING_COUNT && ask->key.build != NULL);
	pthread_mutex_lock(&l->builder.lock);
	int rc = get_locked(l, ask);
	pthread_mutex_unlock(&l->builder.lock);
	return rc;
}

bool drg_lists_cancel(struct drg_lists *l, struct drg_list_ask *ask)
{
	pthread_mutex_lock(&l->builder.lock);
	struct list_entry *e = entry_awaited(ask->with);
	bool waited = drg_turns_leave(&l->turns, ask);
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

/* End the waits for a list, with a result. */
static void answer_all(struct drg_lists *l, struct list_entry *e, struct drg_list_asks *over)
{
	struct drg_list_ask *ask;
	TAILQ_FOREACH(ask, &e->asks, beside)
	ask->rc = find_answer(l, e, ask);
	drg_turns_take(&l->turns, &e->asks, over);
}

/* Wake requests. Called without the lock; a request that was woken belongs to its caller again. */
static void wake(struct drg_list_asks *over)
{
	struct drg_list_ask *ask;
	while ((ask = TAILQ_FIRST(over)) != NULL) {
		TAILQ_REMOVE(over, ask, beside);
		ask->wake(ask);
	}
}

/* ---- the builder ----------------------------------------------------------------------------------------- */

/* True if the list is rebuilt without a request: only if it was requested after its first build, because a
 * stranger can request thousands of lists once. */
static bool is_hot(const struct list_entry *e, int64_t cold_ns)
{
	return e->asked_ns > cold_ns && e->asked_ns > e->first_ns;
}

/* Find the hot list that has been outdated for longest. A list whose last build failed waits for a request
 * or a change. */
static struct list_entry *next_behind(const struct drg_lists *l)
{
	struct list_entry *behind = NULL;
	int64_t cold = drg_clock_ns() - HOT_SECONDS * DRG_SECOND_NS;
	for (struct list_entry *e = entry_of(l->entries.newest); e != NULL; e = entry_of(e->used.older))
		if (e->stale_since_ns != 0 && e->rc == DRG_OK && is_hot(e, cold) &&
		    (behind == NULL || e->stale_since_ns < behind->stale_since_ns))
			behind = e;
	return behind;
}

/* Choose the next list to build; lists with waiting requests come first.
 * @param ret_due  When to build it; in the past if a request waits. */
static struct list_entry *next_job(struct drg_lists *l, int64_t *ret_due)
{
	struct list_entry *e = entry_awaited(drg_turns_next(&l->turns));
	*ret_due = 0;
	if (e != NULL)
		return e;
	e = next_behind(l);
	if (e != NULL)
		*ret_due = e->stale_since_ns + GATHER_MS * INT64_C(1000000);
	return e;
}

/* The work to do for an entry, and its result. */
struct list_job {
	const struct list_entry *e; /* its content stays until the job is done: there is one builder */
	bool build; /* false: only a coding is missing */
	unsigned codings; /* bits */
	struct drg_content *made; /* NULL: the present content stays */
	struct drg_str coded[DRG_CODING_COUNT]; /* bodies to be added to the content */
	uint64_t version;
	struct drg_data_version data;
	int rc;
	struct drg_err err;
};

/* Write the opaque part of a body's ETag. */
static void etag_write(struct drg_str body, char *buf, size_t room)
{
	unsigned char hash[16];
	assert(room > 2 * sizeof hash);
	crypto_generichash(hash, sizeof hash, (const unsigned char *)body.p, body.n, NULL, 0);
	sodium_bin2hex(buf, room, hash, sizeof hash);
}

static int job_build(struct drg_lists *l, struct list_job *job)
{
	int64_t total = DRG_LIST_UNCOUNTED;
	drg_buf_clear(&l->text);
	/* A list can show a record in several places; all must show the same version of it. */
	drg_follower_hold(l->o.follower);
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(l->o.follower);
	assert(cat != NULL);
	job->version = present_version(cat, &job->data);
	int rc = job->e->key.build(cat, &job->e->key, l->o.ctx, &l->text, &total, &job->err);
	assert(rc != DRG_EBUSY); /* DRG_EBUSY means "is being built" */
	drg_read_unlock();
	drg_follower_release(l->o.follower);
	if (rc != DRG_OK)
		return rc;
	if (l->text.rc != DRG_OK)
		return drg_fail(&job->err, l->text.rc, NULL, NULL, "the list is too large to build");
	/* Most changes affect few lists. If a rebuilt list equals the old one, keep its compressed bodies. */
	char etag[sizeof job->made->etag];
	const struct drg_str body = drg_buf_view(&l->text);
	etag_write(body, etag, sizeof etag);
	if (job->e->ready != NULL && strcmp(etag, job->e->ready->etag) == 0)
		return DRG_OK;
	struct drg_content *c = drg_content_new("application/json", body);
	if (c == NULL)
		return drg_fail_memory(&job->err);
	c->coded_when_asked = body.n >= COMPRESS_FROM_BYTES;
	memcpy(c->etag, etag, sizeof etag);
	if (total != DRG_LIST_UNCOUNTED)
		snprintf(c->total, sizeof c->total, "%lld", (long long)total);
	job->made = c;
	return DRG_OK;
}

static int job_code_as(struct drg_lists *l, struct list_job *job, enum drg_coding c)
{
	const struct drg_content *there = job->made != NULL ? job->made : job->e->ready;
	if ((job->codings >> c & 1) == 0 || !there->coded_when_asked || there->body[c].n > 0)
		return DRG_OK;
	drg_buf_clear(&l->coded);
	int rc = l->packer == NULL ? drg_packer_new(&l->packer, &job->err) : DRG_OK;
	if (rc == DRG_OK)
		rc = drg_packer_compress(l->packer, c, there->body[DRG_CODING_IDENTITY], &l->coded,
		                         &job->err);
	if (rc == DRG_OK)
		job->coded[c] = drg_content_body(drg_buf_view(&l->coded));
	return rc == DRG_OK && job->coded[c].p == NULL ? drg_fail_memory(&job->err) : rc;
}

/* Called without the lock. */
static void job_do(struct drg_lists *l, struct list_job *job)
{
	const int64_t began_ns = drg_clock_ns();
	job->rc = job->build ? job_build(l, job) : DRG_OK;
	for (int c = DRG_CODING_IDENTITY + 1; c < DRG_CODING_COUNT && job->rc == DRG_OK; c++)
		job->rc = job_code_as(l, job, (enum drg_coding)c);
	if (job->rc != DRG_OK) {
		drg_content_release(job->made);
		for (int c = 0; c < DRG_CODING_COUNT; c++)
			free((void *)(uintptr_t)job->coded[c].p);
	}
	drg_durations_add(&l->builds, (drg_clock_ns() - began_ns) / 1000);
	drg_measure_add(&l->failed, job->rc != DRG_OK);
}

/* Return the codings that requests wait for or have lately used. */
static unsigned wanted_codings(const struct list_entry *e)
{
	const int64_t cold = drg_clock_ns() - HOT_SECONDS * DRG_SECOND_NS;
	const struct drg_list_ask *ask;
	unsigned bits = 0;
	for (unsigned c = 0; c < DRG_CODING_COUNT; c++)
		bits |= (unsigned)(e->coding_ns[c] > cold) << c;
	TAILQ_FOREACH(ask, &e->asks, beside)
	bits |= 1U << coding_needed(ask);
	return bits;
}

static void take_over(struct drg_lists *l, struct list_entry *e, const struct list_job *job)
{
	e->building = false;
	e->rc = job->rc;
	e->err = job->err;
	if (job->rc != DRG_OK) {
		e->failed_ns = drg_clock_ns();
		return;
	}
	l->bytes -= content_bytes(e->ready);
	if (job->made != NULL) {
		drg_content_release(e->ready);
		e->ready = job->made;
	}
	for (int c = 0; c < DRG_CODING_COUNT; c++)
		if (job->coded[c].p != NULL)
			e->ready->body[c] = job->coded[c];
	l->bytes += content_bytes(e->ready);
	if (!job->build)
		return;
	e->version = job->version;
	e->at = job->data;
	e->stale_since_ns = job->version == l->version ? 0 : e->moved_ns;
	if (e->first_ns == 0)
		e->first_ns = drg_clock_ns();
}

/* Called with the lock held; releases it while it builds. */
static void build_entry(struct drg_lists *l, struct list_entry *e)
{
	assert(!e->building); /* there is one builder */
	struct list_job job = { .e = e,
		                .build = e->ready == NULL || e->wanted || e->stale_since_ns != 0,
		                .codings = wanted_codings(e) };
	e->wanted = false;
	e->building = true;
	e->moved_ns = 0;
	pthread_mutex_unlock(&l->builder.lock);
	job_do(l, &job);
	pthread_mutex_lock(&l->builder.lock);

	struct drg_list_asks over = TAILQ_HEAD_INITIALIZER(over);
	take_over(l, e, &job);
	answer_all(l, e, &over);
	l->built++;
	l->built_ns = drg_clock_ns();
	shrink(l, e);
	pthread_mutex_unlock(&l->builder.lock);
	wake(&over);
	pthread_mutex_lock(&l->builder.lock);
}

/* Log once when requests begin to wait because lists are requested faster than they are built. */
static void log_queue(struct drg_lists *l, const struct list_entry *e)
{
	const int64_t now_ns = drg_clock_ns(),
	              ms = TAILQ_EMPTY(&e->asks) ? 0 : (now_ns - e->awaited_ns) / 1000000;
	if (ms < LATE_MS && l->queue_ns == 0)
		return;
	drg_outage_begin(&l->queue, DRG_EBUSY, DRG_LOG_WARN,
	                 "lists are requested faster than they are built: requests wait for %zu lists, "
	                 "for this one since %lld ms; rejected %zu requests; clients take turns",
	                 l->turns.n, (long long)ms, l->refused);
	if (ms >= LATE_MS)
		l->queue_ns = now_ns;
}

/* Log once when requests no longer wait too long. @return when to check that. */
static int64_t log_queue_end(struct drg_lists *l)
{
	if (l->queue_ns == 0)
		return DRG_WHEN_WOKEN;
	const int64_t calm_ns = l->queue_ns + CALM_MS * INT64_C(1000000);
	if (calm_ns > drg_clock_ns())
		return calm_ns;
	l->queue_ns = 0;
	l->refused = 0;
	drg_outage_end(&l->queue, "lists are built as fast as they are requested again");
	return DRG_WHEN_WOKEN;
}

/* Free the builder's memory when it has been idle for a while. @return when that is due. */
static int64_t rest(struct drg_lists *l)
{
	const int64_t calm_ns = log_queue_end(l), rest_ns = l->built_ns + CALM_MS * INT64_C(1000000);
	if (l->built_ns == 0)
		return calm_ns;
	if (rest_ns > drg_clock_ns())
		return rest_ns < calm_ns ? rest_ns : calm_ns;
	l->built_ns = 0;
	drg_packer_free(l->packer);
	l->packer = NULL;
	drg_buf_done(&l->text);
	drg_buf_done(&l->coded);
	return calm_ns;
}

/* Do a step of the thread: choose the next list and build it, or free memory if idle. */
static int64_t build_next(void *lists)
{
	struct drg_lists *l = lists;
	int64_t due = 0;
	if (l->builder.stopping)
		return DRG_WHEN_WOKEN;
	if (l->o.gate != NULL && *l->o.gate <= l->built)
		return drg_clock_ns() + GATE_MS * INT64_C(1000000);
	struct list_entry *e = l->draining ? NULL : next_job(l, &due);
	if (e == NULL)
		return rest(l);
	if (due > drg_clock_ns())
		return due;
	log_queue(l, e);
	build_entry(l, e);
	return DRG_AT_ONCE;
}

/* ---- start and stop -------------------------------------------------------------------------------------- */

void drg_lists_drain(struct drg_lists *l)
{
	struct drg_list_asks over = TAILQ_HEAD_INITIALIZER(over);
	if (l == NULL)
		return;
	pthread_mutex_lock(&l->builder.lock);
	l->draining = true;
	for (struct list_entry *e = entry_of(l->entries.newest); e != NULL; e = entry_of(e->used.older))
		if (!e->building)
			answer_all(l, e, &over);
	pthread_mutex_unlock(&l->builder.lock);
	wake(&over);
}

static void lists_free(struct drg_lists *l)
{
	assert(l->bytes == 0 && l->turns.n == 0);
	drg_lru_done(&l->entries);
	drg_turns_done(&l->turns);
	drg_buf_done(&l->text);
	drg_buf_done(&l->coded);
	drg_packer_free(l->packer);
	drg_worker_done(&l->builder);
	free(l);
}

int drg_lists_start(const struct drg_lists_options *o, struct drg_lists **ret, struct drg_err *reterr)
{
	assert(o->follower != NULL);
	/* libsodium chooses its fastest hash, for ETags */
	struct drg_lists *l = sodium_init() >= 0 ? calloc(1, sizeof *l) : NULL;
	if (l == NULL)
		return drg_fail_memory(reterr);
	l->o = *o;
	if (l->o.max_bytes == 0)
		l->o.max_bytes = DEFAULT_MAX_BYTES;
	if (l->o.max_lists == 0)
		l->o.max_lists = DEFAULT_MAX_LISTS;
	drg_buf_init(&l->text, MAX_LIST_BYTES);
	drg_buf_init(&l->coded, 2 * MAX_LIST_BYTES);
	drg_worker_init(&l->builder);
	int rc = drg_lru_init(&l->entries, LIST_BUCKETS, reterr);
	if (rc == DRG_OK)
		rc = drg_turns_init(&l->turns, o->max_waiting > 0 ? o->max_waiting : DEFAULT_MAX_WAITING,
		                    reterr);
	if (rc == DRG_OK)
		rc = drg_worker_start(&l->builder, build_next, l, DRG_WHEN_WOKEN, reterr);
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
		drop_entry(l, entry_of(l->entries.newest));
	lists_free(l);
}
