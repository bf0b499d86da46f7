/* The URL of a store in PostgreSQL, and the connection that it asks for.
 *
 * What stands on a command line is read by everybody on the machine, in the list of processes. So a URL with a password is
 * refused (decision D3); libpq has better places for it. Decision D4 says which of several hosts is taken. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/postgres/postgres_priv.h"

static const char *option_of(const PQconninfoOption *o, const char *keyword)
{
	while (o->keyword != NULL && strcmp(o->keyword, keyword) != 0)
		o++;
	return o->keyword != NULL ? o->val : NULL;
}

static bool has_secret(const PQconninfoOption *o)
{
	return option_of(o, "password") != NULL || option_of(o, "sslpassword") != NULL;
}

/* "host:port,host:port", of lists that libpq pairs. */
static void add_hosts(struct drg_buf *b, const PQconninfoOption *o)
{
	struct drg_str hosts = drg_str_c(option_of(o, "host")), ports = drg_str_c(option_of(o, "port")), one,
	               port = { NULL, 0 };
	if (hosts.p == NULL)
		hosts = drg_str_c(option_of(o, "hostaddr"));
	for (unsigned i = 0; drg_str_split(&hosts, ',', &one); i++) {
		drg_buf_printf(b, "%s%.*s", i > 0 ? "," : "", DRG_STR_ARG(one));
		drg_str_split(&ports, ',', &port); /* one port is that of all hosts */
		if (port.n > 0)
			drg_buf_printf(b, ":%.*s", DRG_STR_ARG(port));
	}
}

char *drg_pg_place(const char *url)
{
	enum { PLACE_MAX = 300 };
	PQconninfoOption *o = PQconninfoParse(url, NULL);
	struct drg_buf b;
	if (o == NULL)
		return strdup("postgresql://...");
	drg_buf_init(&b, SIZE_MAX);
	drg_buf_lit(&b, "postgresql://");
	if (option_of(o, "user") != NULL)
		drg_buf_printf(&b, "%s@", option_of(o, "user"));
	add_hosts(&b, o);
	if (option_of(o, "dbname") != NULL)
		drg_buf_printf(&b, "/%s", option_of(o, "dbname"));
	char *place = b.rc == DRG_OK ? strndup(b.p, b.n < PLACE_MAX ? b.n : PLACE_MAX) : NULL;
	drg_buf_done(&b);
	PQconninfoFree(o);
	return place;
}

int drg_pg_check_url(const char *url, const char *place, struct drg_err *reterr)
{
	char *why = NULL;
	PQconninfoOption *o = PQconninfoParse(url, &why);
	int rc = DRG_OK;
	/* What libpq says can have the URL in it, and that a password. */
	bool tell = strchr(url, '@') == NULL && strstr(url, "password") == NULL && why != NULL;
	if (o == NULL)
		rc = drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_url), NULL,
		              "the store's URL is none of PostgreSQL%s%.*s: expected "
		              "postgresql://USER@HOST:PORT/DATABASE?PARAMETER=VALUE",
		              tell ? ", " : "", tell ? (int)strcspn(why, "\n") : 0, tell ? why : "");
	else if (has_secret(o))
		rc = drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_url), NULL,
		              "the URL of the store %s has a password, which others could read in the list "
		              "of processes: put it into ~/.pgpass (or the file that PGPASSFILE or passfile= "
		              "names) or into PGPASSWORD",
		              place);
	PQfreemem(why);
	PQconninfoFree(o);
	return rc;
}

/* A server that is gone is noticed within half a minute, also where nobody says so. The URL may have other values. Those
 * behind it hold whatever it says: whoever writes wants the primary. */
int drg_pg_connect(const char *url, const char *place, bool writes, PGconn **ret, struct drg_err *reterr)
{
	const char *const keywords[] = { "connect_timeout",
		                         "keepalives_idle",
		                         "keepalives_interval",
		                         "keepalives_count",
		                         "tcp_user_timeout",
		                         "fallback_application_name",
		                         "dbname",
		                         "client_encoding",
		                         "target_session_attrs",
		                         NULL };
	const char *timeout = getenv("PGCONNECT_TIMEOUT");
	const char *const values[] = {
		timeout != NULL ? timeout : "5", "10", "5", "3", "20000", "dragoman", url, "UTF8",
		writes ? "read-write" : NULL,    NULL
	};
	PGconn *conn = PQconnectdbParams(keywords, values, 1);
	if (conn == NULL)
		return drg_fail_memory(reterr);
	if (PQstatus(conn) == CONNECTION_OK) {
		*ret = conn;
		return DRG_OK;
	}
	int rc = drg_pg_fail_conn(conn, place, NULL, reterr);
	PQfinish(conn);
	return rc;
}
