#include "openapi/openapi.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "api/reading.h"
#include "base/digest.h"
#include "openapi/document_priv.h"

enum { DOCUMENT_BYTES = 8 * 1024 * 1024, ETAG_CHARS = 32 };

struct drg_openapi {
	struct drg_openapi_options o;
	_Atomic(struct drg_content *) of[DRG_OPENAPI_COUNT];
};

int drg_openapi_new(const struct drg_openapi_options *o, struct drg_openapi **ret, struct drg_err *reterr)
{
	struct drg_openapi *d = calloc(1, sizeof *d);
	if (d == NULL)
		return drg_fail_memory(reterr);
	d->o = *o;
	*ret = d;
	return DRG_OK;
}

void drg_openapi_free(struct drg_openapi *d)
{
	for (int i = 0; d != NULL && i < DRG_OPENAPI_COUNT; i++)
		drg_content_release(atomic_load(&d->of[i]));
	free(d);
}

static int compress(struct drg_content *c, struct drg_buf *work, struct drg_err *reterr)
{
	struct drg_packer *packer = NULL;
	int rc = drg_packer_new(&packer, reterr);
	for (int coding = DRG_CODING_IDENTITY + 1; coding < DRG_CODING_COUNT && rc == DRG_OK; coding++) {
		drg_buf_clear(work);
		rc = drg_packer_compress(packer, (enum drg_coding)coding, c->body[DRG_CODING_IDENTITY], work,
		                         reterr);
		if (rc == DRG_OK)
			c->body[coding] = drg_content_body(drg_buf_view(work));
		if (rc == DRG_OK && c->body[coding].p == NULL)
			rc = drg_fail_memory(reterr);
	}
	drg_packer_free(packer);
	return rc;
}

static int make_document(const struct drg_openapi *d, enum drg_openapi_api api, struct drg_str public_url,
                         struct drg_content **ret, struct drg_err *reterr)
{
	struct drg_openapi_work work = { .o = &d->o, .api = api, .public_url = public_url };
	char digest[DRG_DIGEST_TEXT];
	struct drg_buf text;
	struct drg_content *c = NULL;
	json_t *document = drg_openapi_document(&work);
	drg_buf_init(&text, DOCUMENT_BYTES);
	if (document != NULL)
		drg_json_value(&text, document);
	if (document != NULL && text.rc == DRG_OK)
		c = drg_content_new("application/json", drg_buf_view(&text));
	json_decref(document);
	int rc = c != NULL ? compress(c, &text, reterr) : drg_fail_memory(reterr);
	drg_buf_done(&text);
	if (rc != DRG_OK) {
		drg_content_release(c);
		return rc;
	}
	drg_digest_hex(c->body[DRG_CODING_IDENTITY], digest);
	memcpy(c->etag, digest, ETAG_CHARS);
	*ret = c;
	return DRG_OK;
}

/* Both threads that make one come to the same bytes; the first one stays. */
static int openapi_get(struct drg_openapi *d, enum drg_openapi_api api, struct drg_str public_url,
                       struct drg_content **ret, struct drg_err *reterr)
{
	struct drg_content *there = atomic_load(&d->of[api]), *mine = NULL;
	if (there == NULL) {
		int rc = make_document(d, api, public_url, &mine, reterr);
		if (rc != DRG_OK)
			return rc;
		if (atomic_compare_exchange_strong(&d->of[api], &there, mine))
			there = mine;
		else /* another thread was faster */
			drg_content_release(mine);
	}
	drg_content_hold(there);
	*ret = there;
	return DRG_OK;
}

/* ---- the endpoints --------------------------------------------------------------------------------------- */

static int nothing(struct drg_reading *r, void *ctx)
{
	(void)r;
	(void)ctx;
	return DRG_OK;
}

/* The public URL is known for certain once data is loaded. */
static int openapi_answer(struct drg_exchange *x, enum drg_openapi_api api)
{
	const struct drg_app *app = drg_app_of(x);
	struct drg_content *c;
	int rc = drg_reading_run(x, nothing, NULL);
	if (rc == DRG_OK)
		rc = openapi_get(app->openapi, api, app->public_url, &c, drg_exchange_err(x));
	if (rc == DRG_OK)
		drg_exchange_content(x, c, NULL);
	return rc;
}

static int openapi_both(struct drg_exchange *x)
{
	return openapi_answer(x, DRG_OPENAPI_BOTH);
}

static int openapi_a(struct drg_exchange *x)
{
	return openapi_answer(x, DRG_OPENAPI_A);
}

static int openapi_b(struct drg_exchange *x)
{
	return openapi_answer(x, DRG_OPENAPI_B);
}

const struct drg_endpoint drg_openapi_endpoints[] = {
	{ .method = DRG_GET,
	  .path = "/openapi.json",
	  .name = "openapi",
	  .handler = openapi_both,
	  .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .summary = "This description of both APIs" },
	{ .method = DRG_GET,
	  .path = "/api/v1/openapi.json",
	  .name = "openapiA",
	  .handler = openapi_a,
	  .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .summary = "The description of API A" },
	{ .method = DRG_GET,
	  .path = "/v1/openapi.json",
	  .name = "openapiB",
	  .handler = openapi_b,
	  .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .summary = "The description of API B" },
	{ 0 },
};
