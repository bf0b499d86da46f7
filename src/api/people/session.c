/* /v1/session: signing in and out (decision E25). */
#include "api/people/sign_in.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/people.h"
#include "api/reading.h"
#include "api/tables.h"
#include "api/web/pictures.h"
#include "api/write.h"
#include "base/address.h"
#include "base/clock.h"
#include "text/stamp.h"

enum { COOKIE_TEXT = 200, BUSY_SECONDS = 2, SIGN_IN_BODY = 8192 };

/* ---- what is answered ---------------------------------------------------------------------------------- */

/* Write the pictures that the workbench may show from other hosts. */
static void session_pictures(struct drg_jw *w, const struct drg_pictures *p)
{
	drg_jw_key(w, "map");
	if (p->tiles != NULL) {
		drg_jw_object(w);
		drg_text_or_null(w, "tiles", drg_str_c(p->tiles));
		drg_text_or_null(w, "credit", p->credit != NULL ? drg_str_c(p->credit) : drg_str(NULL, 0));
		drg_jw_object_end(w);
	} else {
		drg_jw_null(w);
	}
	drg_jw_member_bool(w, "photos", p->photos);
}

static void session_write(struct drg_exchange *x, struct drg_jw *w, struct drg_str person,
                          enum drg_person_role role, struct drg_str token, int64_t ends_us)
{
	char csrf[DRG_DIGEST_TEXT], ends[DRG_STAMP_TEXT];
	drg_session_csrf(token, csrf);
	drg_stamp_text(ends_us, ends);
	drg_jw_object(w);
	drg_jw_member_str(w, "person", person);
	drg_jw_member_str(w, "role", drg_str_c(drg_person_role_words[role]));
	drg_jw_member_str(w, "csrf", drg_str_c(csrf));
	drg_jw_member_str(w, "expires", drg_str_c(ends));
	session_pictures(w, drg_app_of(x)->pictures);
	drg_jw_object_end(w);
}

/* @param token  "": the browser is to forget it. */
static void session_set_cookie(struct drg_exchange *x, const char *token)
{
	const struct drg_app *app = drg_app_of(x);
	char text[COOKIE_TEXT];
	int n = snprintf(text, sizeof text, "%s=%s; Path=/; HttpOnly; SameSite=Strict%s%s",
	                 drg_session_cookie_name(app), token,
	                 drg_session_cookie_secure(app) ? "; Secure" : "",
	                 token[0] == '\0' ? "; Max-Age=0" : "");
	assert(n > 0 && (size_t)n < sizeof text);
	drg_exchange_add_header(x, "Set-Cookie", text);
}

/* ---- signing in ---------------------------------------------------------------------------------------- */

/* One who signs in. Memory of the exchange. */
struct signing_in {
	struct drg_exchange *x;
	struct drg_try who;
	const struct drg_sign_in_asker *asker;
	char from[INET6_ADDRSTRLEN]; /* its address, as text */
	struct drg_str name, password; /* as sent */
	bool by_proxy;
	bool busy; /* too many wait for their passwords to be compared */
	struct drg_verification check;
	struct drg_session_claim before;
	struct drg_session_start start;
	struct drg_write write;
};

static const struct drg_body_field session_fields[] = {
	{ "name", DRG_B_TEXT, false },
	{ "password", DRG_B_TEXT, false },
	{ 0 },
};

/* For the history: nobody waits for it. */
struct session_failure {
	struct drg_job job;
	struct drg_person_failure failure;
	char from[INET6_ADDRSTRLEN];
};

static void session_failure_done(struct drg_job *j)
{
	free(DRG_CONTAINER_OF(j, struct session_failure, job));
}

static void session_note_failure(const struct signing_in *s)
{
	struct session_failure *x = s->start.person != 0 ? calloc(1, sizeof *x) : NULL;
	if (x == NULL)
		return; /* a name that nobody has leaves no trace but in the access log */
	x->failure.person = s->start.person;
	memcpy(x->from, s->from, sizeof x->from);
	x->failure.from = drg_str_c(x->from);
	x->job = (struct drg_job){ .run = drg_person_failed,
		                   .ctx = &x->failure,
		                   .done = session_failure_done,
		                   .rows = 1,
		                   .bytes = sizeof *x,
		                   .own = true };
	drg_writer_submit(drg_app_of(s->x)->writer, &x->job);
}

static int session_fail(struct signing_in *s)
{
	session_note_failure(s);
	atomic_fetch_add(&drg_app_of(s->x)->sign_in->failed, 1);
	return drg_fail(drg_exchange_err(s->x), DRG_EAUTH, DRG_R(sign_in_failed), NULL,
	                s->by_proxy ? "the proxy's user does not exist here; add it with 'dragoman user add'"
	                            : "name or password is wrong");
}

static int session_too_many(struct drg_exchange *x, unsigned seconds)
{
	char text[16];
	atomic_fetch_add(&drg_app_of(x)->sign_in->throttled, 1);
	snprintf(text, sizeof text, "%u", seconds);
	drg_exchange_add_header(x, "Retry-After", text);
	return drg_exchange_fail_status(x, 429, DRG_R(too_many_attempts), NULL,
	                                "too many attempts to sign in; try again in %u seconds", seconds);
}

static int session_begun(struct drg_exchange *x)
{
	struct signing_in *s = drg_exchange_data(x);
	struct drg_throttle *throttle = drg_app_of(x)->sign_in->throttle;
	int rc = drg_api_write_finish(&s->write);
	if (rc == DRG_EAUTH)
		return session_fail(s);
	if (rc != DRG_OK) {
		if (!s->by_proxy)
			drg_throttle_end(throttle, &s->who, false);
		return rc;
	}
	if (!s->by_proxy)
		drg_throttle_end(throttle, &s->who, true);
	atomic_fetch_add(&drg_app_of(x)->sign_in->passed, 1);
	const struct drg_session begun = { .begun_us = s->start.now_us, .seen_us = s->start.now_us };
	struct drg_jw w = { .b = drg_exchange_out(x) };
	session_set_cookie(x, s->start.token);
	drg_data_begin(&w);
	session_write(x, &w, s->name, s->start.role, drg_str_c(s->start.token),
	              drg_session_ends_us(&begun, s->start.limits));
	drg_data_end(&w);
	return DRG_OK;
}

/* The password was right, or a proxy is believed. */
static int session_begin(struct drg_exchange *x)
{
	struct signing_in *s = drg_exchange_data(x);
	if (s->busy)
		return session_too_many(x, BUSY_SECONDS);
	if (!s->by_proxy && s->check.rc == DRG_EAUTH)
		return session_fail(s);
	if (!s->by_proxy && s->check.rc != DRG_OK) {
		drg_throttle_end(drg_app_of(x)->sign_in->throttle, &s->who, false);
		return s->check.rc;
	}
	s->start.now_us = drg_wall_us();
	s->start.limits = &drg_app_of(x)->sign_in->limits;
	s->write = (struct drg_write){ .run = drg_session_begin, .ctx = &s->start, .job.rows = 2 };
	return drg_api_write(x, &s->write, session_begun);
}

static void session_checked(struct drg_verification *v)
{
	drg_exchange_resume(DRG_CONTAINER_OF(v, struct signing_in, check)->x);
}

/* On the thread that compares passwords, since it takes a tenth of a second. */
static int session_check_password(struct signing_in *s)
{
	struct drg_sign_in *all = drg_app_of(s->x)->sign_in;
	const unsigned char *address = s->asker->client;
	s->who = drg_sign_in_try(address, s->name);
	unsigned wait_s = drg_throttle_try(all->throttle, &s->who);
	if (wait_s > 0)
		return session_too_many(s->x, wait_s);
	uint64_t client = 0;
	for (size_t i = 0; i < s->who.network.n; i++)
		client = client * 31 + address[i];
	s->check.password = s->password;
	s->check.done = session_checked;
	s->check.known = s->who.known;
	s->check.item.owner = (int64_t)(client << 1 >> 1 | 1);
	drg_exchange_suspend(s->x, session_begin);
	if (drg_verifier_put(all->verifier, &s->check) == DRG_OK)
		return DRG_HTTP_SUSPENDED;
	drg_throttle_end(all->throttle, &s->who, false);
	s->busy = true;
	drg_exchange_resume(s->x);
	return DRG_HTTP_SUSPENDED;
}

/* Find the person to sign in. Nothing but the outcome shows that there is no such person. */
static int session_find_person(struct drg_reading *r, void *ctx)
{
	struct signing_in *s = ctx;
	const struct drg_person *p = drg_catalog_person_named(r->cat, s->name);
	struct drg_arena *arena = drg_exchange_arena(r->x);
	if (p == NULL || p->disabled)
		return DRG_OK;
	s->start.person = p->id;
	s->name = drg_arena_str(arena, p->name);
	if (s->name.p == NULL)
		return drg_fail_memory(drg_exchange_err(r->x));
	if (!s->by_proxy && p->password.n > 0 && p->password.n < sizeof s->check.hash) {
		memcpy(s->check.hash, p->password.p, p->password.n);
		s->start.password_hash = s->check.hash;
	}
	return DRG_OK;
}

static int session_read_body(struct signing_in *s)
{
	struct drg_body_value v[DRG_ARRAY_LEN(session_fields)] = { { 0 } };
	s->by_proxy = s->asker->by_proxy.n > 0;
	s->name = s->asker->by_proxy;
	if (s->by_proxy)
		return DRG_OK;
	int rc = drg_body_parse(s->x, v);
	for (size_t i = 0; rc == DRG_OK && session_fields[i].name != NULL; i++)
		if (!v[i].given)
			rc = drg_fail(drg_exchange_err(s->x), DRG_EINVAL, DRG_R(missing_field),
			              session_fields[i].name, "%s is required", session_fields[i].name);
	if (rc == DRG_OK && v[1].s.n > DRG_PASSWORD_MAX)
		rc = drg_fail(drg_exchange_err(s->x), DRG_EINVAL, DRG_R(too_long), "password",
		              "password: at most %d bytes", DRG_PASSWORD_MAX);
	s->name = v[0].s;
	s->password = v[1].s;
	return rc;
}

static int session_post(struct drg_exchange *x)
{
	struct signing_in *s = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *s);
	struct drg_address client;
	if (s == NULL)
		return drg_fail_memory(drg_exchange_err(x));
	s->x = x;
	s->asker = drg_exchange_data(x);
	memcpy(client.bytes, s->asker->client, sizeof client.bytes);
	drg_address_text(&client, s->from);
	s->start.from = drg_str_c(s->from);
	drg_exchange_set_data(x, s);
	int rc = session_read_body(s);
	if (rc == DRG_OK)
		rc = drg_reading_run(x, session_find_person, s);
	if (rc != DRG_OK)
		return rc;
	if (drg_session_read(drg_session_token(x), &s->before))
		s->start.before = &s->before;
	if (s->by_proxy)
		return s->start.person != 0 ? session_begin(x) : session_fail(s);
	return session_check_password(s);
}

/* ---- looking, and signing out -------------------------------------------------------------------------- */

/* A session that was found. */
struct session_found {
	const struct drg_session_ahead *ahead; /* or NULL */
	const struct drg_person *person; /* NULL: none */
	const struct drg_session *session;
};

/* It may have ended since the request was let in. */
static void session_find(struct drg_reading *r, struct session_found *f)
{
	struct drg_session_claim claim;
	f->person = drg_sign_in_find(r, drg_session_token(r->x), &claim, &f->session);
	if (f->person == NULL && f->ahead != NULL) {
		f->person = &f->ahead->person;
		f->session = &f->ahead->session;
	}
}

static void session_write_found(struct drg_exchange *x, struct drg_jw *w, const struct session_found *f)
{
	session_write(x, w, f->person->name, f->person->role, drg_session_token(x),
	              drg_session_ends_us(f->session, &drg_app_of(x)->sign_in->limits));
}

static int session_write_json(struct drg_reading *r, void *ctx)
{
	struct session_found f = { .ahead = ctx };
	session_find(r, &f);
	if (f.person == NULL)
		return drg_fail(drg_exchange_err(r->x), DRG_EAUTH, DRG_R(not_authorized), NULL,
		                "sign in first (POST /v1/session)");
	struct drg_jw w = { .b = drg_exchange_out(r->x) };
	drg_data_begin(&w);
	session_write_found(r->x, &w, &f);
	drg_data_end(&w);
	return DRG_OK;
}

static int session_get(struct drg_exchange *x)
{
	return drg_reading_run(x, session_write_json, drg_exchange_data(x));
}

/* Nobody is an answer too. */
static int session_write_who(struct drg_reading *r, void *ctx)
{
	struct session_found f = { .ahead = ctx };
	if (drg_api_is_person(r->x))
		session_find(r, &f);
	struct drg_jw w = { .b = drg_exchange_out(r->x) };
	drg_data_begin(&w);
	drg_jw_object(&w);
	drg_jw_key(&w, "session");
	if (f.person != NULL)
		session_write_found(r->x, &w, &f);
	else
		drg_jw_null(&w);
	drg_jw_member_bool(&w, "by_proxy", drg_sign_in_by_proxy(r->x).n > 0);
	drg_jw_object_end(&w);
	drg_data_end(&w);
	return DRG_OK;
}

static int session_who(struct drg_exchange *x)
{
	return drg_reading_run(x, session_write_who, drg_exchange_data(x));
}

struct signing_out {
	struct drg_session_claim claim;
	struct drg_write write;
};

static int session_ended(struct drg_exchange *x)
{
	struct signing_out *s = drg_exchange_data(x);
	int rc = drg_api_write_finish(&s->write);
	if (rc != DRG_OK && !drg_endings_add(drg_app_of(x)->sign_in->endings, &s->claim))
		return rc;
	session_set_cookie(x, "");
	drg_buf_lit(drg_exchange_out(x), "{\"status\":\"success\",\"data\":{\"signed_out\":true}}");
	return DRG_OK;
}

static int session_delete(struct drg_exchange *x)
{
	struct signing_out *s = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *s);
	if (s == NULL)
		return drg_fail_memory(drg_exchange_err(x));
	if (!drg_session_read(drg_session_token(x), &s->claim))
		return drg_fail(drg_exchange_err(x), DRG_EAUTH, DRG_R(not_authorized), NULL,
		                "sign in first (POST /v1/session)");
	drg_exchange_set_data(x, s);
	s->write = (struct drg_write){ .run = drg_session_end, .ctx = &s->claim, .job.rows = 1 };
	return drg_api_write(x, &s->write, session_ended);
}

const struct drg_endpoint drg_session_endpoints[] = {
	{ .method = DRG_POST,
	  .path = "/v1/session",
	  .name = "signIn",
	  .handler = session_post,
	  .auth = DRG_AUTH_SIGN_IN,
	  .body = DRG_BODY_JSON,
	  .max_body = SIGN_IN_BODY,
	  .summary = "Sign in, with name and password",
	  .app = DRG_COLUMNS(.fields = session_fields) },
	{ .method = DRG_GET,
	  .path = "/v1/session",
	  .name = "session",
	  .handler = session_get,
	  .auth = DRG_AUTH_PERSON,
	  .summary = "Show the signed-in user" },
	{ .method = DRG_GET,
	  .path = "/v1/session/who",
	  .name = "sessionWho",
	  .handler = session_who,
	  .auth = DRG_AUTH_ANYBODY,
	  .summary = "Show the signed-in user, if there is one" },
	{ .method = DRG_DELETE,
	  .path = "/v1/session",
	  .name = "signOut",
	  .handler = session_delete,
	  .auth = DRG_AUTH_PERSON,
	  .summary = "Sign out" },
	{ 0 },
};
