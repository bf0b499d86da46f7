/* The pages for people: / (what runs here), /demo (a search form), /docs, /workbench with its others and
 * /sign-in, and what they load from /web/ (decision W1). */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/tables.h"
#include "api/web/assets.h"
#include "api/web/pictures.h"

/* No inline script or style, nothing from another host, nobody frames us (decision W2). data: is for the
 * small pictures inside the style sheet of /docs; of the workbench the operator may name hosts of pictures. */
#define POLICY                                                                                               \
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:%s; "                  \
	"connect-src 'self'; base-uri 'none'; form-action 'none'; "                                          \
	"frame-ancestors 'none'"

static const char *const headers[][2] = {
	{ "X-Content-Type-Options", "nosniff" },
	{ "X-Frame-Options", "DENY" },
	{ "Referrer-Policy", "no-referrer" },
	{ "Cross-Origin-Opener-Policy", "same-origin" },
	{ "Cross-Origin-Resource-Policy", "same-origin" },
};

static int compare_asset(const void *name, const void *asset)
{
	const struct drg_str *wanted = name;
	return drg_str_cmp(*wanted, drg_str_c(((const struct drg_asset *)asset)->name));
}

static void add_policy(struct drg_exchange *x, struct drg_str name)
{
	char policy[sizeof POLICY + sizeof((struct drg_pictures *)0)->sources];
	const bool pictures = drg_str_eq(name, DRG_STR("workbench.html"));
	snprintf(policy, sizeof policy, POLICY, pictures ? drg_app_of(x)->pictures->sources : "");
	drg_exchange_add_header(x, "Content-Security-Policy", policy);
}

static int send_asset(struct drg_exchange *x, struct drg_str name)
{
	const struct drg_asset *a =
	        bsearch(&name, drg_assets, drg_asset_count, sizeof *drg_assets, compare_asset);
	if (a == NULL)
		return drg_fail(
		        drg_exchange_err(x), DRG_ENOENT, DRG_R(not_found), NULL,
		        "there is no such file; the pages are /, /demo, /docs, /workbench and /sign-in");
	struct drg_content *c = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *c);
	if (c == NULL)
		return DRG_ENOMEM;
	const char *at = drg_web_blob + a->at;
	c->type = a->type;
	c->cache_control = "no-cache"; /* kept, and asked for each time: a 304 until the program changes */
	c->body[DRG_CODING_IDENTITY] = drg_str(at, a->n);
	c->body[DRG_CODING_GZIP] = drg_str(at + a->n, a->n_gzip);
	c->body[DRG_CODING_BR] = drg_str(at + a->n + a->n_gzip, a->n_br);
	memcpy(c->etag, a->etag, strlen(a->etag) + 1);
	add_policy(x, name);
	for (size_t i = 0; i < DRG_ARRAY_LEN(headers); i++)
		drg_exchange_add_header(x, headers[i][0], headers[i][1]);
	drg_exchange_content(x, c, NULL);
	return DRG_OK;
}

/* Each page has its path and its file. */
static const struct {
	const char *path, *file;
} pages[] = {
	{ "/", "index.html" },
	{ "/demo", "demo.html" },
	{ "/docs", "docs.html" },
	{ "/sign-in", "sign-in.html" },
	{ "/workbench", "workbench.html" },
	{ "/workbench/reference", "bench-reference.html" },
	{ "/workbench/history", "bench-history.html" },
	{ "/workbench/suppliers", "bench-suppliers.html" },
	{ "/workbench/air", "bench-air.html" },
	{ "/workbench/tasks", "bench-tasks.html" },
	{ "/workbench/access", "bench-access.html" },
};

static int html_page(struct drg_exchange *x)
{
	const char *path = drg_exchange_endpoint(x)->path;
	size_t i = 0;
	while (strcmp(pages[i].path, path) != 0) {
		i++;
		assert(i < DRG_ARRAY_LEN(pages));
	}
	return send_asset(x, drg_str_c(pages[i].file));
}

static int web_file(struct drg_exchange *x)
{
	return send_asset(x, drg_exchange_text(x, "file"));
}

static const struct drg_param file_params[] = {
	{ .name = "file",
	  .type = DRG_P_TEXT,
	  .in_path = true,
	  .required = true,
	  .max = 64,
	  .doc = "demo.js" },
	{ 0 },
};

const struct drg_endpoint drg_web_pages[] = {
	{ .method = DRG_GET,
	  .path = "/",
	  .handler = html_page,
	  .auth = DRG_AUTH_PUBLIC,
	  .summary = "The server's home page" },
	{ .method = DRG_GET,
	  .path = "/demo",
	  .handler = html_page,
	  .auth = DRG_AUTH_PUBLIC,
	  .summary = "A search form" },
	{ .method = DRG_GET,
	  .path = "/workbench",
	  .handler = html_page,
	  .auth = DRG_AUTH_PUBLIC,
	  .summary = "Where people decide which record is which" },
	{ .method = DRG_GET,
	  .path = "/workbench/reference",
	  .handler = html_page,
	  .auth = DRG_AUTH_PUBLIC,
	  .summary = "Records of the reference: found, merged, split" },
	{ .method = DRG_GET,
	  .path = "/workbench/suppliers",
	  .handler = html_page,
	  .auth = DRG_AUTH_PUBLIC,
	  .summary = "How much of each supplier is mapped, and lists to load" },
	{ .method = DRG_GET,
	  .path = "/workbench/air",
	  .handler = html_page,
	  .auth = DRG_AUTH_PUBLIC,
	  .summary = "Air suppliers' identifiers without a match" },
	{ .method = DRG_GET,
	  .path = "/workbench/tasks",
	  .handler = html_page,
	  .auth = DRG_AUTH_PUBLIC,
	  .summary = "Filled-in files, new records, audits" },
	{ .method = DRG_GET,
	  .path = "/workbench/access",
	  .handler = html_page,
	  .auth = DRG_AUTH_PUBLIC,
	  .summary = "People and keys, for administrators" },
	{ .method = DRG_GET,
	  .path = "/workbench/history",
	  .handler = html_page,
	  .auth = DRG_AUTH_PUBLIC,
	  .summary = "The history of decisions" },
	{ .method = DRG_GET,
	  .path = "/docs",
	  .handler = html_page,
	  .auth = DRG_AUTH_PUBLIC,
	  .summary = "The reference, to read and to try" },
	{ .method = DRG_GET,
	  .path = "/sign-in",
	  .handler = html_page,
	  .auth = DRG_AUTH_PUBLIC,
	  .summary = "Signing in" },
	{ .method = DRG_GET,
	  .path = "/web/:file",
	  .handler = web_file,
	  .auth = DRG_AUTH_PUBLIC,
	  .params = file_params,
	  .summary = "Files that the pages load" },
	{ 0 },
};
