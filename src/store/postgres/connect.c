/* Connects to all hosts of the URL at the same time, so that a host that hangs does not delay the others.
 * Each server that is reached is asked for its state before it is used: a server from which another one has
 * taken over is refused (decision D4). */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "store/postgres/postgres_priv.h"
#include "store/store_priv.h"

/* When one host is ready, wait this long for the others. */
enum { HEAD_START_MS = 500 };

enum pg_step { PG_CONNECTS, PG_IS_ASKED, PG_IS_READY, PG_FAILED };

struct pg_attempt {
	PGconn *conn; /* NULL: the attempt failed */
	enum pg_step step;
	PostgresPollingStatusType wants; /* used while it connects */
	struct pg_server is;
	struct pg_fault fault;
};

struct pg_attempts {
	const struct pg_target *target;
	struct pg_attempt of[PG_MAX_HOSTS];
	struct pg_wait wait;
};

/* Log a notice of the server, for example why it closes all connections. */
static void hear_notice(void *ctx, const PGresult *res)
{
	(void)ctx;
	const char *text = PQresultErrorField(res, PG_DIAG_MESSAGE_PRIMARY);
	if (text != NULL)
		drg_log(DRG_LOG_DEBUG, "the database says: %.300s", text);
}

/* The settings before the URL find out within half a minute that a server is gone, even if nothing reports
 * it; the URL may override them. Those behind the URL override it: a handle that writes needs the primary. */
static PGconn *attempt_conn(const char *url, bool writes, const struct pg_host *h)
{
	const char *const keywords[] = { "keepalives_idle",
		                         "keepalives_interval",
		                         "keepalives_count",
		                         "tcp_user_timeout",
		                         "fallback_application_name",
		                         "dbname",
		                         "client_encoding",
		                         "target_session_attrs",
		                         "host",
		                         "hostaddr",
		                         "port",
		                         NULL };
	const char *const values[] = { "10",       "5",         "3",     "20000",
		                       "dragoman", url,         "UTF8",  writes ? "read-write" : NULL,
		                       h->host,    h->hostaddr, h->port, NULL };
	return PQconnectStartParams(keywords, values, 1);
}

static void attempt_fail(struct pg_attempt *a, const PGresult *res)
{
	drg_pg_fault(a->conn, res, &a->fault);
	PQfinish(a->conn);
	a->conn = NULL;
	a->step = PG_FAILED;
}

static void attempt_fail_with(struct pg_attempt *a, const char *why)
{
	char where[300];
	snprintf(where, sizeof where, "%s:%s", PQhost(a->conn), PQport(a->conn));
	attempt_fail(a, NULL);
	snprintf(a->fault.text, sizeof a->fault.text, "%.300s %s", where, why);
}

/* Ask the server for its state. A pooler that assigns transactions to changing servers reports a process id
 * of its own; then nothing may rest on the session. A missing statement_timeout is set. */
static void attempt_ask(struct pg_attempt *a)
{
	enum { OLDEST = 150000 }; /* older servers lack parts of this, and are refused in better words */
	char sql[800];
	int pid = PQbackendPID(a->conn);
	a->step = PQserverVersion(a->conn) < OLDEST ? PG_IS_READY : PG_IS_ASKED;
	snprintf(sql, sizeof sql,
	         "SELECT pg_backend_pid() <> %d, pg_is_in_recovery(), c.system_identifier,"
	         " CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_insert_lsn()) END,"
	         " CASE pg_backend_pid() WHEN %d THEN set_config('jit', 'off', false) END,"
	         " CASE WHEN pg_backend_pid() = %d AND current_setting('statement_timeout') = '0'"
	         " THEN set_config('statement_timeout', '60s', false) END FROM pg_control_system() AS c",
	         pid, pid, pid);
	PQsetNoticeReceiver(a->conn, hear_notice, NULL);
	if (PQsetnonblocking(a->conn, 1) != 0 || (a->step == PG_IS_ASKED && PQsendQuery(a->conn, sql) != 1))
		attempt_fail(a, NULL);
}

static void attempt_hear(struct pg_attempt *a)
{
	PGresult *res;
	if (PQflush(a->conn) < 0 || PQconsumeInput(a->conn) != 1) {
		attempt_fail(a, NULL);
		return;
	}
	while (a->step == PG_IS_ASKED && PQisBusy(a->conn) == 0) {
		if ((res = PQgetResult(a->conn)) == NULL) {
			a->step = PG_IS_READY;
		} else if (PQresultStatus(res) != PGRES_TUPLES_OK) {
			attempt_fail(a, res);
		} else if (PQntuples(res) == 1) {
			a->is = (struct pg_server){ .pooled = PQgetvalue(res, 0, 0)[0] == 't',
				                    .standby = PQgetvalue(res, 0, 1)[0] == 't',
				                    .system = strtoll(PQgetvalue(res, 0, 2), NULL, 10),
				                    .timeline = drg_pg_timeline_of(
				                            drg_str_c(PQgetvalue(res, 0, 3))) };
			(void)drg_pg_timeline_note(&a->is, a->conn);
		}
		PQclear(res);
	}
}

static void attempt_go_on(struct pg_attempt *a)
{
	if (a->step == PG_IS_ASKED) {
		attempt_hear(a);
		return;
	}
	a->wants = PQconnectPoll(a->conn);
	if (a->wants == PGRES_POLLING_OK)
		attempt_ask(a);
	else if (a->wants == PGRES_POLLING_FAILED)
		attempt_fail(a, NULL);
}

static bool is_under_way(const struct pg_attempt *a)
{
	return a->step == PG_CONNECTS || a->step == PG_IS_ASKED;
}

static bool is_any_under_way(const struct pg_attempts *c)
{
	unsigned i = 0;
	while (i < c->target->n && !is_under_way(&c->of[i]))
		i++;
	return i < c->target->n;
}

/* Wait once for all hosts, and continue with those that have news. */
static void attempts_go_on(struct pg_attempts *c)
{
	struct pollfd fds[PG_MAX_HOSTS];
	for (unsigned i = 0; i < c->target->n; i++) {
		const struct pg_attempt *a = &c->of[i];
		bool writes = a->step == PG_CONNECTS ? a->wants != PGRES_POLLING_READING
		                                     : is_under_way(a) && PQflush(a->conn) > 0;
		bool reads = a->step == PG_IS_ASKED || (is_under_way(a) && !writes);
		fds[i] = (struct pollfd){ .fd = is_under_way(a) ? PQsocket(a->conn) : -1,
			                  .events = (short)((writes ? POLLOUT : 0) | (reads ? POLLIN : 0)) };
	}
	(void)poll(fds, c->target->n, PG_ROUND_MS);
	for (unsigned i = 0; i < c->target->n; i++)
		if (fds[i].fd >= 0 && fds[i].revents != 0)
			attempt_go_on(&c->of[i]);
}

/* The first ready host of the URL, a standby first if preferred. @return NULL: none is ready on a timeline
 * that is not over. */
static struct pg_attempt *attempts_best(struct pg_attempts *c)
{
	struct pg_attempt *best = NULL;
	for (unsigned i = 0; i < c->target->n; i++) {
		struct pg_attempt *a = &c->of[i];
		if (a->step == PG_IS_READY && drg_pg_timeline_is_over(&a->is))
			attempt_fail_with(
			        a, "is not the primary any more: another server has taken over from it");
		bool wanted = c->target->prefers_standby && a->is.standby;
		if (a->step == PG_IS_READY && (best == NULL || (wanted && !best->is.standby)))
			best = a;
	}
	return best;
}

/* Wait until a host is ready. @return NULL: none was in time. */
static struct pg_attempt *attempts_await(struct pg_attempts *c)
{
	const unsigned most = drg_pg_patience_ms(PG_FOR_READS),
	               ms = c->target->connect_ms < most ? c->target->connect_ms : most;
	struct pg_attempt *best = NULL;
	bool ready = false, over = false;
	struct pg_wait first;
	drg_pg_wait_begin(&c->wait);
	while (is_any_under_way(c) && !over && best == NULL) {
		attempts_go_on(c);
		over = drg_pg_wait_is_over(&c->wait, ms);
		if (!ready && attempts_best(c) != NULL) {
			ready = true;
			drg_pg_wait_begin(&first);
		}
		if (ready && drg_pg_wait_is_over(&first, HEAD_START_MS))
			best = attempts_best(c);
	}
	return best != NULL ? best : attempts_best(c);
}

/* Report the failures of all hosts, with advice for the first kind of failure for which there is any. */
static int attempts_fail(struct pg_attempts *c, const char *place, struct drg_err *reterr)
{
	struct pg_fault all = c->of[0].fault;
	size_t at = strlen(all.text);
	for (unsigned i = 1; i < c->target->n; i++) {
		const struct pg_fault *f = &c->of[i].fault;
		if (f->failure < all.failure)
			all.failure = f->failure;
		if (at < sizeof all.text)
			at += (size_t)snprintf(all.text + at, sizeof all.text - at, "; %s", f->text);
	}
	return drg_pg_fail_fault(&all, place, reterr);
}

int drg_pg_connect(const char *url, const char *place, bool writes, PGconn **ret, struct pg_server *ret_is,
                   struct drg_err *reterr)
{
	struct pg_target target;
	struct pg_attempts c = { .target = &target };
	int rc = DRG_OK;
	if (!drg_pg_may_connect())
		return drg_pg_fail_silent(place, drg_pg_patience_ms(PG_FOR_LOOKS), reterr);
	drg_pg_target(url, &target);
	for (unsigned i = 0; i < target.n && rc == DRG_OK; i++) {
		struct pg_attempt *a = &c.of[i];
		a->wants = PGRES_POLLING_WRITING;
		a->conn = attempt_conn(url, writes, &target.hosts[i]);
		if (a->conn == NULL)
			rc = drg_fail_memory(reterr);
		else if (PQstatus(a->conn) == CONNECTION_BAD)
			attempt_fail(a, NULL);
	}
	struct pg_attempt *best = rc == DRG_OK ? attempts_await(&c) : NULL;
	if (best != NULL) {
		*ret = best->conn;
		*ret_is = best->is;
		best->conn = NULL;
	}
	for (unsigned i = 0; i < target.n; i++) {
		if (c.of[i].conn != NULL && is_under_way(&c.of[i]))
			attempt_fail_with(&c.of[i], "does not answer");
		PQfinish(c.of[i].conn);
	}
	return best != NULL || rc != DRG_OK ? rc : attempts_fail(&c, place, reterr);
}
