/* Sending statements and reading their answers. */
#include <stdio.h>
#include <string.h>

#include "store/postgres/ops_priv.h"

/* Limit of statements in progress. Their answers are small, so neither side ever waits for the other to
 * read. */
enum { MAX_QUEUED = 64 };

/* ---- failures ------------------------------------------------------------------------------------------- */

/* Failures by SQLSTATE; the first prefix that matches counts. */
static const struct {
	const char *state;
	int rc;
	const char *hint;
} pg_failures[] = {
	{ "53100", DRG_EFULL, ": free some space on the database's disk and try again" },
	{ "53300", DRG_EBUSY, ": raise max_connections, or put a pooler in front" },
	{ "53", DRG_EIO, "" },
	{ "55P03", DRG_EBUSY, ": try again later" },
	{ "57014", DRG_EBUSY, ": try again later" },
	{ "40", DRG_EBUSY, ": try again" },
	{ "25006", DRG_EIO, ": the server is a standby; name the primary, or all hosts" },
	{ "28", DRG_EIO, ": see PGPASSWORD, ~/.pgpass and the server's pg_hba.conf" },
	{ "3D000", DRG_ENOENT, ": create it, with createdb" },
	{ "42P01", DRG_ECORRUPT, ": restore the database from a backup" },
	{ "42501", DRG_EIO, ": docs/operations.md of dragoman has the rights that it needs" },
	{ "XX001", DRG_ECORRUPT, ": restore the database from a backup" },
	{ "XX002", DRG_ECORRUPT, ": rebuild the index, or restore the database from a backup" },
	{ "22", DRG_EINTERNAL, "" },
	{ "23", DRG_EINTERNAL, "" },
	{ "42", DRG_EINTERNAL, "" },
	{ "", DRG_EIO, "" }, /* last: for all other states, and for failures of the connection */
};

static size_t pg_failure_of(const char *state)
{
	size_t i = 0;
	while (strncmp(state, pg_failures[i].state, strlen(pg_failures[i].state)) != 0)
		i++;
	return i;
}

/* Make one line of a message that may have several. */
static void pg_one_line(const char *text, char *to, size_t n)
{
	size_t at = 0;
	for (const char *c = text; *c != '\0' && at + 3 < n; c++) {
		bool gap = *c == '\n' || *c == '\t';
		if (!gap)
			to[at++] = *c;
		else if (*c == '\n' && c[1] != '\0')
			at += (size_t)snprintf(to + at, n - at, "; ");
		else if (*c == '\t' && at > 0 && to[at - 1] != ' ')
			to[at++] = ' ';
	}
	to[at] = '\0';
}

/* libpq reports a refused password only in words. */
static const char *state_of(const PGconn *conn, const PGresult *res)
{
	const char *state = res != NULL ? PQresultErrorField(res, PG_DIAG_SQLSTATE) : NULL;
	const char *text = PQerrorMessage(conn);
	if (state != NULL)
		return state;
	if (PQstatus(conn) != CONNECTION_BAD || res != NULL)
		return "";
	return strstr(text, "password") != NULL || strstr(text, "pg_hba.conf") != NULL         ? "28"
	       : strstr(text, "does not exist") != NULL && strstr(text, "database \"") != NULL ? "3D000"
	       : strstr(text, "too many clients") != NULL                                      ? "53300"
	                                                                                       : "";
}

void drg_pg_fault(const PGconn *conn, const PGresult *res, struct pg_fault *ret)
{
	const char *said = res != NULL ? PQresultErrorField(res, PG_DIAG_MESSAGE_PRIMARY) : NULL;
	ret->failure = pg_failure_of(state_of(conn, res));
	pg_one_line(said != NULL ? said : PQerrorMessage(conn), ret->text, sizeof ret->text);
}

int drg_pg_fail_fault(const struct pg_fault *f, const char *place, struct drg_err *reterr)
{
	return drg_fail(reterr, pg_failures[f->failure].rc, NULL, NULL, "the store %.150s: %s%s", place,
	                f->text[0] != '\0' ? f->text : "the connection is gone",
	                pg_failures[f->failure].hint);
}

int drg_pg_fail_conn(const PGconn *conn, const char *place, const PGresult *res, struct drg_err *reterr)
{
	struct pg_fault f;
	drg_pg_fault(conn, res, &f);
	return drg_pg_fail_fault(&f, place, reterr);
}

int drg_pg_fail_silent(const char *place, unsigned ms, struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_EIO, NULL, NULL, "the store %.150s has not answered for %u s", place,
	                (ms + 999) / 1000);
}

int drg_pg_fail(const struct drg_store *s, const PGresult *res, struct drg_err *reterr)
{
	static const char aborted[] = "25P02"; /* "in failed transaction": an earlier statement has failed */
	if (s->gave_up_ms > 0)
		return drg_pg_fail_silent(s->place, s->gave_up_ms, reterr);
	if (s->head.txn != NULL && s->txn.unheard_rc != DRG_OK &&
	    strcmp(state_of(s->conn, res), aborted) == 0) {
		if (reterr != NULL)
			*reterr = s->txn.unheard;
		return s->txn.unheard_rc;
	}
	return drg_pg_fail_conn(s->conn, s->place, res, reterr);
}

int drg_pg_corrupt(const struct drg_store *s, struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL,
	                "the store %s has a row that dragoman did not write: restore it from a backup",
	                s->place);
}

bool drg_pg_broken(const struct drg_store *s)
{
	return s->gave_up_ms > 0 || PQstatus(s->conn) != CONNECTION_OK;
}

/* ---- sending and reading -------------------------------------------------------------------------------- */

static int pg_enter_pipeline(struct drg_store *s, struct drg_err *reterr)
{
	if (PQpipelineStatus(s->conn) != PQ_PIPELINE_OFF || PQenterPipelineMode(s->conn) == 1)
		return DRG_OK;
	return drg_pg_fail(s, NULL, reterr);
}

int drg_pg_sync(struct drg_store *s, struct drg_err *reterr)
{
	s->queued = 0;
	return PQpipelineSync(s->conn) == 1 ? DRG_OK : drg_pg_fail(s, NULL, reterr);
}

int drg_pg_answers(struct drg_store *s, PGresult **ret, struct drg_err *reterr)
{
	PGresult *last = NULL;
	int rc = DRG_OK;
	for (bool over = false; !over;) {
		PGresult *res = drg_pg_await(s) ? PQgetResult(s->conn) : NULL;
		ExecStatusType status = PQresultStatus(res); /* NULL has the status PGRES_FATAL_ERROR */
		if (res == NULL) {
			over = drg_pg_broken(s);
			if (over && rc == DRG_OK)
				rc = drg_pg_fail(s, NULL, reterr);
			continue;
		}
		over = status == PGRES_PIPELINE_SYNC;
		bool good = status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
		if (!over && !good && status != PGRES_PIPELINE_ABORTED && rc == DRG_OK)
			rc = drg_pg_fail(s, res, reterr);
		PQclear(good ? last : res);
		last = good ? res : last;
	}
	if (rc == DRG_OK && ret != NULL)
		*ret = last;
	else
		PQclear(last);
	return rc;
}

static int pg_collect(struct drg_store *s, PGresult **ret, struct drg_err *reterr)
{
	int rc = drg_pg_sync(s, reterr);
	return rc == DRG_OK ? drg_pg_answers(s, ret, reterr) : rc;
}

/* Preparing takes a round trip of its own, so that its success is known. */
int drg_pg_prepare(struct drg_store *s, struct pg_statement *st, const struct pg_params *p,
                   struct drg_err *reterr)
{
	if (st == NULL || st->text == NULL)
		return drg_fail_memory(reterr);
	if (st->name[0] == '\0' || s->is.pooled || st->prepared)
		return DRG_OK;
	int rc = s->queued > 0 ? pg_collect(s, NULL, reterr) : DRG_OK;
	if (rc == DRG_OK)
		rc = pg_enter_pipeline(s, reterr);
	if (rc == DRG_OK && PQsendPrepare(s->conn, st->name, st->text, p->n, p->types) != 1)
		rc = drg_pg_fail(s, NULL, reterr);
	if (rc == DRG_OK)
		rc = pg_collect(s, NULL, reterr);
	st->prepared = rc == DRG_OK;
	return rc;
}

int drg_pg_queue(struct drg_store *s, struct pg_statement *st, const struct pg_params *p,
                 struct drg_err *reterr)
{
	static const struct pg_params none = { 0 };
	if (p == NULL)
		p = &none;
	if (st == NULL || st->text == NULL)
		return drg_fail_memory(reterr);
	int rc = s->copying != NULL || s->ahead != NULL ? drg_pg_idle(s, reterr) : DRG_OK;
	if (rc == DRG_OK)
		rc = pg_enter_pipeline(s, reterr);
	if (rc == DRG_OK && s->queued >= MAX_QUEUED)
		rc = pg_collect(s, NULL, reterr);
	if (rc == DRG_OK)
		rc = drg_pg_prepare(s, st, p, reterr);
	if (rc != DRG_OK)
		return rc;
	int sent = st->prepared ? PQsendQueryPrepared(s->conn, st->name, p->n, p->values, p->lengths,
	                                              p->formats, 1)
	                        : PQsendQueryParams(s->conn, st->text, p->n, p->types, p->values, p->lengths,
	                                            p->formats, 1);
	if (sent != 1)
		return drg_pg_fail(s, NULL, reterr);
	s->queued++;
	return DRG_OK;
}

int drg_pg_collect_for(struct drg_store *s, enum pg_patience patience, PGresult **ret, struct drg_err *reterr)
{
	const enum pg_patience before = s->patience;
	s->patience = patience;
	int rc = pg_collect(s, ret, reterr);
	s->patience = before;
	return rc;
}

int drg_pg_exec(struct drg_store *s, struct pg_statement *st, const struct pg_params *p, PGresult **ret,
                struct drg_err *reterr)
{
	int rc = drg_pg_queue(s, st, p, reterr);
	return rc == DRG_OK ? pg_collect(s, ret, reterr) : rc;
}

int drg_pg_idle(struct drg_store *s, struct drg_err *reterr)
{
	int rc = drg_pg_copy_end(s, reterr);
	if (s->ahead != NULL) {
		int taken = drg_pg_take_ahead(s, rc == DRG_OK ? reterr : NULL);
		rc = rc == DRG_OK ? taken : rc;
	}
	if (s->queued > 0) {
		int collected = pg_collect(s, NULL, rc == DRG_OK ? reterr : NULL);
		rc = rc == DRG_OK ? collected : rc;
	}
	return rc;
}

int drg_pg_script(struct drg_store *s, const char *sql, PGresult **ret, struct drg_err *reterr)
{
	int rc = drg_pg_idle(s, reterr);
	if (rc != DRG_OK)
		return rc;
	if (PQpipelineStatus(s->conn) != PQ_PIPELINE_OFF && PQexitPipelineMode(s->conn) != 1)
		return drg_pg_fail(s, NULL, reterr);
	bool gave_up;
	PGresult *res = drg_pg_ask(s->conn, sql, s->patience, &gave_up);
	if (gave_up)
		s->gave_up_ms = drg_pg_patience_ms(s->patience);
	ExecStatusType status = PQresultStatus(res);
	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_COPY_IN)
		rc = drg_pg_fail(s, res, reterr);
	if (rc == DRG_OK && ret != NULL)
		*ret = res;
	else
		PQclear(res);
	return rc;
}
