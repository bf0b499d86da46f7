#include "http/target.h"

#include "text/form.h"
#include "http/rules.h"

static bool begins_with_nocase(struct drg_str s, struct drg_str prefix)
{
	return s.n >= prefix.n && drg_str_eq_nocase(drg_str(s.p, prefix.n), prefix);
}

/** Turn "http://host/path" into "/path": servers must accept it (RFC 9112, 3.2.2), and it must have a host
 * (RFC 9110, 4.2.1). n == 0: it has no host. */
static struct drg_str without_authority(struct drg_str s)
{
	size_t scheme = begins_with_nocase(s, DRG_STR("http://"))    ? 7
	                : begins_with_nocase(s, DRG_STR("https://")) ? 8
	                                                             : 0;
	if (scheme == 0)
		return s;
	const char *slash = s.n > scheme ? memchr(s.p + scheme, '/', s.n - scheme) : NULL;
	size_t host = slash != NULL ? (size_t)(slash - s.p) - scheme : s.n - scheme;
	if (host == 0 || !drg_rules_is_host(drg_str(s.p + scheme, host)))
		return DRG_STR("");
	return slash != NULL ? drg_str(slash, s.n - scheme - host) : DRG_STR("/");
}

/** Split the path into the segments of @p t; its n_segments is valid when the whole target is read. */
static int split_path(struct drg_str path, struct drg_arena *arena, struct drg_target *t, size_t *ret_n,
                      struct drg_str *ret_decoded, struct drg_err *reterr)
{
	const bool plain = memchr(path.p, '%', path.n) == NULL; /* nothing to decode */
	struct drg_str rest = drg_str(path.p + 1, path.n - 1), part;
	size_t n = 0;
	*ret_n = 0;
	while (path.p[0] == '/' && drg_str_split(&rest, '/', &part)) {
		struct drg_str decoded = part;
		int rc = plain ? DRG_OK : drg_percent_decode(part, false, "path", arena, &decoded, reterr);
		if (rc != DRG_OK)
			return rc;
		if (n < DRG_TARGET_SEGMENTS) {
			t->segments[n] = decoded;
			t->as_sent[n] = part;
		}
		if (n <= DRG_TARGET_SEGMENTS)
			n++;
	}
	*ret_n = n;
	return drg_percent_decode(path, false, "path", arena, ret_decoded, reterr);
}

int drg_target_parse(struct drg_str raw, struct drg_arena *arena, struct drg_target *ret,
                     struct drg_err *reterr)
{
	struct drg_str path = without_authority(raw), query = { NULL, 0 }, decoded;
	size_t n_segments;
	if (path.n == 0 || (path.p[0] != '/' && !drg_str_eq(path, DRG_STR("*"))))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_target), NULL, "the address must begin with /");
	const char *mark = memchr(path.p, '?', path.n);
	if (mark != NULL) {
		size_t n = (size_t)(mark - path.p);
		query = drg_str(mark + 1, path.n - n - 1);
		path.n = n;
	}
	int rc = split_path(path, arena, ret, &n_segments, &decoded, reterr);
	if (rc != DRG_OK)
		return rc;
	ret->path = path;
	ret->query = query;
	ret->decoded = decoded;
	ret->n_segments = n_segments;
	return DRG_OK;
}
