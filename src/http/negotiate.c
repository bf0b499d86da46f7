#include "http/negotiate.h"

#include <assert.h>

/** Read the value of a "q" parameter in thousandths; a malformed one counts as 0, so that a refused coding is
 * never sent. */
static int q_value(struct drg_str q)
{
	if (q.n == 0 || q.n > 5 || (q.p[0] != '0' && q.p[0] != '1') || (q.n > 1 && q.p[1] != '.'))
		return 0;
	int value = (q.p[0] - '0') * 1000;
	for (size_t i = 2, unit = 100; i < q.n; i++, unit /= 10) {
		if (q.p[i] < '0' || q.p[i] > '9')
			return 0;
		value += (q.p[i] - '0') * (int)unit;
	}
	return value <= 1000 ? value : 0;
}

/** Split "gzip;q=0.5" into the token and its weight in thousandths. */
static struct drg_str split_weight(struct drg_str item, int *ret_q)
{
	struct drg_str token, param;
	*ret_q = 1000;
	if (!drg_str_split(&item, ';', &token))
		return drg_str("", 0);
	while (drg_str_split(&item, ';', &param)) {
		param = drg_str_trim(param);
		if (param.n >= 2 && (param.p[0] == 'q' || param.p[0] == 'Q') && param.p[1] == '=')
			*ret_q = q_value(drg_str(param.p + 2, param.n - 2));
	}
	return drg_str_trim(token);
}

static bool names_coding(struct drg_str token, enum drg_coding c)
{
	return drg_str_eq_nocase(token, drg_str_c(drg_coding_name(c))) ||
	       (c == DRG_CODING_GZIP && drg_str_eq_nocase(token, DRG_STR("x-gzip")));
}

static void read_weights(struct drg_str accept, int weights[static DRG_CODING_COUNT])
{
	if (accept.p == NULL) {
		for (int c = 0; c < DRG_CODING_COUNT; c++)
			weights[c] = c == DRG_CODING_IDENTITY;
		return;
	}
	enum { UNSAID = -1 };
	int any = UNSAID;
	for (int c = 0; c < DRG_CODING_COUNT; c++)
		weights[c] = UNSAID;
	struct drg_str item;
	while (drg_str_split(&accept, ',', &item)) {
		int q;
		struct drg_str token = split_weight(item, &q);
		if (drg_str_eq(token, DRG_STR("*")))
			any = q;
		for (int c = 0; c < DRG_CODING_COUNT; c++)
			if (names_coding(token, (enum drg_coding)c))
				weights[c] = q;
	}
	/* The identity is accepted unless it is refused, but ranks below any coding that the client names. */
	for (int c = 0; c < DRG_CODING_COUNT; c++)
		if (weights[c] == UNSAID)
			weights[c] = any != UNSAID ? any : c == DRG_CODING_IDENTITY;
}

void drg_negotiate_weights(struct drg_str accept, struct drg_accept_encoding *w)
{
	assert(w->n <= sizeof w->text);
	if (accept.n > 0 && accept.n == w->n && memcmp(accept.p, w->text, w->n) == 0)
		return;
	read_weights(accept, w->of);
	w->n = accept.n <= sizeof w->text ? accept.n : 0;
	if (w->n > 0)
		memcpy(w->text, accept.p, w->n);
}

bool drg_negotiate_coding(const int weights[static DRG_CODING_COUNT], const struct drg_content *c,
                          enum drg_coding *ret)
{
	static const int smallest_first[] = { DRG_CODING_BR, DRG_CODING_ZSTD, DRG_CODING_GZIP,
		                              DRG_CODING_IDENTITY };
	int best = -1;
	for (size_t k = 0; k < DRG_ARRAY_LEN(smallest_first); k++) {
		int i = smallest_first[k];
		bool has = i == DRG_CODING_IDENTITY || c->coded_when_asked || c->body[i].n > 0;
		if (has && weights[i] > (best < 0 ? 0 : weights[best]))
			best = i;
	}
	if (best >= 0)
		*ret = (enum drg_coding)best;
	return best >= 0;
}

void drg_etag_text(const char *etag, enum drg_coding coding, char *buf)
{
	char *at = stpcpy(buf, "\"");
	at = stpcpy(at, etag);
	if (coding != DRG_CODING_IDENTITY)
		at = stpcpy(stpcpy(at, "-"), drg_coding_name(coding));
	stpcpy(at, "\"");
}

/** Is the opaque part of a client's tag ours? */
static bool opaque_matches(struct drg_str opaque, struct drg_str etag, enum drg_coding *ret_coding)
{
	if (opaque.n < etag.n || memcmp(opaque.p, etag.p, etag.n) != 0)
		return false;
	struct drg_str suffix = drg_str(opaque.p + etag.n, opaque.n - etag.n);
	if (suffix.n == 0) {
		*ret_coding = DRG_CODING_IDENTITY;
		return true;
	}
	for (int c = DRG_CODING_IDENTITY + 1; c < DRG_CODING_COUNT && suffix.p[0] == '-'; c++) {
		if (drg_str_eq(drg_str(suffix.p + 1, suffix.n - 1),
		               drg_str_c(drg_coding_name((enum drg_coding)c)))) {
			*ret_coding = (enum drg_coding)c;
			return true;
		}
	}
	return false;
}

/** Get the next entity tag of a list, without W/ and quotes. @return false: the end, or not a list of
 * tags. */
static bool next_tag(struct drg_str *rest, bool *ret_weak, struct drg_str *ret)
{
	size_t i = 0;
	while (i < rest->n && (rest->p[i] == ' ' || rest->p[i] == '\t' || rest->p[i] == ','))
		i++;
	*ret_weak = i + 1 < rest->n && rest->p[i] == 'W' && rest->p[i + 1] == '/';
	if (*ret_weak)
		i += 2;
	if (i >= rest->n || rest->p[i] != '"')
		return false;
	i++;
	const char *end = memchr(rest->p + i, '"', rest->n - i);
	if (end == NULL)
		return false;
	*ret = drg_str(rest->p + i, (size_t)(end - rest->p) - i);
	*rest = drg_str(end + 1, rest->n - (size_t)(end + 1 - rest->p));
	return true;
}

bool drg_etag_matches(struct drg_str tags, bool strong, const char *etag, enum drg_coding *coding)
{
	if (drg_str_eq(drg_str_trim(tags), DRG_STR("*")))
		return true;
	struct drg_str ours = drg_str_c(etag), opaque;
	bool weak;
	while (next_tag(&tags, &weak, &opaque))
		if (!(weak && strong) && opaque_matches(opaque, ours, coding))
			return true;
	return false;
}
