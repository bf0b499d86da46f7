#include "base/proxy_header.h"

#include <assert.h>
#include <string.h>

static const char SIGNATURE_2[12] = "\r\n\r\n\0\r\nQUIT\n";
enum { LINE_MAX_1 = 107, FIXED_2 = 16 };

static bool begins_alike(struct drg_str bytes, const char *text, size_t n)
{
	return memcmp(bytes.p, text, bytes.n < n ? bytes.n : n) == 0;
}

/* ---- version 1: "PROXY TCP4 192.0.2.1 192.0.2.2 56324 443" CR LF ---- */

static enum drg_proxy_header read_line(struct drg_str line, struct drg_address *ret)
{
	struct drg_str words[6];
	size_t n = 0;
	while (n < DRG_ARRAY_LEN(words) && drg_str_split(&line, ' ', &words[n]))
		n++;
	if (n >= 2 && drg_str_eq(words[1], DRG_STR("UNKNOWN")))
		return DRG_PROXY_LOCAL;
	bool v4 = n == 6 && drg_str_eq(words[1], DRG_STR("TCP4"));
	bool v6 = n == 6 && drg_str_eq(words[1], DRG_STR("TCP6"));
	if ((!v4 && !v6) || line.n > 0 || (memchr(words[2].p, ':', words[2].n) != NULL) != v6)
		return DRG_PROXY_BAD;
	return drg_address_parse(words[2], ret) ? DRG_PROXY_NAMED : DRG_PROXY_BAD;
}

static enum drg_proxy_header read_1(struct drg_str bytes, size_t *ret_n, struct drg_address *ret)
{
	const char *end = memchr(bytes.p, '\n', bytes.n < LINE_MAX_1 ? bytes.n : LINE_MAX_1);
	if (end == NULL)
		return bytes.n < LINE_MAX_1 ? DRG_PROXY_MORE : DRG_PROXY_BAD;
	size_t n = (size_t)(end - bytes.p) + 1;
	if (n < 2 || end[-1] != '\r')
		return DRG_PROXY_BAD;
	*ret_n = n;
	return read_line(drg_str(bytes.p, n - 2), ret);
}

/* ---- version 2 ---- */

static enum drg_proxy_header read_2(struct drg_str bytes, size_t *ret_n, struct drg_address *ret)
{
	enum {
		VERSION_COMMAND = 12,
		FAMILY = 13,
		LENGTH = 14,
		LOCAL = 0x20,
		PROXY = 0x21,
		TCP4 = 0x11,
		TCP6 = 0x21
	};
	if (bytes.n < FIXED_2)
		return DRG_PROXY_MORE;
	const unsigned char *b = (const unsigned char *)bytes.p;
	size_t length = (size_t)b[LENGTH] << 8 | b[LENGTH + 1];
	unsigned command = b[VERSION_COMMAND], family = b[FAMILY];
	if ((command != LOCAL && command != PROXY) || FIXED_2 + length > DRG_PROXY_HEADER_MAX)
		return DRG_PROXY_BAD;
	if (bytes.n < FIXED_2 + length)
		return DRG_PROXY_MORE;
	*ret_n = FIXED_2 + length;
	assert(*ret_n <= bytes.n && *ret_n <= DRG_PROXY_HEADER_MAX);
	if (command == LOCAL)
		return DRG_PROXY_LOCAL;
	/* 12 bytes: both addresses and both ports. */
	if (family == TCP4 && length >= 12)
		*ret = drg_address_v4(b + FIXED_2);
	else if (family == TCP6 && length >= 36)
		memcpy(ret->bytes, b + FIXED_2, sizeof ret->bytes);
	else
		return family == TCP4 || family == TCP6 ? DRG_PROXY_BAD : DRG_PROXY_LOCAL;
	return DRG_PROXY_NAMED;
}

enum drg_proxy_header drg_proxy_header_read(struct drg_str bytes, size_t *ret_n, struct drg_address *ret)
{
	static const char text_1[] = "PROXY ";
	if (begins_alike(bytes, SIGNATURE_2, sizeof SIGNATURE_2))
		return read_2(bytes, ret_n, ret);
	if (begins_alike(bytes, text_1, sizeof text_1 - 1))
		return bytes.n < sizeof text_1 - 1 ? DRG_PROXY_MORE : read_1(bytes, ret_n, ret);
	return DRG_PROXY_BAD;
}
