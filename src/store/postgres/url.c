/* The URL of a store in PostgreSQL, and the connection that it asks for.
 *
 * Everybody on the machine can read command lines in the list of processes. So a URL with a password is
 * refused (decision D3); libpq has better places for it. */
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

/* Append "host:port,host:port", from lists that libpq pairs. */
static void add_hosts(struct drg_buf *b, const PQconninfoOption *o)
{
	struct drg_str hosts = drg_str_c(option_of(o, "host")), ports = drg_str_c(option_of(o, "port")), one,
	               port = { NULL, 0 };
	if (hosts.p == NULL)
		hosts = drg_str_c(option_of(o, "hostaddr"));
	for (unsigned i = 0; drg_str_split(&hosts, ',', &one); i++) {
		drg_buf_printf(b, "%s%.*s", i > 0 ? "," : "", DRG_STR_ARG(one));
		drg_str_split(&ports, ',', &port); /* a single port applies to all hosts */
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
	/* The message of libpq may have the URL in it, and so a password. */
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

/* ---- what is tried ------------------------------------------------------------------------------------- */

/* Take the next element of a list; after the end, the last one again. @return false: the element cannot be
 * named by itself. */
static bool url_next_of(struct drg_str *list, struct drg_str *one, char *to, size_t room)
{
	drg_str_split(list, ',', one);
	if (one->n >= room)
		return false;
	snprintf(to, room, "%.*s", DRG_STR_ARG(*one));
	return one->p == NULL || one->n > 0;
}

static unsigned url_count_of(const char *list)
{
	unsigned n = list != NULL;
	for (; list != NULL && *list != '\0'; list++)
		n += *list == ',';
	return n;
}

/* Read the hosts of the URL. @return how many there are; 1 also if they cannot be tried one by one. */
static unsigned target_hosts(const PQconninfoOption *o, struct pg_host *ret)
{
	const char *names = option_of(o, "host"), *addresses = option_of(o, "hostaddr");
	struct drg_str host = drg_str_c(names), address = drg_str_c(addresses),
	               port = drg_str_c(option_of(o, "port"));
	struct drg_str one_host = { NULL, 0 }, one_address = { NULL, 0 }, one_port = { NULL, 0 };
	unsigned n = url_count_of(addresses != NULL ? addresses : names);
	if (n < 2 || n > PG_MAX_HOSTS || (names != NULL && addresses != NULL && url_count_of(names) != n))
		return 1;
	for (unsigned i = 0; i < n; i++)
		if (!url_next_of(&host, &one_host, ret[i].host, sizeof ret[i].host) ||
		    !url_next_of(&address, &one_address, ret[i].hostaddr, sizeof ret[i].hostaddr) ||
		    !url_next_of(&port, &one_port, ret[i].port, sizeof ret[i].port))
			return 1;
	return n;
}

/* Read the timeout: libpq leaves it to programs that wait for a connection themselves. */
static unsigned target_timeout(const char *given)
{
	enum { DEFAULT_S = 5, MAX_S = 3600 };
	long s = given != NULL ? strtol(given, NULL, 10) : 0;
	return (unsigned)(s < 1 ? DEFAULT_S : s > MAX_S ? MAX_S : s) * 1000;
}

void drg_pg_target(const char *url, struct pg_target *ret)
{
	PQconninfoOption *o = PQconninfoParse(url, NULL);
	*ret = (struct pg_target){ .n = 1 };
	const char *timeout = o != NULL ? option_of(o, "connect_timeout") : NULL;
	const char *attributes = o != NULL ? option_of(o, "target_session_attrs") : NULL;
	if (o != NULL)
		ret->n = target_hosts(o, ret->hosts);
	ret->connect_ms = target_timeout(timeout != NULL ? timeout : getenv("PGCONNECT_TIMEOUT"));
	if (attributes == NULL)
		attributes = getenv("PGTARGETSESSIONATTRS");
	ret->prefers_standby = attributes != NULL && strcmp(attributes, "prefer-standby") == 0;
	PQconninfoFree(o);
}
