#include "node/follower.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/outage.h"
#include "base/worker.h"
#include "node/aside.h"
#include "node/history.h"
#include "node/image_file.h"
#include "node/loader.h"

struct drg_follower {
	struct drg_follower_options o;
	char *url, *image_path;
	struct drg_catalog *from_image; /* the thread's: loaded, and not shown yet; NULL */
	bool image_tried;
	struct drg_clock
	        image_clock; /* under the worker's lock: of the snapshot that it has started from; epoch "": none */
	_Atomic int64_t current_us; /* wall clock when the catalog was last seen to be what the store has */
	_Atomic uint64_t rows; /* taken in */
	struct drg_store *store; /* the thread's; NULL while it is away */
	_Atomic(struct drg_catalog *) catalog;
	pthread_rwlock_t
	        still; /* written while records are applied, read by those who need them to stand still */
	struct drg_worker worker;
	_Atomic bool stopping; /* a load asks for it at each record */
	/* Under the worker's lock; the thread, which alone changes them, reads them without. */
	struct drg_followed followed;
	struct drg_branches branches; /* all of them */
	_Atomic bool cut_off;
	struct drg_aside aside; /* the thread's: what the catalog has not taken in */
	size_t most_adapters; /* in this catalog, at any look */
	uint64_t aside_told; /* so many were logged */
	_Atomic uint64_t aside_count;
	int64_t behind_since_ns; /* a copy of the store is behind the catalog; 0: it is not */
	unsigned failures; /* looks in a row that failed */
	struct drg_outage outage;
};

static const size_t REBUILD_DEAD_BYTES = 256u << 20;

struct apply {
	struct drg_follower *f;
	struct drg_catalog *cat;
	struct drg_aside *aside;
	uint64_t rows;
	struct drg_err *err;
	bool first; /* what goes before everything else */
};

static void tell_changed(struct drg_follower *f, const struct drg_record *r)
{
	if (f->o.changed != NULL)
		f->o.changed(f->o.ctx, r);
}

/* Of a record, and not of memory or disk: trying again is of no use. */
static bool is_refusal(int rc)
{
	return rc == DRG_ELIMIT || rc == DRG_EINVAL;
}

/* What is not taken in is not there: of a key that changed the old state would be worse than none. */
static int set_aside(const struct apply *a, const struct drg_record *r)
{
	struct drg_record gone = *r;
	int rc = drg_aside_add(a->aside, r, a->err, a->err);
	gone.deleted = true;
	if (rc == DRG_OK)
		rc = drg_catalog_apply(a->cat, &gone, a->err);
	return is_refusal(rc) ? DRG_OK : rc;
}

/* One record never stops the feed (decision E14). A stop does not wait for a load, which can take a minute. */
static int follower_load_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct apply *a = ctx;
	if (atomic_load_explicit(&a->f->stopping, memory_order_relaxed))
		return DRG_ESTOPPED;
	a->rows++;
	atomic_fetch_add_explicit(&a->f->rows, 1, memory_order_relaxed);
	int rc = drg_catalog_apply(a->cat, r, a->err);
	if (rc == DRG_OK)
		drg_aside_remove(a->aside, r);
	return is_refusal(rc) ? set_aside(a, r) : rc;
}

static int apply_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct apply *a = ctx;
	if (a->first && r->type->id == DRG_TYPE_REDIRECT && r->deleted)
		return DRG_OK; /* the record that is there again comes before it */
	tell_changed(a->f, r);
	return follower_load_row(ctx, r, m);
}

/* Its epoch has a place before records fill it. */
static int empty_catalog(struct drg_follower *f, struct drg_catalog **ret, struct drg_err *err)
{
	struct drg_catalog *cat;
	struct drg_clock clock;
	int rc = drg_catalog_new(&f->o.catalog, &cat, err);
	if (rc != DRG_OK)
		return rc;
	rc = drg_store_clock(f->store, &clock, err);
	if (rc == DRG_OK)
		rc = drg_catalog_publish(cat, 0, clock.epoch, err);
	if (rc == DRG_OK)
		*ret = cat;
	else
		drg_catalog_free(cat);
	return rc;
}

static int publish_commit(struct drg_catalog *cat, const struct drg_clock *commit, struct drg_err *err)
{
	drg_catalog_name_history(cat, drg_history_of(commit->epoch, commit->branch));
	return drg_catalog_publish(cat, commit->seq, commit->epoch, err);
}

/* Catalog from nothing, by the engine's fastest way. */
static int follower_load(struct drg_follower *f, struct drg_aside *aside, struct drg_catalog **ret,
                         struct drg_clock *ret_clock, struct drg_err *err)
{
	struct drg_catalog *cat;
	int rc = empty_catalog(f, &cat, err);
	if (rc != DRG_OK)
		return rc;
	const struct drg_filter all = { .without = drg_catalog_ignored_types(),
		                        .internal = true,
		                        .any_order = true };
	struct apply a = { f, cat, aside, 0, err, false };
	rc = drg_load_rows(f->store, &all, follower_load_row, &a, ret_clock, err);
	if (rc == DRG_OK)
		rc = publish_commit(cat, ret_clock, err);
	/* What was read while somebody replaced the file is of neither. */
	if (rc == DRG_OK)
		rc = drg_store_in_place(f->store, err);
	if (rc != DRG_OK) {
		drg_catalog_free(cat);
		return rc;
	}
	*ret = cat;
	return DRG_OK;
}

/* Every branch of the store. */
static int read_branches(struct drg_store *store, struct drg_branches *ret, struct drg_err *err)
{
	struct drg_branches all = { .n = 0 };
	unsigned room = DRG_ARRAY_LEN(((struct drg_followed *)0)->branches);
	int rc = DRG_OK;
	do {
		room *= 2;
		free(all.v);
		all.v = calloc(room, sizeof *all.v);
		rc = all.v != NULL ? drg_store_branches(store, all.v, room, &all.n, err)
		                   : drg_fail_memory(err);
	} while (rc == DRG_OK && all.n == room);
	if (rc == DRG_OK)
		*ret = all;
	else
		free(all.v);
	return rc;
}

/* The catalog shows the commit of @p clock from now on. Takes @p all over. */
static void note_commit(struct drg_follower *f, const struct drg_clock *clock, const struct drg_branches *all)
{
	struct drg_followed now = { .clock = *clock, .n = DRG_ARRAY_LEN(now.branches) };
	now.n = all->n < now.n ? all->n : now.n;
	if (now.n > 0)
		memcpy(now.branches, all->v, now.n * sizeof *now.branches);
	pthread_mutex_lock(&f->worker.lock);
	struct drg_branch *old = f->branches.v;
	f->followed = now;
	f->branches = *all;
	pthread_mutex_unlock(&f->worker.lock);
	if (old != all->v)
		free(old);
}

/* Likewise, of what the store has told. Where its branches cannot be had, they are asked for again when the next commit is
 * shown. */
static int note_shown(struct drg_follower *f, const struct drg_clock *clock, struct drg_err *err)
{
	const struct drg_clock *was = &f->followed.clock;
	bool same =
	        f->branches.n > 0 && clock->branch == was->branch && strcmp(clock->epoch, was->epoch) == 0;
	struct drg_branches all = { .n = 0 };
	int rc = DRG_OK;
	if (same)
		all = f->branches;
	else
		rc = read_branches(f->store, &all, err);
	note_commit(f, clock, &all);
	return rc;
}

void drg_follower_followed(struct drg_follower *f, struct drg_followed *ret)
{
	pthread_mutex_lock(&f->worker.lock);
	*ret = f->followed;
	pthread_mutex_unlock(&f->worker.lock);
}

bool drg_followed_has(const struct drg_followed *x, const struct drg_clock *commit)
{
	unsigned i = 0;
	while (i < x->n && x->branches[i].seq > commit->seq)
		i++;
	int64_t branch = i < x->n ? x->branches[i].id : 0;
	return strcmp(x->clock.epoch, commit->epoch) == 0 && x->clock.seq >= commit->seq &&
	       branch == commit->branch;
}

/* The branch of the commit @p seq, of which @p all has the newest first. */
static int64_t branch_of(const struct drg_branches *all, int64_t seq)
{
	unsigned i = 0, end = all->n;
	while (i < end) {
		unsigned middle = i + (end - i) / 2;
		if (all->v[middle].seq > seq)
			i = middle + 1;
		else
			end = middle;
	}
	return i < all->n ? all->v[i].id : 0;
}

enum drg_reached drg_follower_reached(struct drg_follower *f, const struct drg_data_version *v)
{
	pthread_mutex_lock(&f->worker.lock);
	struct drg_clock commit = f->followed.clock;
	bool behind = commit.epoch[0] == '\0' || commit.seq < v->seq;
	commit.branch = branch_of(&f->branches, v->seq);
	pthread_mutex_unlock(&f->worker.lock);
	return behind                                                      ? DRG_NOT_YET_REACHED
	       : drg_history_of(commit.epoch, commit.branch) == v->history ? DRG_REACHED
	                                                                   : DRG_OTHER_HISTORY;
}

int64_t drg_follower_lag(const struct drg_follower *f)
{
	int64_t behind = drg_wall_us() - atomic_load(&f->current_us);
	return atomic_load(&f->cut_off) && behind > 0 ? behind / 1000000 : 0;
}

bool drg_follower_is_cut_off(const struct drg_follower *f)
{
	return atomic_load(&f->cut_off);
}

/* ---- building anew --------------------------------------------------------------------------------------- */

static int build_anew(struct drg_follower *f, struct drg_err *err)
{
	int64_t t0 = drg_clock_ns();
	struct drg_catalog *fresh;
	struct drg_aside aside;
	struct drg_clock clock;
	int rc = drg_aside_init(&aside, err);
	if (rc == DRG_OK)
		rc = follower_load(f, &aside, &fresh, &clock, err);
	if (rc != DRG_OK) {
		drg_aside_done(&aside);
		return rc;
	}
	drg_aside_done(&f->aside);
	f->aside = aside;
	atomic_store(&f->aside_count,
	             drg_aside_count(&f->aside)); /* who is told it is ready is told this too */
	f->most_adapters = 0;
	struct drg_catalog_stats st;
	drg_catalog_stats(fresh, &st);
	double s = (double)(drg_clock_ns() - t0) / 1e9;
	drg_log(DRG_LOG_INFO,
	        "catalog of version %lld loaded: %llu source and %llu dict records in %.2f s, %zu MiB",
	        (long long)drg_catalog_seq(fresh), (unsigned long long)st.sources,
	        (unsigned long long)st.dicts, s, (st.heap_used + st.table_bytes) >> 20);
	tell_changed(f, NULL);
	struct drg_catalog *old = atomic_exchange(&f->catalog, fresh);
	rc = note_shown(f, &clock, err);
	if (old != NULL) {
		drg_read_synchronize();
		drg_catalog_free(old);
	}
	return rc;
}

/* What found no room has some in a catalog without the dead, or without adapters that were removed. */
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

/* A copy that is behind what the catalog has is late: the next look may have gone to another server. But it may also be
 * of a history that was set back, and that is what it is when it stays so. */
static bool is_only_late(struct drg_follower *f, const struct drg_clock *clock)
{
	static const int64_t LATE_NS = 10 * INT64_C(1000000000);
	bool behind = clock->copy && clock->seq < f->followed.clock.seq &&
	              strcmp(clock->epoch, f->followed.clock.epoch) == 0;
	int64_t now = drg_clock_ns();
	if (!behind)
		f->behind_since_ns = 0;
	else if (f->behind_since_ns == 0)
		f->behind_since_ns = now;
	return behind && now - f->behind_since_ns < LATE_NS;
}

/* Is what the clock tells of a continuation of what the catalog has? */
static int find_history(struct drg_follower *f, const struct drg_clock *clock, bool *ret_same,
                        struct drg_err *err)
{
	int64_t branch = clock->branch;
	int rc = DRG_OK;
	if (is_only_late(f, clock)) {
		*ret_same = true;
		return DRG_OK;
	}
	*ret_same = strcmp(clock->epoch, f->followed.clock.epoch) == 0 && clock->seq >= f->followed.clock.seq;
	if (*ret_same && branch != f->followed.clock.branch)
		rc = drg_store_branch_at(f->store, f->followed.clock.seq, &branch, err);
	*ret_same = *ret_same && rc == DRG_OK && branch == f->followed.clock.branch;
	return rc;
}

/* ---- a start from a snapshot ----------------------------------------------------------------------------- */

int drg_follower_image_of(struct drg_follower *f, struct drg_image_of *ret)
{
	pthread_mutex_lock(&f->worker.lock);
	unsigned n = f->branches.n;
	*ret = (struct drg_image_of){ .clock = f->followed.clock, .branches.n = n };
	ret->branches.v = malloc((n + 1) * sizeof *ret->branches.v);
	if (n > 0 && ret->branches.v != NULL)
		memcpy(ret->branches.v, f->branches.v, n * sizeof *ret->branches.v);
	pthread_mutex_unlock(&f->worker.lock);
	ret->current_us = atomic_load(&f->current_us);
	return ret->branches.v == NULL ? DRG_ENOMEM : ret->clock.epoch[0] == '\0' ? DRG_ENOENT : DRG_OK;
}

void drg_follower_started_from(struct drg_follower *f, struct drg_clock *ret)
{
	pthread_mutex_lock(&f->worker.lock);
	if (f->image_clock.epoch[0] != '\0')
		*ret = f->image_clock;
	pthread_mutex_unlock(&f->worker.lock);
}

uint64_t drg_follower_rows(const struct drg_follower *f)
{
	return atomic_load_explicit(&f->rows, memory_order_relaxed);
}

/* Is the snapshot of the history that the store has? As long as that does not answer, nothing speaks against it. */
static bool fits_store(struct drg_follower *f)
{
	struct drg_clock clock;
	bool same = true;
	struct drg_err none;
	if (f->store == NULL || drg_store_clock(f->store, &clock, &none) != DRG_OK ||
	    find_history(f, &clock, &same, &none) != DRG_OK)
		return true;
	return same;
}

static int load_image(struct drg_follower *f, struct drg_image_file *image, struct drg_err *err)
{
	const struct drg_image_of *of = drg_image_file_of(image);
	struct drg_branches branches = { .n = of->branches.n };
	branches.v = calloc(branches.n + 1, sizeof *branches.v);
	if (branches.v == NULL)
		return drg_fail_memory(err);
	memcpy(branches.v, of->branches.v, branches.n * sizeof *branches.v);
	note_commit(f, &of->clock, &branches);
	atomic_store(&f->current_us, of->current_us);
	if (!fits_store(f))
		return drg_fail(err, DRG_ECORRUPT, NULL, NULL,
		                "the snapshot %s is of another store, or of a history that is over",
		                f->image_path);
	int rc = drg_aside_init(&f->aside, err);
	return rc == DRG_OK ? drg_image_load(image, &f->o.catalog, &f->stopping, &f->from_image, err) : rc;
}

/* Once, before the first load. What is wrong with a snapshot is said, and then it counts for nothing. */
static void start_from_image(struct drg_follower *f)
{
	struct drg_image_file *image;
	struct drg_err err = { 0 };
	int64_t t0 = drg_clock_ns();
	f->image_tried = true;
	int rc = drg_image_open(f->image_path, &image, &err);
	if (rc == DRG_OK) {
		rc = load_image(f, image, &err);
		drg_image_close(image);
	}
	if (rc == DRG_OK) {
		struct drg_catalog_stats st;
		drg_catalog_stats(f->from_image, &st);
		pthread_mutex_lock(&f->worker.lock);
		f->image_clock = f->followed.clock;
		pthread_mutex_unlock(&f->worker.lock);
		drg_log(DRG_LOG_INFO,
		        "catalog of version %lld loaded from the snapshot %s: %llu source and %llu dict "
		        "records in %.2f s",
		        (long long)drg_catalog_seq(f->from_image), f->image_path,
		        (unsigned long long)st.sources, (unsigned long long)st.dicts,
		        (double)(drg_clock_ns() - t0) / 1e9);
		return;
	}
	note_commit(f, &(struct drg_clock){ .seq = 0 }, &(struct drg_branches){ .n = 0 });
	drg_aside_done(&f->aside);
	if (rc != DRG_ENOENT && rc != DRG_ESTOPPED)
		drg_log(DRG_LOG_WARN, "%s; loading from the store", err.message);
}

/* It has come as far as it can. */
static void show_image(struct drg_follower *f)
{
	assert(atomic_load(&f->catalog) == NULL);
	atomic_store(&f->catalog, f->from_image);
	f->from_image = NULL;
	if (f->o.published != NULL)
		f->o.published(f->o.ctx);
}

/* ---- following ------------------------------------------------------------------------------------------- */

/* Rows of some types after what the catalog has. @return in @p ret_same false: they are of another history. */
static int apply_types(struct drg_follower *f, struct apply *a, unsigned types, struct drg_clock *ret_clock,
                       bool *ret_same)
{
	struct drg_feed_place place = { .seq = f->followed.clock.seq, .type = DRG_FEED_END };
	int rc = drg_store_feed_from(f->store, types, &place, apply_row, a, ret_clock, a->err);
	/* Set back between the two looks: what the catalog has from before would be taken for the new history. */
	if (rc == DRG_OK)
		rc = find_history(f, ret_clock, ret_same, a->err);
	return rc == DRG_OK && *ret_same ? drg_store_in_place(f->store, a->err) : rc;
}

/* Keys first, so that nothing else, however long it takes, keeps one that was revoked at work. And where a record leads that
 * is merged into another, before it is gone: its id is never unknown. */
static int take_in_first(struct drg_follower *f, struct drg_catalog *cat, bool *ret_same, struct drg_err *err)
{
	const unsigned types = 1u << DRG_TYPE_API_KEY | 1u << DRG_TYPE_REDIRECT;
	struct apply a = { f, cat, &f->aside, 0, err, true };
	const struct drg_clock *shown = &f->followed.clock;
	struct drg_clock clock;
	int rc = apply_types(f, &a, types, &clock, ret_same);
	if (rc == DRG_OK && *ret_same && a.rows > 0)
		rc = drg_catalog_publish(cat, shown->seq, shown->epoch, err);
	return rc;
}

/* Everything after what the catalog has. @return in @p ret_same false: it is of another history. */
static int take_in_feed(struct drg_follower *f, struct drg_catalog *cat, bool *ret_same, struct drg_err *err)
{
	const unsigned all = (1u << DRG_TYPE_COUNT) - 1;
	struct apply a = { f, cat, &f->aside, 0, err, false };
	struct drg_clock clock;
	assert(drg_catalog_seq(cat) == f->followed.clock.seq);
	pthread_rwlock_wrlock(&f->still);
	int rc = take_in_first(f, cat, ret_same, err);
	if (rc == DRG_OK && *ret_same)
		rc = apply_types(f, &a, all, &clock, ret_same);
	if (rc == DRG_OK && *ret_same)
		rc = publish_commit(cat, &clock, err);
	pthread_rwlock_unlock(&f->still);
	return rc == DRG_OK && *ret_same ? note_shown(f, &clock, err) : rc;
}

static int follower_open_store(struct drg_follower *f, struct drg_err *err)
{
	int rc = drg_store_open(f->url, DRG_STORE_READ, &f->store, err);
	if (rc == DRG_OK)
		drg_store_give_odd_words(f->store);
	return rc;
}

/* The catalog of a snapshot has come to what the store has, or turns out to be of another history. */
static void leave_image(struct drg_follower *f, bool same)
{
	if (same) {
		show_image(f);
		return;
	}
	drg_log(DRG_LOG_WARN, "the snapshot %s is of a history that is over; loading from the store",
	        f->image_path);
	drg_catalog_free(f->from_image);
	f->from_image = NULL;
}

/* One look at the store. @return whether something was published. */
static int follower_follow(struct drg_follower *f, bool *ret_published, struct drg_err *err)
{
	struct drg_catalog *cat = f->from_image != NULL ? f->from_image : atomic_load(&f->catalog);
	struct drg_clock clock;
	bool same = false;
	int rc = drg_store_in_place(f->store, err);
	if (rc == DRG_OK)
		rc = drg_store_clock(f->store, &clock, err);
	if (rc == DRG_OK && cat != NULL)
		rc = find_history(f, &clock, &same, err);
	if (rc != DRG_OK)
		return rc;
	bool news = same && clock.seq > f->followed.clock.seq;
	if (news)
		rc = take_in_feed(f, cat, &same, err);
	bool anew = rc == DRG_OK && (!same || mostly_dead(f, cat) || has_room_anew(f, cat));
	*ret_published = news || anew;
	if (rc == DRG_OK && f->from_image != NULL)
		leave_image(f, same);
	return anew ? build_anew(f, err) : rc;
}

/* Once, and again where there are twice as many: the first says what may be wrong with all. */
static void tell_aside(struct drg_follower *f)
{
	const struct drg_aside *a = &f->aside;
	uint64_t n = drg_aside_count(a);
	atomic_store(&f->aside_count, n);
	if (n == 0 && f->aside_told > 0)
		drg_log(DRG_LOG_INFO, "no record is set aside any more");
	if (n == 0)
		f->aside_told = 0;
	if (n == 0 || n < 2 * f->aside_told)
		return;
	drg_log(DRG_LOG_WARN,
	        "%llu records cannot be taken in and are set aside, everything else goes on; the first is "
	        "%s: %s; "
	        "dragoman check lists them",
	        (unsigned long long)n, a->label, a->why.message);
	f->aside_told = n;
}

/* Reopens the store after a failure; logs an outage once, and its end. */
static void follower_look(struct drg_follower *f)
{
	struct drg_err err = { 0 };
	bool published = false;
	int rc = DRG_OK;
	if (f->store == NULL) {
		rc = follower_open_store(f, &err);
		if (rc == DRG_OK && drg_store_remark(f->store)[0] != '\0')
			drg_log(DRG_LOG_WARN, "%s", drg_store_remark(f->store));
	}
	if (!f->image_tried && f->image_path != NULL)
		start_from_image(f);
	if (rc == DRG_OK)
		rc = follower_follow(f, &published, &err);
	if (rc == DRG_ESTOPPED)
		return;
	atomic_store(&f->cut_off, rc != DRG_OK);
	if (rc == DRG_OK)
		atomic_store(&f->current_us, drg_wall_us());
	else if (f->from_image != NULL)
		show_image(f);
	if (rc != DRG_OK) {
		/* A file that is moved or replaced is somebody's doing. */
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
	tell_aside(f);
	if (published && f->o.published != NULL)
		f->o.published(f->o.ctx);
}

/* A step: each poll, and when it is woken. A look that fails may be a whole load, so it is not repeated as often: up to
 * eight times as seldom. */
static int64_t follower_step(void *follower)
{
	struct drg_follower *f = follower;
	if (f->worker.stopping)
		return DRG_WHEN_WOKEN;
	pthread_mutex_unlock(&f->worker.lock);
	follower_look(f);
	int64_t pause_ms = (int64_t)f->o.poll_ms << (f->failures < 3 ? f->failures : 3);
	pthread_mutex_lock(&f->worker.lock);
	return drg_clock_ns() + pause_ms * 1000000;
}

static void follower_free(struct drg_follower *f)
{
	drg_worker_done(&f->worker);
	drg_store_close(f->store);
	drg_catalog_free(atomic_load(&f->catalog));
	drg_catalog_free(f->from_image);
	drg_aside_done(&f->aside);
	pthread_rwlock_destroy(&f->still);
	free(f->branches.v);
	free(f->image_path);
	free(f->url);
	free(f);
}

/* The follower goes before readers that come after it, or lists built one after the other would hold it up. */
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
	drg_worker_init(&f->worker);
	init_still(&f->still);
	if (f->url == NULL) {
		follower_free(f);
		return NULL;
	}
	return f;
}

int drg_follower_open(const struct drg_follower_options *o, struct drg_follower **ret, struct drg_err *reterr)
{
	struct drg_follower *f = follower_new(o);
	if (f == NULL)
		return drg_fail_memory(reterr);
	int rc = follower_open_store(f, reterr);
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
	drg_worker_stop(&f->worker);
}

void drg_follower_close(struct drg_follower *f)
{
	if (f != NULL)
		follower_free(f);
}

void drg_follower_wake(struct drg_follower *f)
{
	drg_worker_lock_and_wake(&f->worker);
}

const struct drg_catalog *drg_follower_catalog(const struct drg_follower *f)
{
	return atomic_load_explicit(&f->catalog, memory_order_acquire);
}

void drg_follower_hold(struct drg_follower *f)
{
	pthread_rwlock_rdlock(&f->still);
}

void drg_follower_let_go(struct drg_follower *f)
{
	pthread_rwlock_unlock(&f->still);
}

uint64_t drg_follower_aside(const struct drg_follower *f)
{
	return atomic_load(&f->aside_count);
}
