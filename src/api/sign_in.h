/* src/api/sign_in.h
 * People and requests: who has signed in (decisions E24 and E25). The endpoints of /v1/session are in session.c. */
#pragma once
#include "http/exchange.h"
#include "people/session.h"
#include "people/throttle.h"
#include "people/verifier.h"

struct drg_endpoint;
struct drg_app;

/** The cookie of a session: with this name a browser keeps it only if it came from here by https, with Secure and Path=/. */
#define DRG_SESSION_COOKIE "__Host-dragoman"
/** That of a server whose public URL is http and a loopback address. */
#define DRG_SESSION_COOKIE_PLAIN "dragoman"

struct drg_sign_in {
	struct drg_verifier *verifier;
	struct drg_throttle *throttle;
	struct drg_session_limits limits;
	const char
	        *header; /**< in which trusted proxies say who it is (--sign-in-header); NULL: they do not */
	_Atomic int64_t
	        noted_us[256]; /**< when it was last stored that sessions are in use, by a hash of them */
};

/** @param o  limits and header; the rest is filled in. */
DRG_MUSTCHECK
int drg_sign_in_start(struct drg_sign_in *s, struct drg_err *reterr);
/** What was never started is fine. */
void drg_sign_in_stop(struct drg_sign_in *s);

/** Name and Secure of the cookie of this server. */
const char *drg_session_cookie_name(const struct drg_app *app);
bool drg_session_cookie_secure(const struct drg_app *app);
/** The token that came with the request; empty: none. Borrowed from the exchange. */
struct drg_str drg_session_token(struct drg_exchange *x);

/** Who asks to sign in: what is left of the head when the body is read. */
struct drg_sign_in_asker {
	unsigned char client[16]; /**< drg_from */
	struct drg_str by_proxy; /**< whom a trusted proxy names; empty: none does */
};
/** For DRG_AUTH_SIGN_IN: refuses pages of other sites, and has the asker be drg_exchange_data(). @return DRG_OK, DRG_EAUTH, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_sign_in_ask(struct drg_exchange *x);

/**
 * The session of the request: one that lasts, of a person with @p role or a higher one, and, for what changes something, with its
 * CSRF token. Notes the person in the exchange.
 * @param required  What is said to who has none.
 * @return DRG_OK; DRG_EAUTH; DRG_EBUSY: loading.
 */
DRG_MUSTCHECK
int drg_session_authorize(struct drg_exchange *x, const struct drg_endpoint *e, enum drg_person_role role,
                          const char *required);
