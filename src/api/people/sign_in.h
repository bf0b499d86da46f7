/* src/api/people/sign_in.h
 * People and requests: signed-in users (decisions E24 and E25). The endpoints of /v1/session are in
 * session.c. */
#pragma once
#include "api/people/endings.h"
#include "http/exchange.h"
#include "access/session.h"
#include "access/throttle.h"
#include "access/verifier.h"

struct drg_endpoint;
struct drg_app;

/** The cookie of a session: with this name a browser keeps it only if it came from here by https, with Secure
 * and Path=/. */
#define DRG_SESSION_COOKIE "__Host-dragoman"
/** That of a server whose public URL is http and a loopback address. */
#define DRG_SESSION_COOKIE_PLAIN "dragoman"

struct drg_sign_in {
	struct drg_verifier *verifier;
	struct drg_throttle *throttle;
	struct drg_throttle
	        *looks; /**< how often somebody may come with a session that nobody has heard of */
	struct drg_endings *endings;
	struct drg_session_limits limits;
	const char
	        *header; /**< in which trusted proxies say who it is (--sign-in-header); NULL: they do not */
	_Atomic uint64_t passed, failed, throttled; /**< attempts to sign in, for metrics */
	_Atomic int64_t
	        noted_us[256]; /**< when it was last stored that sessions are in use, by a hash of them */
};

/** @param s  limits and header; the rest is filled in. @param w  Has to outlive it. */
DRG_MUSTCHECK
int drg_sign_in_start(struct drg_sign_in *s, struct drg_writer *w, struct drg_err *reterr);
/** @p s need not have been started. */
void drg_sign_in_stop(struct drg_sign_in *s);

/** A try from @p client (struct drg_from), now. Borrows both. */
struct drg_try drg_sign_in_try(const unsigned char *client, struct drg_str name);

/** Name and Secure of the cookie of this server. */
const char *drg_session_cookie_name(const struct drg_app *app);
bool drg_session_cookie_secure(const struct drg_app *app);
/** The token that came with the request; empty: none. Borrowed from the exchange. */
struct drg_str drg_session_token(struct drg_exchange *x);

/** The user that a trusted proxy names; empty: none. Borrowed from the exchange. */
struct drg_str drg_sign_in_by_proxy(struct drg_exchange *x);

struct drg_reading;
/** The person of a session that lasts, and what was found on the way. @return NULL: no session of that token
 * lasts. */
const struct drg_person *drg_sign_in_find(struct drg_reading *r, struct drg_str token,
                                          struct drg_session_claim *claim, const struct drg_session **ret);

/** The head of a request to sign in, kept until its body is read. */
struct drg_sign_in_asker {
	unsigned char client[16]; /**< drg_from */
	struct drg_str by_proxy; /**< whom a trusted proxy names; empty: none does */
};
/** For DRG_AUTH_SIGN_IN: refuses pages of other sites, and has the asker be drg_exchange_data(). @return
 * DRG_OK, DRG_EAUTH, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_sign_in_authorize(struct drg_exchange *x);

/**
 * The session of the request: one that lasts, of a person with @p role or a higher one, and, for what changes
 * something, with its CSRF token. Notes the person in the exchange. One that another server may just have
 * begun is let go on where no body comes with it: see drg_session_is_open().
 * @param required  The message if there is no session.
 * @return DRG_OK; DRG_EAUTH; DRG_EBUSY: loading.
 */
DRG_MUSTCHECK
int drg_session_authorize(struct drg_exchange *x, const struct drg_endpoint *e, enum drg_person_role role,
                          const char *required);
/** Does the session of a request that waits still last, with that role? @return as drg_session_authorize(). */
DRG_MUSTCHECK
int drg_session_reauthorize(struct drg_exchange *x, enum drg_person_role role, const char *required);

/** Was it not said yet whether this request has a session, since it may be newer than the catalog?
 * drg_session_resolve() says it. */
bool drg_session_is_open(const struct drg_exchange *x);
/** Look for it in the catalog and then in the store (decision E25), and have the handler run with it.
 * @return as drg_exchange_handle(); DRG_EAUTH: there is none. */
int drg_session_resolve(struct drg_exchange *x);

/** A session that was found in the store and not in the catalog: drg_exchange_data() when GET /v1/session and
 * /v1/session/who are handled; else NULL. */
struct drg_session_ahead {
	struct drg_session session;
	struct drg_person person;
};
