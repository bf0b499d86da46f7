/* Repairs rows that older versions have written beyond the model's limits, so that they can be exported and
 * imported: ids made from long country names, and names and notes of keys.
 *
 * The schema is upgraded first, in a transaction of its own. A row in the table `repair` marks a store as
 * repaired. Therefore, the next opening completes an interrupted repair, and repairs a restored backup of
 * an older version. */
#include <string.h>

#include "base/clock.h"
#include "model/check.h"
#include "model/key.h"
#include "model/value.h"
#include "store/access_events.h"
#include "store/case_notes.h"
#include "store/side_priv.h"
#include "store/store_priv.h"
#include "store/suggestions.h"
#include "text/json.h"
#include "text/stamp.h"
#include "text/utf8.h"

#define REPAIR_NAME DRG_STR("limits")
#define REPAIR_BY DRG_STR("dragoman")

/* A record, or a row that belongs to a record, with an id that is too long. */
enum repair_fate {
	REPAIR_RENAME,
	REPAIR_LEAVE, /* its source breaks another rule of the model too; 'dragoman check' reports it */
	REPAIR_DROP /* another source already has the short id, and keeps it */
};
struct repair_odd {
	int64_t adapter;
	struct drg_str id;
	enum repair_fate fate;
};

struct repair_row {
	struct drg_record r;
	struct drg_row_meta m;
};

struct repairing {
	struct drg_store *s;
	struct drg_txn *t;
	struct drg_arena arena; /* texts of the rows */
	struct drg_buf rows; /* struct repair_row: rows of a scan */
	struct drg_buf odd; /* struct repair_odd: the few ids that are not renamed */
	struct drg_repaired n;
	struct drg_err *err;
};

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* Copy the rows of a scan, so that they can be changed after it. @param wants  Selects rows; NULL: all. */
static int repair_scan(struct repairing *x, const struct drg_filter *f,
                       bool (*wants)(const struct drg_record *r), const struct repair_row **ret,
                       size_t *ret_n)
{
	struct drg_rows rows;
	*ret_n = 0;
	drg_buf_clear(&x->rows);
	for (drg_rows_scan(&rows, x->s, f, x->err); drg_rows_next(&rows);) {
		struct repair_row row = { .m = rows.row.m };
		if (wants != NULL && !wants(&rows.row.r))
			continue;
		int copied = drg_record_copy(&x->arena, &rows.row.r, &row.r);
		drg_buf_add(&x->rows, &row, sizeof row);
		if (copied != DRG_OK || x->rows.rc != DRG_OK)
			rows.rc = drg_fail_memory(x->err);
	}
	int rc = drg_rows_end(&rows);
	struct repair_row *v = rc == DRG_OK ? drg_arena_alloc(&x->arena, x->rows.n + 1) : NULL;
	if (v == NULL)
		return rc != DRG_OK ? rc : drg_fail_memory(x->err);
	if (x->rows.n > 0)
		memcpy(v, x->rows.p, x->rows.n);
	*ret = v;
	*ret_n = x->rows.n / sizeof *v;
	return DRG_OK;
}

static int repair_put(struct repairing *x, const struct drg_record *r)
{
	enum drg_put_result result;
	return drg_txn_put(x->t, r, &result, x->err);
}

/* ---- ids of countries ----------------------------------------------------------------------------------
 * If a decision about a hotel named a country without an id, the new source got its name as its id, however
 * long. The short id depends only on the long id, so each table is repaired by itself: history, notes and
 * items of batches outlive the source and need not refer to each other. */

static bool repair_is_long(struct drg_str id)
{
	return drg_utf8_count(id) > DRG_CHARS_ID;
}

static bool repair_id_is_long(const struct drg_record *r)
{
	return repair_is_long(r->v[DRG_F_SOURCE_ID].s);
}

static enum repair_fate repair_fate_of(const struct repairing *x, int64_t adapter, struct drg_str id)
{
	const struct repair_odd *v = (const struct repair_odd *)(const void *)x->odd.p;
	for (size_t i = 0; i < x->odd.n / sizeof *v; i++)
		if (v[i].adapter == adapter && drg_str_eq(v[i].id, id))
			return v[i].fate;
	return REPAIR_RENAME;
}

static int repair_set_fate(struct repairing *x, const struct drg_record *source, enum repair_fate fate)
{
	const struct repair_odd odd = { source->v[DRG_F_ADAPTER_ID].i, source->v[DRG_F_SOURCE_ID].s, fate };
	drg_buf_add(&x->odd, &odd, sizeof odd);
	return x->odd.rc == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
}

/* Store the time of a removal under the short id too, because the undo of a batch checks whether that
 * batch removed the record. This is not a change, so the seqs stay. */
static int repair_tombstone(struct repairing *x, const struct drg_record *is, const struct drg_row_meta *was)
{
	struct drg_row_meta m = *was;
	bool inserted = false;
	m.row = 0;
	struct drg_txn_head *h = drg_txn_head(x->t);
	int rc = drg_txn_usable(h, x->err);
	if (rc == DRG_OK)
		rc = drg_txn_note_write(h, h->ops->insert(x->t, is, &m, &inserted, x->err));
	x->n.ids += rc == DRG_OK && inserted && is->type->id == DRG_TYPE_SOURCE;
	return rc;
}

static int repair_record(struct repairing *x, const struct repair_row *row)
{
	const bool source = row->r.type->id == DRG_TYPE_SOURCE;
	const struct drg_str was = row->r.v[DRG_F_SOURCE_ID].s;
	const enum repair_fate fate = repair_fate_of(x, row->r.v[DRG_F_ADAPTER_ID].i, was);
	struct drg_record is = row->r, gone = row->r;
	char room[DRG_NAME_ID];
	int rc = DRG_OK;
	drg_record_set_s(&is, DRG_F_SOURCE_ID, drg_key_name_id(was, room));
	gone.deleted = true;
	if (row->r.deleted)
		return fate == REPAIR_RENAME ? repair_tombstone(x, &is, &row->m) : DRG_OK;
	if (fate == REPAIR_LEAVE)
		return DRG_OK;
	if (fate == REPAIR_RENAME && drg_record_check(&is, NULL) != DRG_OK)
		return source ? repair_set_fate(x, &row->r, REPAIR_LEAVE) : DRG_OK;
	if (fate == REPAIR_RENAME)
		rc = drg_store_exists(x->s, &is, x->err);
	x->n.ids += source;
	x->n.dropped += source && rc == DRG_OK;
	if (rc == DRG_ENOENT)
		rc = repair_put(x, &is);
	else if (rc == DRG_OK && source)
		rc = repair_set_fate(x, &row->r, REPAIR_DROP);
	return rc == DRG_OK ? repair_put(x, &gone) : rc;
}

static int repair_records(struct repairing *x, enum drg_type_id type)
{
	const struct drg_filter countries = { .type = &drg_types[type],
		                              .one_kind = true,
		                              .kind = DRG_KIND_COUNTRY,
		                              .tombstones = true,
		                              .any_order = true };
	const struct repair_row *rows;
	size_t n;
	int rc = repair_scan(x, &countries, repair_id_is_long, &rows, &n);
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		rc = repair_record(x, &rows[i]);
	return rc;
}

/* ---- what batches keep: records as they were before, by which a batch can be undone --------------------- */

/* Find the supplier and the id of the country in a line of NDJSON. @param ret_id  Still escaped. @return
 * false: it is a record of another kind. */
static bool repair_line_read(struct drg_str line, int64_t *ret_adapter, struct drg_str *ret_id)
{
	static const char before[] = "\"adapter_id\":", mark[] = ",\"kind\":\"country\",\"id\":\"";
	const char *const end = line.p + line.n, *adapter, *at, *p;
	adapter = line.n > 0 ? memmem(line.p, line.n, before, sizeof before - 1) : NULL;
	at = adapter != NULL ? memmem(adapter, (size_t)(end - adapter), mark, sizeof mark - 1) : NULL;
	if (at == NULL)
		return false;
	adapter += sizeof before - 1;
	p = at += sizeof mark - 1;
	while (p < end && *p != '"')
		p += *p == '\\' ? 2 : 1;
	*ret_id = drg_str(at, p < end ? (size_t)(p - at) : 0);
	return drg_str_to_i64(drg_str(adapter, (size_t)(at - adapter) - (sizeof mark - 1)), ret_adapter);
}

static bool repair_item_is_long(const struct drg_record *item)
{
	struct drg_str id;
	int64_t adapter;
	return repair_line_read(drg_record_s(item, DRG_F_DATA), &adapter, &id) && repair_is_long(id);
}

/* @param scratch  Two buffers, for the id and for the line. */
static int repair_item(struct repairing *x, const struct drg_record *was, struct drg_buf scratch[2])
{
	const struct drg_str line = was->v[DRG_F_DATA].s;
	struct drg_record item = *was;
	char room[DRG_NAME_ID];
	struct drg_str escaped;
	int64_t adapter;
	drg_buf_clear(&scratch[0]);
	drg_buf_clear(&scratch[1]);
	if (!repair_line_read(line, &adapter, &escaped))
		return DRG_OK;
	drg_json_unescape(&scratch[0], escaped);
	const struct drg_str id = drg_buf_view(&scratch[0]);
	const enum repair_fate fate = repair_fate_of(x, adapter, id);
	if (!repair_is_long(id) || fate == REPAIR_LEAVE)
		return scratch[0].rc == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
	drg_buf_add(&scratch[1], line.p, (size_t)(escaped.p - line.p));
	drg_json_escape(&scratch[1], drg_key_name_id(id, room));
	drg_buf_add(&scratch[1], escaped.p + escaped.n, line.n - (size_t)(escaped.p + escaped.n - line.p));
	if (scratch[0].rc != DRG_OK || scratch[1].rc != DRG_OK)
		return drg_fail_memory(x->err);
	drg_record_set_s(&item, DRG_F_DATA, drg_buf_view(&scratch[1]));
	if (fate == REPAIR_DROP) /* the record with the short id is not the batch's */
		drg_record_unset(&item, DRG_F_DATA);
	return repair_put(x, &item);
}

static int repair_items(struct repairing *x)
{
	const struct drg_filter items = { .type = &drg_types[DRG_TYPE_BATCH_ITEM], .any_order = true };
	const struct repair_row *rows;
	struct drg_buf scratch[2];
	size_t n;
	int rc = repair_scan(x, &items, repair_item_is_long, &rows, &n);
	drg_buf_init(&scratch[0], SIZE_MAX);
	drg_buf_init(&scratch[1], SIZE_MAX);
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		rc = repair_item(x, &rows[i].r, scratch);
	drg_buf_done(&scratch[0]);
	drg_buf_done(&scratch[1]);
	return rc;
}

/* ---- what stands beside records: suggestions of the matcher, notes of people ----------------------------- */

struct repair_side {
	struct repairing *x;
	struct drg_buf rows; /* struct drg_suggestion or struct drg_case_note */
};

static int repair_keep_text(struct repair_side *d, struct drg_str *text)
{
	*text = drg_arena_str(&d->x->arena, *text);
	return text->p != NULL ? DRG_OK : drg_fail_memory(d->x->err);
}

static int repair_keep_row(struct repair_side *d, int rc, const void *row, size_t n)
{
	drg_buf_add(&d->rows, row, n);
	return rc == DRG_OK && d->rows.rc != DRG_OK ? drg_fail_memory(d->x->err) : rc;
}

static int repair_take_suggestion(void *ctx, const void *row)
{
	struct repair_side *d = ctx;
	struct drg_suggestion s = *(const struct drg_suggestion *)row;
	if (s.kind != DRG_KIND_COUNTRY || !repair_is_long(s.id))
		return DRG_OK;
	int rc = repair_keep_text(d, &s.id);
	if (rc == DRG_OK)
		rc = repair_keep_text(d, &s.reason);
	if (rc == DRG_OK)
		rc = repair_keep_text(d, &s.ranked);
	if (rc == DRG_OK)
		rc = repair_keep_text(d, &s.explanation);
	return repair_keep_row(d, rc, &s, sizeof s);
}

static int repair_suggestions(struct repairing *x)
{
	struct repair_side d = { .x = x };
	char room[DRG_NAME_ID];
	drg_buf_init(&d.rows, SIZE_MAX);
	int rc = drg_store_side(x->s, DRG_SIDE_ALL + DRG_SIDE_SUGGESTION, NULL, repair_take_suggestion, &d,
	                        x->err);
	struct drg_suggestion *v = (struct drg_suggestion *)(void *)d.rows.p;
	for (size_t i = 0; i < d.rows.n / sizeof *v && rc == DRG_OK; i++) {
		const struct drg_str was = v[i].id;
		const enum repair_fate fate = repair_fate_of(x, v[i].adapter, was);
		v[i].id = drg_key_name_id(was, room);
		if (fate == REPAIR_RENAME)
			rc = drg_txn_suggestion_put(x->t, &v[i], x->err);
		if (rc == DRG_OK && fate != REPAIR_LEAVE)
			rc = drg_txn_suggestion_delete(x->t, v[i].adapter, v[i].kind, was, x->err);
	}
	drg_buf_done(&d.rows);
	return rc;
}

static int repair_take_note(void *ctx, const struct drg_case_note *n)
{
	struct repair_side *d = ctx;
	struct drg_case_note copy = *n;
	if (n->kind != DRG_KIND_COUNTRY || !repair_is_long(n->id))
		return DRG_OK;
	int rc = repair_keep_text(d, &copy.id);
	if (rc == DRG_OK)
		rc = repair_keep_text(d, &copy.what);
	if (rc == DRG_OK)
		rc = repair_keep_text(d, &copy.who);
	if (rc == DRG_OK)
		rc = repair_keep_text(d, &copy.detail);
	return repair_keep_row(d, rc, &copy, sizeof copy);
}

static int repair_notes(struct repairing *x)
{
	struct repair_side d = { .x = x };
	char room[DRG_NAME_ID];
	drg_buf_init(&d.rows, SIZE_MAX);
	int rc = drg_store_each_case_note(x->s, repair_take_note, &d, x->err);
	struct drg_case_note *v = (struct drg_case_note *)(void *)d.rows.p;
	for (size_t i = 0; i < d.rows.n / sizeof *v && rc == DRG_OK; i++) {
		if (repair_fate_of(x, v[i].adapter, v[i].id) == REPAIR_LEAVE)
			continue;
		v[i].id = drg_key_name_id(v[i].id, room);
		rc = drg_txn_case_note(x->t, &v[i], x->err);
	}
	drg_buf_done(&d.rows);
	return rc;
}

/* ---- what is repaired ---------------------------------------------------------------------------------- */

/* Report the repair as a batch without items to undo. An event for each source would become its last
 * decision, and an undo would then reverse it instead of the curator's decision. */
static int repair_tell(struct repairing *x)
{
	struct drg_rows rows;
	const struct drg_filter batches = { .type = &drg_types[DRG_TYPE_BATCH], .tombstones = true };
	struct drg_record batch;
	char at[DRG_STAMP_TEXT];
	int64_t last = 0;
	if (x->n.ids == 0)
		return DRG_OK;
	for (drg_rows_scan(&rows, x->s, &batches, x->err); drg_rows_next(&rows);)
		last = rows.row.r.v[DRG_F_ID].i > last ? rows.row.r.v[DRG_F_ID].i : last;
	int rc = drg_rows_end(&rows);
	if (rc != DRG_OK)
		return rc;
	drg_key_batch(&batch, last + 1);
	drg_record_set_s(&batch, DRG_F_AT, drg_str(at, drg_stamp_text(drg_wall_us(), at)));
	drg_record_set_i(&batch, DRG_F_WHAT, DRG_BATCH_DECIDE);
	drg_record_set_s(&batch, DRG_F_BY, REPAIR_BY);
	drg_record_set_s(&batch, DRG_F_WHY,
	                 DRG_STR("ids of countries had more than 64 characters and were shortened"));
	drg_record_set_i(&batch, DRG_F_N_CREATED, 0);
	drg_record_set_i(&batch, DRG_F_N_CHANGED, x->n.ids - x->n.dropped);
	drg_record_set_i(&batch, DRG_F_N_DELETED, x->n.dropped);
	return repair_put(x, &batch);
}

static int repair_ids(struct repairing *x)
{
	int rc = repair_records(x, DRG_TYPE_SOURCE); /* first: the others depend on its result */
	if (rc == DRG_OK)
		rc = repair_records(x, DRG_TYPE_MAPPING_EVENT);
	if (rc == DRG_OK)
		rc = repair_records(x, DRG_TYPE_NOT_SAME);
	if (rc == DRG_OK)
		rc = repair_items(x);
	if (rc == DRG_OK)
		rc = repair_suggestions(x);
	if (rc == DRG_OK)
		rc = repair_notes(x);
	return rc == DRG_OK ? repair_tell(x) : rc;
}

/* Truncate a text at its limit, or remove it if it is still invalid. @return true if it was changed. */
static bool repair_text(struct drg_record *r, enum drg_field field)
{
	const struct drg_field_def *f = drg_field_of(r->type, field);
	const struct drg_str was = drg_record_s(r, field);
	if (was.n == 0 || drg_field_check_text(r->type->id, field, was, NULL) == DRG_OK)
		return false;
	drg_record_set_s(r, field, drg_utf8_first(was, (size_t)f->max));
	if (drg_field_check_text(r->type->id, field, drg_record_s(r, field), NULL) != DRG_OK)
		drg_record_unset(r, field);
	return true;
}

static int repair_keys(struct repairing *x)
{
	const struct drg_filter keys = { .type = &drg_types[DRG_TYPE_API_KEY] };
	const struct repair_row *rows;
	size_t n;
	int rc = repair_scan(x, &keys, NULL, &rows, &n);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		struct drg_record r = rows[i].r;
		const bool name = repair_text(&r, DRG_F_NAME), note = repair_text(&r, DRG_F_NOTE);
		if ((!name && !note) || drg_record_check(&r, NULL) != DRG_OK)
			continue;
		rc = repair_put(x, &r);
		if (rc == DRG_OK)
			rc = drg_txn_access_note(x->t, DRG_ACCESS_KEY, r.v[DRG_F_ID].i, "changed", REPAIR_BY,
			                         name && note ? DRG_STR("name, note, which were too long")
			                         : name       ? DRG_STR("name, which was too long")
			                                      : DRG_STR("note, which was too long"),
			                         x->err);
		x->n.texts++;
	}
	return rc;
}

/* ---- when ---------------------------------------------------------------------------------------------- */

static int repair_found(void *ctx, const void *row)
{
	(void)row;
	*(bool *)ctx = true;
	return DRG_OK;
}

static int repair_is_done(struct drg_store *s, bool *ret, struct drg_err *reterr)
{
	const struct drg_side_values v = { 1, { drg_side_s(REPAIR_NAME) } };
	*ret = false;
	return drg_store_side(s, DRG_SIDE_ONE + DRG_SIDE_REPAIR, &v, repair_found, ret, reterr);
}

static int repair_commit(struct repairing *x)
{
	const struct drg_repair done = { REPAIR_NAME };
	bool is_done;
	int rc = repair_is_done(x->s, &is_done, x->err); /* another process can have done it meanwhile */
	if (rc == DRG_OK && !is_done)
		rc = repair_ids(x);
	if (rc == DRG_OK && !is_done)
		rc = repair_keys(x);
	if (rc == DRG_OK && !is_done)
		rc = drg_txn_side_put(x->t, DRG_SIDE_REPAIR, &done, x->err);
	struct drg_txn *t = x->t;
	x->t = NULL;
	if (rc == DRG_OK)
		return drg_txn_commit(t, NULL, x->err);
	drg_txn_rollback(t);
	return rc;
}

int drg_store_repair(struct drg_store *s, const char *place, struct drg_err *reterr)
{
	struct repairing x = { .s = s, .err = reterr };
	bool is_done = drg_store_upgrade_refused();
	int rc = is_done ? DRG_OK : repair_is_done(s, &is_done, reterr);
	if (rc != DRG_OK || is_done)
		return rc;
	rc = drg_store_begin(s, &x.t, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_arena_init(&x.arena, SIZE_MAX);
	drg_buf_init(&x.rows, SIZE_MAX);
	drg_buf_init(&x.odd, SIZE_MAX);
	rc = repair_commit(&x);
	drg_arena_done(&x.arena);
	drg_buf_done(&x.rows);
	drg_buf_done(&x.odd);
	if (rc == DRG_OK && x.n.ids + x.n.texts > 0)
		drg_store_log_repaired(place, &x.n);
	return rc;
}
