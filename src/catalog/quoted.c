#include "catalog/quoted_priv.h"

#include "text/json.h"

bool drg_quoted_next(struct drg_str *rest, struct drg_str *ret)
{
	const char *from = rest->n > 0 ? memchr(rest->p, '"', rest->n) : NULL;
	if (from == NULL)
		return false;
	const char *end = rest->p + rest->n, *p = ++from;
	while (p < end && *p != '"')
		p += *p == '\\' && p + 1 < end ? 2 : 1;
	if (p == end)
		return false;
	*ret = drg_str(from, (size_t)(p - from));
	*rest = drg_str(p + 1, (size_t)(end - p - 1));
	return true;
}

int drg_unescape(struct drg_str escaped, struct drg_arena *arena, struct drg_str *ret)
{
	if (escaped.n == 0 || memchr(escaped.p, '\\', escaped.n) == NULL) {
		*ret = escaped;
		return DRG_OK;
	}
	struct drg_buf plain;
	drg_buf_init(&plain, escaped.n);
	drg_json_unescape(&plain, escaped);
	if (plain.rc == DRG_OK)
		*ret = drg_arena_str(arena, drg_buf_view(&plain));
	int rc = plain.rc == DRG_OK && ret->p == NULL ? DRG_ENOMEM : plain.rc;
	drg_buf_done(&plain);
	return rc;
}
