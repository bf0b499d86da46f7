#include "text/lang.h"

#include <assert.h>
#include <string.h>

#include "text/lang_priv.h"

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
	if (tag.n == FIRST_MIN) /* most tags have two letters */
		return is_letter(tag.p[0]) && is_letter(tag.p[1]);
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

/* ---- what CLDR knows ------------------------------------------------------------------------------------ */

static struct drg_str row_of(const struct drg_lang_row *rows, size_t n, struct drg_str from)
{
	size_t lo = 0;
	while (lo < n) {
		size_t mid = lo + (n - lo) / 2;
		int order = drg_str_cmp(drg_str_c(rows[mid].from), from);
		if (order == 0)
			return drg_str_c(rows[mid].to);
		if (order < 0)
			lo = mid + 1;
		else
			n = mid;
	}
	return drg_str(NULL, 0);
}

struct tag_parts {
	struct drg_str lang, script, region, rest; /* `rest` begins with a hyphen */
};

static struct drg_str next_group(struct drg_str tag, size_t at)
{
	size_t end = at;
	while (end < tag.n && tag.p[end] != '-')
		end++;
	return drg_str(tag.p + at, end - at);
}

static struct tag_parts parts_of(struct drg_str tag)
{
	if (tag.n == 0)
		return (struct tag_parts){ .lang = tag, .rest = tag };
	struct tag_parts p = { .lang = next_group(tag, 0) };
	size_t at = p.lang.n;
	struct drg_str group = at < tag.n ? next_group(tag, at + 1) : drg_str("", 0);
	if (group.n == 4 && is_letter(group.p[0])) {
		p.script = group;
		at += 1 + group.n;
		group = at < tag.n ? next_group(tag, at + 1) : drg_str("", 0);
	}
	if ((group.n == 2 && is_letter(group.p[0]) && is_letter(group.p[1])) ||
	    (group.n == 3 && is_digit(group.p[0]))) {
		p.region = group;
		at += 1 + group.n;
	}
	p.rest = drg_str(tag.p + at, tag.n - at);
	return p;
}

static size_t join_part(char *buf, size_t n, const char *before, struct drg_str part)
{
	if (part.n == 0)
		return n;
	n = (size_t)(stpcpy(buf + n, before) - buf);
	assert(n + part.n <= DRG_LANG_FULL);
	memcpy(buf + n, part.p, part.n);
	return n + part.n;
}

static struct drg_str join_parts(const struct tag_parts *p, char *buf)
{
	size_t n = join_part(buf, 0, "", p->lang);
	n = join_part(buf, n, "-", p->script);
	n = join_part(buf, n, "-", p->region);
	n = join_part(buf, n, "", p->rest);
	assert(n > 0);
	buf[n] = '\0';
	return drg_str(buf, n);
}

/* The row of two groups. */
static struct drg_str likely_of(struct drg_str lang, struct drg_str more)
{
	char key[2 * DRG_LANG_MAX + 2];
	size_t n = lang.n;
	assert(lang.n <= DRG_LANG_MAX && more.n <= DRG_LANG_MAX);
	memcpy(key, lang.p, n);
	if (more.n > 0) {
		key[n++] = '-';
		memcpy(key + n, more.p, more.n);
		n += more.n;
	}
	return row_of(drg_lang_likely, drg_lang_n_likely, drg_str(key, n));
}

/* Read a tag as CLDR writes it, with the script if that is not the usual one of its language. */
static struct tag_parts canonical_parts(struct drg_str tag)
{
	struct drg_str begin = tag, to = row_of(drg_lang_aliases, drg_lang_n_aliases, begin);
	while (to.n == 0) {
		const char *hyphen = memrchr(begin.p, '-', begin.n);
		if (hyphen == NULL)
			break;
		begin.n = (size_t)(hyphen - begin.p);
		to = row_of(drg_lang_aliases, drg_lang_n_aliases, begin);
	}
	struct tag_parts p = parts_of(tag);
	if (to.n > 0) {
		const struct tag_parts as = parts_of(to);
		if (begin.n > p.lang.n) /* the alias of more than a language */
			p = (struct tag_parts){ .rest = drg_str(tag.p + begin.n, tag.n - begin.n) };
		p.lang = as.lang;
		p.script = p.script.n > 0 ? p.script : as.script;
		p.region = p.region.n > 0 ? p.region : as.region;
	}
	struct drg_str region =
	        p.region.n > 0 ? row_of(drg_lang_regions, drg_lang_n_regions, p.region) : p.region;
	p.region = region.n > 0 ? region : p.region;
	if (p.script.n == 0 && p.region.n > 0)
		p.script = parts_of(likely_of(p.lang, p.region)).script;
	return p;
}

struct drg_str drg_lang_full(struct drg_str tag, char *buf)
{
	assert(tag.n > 0 && tag.n <= DRG_LANG_MAX);
	struct tag_parts p = canonical_parts(tag), usual = parts_of(likely_of(p.lang, drg_str("", 0)));
	if (p.region.n == 0 && p.script.n > 0)
		p.region = parts_of(likely_of(p.lang, p.script)).region;
	p.script = p.script.n > 0 ? p.script : usual.script;
	return join_parts(&p, buf);
}

unsigned drg_lang_chain(struct drg_str tag, char *buf, struct drg_str *ret)
{
	assert(tag.n > 0 && tag.n <= DRG_LANG_MAX);
	const struct tag_parts p = canonical_parts(tag);
	struct drg_str canonical = join_parts(&p, buf);
	unsigned n = 0;
	if (canonical.n <= DRG_LANG_MAX && !drg_str_eq(canonical, tag)) {
		ret[n++] = tag;
		tag = canonical;
	}
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
