/* A record as a page for people: OpenRefine shows it in a frame of its own, and opens it on a click. No text
 * of it is markup. */
#include "api/reconcile/answering.h"
#include "api/tables.h"

/* Nothing is loaded or run; who shows it in a frame may. */
static const char *const view_headers[][2] = {
	{ "Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; sandbox" },
	{ "X-Content-Type-Options", "nosniff" },
	{ "Referrer-Policy", "no-referrer" },
};

struct view_page {
	struct drg_buf *out;
	struct drg_buf plain; /* a text without JSON's escapes */
};

static void view_text(struct view_page *v, struct drg_str text)
{
	for (size_t i = 0; i < text.n; i++)
		switch (text.p[i]) {
		case '&': drg_buf_lit(v->out, "&amp;"); break;
		case '<': drg_buf_lit(v->out, "&lt;"); break;
		case '>': drg_buf_lit(v->out, "&gt;"); break;
		case '"': drg_buf_lit(v->out, "&quot;"); break;
		case '\'': drg_buf_lit(v->out, "&#39;"); break;
		default: drg_buf_char(v->out, text.p[i]);
		}
}

static void view_escaped(struct view_page *v, struct drg_str escaped)
{
	drg_buf_clear(&v->plain);
	drg_json_unescape(&v->plain, escaped);
	if (v->plain.rc != DRG_OK)
		v->out->rc = v->plain.rc;
	view_text(v, drg_buf_view(&v->plain));
}

static void view_row(struct view_page *v, const char *name, const struct drg_recon_value *value)
{
	drg_buf_lit(v->out, "<tr><th align=\"left\">");
	view_text(v, drg_str_c(name));
	drg_buf_lit(v->out, "<td dir=\"auto\">");
	if (value->is == DRG_RECON_IS_INT)
		drg_buf_i64(v->out, value->i);
	else if (value->is == DRG_RECON_IS_REAL)
		drg_json_real(v->out, value->d);
	else
		view_escaped(v, value->text);
	drg_buf_char(v->out, '\n');
}

static void view_name(void *page, struct drg_str tag, struct drg_str name)
{
	struct view_page *v = page;
	drg_buf_lit(v->out, "<tr><td>");
	view_text(v, tag);
	drg_buf_lit(v->out, "<td dir=\"auto\">");
	view_escaped(v, name);
	drg_buf_char(v->out, '\n');
}

static void view_page(struct view_page *v, const struct drg_recon_reading *g,
                      const struct drg_recon_entity *e)
{
	struct drg_recon_value value;
	struct drg_str name = drg_recon_entity_name(g, e, &g->pref);
	drg_buf_lit(v->out, "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>");
	view_escaped(v, name);
	drg_buf_lit(v->out, "</title>\n<p><b dir=\"auto\">");
	view_escaped(v, name);
	drg_buf_lit(v->out, "</b><br>");
	view_text(v, drg_str_c(drg_recon_types[e->type].name));
	drg_buf_lit(v->out, "\n<table>\n");
	for (unsigned p = 0; p < DRG_RECON_PROPERTIES; p++)
		if (p != DRG_RECON_NAME &&
		    drg_recon_entity_value(g, e, (enum drg_recon_property)p, &g->pref, &value))
			view_row(v, drg_recon_properties[p].name, &value);
	if (!drg_recon_is_air(e->type))
		drg_dict_names(g->r->cat, &e->dict, view_name, v);
	drg_buf_lit(v->out, "</table>\n");
}

static int view_write(struct drg_recon_reading *g, void *work)
{
	struct drg_recon_entity e;
	unsigned type;
	int64_t id;
	(void)work;
	if (!drg_recon_id_read(drg_exchange_text(g->r->x, "id"), &type, &id) ||
	    !drg_recon_entity_find(g, type, id, &e))
		return drg_fail(drg_exchange_err(g->r->x), DRG_ENOENT, DRG_R(unknown_dict), "id",
		                "id: there is no such record");
	struct view_page v = { .out = g->r->w.b };
	drg_buf_init(&v.plain, SIZE_MAX);
	view_page(&v, g, &e);
	int rc = v.out->rc;
	drg_buf_done(&v.plain);
	drg_exchange_set_type(g->r->x, "text/html; charset=utf-8");
	for (size_t i = 0; i < DRG_ARRAY_LEN(view_headers); i++)
		drg_exchange_add_header(g->r->x, view_headers[i][0], view_headers[i][1]);
	return rc;
}

static int view(struct drg_exchange *x)
{
	return drg_recon_work(x, NULL, view_write, NULL);
}

static const struct drg_param view_params[] = {
	DRG_PARAM_RECON_KEY,
	{ .name = "id",
	  .type = DRG_P_TEXT,
	  .in_path = true,
	  .required = true,
	  .max = 64,
	  .doc = "id of a record: hotel-55" },
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_reconcile_view[] = {
	{ .method = DRG_GET,
	  .path = "/v1/reconcile/:key/view/:id",
	  .name = "reconcileView",
	  .handler = view,
	  .auth = DRG_AUTH_PATH_KEY_B,
	  .params = view_params,
	  .cors = true,
	  .summary = "A record of the reference as a page" },
	{ 0 },
};
