#include "openapi/openapi.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "api/reading.h"
#include "base/digest.h"
#include "http/ready.h"
#include "openapi/document_priv.h"

enum { DOCUMENT_BYTES = 8 * 1024 * 1024, ETAG_CHARS = 32 };

struct made {
	struct drg_content content;
	struct drg_ready ready;
	struct drg_buf body[DRG_CODING_COUNT];
};

struct drg_openapi {
	struct drg_openapi_options o;
	_Atomic(struct made *) of[DRG_OPENAPI_COUNT];
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

static void made_free(struct made *m)
{
	if (m == NULL)
		return;
	drg_ready_done(&m->ready);
	for (int c = 0; c < DRG_CODING_COUNT; c++)
		drg_buf_done(&m->body[c]);
	free(m);
}

void drg_openapi_free(struct drg_openapi *d)
{
	for (int i = 0; d != NULL && i < DRG_OPENAPI_COUNT; i++)
		made_free(atomic_load(&d->of[i]));
	free(d);
}

static int made_write(struct made *m, const json_t *document, struct drg_err *reterr)
{
	struct drg_buf *plain = &m->body[DRG_CODING_IDENTITY];
	struct drg_packer *packer = NULL;
	drg_json_value(plain, document);
	int rc = plain->rc == DRG_OK ? drg_packer_new(&packer, reterr) : drg_fail_memory(reterr);
	for (int c = DRG_CODING_IDENTITY + 1; c < DRG_CODING_COUNT && rc == DRG_OK; c++)
		rc = drg_packer_compress(packer, (enum drg_coding)c, drg_buf_view(plain), &m->body[c],
		                         reterr);
	drg_packer_free(packer);
	return rc;
}

static void made_describe(struct made *m)
{
	char digest[DRG_DIGEST_TEXT];
	for (int c = 0; c < DRG_CODING_COUNT; c++)
		m->content.body[c] = drg_buf_view(&m->body[c]);
	drg_digest_hex(m->content.body[DRG_CODING_IDENTITY], digest);
	memcpy(m->content.etag, digest, ETAG_CHARS);
	m->content.type = "application/json";
	m->content.ready = &m->ready;
}

static int made_new(const struct drg_openapi *d, enum drg_openapi_api api, struct drg_str public_url,
                    struct made **ret, struct drg_err *reterr)
{
	struct drg_openapi_work work = { .o = &d->o, .api = api, .public_url = public_url };
	struct made *m = calloc(1, sizeof *m);
	json_t *document = m != NULL ? drg_openapi_document(&work) : NULL;
	for (int c = 0; c < DRG_CODING_COUNT && m != NULL; c++)
		drg_buf_init(&m->body[c], DOCUMENT_BYTES);
	int rc = document != NULL ? made_write(m, document, reterr) : drg_fail_memory(reterr);
	json_decref(document);
	if (rc != DRG_OK) {
		made_free(m);
		return rc;
	}
	made_describe(m);
	*ret = m;
	return DRG_OK;
}

/* Both threads that make one come to the same bytes; the first one stays. */
static int openapi_get(struct drg_openapi *d, enum drg_openapi_api api, struct drg_str public_url,
                       const struct drg_content **ret, struct drg_err *reterr)
{
	struct made *there = atomic_load(&d->of[api]), *mine = NULL;
	if (there == NULL) {
		int rc = made_new(d, api, public_url, &mine, reterr);
		if (rc != DRG_OK)
			return rc;
		if (atomic_compare_exchange_strong(&d->of[api], &there, mine))
			there = mine;
		else /* another thread was faster */
			made_free(mine);
	}
	*ret = &there->content;
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
	const struct drg_content *c;
	int rc = drg_reading_run(x, nothing, NULL);
	if (rc == DRG_OK)
		rc = openapi_get(app->openapi, api, app->public_url, &c, drg_exchange_err(x));
	if (rc == DRG_OK)
		drg_exchange_content(x, c, NULL, NULL);
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
