/* The statements of the engine. */
#include <stdio.h>
#include <stdlib.h>

#include "store/postgres/postgres_priv.h"

const struct drg_sql_dialect drg_pg_dialect = {
	.mark = '$',
	.schema = "dragoman.",
	.least = "least",
	.greatest = "greatest",
	.clock = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint",
	.digest = "md5",
	/* Before a large import is analyzed, a plain join begins with all sources, for each page. */
	.source_of = "LATERAL (SELECT * FROM dragoman.source AS s WHERE s.adapter_id = g.adapter_id"
	             " AND s.kind = g.kind AND s.id = g.id LIMIT 1) AS s",
};

#define CLOCK_COLUMNS                                                                                        \
	"c.seq, c.epoch, COALESCE((SELECT b.id FROM dragoman.branch AS b WHERE b.seq <= c.seq"               \
	" ORDER BY b.seq DESC LIMIT 1), 0), pg_is_in_recovery(),"                                            \
	" (SELECT max(m.number) FROM dragoman.migration AS m)"

#define THIS_DATABASE "(SELECT oid FROM pg_database WHERE datname = current_database())"

#define SUGGESTION_COLUMNS                                                                                   \
	"adapter_id, kind, id, outcome, country, city, category, reason, ranked, explanation"

#define USE_INSERT                                                                                           \
	" INSERT INTO dragoman.use_count AS u (sort, number, kind, id, slot, count, mapped, last_day)"
#define USE_ADD                                                                                              \
	" ON CONFLICT (sort, number, kind, id, slot) DO UPDATE SET count = u.count + excluded.count,"        \
	" mapped = u.mapped + excluded.mapped, last_day = greatest(u.last_day, excluded.last_day)"

/* Many suggestions: an array for each column, and their order. */
#define SUGGESTION_ARRAYS                                                                                    \
	"unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[],"           \
	" $7::bigint[], $8::text[], $9::text[], $10::text[]) WITH ORDINALITY AS u(" SUGGESTION_COLUMNS       \
	", n)"

static const char *const once_sql[PG_ONCE_COUNT] = {
	[PG_BEGIN_READ] = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
	[PG_BEGIN_WRITE] = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
	[PG_COMMIT] = "COMMIT",
	[PG_ROLLBACK] = "ROLLBACK",
	/* The server ends a session that holds the lock and stands still. All look-ups have an index, and a
	 * plan made while a table was small must not be kept when it has grown: so sequential scans are off.
	 * Commits are durable whatever the server's default. */
	[PG_SETTINGS] = "SELECT set_config('statement_timeout', $1, true),"
	                " set_config('lock_timeout', $2, true),"
	                " set_config('idle_in_transaction_session_timeout', '60s', true),"
	                " set_config('enable_seqscan', 'off', true),"
	                " set_config('jit', 'off', true),"
	                " set_config('synchronous_commit', CASE current_setting('synchronous_commit')"
	                " WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, true)",
	[PG_LOCK_WRITERS] = PG_TAKE_WRITERS,
	/* The columns of the clock, the transaction's number, the server's system, its timeline. */
	[PG_BEGIN_CLOCK] = "SELECT " CLOCK_COLUMNS ", pg_current_xact_id(), s.system_identifier,"
	                   " pg_walfile_name(pg_current_wal_insert_lsn())"
	                   " FROM dragoman.clock AS c, pg_control_system() AS s WHERE c.one FOR UPDATE OF c",
	[PG_CLOCK] = "SELECT " CLOCK_COLUMNS " FROM dragoman.clock AS c WHERE c.one",
	/* An equal suggestion is left alone. If a source comes twice the last suggestion counts, or the first
	 * if existing ones are kept. */
	[PG_SUGGEST] =
	        "WITH kept AS (INSERT INTO dragoman.suggestion AS g (" SUGGESTION_COLUMNS
	        ") SELECT DISTINCT ON (adapter_id, kind,"
	        " id COLLATE \"C\") " SUGGESTION_COLUMNS " FROM " SUGGESTION_ARRAYS
	        " ORDER BY adapter_id, kind, id COLLATE \"C\", n DESC ON CONFLICT (adapter_id, kind, id)"
	        " DO UPDATE SET outcome = excluded.outcome, country = excluded.country, city = excluded.city,"
	        " category = excluded.category, reason = excluded.reason,"
	        " ranked = excluded.ranked, explanation = excluded.explanation"
	        " WHERE (g.outcome, g.country, g.city, g.category, g.reason, g.ranked, g.explanation)"
	        " IS DISTINCT FROM (excluded.outcome, excluded.country, excluded.city, excluded.category,"
	        " excluded.reason, excluded.ranked, excluded.explanation)"
	        " RETURNING adapter_id, kind, xmax = 0 AS is_new)" USE_INSERT
	        " SELECT $11, adapter_id, kind, '', $12, count(*), 0, $12"
	        " FROM kept WHERE is_new GROUP BY adapter_id, kind" USE_ADD,
	[PG_SUGGEST_NEW] =
	        "INSERT INTO dragoman.suggestion (" SUGGESTION_COLUMNS ") SELECT " SUGGESTION_COLUMNS
	        " FROM " SUGGESTION_ARRAYS " ORDER BY n ON CONFLICT DO NOTHING",
	[PG_SET_CLOCK] = "UPDATE dragoman.clock SET seq = $1 WHERE one",
	[PG_NOTIFY] = "NOTIFY dragoman",
	[PG_WANTED] = "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'relation' AND NOT granted"
	              " AND relation = 'dragoman.branch'::regclass AND mode = 'ExclusiveLock'"
	              " AND database = " THIS_DATABASE ")",
	[PG_HOLDER] = "SELECT l.pid, COALESCE(a.application_name, ''), COALESCE(host(a.client_addr), '')"
	              " FROM pg_locks AS l LEFT JOIN pg_stat_activity AS a USING (pid)"
	              " WHERE l.locktype = 'relation' AND l.granted AND l.relation = $1::regclass"
	              " AND l.mode = $2 AND l.database = " THIS_DATABASE " LIMIT 1",
	[PG_XACT_STATUS] = "SELECT CASE WHEN $1 < pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
	                   " THEN COALESCE(pg_xact_status($1::text::xid8), '') ELSE '' END",
	[PG_BYTES] = "SELECT COALESCE(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class AS c"
	             " WHERE c.relnamespace = 'dragoman'::regnamespace AND c.relkind = 'r'",
	[PG_CLOSE_CURSOR] = "CLOSE drg_scan",
	[PG_NO_TIMEOUT] = "SET LOCAL statement_timeout = 0",
};

/* The newest row of every type, in the order of types. */
static void newest_sql(struct drg_buf *sql)
{
	for (unsigned i = 0; i < DRG_TYPE_COUNT; i++)
		drg_buf_printf(sql, "%s COALESCE((SELECT max(seq) FROM dragoman.%s), 0)",
		               i == 0 ? "SELECT" : ",", drg_types[i].name);
}

/* The PostgreSQL type of a field, for casts of parameters. */
static const char *pg_type_name(const struct drg_field_def *f)
{
	return drg_value_is_text(f->vtype) ? "text" : f->vtype == DRG_V_REAL ? "double precision" : "bigint";
}

static void select_from(struct drg_buf *sql, const struct drg_type *t)
{
	drg_buf_lit(sql, "SELECT ");
	drg_sql_columns(sql, t);
	drg_buf_printf(sql, " FROM dragoman.%s WHERE (", t->name);
}

static void find_from_sql(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t)
{
	unsigned n = drg_sql_n_identity(t);
	(void)d;
	select_from(sql, t);
	drg_sql_identity(sql, t);
	for (unsigned i = 0; i < n; i++)
		drg_buf_printf(sql, "%s$%u", i == 0 ? ") >= (" : ", ", i + 1);
	drg_buf_lit(sql, ") ORDER BY ");
	drg_sql_identity(sql, t);
	drg_buf_printf(sql, " LIMIT $%u", n + 1);
}

/* One index look-up for each element of the array. A join would depend on the planner, which may have old
 * statistics of the table. */
static void find_all_sql(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t)
{
	unsigned last = drg_sql_n_identity(t) - 1;
	(void)d;
	drg_buf_printf(sql, "SELECT t.* FROM unnest($%u::%s[]) AS one(key), LATERAL (SELECT ", last + 1,
	               pg_type_name(&t->fields[last]));
	drg_sql_columns(sql, t);
	drg_buf_printf(sql, " FROM dragoman.%s WHERE", t->name);
	for (unsigned i = 0; i < last; i++)
		drg_buf_printf(sql, " \"%s\" = $%u AND", t->fields[i].wire, i + 1);
	drg_buf_printf(sql, " \"%s\" = one.key LIMIT 1) AS t", t->fields[last].wire);
}

static void update_sql(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t)
{
	unsigned n = drg_sql_n_identity(t);
	(void)d;
	drg_buf_printf(sql,
	               "UPDATE dragoman.%s SET deleted = $1, seq = $2, created_seq = $3, data_seq = $4,"
	               " mapped_seq = $5",
	               t->name);
	for (unsigned i = n; i < t->n_fields; i++)
		drg_buf_printf(sql, ", \"%s\" = $%u", t->fields[i].wire, 6 + i);
	for (unsigned i = 0; i < n; i++)
		drg_buf_printf(sql, " %s \"%s\" = $%u", i == 0 ? "WHERE" : "AND", t->fields[i].wire, 6 + i);
}

/* One row for each element of the arrays. Each row is found by the index, whatever size the planner assumes,
 * and then by its ctid, which nobody else changes: writers exclude each other. */
static void update_all_sql(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t)
{
	enum { NUMBERS = 5 }; /* the first arrays: deleted and the seqs */
	unsigned n = drg_sql_n_identity(t);
	(void)d;
	drg_buf_printf(sql,
	               "UPDATE dragoman.%s AS t SET deleted = x.c1, seq = x.c2, created_seq = x.c3,"
	               " data_seq = x.c4, mapped_seq = x.c5",
	               t->name);
	for (unsigned i = n; i < t->n_fields; i++)
		drg_buf_printf(sql, ", \"%s\" = x.c%u", t->fields[i].wire, i + NUMBERS + 1);
	drg_buf_lit(sql, " FROM (SELECT u.*, f.place FROM unnest(");
	for (unsigned i = 0; i < t->n_fields + NUMBERS; i++)
		drg_buf_printf(sql, "%s$%u::%s[]", i > 0 ? ", " : "", i + 1,
		               i < NUMBERS ? "bigint" : pg_type_name(&t->fields[i - NUMBERS]));
	drg_buf_lit(sql, ") AS u(");
	for (unsigned i = 0; i < t->n_fields + NUMBERS; i++)
		drg_buf_printf(sql, "%sc%u", i > 0 ? ", " : "", i + 1);
	drg_buf_printf(sql, "), LATERAL (SELECT ctid AS place FROM dragoman.%s WHERE", t->name);
	for (unsigned i = 0; i < n; i++)
		drg_buf_printf(sql, "%s \"%s\" = u.c%u", i > 0 ? " AND" : "", t->fields[i].wire,
		               i + NUMBERS + 1);
	drg_buf_lit(sql, " LIMIT 1) AS f) AS x WHERE t.ctid = x.place");
}

static void feed_sql(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t)
{
	(void)d;
	select_from(sql, t);
	drg_buf_lit(sql, "seq, \"row\") > ($1, $2) ORDER BY seq, \"row\" LIMIT $3");
}

static void (*const type_sql[PG_TYPE_COUNT])(const struct drg_sql_dialect *, struct drg_buf *,
                                             const struct drg_type *) = {
	[PG_FIND] = drg_sql_find,         [PG_FIND_FROM] = find_from_sql,
	[PG_FIND_ALL] = find_all_sql,     [PG_UPDATE] = update_sql,
	[PG_SIBLINGS] = drg_sql_siblings, [PG_FEED] = feed_sql,
	[PG_UPDATE_ALL] = update_all_sql, [PG_SIBLINGS_FROM] = drg_sql_siblings_from,
};

/* Set the text of a statement; it is NULL if there is no memory. */
static void statement_text(struct pg_statement *st, struct drg_buf *sql)
{
	if (sql->rc == DRG_OK)
		st->text = strndup(sql->p, sql->n);
	drg_buf_done(sql);
}

struct pg_statement *drg_pg_once(struct drg_store *s, enum pg_once which)
{
	struct pg_statement *st = &s->once[which];
	if (st->text != NULL)
		return st;
	struct drg_buf sql;
	drg_sql_init(&sql);
	if (which == PG_NEWEST)
		newest_sql(&sql);
	else
		drg_buf_str(&sql, drg_str_c(once_sql[which]));
	statement_text(st, &sql);
	/* Only statements that the server plans are prepared. */
	bool planned = which > PG_ROLLBACK && which != PG_NO_TIMEOUT && which != PG_NOTIFY &&
	               which != PG_CLOSE_CURSOR;
	if (planned)
		snprintf(st->name, sizeof st->name, "drg%d", (int)which);
	return st;
}

struct pg_statement *drg_pg_of_type(struct drg_store *s, const struct drg_type *t, enum pg_of_type which)
{
	struct pg_statement *st = &s->of_type[t->id][which];
	if (st->text != NULL)
		return st;
	struct drg_buf sql;
	drg_sql_init(&sql);
	type_sql[which](&drg_pg_dialect, &sql, t);
	statement_text(st, &sql);
	snprintf(st->name, sizeof st->name, "drg%d_%d", (int)t->id, (int)which);
	return st;
}

struct pg_statement *drg_pg_of_side(struct drg_store *s, unsigned statement)
{
	struct pg_statement *st = &s->of_side[statement];
	if (st->text != NULL)
		return st;
	struct drg_buf sql;
	drg_sql_init(&sql);
	drg_side_sql(&drg_pg_dialect, &sql, statement);
	statement_text(st, &sql);
	snprintf(st->name, sizeof st->name, "drgs%u", statement);
	return st;
}

void drg_pg_free_statements(struct drg_store *s)
{
	for (unsigned i = 0; i < DRG_SIDE_STATEMENTS; i++)
		free(s->of_side[i].text);
	for (unsigned i = 0; i < PG_ONCE_COUNT; i++)
		free(s->once[i].text);
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++)
		for (unsigned i = 0; i < PG_TYPE_COUNT; i++)
			free(s->of_type[t][i].text);
}

int drg_pg_run(struct drg_store *s, enum pg_once which, const struct pg_params *p, PGresult **ret,
               struct drg_err *reterr)
{
	bool looks = which == PG_CLOCK || which == PG_HOLDER;
	int rc = drg_pg_queue(s, drg_pg_once(s, which), p, reterr);
	return rc == DRG_OK ? drg_pg_collect_for(s, looks ? PG_FOR_LOOKS : s->patience, ret, reterr) : rc;
}
