#include "cli/serve_http.h"

#include <assert.h>
#include <netdb.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "api/app.h"
#include "base/descriptors.h"
#include "base/str.h"
#include "base/systemd.h"
#include "base/address.h"
#include "cli/serve_pictures.h"
#include "text/stamp.h"

/* "127.0.0.1:8080", "[::1]:8080" */
static int parse_listen(const char *option, const char *text, char address[static DRG_LISTEN_ADDRESS_MAX],
                        uint16_t *port, struct drg_err *err)
{
	const char *colon = strrchr(text, ':');
	int64_t number = -1;
	bool ok = colon != NULL && drg_str_to_i64(drg_str_c(colon + 1), &number) && number >= 0 &&
	          number <= 65535;
	struct drg_str host = drg_str(text, ok ? (size_t)(colon - text) : 0);
	if (ok && host.n > 2 && host.p[0] == '[' && host.p[host.n - 1] == ']')
		host = drg_str(host.p + 1, host.n - 2);
	else if (host.n > 0 && memchr(host.p, ':', host.n) != NULL)
		ok = false; /* without brackets nobody knows where an IPv6 address ends */
	if (!ok || host.n == 0 || host.n >= DRG_LISTEN_ADDRESS_MAX)
		return drg_fail(err, DRG_EUSAGE, DRG_R(invalid_address), option,
		                "--%s: expected ADDRESS:PORT such as 127.0.0.1:8080 or [::1]:8080, found "
		                "\"%.100s\"",
		                option, text);
	memcpy(address, host.p, host.n);
	address[host.n] = '\0';
	*port = (uint16_t)number;
	return DRG_OK;
}

/* A socket that systemd has opened is not where --listen says. */
static void address_of(int fd, char address[static DRG_LISTEN_ADDRESS_MAX])
{
	struct sockaddr_storage a;
	socklen_t n = sizeof a;
	if (getsockname(fd, (struct sockaddr *)&a, &n) == 0)
		getnameinfo((struct sockaddr *)&a, n, address, DRG_LISTEN_ADDRESS_MAX, NULL, 0,
		            NI_NUMERICHOST);
}

/* Each value is a network, or several with commas between them. */
static int trusted_proxies(const struct drg_options *o, struct drg_arena *arena, struct drg_http_options *ret,
                           struct drg_err *err)
{
	size_t n, room = 0;
	const char *const *texts = drg_opt_texts(o, "trusted-proxy", &n);
	for (size_t i = 0; i < n; i++)
		room += strlen(texts[i]) / 2 + 1;
	struct drg_network *all = drg_arena_calloc(arena, room + 1, sizeof *all);
	if (all == NULL)
		return drg_fail_memory(err);
	size_t k = 0;
	for (size_t i = 0; i < n; i++) {
		struct drg_str rest = drg_str_c(texts[i]), part;
		while (drg_str_split(&rest, ',', &part)) {
			struct drg_err why;
			assert(k <= room);
			if (drg_network_parse(drg_str_trim(part), &all[k++], &why) != DRG_OK)
				return drg_fail(err, DRG_EUSAGE, DRG_R(invalid_network), "trusted-proxy",
				                "--trusted-proxy: %s", why.message);
		}
	}
	ret->trusted = all;
	ret->n_trusted = k;
	if (ret->proxy_protocol && k == 0)
		return drg_fail(
		        err, DRG_EUSAGE, NULL, "proxy-protocol",
		        "--proxy-protocol needs --trusted-proxy: the addresses of the proxies that send "
		        "the header");
	return DRG_OK;
}

/* A connection is one open file. The rest: the epoll set and the wake-up of each http thread; 64 refused
 * connections that linger; 4 files for each handle of the store; logs and sockets of our own; and some to
 * open a file again. */
static int ensure_descriptors(const struct drg_http_options *http, struct drg_err *err)
{
	enum { PER_THREAD = 4, REST = 256 + DRG_ADMIN_CONNECTIONS };
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned threads = http->threads > 0 ? http->threads : cores > 0 ? (unsigned)cores : 1;
	size_t rest = (size_t)threads * PER_THREAD + REST, need = http->max_connections + rest;
	struct drg_err why;
	if (drg_descriptors_ensure(need, &why) == DRG_OK)
		return DRG_OK;
	return drg_fail(
	        err, DRG_ELIMIT, NULL, "max-connections",
	        "--max-connections %u: %s; raise the limit (ulimit -n %zu, LimitNOFILE=%zu of systemd), "
	        "or lower --max-connections: %zu files are needed beside them",
	        http->max_connections, why.message, need, need, rest);
}

/* "https://shop.example", as browsers write it: a scheme, a host in lower case, and a port that is not the
 * scheme's own. */
static bool is_origin(const char *text)
{
	size_t scheme = strncmp(text, "http://", 7) == 0 ? 7 : strncmp(text, "https://", 8) == 0 ? 8 : 0;
	const char *host = text + scheme;
	return scheme > 0 && host[0] != '\0' &&
	       strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789-.:[]") == strlen(host);
}

static int cors_origins(const struct drg_options *o, struct drg_http_options *ret, struct drg_err *err)
{
	size_t n;
	const char *const *origins = drg_opt_texts(o, "cors-origin", &n);
	bool word = n == 1 && (strcmp(origins[0], "none") == 0 || strcmp(origins[0], "*") == 0);
	for (size_t i = 0; i < n && !word; i++)
		if (!is_origin(origins[i]))
			return drg_fail(err, DRG_EUSAGE, DRG_R(invalid_url), "cors-origin",
			                "--cors-origin: expected a site such as https://shop.example, in "
			                "lower case and "
			                "without a path, or none, or * alone, found \"%.100s\"",
			                origins[i]);
	ret->some_origins = n > 0 && !(word && origins[0][0] == '*');
	ret->origins = origins;
	ret->n_origins = word ? 0 : n;
	return DRG_OK;
}

/* Check --sign-in-header: a token (RFC 9110), not the name of a header that the server reads itself; and
 * there must be a trusted proxy. */
static int sign_in_header(const struct drg_options *o, const struct drg_http_options *http,
                          struct drg_err *err)
{
	static const char token[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-";
	static const char *const taken[] = { "cookie", "host", "origin", "x-csrf-token", "content-length" };
	const char *name = drg_opt_text(o, "sign-in-header");
	if (name == NULL)
		return DRG_OK;
	bool ok = name[0] != '\0' && strlen(name) <= 64 && strspn(name, token) == strlen(name);
	for (size_t i = 0; i < DRG_ARRAY_LEN(taken); i++)
		ok &= strcasecmp(name, taken[i]) != 0;
	if (!ok)
		return drg_fail(err, DRG_EUSAGE, DRG_R(invalid_option), "sign-in-header",
		                "--sign-in-header: expected the name of a header such as Remote-User, found "
		                "\"%.100s\"",
		                name);
	return http->n_trusted > 0
	               ? DRG_OK
	               : drg_fail(err, DRG_EUSAGE, NULL, "sign-in-header",
	                          "--sign-in-header needs --trusted-proxy: the addresses of the proxies "
	                          "that are believed, and no others");
}

/* It goes into the head of answers. */
static int cache_control(const struct drg_options *o, struct drg_http_options *ret, struct drg_err *err)
{
	ret->cache_control = drg_opt_text(o, "cache-control");
	bool plain = ret->cache_control[0] != '\0';
	for (const char *p = ret->cache_control; *p != '\0'; p++)
		plain &= *p >= ' ' && *p <= '~';
	return plain ? DRG_OK
	             : drg_fail(err, DRG_EUSAGE, DRG_R(invalid_option), "cache-control",
	                        "--cache-control: expected what a Cache-Control header says, in ASCII");
}

int drg_serve_sunset(const struct drg_options *o, char text[static DRG_SUNSET_TEXT], struct drg_err *err)
{
	const char *given = drg_opt_text(o, "sunset");
	int64_t us;
	text[0] = '\0';
	if (given == NULL)
		return DRG_OK;
	const char *fault = drg_stamp_read(drg_str_c(given), &us);
	if (fault != NULL)
		return drg_fail(err, DRG_EUSAGE, DRG_R(invalid_time), "sunset", "--sunset: \"%.40s\" %s",
		                given, fault);
	time_t seconds = us / 1000000;
	struct tm utc;
	strftime(text, DRG_SUNSET_TEXT, "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&seconds, &utc));
	return DRG_OK;
}

int drg_serve_http_options(const struct drg_options *o, struct drg_arena *arena,
                           char address[static DRG_LISTEN_ADDRESS_MAX], struct drg_http_options *ret,
                           struct drg_err *err)
{
	drg_http_options_init(ret);
	ret->address = address;
	ret->threads = (unsigned)drg_opt_int(o, "threads");
	ret->max_connections = (unsigned)drg_opt_int(o, "max-connections");
	ret->max_per_address = (unsigned)drg_opt_int(o, "max-connections-per-address");
	ret->proxy_protocol = drg_opt_flag(o, "proxy-protocol");
	ret->max_body = (size_t)drg_opt_int(o, "max-body");
	ret->max_answers = (size_t)drg_opt_int(o, "max-answer-memory");
	ret->max_requests = (size_t)drg_opt_int(o, "max-request-memory");
	ret->compress_from = (size_t)drg_opt_int(o, "compress-from");
	ret->max_url = (size_t)drg_opt_int(o, "max-url");
	ret->max_headers = (size_t)drg_opt_int(o, "max-headers");
	ret->header_seconds = (unsigned)drg_opt_int(o, "header-timeout");
	ret->idle_seconds = (unsigned)drg_opt_int(o, "idle-timeout");
	const char *log = drg_opt_text(o, "access-log");
	ret->access_log = strcmp(log, "off") == 0 ? NULL : log;
	int rc = parse_listen("listen", drg_opt_text(o, "listen"), address, &ret->port, err);
	if (rc == DRG_OK)
		rc = drg_systemd_socket(&ret->socket, err);
	ret->held = ret->socket > 0 || drg_opt_flag(o, "hold");
	if (rc == DRG_OK && ret->socket > 0)
		address_of(ret->socket, address);
	if (rc == DRG_OK)
		rc = trusted_proxies(o, arena, ret, err);
	if (rc == DRG_OK)
		rc = sign_in_header(o, ret, err);
	if (rc == DRG_OK)
		rc = cors_origins(o, ret, err);
	if (rc == DRG_OK)
		rc = cache_control(o, ret, err);
	return rc == DRG_OK ? ensure_descriptors(ret, err) : rc;
}

int drg_serve_check(const struct drg_options *o, struct drg_arena *arena, struct drg_err *err)
{
	struct drg_http_options admin;
	struct drg_http_options http;
	struct drg_pictures pictures;
	char address[DRG_LISTEN_ADDRESS_MAX], sunset[DRG_SUNSET_TEXT];
	const char *public_url = drg_opt_text(o, "public-url");
	int rc = drg_serve_http_options(o, arena, address, &http, err);
	if (rc == DRG_OK)
		rc = drg_serve_sunset(o, sunset, err);
	if (rc == DRG_OK)
		rc = drg_serve_pictures(o, &pictures, err);
	if (rc == DRG_OK && public_url != NULL)
		rc = drg_api_check_public_url(public_url, err);
	if (rc == DRG_OK && drg_opt_text(o, "admin") != NULL)
		rc = drg_serve_admin_options(o, address, &admin, err);
	return rc;
}

int drg_serve_admin_options(const struct drg_options *o, char address[static DRG_LISTEN_ADDRESS_MAX],
                            struct drg_http_options *ret, struct drg_err *err)
{
	const char *given = drg_opt_text(o, "admin");
	drg_http_options_init(ret);
	ret->threads = 1;
	ret->max_connections = DRG_ADMIN_CONNECTIONS;
	/* No share for each address, since all may be local: if there is no room, idle ones are closed. */
	ret->max_per_address = DRG_ADMIN_CONNECTIONS;
	ret->address = given[0] == '/' ? given : address;
	if (given[0] == '/')
		return DRG_OK;
	ret->some_hosts = true;
	ret->hosts = drg_opt_texts(o, "admin-host", &ret->n_hosts);
	int rc = parse_listen("admin", given, address, &ret->port, err);
	return rc == DRG_OK
	               ? rc
	               : drg_fail(err, DRG_EUSAGE, DRG_R(invalid_address), "admin",
	                          "--admin: expected ADDRESS:PORT such as 127.0.0.1:9100, or the path of a "
	                          "local socket from / on, found \"%.100s\"",
	                          given);
}
