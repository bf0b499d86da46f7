#include "api/people/sign_in.h"

#include <sodium.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "api/reading.h"
#include "api/tables.h"
#include "base/clock.h"
#include "base/log.h"

const char *const drg_api_headers_here[] = { "Cookie", "X-CSRF-Token", "Sec-Fetch-Site", NULL };

int drg_sign_in_start(struct drg_sign_in *s, struct drg_writer *w, struct drg_err *reterr)
{
	int rc = drg_throttle_new(&s->throttle, reterr);
	if (rc == DRG_OK)
		rc = drg_throttle_new(&s->looks, reterr);
	if (rc == DRG_OK)
		rc = drg_endings_start(w, &s->endings, reterr);
	return rc == DRG_OK ? drg_verifier_start(&s->verifier, reterr) : rc;
}

void drg_sign_in_stop(struct drg_sign_in *s)
{
	drg_verifier_stop(s->verifier);
	drg_endings_stop(s->endings);
	drg_throttle_free(s->throttle);
	drg_throttle_free(s->looks);
}

/* The network of a client that can have many addresses: an IPv6 /48. An IPv4 address, which begins with
 * zeros, is one. */
static struct drg_str sign_in_network(const unsigned char *client)
{
	static const unsigned char v4[12] = { [10] = 0xff, [11] = 0xff };
	return drg_str((const char *)client, memcmp(client, v4, sizeof v4) == 0 ? 16 : 6);
}

struct drg_try drg_sign_in_try(const unsigned char *client, struct drg_str name)
{
	return (struct drg_try){ .address = drg_str((const char *)client, 16),
		                 .network = sign_in_network(client),
		                 .name = name,
		                 .now_ns = drg_clock_ns() };
}

/* ---- the cookie ---------------------------------------------------------------------------------------- */

/* Some browsers give no cookie with Secure back to plain http, not even on the same machine. */
bool drg_session_cookie_secure(const struct drg_app *app)
{
	static const char *const plain[] = { "http://127.", "http://localhost:", "http://[::1]" };
	bool loopback = drg_str_eq(app->public_url, DRG_STR("http://localhost"));
	for (size_t i = 0; i < DRG_ARRAY_LEN(plain); i++)
		loopback |= drg_str_begins(app->public_url, plain[i]);
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

struct drg_str drg_sign_in_by_proxy(struct drg_exchange *x)
{
	const char *header = drg_app_of(x)->sign_in->header;
	return header != NULL && drg_exchange_from(x).by_proxy ? drg_exchange_header(x, header)
	                                                       : drg_str(NULL, 0);
}

/* ---- pages of other sites ------------------------------------------------------------------------------ */

static bool sign_in_is_own(struct drg_str origin, struct drg_str host, struct drg_str public_url)
{
	size_t scheme = drg_str_begins(origin, "http://") ? 7 : drg_str_begins(origin, "https://") ? 8 : 0;
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

int drg_sign_in_authorize(struct drg_exchange *x)
{
	struct drg_sign_in_asker *asker = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *asker);
	const struct drg_from from = drg_exchange_from(x);
	if (asker == NULL)
		return drg_fail_memory(drg_exchange_err(x));
	memcpy(asker->client, from.client, sizeof asker->client);
	asker->by_proxy = drg_sign_in_by_proxy(x);
	drg_exchange_set_data(x, asker);
	return sign_in_check_origin(x);
}

/* ---- in use -------------------------------------------------------------------------------------------- */

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

/* True for the first of several simultaneous requests: only it stores the use. */
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
	if (n == NULL)
		return;
	n->use.claim = *claim;
	n->use.now_us = now_us;
	n->job = (struct drg_job){
		.run = drg_session_touch, .ctx = &n->use, .done = sign_in_noted, .rows = 1, .bytes = sizeof *n
	};
	drg_writer_submit(app->writer, &n->job);
}

/* ---- who it is ----------------------------------------------------------------------------------------- */

struct sign_in_check {
	const struct drg_endpoint *e;
	enum drg_person_role role;
	const char *required;
	struct drg_str token;
};

/* A request whose session the catalog does not have (yet). Memory of the exchange. */
struct sign_in_open {
	struct drg_exchange *x;
	struct sign_in_check c;
	struct drg_session_claim claim;
	unsigned char client[16];
	struct drg_try who; /* the person; its texts are in here */
	struct drg_session_ahead ahead;
	struct drg_read_job job;
};

/* True if the session belongs to the user that the proxy names. A session that a proxy began is over when the
 * proxy no longer names a user. */
static bool sign_in_proxy_agrees(struct drg_exchange *x, const struct drg_person *p,
                                 const struct drg_session *s)
{
	struct drg_str name = drg_sign_in_by_proxy(x);
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
	return drg_exchange_set_caller(x, &(const struct drg_caller){ .id = -p->id, .name = p->name });
}

const struct drg_person *drg_sign_in_find(struct drg_reading *r, struct drg_str token,
                                          struct drg_session_claim *claim, const struct drg_session **ret)
{
	const struct drg_sign_in *all = drg_app_of(r->x)->sign_in;
	if (!drg_session_read(token, claim) || drg_endings_has(all->endings, claim))
		return NULL;
	return drg_session_find(r->cat, claim, &all->limits, drg_wall_us(), ret);
}

static int sign_in_refuse(struct drg_exchange *x, const struct sign_in_check *c)
{
	return drg_fail(drg_exchange_err(x), DRG_EAUTH, DRG_R(not_authorized), NULL, "%s", c->required);
}

/* Another server may have begun it a moment ago. A token that is made up costs a look at the store, so who
 * comes with such has as few as who guesses passwords; and no body is taken before it is known who sends it. */
static bool sign_in_leave_open(struct drg_exchange *x, const struct sign_in_check *c)
{
	struct sign_in_open *o = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *o);
	if (o == NULL || c->e->body != DRG_BODY_NONE || !drg_session_read(c->token, &o->claim) ||
	    drg_endings_has(drg_app_of(x)->sign_in->endings, &o->claim))
		return false;
	const struct drg_from from = drg_exchange_from(x);
	memcpy(o->client, from.client, sizeof o->client);
	o->x = x;
	o->c = *c;
	o->who = drg_sign_in_try(o->client, drg_str_c(o->claim.hash));
	if (drg_throttle_try(drg_app_of(x)->sign_in->looks, &o->who) > 0)
		return false;
	drg_exchange_set_data(x, o);
	return true;
}

/* If an endpoint does not require a signed-in user, a missing session is not an error. @param rc  of the look
 * for it */
static int sign_in_or_nobody(const struct drg_endpoint *e, int rc)
{
	return rc == DRG_EAUTH && e->auth == DRG_AUTH_ANYBODY ? DRG_OK : rc;
}

static int sign_in_look(struct drg_reading *r, void *ctx)
{
	const struct sign_in_check *c = ctx;
	const struct drg_session_limits *limits = &drg_app_of(r->x)->sign_in->limits;
	const struct drg_session *s;
	struct drg_session_claim claim;
	const struct drg_person *p = drg_sign_in_find(r, c->token, &claim, &s);
	int64_t now_us = drg_wall_us();
	if (p == NULL && drg_exchange_data(r->x) == NULL && sign_in_leave_open(r->x, c))
		return DRG_OK;
	if (p == NULL || !sign_in_proxy_agrees(r->x, p, s))
		return sign_in_refuse(r->x, c);
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
		return sign_in_or_nobody(e, sign_in_refuse(x, &c));
	int rc = sign_in_check_origin(x);
	return rc == DRG_OK ? sign_in_or_nobody(e, drg_reading_run(x, sign_in_look, &c)) : rc;
}

static int sign_in_look_still(struct drg_reading *r, void *ctx)
{
	const struct sign_in_check *c = ctx;
	const struct drg_session *s;
	struct drg_session_claim claim;
	const struct drg_person *p = drg_sign_in_find(r, c->token, &claim, &s);
	return p != NULL && p->role >= c->role ? DRG_OK : sign_in_refuse(r->x, c);
}

int drg_session_reauthorize(struct drg_exchange *x, enum drg_person_role role, const char *required)
{
	struct sign_in_check c = { .role = role, .required = required, .token = drg_session_token(x) };
	return drg_reading_run(x, sign_in_look_still, &c);
}

/* ---- a session that another server has begun ----------------------------------------------------------- */

bool drg_session_is_open(const struct drg_exchange *x)
{
	return drg_exchange_endpoint(x)->auth >= DRG_AUTH_PERSON && drg_exchange_caller(x)->id == 0 &&
	       drg_exchange_data(x) != NULL;
}

static int sign_in_read(struct drg_read_job *j, struct drg_store *s, struct drg_err *reterr)
{
	struct sign_in_open *o = DRG_CONTAINER_OF(j, struct sign_in_open, job);
	return drg_session_load(s, &o->claim, drg_exchange_arena(o->x), &o->ahead.session, &o->ahead.person,
	                        reterr);
}

static void sign_in_wake(struct drg_read_job *j)
{
	drg_exchange_resume(DRG_CONTAINER_OF(j, struct sign_in_open, job)->x);
}

static int sign_in_let_on(struct drg_exchange *x, struct sign_in_open *o, struct drg_session_ahead *ahead)
{
	drg_throttle_end(drg_app_of(x)->sign_in->looks, &o->who, true);
	drg_exchange_set_data(x, ahead);
	return drg_exchange_handle(x);
}

/* There is no such session: the look counts. */
static int sign_in_unknown(struct drg_exchange *x, const struct sign_in_open *o)
{
	drg_exchange_set_data(x, NULL);
	int rc = sign_in_or_nobody(o->c.e, sign_in_refuse(x, &o->c));
	return rc == DRG_OK ? drg_exchange_handle(x) : rc;
}

static int sign_in_known(struct drg_exchange *x)
{
	struct sign_in_open *o = drg_exchange_data(x);
	const struct drg_session *s = &o->ahead.session;
	const struct drg_person *p = &o->ahead.person;
	const struct drg_session_limits *limits = &drg_app_of(x)->sign_in->limits;
	if (o->job.rc != DRG_OK &&
	    o->job.rc != DRG_ENOENT) { /* nobody could be asked: that says nothing of the session */
		drg_throttle_end(drg_app_of(x)->sign_in->looks, &o->who, false);
		*drg_exchange_err(x) = o->job.err;
		return o->job.rc;
	}
	if (o->job.rc != DRG_OK || !drg_session_is_valid(s, p, &o->claim, limits, drg_wall_us()) ||
	    !sign_in_proxy_agrees(x, p, s))
		return sign_in_unknown(x, o);
	int rc = sign_in_take(x, &o->c, p);
	return rc == DRG_OK ? sign_in_let_on(x, o, &o->ahead) : rc;
}

int drg_session_resolve(struct drg_exchange *x)
{
	struct sign_in_open *o = drg_exchange_data(x);
	if (drg_reading_run(x, sign_in_look, &o->c) == DRG_OK) /* it has come meanwhile */
		return sign_in_let_on(x, o, NULL);
	o->job = (struct drg_read_job){ .run = sign_in_read,
		                        .done = sign_in_wake,
		                        .item.owner = -o->claim.person };
	drg_exchange_suspend(x, sign_in_known);
	if (drg_readers_submit(drg_app_of(x)->readers, &o->job) != DRG_OK)
		drg_exchange_resume(x);
	return DRG_HTTP_SUSPENDED;
}
