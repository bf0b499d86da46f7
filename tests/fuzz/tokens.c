/* Texts that clients got from us and bring back: cursors, sessions, versions of the data. What is read is
 * written as it was. The first byte says which. */
#include "fuzz.h"

#include "access/session.h"
#include "base/data_version.h"
#include "server/changes/cursor.h"

static void require_same(const struct drg_cursor *a, const struct drg_cursor *b)
{
	REQUIRE(a->history == b->history && a->base == b->base && a->seen == b->seen);
	REQUIRE(a->place.seq == b->place.seq && a->place.type == b->place.type &&
	        a->place.row == b->place.row);
}

static void read_cursor(struct drg_str text)
{
	struct drg_cursor c, again;
	struct drg_err err = { 0 };
	char buf[DRG_CURSOR_TEXT];
	int rc = drg_cursor_read(text, &c, &err);
	if (rc != DRG_OK) {
		require_refusal(rc, &err);
		return;
	}
	size_t n = drg_cursor_write(&c, buf);
	REQUIRE(n < sizeof buf && strlen(buf) == n);
	REQUIRE(drg_cursor_read(drg_str(buf, n), &again, &err) == DRG_OK);
	require_same(&c, &again);
}

/* One of any numbers: it is read as it was, or is none. A text that is changed has another checksum. */
static void write_cursor(struct drg_str bytes)
{
	struct drg_cursor c = { .place.type = 0 }, again;
	int64_t numbers[5] = { 0 };
	struct drg_err err = { 0 };
	char buf[DRG_CURSOR_TEXT];
	if (bytes.n < sizeof numbers + 1)
		return;
	memcpy(numbers, bytes.p, sizeof numbers);
	c.history = (uint64_t)numbers[0];
	c.base = numbers[1] & INT64_MAX;
	c.seen = numbers[2] & INT64_MAX;
	c.place = (struct drg_feed_place){ .seq = numbers[3] & INT64_MAX,
		                           .type = (uint8_t)bytes.p[40] % (DRG_FEED_END + 1U),
		                           .row = numbers[4] & INT64_MAX };
	size_t n = drg_cursor_write(&c, buf);
	int rc = drg_cursor_read(drg_str(buf, n), &again, &err);
	if (rc == DRG_OK)
		require_same(&c, &again);
	else
		require_refusal(rc, &err);
}

static void read_session(struct drg_str text)
{
	struct drg_session_claim claim;
	char csrf[DRG_DIGEST_TEXT];
	if (!drg_session_read(text, &claim))
		return;
	REQUIRE(text.n < DRG_SESSION_TOKEN && claim.person >= 0 && claim.slot >= 0);
	REQUIRE(strlen(claim.hash) == sizeof claim.hash - 1);
	drg_session_csrf(text, csrf);
	REQUIRE(strcmp(csrf, claim.hash) != 0);
}

static void read_version(struct drg_str text)
{
	struct drg_data_version v, again;
	char buf[DRG_DATA_VERSION_TEXT];
	if (!drg_data_version_read(text, &v))
		return;
	size_t n = drg_data_version_write(&v, buf);
	REQUIRE(n < sizeof buf && drg_data_version_read(drg_str(buf, n), &again));
	REQUIRE(drg_data_version_eq(&v, &again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static void (*const readers[])(struct drg_str text) = { read_cursor, read_session, read_version,
		                                                write_cursor };
	if (n > 0)
		readers[data[0] % DRG_ARRAY_LEN(readers)](input_text(data + 1, n - 1));
	return 0;
}
