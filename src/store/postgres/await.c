/* The one place that waits for a server's answers. libpq never blocks here: the wait is in poll(), and looks
 * at the clock. */
#include <poll.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/lockfile.h"
#include "store/postgres/postgres_priv.h"
#include "store/store_priv.h"

/* Ceiling of a look at the store, such as a health check: after this time the server counts as away. */
enum { LOOK_MS = 3000 };
/* If no timeout was set (commands), wait longer than the server lets a statement run, so that the server
 * reports the timeout. */
enum { UNHURRIED_MS = 70000, UNHURRIED_COMMIT_MS = 30000 };
/* Reading everything may take so many times as long as usual: an ordered scan may sort all rows first. */
enum { LONG_TIMES = 6 };

static unsigned lesser(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned drg_pg_patience_ms(enum pg_patience patience)
{
	const unsigned set = drg_store_timeout(),
	               reads = set > 0 ? set : UNHURRIED_MS + drg_lockfile_timeout();
	switch (patience) {
	case PG_FOR_LOOKS: return lesser(reads, LOOK_MS);
	case PG_FOR_LOCKS: /* the server ends the wait in time, if it can */
		return drg_lockfile_timeout() + lesser(reads, LOOK_MS);
	case PG_FOR_COMMITS: return set > 0 ? set : UNHURRIED_COMMIT_MS;
	case PG_FOR_LONG: return set * LONG_TIMES;
	case PG_FOR_EVER: return 0;
	default: return reads;
	}
}

void drg_pg_wait_begin(struct pg_wait *w)
{
	*w = (struct pg_wait){ .began_ns = drg_clock_ns() };
}

/* A clock may jump, for instance when a machine has slept. That is not silence of the server, so enough
 * rounds must have passed too. */
bool drg_pg_wait_is_over(struct pg_wait *w, unsigned ms)
{
	enum { ROUNDS = 1000 / PG_ROUND_MS };
	return ++w->rounds > ROUNDS && ms > 0 && drg_clock_ns() - w->began_ns >= (int64_t)ms * 1000000;
}

/* When the process stops, a server that has not answered is not asked again. */
static _Atomic bool gave_up;

bool drg_pg_may_connect(void)
{
	return !gave_up || !drg_store_stops();
}

/* Wait for an answer, or until all is sent (@p sent). @return false: given up. */
static bool await_server(PGconn *conn, enum pg_patience patience, bool sent)
{
	struct pollfd fd = { .fd = PQsocket(conn) };
	struct pg_wait wait;
	drg_pg_wait_begin(&wait);
	for (;;) {
		int unsent = PQflush(conn);
		if (unsent < 0 || PQstatus(conn) != CONNECTION_OK ||
		    (sent ? unsent == 0 : PQisBusy(conn) == 0))
			return true; /* the next call of libpq reports the failure */
		fd.events = (short)(POLLIN | (unsent > 0 ? POLLOUT : 0));
		int n = poll(&fd, 1, PG_ROUND_MS);
		if (n > 0 && (fd.revents & ~POLLOUT) != 0 && PQconsumeInput(conn) != 1)
			return true;
		if (n > 0)
			drg_pg_wait_begin(&wait); /* data moves, so the connection works */
		if (n == 0 && drg_pg_wait_is_over(&wait, drg_pg_patience_ms(patience))) {
			(void)!shutdown(fd.fd, SHUT_RDWR);
			gave_up = true;
			return false;
		}
	}
}

static bool note_given_up(struct drg_store *s, bool in_time)
{
	if (!in_time)
		s->gave_up_ms = drg_pg_patience_ms(s->patience);
	return in_time;
}

bool drg_pg_await(struct drg_store *s)
{
	return s->gave_up_ms == 0 && note_given_up(s, await_server(s->conn, s->patience, false));
}

int drg_pg_send_rest(struct drg_store *s, struct drg_err *reterr)
{
	bool in_time = s->gave_up_ms == 0 && note_given_up(s, await_server(s->conn, s->patience, true));
	return in_time && PQflush(s->conn) == 0 ? DRG_OK : drg_pg_fail(s, NULL, reterr);
}

PGresult *drg_pg_ask(PGconn *conn, const char *sql, enum pg_patience patience, bool *ret_gave_up)
{
	PGresult *last = NULL, *res;
	bool copies = false;
	*ret_gave_up = false;
	if (PQsendQuery(conn, sql) != 1)
		return NULL;
	while (!copies) {
		*ret_gave_up = !await_server(conn, patience, false);
		if (*ret_gave_up || (res = PQgetResult(conn)) == NULL)
			break;
		PQclear(last);
		last = res;
		copies = PQresultStatus(res) == PGRES_COPY_IN;
	}
	if (!*ret_gave_up)
		return last;
	PQclear(last);
	return NULL;
}
