/* POST curate/supplier: a new supplier; for administrators. */
#include "api/reading.h"
#include "api/tables.h"
#include "api/write.h"
#include "decide/supplier.h"

struct supplier_request {
	struct drg_write write;
	struct drg_supplier_new d;
};

/* A drg_txn_fn; @p request is a struct supplier_request. */
static int supplier_run(void *request, struct drg_txn *t, struct drg_err *reterr)
{
	struct supplier_request *q = request;
	q->d.id = 0; /* it may be run again */
	return drg_supplier_add(&q->d, t, reterr);
}

static int supplier_answer(struct drg_exchange *x)
{
	struct supplier_request *q = drg_exchange_data(x);
	struct drg_jw w = { .b = drg_exchange_out(x) };
	const struct drg_err *e = &q->write.job.err;
	int rc = drg_api_write_finish(&q->write);
	if (rc == DRG_EEXIST)
		return drg_exchange_fail_status(x, 409, DRG_R(not_unique), "code", "code: %s", e->message);
	if (rc == DRG_EINVAL)
		return drg_exchange_fail_status(x, 400, DRG_R(wrong_type), e->field, "%s", e->message);
	if (rc != DRG_OK)
		return rc;
	drg_data_begin(&w);
	drg_jw_object(&w);
	drg_jw_member_i64(&w, "adapter_id", q->d.id);
	drg_jw_member_str(&w, "code", q->d.code);
	drg_jw_member_str(&w, "adapter", q->d.name);
	drg_jw_object_end(&w);
	drg_data_end(&w);
	return DRG_OK;
}

static int curate_supplier(struct drg_exchange *x)
{
	struct supplier_request *q = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *q);
	if (q == NULL)
		return DRG_ENOMEM;
	struct drg_str name = drg_exchange_text(x, "name");
	q->d = (struct drg_supplier_new){
		.code = drg_exchange_text(x, "code"),
		.domain = drg_exchange_flag(x, "air") ? DRG_DOMAIN_AIR : DRG_DOMAIN_TOUR,
		.stage = drg_exchange_flag(x, "mapping") ? DRG_STAGE_MAPPING : DRG_STAGE_LIVE
	};
	q->d.name = name.n > 0 ? name : q->d.code;
	q->write = (struct drg_write){ .run = supplier_run, .ctx = q, .job.rows = 1 };
	drg_exchange_set_data(x, q);
	return drg_api_write(x, &q->write, supplier_answer);
}

static const struct drg_param supplier_params[] = {
	{ .name = "code",
	  .type = DRG_P_TEXT,
	  .required = true,
	  .min = 1,
	  .max = DRG_CHARS_CODE,
	  .schema = "{\"pattern\":\"^[A-Za-z][A-Za-z0-9_-]*$\"}",
	  .doc = "a word, such as sunny" },
	{ .name = "name",
	  .type = DRG_P_TEXT,
	  .max = DRG_CHARS_NAME,
	  .schema = DRG_SCHEMA_LINE,
	  .doc = "for people; the code when absent" },
	{ .name = "air", .type = DRG_P_FLAG, .doc = "a supplier of flights" },
	{ .name = "mapping",
	  .type = DRG_P_FLAG,
	  .doc = "it is being mapped still: clients see it only with demo" },
	{ 0 },
};

const struct drg_endpoint drg_curate_supplier[] = {
	{ .method = DRG_POST,
	  .path = "/v1/curate/supplier",
	  .name = "curateSupplier",
	  .handler = curate_supplier,
	  .auth = DRG_AUTH_ADMIN,
	  .params = supplier_params,
	  .summary = "Add a supplier" },
	{ 0 },
};
