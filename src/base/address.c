#include "base/address.h"

#include <arpa/inet.h>
#include <assert.h>
#include <string.h>

static const unsigned char V4_PREFIX[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };

static bool is_v4(const struct drg_address *a)
{
	return memcmp(a->bytes, V4_PREFIX, sizeof V4_PREFIX) == 0;
}

struct drg_address drg_address_v4(const void *bytes)
{
	struct drg_address a;
	memcpy(a.bytes, V4_PREFIX, sizeof V4_PREFIX);
	memcpy(a.bytes + sizeof V4_PREFIX, bytes, 4);
	return a;
}

struct drg_address drg_address_of(const struct sockaddr *s)
{
	struct drg_address a = { { 0 } };
	if (s->sa_family == AF_INET)
		return drg_address_v4(&((const struct sockaddr_in *)s)->sin_addr);
	if (s->sa_family == AF_INET6)
		memcpy(a.bytes, &((const struct sockaddr_in6 *)s)->sin6_addr, sizeof a.bytes);
	return a;
}

static bool parse_plain(struct drg_str text, struct drg_address *ret)
{
	char buf[INET6_ADDRSTRLEN];
	struct in_addr v4;
	if (text.n == 0 || text.n >= sizeof buf)
		return false;
	memcpy(buf, text.p, text.n);
	buf[text.n] = '\0';
	if (inet_pton(AF_INET6, buf, ret->bytes) == 1)
		return true;
	if (inet_pton(AF_INET, buf, &v4) != 1)
		return false;
	*ret = drg_address_v4(&v4);
	return true;
}

static bool is_port(struct drg_str s)
{
	int64_t port;
	return drg_str_to_i64(s, &port) && port >= 0 && port <= 65535;
}

bool drg_address_parse(struct drg_str text, struct drg_address *ret)
{
	const char *end = text.n > 0 && text.p[0] == '[' ? memchr(text.p, ']', text.n) : NULL;
	if (end != NULL) {
		size_t n = (size_t)(end - text.p);
		struct drg_str rest = drg_str(end + 1, text.n - n - 1);
		bool ends = rest.n == 0 || (rest.p[0] == ':' && is_port(drg_str(rest.p + 1, rest.n - 1)));
		return ends && parse_plain(drg_str(text.p + 1, n - 1), ret);
	}
	const char *colon = text.n > 0 ? memchr(text.p, ':', text.n) : NULL;
	size_t n = colon != NULL ? (size_t)(colon - text.p) : 0;
	bool port = colon != NULL && is_port(drg_str(colon + 1, text.n - n - 1));
	return parse_plain(port ? drg_str(text.p, n) : text, ret);
}

void drg_address_text(const struct drg_address *a, char buf[static INET6_ADDRSTRLEN])
{
	const char *text = is_v4(a) ? inet_ntop(AF_INET, a->bytes + sizeof V4_PREFIX, buf, INET6_ADDRSTRLEN)
	                            : inet_ntop(AF_INET6, a->bytes, buf, INET6_ADDRSTRLEN);
	if (text == NULL)
		buf[0] = '\0';
}

struct drg_address drg_address_client(const struct drg_address *a)
{
	struct drg_address client = *a;
	if (!is_v4(a))
		memset(client.bytes + 8, 0, 8);
	return client;
}

/* ---- networks ---- */

int drg_network_parse(struct drg_str text, struct drg_network *ret, struct drg_err *reterr)
{
	struct drg_network net = { .bits = 128 };
	const char *slash = text.n > 0 ? memchr(text.p, '/', text.n) : NULL;
	size_t n = slash != NULL ? (size_t)(slash - text.p) : text.n;
	int64_t bits = -1;
	bool ok = parse_plain(drg_str(text.p, n), &net.base);
	bool v4 = ok && memchr(text.p, ':', n) == NULL;
	int64_t most = v4 ? 32 : 128;
	if (slash == NULL)
		bits = most;
	else
		ok = ok && drg_str_to_i64(drg_str(slash + 1, text.n - n - 1), &bits);
	if (!ok || bits < 0 || bits > most)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_network), NULL,
		                "expected an address or a network such as 10.0.0.0/8 or ::1, found "
		                "\"%.*s\"",
		                (int)(text.n < 100 ? text.n : 100), text.p);
	net.bits = (unsigned)(bits + (v4 ? 96 : 0));
	assert(net.bits <= 128);
	*ret = net;
	return DRG_OK;
}

static bool contains(const struct drg_network *net, const struct drg_address *a)
{
	assert(net->bits <= 8 * sizeof a->bytes);
	unsigned whole = net->bits / 8, rest = net->bits % 8;
	if (memcmp(net->base.bytes, a->bytes, whole) != 0)
		return false;
	return rest == 0 || ((net->base.bytes[whole] ^ a->bytes[whole]) >> (8 - rest)) == 0;
}

bool drg_networks_contain(const struct drg_network *networks, size_t n, const struct drg_address *a)
{
	for (size_t i = 0; i < n; i++)
		if (contains(&networks[i], a))
			return true;
	return false;
}
