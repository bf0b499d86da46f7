/* The right to import: a table lock, held by a transaction on a connection of its own. So it is released
 * when its holder dies, and a pooler does not split it. */
#include <stdio.h>

#include "store/postgres/ops_priv.h"

void drg_pg_holder(struct drg_store *s, const char *table, const char *mode, char *to, size_t n)
{
	struct pg_params p = { 0 };
	PGresult *res;
	snprintf(to, n, "another process");
	drg_pg_param_s(&p, drg_str_c(table));
	drg_pg_param_s(&p, drg_str_c(mode));
	if (drg_pg_run(s, PG_HOLDER, &p, &res, NULL) != DRG_OK)
		return;
	if (PQntuples(res) > 0)
		snprintf(to, n, "process %lld of the database server (%s%s%s)",
		         (long long)drg_pg_i(res, 0, 0), PQgetvalue(res, 0, 1),
		         PQgetlength(res, 0, 2) > 0 ? " on " : "", PQgetvalue(res, 0, 2));
	PQclear(res);
}

/* Run a statement on the connection. @return its result; NULL: it failed. */
static PGresult *lock_ask(PGconn *conn, const char *place, const char *sql, int *ret_rc,
                          struct drg_err *reterr)
{
	bool gave_up;
	PGresult *res = drg_pg_ask(conn, sql, PG_FOR_READS, &gave_up);
	ExecStatusType status = PQresultStatus(res);
	*ret_rc = gave_up ? drg_pg_fail_silent(place, drg_pg_patience_ms(PG_FOR_READS), reterr)
	          : status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK
	                  ? DRG_OK
	                  : drg_pg_fail_conn(conn, place, res, reterr);
	return res;
}

/* @return DRG_ENOENT: another process has the lock. */
static int take_lock(PGconn *conn, const char *place, struct drg_err *reterr)
{
	static const char begin[] = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0";
	int rc;
	PQclear(lock_ask(conn, place, begin, &rc, reterr));
	if (rc != DRG_OK)
		return rc;
	PQclear(lock_ask(conn, place, PG_TAKE_IMPORTS, &rc, reterr));
	return rc == DRG_EBUSY ? DRG_ENOENT : rc;
}

int drg_pg_lock_imports(struct drg_store *s, struct drg_err *reterr)
{
	PGconn *conn;
	struct pg_server is;
	char holder[160];
	int rc = drg_pg_connect(s->url, s->place, true, &conn, &is, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = take_lock(conn, s->place, reterr);
	if (rc == DRG_OK) {
		s->imports = conn;
		return DRG_OK;
	}
	PQfinish(conn);
	if (rc != DRG_ENOENT)
		return rc;
	drg_pg_holder(s, PG_LOCK_OF_IMPORTS, holder, sizeof holder);
	return drg_fail(
	        reterr, DRG_EBUSY, DRG_R(import_running), NULL,
	        "the right to import into %s is held by %s: wait until that import, load or undo is through",
	        s->place, holder);
}

/* Release the lock by a statement: the server notices a closed connection only some time later. */
void drg_pg_unlock_imports(struct drg_store *s)
{
	bool gave_up;
	PQclear(drg_pg_ask(s->imports, "ROLLBACK", PG_FOR_LOOKS, &gave_up));
	PQfinish(s->imports);
	s->imports = NULL;
}
