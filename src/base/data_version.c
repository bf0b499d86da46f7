#include "base/data_version.h"

#include <assert.h>

enum { HISTORY_DIGITS = 16 };

size_t drg_data_version_write(const struct drg_data_version *v, char buf[static DRG_DATA_VERSION_TEXT])
{
	assert(v->seq >= 0);
	static const char digits[] = "0123456789abcdef";
	size_t n = HISTORY_DIGITS;
	for (size_t i = 0; i < HISTORY_DIGITS; i++)
		buf[i] = digits[v->history >> (60 - 4 * i) & 15];
	buf[n++] = '-';
	n += drg_i64_text(v->seq, buf + n);
	if (v->open)
		buf[n++] = '+';
	buf[n] = '\0';
	assert(n < DRG_DATA_VERSION_TEXT);
	return n;
}

static bool read_history(const char *p, uint64_t *ret)
{
	*ret = 0;
	for (size_t i = 0; i < HISTORY_DIGITS; i++) {
		int digit = p[i] >= '0' && p[i] <= '9'   ? p[i] - '0'
		            : p[i] >= 'a' && p[i] <= 'f' ? p[i] - 'a' + 10
		                                         : -1;
		if (digit < 0)
			return false;
		*ret = *ret << 4 | (uint64_t)digit;
	}
	return true;
}

bool drg_data_version_read(struct drg_str text, struct drg_data_version *ret)
{
	struct drg_data_version v = { .open = text.n > 0 && text.p[text.n - 1] == '+' };
	struct drg_str seq = drg_str(text.p, text.n - v.open);
	if (seq.n <= HISTORY_DIGITS + 1 || !read_history(seq.p, &v.history) || seq.p[HISTORY_DIGITS] != '-')
		return false;
	seq = drg_str(seq.p + HISTORY_DIGITS + 1, seq.n - HISTORY_DIGITS - 1);
	if (!drg_str_to_i64(seq, &v.seq) || v.seq < 0 || seq.p[0] < '0' || seq.p[0] > '9')
		return false;
	*ret = v;
	return true;
}
