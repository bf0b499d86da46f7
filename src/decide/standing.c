#include "decide/standing.h"

#include <stdlib.h>

#include "text/stamp.h"

struct drg_event_gist drg_event_gist(const struct drg_record *event)
{
	return (struct drg_event_gist){
		.how = (enum drg_how)drg_record_i(event, DRG_F_HOW, DRG_HOW_SET),
		.keeps = drg_record_has(event, DRG_F_FROM) && drg_record_has(event, DRG_F_TO) &&
		         drg_record_i(event, DRG_F_FROM, 0) == event->v[DRG_F_TO].i,
	};
}

bool drg_event_takes_back(struct drg_event_gist e, struct drg_event_gist of)
{
	return of.how == DRG_HOW_AUDIT && e.how == DRG_HOW_UNDO && (e.keeps || !of.keeps);
}

void drg_standing_init(struct drg_standing *s)
{
	drg_buf_init(&s->events, SIZE_MAX);
	drg_buf_init(&s->whys, SIZE_MAX);
}

void drg_standing_done(struct drg_standing *s)
{
	drg_buf_done(&s->events);
	drg_buf_done(&s->whys);
}

void drg_standing_clear(struct drg_standing *s)
{
	drg_buf_clear(&s->events);
	drg_buf_clear(&s->whys);
}

int drg_standing_add(struct drg_standing *s, const struct drg_record *event)
{
	struct drg_str why = drg_record_s(event, DRG_F_WHY);
	struct drg_standing_event e = {
		.at_us = INT64_MIN,
		.is = drg_event_gist(event),
		.has_to = drg_record_has(event, DRG_F_TO),
		.from = drg_record_i(event, DRG_F_FROM, 0),
		.batch = drg_record_i(event, DRG_F_OF_BATCH, 0),
		.why = s->whys.n,
		.why_n = why.n,
		.row = s->events.n / sizeof e,
	};
	if (e.is.how == DRG_HOW_MERGE || e.is.how == DRG_HOW_SPLIT)
		return DRG_OK;
	(void)drg_stamp_parse(event->v[DRG_F_AT].s, &e.at_us);
	drg_buf_str(&s->whys, why);
	drg_buf_add(&s->events, &e, sizeof e);
	return s->whys.rc != DRG_OK ? s->whys.rc : s->events.rc;
}

static int standing_by_time(const void *pa, const void *pb)
{
	const struct drg_standing_event *a = pa, *b = pb;
	if (a->at_us != b->at_us)
		return a->at_us < b->at_us ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

size_t drg_standing_sort(struct drg_standing *s, const struct drg_standing_event **ret)
{
	struct drg_standing_event *v = (struct drg_standing_event *)(void *)s->events.p;
	size_t n = s->events.n / sizeof *v, stand = 0;
	if (n > 1)
		qsort(v, n, sizeof *v, standing_by_time);
	for (size_t i = 0; i < n; i++) {
		if (stand > 0 && drg_event_takes_back(v[i].is, v[stand - 1].is))
			stand--;
		else
			v[stand++] = v[i];
	}
	*ret = v;
	return stand;
}
