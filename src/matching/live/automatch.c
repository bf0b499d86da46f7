#include "matching/live/automatch.h"

#include <inttypes.h>
#include <stdlib.h>

#include "matching/live/automatch_priv.h"
#include "matching/live/turn.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/worker.h"
#include "matching/automap.h"
#include "matching/learn/weights.h"
#include "server/own_job.h"
#include "store/suggestions.h"
#include "store/lend.h"

#define LOOK_EACH DRG_SECOND_NS
#define RETRY_AFTER (5 * DRG_SECOND_NS)
/* the reference is freed after this time in which nothing was to be matched */
#define IDLE_FOR (300 * DRG_SECOND_NS)

/* ---- the data and the matching ------------------------------------------------------------------------- */

/* Read the present reference. @return DRG_EBUSY: it was read a moment ago, and reading takes long */
static int automatch_read(struct drg_automatch *a, struct drg_err *err)
{
	int64_t now = drg_clock_ns();
	if (a->kept != NULL && !a->stale)
		return DRG_OK;
	if (a->kept != NULL && now - a->read_ns < DRG_AUTOMATCH_SHARE * a->reading_took_ns)
		return DRG_EBUSY;
	drg_automap_kept_free(a->kept);
	a->kept = NULL;
	a->stale = a->apart_stale = false;
	a->n_added = 0;
	drg_log(DRG_LOG_DEBUG, "reading the reference to match with");
	int rc = drg_automap_kept_new(a->s, &a->leaving, &a->kept, err);
	a->read_ns = drg_clock_ns();
	a->reading_took_ns = a->read_ns - now;
	if (rc == DRG_OK)
		drg_log(DRG_LOG_DEBUG, "the reference to match with: read in %lld ms",
		        (long long)(a->reading_took_ns / 1000000));
	return rc;
}

static int by_kind(const void *pa, const void *pb)
{
	const struct drg_automap_source *a = pa, *b = pb;
	if (a->adapter != b->adapter)
		return a->adapter < b->adapter ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return drg_str_cmp(a->id, b->id);
}

static void outcome_init(struct drg_automatch *a)
{
	a->outcome = (struct drg_automap_outcome){ .automatic = a->o.automatic, .leave = &a->leaving };
	drg_arena_init(&a->outcome.texts, SIZE_MAX);
	drg_buf_init(&a->outcome.wishes, SIZE_MAX);
	drg_buf_init(&a->outcome.suggestions, SIZE_MAX);
}

static void outcome_done(struct drg_automatch *a)
{
	drg_arena_done(&a->outcome.texts);
	drg_buf_done(&a->outcome.wishes);
	drg_buf_done(&a->outcome.suggestions);
}

/* Sort the sources by supplier and kind. One that is new, and a case that a fresh record fits, comes once: a
 * supplier's records that claim the same hotel stand in each other's way. */
static const struct drg_automap_source *automatch_sorted(struct drg_automatch *a)
{
	struct drg_automap_source *v = (struct drg_automap_source *)(void *)a->sources.p;
	size_t n = a->sources.n / sizeof *v, kept = n > 0;
	if (n > 0)
		qsort(v, n, sizeof *v, by_kind);
	for (size_t i = 1; i < n; i++)
		if (by_kind(&v[i], &v[kept - 1]) != 0)
			v[kept++] = v[i];
	a->sources.n = kept * sizeof *v;
	return v;
}

/* Prepare the data that matching needs. */
static int automatch_prepare(struct drg_automatch *a, struct drg_err *err)
{
	int rc = automatch_read(a, err);
	if (rc == DRG_OK && a->apart_stale)
		rc = drg_automap_keep_apart(a->kept, a->s, err);
	a->apart_stale = a->apart_stale && rc != DRG_OK;
	if (rc == DRG_OK && !a->card_known) {
		rc = drg_weights_card(a->s, &a->card, err);
		a->card_known = rc == DRG_OK;
	}
	return rc;
}

/* Match sources, one supplier and kind after the other. */
static int automatch_match(struct drg_automatch *a, const struct drg_automap_source *v, size_t n,
                           struct drg_err *err)
{
	int rc = DRG_OK;
	for (size_t from = 0, to; from < n && rc == DRG_OK && !atomic_load(&a->leaving); from = to) {
		for (to = from + 1; to < n && v[to].adapter == v[from].adapter && v[to].kind == v[from].kind;)
			to++;
		rc = drg_automap_some(a->s, a->kept, &a->card, v + from, to - from, &a->outcome, err);
	}
	a->used_ns = drg_clock_ns();
	/* The stored place says that all records before it are matched, so sources that were left out must
	 * not be passed. */
	return rc == DRG_OK && atomic_load(&a->leaving) ? DRG_ESTOPPED : rc;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static int automatch_write(struct drg_automatch *a, size_t n, bool last, struct drg_err *err)
{
	struct drg_automatch_moving m = { a, &a->stored, last ? &a->place : &a->stored, &a->outcome };
	int rc = drg_own_job_run(a->o.writer, drg_automatch_write_moving, &m, n, err);
	if (rc == DRG_OK) {
		a->stored = *m.to;
		drg_measure_add(&a->n_seen, n);
		drg_measure_add(&a->n_mapped, a->outcome.written);
		drg_measure_add(&a->n_asked, a->outcome.suggestions.n / sizeof(struct drg_suggestion));
	}
	a->moved = a->moved || (rc == DRG_OK && last);
	return rc;
}

/* ---- the thread ---------------------------------------------------------------------------------------- */

static int automatch_open(struct drg_automatch *a, struct drg_err *err)
{
	int rc = drg_store_keep_open(a->o.store_url, &a->s, err);
	if (rc == DRG_OK)
		drg_store_allow_unknown_enums(a->s);
	return rc;
}

/* Is the error caused by the records, not by the store, memory or lack of time? */
static bool is_of_the_records(int rc)
{
	return rc == DRG_EINVAL || rc == DRG_ENOENT || rc == DRG_EEXIST || rc == DRG_ELIMIT ||
	       rc == DRG_ECORRUPT || rc == DRG_EINTERNAL;
}

static int automatch_slice(struct drg_automatch *a, const struct drg_automap_source *v, size_t n, bool last,
                           struct drg_err *err)
{
	outcome_init(a);
	int rc = automatch_match(a, v, n, err);
	if (rc == DRG_OK)
		rc = automatch_write(a, n, last, err);
	outcome_done(a);
	return rc;
}

/* Match sources. If a record cannot be matched, each half is tried by itself, down to that record, which is
 * left out: the others must not wait for it. */
static int automatch_all(struct drg_automatch *a, const struct drg_automap_source *v, size_t n, bool last,
                         struct drg_err *err)
{
	int rc = automatch_slice(a, v, n, last, err);
	if (rc == DRG_OK || !is_of_the_records(rc))
		return rc;
	if (n == 1) {
		drg_log(DRG_LOG_WARN, "%s %.*s of supplier %" PRId64 " is not matched: %s",
		        drg_kind_name(v->kind), DRG_STR_ARG(v->id), v->adapter, err->message);
		return DRG_OK;
	}
	rc = automatch_all(a, v, n / 2, false, err);
	return rc == DRG_OK ? automatch_all(a, v + n / 2, n - n / 2, last, err) : rc;
}

/* Match what is gathered, and the cases that a fresh record of the reference may be, as the server that has the
 * right. */
static int automatch_work(struct drg_automatch *a, struct drg_err *err)
{
	struct drg_automatch_moving rest = { a, &a->stored, &a->place, NULL };
	a->moved = false;
	int rc = drg_automatch_find_cases(a, err);
	const struct drg_automap_source *v = automatch_sorted(a);
	const size_t n = a->sources.n / sizeof *v;
	if (rc == DRG_OK && n > 0)
		rc = automatch_prepare(a, err);
	if (rc == DRG_OK && a->kept != NULL)
		rc = drg_automatch_add_fresh(a, err);
	for (size_t from = 0, to; from < n && rc == DRG_OK; from = to) {
		to = n - from > DRG_AUTOMATCH_AT_A_TIME ? from + DRG_AUTOMATCH_AT_A_TIME : n;
		rc = automatch_all(a, v + from, to - from, to == n, err);
	}
	if (rc == DRG_OK && !a->moved) /* nothing is to be matched, or the last source was left out */
		rc = drg_own_job_run(a->o.writer, drg_automatch_write_moving, &rest, 1, err);
	return rc;
}

/* If it is this server's turn, match the gathered sources. @param before  The sources come after this
 * place. */
static int automatch_gathered(struct drg_automatch *a, const struct drg_feed_place *before,
                              struct drg_err *err)
{
	enum drg_turn_of turn;
	int rc = drg_turn_ask(a->turn, a->s, before, &turn, &a->stored, err);
	if (rc != DRG_OK)
		return rc;
	a->again = a->full || turn == DRG_TURN_DONE;
	if (turn == DRG_TURN_MINE) {
		rc = automatch_work(a, err);
		if (!a->again || rc != DRG_OK)
			drg_turn_release(a->turn);
		if (rc != DRG_ESTOPPED)
			return rc;
		/* overtaken by another server: the next look finds the new place */
		*err = (struct drg_err){ .code = DRG_OK };
		a->again = true;
	}
	a->place = *before;
	/* skip records that this server has not read: its data in memory may be older */
	if (turn == DRG_TURN_DONE) {
		a->place = a->stored;
		a->placed = a->place.seq >= 0; /* else the store was replaced meanwhile */
		drg_automatch_begin_anew(a);
	}
	a->waits = true;
	return DRG_OK;
}

static int automatch_round(struct drg_automatch *a, struct drg_err *err)
{
	a->again = a->waits = false;
	struct drg_feed_place before = a->place;
	int rc = automatch_open(a, err);
	if (rc == DRG_OK)
		rc = drg_automatch_gather(a, &before, err);
	if (rc == DRG_OK && (a->sources.n > 0 || a->fresh.n > 0))
		rc = automatch_gathered(a, &before, err);
	else if (rc == DRG_OK)
		drg_turn_release(a->turn);
	if (rc != DRG_OK && a->placed)
		a->place = before;
	if (rc == DRG_OK && !a->waits && !a->full)
		atomic_store(&a->matched, a->place.seq);
	return rc;
}

static int64_t automatch_failed(struct drg_automatch *a, int rc, const struct drg_err *err)
{
	if (rc == DRG_EBUSY &&
	    err->message[0] == '\0') { /* the reference, or all cases, were read a moment ago */
		int64_t again = drg_clock_ns() + LOOK_EACH,
		        read = a->read_ns + DRG_AUTOMATCH_SHARE * a->reading_took_ns,
		        looked = a->looked_ns + DRG_AUTOMATCH_SHARE * a->looking_took_ns;
		again = read > again ? read : again;
		return looked > again ? looked : again;
	}
	if (a->troubles++ == 0 && !atomic_load(&a->leaving))
		drg_log(DRG_LOG_WARN, "new records are not matched for now: %s", err->message);
	drg_store_close(a->s);
	a->s = NULL;
	return drg_clock_ns() + RETRY_AFTER;
}

/* A step of the thread. The lock is held, but not needed: the data belong to the thread. */
static int64_t automatch_step(void *ctx)
{
	struct drg_automatch *a = ctx;
	struct drg_err err = { .code = DRG_OK };
	if (a->worker.stopping)
		return DRG_WHEN_WOKEN;
	pthread_mutex_unlock(&a->worker.lock);
	int rc = automatch_round(a, &err);
	int64_t next =
	        rc == DRG_OK ? drg_clock_ns() + (a->again ? 0 : LOOK_EACH) : automatch_failed(a, rc, &err);
	a->troubles = rc == DRG_OK ? 0 : a->troubles;
	drg_store_return(&a->s);
	if (a->kept != NULL && drg_clock_ns() - a->used_ns > IDLE_FOR) {
		drg_automap_kept_free(a->kept);
		a->kept = NULL;
	}
	pthread_mutex_lock(&a->worker.lock);
	return next;
}

int drg_automatch_start(const struct drg_automatch_options *o, struct drg_automatch **ret,
                        struct drg_err *reterr)
{
	struct drg_automatch *a = calloc(1, sizeof *a);
	if (a == NULL)
		return drg_fail_memory(reterr);
	a->o = *o;
	atomic_init(&a->matched, -1);
	drg_arena_init(&a->texts, SIZE_MAX);
	drg_buf_init(&a->sources, SIZE_MAX);
	drg_buf_init(&a->fresh, SIZE_MAX);
	drg_worker_init(&a->worker);
	a->worker.background = true;
	int rc = drg_turn_start(o->writer, &a->turn, reterr);
	if (rc == DRG_OK)
		rc = drg_worker_start(&a->worker, automatch_step, a, DRG_AT_ONCE, reterr);
	if (rc == DRG_OK)
		*ret = a;
	else
		drg_automatch_stop(a);
	return rc;
}

int64_t drg_automatch_matched(const struct drg_automatch *a)
{
	return a != NULL ? atomic_load(&a->matched) : -1;
}

void drg_automatch_count(const struct drg_automatch *a, struct drg_automatch_counts *ret)
{
	const struct drg_automatch_counts none = { .seen = 0 };
	*ret = a == NULL ? none
	                 : (struct drg_automatch_counts){ drg_measure_of(&a->n_seen),
		                                          drg_measure_of(&a->n_mapped),
		                                          drg_measure_of(&a->n_asked) };
}

void drg_automatch_stop(struct drg_automatch *a)
{
	if (a == NULL)
		return;
	atomic_store(&a->leaving, true);
	drg_worker_done(&a->worker);
	drg_turn_stop(a->turn);
	drg_automap_kept_free(a->kept);
	drg_store_close(a->s);
	drg_arena_done(&a->texts);
	drg_buf_done(&a->sources);
	drg_buf_done(&a->fresh);
	free(a);
}
