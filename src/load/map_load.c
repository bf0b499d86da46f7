#include "load/map_load.h"

#include <inttypes.h>
#include <stdio.h>

#include "decide/history.h"
#include "decide/ledger.h"
#include "model/key.h"
#include "model/ndjson.h"
#include "store/fetch.h"

enum map_column { COL_DICT = 3, COL_WAS, COL_COUNT };
static const char *const column_names[COL_COUNT] = { "adapter_id", "kind", "id", "dict_id", "was" };

/* The mapping that a row asks for. */
struct map_wish {
	int64_t adapter, dict, was;
	enum drg_kind kind;
	struct drg_str id;
	bool has_dict, has_was, clear;
	const char *bad; /* the fault of the row; NULL: none */
	uint64_t line;
};

/* This many rows are read before the first is applied, so that the records they name are looked up
 * together. */
enum { MAP_ROWS = 500 };

struct map_loading {
	struct drg_map_load *m;
	struct drg_store *s;
	struct drg_txn *txn;
	struct drg_ledger ledger;
	struct drg_arena arena; /* memory for one row */
	struct drg_arena ids; /* memory for the rows that wait */
	struct map_wish wishes[MAP_ROWS];
	size_t n;
	bool fresh; /* the transaction has just begun */
};

static int map_refuse(struct map_loading *x, const struct map_wish *w, const char *why)
{
	drg_read_back_refuse_source(&x->m->list, drg_str_c(drg_kind_name(w->kind)), w->id, why);
	return DRG_OK;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* Read a row. @return its fault; NULL: none. */
static const char *map_read_row(const struct map_loading *x, const struct drg_sheet_row *row,
                                struct map_wish *w)
{
	struct drg_str dict = drg_read_back_cell(&x->m->list, row, COL_DICT),
	               was = drg_read_back_cell(&x->m->list, row, COL_WAS);
	bool null = drg_str_eq_nocase(dict, DRG_STR("null"));
	*w = (struct map_wish){ .line = row->line };
	const char *bad = drg_read_back_source(&x->m->list, row, &w->adapter, &w->kind, &w->id);
	if (bad != NULL)
		return bad;
	if (dict.n > 0 && !null && !drg_str_to_i64(dict, &w->dict))
		return "dict_id: expected the id of a record of the reference, null, or nothing";
	if (was.n > 0 && !drg_str_to_i64(was, &w->was))
		return "was: expected what the list had there";
	w->has_dict = dict.n > 0 && !null;
	w->has_was = was.n > 0;
	w->clear = null || (dict.n == 0 && x->m->list.at[COL_WAS] >= 0);
	return NULL;
}

/* Write the mapping of a source: one put. */
static int map_write(struct map_loading *x, struct drg_record *source, const struct map_wish *w,
                     struct drg_err *reterr)
{
	enum drg_put_result result;
	x->m->mapped += w->has_dict;
	x->m->cleared += !w->has_dict;
	if (x->m->list.dry_run)
		return DRG_OK;
	drg_source_set_mapping(source, w->has_dict ? &w->dict : NULL);
	return drg_ledger_put(&x->ledger, x->txn, source, &result, reterr);
}

static bool is_mapped_to(const struct drg_record *source, bool mapped, int64_t dict)
{
	return drg_record_has(source, DRG_F_DICT_ID) == mapped &&
	       (!mapped || source->v[DRG_F_DICT_ID].i == dict);
}

/* Does the row ask for no change, or for the present mapping? */
static bool wishes_nothing(const struct map_wish *w, const struct drg_record *source)
{
	return (!w->has_dict && !w->clear) || is_mapped_to(source, w->has_dict, w->dict);
}

/* Did nobody change this row of the list? */
static bool is_untouched(const struct map_wish *w)
{
	return w->has_dict == w->has_was && w->dict == w->was;
}

static int map_row(struct map_loading *x, const struct map_wish *w, struct drg_err *reterr)
{
	struct drg_store *s = x->txn != NULL ? drg_txn_store(x->txn) : x->s;
	struct drg_record key, source;
	drg_key_source(&key, w->adapter, w->kind, w->id);
	int rc = drg_fetch(s, &key, &x->arena, &source, reterr);
	if (rc == DRG_ENOENT)
		return map_refuse(x, w, "there is no such record of this supplier");
	if (rc != DRG_OK)
		return rc;
	bool overtaken = x->m->list.at[COL_WAS] >= 0 && !is_mapped_to(&source, w->has_was, w->was);
	if (wishes_nothing(w, &source) || (overtaken && is_untouched(w))) {
		x->m->list.same++;
		return DRG_OK;
	}
	if (overtaken)
		return map_refuse(x, w, "somebody has mapped it since the list was made");
	drg_key_dict(&key, w->kind, w->dict);
	rc = w->has_dict ? drg_store_exists(s, &key, reterr) : DRG_OK;
	if (rc == DRG_ENOENT)
		return map_refuse(x, w, "dict_id: there is no such record in the reference");
	return rc == DRG_OK ? map_write(x, &source, w, reterr) : rc;
}

/* ---- files --------------------------------------------------------------------------------------------- */

static int map_turn(struct map_loading *x, bool always, struct drg_err *reterr)
{
	x->fresh = false;
	if (x->txn != NULL && (always || drg_txn_should_commit(x->txn))) {
		struct drg_txn *t = x->txn;
		x->txn = NULL;
		int rc = drg_txn_commit(t, NULL, reterr);
		if (rc != DRG_OK)
			return rc;
	}
	if (x->txn != NULL || always || x->m->list.dry_run)
		return DRG_OK;
	x->fresh = true;
	return drg_store_begin(x->s, &x->txn, reterr);
}

/* Announce the records of suppliers and of the reference; the list may have them in any order. */
static int map_expect(const struct map_loading *x, size_t from, struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (size_t i = from; i < x->n && rc == DRG_OK && x->txn != NULL && drg_txn_can_prefetch(x->txn);
	     i++) {
		const struct map_wish *w = &x->wishes[i];
		struct drg_record key;
		if (w->bad != NULL)
			continue;
		drg_key_source(&key, w->adapter, w->kind, w->id);
		rc = drg_txn_prefetch(x->txn, &key, reterr);
		drg_key_dict(&key, w->kind, w->dict);
		if (rc == DRG_OK && w->has_dict)
			rc = drg_txn_prefetch(x->txn, &key, reterr);
	}
	return rc;
}

/* Apply the rows that wait. */
static int map_do(void *ctx, struct drg_err *reterr)
{
	struct map_loading *x = ctx;
	int rc = DRG_OK;
	for (size_t i = 0; i < x->n && rc == DRG_OK; i++) {
		const struct map_wish *w = &x->wishes[i];
		x->m->list.line = w->line;
		drg_arena_reset(&x->arena);
		rc = map_turn(x, false, reterr);
		if (rc == DRG_OK && (i == 0 || x->fresh))
			rc = map_expect(x, i, reterr);
		if (rc == DRG_OK)
			rc = w->bad != NULL ? map_refuse(x, w, w->bad) : map_row(x, w, reterr);
	}
	x->n = 0;
	drg_arena_reset(&x->ids);
	return rc;
}

static int map_take(void *ctx, const struct drg_sheet_row *row, struct drg_err *reterr)
{
	struct map_loading *x = ctx;
	struct map_wish *w = &x->wishes[x->n++];
	const char *bad = map_read_row(x, row, w);
	w->bad = bad;
	w->id = drg_arena_str(&x->ids, w->id);
	if (w->id.p == NULL)
		return drg_fail_memory(reterr);
	return x->n == MAP_ROWS ? map_do(x, reterr) : DRG_OK;
}

static const struct drg_read_back_form map_form = {
	.columns = column_names,
	.n_columns = COL_COUNT,
	.n_wanted = COL_WAS,
	.expected = "the columns adapter_id, kind, id and dict_id, as 'map list --output FILE' writes them",
	.row = map_take,
	.end = map_do,
};

static int map_all(struct map_loading *x, struct drg_err *reterr)
{
	int rc = x->m->list.dry_run ? DRG_OK : drg_store_lock_imports(x->s, reterr);
	if (rc == DRG_OK)
		rc = drg_read_back(&x->m->list, &map_form, x, reterr);
	if (rc == DRG_OK && x->txn == NULL && x->ledger.state.batch > 0)
		rc = map_turn(x, false, reterr);
	if (rc == DRG_OK && x->txn != NULL)
		rc = drg_ledger_end(&x->ledger, x->txn, reterr);
	return rc == DRG_OK ? map_turn(x, true, reterr) : rc;
}

int drg_map_load(struct drg_store *s, struct drg_map_load *m, struct drg_err *reterr)
{
	struct map_loading x = { .m = m, .s = s };
	m->mapped = m->cleared = 0;
	x.ledger = (struct drg_ledger){ .what = DRG_BATCH_MAP,
		                        .by = m->list.by,
		                        .why = m->list.why,
		                        .files = drg_str_c(drg_read_back_name(&m->list)) };
	drg_ledger_init(&x.ledger);
	drg_arena_init(&x.arena, 64 << 20);
	drg_arena_init(&x.ids, 256 << 20);
	int rc = map_all(&x, reterr);
	drg_txn_rollback(x.txn);
	m->list.batch = x.ledger.state.batch;
	drg_ledger_done(&x.ledger);
	drg_arena_done(&x.arena);
	drg_arena_done(&x.ids);
	return rc;
}
