/* src/access/session.h
 * Sessions of people who have signed in (decision E25). What a browser keeps is a token: the number of the
 * person, of the session, and 256 random bits, of which the store has the hash alone. */
#pragma once
#include "base/digest.h"
#include "catalog/catalog.h"
#include "store/txn_run.h"

/** "12-3-" and 43 characters of base64url, with a NUL. */
enum { DRG_SESSION_TOKEN = 64 };

/** For how long they last. May change while they are read. */
struct drg_session_limits {
	_Atomic int64_t idle_us; /**< without a request */
	_Atomic int64_t longest_us; /**< in all */
};

/** What a token says: which session it is of, if it is. */
struct drg_session_claim {
	int64_t person, slot;
	char hash[DRG_DIGEST_TEXT]; /**< of the whole token */
};

/** @return false: no such text is a token. */
bool drg_session_read(struct drg_str token, struct drg_session_claim *ret);

/** Is the claim true, and the session not over? In a read section. @return the person, in @p ret_session their
 * session; NULL: no. */
const struct drg_person *drg_session_find(const struct drg_catalog *cat,
                                          const struct drg_session_claim *claim,
                                          const struct drg_session_limits *limits, int64_t now_us,
                                          const struct drg_session **ret_session);
/** Is it, by what is known of the session and its person? */
bool drg_session_is_good(const struct drg_session *s, const struct drg_person *p,
                         const struct drg_session_claim *claim, const struct drg_session_limits *limits,
                         int64_t now_us);
/** What the store has of a claim, which may be more than the catalog has; is it good? is another question.
 * @p ret_person has no password, and its name is in @p arena. @return DRG_OK; DRG_ENOENT: there is no such
 * session or person; or the store's error. */
DRG_MUSTCHECK
int drg_session_load(struct drg_store *store, const struct drg_session_claim *claim, struct drg_arena *arena,
                     struct drg_session *ret, struct drg_person *ret_person, struct drg_err *reterr);
/** When it ends if nothing is done. */
int64_t drg_session_ends_us(const struct drg_session *s, const struct drg_session_limits *limits);
/** Is it time to store that it is in use? A tenth of the idle time has gone since it was. */
bool drg_session_is_stale(const struct drg_session *s, const struct drg_session_limits *limits,
                          int64_t now_us);

/** What a page has to send beside the cookie when it changes something: made of the token, which no page can
 * read.
 * @param buf  DRG_DIGEST_TEXT bytes. */
void drg_session_csrf(struct drg_str token, char *buf);

/** Signing in. */
struct drg_session_start {
	int64_t person;
	const char *
	        password_hash; /**< the one that the password was compared with; NULL: a proxy says who it is */
	struct drg_session_limits limits;
	int64_t now_us;
	const struct drg_session_claim *before; /**< of the same browser: it ends; or NULL */
	char token[DRG_SESSION_TOKEN]; /**< the result */
	enum drg_person_role role;
};
/** Of a transaction (struct drg_session_start). @return DRG_OK; DRG_EAUTH: disabled, or with another password,
 * since then. */
DRG_MUSTCHECK
int drg_session_begin(void *start, struct drg_txn *t, struct drg_err *reterr);

/** Of a transaction (struct drg_session_claim): it ends. One that is over is fine. */
DRG_MUSTCHECK
int drg_session_end(void *claim, struct drg_txn *t, struct drg_err *reterr);

struct drg_session_use {
	struct drg_session_claim claim;
	int64_t now_us;
};
/** Of a transaction (struct drg_session_use): it was used. One that is over is fine. */
DRG_MUSTCHECK
int drg_session_used(void *use, struct drg_txn *t, struct drg_err *reterr);
