/* Whole requests as bytes on a connection, to a real server on loopback: heads, framing, bodies, several in a
 * row. */
#include "fuzz.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/body.h"
#include "base/address.h"
#include "http/server.h"

static const struct drg_body_field fields[] = {
	{ .name = "adapter_id", .type = DRG_B_INT, .required = true },
	{ .name = "city", .type = DRG_B_INTS },
	{ .name = "hotel", .type = DRG_B_IDS },
	{ .name = NULL },
};

static int read_body(struct drg_exchange *x)
{
	struct drg_body_value v[3];
	int rc = drg_body_parse_fields(x, fields, 1000, v);
	if (rc == DRG_OK)
		drg_buf_printf(drg_exchange_out(x), "{\"ids\":%zu}", v[1].n + v[2].n);
	return rc;
}

static int say_ok(struct drg_exchange *x)
{
	drg_buf_lit(drg_exchange_out(x), "{}");
	return DRG_OK;
}

static const struct drg_param params[] = {
	{ .name = "lang", .type = DRG_P_LANG },
	{ .name = "n", .type = DRG_P_INT },
	{ .name = NULL },
};
static const struct drg_endpoint endpoints[] = {
	{ .method = DRG_GET, .path = "/a", .handler = say_ok, .auth = DRG_AUTH_PUBLIC, .params = params },
	{ .method = DRG_GET, .path = "/a/:lang", .handler = say_ok, .auth = DRG_AUTH_PUBLIC },
	{ .method = DRG_POST,
	  .path = "/b",
	  .handler = read_body,
	  .auth = DRG_AUTH_PUBLIC,
	  .body = DRG_BODY_JSON_OR_FORM },
	{ .method = DRG_POST,
	  .path = "/f",
	  .handler = say_ok,
	  .auth = DRG_AUTH_PUBLIC + 1,
	  .body = DRG_BODY_FILE,
	  .max_body = 1 << 18 },
	{ .path = NULL },
};

/* The key is "k". */
static int check_key(struct drg_exchange *x, const struct drg_endpoint *e)
{
	(void)e;
	return drg_str_eq(drg_exchange_header(x, "X-Key"), DRG_STR("k"))
	               ? DRG_OK
	               : drg_fail(drg_exchange_err(x), DRG_EAUTH, NULL, NULL, "the key is not k");
}

/* The second one trusts who connects, who begins with a PROXY header. */
static struct drg_http *servers[2];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	static const struct drg_endpoint *const tables[] = { endpoints, NULL };
	static const char *const headers[] = { "X-Key", NULL };
	static const struct drg_http_app app = { .tables = tables,
		                                 .authorize = check_key,
		                                 .headers = headers };
	static struct drg_network loopback;
	struct drg_http_options o;
	struct drg_err err = { 0 };
	drg_http_options_init(&o);
	o.port = 0;
	o.threads = 1;
	o.max_body = 4096;
	o.max_headers = 2048;
	o.max_url = 512;
	o.header_seconds = 2;
	REQUIRE(drg_network_parse(DRG_STR("127.0.0.0/8"), &loopback, &err) == DRG_OK);
	for (unsigned i = 0; i < DRG_ARRAY_LEN(servers); i++) {
		if (drg_http_start(&o, &app, &servers[i], &err) != DRG_OK) {
			fprintf(stderr, "%s\n", err.message);
			abort();
		}
		o.trusted = &loopback;
		o.n_trusted = 1;
		o.proxy_protocol = true;
	}
	return 0;
}

/* libFuzzer looks at its watch by SIGALRM, every 11 s and without SA_RESTART: a call that waits may end with
 * EINTR. */
static bool dialled(int fd, const struct sockaddr_in *a)
{
	if (connect(fd, (const struct sockaddr *)a, sizeof *a) == 0)
		return true;
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	int rc = errno == EINTR ? -1 : 0, why = 0;
	while (rc < 0 && (rc = poll(&p, 1, 10000)) < 0 && errno == EINTR)
		;
	socklen_t n = sizeof why;
	return rc == 1 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &why, &n) == 0 && why == 0;
}

static int dial(struct drg_http *server)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(drg_http_port(server)) };
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* Thousands of connections a second: none of them is to wait in TIME_WAIT. */
	struct linger hard = { .l_onoff = 1 };
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
	REQUIRE(fd >= 0 && dialled(fd, &a));
	return fd;
}

/* Every answer begins with a status that the server knows; a 500 is a bug. */
static void require_status(const char *answer, size_t n)
{
	if (n == 0)
		return;
	REQUIRE(n >= 12 && memcmp(answer, "HTTP/1.", 7) == 0);
	REQUIRE(memcmp(answer + 8, " 500", 4) != 0 && answer[9] >= '1' && answer[9] <= '5');
}

/* What has been answered so far; at @p wait until the end, or for as long as it may take. @return false: the
 * end. */
static bool hear(int fd, bool wait, char *answer, size_t most, size_t *got)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	for (;;) {
		char rest[1024];
		int ready = poll(&p, 1, wait ? 10000 : 0);
		if (ready == 0 || (ready < 0 && errno != EINTR))
			return true;
		ssize_t n = ready < 0 ? 0
		                      : recv(fd, *got < most ? answer + *got : rest,
		                             *got < most ? most - *got : sizeof rest, 0);
		if (ready > 0 && n <= 0)
			return n < 0 && errno == EINTR;
		*got += *got < most ? (size_t)n : 0;
	}
}

/* The last two bytes say in pieces of how many bytes it is sent, 0: all at once, and how the client goes: it
 * waits for the end, or leaves in the middle of it ('l', 'q'). 'p' and 'q' are for the second server. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char answer[1024];
	size_t got = 0, piece = n;
	bool leaves = false, open = true;
	struct drg_http *server = servers[0];
	if (n > 2) {
		n -= 2;
		piece = data[n] > 0 ? data[n] : n;
		leaves = data[n + 1] == 'l' || data[n + 1] == 'q';
		server = servers[data[n + 1] == 'p' || data[n + 1] == 'q'];
	}
	int fd = dial(server);
	for (size_t at = 0; at < n && open; at += piece) {
		size_t part = n - at < piece ? n - at : piece;
		open = send(fd, data + at, part, MSG_NOSIGNAL) >= 0 &&
		       hear(fd, false, answer, sizeof answer, &got);
	}
	if (open && !leaves && shutdown(fd, SHUT_WR) == 0)
		hear(fd, true, answer, sizeof answer, &got);
	close(fd);
	require_status(answer, got);
	return 0;
}
