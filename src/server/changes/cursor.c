#include "server/changes/cursor.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* Bytes: version, history, base, seen, seq, type, row, check; numbers with their highest byte first. The
 * check finds typing errors. It need not prevent forgery: a forged cursor shows nothing that the key may not
 * read. */
enum {
	VERSION = 2,
	AT_CHECK = 1 + 8 + 8 + 8 + 8 + 1 + 8,
	CHECK_BYTES = 4,
	CURSOR_BYTES = AT_CHECK + CHECK_BYTES
};

static unsigned char *put_u64(unsigned char *to, uint64_t v)
{
	for (int shift = 56; shift >= 0; shift -= 8)
		*to++ = (unsigned char)(v >> shift);
	return to;
}

static const unsigned char *get_u64(const unsigned char *from, uint64_t *ret)
{
	*ret = 0;
	for (int i = 0; i < 8; i++)
		*ret = *ret << 8 | *from++;
	return from;
}

static const unsigned char *get_i64(const unsigned char *from, int64_t *ret)
{
	uint64_t v;
	from = get_u64(from, &v);
	*ret = (int64_t)v;
	return from;
}

static void cursor_hash(const void *bytes, size_t n, unsigned char ret[16])
{
	crypto_generichash(ret, 16, bytes, n, NULL, 0);
}

struct drg_cursor drg_cursor_at(const struct drg_clock *clock)
{
	assert(clock->seq >= 0);
	return (struct drg_cursor){ drg_history_of(clock->epoch, clock->branch),
		                    clock->seq,
		                    clock->seq,
		                    { clock->seq, DRG_FEED_END, 0 } };
}

size_t drg_cursor_write(const struct drg_cursor *c, char buf[static DRG_CURSOR_TEXT])
{
	assert(c->place.type <= DRG_FEED_END); /* it has one byte */
	unsigned char bytes[CURSOR_BYTES], check[16], *to = bytes;
	*to++ = VERSION;
	to = put_u64(to, c->history);
	to = put_u64(to, (uint64_t)c->base);
	to = put_u64(to, (uint64_t)c->seen);
	to = put_u64(to, (uint64_t)c->place.seq);
	*to++ = (unsigned char)c->place.type;
	to = put_u64(to, (uint64_t)c->place.row);
	assert(to == bytes + AT_CHECK);
	cursor_hash(bytes, AT_CHECK, check);
	memcpy(bytes + AT_CHECK, check, CHECK_BYTES);
	sodium_bin2base64(buf, DRG_CURSOR_TEXT, bytes, sizeof bytes,
	                  sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	return strlen(buf);
}

static int bad_cursor(struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_cursor), "since",
	                "since: expected a cursor as this endpoint or the export gave it, a time such as "
	                "2026-11-20T12:00:00Z, or \"now\"");
}

int drg_cursor_read(struct drg_str text, struct drg_cursor *ret, struct drg_err *reterr)
{
	unsigned char bytes[CURSOR_BYTES], check[16];
	size_t n;
	if (sodium_base642bin(bytes, sizeof bytes, text.p, text.n, NULL, &n, NULL,
	                      sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 ||
	    n <= CHECK_BYTES)
		return bad_cursor(reterr);
	cursor_hash(bytes, n - CHECK_BYTES, check);
	if (memcmp(check, bytes + n - CHECK_BYTES, CHECK_BYTES) != 0)
		return bad_cursor(reterr);
	/* A cursor of an older format is treated as ahead of every store: its client must start over
	 * (F7). */
	if (bytes[0] > 0 && bytes[0] < VERSION) {
		*ret = (struct drg_cursor){ .seen = INT64_MAX, .place = { INT64_MAX, DRG_FEED_END, 0 } };
		return DRG_OK;
	}
	if (n != sizeof bytes || bytes[0] != VERSION)
		return bad_cursor(reterr);
	struct drg_cursor c;
	const unsigned char *from = get_u64(bytes + 1, &c.history);
	from = get_i64(from, &c.base);
	from = get_i64(from, &c.seen);
	from = get_i64(from, &c.place.seq);
	c.place.type = *from++;
	get_i64(from, &c.place.row);
	if (c.base < 0 || c.place.seq < c.base || c.seen < c.place.seq ||
	    (c.place.type >= DRG_TYPE_COUNT && c.place.type != DRG_FEED_END) || c.place.row < 0)
		return bad_cursor(reterr);
	*ret = c;
	return DRG_OK;
}
