/* People who sign in, and their sessions: two small tables. */
#include "catalog/catalog_priv.h"

#include <assert.h>

#include "model/key.h"

static int person_compare(const void *a, const void *b)
{
	int64_t x = ((const struct drg_person *)a)->id, y = ((const struct drg_person *)b)->id;
	return x < y ? -1 : x > y;
}

static int session_compare(const void *a, const void *b)
{
	const struct drg_session *x = a, *y = b;
	if (x->person != y->person)
		return x->person < y->person ? -1 : 1;
	return x->slot < y->slot ? -1 : x->slot > y->slot;
}

void drg_people_init(struct drg_small *people, struct drg_small *sessions)
{
	drg_small_init(people, sizeof(struct drg_person), person_compare);
	drg_small_init(sessions, sizeof(struct drg_session), session_compare);
}

int drg_person_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr)
{
	assert(r->type->id == DRG_TYPE_PERSON);
	struct drg_person p = { .id = r->v[DRG_F_ID].i };
	int rc = DRG_OK;
	if (!r->deleted) {
		p.role = (enum drg_person_role)drg_record_i(r, DRG_F_PERSON_ROLE, DRG_PERSON_VIEWER);
		p.generation = drg_record_i(r, DRG_F_GENERATION, 0);
		p.disabled = drg_record_i(r, DRG_F_DISABLED, 0) != 0;
		rc = drg_heap_str(&c->heap, drg_record_s(r, DRG_F_NAME), &p.name, reterr);
		if (rc == DRG_OK && drg_record_has(r, DRG_F_PASSWORD))
			rc = drg_heap_str(&c->heap, drg_record_s(r, DRG_F_PASSWORD), &p.password, reterr);
	}
	if (rc == DRG_OK)
		rc = drg_small_change(&c->people, &p, r->deleted, reterr);
	const struct drg_person *old = rc == DRG_OK ? drg_small_find(&c->people, &p) : NULL;
	if (old != NULL)
		drg_heap_add_dead(&c->heap, old->name.n + old->password.n);
	return rc;
}

int drg_session_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr)
{
	assert(r->type->id == DRG_TYPE_SESSION);
	struct drg_session s = { .person = drg_record_i(r, DRG_F_PERSON_ID, 0),
		                 .slot = drg_record_i(r, DRG_F_SLOT, 0) };
	struct drg_str hash = r->deleted ? drg_str(NULL, 0) : drg_record_s(r, DRG_F_TOKEN_HASH);
	if (!r->deleted && hash.n != sizeof s.token_hash)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_value), "token_hash",
		                "expected %zu hexadecimal digits, found %zu characters", sizeof s.token_hash,
		                hash.n);
	if (!r->deleted) {
		memcpy(s.token_hash, hash.p, hash.n);
		s.generation = drg_record_i(r, DRG_F_SESSION_GENERATION, 0);
		s.begun_us = drg_record_i(r, DRG_F_BEGUN, 0);
		s.seen_us = drg_record_i(r, DRG_F_SEEN, 0);
		s.by_proxy = drg_record_i(r, DRG_F_BY_PROXY, 0) != 0;
	}
	return drg_small_change(&c->sessions, &s, r->deleted, reterr);
}

const struct drg_person *drg_catalog_person(const struct drg_catalog *c, int64_t id)
{
	const struct drg_person wanted = { .id = id };
	return drg_small_find(&c->people, &wanted);
}

const struct drg_person *drg_catalog_person_named(const struct drg_catalog *c, struct drg_str name)
{
	const void *rows;
	size_t n = drg_small_rows(&c->people, &rows);
	const struct drg_person *p = rows, *found = NULL;
	/* look at every person: the time must not tell whether the name exists */
	for (size_t i = 0; i < n; i++)
		found = drg_str_eq_nocase(p[i].name, name) ? &p[i] : found;
	return found;
}

const struct drg_session *drg_catalog_session(const struct drg_catalog *c, int64_t person, int64_t slot)
{
	const struct drg_session wanted = { .person = person, .slot = slot };
	return drg_small_find(&c->sessions, &wanted);
}

void drg_person_record(const struct drg_person *p, struct drg_record *ret)
{
	drg_key_person(ret, p->id);
	drg_record_set_s(ret, DRG_F_NAME, p->name);
	drg_record_set_i(ret, DRG_F_PERSON_ROLE, p->role);
	if (p->password.n > 0)
		drg_record_set_s(ret, DRG_F_PASSWORD, p->password);
	drg_record_set_i(ret, DRG_F_GENERATION, p->generation);
	drg_record_set_i(ret, DRG_F_DISABLED, p->disabled);
}

void drg_session_record(const struct drg_session *s, struct drg_record *ret)
{
	drg_key_session(ret, s->person, s->slot);
	drg_record_set_s(ret, DRG_F_TOKEN_HASH, drg_str(s->token_hash, sizeof s->token_hash));
	drg_record_set_i(ret, DRG_F_SESSION_GENERATION, s->generation);
	drg_record_set_i(ret, DRG_F_BEGUN, s->begun_us);
	drg_record_set_i(ret, DRG_F_SEEN, s->seen_us);
	drg_record_set_i(ret, DRG_F_BY_PROXY, s->by_proxy);
}
