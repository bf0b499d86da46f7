/* The schema `dragoman`: its owner, its version, and its migration to the newest version. */
#include <stdio.h>
#include <stdlib.h>

#include "store/migration.h"
#include "store/postgres/postgres_priv.h"
#include "store/store_priv.h"

/* The state of the schema. */
struct found {
	bool exists, ours, empty, incomplete;
	int64_t version;
};

/* Read a number from a text result. */
static int64_t pg_text_i(const PGresult *res, int col)
{
	return strtoll(PQgetvalue(res, 0, col), NULL, 10);
}

static int pg_look(struct drg_store *s, struct found *ret, struct drg_err *reterr)
{
	PGresult *res;
	int rc = drg_pg_script(
	        s,
	        "SELECT count(*), count(*) FILTER (WHERE c.relname IN ('migration', 'clock', 'branch')),"
	        " (SELECT count(*) FROM pg_namespace WHERE nspname = 'dragoman'),"
	        " count(*) FILTER (WHERE c.relname = 'incomplete')"
	        " FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace"
	        " WHERE n.nspname = 'dragoman' AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')",
	        &res, reterr);
	if (rc != DRG_OK)
		return rc;
	*ret = (struct found){ .exists = pg_text_i(res, 2) > 0,
		               .empty = pg_text_i(res, 0) == 0,
		               .ours = pg_text_i(res, 1) == 3,
		               .incomplete = pg_text_i(res, 3) > 0 };
	PQclear(res);
	if (!ret->ours)
		return DRG_OK;
	rc = drg_pg_script(s, "SELECT max(number) FROM dragoman.migration", &res, reterr);
	if (rc != DRG_OK)
		return rc;
	ret->version = pg_text_i(res, 0);
	PQclear(res);
	return DRG_OK;
}

static int pg_apply(struct drg_store *s, const struct drg_migration *m, struct drg_err *reterr)
{
	char record[256];
	snprintf(record, sizeof record,
	         "INSERT INTO dragoman.migration (number, name, applied_at) VALUES (%d, '%s', now())",
	         m->number, m->name);
	int rc = drg_pg_script(s, m->sql, NULL, reterr);
	return rc == DRG_OK ? drg_pg_script(s, record, NULL, reterr) : rc;
}

/* Migrate the schema. Called in a transaction, with the lock of migrations. */
static int pg_bring_up(struct drg_store *s, struct drg_err *reterr)
{
	struct found f = { false };
	int rc = drg_pg_script(s, "SET LOCAL statement_timeout = 0", NULL, reterr);
	if (rc == DRG_OK)
		rc = pg_look(s, &f, reterr);
	if (rc == DRG_OK && !f.ours)
		rc = drg_pg_script(s, PG_TAKE_BEGINNING, NULL, reterr);
	if (rc == DRG_OK && !f.ours)
		rc = pg_look(s, &f, reterr);
	/* The lock waits for writers that use the old schema; a writer that begins later finds the new one
	 * (D9). */
	if (rc == DRG_OK && f.ours)
		rc = drg_pg_script(s, PG_TAKE_WRITERS, NULL, reterr);
	if (rc == DRG_OK && f.ours)
		rc = pg_look(s, &f, reterr); /* another process may have migrated it meanwhile */
	if (rc == DRG_OK && !f.exists)
		rc = drg_pg_script(s, "CREATE SCHEMA dragoman", NULL, reterr);
	if (rc == DRG_OK && !f.ours)
		rc = drg_pg_script(s,
		                   "CREATE TABLE dragoman.migration (number integer PRIMARY KEY,"
		                   " name text NOT NULL, applied_at timestamptz NOT NULL)",
		                   NULL, reterr);
	for (unsigned i = 0; i < drg_postgres_n_migrations && rc == DRG_OK; i++)
		if (drg_postgres_migrations[i].number > f.version)
			rc = pg_apply(s, &drg_postgres_migrations[i], reterr);
	return rc;
}

static int pg_migrate(struct drg_store *s, struct drg_err *reterr)
{
	int rc = drg_pg_script(s, "BEGIN", NULL, reterr);
	s->patience = PG_FOR_EVER;
	if (rc == DRG_OK)
		rc = pg_bring_up(s, reterr);
	if (rc == DRG_OK)
		return drg_pg_script(s, "COMMIT", NULL, reterr);
	(void)!drg_pg_script(s, "ROLLBACK", NULL, NULL);
	return rc;
}

int drg_pg_check_server(const struct drg_store *s, struct drg_err *reterr)
{
	enum { OLDEST = 150000 };
	const char *encoding = PQparameterStatus(s->conn, "server_encoding");
	const char *version = PQparameterStatus(s->conn, "server_version");
	if (PQserverVersion(s->conn) < OLDEST)
		return drg_fail(reterr, DRG_ELIMIT, NULL, NULL,
		                "the store %s is in PostgreSQL %.20s: dragoman needs 15 or newer", s->place,
		                version != NULL ? version : "of an unknown version");
	if (encoding == NULL || strcmp(encoding, "UTF8") != 0)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "the store %s keeps its texts as %.30s: create a database with ENCODING "
		                "'UTF8'",
		                s->place, encoding != NULL ? encoding : "something unknown");
	return DRG_OK;
}

/* Report an older schema that cannot be migrated: only the owner of the tables may change them. */
static int pg_is_older(const struct drg_store *s, int64_t version, const char *why, int rc,
                       struct drg_err *reterr)
{
	return drg_fail(
	        reterr, rc, NULL, NULL,
	        "the store %.150s was made by an older dragoman (schema %lld, this one needs %u): start "
	        "dragoman serve or import once as the owner of its schema, which brings it up to "
	        "date%s%.250s",
	        s->place, (long long)version, drg_postgres_n_migrations, why[0] != '\0' ? "; " : "", why);
}

static int pg_raise(struct drg_store *s, const struct found *f, struct drg_err *reterr)
{
	struct drg_err err = { 0 };
	int rc = f->ours ? drg_store_may_upgrade(s->place, f->version, drg_postgres_n_migrations, reterr)
	                 : DRG_OK;
	if (rc != DRG_OK)
		return rc;
	rc = pg_migrate(s, &err);
	if (rc == DRG_OK && f->ours)
		drg_store_log_upgraded(s->place, f->version, drg_postgres_n_migrations, NULL);
	if (rc != DRG_OK && f->ours)
		return pg_is_older(s, f->version, err.message, rc, reterr);
	if (rc != DRG_OK && reterr != NULL)
		*reterr = err;
	return rc;
}

static int pg_check_version(struct drg_store *s, enum drg_store_mode mode, const struct found *f,
                            struct drg_err *reterr)
{
	int64_t newest = drg_postgres_n_migrations;
	if (f->exists && !f->ours && !f->empty)
		return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL,
		                "the store %s has a schema \"dragoman\" of another application: name another "
		                "database",
		                s->place);
	if (f->version > newest)
		return drg_fail(
		        reterr, DRG_ELIMIT, NULL, NULL,
		        "the store %s was made by a newer dragoman (schema %lld, this one knows %lld): "
		        "use that version",
		        s->place, (long long)f->version, (long long)newest);
	if (f->incomplete && mode != DRG_STORE_TARGET)
		return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL,
		                "the store %s is incomplete: a 'migrate' or 'restore' into it did not come "
		                "to its end; "
		                "run it again",
		                s->place);
	s->incomplete = f->incomplete;
	if (f->version == newest)
		return DRG_OK;
	if (mode == DRG_STORE_CREATE || (mode == DRG_STORE_TARGET && !f->ours))
		return pg_raise(s, f, reterr);
	if (!f->ours)
		return drg_fail(reterr, DRG_ENOENT, NULL, NULL,
		                "there is no store in %s: dragoman import or serve makes one", s->place);
	return pg_is_older(s, f->version, "", DRG_ELIMIT, reterr);
}

int drg_pg_check_schema(struct drg_store *s, enum drg_store_mode mode, struct drg_err *reterr)
{
	struct found f;
	int rc = pg_look(s, &f, reterr);
	return rc == DRG_OK ? pg_check_version(s, mode, &f, reterr) : rc;
}
