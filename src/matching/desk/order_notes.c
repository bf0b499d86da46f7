/* Reads the notes of people at open cases (decision C13): the person who should look, the persons who put a
 * case off. */
#include <assert.h>

#include "decide/case_note.h"
#include "matching/desk/order_priv.h"

/* A person who puts a case off. Those of one case are a chain, which begins at drg_open_case.later. */
struct queue_later {
	uint32_t person, next; /* next: the number of the next one in the chain, from 1 on; 0: none */
	int64_t until_us;
};

uint32_t drg_queue_person(const struct drg_queue_order *q, struct drg_str name)
{
	const struct drg_str *people = (const struct drg_str *)(const void *)q->people.p;
	size_t n = q->people.n / sizeof *people, i = 0;
	while (i < n && !drg_str_eq(people[i], name))
		i++;
	return i < n ? (uint32_t)i + 1 : 0;
}

struct drg_str drg_queue_person_name(const struct drg_queue_order *q, uint32_t person)
{
	assert(person > 0 && person <= q->people.n / sizeof(struct drg_str));
	return ((const struct drg_str *)(const void *)q->people.p)[person - 1];
}

static struct queue_later *later_at(const struct drg_queue_order *q, uint32_t number)
{
	assert(number <= q->laters.n / sizeof(struct queue_later));
	return number > 0 ? (struct queue_later *)(void *)q->laters.p + number - 1 : NULL;
}

static struct queue_later *later_of(const struct drg_queue_order *q, const struct drg_open_case *c,
                                    uint32_t person)
{
	struct queue_later *l = later_at(q, c->later);
	while (l != NULL && l->person != person)
		l = later_at(q, l->next);
	return l;
}

bool drg_queue_is_later(const struct drg_queue_order *q, const struct drg_open_case *c, uint32_t person,
                        int64_t now_us)
{
	const struct queue_later *l = later_of(q, c, person);
	return l != NULL && now_us < l->until_us;
}

/* @return 0: out of memory */
static uint32_t person_add(struct drg_queue_order *q, struct drg_str name)
{
	uint32_t person = drg_queue_person(q, name);
	if (person > 0)
		return person;
	const struct drg_str kept = drg_arena_str(&q->texts, name);
	drg_buf_add(&q->people, &kept, sizeof kept);
	return kept.p != NULL && q->people.rc == DRG_OK ? (uint32_t)(q->people.n / sizeof kept) : 0;
}

static int note_take_later(struct drg_queue_order *q, struct drg_open_case *c, struct drg_str who,
                           int64_t until_us)
{
	uint32_t person = person_add(q, who);
	struct queue_later *l = later_of(q, c, person);
	const struct queue_later first = { person, c->later, until_us };
	if (l != NULL) {
		l->until_us = until_us;
		return DRG_OK;
	}
	drg_buf_add(&q->laters, &first, sizeof first);
	c->later = (uint32_t)(q->laters.n / sizeof first);
	return person > 0 ? q->laters.rc : DRG_ENOMEM;
}

static int note_take(void *ctx, const struct drg_case_note *n)
{
	struct drg_queue_order *q = ctx;
	struct drg_open_case *c = drg_queue_order_find(q, n->adapter, n->kind, n->id);
	if (c == NULL)
		return DRG_OK;
	switch (drg_case_note_by_word(n->what)) {
	case DRG_NOTE_ASSIGN:
		c->assigned = person_add(q, n->detail);
		return c->assigned > 0 ? DRG_OK : DRG_ENOMEM;
	case DRG_NOTE_UNASSIGN: c->assigned = 0; return DRG_OK;
	case DRG_NOTE_LATER: return note_take_later(q, c, n->who, drg_case_note_until(n->detail));
	case DRG_NOTE_NOW: return note_take_later(q, c, n->who, INT64_MIN);
	case DRG_NOTE_COMMENT:
	case DRG_CASE_NOTE_COUNT: break;
	}
	return DRG_OK;
}

int drg_queue_notes_read(struct drg_queue_order *q, struct drg_store *s, struct drg_err *reterr)
{
	return drg_store_each_case_note(s, note_take, q, reterr);
}
