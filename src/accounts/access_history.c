/* GET access/history: what became of keys and people (decision E29). */
#include <assert.h>

#include "accounts/common.h"
#include "api/curate_words.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "store/access_events.h"

enum { HISTORY = 200, HISTORY_MAX = 1000 };

struct access_history {
	enum drg_access_sort sort;
	enum drg_type_id type;
	struct drg_str name; /* whose; empty: of all */
	int64_t number; /* likewise; 0: of all */
	struct drg_arena *arena;
	struct drg_access_event *v; /* newest first */
	size_t n, limit; /* n: limit + 1 if there are more */
	struct access_named {
		int64_t id;
		struct drg_str name;
		struct access_named *next;
	} * names;
};

static int history_take(void *ctx, const struct drg_access_event *e)
{
	struct access_history *h = ctx;
	struct drg_access_event copy = *e;
	copy.what = drg_arena_str(h->arena, e->what);
	copy.who = drg_arena_str(h->arena, e->who);
	copy.detail = drg_arena_str(h->arena, e->detail);
	if (h->n < h->limit)
		h->v[h->n] = copy;
	h->n++;
	return DRG_OK;
}

static int history_run(void *work, struct drg_store *s, struct drg_arena *arena, struct drg_err *reterr)
{
	struct drg_rows rows;
	struct access_history *h = work;
	const struct drg_filter all = { .type = &drg_types[h->type] };
	h->arena = arena;
	h->n = 0;
	h->names = NULL;
	h->v = drg_arena_alloc(arena, h->limit * sizeof *h->v);
	if (h->v == NULL)
		return drg_fail_memory(reterr);
	for (drg_rows_scan(&rows, s, &all, reterr); drg_rows_next(&rows);) {
		struct access_named *one = drg_arena_alloc(arena, sizeof *one);
		if (one == NULL) {
			rows.rc = DRG_ENOMEM;
			break;
		}
		one->id = rows.row.r.v[DRG_F_ID].i;
		one->name = drg_arena_str(arena, drg_record_s(&rows.row.r, DRG_F_NAME));
		one->next = h->names;
		h->names = one;
		if (h->name.n > 0 && drg_str_eq_nocase(one->name, h->name))
			h->number = one->id;
	}
	int rc = drg_rows_end(&rows);
	bool none = h->name.n > 0 && h->number == 0;
	if (rc == DRG_OK && !none)
		rc = drg_store_access_newest(s, h->sort, h->number, (unsigned)h->limit + 1, history_take, h,
		                             reterr);
	return rc;
}

static struct drg_str history_name(const struct access_history *h, int64_t id)
{
	const struct access_named *one = h->names;
	while (one != NULL && one->id != id)
		one = one->next;
	return one != NULL ? one->name : drg_str("", 0);
}

static int history_write(struct drg_reading *r, void *work)
{
	struct access_history *h = work;
	const size_t n = h->n < h->limit ? h->n : h->limit;
	assert(n == 0 || h->v != NULL);
	drg_items_begin(&r->w);
	for (size_t i = 0; i < n; i++) {
		const struct drg_access_event *e = &h->v[i];
		drg_jw_object(&r->w);
		drg_jw_key(&r->w, "at");
		drg_curate_time(&r->w, e->at_us);
		drg_jw_member_i64(&r->w, "id", e->number);
		drg_jw_member_str_or_null(&r->w, "name", history_name(h, e->number));
		drg_jw_member_str_or_null(&r->w, "what", e->what);
		drg_jw_member_str_or_null(&r->w, "by", e->who);
		drg_jw_member_str_or_null(&r->w, "detail", e->detail);
		drg_jw_object_end(&r->w);
	}
	drg_jw_array_end(&r->w);
	drg_jw_member_bool(&r->w, "more", h->n > h->limit);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

static int history_answer(struct drg_exchange *x)
{
	struct access_history *h = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *h);
	if (h == NULL)
		return DRG_ENOMEM;
	bool of_keys = drg_str_eq(drg_exchange_text(x, "of"), DRG_STR("key"));
	h->sort = of_keys ? DRG_ACCESS_KEY : DRG_ACCESS_PERSON;
	h->type = of_keys ? DRG_TYPE_API_KEY : DRG_TYPE_PERSON;
	h->number = of_keys ? drg_exchange_int(x, "id", 0) : 0;
	h->name = of_keys ? drg_str("", 0) : drg_exchange_text(x, "name");
	h->limit = (size_t)drg_exchange_int(x, "limit", HISTORY);
	return drg_slow_work_run(x, history_run, history_write, h);
}

static int history_check_of(struct drg_str value, const char *name, struct drg_err *reterr)
{
	static const char *const words[] = { "key", "user", NULL };
	return drg_access_word(value, name, words, reterr);
}

static const struct drg_param access_history_params[] = {
	{ .name = "of",
	  .type = DRG_P_TEXT,
	  .required = true,
	  .max = 8,
	  .check = history_check_of,
	  .schema = "{\"enum\":[\"key\",\"user\"]}",
	  .doc = "of keys, or of people" },
	{ .name = "id", .type = DRG_P_INT, .min = 1, .max = INT64_MAX, .doc = "only of this key" },
	{ .name = "name", .type = DRG_P_TEXT, .max = DRG_CHARS_PERSON, .doc = "only this user" },
	{ .name = "limit",
	  .type = DRG_P_INT,
	  .min = 1,
	  .max = HISTORY_MAX,
	  .doc = "events at most; 200 when absent" },
	{ 0 },
};

const struct drg_endpoint drg_access_history[] = {
	{ .method = DRG_GET,
	  .path = "/v1/access/history",
	  .name = "accessHistory",
	  .handler = history_answer,
	  .auth = DRG_AUTH_ADMIN,
	  .params = access_history_params,
	  .summary = "What became of keys and people" },
	{ 0 },
};
