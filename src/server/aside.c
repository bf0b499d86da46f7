#include "server/aside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { KNOWN_MAX = 1 << 16, BUCKETS = 1 << 12 };

int drg_aside_init(struct drg_aside *a, struct drg_err *reterr)
{
	*a = (struct drg_aside){ .beyond = 0 };
	return drg_lru_init(&a->known, BUCKETS, reterr);
}

void drg_aside_done(struct drg_aside *a)
{
	while (a->known.n > 0) {
		struct drg_lru_item *item = a->known.oldest;
		drg_lru_remove(&a->known, item);
		free(item);
	}
	drg_lru_done(&a->known);
}

/* A hash of 64 bits: two of 65,536 records share one in one case of nine thousand million. */
static uint64_t aside_hash(const struct drg_record *r)
{
	uint64_t hash = (uint64_t)r->type->id;
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		const union drg_value *v = drg_record_value(r, f);
		if ((f->flags & DRG_FF_ID) == 0)
			continue;
		hash = drg_value_is_text(f->vtype) ? drg_hash(v->s.p, v->s.n, hash)
		                                   : drg_hash(&v->i, sizeof v->i, hash);
	}
	return hash;
}

static void note_why(struct drg_aside *a, const struct drg_record *r, const struct drg_err *why)
{
	a->full = a->full || strcmp(why->reason, DRG_R(catalog_full)->word) == 0;
	a->crowded = a->crowded || strcmp(why->reason, DRG_R(too_many_adapters)->word) == 0;
	if (drg_aside_count(a) > 0)
		return;
	drg_record_label(r, a->label, sizeof a->label);
	a->why = *why;
}

int drg_aside_add(struct drg_aside *a, const struct drg_record *r, const struct drg_err *why,
                  struct drg_err *reterr)
{
	uint64_t hash = aside_hash(r);
	if (drg_lru_first(&a->known, hash) != NULL)
		return DRG_OK;
	note_why(a, r, why);
	assert(a->known.n <= KNOWN_MAX);
	if (a->known.n == KNOWN_MAX) {
		a->beyond++;
		return DRG_OK;
	}
	struct drg_lru_item *item = calloc(1, sizeof *item);
	if (item == NULL)
		return drg_fail_memory(reterr);
	item->hash = hash;
	drg_lru_add(&a->known, item);
	return DRG_OK;
}

void drg_aside_remove(struct drg_aside *a, const struct drg_record *r)
{
	struct drg_lru_item *item = a->known.n > 0 ? drg_lru_first(&a->known, aside_hash(r)) : NULL;
	if (item == NULL)
		return;
	drg_lru_remove(&a->known, item);
	free(item);
}

uint64_t drg_aside_count(const struct drg_aside *a)
{
	return a->known.n + a->beyond;
}
