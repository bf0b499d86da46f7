/* GET curate/queue: what needs a person, most worth an answer first (decisions C2, M34). */
#include <math.h>

#include "api/tables.h"
#include "workbench/presence.h"
#include "workbench/queue/cases.h"
#include "workbench/queue/cursor.h"
#include "workbench/queue/filter.h"

enum { LIMIT = 50, LIMIT_MAX = 500, LOOKS_MAX = 5000 };

struct queue_page {
	struct drg_exchange *x;
	struct drg_keeper_wait wait;
	struct drg_queue_filter filter;
	enum drg_queue_sort sort;
	bool has_cursor;
	struct drg_open_case cursor;
	bool cursor_later; /* behind all that is not put off */
	int64_t limit;
	struct drg_lang_pref pref;
};

/* How far a page goes. */
struct queue_end {
	size_t last; /* the place of the last that was looked at */
	bool later; /* among what is put off */
	bool more; /* there is more behind it */
	int64_t items;
	unsigned looks;
};

/* ---- the answer ---------------------------------------------------------------------------------------- */

static void queue_best(struct drg_reading *r, const struct queue_page *p, const struct drg_case_entry *e)
{
	drg_jw_member_i64(&r->w, "candidates", atomic_load_explicit(&e->n_ranked, memory_order_relaxed));
	drg_jw_key(&r->w, "best");
	if (atomic_load_explicit(&e->n_ranked, memory_order_relaxed) == 0) {
		drg_jw_null(&r->w);
		return;
	}
	int64_t id = atomic_load_explicit(&e->dict_id, memory_order_relaxed);
	drg_jw_object(&r->w);
	drg_curate_dict_members(r, (enum drg_kind)e->c.kind, id, &p->pref);
	drg_jw_member_real(&r->w, "bits", id == e->c.dict_id ? (double)e->c.millibits / 1000 : NAN);
	drg_jw_member_real(&r->w, "probability",
	                   id == e->c.dict_id && drg_kind_compared(e->c.kind) == DRG_COMPARED_HOTELS
	                           ? round((double)e->c.likely * 1e4) / 1e4
	                           : NAN);
	drg_jw_object_end(&r->w);
}

/* Write people's notes. */
static void queue_notes(struct drg_reading *r, const struct drg_cases_view *v, const struct drg_case_sieve *s,
                        const struct drg_open_case *c)
{
	struct drg_str none = { NULL, 0 };
	drg_text_or_null(&r->w, "assigned",
	                 c->assigned > 0 ? drg_queue_person_name(&v->order, c->assigned) : none);
	drg_jw_member_bool(&r->w, "later",
	                   s->of.who > 0 && drg_queue_is_later(&v->order, c, s->of.who, s->of.now_us));
}

static void queue_item(struct drg_reading *r, const struct queue_page *p, const struct drg_case_entry *e,
                       const struct drg_source *s, const struct drg_cases_view *v,
                       const struct drg_case_sieve *sieve)
{
	const struct drg_open_case *c = &e->c;
	drg_jw_object(&r->w);
	drg_jw_member_i64(&r->w, "adapter_id", c->adapter);
	drg_jw_member_str(&r->w, "kind", drg_str_c(drg_kind_name((enum drg_kind)c->kind)));
	drg_jw_member_str(&r->w, "id", c->id);
	drg_escaped_or_null(&r->w, "name", s->name_esc);
	drg_jw_member_i64(&r->w, "version", atomic_load_explicit(&e->version, memory_order_acquire));
	drg_curate_dict_or_null(r, "country", DRG_KIND_COUNTRY, c->country, &p->pref);
	drg_jw_member_str(&r->w, "outcome", drg_str_c(drg_outcome_name((enum drg_match_outcome)c->outcome)));
	drg_jw_member_str(&r->w, "reason", drg_str_c(drg_curate_reason(c->reason)));
	drg_jw_member_i64(&r->w, "asked", c->asked);
	drg_jw_member_i64(&r->w, "waiting", c->waiting);
	drg_jw_member_i64(&r->w, "alike", c->alike);
	drg_jw_member_i64(&r->w, "settles", c->settles);
	queue_best(r, p, e);
	queue_notes(r, v, sieve, c);
	drg_presence_json(drg_app_of(r->x)->presence, c->adapter, (enum drg_kind)c->kind, c->id,
	                  drg_exchange_caller(r->x)->name, &r->w);
	drg_jw_object_end(&r->w);
}

/* Write the cases that pass, from a place on. */
static void queue_part(struct drg_reading *r, const struct queue_page *p, const struct drg_cases_view *v,
                       const struct drg_case_sieve *s, size_t at, struct queue_end *end)
{
	for (; end->items < p->limit && end->looks < LOOKS_MAX; end->looks++, at++) {
		struct drg_source source;
		at = drg_cases_next(v, s, p->sort, at);
		if (at == v->n)
			break;
		end->last = at;
		end->later = s->of.later == 1;
		const struct drg_case_entry *e = drg_cases_at(v, p->sort, at);
		if (!drg_case_is_visible(r, &e->c, &source))
			continue;
		queue_item(r, p, e, &source, v, s);
		end->items++;
	}
	end->more = drg_cases_next(v, s, p->sort, at) < v->n;
}

/* Write the page. Cases that the caller has put off come last, unless the filter selects one group. */
static struct queue_end queue_items(struct drg_reading *r, const struct queue_page *p,
                                    const struct drg_cases_view *v, struct drg_case_sieve s)
{
	struct queue_end end = { .last = v->n };
	const bool both = s.of.later < 0 && s.of.who > 0;
	size_t at = p->has_cursor ? drg_cases_behind(v, p->sort, &p->cursor) : 0;
	if (both)
		s.of.later = p->has_cursor && p->cursor_later;
	s.of.looks |= both;
	drg_jw_array(&r->w);
	queue_part(r, p, v, &s, at, &end);
	if (both && s.of.later == 0 && !end.more) {
		s.of.later = 1;
		queue_part(r, p, v, &s, 0, &end);
	}
	drg_jw_array_end(&r->w);
	return end;
}

static int queue_write(struct drg_reading *r, void *page)
{
	struct queue_page *p = page;
	const struct drg_cases_view *v = drg_cases_view(drg_app_of(r->x)->cases);
	const struct drg_case_sieve s = drg_cases_sieve(v, &p->filter);
	char text[DRG_CASE_CURSOR_TEXT];
	p->pref = drg_reading_langs(r);
	r->mixed = true;
	drg_data_begin(&r->w);
	drg_jw_object(&r->w);
	drg_jw_key(&r->w, "items");
	const struct queue_end end = queue_items(r, p, v, s);
	drg_jw_key(&r->w, "cursor");
	if (end.more)
		drg_jw_str(&r->w, drg_str(text, drg_case_cursor_write(&drg_cases_at(v, p->sort, end.last)->c,
		                                                      p->sort, end.later, text)));
	else
		drg_jw_null(&r->w);
	if (!p->has_cursor && drg_case_may_count(r->x))
		drg_jw_member_i64(&r->w, "total", (int64_t)drg_cases_count(v, &s));
	drg_jw_key(&r->w, "read_at");
	drg_curate_time(&r->w, v->read_us);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

/* ---- the request --------------------------------------------------------------------------------------- */

static int queue_answer(struct drg_exchange *x)
{
	struct queue_page *p = drg_exchange_data(x);
	if (p->wait.rc != DRG_OK) {
		*drg_exchange_err(x) = p->wait.err;
		return p->wait.rc;
	}
	drg_exchange_add_header(x, "Cache-Control", "no-store");
	return drg_exchange_has(x, "adapter_id")
	               ? drg_reading_run_adapter(x, p->filter.adapter, queue_write, p)
	               : drg_reading_run(x, queue_write, p);
}

static int queue(struct drg_exchange *x)
{
	struct queue_page *p = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *p);
	if (p == NULL)
		return DRG_ENOMEM;
	struct drg_str cursor = drg_exchange_text(x, "cursor");
	p->limit = drg_exchange_int(x, "limit", LIMIT);
	p->has_cursor = cursor.n > 0;
	p->sort = drg_case_sort_read(x);
	int rc = drg_case_filter_read(x, &p->filter);
	if (rc == DRG_OK && p->has_cursor)
		rc = drg_case_cursor_read(cursor, p->sort, drg_exchange_arena(x), &p->cursor,
		                          &p->cursor_later, drg_exchange_err(x));
	if (rc != DRG_OK)
		return rc;
	drg_exchange_set_data(x, p);
	return drg_case_await(x, &p->wait, queue_answer);
}

static const struct drg_param queue_params[] = {
	DRG_PARAM_CASE_FILTER,
	DRG_PARAM_CASE_SORT,
	{ .name = "limit",
	  .type = DRG_P_INT,
	  .min = 1,
	  .max = LIMIT_MAX,
	  .doc = "cases at most; 50 when absent" },
	{ .name = "cursor",
	  .type = DRG_P_TEXT,
	  .max = 512,
	  .doc = "of the page before; from the first when absent" },
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_curate_queue[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/queue",
	  .name = "curateQueue",
	  .handler = queue,
	  .auth = DRG_AUTH_VIEWER,
	  .params = queue_params,
	  .summary = "List open cases, the most useful first",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter) },
	{ 0 },
};
