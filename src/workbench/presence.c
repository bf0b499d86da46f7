#include "workbench/presence.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "text/utf8.h"

enum { SHOWN_MAX = 8 };

/* Told apart by 64 bits of case and person: a collision only shows a wrong name at a case. */
struct presence_slot {
	uint64_t of_case;
	int64_t until_ns; /* 0: free */
	size_t who_n;
	char who[DRG_PRESENCE_WHO];
};

struct drg_presence {
	pthread_mutex_t lock;
	unsigned n; /* slots that were ever used */
	struct presence_slot slots[DRG_PRESENCE_MAX];
};

int drg_presence_new(struct drg_presence **ret, struct drg_err *reterr)
{
	struct drg_presence *p = calloc(1, sizeof *p);
	if (p == NULL)
		return drg_fail_memory(reterr);
	pthread_mutex_init(&p->lock, NULL);
	*ret = p;
	return DRG_OK;
}

void drg_presence_free(struct drg_presence *p)
{
	if (p == NULL)
		return;
	pthread_mutex_destroy(&p->lock);
	free(p);
}

static uint64_t presence_case(int64_t adapter, enum drg_kind kind, struct drg_str id)
{
	return drg_hash(id.p, id.n, (uint64_t)adapter * 16 + (uint64_t)kind);
}

/* Whole characters of a name. */
static struct drg_str presence_who(struct drg_str who)
{
	return drg_utf8_cut(who, DRG_PRESENCE_WHO);
}

/* Under the lock: that of the case and person; else one that is free; NULL: none is. */
static struct presence_slot *presence_find(struct drg_presence *p, uint64_t of_case, struct drg_str who)
{
	struct presence_slot *room = NULL;
	int64_t now = drg_clock_ns();
	for (unsigned i = 0; i < p->n; i++) {
		struct presence_slot *s = &p->slots[i];
		if (s->of_case == of_case && drg_str_eq(drg_str(s->who, s->who_n), who))
			return s;
		if (s->until_ns <= now)
			room = s;
	}
	return room != NULL || p->n == DRG_PRESENCE_MAX ? room : &p->slots[p->n++];
}

void drg_presence_set(struct drg_presence *p, const struct drg_presence_entry *o, bool open)
{
	const int64_t until_ns = open ? drg_clock_ns() + DRG_PRESENCE_SECONDS * DRG_SECOND_NS : 0;
	uint64_t of_case = presence_case(o->adapter, o->kind, o->id);
	struct drg_str who = presence_who(o->who);
	pthread_mutex_lock(&p->lock);
	struct presence_slot *s = presence_find(p, of_case, who);
	if (s != NULL) {
		s->of_case = of_case;
		s->until_ns = until_ns;
		s->who_n = who.n;
		memcpy(s->who, who.p, who.n);
	}
	pthread_mutex_unlock(&p->lock);
}

void drg_presence_json(struct drg_presence *p, int64_t adapter, enum drg_kind kind, struct drg_str id,
                       struct drg_str me, struct drg_jw *w)
{
	uint64_t of_case = presence_case(adapter, kind, id);
	struct drg_str self = presence_who(me);
	int64_t now = drg_clock_ns();
	unsigned shown = 0;
	drg_jw_member_array(w, "open_by");
	pthread_mutex_lock(&p->lock);
	for (unsigned i = 0; i < p->n && shown < SHOWN_MAX; i++) {
		const struct presence_slot *s = &p->slots[i];
		struct drg_str who = drg_str(s->who, s->who_n);
		if (s->of_case != of_case || s->until_ns <= now || drg_str_eq(who, self))
			continue;
		drg_jw_str(w, who);
		shown++;
	}
	pthread_mutex_unlock(&p->lock);
	drg_jw_array_end(w);
}
