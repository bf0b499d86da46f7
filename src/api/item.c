#include "api/item.h"

#include <assert.h>

#include "api/reading.h"

static const struct {
	enum drg_what what;
	const char *name;
} words[] = {
	{ DRG_WHAT_CREATED, "created" },   { DRG_WHAT_UPDATED, "updated" }, { DRG_WHAT_MAPPED, "mapped" },
	{ DRG_WHAT_UNMAPPED, "unmapped" }, { DRG_WHAT_MERGED, "merged" },   { DRG_WHAT_DELETED, "deleted" },
};

static void write_what(struct drg_jw *w, unsigned what)
{
	if (what == 0)
		return;
	drg_jw_member_array(w, "what");
	for (size_t i = 0; i < DRG_ARRAY_LEN(words); i++)
		if ((what & words[i].what) != 0)
			drg_jw_str(w, drg_str_c(words[i].name));
	drg_jw_array_end(w);
}

static void write_source(struct drg_jw *w, const struct drg_view *v)
{
	drg_jw_key(w, "source");
	if (v == NULL || !v->has_source) {
		drg_jw_null(w);
		return;
	}
	drg_jw_sep(w);
	drg_source_json(v->cat, &v->source, w->b);
}

static void write_dict(struct drg_jw *w, const struct drg_view *v)
{
	drg_jw_key(w, "dict");
	if (v == NULL || !v->has_dict) {
		drg_jw_null(w);
		return;
	}
	drg_jw_sep(w);
	drg_dict_json(v->cat, &v->dict, &v->pref, w->b);
}

static void write_identity(struct drg_jw *w, const struct drg_change *c)
{
	drg_jw_member_str(w, "type", c->is_dict ? DRG_STR("dict") : DRG_STR("source"));
	if (!c->is_dict)
		drg_jw_member_i64(w, "adapter_id", c->adapter);
	drg_jw_member_str(w, "kind", drg_str_c(drg_kind_name(c->kind)));
	drg_jw_key(w, "id");
	if (c->is_dict)
		drg_jw_i64(w, c->dict_id);
	else
		drg_jw_str(w, c->source_id);
}

void drg_item_json(const struct drg_change *c, struct drg_buf *out)
{
	struct drg_jw w = { .b = out };
	drg_jw_object(&w);
	write_identity(&w, c);
	write_what(&w, c->what);
	if (!c->is_dict)
		write_source(&w, c->view);
	if (c->is_merged)
		drg_jw_member_i64(&w, "into", c->into);
	write_dict(&w, c->view);
	drg_jw_object_end(&w);
}

/* ---- the filter ------------------------------------------------------------------------------------------ */

int drg_item_check_kind(struct drg_str value, const char *name, struct drg_err *reterr)
{
	char known[300];
	if (drg_kind_is_source(drg_kind_by_name(value)))
		return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_kind), name, "%s: expected one of %s", name,
	                drg_kind_names(DRG_KINDS_SOURCE, known, sizeof known));
}

/* A key that may not read all suppliers has to name one. */
static int all_are_readable(struct drg_exchange *x)
{
	return drg_exchange_caller(x)->reads == NULL
	               ? DRG_OK
	               : drg_fail(drg_exchange_err(x), DRG_EAUTH, DRG_R(adapter_not_allowed), "adapter_id",
	                          "adapter_id: this key may not read every adapter; name one that it may");
}

int drg_item_filter(struct drg_exchange *x, struct drg_change_filter *ret)
{
	int64_t id = drg_exchange_int(x, "adapter_id", 0);
	int rc = drg_exchange_has(x, "adapter_id") ? drg_api_check_adapter(x, id) : all_are_readable(x);
	if (rc == DRG_OK)
		*ret = drg_change_filter(drg_kind_by_name(drg_exchange_text(x, "kind")), id);
	return rc;
}
