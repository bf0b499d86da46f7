#include "server/follower_priv.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "server/branch.h"
#include "server/load_progress.h"
#include "server/loader.h"

/* How long the start waits for a copy of the store to reach the store's clock. */
enum { FIRST_WAIT_MS = 10000 };

static const size_t REBUILD_DEAD_BYTES = 8u << 20;

void drg_follower_call_changed(struct drg_follower *f, const struct drg_record *r)
{
	if (f->o.changed != NULL)
		f->o.changed(f->o.ctx, r);
}

/* A look that takes less than this counts as no lag. */
int64_t drg_follower_lag(const struct drg_follower *f)
{
	static const int64_t LOOK_US = 3 * INT64_C(1000000);
	int64_t behind = drg_wall_us() - atomic_load(&f->current_us) - f->o.poll_ms * INT64_C(1000);
	return behind > (atomic_load(&f->cut_off) ? 0 : LOOK_US) ? behind / 1000000 : 0;
}

int64_t drg_follower_answered_ns(const struct drg_follower *f)
{
	return atomic_load(&f->answered_ns);
}

bool drg_follower_is_offline(const struct drg_follower *f)
{
	return atomic_load(&f->cut_off);
}

/* ---- rebuilding --------------------------------------------------------------------------------------- */

static int build_anew(struct drg_follower *f, struct drg_err *err)
{
	int64_t t0 = drg_clock_ns();
	struct drg_catalog *fresh;
	struct drg_aside aside;
	struct drg_clock clock;
	int rc = drg_aside_init(&aside, err);
	if (rc == DRG_OK)
		rc = drg_follower_load(f, &aside, &fresh, &clock, err);
	if (rc != DRG_OK) {
		drg_aside_done(&aside);
		return rc;
	}
	drg_aside_done(&f->aside);
	f->aside = aside;
	/* Set before readiness is announced, so that both are seen together. */
	atomic_store(&f->aside_count, drg_aside_count(&f->aside));
	f->most_adapters = 0;
	struct drg_catalog_stats st;
	drg_catalog_stats(fresh, &st);
	double s = (double)(drg_clock_ns() - t0) / 1e9;
	drg_log(DRG_LOG_INFO,
	        "catalog of version %lld loaded: %llu source and %llu dict records in %.2f s, %zu MiB",
	        (long long)drg_catalog_seq(fresh), (unsigned long long)st.sources,
	        (unsigned long long)st.dicts, s, (st.heap_used + st.table_bytes) >> 20);
	drg_follower_call_changed(f, NULL);
	struct drg_catalog *old = atomic_exchange(&f->catalog, fresh);
	rc = drg_follower_note_shown(f, &clock, err);
	if (old != NULL) {
		drg_read_synchronize();
		drg_catalog_free(old);
	}
	return rc;
}

/* Would a rebuild make room for the quarantined records? Yes, if the heap has garbage or adapters were
 * removed. */
static bool has_room_anew(struct drg_follower *f, const struct drg_catalog *cat)
{
	const struct drg_adapter *unused;
	struct drg_catalog_stats st;
	drg_catalog_stats(cat, &st);
	size_t adapters = drg_catalog_adapters(cat, &unused);
	bool fewer = adapters < f->most_adapters;
	f->most_adapters = fewer ? f->most_adapters : adapters;
	return (f->aside.full && st.heap_dead > st.heap_used / 8) || (f->aside.crowded && fewer);
}

static bool mostly_dead(const struct drg_follower *f, const struct drg_catalog *cat)
{
	struct drg_catalog_stats st;
	drg_catalog_stats(cat, &st);
	return st.heap_dead > f->o.rebuild_dead_bytes && st.heap_dead > st.heap_used / 2;
}

uint64_t drg_follower_rows(const struct drg_follower *f)
{
	return atomic_load_explicit(&f->rows, memory_order_relaxed);
}

static const unsigned ALL_TYPES = (1u << DRG_TYPE_COUNT) - 1;

/* ---- following ------------------------------------------------------------------------------------------- */

/* Apply the rows of some types that the catalog does not have yet. @p ret_same false: the rows are of another
 * history. */
static int apply_types(struct drg_follower *f, struct drg_follower_apply *a, unsigned types,
                       struct drg_clock *ret_clock, bool *ret_same)
{
	assert(types != 0 && f->followed.clock.seq >= 0);
	struct drg_feed_place place = { .seq = f->followed.clock.seq, .type = DRG_FEED_END };
	int rc = drg_store_feed_from(f->store, types, &place, drg_follower_apply_row, a, ret_clock, a->err);
	/* Check the history again after reading: if the store was restored between the two looks, these rows
	 * belong to the new history and do not continue the catalog's older rows. */
	if (rc == DRG_OK)
		rc = drg_follower_find_history(f, ret_clock, ret_same, a->err);
	return rc == DRG_OK && *ret_same ? drg_store_in_place(f->store, a->err) : rc;
}

static bool is_same_branch(const struct drg_clock *a, const struct drg_clock *b)
{
	return a->branch == b->branch && strcmp(a->epoch, b->epoch) == 0;
}

void drg_follower_expect(struct drg_follower *f, int64_t before, const struct drg_clock *commit,
                         unsigned types)
{
	struct drg_follower_expected *e = &f->expected, now = { before, *commit, types };
	pthread_mutex_lock(&f->worker.lock);
	/* it continues a note that is not published yet */
	if (e->types != 0 && e->commit.seq == before && e->commit.seq > f->followed.clock.seq &&
	    is_same_branch(&e->commit, commit)) {
		now.before = e->before;
		now.types |= e->types;
	}
	*e = now;
	pthread_mutex_unlock(&f->worker.lock);
}

/* Return the types of records that can have changed between the catalog's commit and @p ret_last. */
static unsigned expected_types(struct drg_follower *f, struct drg_clock *ret_last)
{
	const struct drg_clock *shown = &f->followed.clock;
	pthread_mutex_lock(&f->worker.lock);
	const struct drg_follower_expected e = f->expected;
	pthread_mutex_unlock(&f->worker.lock);
	*ret_last = e.commit;
	bool known = e.types != 0 && e.before <= shown->seq && e.commit.seq > shown->seq &&
	             is_same_branch(&e.commit, shown);
	return known ? e.types : ALL_TYPES;
}

/* Apply keys and people first, so that a revoked key stops working however long the rest takes. Apply
 * redirects before the removal of merged records, so that their ids are never unknown. */
static const unsigned FIRST_TYPES =
        1u << DRG_TYPE_API_KEY | 1u << DRG_TYPE_PERSON | 1u << DRG_TYPE_SESSION | 1u << DRG_TYPE_REDIRECT;

static int take_in_first(struct drg_follower *f, struct drg_catalog *cat, unsigned types, bool *ret_same,
                         struct drg_err *err)
{
	struct drg_follower_apply a = { f, cat, &f->aside, 0, err, true, NULL };
	const struct drg_clock *shown = &f->followed.clock;
	struct drg_clock clock;
	int rc = apply_types(f, &a, types, &clock, ret_same);
	if (rc == DRG_OK && *ret_same && a.rows > 0)
		rc = drg_catalog_publish(cat, shown->seq, shown->epoch, err);
	return rc;
}

static int take_in_types(struct drg_follower *f, struct drg_catalog *cat, unsigned types,
                         struct drg_follower_apply *a, struct drg_clock *ret_clock, bool *ret_same)
{
	int rc = DRG_OK;
	if ((types & FIRST_TYPES) != 0)
		rc = take_in_first(f, cat, types & FIRST_TYPES, ret_same, a->err);
	return rc == DRG_OK && *ret_same ? apply_types(f, a, types, ret_clock, ret_same) : rc;
}

/* Apply all rows that the catalog does not have yet. Called with `still` locked for writing; releases it.
 * @param ret_same  false: the rows are of another history. */
static int take_in_feed(struct drg_follower *f, struct drg_catalog *cat, bool *ret_same, struct drg_err *err)
{
	struct drg_follower_apply a = { f, cat, &f->aside, 0, err, false, NULL };
	struct drg_clock clock, last;
	unsigned types = expected_types(f, &last);
	assert(drg_catalog_seq(cat) == f->followed.clock.seq);
	int rc = take_in_types(f, cat, types, &a, &clock, ret_same);
	/* If another process has committed since, read all types, including those that are already
	 * applied. */
	if (rc == DRG_OK && *ret_same && types != ALL_TYPES &&
	    (clock.seq > last.seq || !is_same_branch(&clock, &last)))
		rc = take_in_types(f, cat, ALL_TYPES, &a, &clock, ret_same);
	/* a pooler may have asked a copy that lags: publish nothing then; the next look decides */
	bool ahead = rc == DRG_OK && *ret_same && clock.seq > f->followed.clock.seq;
	if (ahead)
		rc = drg_follower_publish(cat, &clock, err);
	pthread_rwlock_unlock(&f->still);
	return ahead && rc == DRG_OK ? drg_follower_note_shown(f, &clock, err) : rc;
}

/* Does the follower expect a commit of this server's writer, to the store that it follows, without some types
 * of records? */
static bool expects_commit(struct drg_follower *f, unsigned without)
{
	struct drg_clock commit;
	const unsigned types = expected_types(f, &commit);
	return atomic_load(&f->from) == DRG_FROM_STORE && types != ALL_TYPES && (types & without) == 0;
}

/* Is there something to take in? The store's clock is read, unless a commit is expected:
 * take_in_feed() reads the clock, and compares the history, with the rows.
 * @param ret_same  Does the store continue the catalog's history? */
static int find_news(struct drg_follower *f, const struct drg_catalog *cat, bool *ret_same, bool *ret_news,
                     struct drg_err *err)
{
	struct drg_clock clock;
	*ret_same = *ret_news = cat != NULL && expects_commit(f, 0);
	if (*ret_news)
		return DRG_OK;
	int rc = drg_store_clock(f->store, &clock, err);
	if (rc == DRG_OK && cat != NULL)
		rc = drg_follower_choose_store(f, &clock, err);
	if (rc == DRG_OK && cat != NULL)
		rc = drg_follower_find_history(f, &clock, ret_same, err);
	*ret_news = *ret_same && clock.seq > f->followed.clock.seq;
	return rc;
}

/* One look at the store. @p ret_published: was a version published? */
static int follower_follow(struct drg_follower *f, bool *ret_published, struct drg_err *err)
{
	assert(f->store != NULL);
	struct drg_catalog *cat = f->from_image != NULL ? f->from_image : atomic_load(&f->catalog);
	bool same = false, news = false;
	int rc = drg_store_in_place(f->store, err);
	if (rc == DRG_OK)
		rc = find_news(f, cat, &same, &news, err);
	if (rc != DRG_OK)
		return rc;
	if (news) {
		pthread_rwlock_wrlock(&f->still);
		rc = take_in_feed(f, cat, &same, err);
	}
	bool anew = rc == DRG_OK && (!same || mostly_dead(f, cat) || has_room_anew(f, cat));
	*ret_published = news || anew;
	if (rc == DRG_OK && f->from_image != NULL)
		drg_follower_leave_image(f, same);
	return anew ? build_anew(f, err) : rc;
}

/* Log the quarantined records once, and again when there are twice as many: the first message may explain all
 * of them. */
static void log_aside(struct drg_follower *f)
{
	const struct drg_aside *a = &f->aside;
	uint64_t n = drg_aside_count(a);
	atomic_store(&f->aside_count, n);
	if (n == 0 && f->aside_logged > 0)
		drg_log(DRG_LOG_INFO, "no record is quarantined any more");
	if (n == 0)
		f->aside_logged = 0;
	if (n == 0 || n < 2 * f->aside_logged)
		return;
	drg_log(DRG_LOG_WARN,
	        "%llu records cannot be loaded and are quarantined, all others are served; the first is %s: "
	        "%s; dragoman check lists them",
	        (unsigned long long)n, a->label, a->why.message);
	f->aside_logged = n;
}

/* Look at the store, reopening it after a failure. An outage and its end are logged once each. */
static void follower_poll(struct drg_follower *f)
{
	struct drg_err err = { 0 };
	bool published = false;
	int rc = DRG_OK;
	if (f->store == NULL) {
		rc = drg_follower_open_store(f, 0, &err);
		if (rc == DRG_OK && drg_store_remark(f->store)[0] != '\0')
			drg_log(DRG_LOG_WARN, "%s", drg_store_remark(f->store));
	}
	if (!f->image_tried && f->image_path != NULL)
		drg_follower_start_from_image(f);
	if (rc == DRG_OK)
		rc = follower_follow(f, &published, &err);
	if (rc == DRG_ESTOPPED)
		return;
	if (rc == DRG_OK) /* before /readyz says so */
		atomic_store(&f->answered_ns, drg_clock_ns());
	atomic_store(&f->cut_off, rc != DRG_OK);
	if (rc == DRG_OK)
		atomic_store(&f->current_us, drg_wall_us());
	else if (f->from_image != NULL)
		drg_follower_show_image(f);
	if (rc != DRG_OK) {
		/* A missing file is only a warning: somebody has moved or replaced it. */
		drg_outage_begin(&f->outage, DRG_EIO, rc == DRG_ENOENT ? DRG_LOG_WARN : DRG_LOG_ERROR,
		                 "cannot follow the store: %s; requests are answered from memory, trying on",
		                 err.message);
		f->failures++;
		drg_store_close(f->store);
		f->store = NULL;
		return;
	}
	drg_outage_end(&f->outage, "the store answers again");
	f->failures = 0;
	log_aside(f);
	if (published && f->o.published != NULL)
		f->o.published(f->o.ctx);
}

/* Wait until a commit is announced, the follower is woken, or the next look is due. The next look deals with
 * a lost connection. */
static void follower_wait(struct drg_follower *f, int64_t until_ns)
{
	assert(f->store != NULL && f->listens);
	enum { SLICE_MS = 250 };
	bool news = false;
	int rc = DRG_OK;
	for (int64_t left;
	     rc == DRG_OK && !news && !atomic_load(&f->stopping) && (left = until_ns - drg_clock_ns()) > 0;) {
		unsigned ms = left < SLICE_MS * INT64_C(1000000) ? (unsigned)(left / 1000000 + 1) : SLICE_MS;
		rc = drg_store_wait_commit(f->store, f->wake, ms, &news, NULL);
	}
}

/* A step of the thread: at each poll, and when it is woken. A look that fails may be a whole load, so after
 * failures the thread looks less often, down to an eighth. */
static int64_t follower_step(void *follower)
{
	struct drg_follower *f = follower;
	while ((f->awaited = f->busy))
		pthread_cond_wait(&f->worker.changed, &f->worker.lock);
	if (f->worker.stopping)
		return DRG_WHEN_WOKEN;
	f->busy = true;
	pthread_mutex_unlock(&f->worker.lock);
	uint64_t woken;
	if (f->wake >= 0)
		(void)!read(f->wake, &woken, sizeof woken);
	follower_poll(f);
	int64_t pause_ms = (int64_t)f->o.poll_ms << (f->failures < 3 ? f->failures : 3),
	        next_ns = drg_clock_ns() + pause_ms * 1000000;
	bool hears = f->store != NULL && f->listens;
	if (hears)
		follower_wait(f, next_ns);
	pthread_mutex_lock(&f->worker.lock);
	f->busy = false;
	return hears ? DRG_AT_ONCE : next_ns;
}

static void follower_free(struct drg_follower *f)
{
	drg_worker_done(&f->worker);
	assert(f->from_image == NULL || f->from_image != atomic_load(&f->catalog));
	drg_store_close(f->store);
	drg_catalog_free(atomic_load(&f->catalog));
	drg_catalog_free(f->from_image);
	drg_aside_done(&f->aside);
	pthread_rwlock_destroy(&f->still);
	if (f->wake >= 0)
		close(f->wake);
	free(f->branches.v);
	free(f->image_path);
	free(f->url);
	free(f);
}

/* Let a waiting follower go before new readers. Otherwise lists that are built one after the other would hold
 * it up. */
static void init_still(pthread_rwlock_t *lock)
{
	pthread_rwlockattr_t attr;
	pthread_rwlockattr_init(&attr);
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(lock, &attr);
	pthread_rwlockattr_destroy(&attr);
}

static struct drg_follower *follower_new(const struct drg_follower_options *o)
{
	struct drg_follower *f = calloc(1, sizeof *f);
	if (f == NULL)
		return NULL;
	f->o = *o;
	if (f->o.poll_ms == 0)
		f->o.poll_ms = 100;
	if (f->o.rebuild_dead_bytes == 0)
		f->o.rebuild_dead_bytes = REBUILD_DEAD_BYTES;
	f->url = strdup(o->store_url);
	f->image_path = o->image_path != NULL ? strdup(o->image_path) : NULL;
	const bool listens = !drg_store_is_file(o->store_url);
	f->wake = listens ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
	drg_worker_init(&f->worker);
	init_still(&f->still);
	if (f->url == NULL || (listens && f->wake < 0)) {
		follower_free(f);
		return NULL;
	}
	return f;
}

int drg_follower_open(const struct drg_follower_options *o, struct drg_follower **ret, struct drg_err *reterr)
{
	assert(o->store_url != NULL);
	struct drg_follower *f = follower_new(o);
	if (f == NULL)
		return drg_fail_memory(reterr);
	int rc = drg_follower_open_store(f, FIRST_WAIT_MS, reterr);
	if (rc != DRG_OK && !o->may_be_away) {
		follower_free(f);
		return rc;
	}
	*ret = f;
	return DRG_OK;
}

int drg_follower_run(struct drg_follower *f, struct drg_err *reterr)
{
	atomic_store(&f->stopping, false);
	return drg_worker_start(&f->worker, follower_step, f, DRG_AT_ONCE, reterr);
}

void drg_follower_stop(struct drg_follower *f)
{
	if (f == NULL)
		return;
	atomic_store(&f->stopping, true);
	drg_follower_wake(f);
	drg_worker_stop(&f->worker);
}

void drg_follower_close(struct drg_follower *f)
{
	if (f != NULL)
		follower_free(f);
}

void drg_follower_wake(struct drg_follower *f)
{
	const uint64_t one = 1;
	if (f->wake >= 0)
		(void)!write(f->wake, &one, sizeof one);
	drg_worker_lock_and_wake(&f->worker);
}

/* Publish the commit that the follower expects. A commit of places is left to the follower's thread, because
 * it builds the index of the air search. @return false: nothing is shown; a whole look decides. */
static bool show_expected(struct drg_follower *f)
{
	struct drg_catalog *cat = atomic_load(&f->catalog);
	const unsigned places = 1U << DRG_TYPE_AIR_PLACE | 1U << DRG_TYPE_AIR_SOURCE;
	bool same = true;
	if (f->store == NULL || cat == NULL || f->from_image != NULL || f->failures > 0 ||
	    !expects_commit(f, places) || drg_store_in_place(f->store, NULL) != DRG_OK ||
	    pthread_rwlock_trywrlock(&f->still) != 0)
		return false;
	struct drg_err err = { 0 };
	if (take_in_feed(f, cat, &same, &err) != DRG_OK || !same)
		return false;
	atomic_store(&f->answered_ns, drg_clock_ns());
	atomic_store(&f->current_us, drg_wall_us());
	log_aside(f);
	if (f->o.published != NULL)
		f->o.published(f->o.ctx);
	return !mostly_dead(f, cat);
}

void drg_follower_show(struct drg_follower *f)
{
	pthread_mutex_lock(&f->worker.lock);
	bool sleeps = !f->busy && !f->worker.stopping && f->wake < 0;
	f->busy |= sleeps;
	pthread_mutex_unlock(&f->worker.lock);
	bool shown = sleeps && show_expected(f);
	if (sleeps) {
		pthread_mutex_lock(&f->worker.lock);
		f->busy = false;
		if (f->awaited)
			pthread_cond_signal(&f->worker.changed);
		pthread_mutex_unlock(&f->worker.lock);
	}
	if (!shown)
		drg_follower_wake(f);
}

const struct drg_catalog *drg_follower_catalog(const struct drg_follower *f)
{
	return atomic_load_explicit(&f->catalog, memory_order_acquire);
}

void drg_follower_hold(struct drg_follower *f)
{
	pthread_rwlock_rdlock(&f->still);
}

void drg_follower_release(struct drg_follower *f)
{
	pthread_rwlock_unlock(&f->still);
}

uint64_t drg_follower_aside(const struct drg_follower *f)
{
	return atomic_load(&f->aside_count);
}
