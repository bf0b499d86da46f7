/* GET curate/records: the records of a supplier as a file for people (decision C10). */
#include <stdio.h>
#include <stdlib.h>

#include "api/curate_words.h"
#include "api/item.h"
#include "api/tables.h"
#include "load/records_out.h"
#include "api/file_out.h"

struct records_file {
	struct drg_file_out f;
	struct drg_records_out out;
};

static int records_make(struct drg_file_out *f, struct drg_store *s, struct drg_tempfile *file,
                        const char *path, void *job, struct drg_err *reterr)
{
	(void)file;
	struct records_file *r = DRG_CONTAINER_OF(f, struct records_file, f);
	r->out.path = path;
	r->out.ctx = job;
	return drg_records_out(s, &r->out, reterr);
}

static void records_done(struct drg_file_out *f)
{
	free(DRG_CONTAINER_OF(f, struct records_file, f));
}

static int curate_records(struct drg_exchange *x)
{
	int64_t adapter = drg_exchange_int(x, "adapter_id", 0);
	enum drg_kind kind = drg_kind_by_name(drg_exchange_text(x, "kind"));
	bool workbook = drg_str_eq(drg_exchange_text(x, "format"), DRG_STR("xlsx"));
	int rc = drg_api_check_adapter(x, adapter);
	struct records_file *r = rc == DRG_OK ? calloc(1, sizeof *r) : NULL;
	if (r == NULL)
		return rc != DRG_OK ? rc : drg_fail_memory(drg_exchange_err(x));
	r->f.make = records_make;
	r->f.answer = drg_file_out_attach;
	r->f.done = records_done;
	r->out = (struct drg_records_out){
		.adapter = adapter, .kind = kind, .workbook = workbook, .over = drg_file_out_over
	};
	snprintf(r->f.head.name, sizeof r->f.head.name, "supplier-%lld%s%s.%s", (long long)adapter,
	         kind != DRG_KIND_NONE ? "-" : "", drg_kind_name(kind), workbook ? "xlsx" : "csv");
	return drg_file_out_start(x, drg_app_of(x)->files, &r->f);
}

static const struct drg_param records_params[] = {
	{ .name = "adapter_id", .type = DRG_P_INT, .required = true, .doc = "the supplier" },
	{ .name = "kind",
	  .type = DRG_P_TEXT,
	  .max = 32,
	  .check = drg_item_check_kind,
	  .schema = DRG_SCHEMA_SOURCE_KIND,
	  .doc = "only records of this kind, with the columns of this kind" },
	DRG_PARAM_FILE_FORMAT,
	{ 0 },
};

const struct drg_endpoint drg_curate_records[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/records",
	  .name = "curateRecords",
	  .handler = curate_records,
	  .auth = DRG_AUTH_VIEWER,
	  .params = records_params,
	  .summary = "The records of a supplier as a file",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter) },
	{ 0 },
};
