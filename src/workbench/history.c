/* GET curate/history: who decided what, about suppliers' records and about the reference (decisions C7 and
 * M42). */
#include "workbench/history_priv.h"

#include <string.h>

#include "api/curate_words.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "base/clock.h"
#include "decide/newest.h"
#include "model/key.h"
#include "store/store.h"
#include "text/stamp.h"
#include "workbench/record_json.h"

/* ---- the newest of all --------------------------------------------------------------------------------- */

bool drg_history_is_shared(const struct drg_record *r)
{
	return r->type->id == DRG_TYPE_DICT_EVENT;
}

struct drg_str drg_history_how(const struct drg_record *r)
{
	enum drg_field f = drg_history_is_shared(r) ? DRG_F_DICT_HOW : DRG_F_HOW;
	return drg_str_c(drg_field_of(r->type, f)->words[drg_record_i(r, f, 0)]);
}

static bool history_wants(const struct drg_history_work *h, const struct drg_record *r, int64_t at,
                          int64_t row)
{
	const struct drg_newest_event e = { .at_us = at, .row = row };
	return (h->adapter == 0 || r->v[DRG_F_ADAPTER_ID].i == h->adapter) &&
	       (!h->one_dict || r->v[DRG_F_ID].i == h->dict_id) &&
	       (drg_history_is_shared(r) || h->batch == 0 ||
	        drg_record_i(r, DRG_F_OF_BATCH, 0) == h->batch) &&
	       (h->kind == DRG_KIND_NONE || drg_record_kind(r) == h->kind) &&
	       (h->what.n == 0 || drg_str_eq(drg_history_how(r), h->what)) &&
	       (h->by.n == 0 || drg_str_eq(drg_record_s(r, DRG_F_BY), h->by)) &&
	       (h->since_us == INT64_MIN || at >= h->since_us) &&
	       drg_newest_order(&e, h->before_us, h->before_row) < 0;
}

static int64_t history_ms(int64_t us)
{
	return us / 1000 - (us % 1000 < 0);
}

/* When was an event? @return False: this program cannot show it. */
static bool history_at(const struct drg_record *r, int64_t *ret_us)
{
	return drg_record_find_unknown_enum(r) == NULL && drg_stamp_parse(r->v[DRG_F_AT].s, ret_us);
}

static int history_take(struct drg_history_work *h, const struct drg_stored *event, int64_t at_us)
{
	/* no two events have the same */
	int64_t row = 2 * event->m.row + drg_history_is_shared(&event->r);
	return history_wants(h, &event->r, at_us, row) ? drg_newest_take(&h->newest, &event->r, at_us, row)
	                                               : DRG_OK;
}

/* The beginning of a time, up to its milliseconds. @return @p room */
static const char *history_bound(int64_t ms, char room[DRG_STAMP_TEXT])
{
	drg_stamp_text(ms * 1000, room);
	*strchr(room, 'Z') = '\0';
	return room;
}

/* From when on there can be such: a batch has nothing from before it began, by whatever clock. */
static int history_from(const struct drg_history_work *h, struct drg_store *s, int64_t *ret,
                        struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_record key;
	int64_t began;
	*ret = h->since_us;
	if (h->batch == 0)
		return DRG_OK;
	drg_key_batch(&key, h->batch);
	drg_rows_get(&rows, s, &key, reterr);
	if (drg_rows_next(&rows) && drg_stamp_parse(drg_record_s(&rows.row.r, DRG_F_AT), &began) &&
	    began >= DRG_DAY_US && began - DRG_DAY_US > *ret)
		*ret = began - DRG_DAY_US;
	int rc = drg_rows_end(&rows);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* Read the events of all suppliers and kinds, the latest first; within a millisecond in another order than by
 * time. */
static int history_read_latest(struct drg_history_work *h, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_rows rows;
	int64_t since_us;
	char from[DRG_STAMP_TEXT], before[DRG_STAMP_TEXT];
	struct drg_filter f = { .type = &drg_types[DRG_TYPE_MAPPING_EVENT], .latest_first = true };
	int rc = history_from(h, s, &since_us, reterr);
	if (rc != DRG_OK)
		return rc;
	if (since_us != INT64_MIN)
		f.at_from = history_bound(history_ms(since_us), from);
	if (h->before_us != INT64_MAX)
		f.at_before = history_bound(history_ms(h->before_us) + 1, before);
	h->ms = INT64_MAX;
	for (drg_rows_scan(&rows, s, &f, reterr); drg_rows_next(&rows);) {
		int64_t at_us;
		if (!history_at(&rows.row.r, &at_us))
			continue;
		h->stopped =
		        history_ms(at_us) != h->ms && (h->newest.more || h->looked >= HISTORY_LOOKED_MAX);
		if (h->stopped)
			break;
		h->ms = history_ms(at_us);
		h->looked++;
		rows.rc = history_take(h, &rows.row, at_us);
	}
	return drg_rows_end(&rows);
}

/* A supplier that has few is read by its events, which come in any order, so all of them count, or nothing;
 * others by time. */
static int history_read(struct drg_history_work *h, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_MAPPING_EVENT],
		                      .adapter = h->adapter,
		                      .one_kind = h->kind != DRG_KIND_NONE,
		                      .kind = h->kind,
		                      .any_order = true };
	h->looked = 0;
	h->stopped = false;
	if (h->adapter == 0)
		return history_read_latest(h, s, reterr);
	for (drg_rows_scan(&rows, s, &f, reterr); drg_rows_next(&rows);) {
		int64_t at_us;
		if (++h->looked > HISTORY_LOOKED_MAX)
			break;
		if (history_at(&rows.row.r, &at_us))
			rows.rc = history_take(h, &rows.row, at_us);
	}
	int rc = drg_rows_end(&rows);
	if (rc != DRG_OK || h->looked <= HISTORY_LOOKED_MAX)
		return rc;
	drg_newest_done(&h->newest);
	h->looked = 0;
	rc = drg_newest_init(&h->newest, h->limit);
	return rc == DRG_OK ? history_read_latest(h, s, reterr) : rc;
}

/* Copy the page's events into the arena of the request. */
static int history_keep(struct drg_history_work *h, struct drg_arena *arena)
{
	drg_newest_sort(&h->newest);
	h->more = h->newest.more;
	h->v = drg_arena_alloc(arena, h->newest.n * sizeof *h->v + 1);
	int rc = h->v != NULL ? DRG_OK : DRG_ENOMEM;
	for (h->n = 0; h->n < h->newest.n && rc == DRG_OK; h->n++) {
		struct drg_record r;
		drg_newest_at(&h->newest, h->n, &r);
		h->v[h->n].at_us = h->newest.v[h->n].at_us;
		h->v[h->n].row = h->newest.v[h->n].row;
		rc = drg_record_copy(arena, &r, &h->v[h->n].r);
	}
	return rc;
}

/* Add the events of the reference behind those of supplier records. Curators decide about them one by one, so
 * all of them are read. */
static int history_read_shared(struct drg_history_work *h, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_DICT_EVENT],
		                      .one_kind = h->kind != DRG_KIND_NONE,
		                      .kind = h->kind,
		                      .any_order = true };
	for (drg_rows_scan(&rows, s, &f, reterr); drg_rows_next(&rows);) {
		int64_t at_us;
		if (history_at(&rows.row.r, &at_us) && !(h->stopped && history_ms(at_us) < h->ms))
			rows.rc = history_take(h, &rows.row, at_us);
	}
	return drg_rows_end(&rows);
}

/* Read the history. Events about the reference have no supplier and no batch. */
static int history_run(void *work, struct drg_store *s, struct drg_arena *arena, struct drg_err *reterr)
{
	struct drg_history_work *h = work;
	int rc = drg_newest_init(&h->newest, h->limit);
	if (rc == DRG_OK && !h->one_dict)
		rc = history_read(h, s, reterr);
	if (rc == DRG_OK && h->adapter == 0 && h->batch == 0)
		rc = history_read_shared(h, s, reterr);
	if (rc == DRG_OK)
		rc = history_keep(h, arena);
	drg_newest_done(&h->newest);
	return rc;
}

/* ---- the request --------------------------------------------------------------------------------------- */

/* A place that an answer can have given; a time before 1970 has a minus of its own. */
static bool history_place(struct drg_str cursor, int64_t *ret_us, int64_t *ret_row)
{
	static const int64_t YEAR_0_US = -62167219200000000, YEAR_10000_US = 253402300800000000;
	size_t row = cursor.n;
	while (row > 0 && cursor.p[row - 1] != '-')
		row--;
	return row > 0 && drg_str_to_i64(drg_str(cursor.p, row - 1), ret_us) &&
	       drg_str_to_i64(drg_str(cursor.p + row, cursor.n - row), ret_row) && *ret_us >= YEAR_0_US &&
	       *ret_us < YEAR_10000_US - 1000;
}

static int history_read_cursor(struct drg_exchange *x, struct drg_history_work *h)
{
	struct drg_str cursor = drg_exchange_text(x, "cursor");
	h->before_us = h->before_row = INT64_MAX;
	if (cursor.n == 0 || history_place(cursor, &h->before_us, &h->before_row))
		return DRG_OK;
	return drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(invalid_cursor), "cursor",
	                "cursor: expected one that an answer gave, as it was given");
}

static int curate_history(struct drg_exchange *x)
{
	struct drg_history_work *h = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *h);
	if (h == NULL)
		return DRG_ENOMEM;
	*h = (struct drg_history_work){ .adapter = drg_exchange_int(x, "adapter_id", 0),
		                        .batch = drg_exchange_int(x, "batch", 0),
		                        .one_dict = drg_exchange_has(x, "dict_id"),
		                        .dict_id = drg_exchange_int(x, "dict_id", 0),
		                        .since_us = INT64_MIN,
		                        .kind = drg_kind_by_name(drg_exchange_text(x, "kind")),
		                        .by = drg_exchange_text(x, "by"),
		                        .what = drg_exchange_text(x, "what"),
		                        .limit = (size_t)drg_exchange_int(x, "limit", HISTORY_DEFAULT) };
	int rc = drg_curate_since(x, &h->since_us);
	if (rc == DRG_OK)
		rc = history_read_cursor(x, h);
	if (rc == DRG_OK && drg_exchange_has(x, "adapter_id"))
		rc = drg_api_check_adapter(x, h->adapter);
	return rc == DRG_OK ? drg_store_work_run(x, history_run, drg_history_write, h) : rc;
}

static bool history_is_word(const char *const *words, struct drg_str word)
{
	while (*words != NULL && !drg_str_eq(word, drg_str_c(*words)))
		words++;
	return *words != NULL;
}

static int history_check_what(struct drg_str value, const char *name, struct drg_err *reterr)
{
	const struct drg_field_def *how = drg_field_of(&drg_types[DRG_TYPE_MAPPING_EVENT], DRG_F_HOW);
	const struct drg_field_def *shared = drg_field_of(&drg_types[DRG_TYPE_DICT_EVENT], DRG_F_DICT_HOW);
	return history_is_word(how->words, value) || history_is_word(shared->words, value)
	               ? DRG_OK
	               : drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_word), name,
	                          "%s: expected what was decided, such as set, merge or name, found \"%.*s\"",
	                          name, DRG_STR_ARG(value));
}

static const struct drg_param history_params[] = {
	{ .name = "kind",
	  .type = DRG_P_TEXT,
	  .max = 32,
	  .check = drg_curate_check_dict_kind,
	  .schema = DRG_SCHEMA_DICT_KIND,
	  .doc = "only records of this kind" },
	{ .name = "adapter_id", .type = DRG_P_INT, .doc = "only records of this supplier" },
	{ .name = "dict_id", .type = DRG_P_INT, .doc = "only events of this reference record" },
	{ .name = "what",
	  .type = DRG_P_TEXT,
	  .max = 32,
	  .check = history_check_what,
	  .schema = "{\"enum\":[\"set\",\"undo\",\"merge\",\"split\",\"import\",\"gone\",\"back\","
	            "\"match\",\"audit\",\"name\"]}",
	  .doc = "only decisions of this sort" },
	DRG_PARAM_LANG,
	{ .name = "by", .type = DRG_P_TEXT, .max = DRG_CHARS_BY, .doc = "only this person's decisions" },
	{ .name = "batch", .type = DRG_P_INT, .doc = "only events of this batch" },
	DRG_PARAM_CURATE_SINCE,
	{ .name = "limit",
	  .type = DRG_P_INT,
	  .min = 1,
	  .max = HISTORY_MAX,
	  .doc = "events at most; 100 when absent" },
	{ .name = "cursor",
	  .type = DRG_P_TEXT,
	  .max = 64,
	  .doc = "of the page before; from the newest when absent" },
	{ 0 },
};

const struct drg_endpoint drg_curate_history[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/history",
	  .name = "curateHistory",
	  .handler = curate_history,
	  .auth = DRG_AUTH_VIEWER,
	  .params = history_params,
	  .summary = "List decisions, the newest first",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter) },
	{ 0 },
};
