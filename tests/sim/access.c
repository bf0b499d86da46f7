/* Keys and sessions: who asks for them, and who is let in with them. */
#include "sim.h"

enum what { MAKE_KEY, ROTATE_KEY, REVOKE_KEY, SIGN_IN, SIGN_OUT, DISABLE, ENABLE, WHATS };

struct access {
	struct drg_job job;
	struct server *at;
	enum what what;
	struct credential *made; /* NULL: none */
	unsigned person;
	int64_t of; /* whose key or sessions end; 0: none do */
	uint32_t ends,
	        may_end; /* credentials, a bit each: those that were there before; all that it may end */
	bool waits;
	char expires[DRG_WALL_TEXT];
	union {
		struct drg_key_creation creation;
		struct drg_key_change change;
		struct drg_session_start start;
		struct drg_person_change person_change;
	};
};

static struct access asked[REQUESTS];
static unsigned n_asked;
static const char *const names[PEOPLE] = { "ann", "bob" };
static const struct drg_session_limits limits = { .idle_us = 7200 * INT64_C(1000000),
	                                          .longest_us = 18000 * INT64_C(1000000) };

/* ---- who is let in ------------------------------------------------------------------------------------- */

static bool is_good(struct credential *c, const struct drg_catalog *cat)
{
	const struct drg_session *session;
	const int64_t now_us = drg_wall_us();
	if (c->text[0] == '\0')
		return false;
	if (c->is_key)
		return drg_keys_find(cat, DRG_API_B, drg_str_c(c->text), &c->memo, now_us) != NULL;
	return drg_session_find(cat, &c->claim, &limits, now_us, &session) != NULL;
}

static void credential_look(struct credential *c, const struct server *v)
{
	const bool good = is_good(c, drg_follower_catalog(v->follower));
	const bool timely = drg_wall_us() < c->until_us;
	const char *which = c->is_key ? "a key" : "a session";
	hold(!good || timely, "let in too late", which);
	hold(!good || (c->ended_at & server_bit(v)) == 0, "let in after it was ended", which);
	hold(!good || c->made != LOST, "let in with what is not stored", which);
	hold(good || c->enders > 0 || latest_us >= c->until_us || (c->made_at & server_bit(v)) == 0,
	     "kept out", which);
}

void look_at_access(void)
{
	for (unsigned i = 0; i < SERVERS; i++) {
		const struct server *v = &w.servers[i];
		if (!server_serves(v))
			continue;
		drg_read_lock();
		for (unsigned k = 0; k < w.n_credentials; k++)
			credential_look(&w.credentials[k], v);
		drg_read_unlock();
	}
}

void access_settled(void)
{
	const unsigned all = (1u << SERVERS) - 1;
	for (unsigned i = 0; i < n_asked; i++)
		hold(!asked[i].waits, "never answered", "keys and sessions");
	for (unsigned i = 0; i < w.n_credentials; i++) {
		struct credential *c = &w.credentials[i];
		c->made_at = c->made == STORED ? all : 0;
		c->ended_at = c->ended == STORED ? all : 0;
	}
}

void access_done(void)
{
	n_asked = 0;
}

/* ---- what became of it --------------------------------------------------------------------------------- */

static void credential_made(struct credential *c, const struct access *x, enum fate fate)
{
	const char *text = c->is_key ? (x->what == MAKE_KEY ? x->creation.made.key : x->change.made.key)
	                             : x->start.token;
	snprintf(c->text, sizeof c->text, "%s", text);
	c->made = fate;
	c->made_at = x->job.rc == DRG_OK ? server_bit(x->at) : 0; /* not if it is not visible yet */
	if (x->what == MAKE_KEY)
		c->id = x->creation.made.id;
	if (!c->is_key && c->text[0] != '\0')
		hold(drg_session_read(drg_str_c(c->text), &c->claim), "no token", c->text);
}

/* @param surely  It was there before. */
static void credential_ended(struct credential *c, const struct access *x, enum fate fate, bool surely)
{
	if (fate == LOST)
		c->enders--;
	if (fate != STORED || !surely)
		return;
	done.ended++;
	c->ended = STORED;
	c->ended_at |= x->job.rc == DRG_OK ? server_bit(x->at) : 0;
}

/* Rightly refused, and nothing is stored: who is disabled, what is revoked already, a key whose hour the clock
 * jumped over while it waited. */
static bool is_refusal(const struct access *x)
{
	const int rc = x->job.rc;
	const bool is_over = x->made != NULL && latest_us >= x->made->until_us;
	return rc == DRG_EAUTH || (rc == DRG_EEXIST && (x->what == REVOKE_KEY || x->what == ROTATE_KEY)) ||
	       (rc == DRG_EINVAL && x->what == MAKE_KEY && is_over);
}

static void access_over(struct drg_job *j)
{
	struct access *x = DRG_CONTAINER_OF(j, struct access, job);
	const bool refused = is_refusal(x);
	const enum fate fate = refused ? LOST : fate_of(j);
	tell("%d of %u is over: %d %s", x->what, (unsigned)(x - asked), j->rc, j->err.reason);
	done.refused += refused;
	x->waits = false;
	if (x->made != NULL)
		credential_made(x->made, x, fate);
	for (unsigned i = 0; i < w.n_credentials; i++)
		if ((x->may_end >> i & 1) != 0)
			credential_ended(&w.credentials[i], x, fate, (x->ends >> i & 1) != 0);
}

/* ---- what is asked for --------------------------------------------------------------------------------- */

static void credential_may_end(struct access *x, struct credential *c)
{
	const uint32_t bit = UINT32_C(1) << (c - w.credentials);
	c->enders++;
	x->may_end |= bit;
	x->ends |= c->made == STORED ? bit : 0;
}

/* @param of  A key that is changed, or a person; 0: a new key */
static struct credential *credential_new(bool is_key, int64_t of, int64_t until_us)
{
	struct credential *c = &w.credentials[w.n_credentials++];
	*c = (struct credential){ .is_key = is_key, .id = of, .until_us = until_us };
	for (unsigned i = 0; i < n_asked; i++)
		if (asked[i].waits && of != 0 && asked[i].of == of && is_key == (asked[i].what != DISABLE))
			credential_may_end(&asked[i], c);
	return c;
}

/* All of a key or a person end. */
static void ask_to_end(struct access *x, bool is_key, int64_t of)
{
	x->of = of;
	for (unsigned i = 0; i < w.n_credentials; i++)
		if (w.credentials[i].is_key == is_key && w.credentials[i].id == of)
			credential_may_end(x, &w.credentials[i]);
}

/* @return NULL: there is none that was made */
static struct credential *credential_any(bool is_key)
{
	struct credential *found[CREDENTIALS];
	unsigned n = 0;
	for (unsigned i = 0; i < w.n_credentials; i++)
		if (w.credentials[i].is_key == is_key && w.credentials[i].made == STORED)
			found[n++] = &w.credentials[i];
	return n > 0 ? found[below(n)] : NULL;
}

static unsigned sessions_of(int64_t person)
{
	unsigned n = 0;
	for (unsigned i = 0; i < w.n_credentials; i++)
		n += !w.credentials[i].is_key && w.credentials[i].id == person;
	return n;
}

static bool ask_key(struct access *x)
{
	const int64_t hour = 3600 * INT64_C(1000000);
	const bool ends = one_in(2);
	drg_wall_text(drg_wall_us() + hour, x->expires);
	x->creation = (struct drg_key_creation){
		.spec = { .api = DRG_API_B, .name = DRG_STR("K"), .role = -1 },
	};
	if (ends)
		x->creation.spec.expires = drg_str_c(x->expires);
	x->made = credential_new(true, 0, ends ? drg_wall_us() + hour : INT64_MAX);
	x->job.run = drg_keys_create;
	return true;
}

/* A key is revoked, or another takes its place. */
static bool ask_change(struct access *x)
{
	const struct credential *c = credential_any(true);
	if (c == NULL)
		return false;
	x->change = (struct drg_key_change){ .id = c->id };
	ask_to_end(x, true, c->id);
	if (x->what == ROTATE_KEY)
		x->made = credential_new(true, c->id, c->until_us);
	x->job.run = x->what == ROTATE_KEY ? drg_keys_rotate : drg_keys_revoke;
	return true;
}

static bool ask_sign_in(struct access *x)
{
	const int64_t now_us = drg_wall_us(), person = w.people[x->person];
	if (sessions_of(person) == DRG_SESSIONS_OF_ONE)
		return false;
	x->start = (struct drg_session_start){ .person = person, .limits = &limits, .now_us = now_us };
	x->made = credential_new(false, person, now_us + limits.idle_us);
	x->job.run = drg_session_begin;
	return true;
}

static bool ask_sign_out(struct access *x)
{
	struct credential *c = credential_any(false);
	if (c == NULL)
		return false;
	credential_may_end(x, c);
	x->job.run = drg_session_end;
	x->job.ctx = &c->claim;
	return true;
}

static bool ask_person(struct access *x)
{
	x->person_change = (struct drg_person_change){ .name = drg_str_c(names[x->person]),
		                                       .role = -1,
		                                       .disabled = x->what == DISABLE };
	x->job.run = drg_person_set;
	if (x->what == DISABLE)
		ask_to_end(x, false, w.people[x->person]);
	return true;
}

static bool (*const asks[WHATS])(struct access *x) = {
	[MAKE_KEY] = ask_key,    [ROTATE_KEY] = ask_change, [REVOKE_KEY] = ask_change,
	[SIGN_IN] = ask_sign_in, [SIGN_OUT] = ask_sign_out, [DISABLE] = ask_person,
	[ENABLE] = ask_person,
};

void send_access(void)
{
	static const enum what often[] = { MAKE_KEY, MAKE_KEY, ROTATE_KEY, REVOKE_KEY, SIGN_IN, SIGN_IN,
		                           SIGN_IN,  SIGN_OUT, DISABLE,    ENABLE,     ENABLE };
	struct server *at = server_any();
	const enum what what = often[below(DRG_ARRAY_LEN(often))];
	if (n_asked == REQUESTS || w.n_credentials == CREDENTIALS || !server_serves(at))
		return;
	struct access *x = &asked[n_asked];
	*x = (struct access){ .at = at, .what = what, .person = below(PEOPLE) };
	x->job = (struct drg_job){ .ctx = &x->creation, .done = access_over, .rows = 2, .bytes = 100 };
	if (!asks[what](x))
		return;
	tell("%d is %u", what, n_asked);
	n_asked++;
	x->waits = true;
	drg_writer_submit(at->writer, &x->job);
}
