#include "access/key_words.h"

#include <string.h>

#include "base/clock.h"

/* All stamps have one form, so their order as texts is their order in time. */
static bool is_past(struct drg_str stamp)
{
	char now[DRG_WALL_TEXT];
	drg_wall_text(drg_wall_us(), now);
	return drg_str_cmp(stamp, drg_str_c(now)) <= 0;
}

const char *drg_keys_state(const struct drg_record *key)
{
	struct drg_str expires = drg_record_s(key, DRG_F_EXPIRES);
	bool over = expires.n > 0 && is_past(expires);
	return drg_record_has(key, DRG_F_REVOKED) ? "revoked" : over ? "expired" : "good";
}

struct drg_str drg_keys_older_until(const struct drg_record *key)
{
	struct drg_str until = drg_record_s(key, DRG_F_OLD_UNTIL);
	bool works = until.n > 0 && !is_past(until) && strcmp(drg_keys_state(key), "good") == 0;
	return works ? until : DRG_STR("");
}

int drg_keys_parse_overlap(struct drg_str text, int64_t *ret_us, struct drg_err *reterr)
{
	static const struct {
		char unit;
		int64_t seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	const int64_t most = 90 * INT64_C(86400);
	struct drg_str number = text;
	int64_t n = -1, seconds = -1;
	char unit = number.n > 1 ? number.p[--number.n] : '\0';
	for (size_t i = 0; i < DRG_ARRAY_LEN(units); i++)
		if (units[i].unit == unit && drg_str_to_i64(number, &n) && n >= 0 && n <= most)
			seconds = n * units[i].seconds;
	if (seconds < 0 || seconds > most)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_option), "overlap",
		                "overlap: expected a time such as 90s, 30m, 24h or 7d, 90d at most, found "
		                "\"%.*s\"",
		                (int)(text.n < 40 ? text.n : 40), text.p);
	*ret_us = seconds * 1000000;
	return DRG_OK;
}
