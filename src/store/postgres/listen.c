/* Announcements: each commit that changes something notifies the channel `dragoman`. */
#include <poll.h>

#include "store/postgres/ops_priv.h"

/* A pooler gives the session to other clients, and a standby gets no announcements. */
int drg_pg_listen(struct drg_store *s, struct drg_err *reterr)
{
	if (s->is.pooled || s->is.standby)
		return drg_fail(reterr, DRG_ENOENT, NULL, NULL, "the store %s announces nothing", s->place);
	return drg_pg_script(s,
	                     "LISTEN dragoman; SELECT set_config('application_name',"
	                     " current_setting('application_name') || ' (looks)', false)",
	                     NULL, reterr);
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

int drg_pg_await_news(struct drg_store *s, int wake, unsigned ms, bool *ret_news, struct drg_err *reterr)
{
	struct pollfd fds[] = { { .fd = PQsocket(s->conn), .events = POLLIN },
		                { .fd = wake, .events = POLLIN } };
	bool news = take_notices(s);
	if (!news && poll(fds, DRG_ARRAY_LEN(fds), (int)ms) > 0 && fds[0].revents != 0) {
		if (PQconsumeInput(s->conn) != 1 || drg_pg_broken(s))
			return drg_pg_fail(s, NULL, reterr);
		news = take_notices(s);
	}
	*ret_news = news || fds[1].revents != 0;
	return DRG_OK;
}
