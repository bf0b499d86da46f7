/* Finds out which sources are closed to the matcher because people decided about them, and which are open
 * again because the decision was undone (decisions M30, M34, M36). */
#include "matching/learn/decided.h"

#include <stdlib.h>

#include "matching/automap.h"
#include "decide/history.h"
#include "model/key.h"
#include "store/fetch.h"

uint64_t drg_automap_source_key(int64_t adapter, enum drg_kind kind, struct drg_str id)
{
	return drg_match_hash(id, (uint64_t)adapter * 16 + (uint64_t)kind);
}

/* Is the event a decision of people? The undoing of a batch is none; a list that was read back and removes a
 * mapping is one. */
static bool is_by_people(const struct drg_record *event)
{
	switch ((enum drg_how)drg_record_i(event, DRG_F_HOW, DRG_HOW_SET)) {
	case DRG_HOW_SET:
	case DRG_HOW_AUDIT: return true;
	case DRG_HOW_UNDO: return !drg_record_has(event, DRG_F_OF_BATCH);
	case DRG_HOW_IMPORT: return !drg_record_has(event, DRG_F_TO);
	default: return false;
	}
}

static bool is_taken_back(const struct drg_record *event)
{
	return (enum drg_how)drg_record_i(event, DRG_F_HOW, DRG_HOW_SET) == DRG_HOW_UNDO &&
	       !drg_record_has(event, DRG_F_TO);
}

/* The batch of a mapping that came with a file; 0: another mapping. */
static int64_t batch_of_file(const struct drg_record *event)
{
	bool file = (enum drg_how)drg_record_i(event, DRG_F_HOW, DRG_HOW_SET) == DRG_HOW_IMPORT;
	return file && drg_record_has(event, DRG_F_TO) ? drg_record_i(event, DRG_F_OF_BATCH, 0) : 0;
}

/* Is it a list that people filled in? Unlike a supplier's own data, that is their decision. */
static bool is_list(const struct drg_record *batch)
{
	return drg_record_i(batch, DRG_F_WHAT, -1) == DRG_BATCH_MAP;
}

static int decided_is_list(struct drg_store *s, int64_t batch, bool *ret, struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_record key;
	*ret = false;
	drg_key_batch(&key, batch);
	drg_rows_get(&rows, s, &key, reterr);
	if (drg_rows_next(&rows))
		*ret = is_list(&rows.row.r);
	int rc = drg_rows_end(&rows);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* The state while a history is read, from the oldest event to the last. */
struct openness_reading {
	enum drg_automap_openness open;
	int64_t file; /* batch_of_file() of the present mapping */
	struct drg_buf undone; /* int64_t: batches whose mapping was undone with them */
};

static bool is_move(const struct drg_record *event)
{
	enum drg_how how = (enum drg_how)drg_record_i(event, DRG_F_HOW, DRG_HOW_SET);
	return how == DRG_HOW_MERGE || how == DRG_HOW_SPLIT;
}

static bool known_to_people(const struct openness_reading *x)
{
	return x->open == DRG_AUTOMAP_CLOSED || x->open == DRG_AUTOMAP_ASK;
}

static void note_undone(struct openness_reading *x, const struct drg_record *r)
{
	bool of_batch = drg_record_has(r, DRG_F_OF_BATCH);
	if (of_batch && x->file != 0)
		drg_buf_add(&x->undone, &x->file, sizeof x->file);
	x->open = known_to_people(x) || !of_batch ? DRG_AUTOMAP_ASK : DRG_AUTOMAP_ASK_SERVER;
}

static int note_event(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct openness_reading *x = ctx;
	if (is_taken_back(r))
		note_undone(x, r);
	else if (is_by_people(r))
		x->open = DRG_AUTOMAP_CLOSED;
	else if (!known_to_people(x))
		x->open = DRG_AUTOMAP_OPEN;
	if (!is_move(r))
		x->file = batch_of_file(r);
	return x->undone.rc;
}

/* Decisions of a list that was undone leave an open question, like decisions that were undone one by one. */
static int openness_of_lists(struct openness_reading *x, struct drg_store *s, struct drg_err *reterr)
{
	const int64_t *v = (const int64_t *)(const void *)x->undone.p;
	int rc = DRG_OK;
	for (size_t i = 0; i < x->undone.n / sizeof *v && rc == DRG_OK && !known_to_people(x); i++) {
		bool list;
		rc = decided_is_list(s, v[i], &list, reterr);
		if (rc == DRG_OK && list)
			x->open = DRG_AUTOMAP_ASK;
	}
	return rc;
}

int drg_automap_openness(struct drg_store *s, const struct drg_record *key, enum drg_automap_openness *ret,
                         struct drg_err *reterr)
{
	struct openness_reading x = { .open = DRG_AUTOMAP_OPEN };
	drg_buf_init(&x.undone, SIZE_MAX);
	int rc = drg_event_each(s, key, note_event, &x, reterr);
	if (rc == DRG_OK)
		rc = openness_of_lists(&x, s, reterr);
	drg_buf_done(&x.undone);
	*ret = x.open;
	return rc;
}

int drg_automap_find_open(struct drg_store *s, const struct drg_record *key, struct drg_arena *arena,
                          struct drg_record *ret, enum drg_automap_openness *ret_open, struct drg_err *reterr)
{
	int rc = drg_fetch(s, key, arena, ret, reterr);
	if (rc == DRG_OK && drg_record_has(ret, DRG_F_DICT_ID))
		rc = DRG_ENOENT;
	if (rc == DRG_OK)
		rc = drg_automap_openness(s, key, ret_open, reterr);
	return rc == DRG_OK && *ret_open == DRG_AUTOMAP_CLOSED ? DRG_ENOENT : rc;
}

/* The sources whose history must be read: few of those that were decided about. */
struct decided_reading {
	struct drg_tally *decided;
	struct drg_arena texts;
	struct drg_buf undone; /* struct drg_automap_source, each once */
	struct drg_tally queued; /* those in `undone` */
	struct drg_buf lists; /* int64_t: batches of lists that people filled in, ascending */
	struct drg_tally listed; /* sources that these mapped */
};

static int by_number(const void *pa, const void *pb)
{
	const int64_t *a = pa, *b = pb;
	return *a < *b ? -1 : *a > *b;
}

static bool decided_is_listed(const struct decided_reading *x, const struct drg_record *event)
{
	int64_t batch = batch_of_file(event);
	return batch != 0 && x->lists.n > 0 &&
	       bsearch(&batch, x->lists.p, x->lists.n / sizeof batch, sizeof batch, by_number) != NULL;
}

static int count_decision(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct decided_reading *x = ctx;
	const struct drg_automap_source of = { r->v[DRG_F_ADAPTER_ID].i, drg_record_kind(r),
		                               r->v[DRG_F_SOURCE_ID].s };
	const uint64_t key = drg_automap_source_key(of.adapter, of.kind, of.id);
	int rc = DRG_OK;
	if (is_taken_back(r) && drg_tally_get(&x->queued, key) == 0) {
		struct drg_automap_source copy = of;
		copy.id = drg_arena_str(&x->texts, of.id);
		drg_buf_add(&x->undone, &copy, sizeof copy);
		rc = copy.id.p == NULL || x->undone.rc != DRG_OK ? DRG_ENOMEM
		                                                 : drg_tally_add(&x->queued, key);
	}
	if (rc == DRG_OK && decided_is_listed(x, r))
		rc = drg_tally_add(&x->listed, key);
	return rc == DRG_OK && is_by_people(r) ? drg_tally_add(x->decided, key) : rc;
}

static int count_undone(struct decided_reading *x, struct drg_store *s, struct drg_tally *ret_ask,
                        struct drg_err *reterr)
{
	const struct drg_automap_source *v = (const struct drg_automap_source *)(const void *)x->undone.p;
	int rc = DRG_OK;
	for (size_t i = 0; i < x->undone.n / sizeof *v && rc == DRG_OK; i++) {
		enum drg_automap_openness open;
		struct drg_record source;
		uint64_t key = drg_automap_source_key(v[i].adapter, v[i].kind, v[i].id);
		if (drg_tally_get(x->decided, key) == 0 && drg_tally_get(&x->listed, key) == 0)
			continue;
		drg_key_source(&source, v[i].adapter, v[i].kind, v[i].id);
		rc = drg_automap_openness(s, &source, &open, reterr);
		if (rc == DRG_OK && open == DRG_AUTOMAP_ASK)
			rc = drg_tally_add(ret_ask, key);
	}
	return rc;
}

int drg_automap_decided(struct drg_store *s, struct drg_tally *ret, struct drg_tally *ret_ask,
                        struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter all = { .type = &drg_types[DRG_TYPE_MAPPING_EVENT], .any_order = true };
	const struct drg_filter batches = { .type = &drg_types[DRG_TYPE_BATCH] };
	struct decided_reading x = { .decided = ret };
	drg_arena_init(&x.texts, SIZE_MAX);
	drg_buf_init(&x.undone, SIZE_MAX);
	drg_buf_init(&x.lists, SIZE_MAX);
	drg_tally_init(&x.queued);
	drg_tally_init(&x.listed);
	for (drg_rows_scan(&rows, s, &batches, reterr); drg_rows_next(&rows);) {
		if (is_list(&rows.row.r))
			drg_buf_add(&x.lists, &rows.row.r.v[DRG_F_ID].i, sizeof(int64_t));
		rows.rc = x.lists.rc;
	}
	int rc = drg_rows_end(&rows);
	if (rc == DRG_OK)
		rc = drg_rows_each(drg_rows_scan(&rows, s, &all, reterr), count_decision, &x);
	if (rc == DRG_OK)
		rc = count_undone(&x, s, ret_ask, reterr);
	drg_tally_done(&x.queued);
	drg_tally_done(&x.listed);
	drg_buf_done(&x.undone);
	drg_buf_done(&x.lists);
	drg_arena_done(&x.texts);
	return rc == DRG_ENOMEM ? drg_fail_memory(reterr) : rc;
}
