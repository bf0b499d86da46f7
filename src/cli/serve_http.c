#include "cli/serve_http.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "base/descriptors.h"
#include "base/str.h"
#include "http/address.h"

/* "127.0.0.1:8080", "[::1]:8080" */
static int parse_listen(const char *text, char address[static DRG_LISTEN_ADDRESS_MAX], uint16_t *port,
                        struct drg_err *err)
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
		return drg_fail(err, DRG_EUSAGE, DRG_R(invalid_address), "listen",
		                "--listen: expected ADDRESS:PORT such as 127.0.0.1:8080 or [::1]:8080, found "
		                "\"%.100s\"",
		                text);
	memcpy(address, host.p, host.n);
	address[host.n] = '\0';
	*port = (uint16_t)number;
	return DRG_OK;
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

/* A connection is one open file. The rest: the epoll set and the wake-up of each http thread; 64 refused connections that
 * linger; 4 files for each handle of the store; logs and sockets of our own; and some to open a file again. */
static int ensure_descriptors(const struct drg_http_options *http, struct drg_err *err)
{
	enum { PER_THREAD = 4, REST = 256 };
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
	ret->max_url = (size_t)drg_opt_int(o, "max-url");
	ret->max_headers = (size_t)drg_opt_int(o, "max-headers");
	ret->header_seconds = (unsigned)drg_opt_int(o, "header-timeout");
	ret->idle_seconds = (unsigned)drg_opt_int(o, "idle-timeout");
	const char *log = drg_opt_text(o, "access-log");
	ret->access_log = strcmp(log, "off") == 0 ? NULL : log;
	int rc = parse_listen(drg_opt_text(o, "listen"), address, &ret->port, err);
	if (rc == DRG_OK)
		rc = trusted_proxies(o, arena, ret, err);
	return rc == DRG_OK ? ensure_descriptors(ret, err) : rc;
}
