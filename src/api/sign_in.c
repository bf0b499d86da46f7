#include "api/sign_in.h"

#include <sodium.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "api/reading.h"
#include "api/tables.h"
#include "base/clock.h"
#include "base/log.h"

const char *const drg_api_headers_here[] = { "Cookie", "X-CSRF-Token", "Sec-Fetch-Site", NULL };

int drg_sign_in_start(struct drg_sign_in *s, struct drg_err *reterr)
{
	int rc = drg_throttle_new(&s->throttle, reterr);
	return rc == DRG_OK ? drg_verifier_start(&s->verifier, reterr) : rc;
}

void drg_sign_in_stop(struct drg_sign_in *s)
{
	drg_verifier_stop(s->verifier);
	drg_throttle_free(s->throttle);
}

/* ---- the cookie ------------------------------------------------------------------------------------------- */

static bool begins_with(struct drg_str s, const char *text)
{
	return s.n >= strlen(text) && memcmp(s.p, text, strlen(text)) == 0;
}

/* Some browsers give no cookie with Secure back to plain http, not even on the same machine. */
bool drg_session_cookie_secure(const struct drg_app *app)
{
	static const char *const plain[] = { "http://127.", "http://localhost:", "http://[::1]" };
	bool loopback = drg_str_eq(app->public_url, DRG_STR("http://localhost"));
	for (size_t i = 0; i < DRG_ARRAY_LEN(plain); i++)
		loopback |= begins_with(app->public_url, plain[i]);
	return !loopback;
}

const char *drg_session_cookie_name(const struct drg_app *app)
{
	return drg_session_cookie_secure(app) ? DRG_SESSION_COOKIE : DRG_SESSION_COOKIE_PLAIN;
}

struct drg_str drg_session_token(struct drg_exchange *x)
{
	struct drg_str rest = drg_exchange_header(x, "Cookie"), pair, name;
	const struct drg_str wanted = drg_str_c(drg_session_cookie_name(drg_app_of(x)));
	struct drg_str found = { NULL, 0 };
	unsigned n = 0;
	while (drg_str_split(&rest, ';', &pair)) {
		struct drg_str value = drg_str_trim(pair);
		if (drg_str_split(&value, '=', &name) && drg_str_eq(name, wanted) && value.p != NULL) {
			found = value;
			n++;
		}
	}
	return n == 1 ? found : drg_str(NULL, 0); /* of two nobody knows which is ours */
}

/* Whom a trusted proxy names; empty: none does. */
static struct drg_str sign_in_by_proxy(struct drg_exchange *x)
{
	const char *header = drg_app_of(x)->sign_in->header;
	return header != NULL && drg_exchange_from(x).by_proxy ? drg_exchange_header(x, header)
	                                                       : drg_str(NULL, 0);
}

/* ---- pages of other sites --------------------------------------------------------------------------------- */

static bool sign_in_is_own(struct drg_str origin, struct drg_str host, struct drg_str public_url)
{
	size_t scheme = begins_with(origin, "http://") ? 7 : begins_with(origin, "https://") ? 8 : 0;
	if (scheme == 0)
		return false;
	bool public = public_url.n >= origin.n && memcmp(public_url.p, origin.p, origin.n) == 0 &&
	              (public_url.n == origin.n || public_url.p[origin.n] == '/');
	return public || drg_str_eq_nocase(drg_str(origin.p + scheme, origin.n - scheme), host);
}

static int sign_in_check_origin(struct drg_exchange *x)
{
	const struct drg_from from = drg_exchange_from(x);
	struct drg_str site = drg_exchange_header(x, "Sec-Fetch-Site");
	bool own = site.p == NULL || drg_str_eq(site, DRG_STR("same-origin")) ||
	           drg_str_eq(site, DRG_STR("none"));
	own &= from.n_origin == 0 ||
	       (from.n_origin == 1 && sign_in_is_own(from.origin, from.host, drg_app_of(x)->public_url));
	return own ? DRG_OK
	           : drg_fail(drg_exchange_err(x), DRG_EAUTH, DRG_R(other_origin), NULL,
	                      "pages of other sites may not do this; behind a proxy --public-url has to be "
	                      "the address that browsers have");
}

int drg_sign_in_ask(struct drg_exchange *x)
{
	struct drg_sign_in_asker *asker = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *asker);
	const struct drg_from from = drg_exchange_from(x);
	if (asker == NULL)
		return drg_fail_memory(drg_exchange_err(x));
	memcpy(asker->client, from.client, sizeof asker->client);
	asker->by_proxy = sign_in_by_proxy(x);
	drg_exchange_set_data(x, asker);
	return sign_in_check_origin(x);
}

/* ---- in use ----------------------------------------------------------------------------------------------- */

struct sign_in_note {
	struct drg_job job;
	struct drg_session_use use;
};

static void sign_in_noted(struct drg_job *j)
{
	if (j->rc != DRG_OK)
		drg_log(DRG_LOG_WARN, "that a session is in use was not stored: %s", j->err.message);
	free(DRG_CONTAINER_OF(j, struct sign_in_note, job));
}

/* Of those who come at once the first one notes it. */
static bool sign_in_is_first(struct drg_sign_in *s, const struct drg_session_claim *claim, int64_t now_us)
{
	size_t at = (size_t)(claim->person * DRG_SESSIONS_OF_ONE + claim->slot) % DRG_ARRAY_LEN(s->noted_us);
	int64_t before = atomic_load(&s->noted_us[at]);
	return now_us - before >= s->limits.idle_us / 20 &&
	       atomic_compare_exchange_strong(&s->noted_us[at], &before, now_us);
}

static void sign_in_note_use(struct drg_exchange *x, const struct drg_session_claim *claim, int64_t now_us)
{
	const struct drg_app *app = drg_app_of(x);
	struct sign_in_note *n = sign_in_is_first(app->sign_in, claim, now_us) ? calloc(1, sizeof *n) : NULL;
	struct drg_err err;
	if (n == NULL)
		return;
	n->use.claim = *claim;
	n->use.now_us = now_us;
	n->job = (struct drg_job){ .run = drg_session_used,
		                   .decision = &n->use,
		                   .done = sign_in_noted,
		                   .rows = 1,
		                   .bytes = sizeof *n };
	if (drg_writer_submit(app->writer, &n->job, &err) != DRG_OK)
		free(n);
}

/* ---- who it is -------------------------------------------------------------------------------------------- */

struct sign_in_check {
	const struct drg_endpoint *e;
	enum drg_person_role role;
	const char *required;
	struct drg_str token;
};

/* Where a proxy says who it is, the session must be theirs; and one that a proxy began is over when it says so no more. */
static bool sign_in_proxy_agrees(struct drg_exchange *x, const struct drg_person *p,
                                 const struct drg_session *s)
{
	struct drg_str name = sign_in_by_proxy(x);
	return name.n > 0 ? drg_str_eq_nocase(name, p->name) : !s->by_proxy;
}

static int sign_in_check_csrf(struct drg_exchange *x, struct drg_str token)
{
	char wanted[DRG_DIGEST_TEXT];
	struct drg_str sent = drg_exchange_header(x, "X-CSRF-Token");
	drg_session_csrf(token, wanted);
	if (sent.n == DRG_DIGEST_TEXT - 1 && sodium_memcmp(sent.p, wanted, sent.n) == 0)
		return DRG_OK;
	return drg_fail(drg_exchange_err(x), DRG_EAUTH, DRG_R(wrong_csrf_token), NULL,
	                "X-CSRF-Token: expected the csrf of this session, as GET /v1/session gives it");
}

static int sign_in_take(struct drg_exchange *x, const struct sign_in_check *c, const struct drg_person *p)
{
	if (p->role < c->role)
		return drg_fail(drg_exchange_err(x), DRG_EAUTH, DRG_R(role_not_allowed), NULL,
		                "this takes the role %s; you have the role %s",
		                drg_person_role_words[c->role], drg_person_role_words[p->role]);
	int rc = c->e->method == DRG_GET ? DRG_OK : sign_in_check_csrf(x, c->token);
	if (rc != DRG_OK)
		return rc;
	drg_exchange_set_key_id(x, -p->id); /* numbers of keys are positive */
	return drg_exchange_set_who(x, p->name);
}

static int sign_in_look(struct drg_reading *r, void *ctx)
{
	const struct sign_in_check *c = ctx;
	const struct drg_session_limits *limits = &drg_app_of(r->x)->sign_in->limits;
	const struct drg_session *s;
	struct drg_session_claim claim;
	int64_t now_us = drg_wall_us();
	const struct drg_person *p = drg_session_read(c->token, &claim)
	                                     ? drg_session_find(r->cat, &claim, limits, now_us, &s)
	                                     : NULL;
	if (p == NULL || !sign_in_proxy_agrees(r->x, p, s))
		return drg_fail(drg_exchange_err(r->x), DRG_EAUTH, DRG_R(not_authorized), NULL, "%s",
		                c->required);
	int rc = sign_in_take(r->x, c, p);
	if (rc == DRG_OK && drg_session_is_stale(s, limits, now_us))
		sign_in_note_use(r->x, &claim, now_us);
	return rc;
}

int drg_session_authorize(struct drg_exchange *x, const struct drg_endpoint *e, enum drg_person_role role,
                          const char *required)
{
	struct sign_in_check c = { e, role, required, drg_session_token(x) };
	if (c.token.n == 0)
		return drg_fail(drg_exchange_err(x), DRG_EAUTH, DRG_R(not_authorized), NULL, "%s", required);
	int rc = sign_in_check_origin(x);
	return rc == DRG_OK ? drg_read(x, sign_in_look, &c) : rc;
}
