/* src/matching/live/automatch_priv.h
 * Shared by the files of the matcher in a server. */
#pragma once
#include "matching/live/automatch.h"
#include "matching/live/turn.h"
#include "matching/automap.h"
#include "base/worker.h"
#include "base/measure.h"
#include "store/matching.h"

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
	struct drg_buf fresh; /* struct drg_record: of the reference, made since the last reading */
	bool flooded; /* they were too many to be noted */
	size_t n_added; /* how many of those are in `kept` */
	int64_t looked_ns, looking_took_ns; /* the last look for cases that fresh records fit */
	bool full, again, waits; /* there is more to read; look again at once; another server has the right */
	struct drg_automap_outcome outcome;
	int troubles; /* failures in a row: the first is logged */
};

/* For a transaction: moves the stored place, and writes the results for the records before it. */
struct drg_automatch_moving {
	struct drg_automatch *a;
	const struct drg_feed_place *from, *to; /* from NULL: no place is stored yet */
	struct drg_automap_outcome *outcome; /* NULL: no results */
};

DRG_MUSTCHECK
int drg_automatch_write_moving(void *moving, struct drg_txn *t, struct drg_err *reterr);
void drg_automatch_begin_anew(struct drg_automatch *a);
enum { DRG_AUTOMATCH_AT_A_TIME = 1000 }; /* sources in one transaction */
/** Note a record of the reference. */
DRG_MUSTCHECK
int drg_automatch_note_dict(struct drg_automatch *a, const struct drg_record *r,
                            const struct drg_row_meta *m);
/** Add the open cases that fresh records of the reference may be to the gathered sources. @return DRG_EBUSY,
 * without a message: the last look was a moment ago, and took long. */
DRG_MUSTCHECK
int drg_automatch_find_cases(struct drg_automatch *a, struct drg_err *err);
/** Add the fresh hotels to the reference in memory. */
DRG_MUSTCHECK
int drg_automatch_add_fresh(struct drg_automatch *a, struct drg_err *err);
/** After reading everything for something small the thread waits so many times as long as that took. */
enum { DRG_AUTOMATCH_SHARE = 10 };
/** @param ret_from  The gathered records are behind this place. */
DRG_MUSTCHECK
int drg_automatch_gather(struct drg_automatch *a, struct drg_feed_place *ret_from, struct drg_err *err);
