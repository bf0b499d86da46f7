/* The engine on PostgreSQL: opening, closing, and the table of its operations. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "store/postgres/ops_priv.h"
#include "store/restore.h"
#include "store/side_priv.h"

static void pg_close(struct drg_store *s)
{
	for (unsigned i = 0; i < DRG_TYPE_COUNT; i++)
		PQclear(s->loaded[i]);
	drg_pg_rows_free(s);
	drg_pg_free_statements(s);
	PQclear(s->dropped_indexes);
	PQfinish(s->conn);
	PQfinish(s->imports);
	free(s->place);
	free(s->url);
	free(s);
}

static int pg_open_store(struct drg_store *s, enum drg_store_mode mode, struct drg_err *reterr)
{
	int rc = drg_pg_check_url(s->url, s->place, reterr);
	if (rc == DRG_OK)
		rc = drg_pg_connect(s->url, s->place, s->writes, &s->conn, &s->is, reterr);
	if (rc == DRG_OK)
		rc = drg_pg_check_server(s, reterr);
	s->patience = PG_FOR_LOOKS;
	if (rc == DRG_OK)
		rc = drg_pg_check_schema(s, mode, reterr);
	s->patience = PG_FOR_READS;
	return rc;
}

static int pg_open(const char *rest, enum drg_store_mode mode, struct drg_store **ret, struct drg_err *reterr)
{
	int rc = drg_library_load(DRG_LIBRARY_PQ, reterr);
	struct drg_store *s = rc == DRG_OK ? calloc(1, sizeof *s) : NULL;
	struct drg_buf url;
	if (s == NULL)
		return rc != DRG_OK ? rc : drg_fail_memory(reterr);
	drg_buf_init(&url, SIZE_MAX);
	drg_buf_lit(&url, "postgresql:");
	drg_buf_str(&url, drg_str_c(rest));
	drg_buf_char(&url, '\0');
	s->head.ops = &drg_postgres_ops;
	s->writes = mode != DRG_STORE_READ;
	s->url = url.rc == DRG_OK ? url.p : NULL;
	s->place = s->url != NULL ? drg_pg_place(s->url) : NULL;
	s->rows = drg_pg_rows_new();
	for (unsigned i = 0; i < DRG_TYPE_COUNT; i++) {
		drg_buf_init(&s->gathered[i], SIZE_MAX);
		s->gathering[i] = 1;
		drg_buf_init(&s->changed[i], SIZE_MAX);
		s->changing[i] = 1;
	}
	drg_pg_suggested_init(&s->suggested);
	rc = s->place != NULL && s->rows != NULL ? pg_open_store(s, mode, reterr) : drg_fail_memory(reterr);
	if (rc == DRG_OK)
		*ret = s;
	else
		pg_close(s);
	return rc;
}

/* If nothing was asked, the only thing to read is the server's report that it shuts down. */
int drg_pg_in_place(struct drg_store *s, struct drg_err *reterr)
{
	struct pollfd fd = { .fd = PQsocket(s->conn), .events = POLLIN };
	bool asked = s->queued > 0 || s->copying != NULL || s->ahead != NULL;
	if (!asked && !drg_pg_broken(s) && poll(&fd, 1, 0) > 0)
		(void)PQconsumeInput(s->conn);
	if (s->imports != NULL && PQstatus(s->imports) == CONNECTION_OK) {
		fd.fd = PQsocket(s->imports);
		if (poll(&fd, 1, 0) > 0)
			(void)PQconsumeInput(s->imports);
	}
	if (drg_pg_timeline_is_over(&s->is))
		return drg_fail(reterr, DRG_ENOENT, DRG_R(store_replaced), NULL,
		                "the store %s is elsewhere: another server has taken over", s->place);
	if (!drg_pg_broken(s) && (s->imports == NULL || PQstatus(s->imports) == CONNECTION_OK))
		return DRG_OK;
	return drg_fail(reterr, DRG_ENOENT, DRG_R(store_replaced), NULL,
	                "the store %s has closed the connection: try again", s->place);
}

static const char *pg_remark(const struct drg_store *s)
{
	(void)s;
	return "";
}

static int pg_bytes(struct drg_store *s, uint64_t *ret, struct drg_err *reterr)
{
	PGresult *res;
	int rc = drg_pg_run(s, PG_BYTES, NULL, &res, reterr);
	if (rc != DRG_OK)
		return rc;
	*ret = (uint64_t)drg_pg_i(res, 0, 0);
	PQclear(res);
	return DRG_OK;
}

const struct drg_store_ops drg_postgres_ops = {
	.open = pg_open,
	.close = pg_close,
	.clock = drg_pg_clock,
	.in_place = drg_pg_in_place,
	.remark = pg_remark,
	.bytes = pg_bytes,
	.listen = drg_pg_listen,
	.await_news = drg_pg_await_news,
	.begin = drg_pg_begin,
	.commit = drg_pg_commit,
	.rollback = drg_pg_rollback,
	.wanted = drg_pg_wanted,
	.resolve_commit = drg_pg_resolve_commit,
	.lock_imports = drg_pg_lock_imports,
	.unlock_imports = drg_pg_unlock_imports,
	.expect = drg_pg_expect,
	.insert = drg_pg_insert,
	.update = drg_pg_update,
	.load = drg_pg_load,
	.unload = drg_pg_unload,
	.exists = drg_pg_exists,
	.snapshot = drg_pg_snapshot,
	.snapshot_end = drg_pg_snapshot_end,
	.scan = drg_pg_scan,
	.query = drg_pg_query,
	.siblings = drg_pg_siblings,
	.among = drg_pg_among,
	.referrers = drg_pg_referrers,
	.rows_next = drg_pg_rows_next,
	.rows_end = drg_pg_rows_end,
	.feed_begin = drg_pg_feed_begin,
	.feed_next = drg_pg_feed_next,
	.feed_row = drg_pg_feed_row,
	.feed_end = drg_pg_feed_end,
	.counts = drg_pg_counts,
	.check = drg_pg_check,
	.restore = &drg_pg_restore_ops,
	.side = &drg_pg_side_ops,
};
