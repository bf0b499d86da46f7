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
	struct drg_buf quoted;
	drg_buf_init(&quoted, escaped.n + 2);
	drg_jw_escaped(&(struct drg_jw){ .b = &quoted }, escaped);
	json_t *v;
	int rc = quoted.rc != DRG_OK ? quoted.rc : drg_json_parse(drg_buf_view(&quoted), &v, NULL);
	if (rc == DRG_OK) {
		*ret = drg_arena_str(arena, drg_str(json_string_value(v), json_string_length(v)));
		rc = ret->p != NULL ? DRG_OK : DRG_ENOMEM;
		json_decref(v);
	}
	drg_buf_done(&quoted);
	return rc;
}
