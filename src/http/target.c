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

static int split_path(struct drg_target *t, struct drg_arena *arena, struct drg_err *reterr)
{
	if (drg_str_eq(t->path, DRG_STR("*")))
		return DRG_OK;
	struct drg_str rest = drg_str(t->path.p + 1, t->path.n - 1), part;
	while (drg_str_split(&rest, '/', &part)) {
		struct drg_str decoded;
		int rc = drg_percent_decode(part, false, "path", arena, &decoded, reterr);
		if (rc != DRG_OK)
			return rc;
		if (t->n_segments < DRG_TARGET_SEGMENTS) {
			t->segments[t->n_segments] = decoded;
			t->as_sent[t->n_segments] = part;
		}
		if (t->n_segments <= DRG_TARGET_SEGMENTS)
			t->n_segments++;
	}
	return DRG_OK;
}

int drg_target_parse(struct drg_str raw, struct drg_arena *arena, struct drg_target *ret,
                     struct drg_err *reterr)
{
	struct drg_target t = { .path = without_authority(raw) };
	if (t.path.n == 0 || (t.path.p[0] != '/' && !drg_str_eq(t.path, DRG_STR("*"))))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_target), NULL, "the address must begin with /");
	const char *mark = memchr(t.path.p, '?', t.path.n);
	if (mark != NULL) {
		size_t n = (size_t)(mark - t.path.p);
		t.query = drg_str(mark + 1, t.path.n - n - 1);
		t.path.n = n;
	}
	int rc = split_path(&t, arena, reterr);
	if (rc == DRG_OK)
		rc = drg_percent_decode(t.path, false, "path", arena, &t.decoded, reterr);
	if (rc == DRG_OK)
		*ret = t;
	return rc;
}
