/* The right to import: an advisory lock that a transaction of a connection of its own holds, so that it is let go when its
 * holder dies, and that a pooler between keeps it together. */
#include <stdio.h>

#include "store/postgres/postgres_priv.h"

void drg_pg_holder(struct drg_store *s, int lock, char *to, size_t n)
{
	struct pg_params p = { 0 };
	PGresult *res;
	snprintf(to, n, "another process");
	drg_pg_param_i(&p, lock);
	if (drg_pg_run(s, PG_HOLDER, &p, &res, NULL) != DRG_OK)
		return;
	if (PQntuples(res) > 0)
		snprintf(to, n, "process %lld of the database server (%s%s%s)",
		         (long long)drg_pg_i(res, 0, 0), PQgetvalue(res, 0, 1),
		         PQgetlength(res, 0, 2) > 0 ? " on " : "", PQgetvalue(res, 0, 2));
	PQclear(res);
}

/* @return DRG_ENOENT: another has it. */
static int take_lock(PGconn *conn, const char *place, struct drg_err *reterr)
{
	static const char begin[] = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0";
	char sql[96];
	snprintf(sql, sizeof sql, "SELECT pg_try_advisory_xact_lock(%s, %d)", PG_LOCK_CLASS,
	         PG_LOCK_OF_IMPORTS);
	PGresult *res = PQexec(conn, begin);
	int rc =
	        PQresultStatus(res) == PGRES_COMMAND_OK ? DRG_OK : drg_pg_fail_conn(conn, place, res, reterr);
	PQclear(res);
	if (rc != DRG_OK)
		return rc;
	res = PQexec(conn, sql);
	if (PQresultStatus(res) != PGRES_TUPLES_OK)
		rc = drg_pg_fail_conn(conn, place, res, reterr);
	else if (PQgetvalue(res, 0, 0)[0] != 't')
		rc = DRG_ENOENT;
	PQclear(res);
	return rc;
}

int drg_pg_lock_imports(struct drg_store *s, struct drg_err *reterr)
{
	PGconn *conn;
	char holder[160];
	int rc = drg_pg_connect(s->url, s->place, true, &conn, reterr);
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
	return drg_fail(reterr, DRG_EBUSY, DRG_R(import_running), NULL,
	                "the right to import into %s is held by %s: wait until it has ended", s->place,
	                holder);
}

/* Asked for, since the server notices a connection that is closed some time later. */
void drg_pg_unlock_imports(struct drg_store *s)
{
	PQclear(PQexec(s->imports, "ROLLBACK"));
	PQfinish(s->imports);
	s->imports = NULL;
}
