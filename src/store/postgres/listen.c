/* Announcements: each commit that changes something notifies the channel `dragoman`. */
#include <poll.h>

#include "store/postgres/postgres_priv.h"

/* A pooler gives the session to others, and a standby hears nothing. */
int drg_pg_listen(struct drg_store *s, struct drg_err *reterr)
{
	const char *standby = PQparameterStatus(s->conn, "in_hot_standby");
	if (s->pooled || (standby != NULL && strcmp(standby, "on") == 0))
		return drg_fail(reterr, DRG_ENOENT, NULL, NULL, "the store %s announces nothing", s->place);
	return drg_pg_script(s, "LISTEN dragoman", NULL, reterr);
}

static bool take_notices(struct drg_store *s)
{
	bool any = false;
	PGnotify *n;
	while ((n = PQnotifies(s->conn)) != NULL) {
		any = true;
		PQfreemem(n);
	}
	return any;
}

int drg_pg_await_news(struct drg_store *s, unsigned ms, bool *ret_news, struct drg_err *reterr)
{
	struct pollfd fd = { .fd = PQsocket(s->conn), .events = POLLIN };
	bool news = take_notices(s);
	if (!news && poll(&fd, 1, (int)ms) > 0) {
		if (PQconsumeInput(s->conn) != 1 || drg_pg_broken(s))
			return drg_pg_fail(s, NULL, reterr);
		news = take_notices(s);
	}
	*ret_news = news;
	return DRG_OK;
}
