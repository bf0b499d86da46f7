#include "base/lanes.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"

static size_t limit_or_none(size_t limit)
{
	return limit > 0 ? limit : SIZE_MAX;
}

static struct drg_lane *lane_of(struct drg_lanes *q, int64_t owner)
{
	return &q->lane[(uint64_t)owner % DRG_LANES];
}

void drg_lanes_init(struct drg_lanes *q, size_t max, size_t max_each, size_t max_at_work)
{
	memset(q, 0, sizeof *q);
	q->max = limit_or_none(max);
	q->max_each = limit_or_none(max_each);
	q->max_at_work = limit_or_none(max_at_work);
}

int drg_lanes_put(struct drg_lanes *q, struct drg_lane_item *item)
{
	struct drg_lane *lane = lane_of(q, item->owner);
	if (q->n >= q->max)
		return DRG_EBUSY;
	if (lane->n >= q->max_each && item->owner != 0)
		return DRG_ELIMIT;
	assert((lane->first == NULL) == (lane->n == lane->at_work) && lane->n <= q->n);
	item->next = NULL;
	if (lane->first == NULL)
		lane->first = item;
	else
		lane->last->next = item;
	lane->last = item;
	lane->n++;
	q->n++;
	return DRG_OK;
}

struct drg_lane_item *drg_lanes_take(struct drg_lanes *q)
{
	for (unsigned i = 0; i < DRG_LANES; i++) {
		struct drg_lane *lane = &q->lane[(q->turn + i) % DRG_LANES];
		struct drg_lane_item *item = lane->first;
		if (item == NULL || lane->at_work >= q->max_at_work)
			continue;
		lane->first = item->next;
		lane->at_work++;
		assert(lane->at_work <= lane->n && lane->n <= q->n);
		q->turn = (q->turn + i + 1) % DRG_LANES;
		return item;
	}
	return NULL;
}

void drg_lanes_finish(struct drg_lanes *q, int64_t owner)
{
	struct drg_lane *lane = lane_of(q, owner);
	assert(lane->at_work > 0 && lane->n > 0 && q->n > 0);
	lane->at_work--;
	lane->n--;
	q->n--;
}
