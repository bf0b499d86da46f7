#include "decide/ledger.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "decide/suggest.h"
#include "model/key.h"
#include "model/ndjson.h"
#include "model/value.h"
#include "store/suggestions.h"
#include "text/stamp.h"
#include "text/utf8.h"

void drg_ledger_init(struct drg_ledger *j)
{
	j->state = (struct drg_ledger_state){ .batch = 0 };
	/* Omit a file name that is not valid text. */
	if (drg_field_check_text(DRG_TYPE_BATCH, DRG_F_FILES, j->files, NULL) != DRG_OK)
		j->files = drg_str(NULL, 0);
	j->at_us = drg_wall_us();
	j->rc = DRG_OK;
	drg_buf_init(&j->was, SIZE_MAX);
}

void drg_ledger_done(struct drg_ledger *j)
{
	drg_buf_done(&j->was);
}

/* ---- the batch ----------------------------------------------------------------------------------------- */

/* Write the suppliers of the batch as "7,9"; write nothing if there are too many. */
static void ledger_set_adapters(const struct drg_ledger *j, struct drg_record *batch, char *text, size_t size)
{
	size_t n = 0;
	if (j->state.n_adapters > DRG_LEDGER_ADAPTERS)
		return;
	for (size_t i = 0; i < j->state.n_adapters; i++)
		n += (size_t)snprintf(text + n, size - n, "%s%" PRId64, i > 0 ? "," : "", j->adapters[i]);
	assert(n < size);
	drg_record_set_s(batch, DRG_F_OF_ADAPTERS, drg_str(text, n));
}

bool drg_ledger_of_adapter(const struct drg_record *batch, int64_t adapter)
{
	assert(batch->type->id == DRG_TYPE_BATCH);
	struct drg_str rest = drg_record_s(batch, DRG_F_OF_ADAPTERS), one;
	char number[DRG_I64_TEXT];
	if (!drg_record_has(batch, DRG_F_OF_ADAPTERS))
		return true;
	struct drg_str wanted = drg_str(number, drg_i64_text(adapter, number));
	while (drg_str_split(&rest, ',', &one))
		if (drg_str_eq(one, wanted))
			return true;
	return false;
}

/* @param complete  True: all suppliers of the batch are known. Without this mark the batch may be of any
 * supplier, for example after an interruption. */
static int ledger_put_batch(const struct drg_ledger *j, struct drg_txn *t, bool complete,
                            struct drg_err *reterr)
{
	enum drg_put_result result;
	struct drg_record r;
	char at[DRG_STAMP_TEXT], adapters[DRG_LEDGER_ADAPTERS * 12];
	drg_key_batch(&r, j->state.batch);
	drg_record_set_s(&r, DRG_F_AT, drg_str(at, drg_stamp_text(j->at_us, at)));
	drg_record_set_i(&r, DRG_F_WHAT, (int64_t)j->what);
	if (j->by.n > 0)
		drg_record_set_s(&r, DRG_F_BY, j->by);
	if (j->why.n > 0)
		drg_record_set_s(&r, DRG_F_WHY, j->why);
	if (j->files.n > 0)
		drg_record_set_s(&r, DRG_F_FILES, j->files);
	drg_record_set_i(&r, DRG_F_N_CREATED, j->state.created);
	drg_record_set_i(&r, DRG_F_N_CHANGED, j->state.changed);
	drg_record_set_i(&r, DRG_F_N_DELETED, j->state.removed);
	if (complete)
		ledger_set_adapters(j, &r, adapters, sizeof adapters);
	return drg_txn_put(t, &r, &result, reterr);
}

/* Find the highest number of a batch, from a known one on: others may have begun batches since. */
static int ledger_pass(struct drg_txn *t, int64_t *highest, struct drg_err *reterr)
{
	struct drg_record key;
	int rc;
	do {
		drg_key_batch(&key, *highest + 1);
		rc = drg_store_exists(drg_txn_store(t), &key, reterr);
		*highest += rc == DRG_OK;
	} while (rc == DRG_OK);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int ledger_begin(struct drg_ledger *j, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_rows rows;
	assert(j->state.batch == 0 && j->state.number == 0);
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_BATCH], .tombstones = true };
	int64_t highest = j->after;
	int rc;
	if (highest > 0) {
		rc = ledger_pass(t, &highest, reterr);
	} else {
		for (drg_rows_scan(&rows, drg_txn_store(t), &f, reterr); drg_rows_next(&rows);)
			highest = rows.row.r.v[DRG_F_ID].i > highest ? rows.row.r.v[DRG_F_ID].i : highest;
		rc = drg_rows_end(&rows);
	}
	j->state.batch = highest + 1;
	return rc == DRG_OK ? ledger_put_batch(j, t, false, reterr) : rc;
}

int drg_ledger_end(struct drg_ledger *j, struct drg_txn *t, struct drg_err *reterr)
{
	return j->state.batch > 0 ? ledger_put_batch(j, t, true, reterr) : DRG_OK;
}

/* ---- records ------------------------------------------------------------------------------------------- */

/* Must items name the records that were created? Yes, for decisions: a server commits them together with
 * records that others create, so their commits do not tell. */
static bool ledger_keeps_created(const struct drg_ledger *j)
{
	return j->what == DRG_BATCH_DECIDE;
}

/* Write the state of a record before it existed: a deleted record. */
static void ledger_write_gone(const struct drg_record *r, struct drg_buf *out)
{
	struct drg_record gone = *r;
	gone.deleted = true;
	drg_ndjson_write(&gone, out);
}

/* The supplier that a record belongs to; the record of a supplier belongs to itself. */
static int64_t ledger_adapter_of(const struct drg_record *r)
{
	return r->type->id == DRG_TYPE_ADAPTER ? r->v[DRG_F_ID].i : drg_record_i(r, DRG_F_ADAPTER_ID, 0);
}

/* Note the supplier of the record. Records mostly come sorted by supplier, so the last one noted is compared
 * first. */
static void ledger_note_adapter(struct drg_ledger *j)
{
	assert(j->state.n_adapters <= DRG_LEDGER_ADAPTERS + 1);
	size_t n = j->state.n_adapters, i = n;
	if (j->adapter == 0 || n > DRG_LEDGER_ADAPTERS)
		return;
	while (i > 0 && j->adapters[i - 1] != j->adapter)
		i--;
	if (i == 0 && n < DRG_LEDGER_ADAPTERS)
		j->adapters[n] = j->adapter;
	j->state.n_adapters += i == 0;
}

static void ledger_watch(void *ctx, const struct drg_record *was, const struct drg_record *is)
{
	assert(was == NULL || was->type == is->type);
	struct drg_ledger *j = ctx;
	j->watched = true;
	j->was_there = was != NULL; /* true also for a tombstone */
	j->was_alive = j->was_there && !was->deleted;
	j->is_deleted = is->deleted;
	j->adapter = ledger_adapter_of(is);
	j->is_source = is->type->id == DRG_TYPE_SOURCE;
	j->was_mapped = j->is_source && j->was_alive && drg_record_has(was, DRG_F_DICT_ID);
	j->is_mapped = j->is_source && !is->deleted && drg_record_has(is, DRG_F_DICT_ID);
	j->was_dict = j->was_mapped ? was->v[DRG_F_DICT_ID].i : 0;
	j->is_dict = j->is_mapped ? is->v[DRG_F_DICT_ID].i : 0;
	drg_buf_clear(&j->was);
	if (j->was_alive)
		drg_ndjson_write(was, &j->was);
	else if (ledger_keeps_created(j))
		ledger_write_gone(is, &j->was);
	j->rc = j->was.rc;
}

/* Write an item of the batch: the record as it was, or the mark of a commit. */
static int ledger_item(struct drg_ledger *j, struct drg_txn *t, struct drg_err *reterr)
{
	enum drg_put_result result;
	struct drg_record item;
	int64_t seq = drg_txn_seq(t);
	assert(j->state.batch > 0 && seq > 0);
	if (j->was.n == 0 && seq == j->state.seq)
		return DRG_OK;
	drg_key_batch_item(&item, j->state.batch, j->state.number++);
	drg_record_set_i(&item, DRG_F_SEQ, seq);
	if (j->was.n > 0)
		drg_record_set_s(&item, DRG_F_DATA, drg_str(j->was.p, j->was.n - 1));
	j->state.seq = seq;
	return drg_txn_put(t, &item, &result, reterr);
}

/* The time of the next event. It is always later than the last one, because two events of one source must not
 * have the same time. */
static int64_t ledger_event_at(struct drg_ledger *j)
{
	int64_t now = drg_wall_us();
	j->state.last_us = now > j->state.last_us ? now : j->state.last_us + 1;
	return j->state.last_us;
}

static struct drg_str ledger_event_why(const struct drg_ledger *j)
{
	if (j->event_why.n > 0)
		return j->event_why;
	return j->why.n > 0 ? j->why : drg_utf8_cut(j->files, 200);
}

static int ledger_event(struct drg_ledger *j, struct drg_txn *t, const struct drg_record *source,
                        enum drg_how how, struct drg_err *reterr)
{
	assert(j->state.batch > 0 && source->type->id == DRG_TYPE_SOURCE);
	enum drg_put_result result;
	struct drg_record e;
	char at[DRG_STAMP_TEXT];
	struct drg_str why = ledger_event_why(j);
	drg_key_event(&e, source->v[DRG_F_ADAPTER_ID].i, drg_record_kind(source),
	              source->v[DRG_F_SOURCE_ID].s);
	drg_record_set_s(&e, DRG_F_AT, drg_str(at, drg_stamp_text(ledger_event_at(j), at)));
	if (j->was_mapped)
		drg_record_set_i(&e, DRG_F_FROM, j->was_dict);
	if (j->is_mapped)
		drg_record_set_i(&e, DRG_F_TO, j->is_dict);
	if (j->by.n > 0)
		drg_record_set_s(&e, DRG_F_BY, j->by);
	if (why.n > 0)
		drg_record_set_s(&e, DRG_F_WHY, why);
	drg_record_set_i(&e, DRG_F_HOW, (int64_t)how);
	/* An event `undo` that names a batch means that the whole batch was undone, and judges nothing
	 * (decision M30). So a single decision names it only for a mapping. */
	if (j->event_how == NULL || how == DRG_HOW_SET || how == DRG_HOW_MATCH)
		drg_record_set_i(&e, DRG_F_OF_BATCH, j->state.batch);
	return drg_txn_put(t, &e, &result, reterr);
}

/* ---- sources that exist again -------------------------------------------------------------------------- */

/* Was the source removed while it was mapped? @p ret_dict  The dict record that it was mapped to, if that
 * still exists. */
static int ledger_find_back(struct drg_txn *t, const struct drg_record *source, bool *ret, int64_t *ret_dict,
                            struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_record key;
	bool gone = false;
	int64_t was = 0;
	*ret = false;
	drg_key_event(&key, source->v[DRG_F_ADAPTER_ID].i, drg_record_kind(source),
	              source->v[DRG_F_SOURCE_ID].s);
	/* The last event counts. */
	for (drg_rows_siblings(&rows, drg_txn_store(t), &key, 0, reterr); drg_rows_next(&rows);) {
		const struct drg_record *e = &rows.row.r;
		gone = drg_record_i(e, DRG_F_HOW, DRG_HOW_SET) == DRG_HOW_GONE &&
		       drg_record_has(e, DRG_F_FROM);
		was = drg_record_i(e, DRG_F_FROM, 0);
	}
	int rc = drg_rows_end(&rows);
	if (rc != DRG_OK || !gone)
		return rc;
	drg_key_dict(&key, drg_record_kind(source), was);
	rc = drg_store_exists(drg_txn_store(t), &key, reterr);
	*ret = rc == DRG_OK;
	*ret_dict = was;
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int ledger_bring_back(struct drg_ledger *j, struct drg_txn *t, const struct drg_record *r,
                             struct drg_err *reterr)
{
	assert(!j->is_mapped && !r->deleted);
	enum drg_put_result result;
	struct drg_record mapped = *r;
	int64_t dict;
	bool back;
	int rc = ledger_find_back(t, r, &back, &dict, reterr);
	if (rc != DRG_OK || !back)
		return rc;
	drg_record_set_i(&mapped, DRG_F_DICT_ID, dict);
	rc = drg_txn_put(t, &mapped, &result, reterr);
	j->is_mapped = true;
	j->is_dict = dict;
	return rc == DRG_OK ? ledger_event(j, t, r, DRG_HOW_BACK, reterr) : rc;
}

static const enum drg_how ledger_how[] = {
	[DRG_BATCH_IMPORT] = DRG_HOW_IMPORT, [DRG_BATCH_LOAD] = DRG_HOW_IMPORT,
	[DRG_BATCH_UNDO] = DRG_HOW_UNDO,     [DRG_BATCH_MAP] = DRG_HOW_IMPORT,
	[DRG_BATCH_MATCH] = DRG_HOW_MATCH,   [DRG_BATCH_DECIDE] = DRG_HOW_SET
};

static int ledger_mapping(struct drg_ledger *j, struct drg_txn *t, const struct drg_record *r, bool created,
                          struct drg_err *reterr)
{
	assert((size_t)j->what < DRG_ARRAY_LEN(ledger_how));
	bool changed = j->was_mapped != j->is_mapped || j->was_dict != j->is_dict;
	bool returns = created && j->was_there;
	if (returns && !j->is_mapped && j->remember && (r->nulls >> DRG_F_DICT_ID & 1) == 0)
		return ledger_bring_back(j, t, r, reterr);
	bool gone = j->is_deleted && j->what != DRG_BATCH_UNDO;
	if (!changed || (created && !j->first_mappings) || (gone && !j->remember))
		return DRG_OK;
	const bool lost = j->was_mapped && !j->is_mapped, asks = j->asks && lost && !gone;
	enum drg_how how = asks ? DRG_HOW_UNDO : j->event_how != NULL ? *j->event_how : ledger_how[j->what];
	int rc = ledger_event(j, t, r, gone ? DRG_HOW_GONE : how, reterr);
	/* A mapping that was removed is not suggested again, unless its removal was an undoing (M34). */
	if (rc == DRG_OK && lost && (asks || how != DRG_HOW_UNDO))
		rc = drg_txn_suggestion_delete(t, r->v[DRG_F_ADAPTER_ID].i, drg_record_kind(r),
		                               r->v[DRG_F_SOURCE_ID].s, reterr);
	return rc == DRG_OK && asks ? drg_suggest_reopen(t, r, &j->was_dict, reterr) : rc;
}

int drg_ledger_put(struct drg_ledger *j, struct drg_txn *t, const struct drg_record *r,
                   enum drg_put_result *ret, struct drg_err *reterr)
{
	j->watched = false;
	drg_txn_watch(t, ledger_watch, j);
	int rc = drg_txn_put(t, r, ret, reterr);
	drg_txn_watch(t, NULL, NULL);
	if (rc != DRG_OK || !j->watched)
		return rc;
	if (j->rc != DRG_OK)
		return drg_fail_memory(reterr);
	assert(*ret != DRG_PUT_SAME); /* drg_txn_put() calls ledger_watch() only for changes */
	bool source = j->is_source, created = !j->was_alive;
	j->state.created += *ret == DRG_PUT_CREATED;
	j->state.changed += *ret == DRG_PUT_CHANGED;
	j->state.removed += *ret == DRG_PUT_DELETED;
	ledger_note_adapter(j);
	if (j->state.batch == 0)
		rc = ledger_begin(j, t, reterr);
	if (rc == DRG_OK)
		rc = ledger_item(j, t, reterr);
	return rc == DRG_OK && source ? ledger_mapping(j, t, r, created, reterr) : rc;
}
