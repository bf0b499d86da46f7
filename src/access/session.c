#include "access/session.h"

#include <assert.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>

#include "access/people.h"
#include "model/key.h"
#include "store/access_events.h"
#include "store/fetch.h"

enum { RANDOM_BYTES = 32, RANDOM_TEXT = 44 /* in base64url, with a NUL */ };
_Static_assert(RANDOM_TEXT ==
                       sodium_base64_ENCODED_LEN(RANDOM_BYTES, sodium_base64_VARIANT_URLSAFE_NO_PADDING),
               "room for the random part");

/* ---- tokens -------------------------------------------------------------------------------------------- */

bool drg_session_read(struct drg_str token, struct drg_session_claim *ret)
{
	struct drg_str rest = token, person, slot;
	if (token.n >= DRG_SESSION_TOKEN || !drg_str_split(&rest, '-', &person) ||
	    !drg_str_split(&rest, '-', &slot) || rest.n != RANDOM_TEXT - 1)
		return false;
	if (!drg_str_to_i64(person, &ret->person) || !drg_str_to_i64(slot, &ret->slot))
		return false;
	drg_digest_hex(token, ret->hash);
	return true;
}

void drg_session_csrf(struct drg_str token, char *buf)
{
	char text[DRG_SESSION_TOKEN + 8];
	int n = snprintf(text, sizeof text, "csrf %.*s", DRG_STR_ARG(token));
	assert(n > 0 && (size_t)n < sizeof text);
	drg_digest_hex(drg_str(text, (size_t)n), buf);
	sodium_memzero(text, sizeof text);
}

/* ---- is the session good? ------------------------------------------------------------------------------ */

int64_t drg_session_ends_us(const struct drg_session *s, const struct drg_session_limits *limits)
{
	int64_t idle = s->seen_us + limits->idle_us, longest = s->begun_us + limits->longest_us;
	return idle < longest ? idle : longest;
}

bool drg_session_is_stale(const struct drg_session *s, const struct drg_session_limits *limits,
                          int64_t now_us)
{
	return now_us - s->seen_us >= limits->idle_us / 10;
}

bool drg_session_is_valid(const struct drg_session *s, const struct drg_person *p,
                          const struct drg_session_claim *claim, const struct drg_session_limits *limits,
                          int64_t now_us)
{
	return !p->disabled && p->generation == s->generation &&
	       sodium_memcmp(s->token_hash, claim->hash, sizeof s->token_hash) == 0 &&
	       now_us < drg_session_ends_us(s, limits);
}

const struct drg_person *drg_session_find(const struct drg_catalog *cat,
                                          const struct drg_session_claim *claim,
                                          const struct drg_session_limits *limits, int64_t now_us,
                                          const struct drg_session **ret_session)
{
	const struct drg_session *s = drg_catalog_session(cat, claim->person, claim->slot);
	const struct drg_person *p = s != NULL ? drg_catalog_person(cat, claim->person) : NULL;
	if (p == NULL || !drg_session_is_valid(s, p, claim, limits, now_us))
		return NULL;
	*ret_session = s;
	return p;
}

/* ---- in the store -------------------------------------------------------------------------------------- */

static int session_put(struct drg_txn *t, const struct drg_record *r, struct drg_err *reterr)
{
	enum drg_put_result what;
	return drg_txn_put(t, r, &what, reterr);
}

/* Load the session of a claim. @return DRG_ENOENT: the session is over. */
static int session_fetch(struct drg_txn *t, const struct drg_session_claim *claim, struct drg_arena *arena,
                         struct drg_record *ret, struct drg_err *reterr)
{
	struct drg_record key;
	drg_key_session(&key, claim->person, claim->slot);
	int rc = drg_fetch(drg_txn_store(t), &key, arena, ret, reterr);
	bool same = rc == DRG_OK && drg_str_eq(drg_record_s(ret, DRG_F_TOKEN_HASH), drg_str_c(claim->hash));
	return rc == DRG_OK && !same ? DRG_ENOENT : rc;
}

int drg_session_load(struct drg_store *store, const struct drg_session_claim *claim, struct drg_arena *arena,
                     struct drg_session *ret, struct drg_person *ret_person, struct drg_err *reterr)
{
	struct drg_record key, s, p;
	drg_key_session(&key, claim->person, claim->slot);
	int rc = drg_fetch(store, &key, arena, &s, reterr);
	drg_key_person(&key, claim->person);
	if (rc == DRG_OK)
		rc = drg_fetch(store, &key, arena, &p, reterr);
	struct drg_str hash = rc == DRG_OK ? drg_record_s(&s, DRG_F_TOKEN_HASH) : drg_str(NULL, 0);
	if (rc == DRG_OK && hash.n != sizeof ret->token_hash)
		rc = DRG_ENOENT;
	if (rc != DRG_OK)
		return rc;
	*ret = (struct drg_session){ .person = claim->person,
		                     .slot = claim->slot,
		                     .generation = drg_record_i(&s, DRG_F_SESSION_GENERATION, 0),
		                     .begun_us = drg_record_i(&s, DRG_F_BEGUN, 0),
		                     .seen_us = drg_record_i(&s, DRG_F_SEEN, 0),
		                     .by_proxy = drg_record_i(&s, DRG_F_BY_PROXY, 0) != 0 };
	memcpy(ret->token_hash, hash.p, hash.n);
	*ret_person = (struct drg_person){
		.id = claim->person,
		.name = drg_record_s(&p, DRG_F_NAME),
		.generation = drg_record_i(&p, DRG_F_GENERATION, 0),
		.role = (enum drg_person_role)drg_record_i(&p, DRG_F_PERSON_ROLE, DRG_PERSON_VIEWER),
		.disabled = drg_record_i(&p, DRG_F_DISABLED, 0) != 0,
	};
	return DRG_OK;
}

int drg_session_end(void *claim, struct drg_txn *t, struct drg_err *reterr)
{
	const struct drg_session_claim *c = claim;
	struct drg_arena arena;
	struct drg_record r;
	drg_arena_init(&arena, 1 << 20);
	int rc = session_fetch(t, c, &arena, &r, reterr);
	if (rc == DRG_OK) {
		drg_key_session(&r, c->person, c->slot);
		r.deleted = true;
		rc = session_put(t, &r, reterr);
	}
	drg_arena_done(&arena);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

int drg_session_touch(void *use, struct drg_txn *t, struct drg_err *reterr)
{
	const struct drg_session_use *u = use;
	struct drg_arena arena;
	struct drg_record r;
	drg_arena_init(&arena, 1 << 20);
	int rc = session_fetch(t, &u->claim, &arena, &r, reterr);
	if (rc == DRG_OK && u->now_us > drg_record_i(&r, DRG_F_SEEN, 0)) {
		drg_record_set_i(&r, DRG_F_SEEN, u->now_us);
		rc = session_put(t, &r, reterr);
	}
	drg_arena_done(&arena);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static bool session_is_over(const struct drg_record *r, int64_t generation,
                            const struct drg_session_start *start)
{
	const struct drg_session s = { .begun_us = drg_record_i(r, DRG_F_BEGUN, 0),
		                       .seen_us = drg_record_i(r, DRG_F_SEEN, 0) };
	return drg_record_i(r, DRG_F_SESSION_GENERATION, 0) != generation ||
	       start->now_us >= drg_session_ends_us(&s, start->limits);
}

/* Choose a free slot, else the slot of the session that was used longest ago. */
static int session_choose_slot(struct drg_txn *t, const struct drg_session_start *start, int64_t generation,
                               struct drg_arena *arena, int64_t *ret, struct drg_err *reterr)
{
	int64_t oldest_us = INT64_MAX;
	for (int64_t slot = 0; slot < DRG_SESSIONS_OF_ONE; slot++) {
		struct drg_record key, r;
		drg_key_session(&key, start->person, slot);
		int rc = drg_fetch(drg_txn_store(t), &key, arena, &r, reterr);
		if (rc != DRG_OK && rc != DRG_ENOENT)
			return rc;
		bool is_free = rc == DRG_ENOENT || session_is_over(&r, generation, start);
		int64_t seen_us = is_free ? INT64_MIN : drg_record_i(&r, DRG_F_SEEN, 0);
		if (seen_us < oldest_us) {
			oldest_us = seen_us;
			*ret = slot;
		}
		if (is_free)
			break;
	}
	return DRG_OK;
}

static int session_store(struct drg_txn *t, struct drg_session_start *start, int64_t generation, int64_t slot,
                         struct drg_err *reterr)
{
	unsigned char random[RANDOM_BYTES];
	char text[RANDOM_TEXT], hash[DRG_DIGEST_TEXT];
	struct drg_record r;
	randombytes_buf(random, sizeof random);
	sodium_bin2base64(text, sizeof text, random, sizeof random, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	int n = snprintf(start->token, sizeof start->token, "%" PRId64 "-%" PRId64 "-%s", start->person, slot,
	                 text);
	assert(n > 0 && (size_t)n < sizeof start->token);
	drg_digest_hex(drg_str(start->token, (size_t)n), hash);
	drg_key_session(&r, start->person, slot);
	drg_record_set_s(&r, DRG_F_TOKEN_HASH, drg_str_c(hash));
	drg_record_set_i(&r, DRG_F_SESSION_GENERATION, generation);
	drg_record_set_i(&r, DRG_F_BEGUN, start->now_us);
	drg_record_set_i(&r, DRG_F_SEEN, start->now_us);
	drg_record_set_i(&r, DRG_F_BY_PROXY, start->password_hash == NULL);
	return session_put(t, &r, reterr);
}

static int session_refuse(struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_EAUTH, DRG_R(sign_in_failed), NULL, "name or password is wrong");
}

/* Check that the person still exists, is not disabled, and still has the password that was compared. */
static int session_check_person(struct drg_txn *t, const struct drg_session_start *start,
                                struct drg_arena *arena, struct drg_record *ret, struct drg_err *reterr)
{
	struct drg_record key;
	drg_key_person(&key, start->person);
	int rc = drg_fetch(drg_txn_store(t), &key, arena, ret, reterr);
	if (rc == DRG_ENOENT)
		return session_refuse(reterr);
	if (rc != DRG_OK)
		return rc;
	bool same = start->password_hash == NULL ||
	            drg_str_eq(drg_record_s(ret, DRG_F_PASSWORD), drg_str_c(start->password_hash));
	return same && drg_record_i(ret, DRG_F_DISABLED, 0) == 0 ? DRG_OK : session_refuse(reterr);
}

int drg_session_begin(void *start, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_session_start *s = start;
	struct drg_arena arena;
	struct drg_record person;
	char detail[sizeof "from , by a proxy" + DRG_FROM_MAX];
	int64_t generation = 0, slot = 0;
	drg_arena_init(&arena, 1 << 20);
	int rc = session_check_person(t, s, &arena, &person, reterr);
	if (rc == DRG_OK && s->before != NULL)
		rc = drg_session_end((void *)(uintptr_t)s->before, t, reterr);
	if (rc == DRG_OK) {
		s->role = (enum drg_person_role)drg_record_i(&person, DRG_F_PERSON_ROLE, DRG_PERSON_VIEWER);
		generation = drg_record_i(&person, DRG_F_GENERATION, 0);
		rc = session_choose_slot(t, s, generation, &arena, &slot, reterr);
	}
	if (rc == DRG_OK)
		rc = session_store(t, s, generation, slot, reterr);
	snprintf(detail, sizeof detail, "from %.*s%s", DRG_STR_ARG(s->from),
	         s->password_hash == NULL ? ", by a proxy" : "");
	if (rc == DRG_OK)
		rc = drg_txn_access_note(t, DRG_ACCESS_PERSON, s->person, "signed_in", DRG_STR(""),
		                         drg_str_c(detail), reterr);
	drg_arena_done(&arena);
	return rc;
}
