/* src/access/session.h
 * Sessions of people who have signed in (decision E25). A browser keeps a token: the number of the person,
 * the number of the session, and 256 random bits. The store keeps only a hash of the token. */
#pragma once
#include "base/digest.h"
#include "catalog/catalog.h"
#include "store/txn_run.h"

/** "12-3-" and 43 characters of base64url, with a NUL. */
enum { DRG_SESSION_TOKEN = 64 };

/** How long sessions last. May be changed while other threads read it: never copy the
 * struct. */
struct drg_session_limits {
	_Atomic int64_t idle_us; /**< the longest time without a request */
	_Atomic int64_t longest_us; /**< the longest time in all */
};

/** The content of a token: the session that it claims to belong to. */
struct drg_session_claim {
	int64_t person, slot;
	char hash[DRG_DIGEST_TEXT]; /**< of the whole token */
};

/** Read a token. @return false: the text cannot be a token. */
bool drg_session_read(struct drg_str token, struct drg_session_claim *ret);

/** Find the session of a claim. In a read section. @return the person, and in @p ret_session the session;
 * NULL: the claim is false or the session is over. */
const struct drg_person *drg_session_find(const struct drg_catalog *cat,
                                          const struct drg_session_claim *claim,
                                          const struct drg_session_limits *limits, int64_t now_us,
                                          const struct drg_session **ret_session);
/** Is the claim true for this session and person, and is the session not over? */
bool drg_session_is_valid(const struct drg_session *s, const struct drg_person *p,
                          const struct drg_session_claim *claim, const struct drg_session_limits *limits,
                          int64_t now_us);
/** Load the session and the person of a claim from the store, which may be ahead of the catalog. Does not
 * check whether the session is good. @p ret_person has no password, and its name is in @p arena.
 * @return DRG_OK; DRG_ENOENT: there is no such session or person; or the store's error. */
DRG_MUSTCHECK
int drg_session_load(struct drg_store *store, const struct drg_session_claim *claim, struct drg_arena *arena,
                     struct drg_session *ret, struct drg_person *ret_person, struct drg_err *reterr);
/** When the session ends if no further request comes. */
int64_t drg_session_ends_us(const struct drg_session *s, const struct drg_session_limits *limits);
/** Must a new time of the last use be stored? Yes, when a tenth of the idle time has passed since the stored
 * one. */
bool drg_session_is_stale(const struct drg_session *s, const struct drg_session_limits *limits,
                          int64_t now_us);

/** Make the text that a page must send beside the cookie when it changes something. It is made of the token,
 * which no page can read.
 * @param buf  DRG_DIGEST_TEXT bytes. */
void drg_session_csrf(struct drg_str token, char *buf);

/** A person signs in. */
struct drg_session_start {
	int64_t person;
	/** the hash that the password was compared with; NULL: a proxy has authenticated the person */
	const char *password_hash;
	const struct drg_session_limits *limits;
	int64_t now_us;
	/** the former session of the same browser, which ends; NULL: none */
	const struct drg_session_claim *before;
	struct drg_str from; /**< the client's address, for the history; at most DRG_FROM_MAX bytes count */
	char token[DRG_SESSION_TOKEN]; /**< the result */
	enum drg_person_role role;
};
/** Begin a session. A drg_txn_fn; @p start is a struct drg_session_start. @return DRG_OK; DRG_EAUTH: the
 * person was disabled, or has another password by now. */
DRG_MUSTCHECK
int drg_session_begin(void *start, struct drg_txn *t, struct drg_err *reterr);

/** End a session. A drg_txn_fn; @p claim is a struct drg_session_claim. DRG_OK also if the session is over
 * already. */
DRG_MUSTCHECK
int drg_session_end(void *claim, struct drg_txn *t, struct drg_err *reterr);

struct drg_session_use {
	struct drg_session_claim claim;
	int64_t now_us;
};
/** Store that a session was used. A drg_txn_fn; @p use is a struct drg_session_use. DRG_OK also if the
 * session is over already. */
DRG_MUSTCHECK
int drg_session_touch(void *use, struct drg_txn *t, struct drg_err *reterr);
