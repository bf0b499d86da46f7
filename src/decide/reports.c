#include "decide/reports.h"

#include "decide/ledger.h"
#include "model/key.h"

struct batch_row {
	const struct drg_record *record;
	int64_t id;
	const char *what;
	struct drg_report_suppliers adapters;
};

/* clang-format off */
#define BATCH(...) DRG_REPORT_COLUMN(struct batch_row, __VA_ARGS__)
#define FIELD(...) DRG_REPORT_STORED_COLUMN(struct batch_row, __VA_ARGS__)
const struct drg_report drg_batches_report = { "CurateBatch", (const struct drg_report_column[]){
	BATCH(id, INT, 6, .doc = "number of the batch"),
	FIELD("at", TEXT, DRG_F_AT, 27, .doc = "time at which the batch began"),
	BATCH(what, WORD, 6, .doc = "type of the batch"),
	FIELD("by", TEXT, DRG_F_BY, 12, .doc = "user or key that made the batch"),
	FIELD("why", TEXT, DRG_F_WHY, 24, .doc = "reason"),
	FIELD("files", TEXT, DRG_F_FILES, 24, .doc = "files that were read"),
	FIELD("created", INT, DRG_F_N_CREATED, -8, .doc = "number of records that the batch created"),
	FIELD("changed", INT, DRG_F_N_CHANGED, -8, .doc = "number of records that the batch changed"),
	FIELD("removed", INT, DRG_F_N_DELETED, -8, .doc = "number of records that the batch removed"),
	FIELD("undone", TEXT, DRG_F_UNDONE, 27, .doc = "time at which the batch was undone"),
	BATCH(adapters, SUPPLIERS, 0, .flags = DRG_REPORT_NULL,
		.doc = "suppliers of its records; null: not known"),
	{ 0 } } };
#undef BATCH
#undef FIELD
/* clang-format on */

struct batches_reading {
	struct drg_batches_wanted *wanted;
	struct drg_suppliers suppliers;
	size_t looked;
	drg_report_row_fn *fn;
	void *ctx;
};

static int batches_take(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct batches_reading *k = ctx;
	struct drg_batches_wanted *w = k->wanted;
	const struct drg_field_def *what = drg_field_of(r->type, DRG_F_WHAT);
	(void)m;
	w->stopped = w->most > 0 && k->looked == w->most;
	if (w->stopped)
		return DRG_ESTOPPED;
	k->looked++;
	int rc = DRG_OK;
	if (w->adapter == 0 || drg_ledger_of_adapter(r, w->adapter)) {
		const struct batch_row row = { .record = r,
			                       .id = r->v[DRG_F_ID].i,
			                       .what = what->words[drg_record_i(r, DRG_F_WHAT, 0)],
			                       .adapters = { drg_record_s(r, DRG_F_OF_ADAPTERS),
			                                     &k->suppliers } };
		rc = k->fn(k->ctx, &row);
	}
	if (rc == DRG_OK)
		w->last = r->v[DRG_F_ID].i;
	return rc;
}

int drg_batches_query(struct drg_store *s, void *asked, struct drg_arena *arena, drg_report_row_fn *fn,
                      void *ctx, struct drg_err *reterr)
{
	struct batches_reading k = { .wanted = asked, .fn = fn, .ctx = ctx };
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_BATCH],
		                      .highest_first = true,
		                      .below = k.wanted->below };
	struct drg_record key;
	struct drg_rows rows;
	int rc = drg_suppliers_load(s, arena, &k.suppliers, reterr);
	drg_key_batch(&key, k.wanted->id);
	if (rc == DRG_OK)
		rc = drg_rows_each(k.wanted->id > 0 ? drg_rows_get(&rows, s, &key, reterr)
		                                    : drg_rows_scan(&rows, s, &f, reterr),
		                   batches_take, &k);
	return rc == DRG_ESTOPPED && k.wanted->stopped ? DRG_OK : rc;
}
