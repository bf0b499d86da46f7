#include "text/lang.h"

#include <assert.h>

enum { FIRST_MIN = 2, GROUP_MAX = 8 };

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_separator(char c)
{
	return c == '-' || c == '_';
}

static bool group_valid(struct drg_str group, bool first)
{
	if (group.n < (first ? FIRST_MIN : 1) || group.n > GROUP_MAX)
		return false;
	for (size_t i = 0; i < group.n; i++)
		if (!is_letter(group.p[i]) && (first || !is_digit(group.p[i])))
			return false;
	return true;
}

bool drg_lang_valid(struct drg_str tag)
{
	if (tag.n == 0 || tag.n > DRG_LANG_MAX)
		return false;
	bool first = true;
	for (size_t i = 0, from = 0; i <= tag.n; i++) {
		if (i < tag.n && !is_separator(tag.p[i]))
			continue;
		if (!group_valid(drg_str(tag.p + from, i - from), first))
			return false;
		from = i + 1;
		first = false;
	}
	return true;
}

struct drg_str drg_lang_normal(struct drg_str tag, char *buf)
{
	assert(tag.n <= DRG_LANG_MAX);
	for (size_t i = 0; i < tag.n; i++) {
		bool upper = tag.p[i] >= 'A' && tag.p[i] <= 'Z';
		buf[i] = upper ? (char)(tag.p[i] + ('a' - 'A')) : is_separator(tag.p[i]) ? '-' : tag.p[i];
	}
	buf[tag.n] = '\0';
	return drg_str(buf, tag.n);
}

unsigned drg_lang_chain(struct drg_str tag, struct drg_str *ret)
{
	assert(tag.n > 0 && tag.n <= DRG_LANG_MAX);
	unsigned n = 0;
	while (tag.n > 0 && n < DRG_LANG_CHAIN - 1) {
		ret[n++] = tag;
		const char *hyphen = memrchr(tag.p, '-', tag.n);
		tag.n = hyphen != NULL ? (size_t)(hyphen - tag.p) : 0;
	}
	if (!drg_str_eq(ret[n - 1], DRG_STR("en")))
		ret[n++] = DRG_STR("en");
	assert(n > 0 && n <= DRG_LANG_CHAIN);
	return n;
}
