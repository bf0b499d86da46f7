#include "matching/live/automatch.h"

#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "matching/live/turn.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/worker.h"
#include "matching/automap.h"
#include "matching/learn/weights.h"
#include "server/own_job.h"
#include "store/suggestions.h"

enum { AT_A_TIME = 1000 }; /* sources in one transaction */
#define SECOND INT64_C(1000000000)
#define LOOK_EACH SECOND
#define RETRY_AFTER (5 * SECOND)
#define IDLE_FOR (300 * SECOND) /* the reference is freed after this time without anything to match */
#define READING_SHARE 10 /* the reference is read again after so many times what that took */

struct drg_automatch {
	struct drg_automatch_options o;
	struct drg_worker worker;
	atomic_bool leaving; /* the server stops */
	_Atomic int64_t matched; /* everything up to this version is matched; -1: nothing yet */
	drg_measure n_seen, n_mapped, n_asked; /* for drg_automatch_count() */

	/* for the thread */
	struct drg_store *s; /* NULL: not open */
	struct drg_match_turn *turn;
	struct drg_feed_place place; /* how far the thread has read */
	bool placed; /* `place` is set */
	struct drg_feed_place stored; /* while this server works: the stored place, from which it moves on */
	bool moved; /* the stored place has reached `place` */
	struct drg_clock seen; /* clock of the last reading */
	struct drg_automap_kept *kept; /* NULL: not read */
	bool stale; /* the reference has changed since */
	bool apart_stale;
	struct drg_scorecard card;
	bool card_known; /* `card` is the one in use */
	int64_t read_ns, reading_took_ns, used_ns;
	struct drg_arena texts;
	struct drg_buf sources; /* struct drg_automap_source */
	bool full, again, waits; /* there is more to read; look again at once; another server has the right */
	struct drg_automap_outcome outcome;
	int troubles; /* failures in a row: the first is logged */
};

/* ---- what has come ------------------------------------------------------------------------------------- */

static int automatch_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct drg_automatch *a = ctx;
	if (drg_record_wordless(r) != NULL)
		return DRG_OK; /* E14: its words are unknown */
	a->stale = a->stale || r->type->id == DRG_TYPE_DICT || r->type->id == DRG_TYPE_REDIRECT;
	a->apart_stale = a->apart_stale || r->type->id == DRG_TYPE_NOT_SAME;
	a->card_known = a->card_known && r->type->id != DRG_TYPE_SCORECARD;
	if (r->type->id != DRG_TYPE_SOURCE || r->deleted || drg_record_has(r, DRG_F_DICT_ID))
		return DRG_OK;
	if (a->sources.n == AT_A_TIME * sizeof(struct drg_automap_source)) {
		a->full = true;
		return DRG_ELIMIT;
	}
	const struct drg_automap_source v = { r->v[DRG_F_ADAPTER_ID].i, drg_record_kind(r),
		                              drg_arena_str(&a->texts, r->v[DRG_F_SOURCE_ID].s) };
	drg_buf_add(&a->sources, &v, sizeof v);
	return v.id.p != NULL ? a->sources.rc : DRG_ENOMEM;
}

/* Is the store of another history: replaced or set back? Then the data in memory are of records that mean
 * something else. */
static int is_other_history(struct drg_automatch *a, const struct drg_clock *clock, bool *ret,
                            struct drg_err *err)
{
	int64_t branch = clock->branch;
	int rc = DRG_OK;
	*ret = strcmp(clock->epoch, a->seen.epoch) != 0 || clock->seq < a->seen.seq;
	if (!*ret && branch != a->seen.branch)
		rc = drg_store_branch_at(a->s, a->seen.seq, &branch, err);
	*ret = *ret || branch != a->seen.branch;
	return rc;
}

/* For a transaction: moves the stored place, and writes the results for the records before it. */
struct moving {
	struct drg_automatch *a;
	const struct drg_feed_place *from, *to; /* from NULL: no place is stored yet */
	struct drg_automap_outcome *outcome; /* NULL: no results */
};

static int write_moving(void *moving, struct drg_txn *t, struct drg_err *reterr)
{
	const struct moving *m = moving;
	int rc = drg_txn_move_matching(t, drg_turn_holder(m->a->turn), m->from, m->to, reterr);
	return rc == DRG_OK && m->outcome != NULL ? drg_automap_outcome_write(m->outcome, t, reterr) : rc;
}

/* Find the place that the store's servers have reached. In a store that no server has looked at, existing
 * records are left to `dragoman match`. */
static int automatch_find_place(struct drg_automatch *a, const struct drg_clock *clock, struct drg_err *err)
{
	struct drg_matching m;
	const struct drg_clock *known = &a->o.known;
	bool other = true;
	int rc = drg_store_matching(a->s, &m, err);
	if (rc == DRG_OK && !m.placed) {
		a->seen = *known;
		rc = is_other_history(a, clock, &other, err);
		m.place = (struct drg_feed_place){ .seq = other ? clock->seq : known->seq,
			                           .type = DRG_FEED_END };
		struct moving first = { a, NULL, &m.place, NULL };
		if (rc == DRG_OK)
			rc = drg_own_job_run(a->o.writer, write_moving, &first, 1, err);
		if (rc == DRG_ESTOPPED) /* another server was faster */
			rc = drg_store_matching(a->s, &m, err);
	}
	if (rc == DRG_OK)
		a->place = m.place;
	a->placed = rc == DRG_OK;
	a->seen = *clock;
	return rc;
}

static void automatch_begin_anew(struct drg_automatch *a)
{
	drg_automap_forget(a->kept);
	a->kept = NULL;
	a->stale = true;
	a->card_known = false;
}

/* @param ret_from  The gathered records are behind this place. */
static int automatch_gather(struct drg_automatch *a, struct drg_feed_place *ret_from, struct drg_err *err)
{
	const unsigned types = 1U << DRG_TYPE_SOURCE | 1U << DRG_TYPE_DICT | 1U << DRG_TYPE_NOT_SAME |
	                       1U << DRG_TYPE_REDIRECT | 1U << DRG_TYPE_SCORECARD;
	struct drg_clock clock;
	bool other = true;
	drg_arena_reset(&a->texts);
	drg_buf_clear(&a->sources);
	a->full = false;
	int rc = drg_store_clock(a->s, &clock, err);
	if (rc == DRG_OK && a->placed)
		rc = is_other_history(a, &clock, &other, err);
	if (rc == DRG_OK && other) {
		automatch_begin_anew(a);
		rc = automatch_find_place(a, &clock, err);
	}
	*ret_from = a->place;
	if (rc != DRG_OK || (clock.seq == a->place.seq && a->place.type == DRG_FEED_END))
		return rc;
	rc = drg_store_feed_from(a->s, types, &a->place, automatch_row, a, &clock, err);
	if (strcmp(clock.epoch, a->seen.epoch) == 0)
		a->seen = clock;
	if (rc == DRG_OK)
		a->place = (struct drg_feed_place){ .seq = clock.seq, .type = DRG_FEED_END };
	return a->full ? DRG_OK : rc;
}

/* ---- matching ------------------------------------------------------------------------------------------ */

/* Read the present reference. @return DRG_EBUSY: it was read a moment ago, and that takes long */
static int automatch_read(struct drg_automatch *a, struct drg_err *err)
{
	int64_t now = drg_clock_ns();
	if (a->kept != NULL && !a->stale)
		return DRG_OK;
	if (a->kept != NULL && now - a->read_ns < READING_SHARE * a->reading_took_ns)
		return DRG_EBUSY;
	drg_automap_forget(a->kept);
	a->kept = NULL;
	a->stale = a->apart_stale = false;
	drg_log(DRG_LOG_DEBUG, "reading the reference to match with");
	int rc = drg_automap_keep(a->s, &a->leaving, &a->kept, err);
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
	a->outcome = (struct drg_automap_outcome){ .automatic = a->o.automatic };
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

/* Sort the sources by supplier and kind. */
static const struct drg_automap_source *automatch_sorted(struct drg_automatch *a)
{
	struct drg_automap_source *v = (struct drg_automap_source *)(void *)a->sources.p;
	qsort(v, a->sources.n / sizeof *v, sizeof *v, by_kind);
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
	/* The place of matched records is stored, so sources that were left out must not be skipped. */
	return rc == DRG_OK && atomic_load(&a->leaving) ? DRG_ESTOPPED : rc;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static int automatch_write(struct drg_automatch *a, size_t n, bool last, struct drg_err *err)
{
	struct moving m = { a, &a->stored, last ? &a->place : &a->stored, &a->outcome };
	int rc = drg_own_job_run(a->o.writer, write_moving, &m, n, err);
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
		drg_store_give_odd_words(a->s);
	return rc;
}

/* Is the error caused by the records, and not by the store, memory or time? */
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

/* Match as the server that has the right. */
static int automatch_work(struct drg_automatch *a, struct drg_err *err)
{
	struct moving rest = { a, &a->stored, &a->place, NULL };
	a->moved = false;
	int rc = automatch_prepare(a, err);
	if (rc == DRG_OK)
		rc = automatch_all(a, automatch_sorted(a), a->sources.n / sizeof(struct drg_automap_source),
		                   true, err);
	if (rc == DRG_OK && !a->moved) /* the last source was left out */
		rc = drg_own_job_run(a->o.writer, write_moving, &rest, 1, err);
	return rc;
}

/* Let the server whose turn it is match what was gathered. @param before  It is behind this place. */
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
		automatch_begin_anew(a);
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
		rc = automatch_gather(a, &before, err);
	if (rc == DRG_OK && a->sources.n > 0)
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
	if (rc == DRG_EBUSY && err->message[0] == '\0') { /* the reference was read a moment ago */
		int64_t soon = drg_clock_ns() + LOOK_EACH,
		        again = a->read_ns + READING_SHARE * a->reading_took_ns;
		return again > soon ? again : soon;
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
	const struct sched_param lowest = { .sched_priority = 0 };
	if (a->worker.stopping)
		return DRG_WHEN_WOKEN;
	pthread_mutex_unlock(&a->worker.lock);
	(void)sched_setscheduler(0, SCHED_IDLE, &lowest);
	int rc = automatch_round(a, &err);
	int64_t next =
	        rc == DRG_OK ? drg_clock_ns() + (a->again ? 0 : LOOK_EACH) : automatch_failed(a, rc, &err);
	a->troubles = rc == DRG_OK ? 0 : a->troubles;
	drg_store_rest(&a->s);
	if (a->kept != NULL && drg_clock_ns() - a->used_ns > IDLE_FOR) {
		drg_automap_forget(a->kept);
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
	drg_automap_forget(a->kept);
	drg_store_close(a->s);
	drg_arena_done(&a->texts);
	drg_buf_done(&a->sources);
	free(a);
}
