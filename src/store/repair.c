/* Repairs rows that older versions have written beyond the limits of the model, so that they can be exported
 * and imported: ids that were made of long names of countries, and names and notes of keys.
 *
 * The schema is upgraded first, in a transaction of its own. A row of the table `repair` says that a store
 * needs no repair. So a repair that was interrupted, or that a backup of an older version needs, is made at the
 * next opening. */
#include <assert.h>
#include <stdio.h>

#include "base/clock.h"
#include "model/check.h"
#include "model/key.h"
#include "model/ndjson.h"
#include "model/value.h"
#include "store/access_events.h"
#include "store/case_notes.h"
#include "store/side_priv.h"
#include "store/store_priv.h"
#include "store/suggestions.h"
#include "text/stamp.h"
#include "text/utf8.h"

#define REPAIR_NAME DRG_STR("limits")
#define REPAIR_BY DRG_STR("dragoman")

struct repairing {
	struct drg_store *s;
	struct drg_txn *t;
	struct drg_arena arena; /* texts of the rows */
	struct drg_buf rows; /* struct drg_record: those that a reading has gathered */
	bool (*wants)(const struct drg_record *r); /* which of them; NULL: all */
	unsigned ids, texts; /* how many were shortened */
	struct drg_err *err;
};

/* ---- rows ---------------------------------------------------------------------------------------------- */

static int repair_gather(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct repairing *x = ctx;
	struct drg_record copy;
	(void)m;
	if (x->wants != NULL && !x->wants(r))
		return DRG_OK;
	int rc = drg_record_copy(&x->arena, r, &copy);
	drg_buf_add(&x->rows, &copy, sizeof copy);
	return rc == DRG_OK && x->rows.rc == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
}

/* Take the gathered rows, so that others can be gathered while they are changed. */
static int repair_take(struct repairing *x, const struct drg_record **ret, size_t *ret_n)
{
	struct drg_record *v = drg_arena_alloc(&x->arena, x->rows.n + 1);
	if (v == NULL)
		return drg_fail_memory(x->err);
	if (x->rows.n > 0)
		memcpy(v, x->rows.p, x->rows.n);
	*ret = v;
	*ret_n = x->rows.n / sizeof *v;
	drg_buf_clear(&x->rows);
	return DRG_OK;
}

static int repair_scan(struct repairing *x, const struct drg_filter *f,
                       bool (*wants)(const struct drg_record *r), const struct drg_record **ret,
                       size_t *ret_n)
{
	x->wants = wants;
	int rc = drg_store_scan(x->s, f, repair_gather, x, NULL, x->err);
	return rc == DRG_OK ? repair_take(x, ret, ret_n) : rc;
}

static int repair_siblings(struct repairing *x, const struct drg_record *key, const struct drg_record **ret,
                           size_t *ret_n)
{
	x->wants = NULL;
	int rc = drg_store_siblings(x->s, key, repair_gather, x, x->err);
	return rc == DRG_OK ? repair_take(x, ret, ret_n) : rc;
}

static int repair_put(struct repairing *x, const struct drg_record *r)
{
	enum drg_put_result result;
	return drg_txn_put(x->t, r, &result, x->err);
}

/* Give a row another id. One that breaks the model in another way too stays as it is, and 'dragoman check'
 * reports it. */
static int repair_rename(struct repairing *x, const struct drg_record *was, struct drg_str id, bool *ret)
{
	struct drg_record is = *was, gone = *was;
	drg_record_set_s(&is, DRG_F_SOURCE_ID, id);
	gone.deleted = true;
	*ret = drg_record_check(&is, NULL) == DRG_OK;
	int rc = *ret ? drg_store_exists(x->s, &is, x->err) : DRG_OK;
	if (rc == DRG_ENOENT)
		rc = repair_put(x, &is);
	return rc == DRG_OK && *ret ? repair_put(x, &gone) : rc;
}

/* ---- what belongs to a source -------------------------------------------------------------------------- */

/* The beginning of its line of NDJSON, with its id. */
static void repair_line(const struct drg_record *source, struct drg_str id, struct drg_buf *ret)
{
	struct drg_record key;
	drg_key_source(&key, source->v[DRG_F_ADAPTER_ID].i, drg_record_kind(source), id);
	drg_ndjson_write(&key, ret);
	ret->n -= ret->rc == DRG_OK ? sizeof "}\n" - 1 : 0;
}

/* A batch keeps records as they were before it, by which it can be undone. */
static int repair_items(struct repairing *x, int64_t batch, const struct drg_record *source,
                        struct drg_str id)
{
	struct drg_record key;
	struct drg_buf was, is;
	const struct drg_record *items;
	size_t n = 0;
	drg_buf_init(&was, SIZE_MAX);
	drg_buf_init(&is, SIZE_MAX);
	repair_line(source, source->v[DRG_F_SOURCE_ID].s, &was);
	drg_key_batch_item(&key, batch, 0);
	int rc = repair_siblings(x, &key, &items, &n);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		const struct drg_str line = drg_record_s(&items[i], DRG_F_DATA);
		if (line.n <= was.n || memcmp(line.p, was.p, was.n) != 0 ||
		    (line.p[was.n] != ',' && line.p[was.n] != '}'))
			continue;
		struct drg_record item = items[i];
		drg_buf_clear(&is);
		repair_line(source, id, &is);
		drg_buf_add(&is, line.p + was.n, line.n - was.n);
		drg_record_set_s(&item, DRG_F_DATA, drg_buf_view(&is));
		rc = is.rc == DRG_OK && was.rc == DRG_OK ? repair_put(x, &item) : drg_fail_memory(x->err);
	}
	drg_buf_done(&was);
	drg_buf_done(&is);
	return rc;
}

/* Say in its history what became of it: it is there again, with the mapping that it had. */
static int repair_tell(struct repairing *x, const struct drg_record *source, int64_t after_us)
{
	struct drg_record e;
	char at[DRG_STAMP_TEXT];
	int64_t us = drg_wall_us();
	if (!drg_record_has(source, DRG_F_DICT_ID))
		return DRG_OK;
	drg_key_event(&e, source->v[DRG_F_ADAPTER_ID].i, drg_record_kind(source),
	              source->v[DRG_F_SOURCE_ID].s);
	drg_record_set_s(&e, DRG_F_AT, drg_str(at, drg_stamp_text(us > after_us ? us : after_us + 1, at)));
	drg_record_set_i(&e, DRG_F_TO, source->v[DRG_F_DICT_ID].i);
	drg_record_set_s(&e, DRG_F_BY, REPAIR_BY);
	drg_record_set_s(&e, DRG_F_WHY, DRG_STR("its id had more than 64 characters and was shortened"));
	drg_record_set_i(&e, DRG_F_HOW, DRG_HOW_BACK);
	return repair_put(x, &e);
}

static int repair_history(struct repairing *x, const struct drg_record *source, struct drg_str id)
{
	const int64_t adapter = source->v[DRG_F_ADAPTER_ID].i;
	const struct drg_str was = source->v[DRG_F_SOURCE_ID].s;
	struct drg_record key, now = *source;
	const struct drg_record *rows;
	int64_t last_us = 0, us;
	bool done;
	size_t n = 0;
	drg_key_event(&key, adapter, drg_record_kind(source), was);
	int rc = repair_siblings(x, &key, &rows, &n);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		if (drg_stamp_parse(rows[i].v[DRG_F_AT].s, &us) && us > last_us)
			last_us = us;
		rc = repair_rename(x, &rows[i], id, &done);
		if (rc == DRG_OK && drg_record_has(&rows[i], DRG_F_OF_BATCH))
			rc = repair_items(x, rows[i].v[DRG_F_OF_BATCH].i, source, id);
	}
	drg_key_not_same(&key, adapter, drg_record_kind(source), was, 0);
	if (rc == DRG_OK)
		rc = repair_siblings(x, &key, &rows, &n);
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		rc = repair_rename(x, &rows[i], id, &done);
	drg_record_set_s(&now, DRG_F_SOURCE_ID, id);
	return rc == DRG_OK ? repair_tell(x, &now, last_us) : rc;
}

struct repair_side {
	struct repairing *x;
	struct drg_suggestion suggestion;
	struct drg_buf notes; /* struct drg_case_note */
};

static int repair_keep_text(struct repair_side *d, struct drg_str *text)
{
	*text = drg_arena_str(&d->x->arena, *text);
	return text->p != NULL ? DRG_OK : drg_fail_memory(d->x->err);
}

static int repair_take_suggestion(void *ctx, const struct drg_suggestion *s)
{
	struct repair_side *d = ctx;
	d->suggestion = *s;
	int rc = repair_keep_text(d, &d->suggestion.reason);
	if (rc == DRG_OK)
		rc = repair_keep_text(d, &d->suggestion.ranked);
	return rc == DRG_OK ? repair_keep_text(d, &d->suggestion.explanation) : rc;
}

static int repair_take_note(void *ctx, const struct drg_case_note *n)
{
	struct repair_side *d = ctx;
	struct drg_case_note copy = *n;
	int rc = repair_keep_text(d, &copy.what);
	if (rc == DRG_OK)
		rc = repair_keep_text(d, &copy.who);
	if (rc == DRG_OK)
		rc = repair_keep_text(d, &copy.detail);
	drg_buf_add(&d->notes, &copy, sizeof copy);
	return rc == DRG_OK && d->notes.rc != DRG_OK ? drg_fail_memory(d->x->err) : rc;
}

/* Move what stands beside a source: its suggestion, and the notes of people. */
static int repair_beside(struct repairing *x, const struct drg_record *source, struct drg_str id)
{
	const int64_t adapter = source->v[DRG_F_ADAPTER_ID].i;
	const enum drg_kind kind = drg_record_kind(source);
	const struct drg_str was = source->v[DRG_F_SOURCE_ID].s;
	struct repair_side d = { .x = x };
	drg_buf_init(&d.notes, SIZE_MAX);
	int rc = drg_store_suggestion(x->s, adapter, kind, was, repair_take_suggestion, &d, x->err);
	const bool suggested = rc == DRG_OK;
	d.suggestion.id = id;
	if (suggested)
		rc = drg_txn_suggestion_put(x->t, &d.suggestion, x->err);
	if (suggested && rc == DRG_OK)
		rc = drg_txn_suggestion_delete(x->t, adapter, kind, was, x->err);
	if (rc == DRG_OK || rc == DRG_ENOENT)
		rc = drg_store_case_notes(x->s, adapter, kind, was, repair_take_note, &d, x->err);
	struct drg_case_note *notes = (struct drg_case_note *)(void *)d.notes.p;
	for (size_t i = 0; i < d.notes.n / sizeof *notes && rc == DRG_OK; i++) {
		notes[i].id = id;
		rc = drg_txn_case_note(x->t, &notes[i], x->err);
	}
	drg_buf_done(&d.notes);
	return rc;
}

/* ---- what is repaired ---------------------------------------------------------------------------------- */

static bool repair_id_is_long(const struct drg_record *r)
{
	return drg_utf8_count(r->v[DRG_F_SOURCE_ID].s) > DRG_CHARS_ID;
}

/* A source of a country got its name as its id, however long, when a hotel was decided about that named it. */
static int repair_ids(struct repairing *x, int64_t adapter)
{
	const struct drg_filter countries = { .type = &drg_types[DRG_TYPE_SOURCE],
		                              .one_kind = true,
		                              .kind = DRG_KIND_COUNTRY,
		                              .adapter = adapter };
	const struct drg_record *rows;
	char room[DRG_NAME_ID];
	size_t n = 0;
	bool done;
	int rc = repair_scan(x, &countries, repair_id_is_long, &rows, &n);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		const struct drg_str id = drg_key_name_id(rows[i].v[DRG_F_SOURCE_ID].s, room);
		rc = repair_rename(x, &rows[i], id, &done);
		if (rc != DRG_OK || !done)
			continue;
		rc = repair_history(x, &rows[i], id);
		if (rc == DRG_OK)
			rc = repair_beside(x, &rows[i], id);
		x->ids++;
	}
	return rc;
}

/* Cut a text at its limit; one that does not fit then is taken away. @return has it changed? */
static bool repair_text(struct drg_record *r, enum drg_field field)
{
	const struct drg_field_def *f = drg_field_of(r->type, field);
	const struct drg_str was = drg_record_s(r, field);
	if (was.n == 0 || drg_field_check_text(r->type->id, field, was, NULL) == DRG_OK)
		return false;
	drg_record_set_s(r, field, drg_utf8_first(was, (size_t)f->max));
	if (drg_field_check_text(r->type->id, field, r->v[field].s, NULL) != DRG_OK)
		r->has &= ~(UINT64_C(1) << field);
	return true;
}

static int repair_keys(struct repairing *x)
{
	const struct drg_filter keys = { .type = &drg_types[DRG_TYPE_API_KEY] };
	const struct drg_record *rows;
	size_t n = 0;
	int rc = repair_scan(x, &keys, NULL, &rows, &n);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		struct drg_record r = rows[i];
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
		x->texts++;
	}
	return rc;
}

static int repair_all(struct repairing *x)
{
	const struct drg_filter adapters = { .type = &drg_types[DRG_TYPE_ADAPTER] };
	const struct drg_record *rows;
	size_t n = 0;
	int rc = repair_scan(x, &adapters, NULL, &rows, &n);
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		rc = repair_ids(x, rows[i].v[DRG_F_ID].i);
	return rc == DRG_OK ? repair_keys(x) : rc;
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
	int rc = repair_is_done(x->s, &is_done, x->err); /* another process may have done it meanwhile */
	if (rc == DRG_OK && !is_done)
		rc = repair_all(x);
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
	rc = repair_commit(&x);
	drg_arena_done(&x.arena);
	drg_buf_done(&x.rows);
	if (rc == DRG_OK && x.ids + x.texts > 0)
		drg_store_log_repaired(place, x.ids, x.texts);
	return rc;
}
