/* src/decide/standing.h
 * Which events of a source stand: without merges and splits of dict records, and without judgements that were
 * undone (decision M39), which are left out together with the events that undid them. */
#pragma once
#include "base/buf.h"
#include "model/record.h"

/** The gist of an event. */
struct drg_event_gist {
	enum drg_how how;
	bool keeps; /**< the mapping is the same before and after it */
};
struct drg_event_gist drg_event_gist(const struct drg_record *event);
/** Does an event undo the judgement @p of just before it? What was judged right keeps its mapping then. */
bool drg_event_takes_back(struct drg_event_gist e, struct drg_event_gist of);

struct drg_standing_event {
	int64_t at_us; /**< INT64_MIN: not readable */
	struct drg_event_gist is;
	bool has_to;
	int64_t from, batch; /**< 0: none */
	size_t why, why_n; /**< in drg_standing.whys */
	size_t row; /**< in the order of drg_standing_add() */
};

/** Events of one source. */
struct drg_standing {
	struct drg_buf events; /**< struct drg_standing_event */
	struct drg_buf whys;
};

void drg_standing_init(struct drg_standing *s);
void drg_standing_done(struct drg_standing *s);
/** Forget all. */
void drg_standing_clear(struct drg_standing *s);
/** Events may come in any order. @return DRG_OK; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_standing_add(struct drg_standing *s, const struct drg_record *event);
/** Put those that stand in the order of time. @param ret  Borrowed until the next call. @return how many. */
size_t drg_standing_sort(struct drg_standing *s, const struct drg_standing_event **ret);
