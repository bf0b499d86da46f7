/* Pages of the change feed, and what tells those who wait (decisions F1 to F6). */
#include "../store/place.h"

#include "server/changes/page.h"

/* What a page gave: "source 7 a created,mapped {source}{dict}". */
struct given {
	unsigned n;
	char line[32][256];
};

static void begin(void *ctx)
{
	((struct given *)ctx)->n = 0;
}

static void write_what(struct drg_buf *b, unsigned what)
{
	static const char *const names[] = {
		"created", "updated", "mapped", "unmapped", "merged", "deleted"
	};
	for (unsigned i = 0; i < 6; i++)
		if ((what >> i & 1) != 0)
			drg_buf_printf(b, " %s", names[i]);
}

static void take(void *ctx, const struct drg_change *c)
{
	struct given *g = ctx;
	struct drg_buf b;
	drg_buf_init(&b, 4096);
	if (c->is_dict)
		drg_buf_printf(&b, "dict %s %lld", drg_kind_name(c->kind), (long long)c->dict_id);
	else
		drg_buf_printf(&b, "source %lld %.*s", (long long)c->adapter, DRG_STR_ARG(c->source_id));
	write_what(&b, c->what);
	if (c->is_merged)
		drg_buf_printf(&b, " into %lld", (long long)c->into);
	if (c->view != NULL && c->view->has_dict && !c->is_dict)
		drg_buf_printf(&b, " = %lld", (long long)c->view->dict.id);
	snprintf(g->line[g->n++], sizeof g->line[0], "%.*s", (int)b.n, b.p);
	drg_buf_done(&b);
}

static struct drg_changes_page page_of(struct given *g, unsigned limit)
{
	return (struct drg_changes_page){ .filter = drg_change_filter(DRG_KIND_NONE, 0),
		                          .limit = limit,
		                          .lang = DRG_STR("en"),
		                          .begin = begin,
		                          .item = take,
		                          .ctx = g };
}

#define assert_given(g, ...) lines_are((g), (const char *[]){ __VA_ARGS__, NULL })

static void lines_are(const struct given *g, const char *const *want)
{
	unsigned n = 0;
	for (; want[n] != NULL; n++) {
		assert_true(n < g->n);
		assert_string_equal(g->line[n], want[n]);
	}
	assert_int_equal(g->n, n);
}

static void read_page(struct place *p, struct drg_changes_page *page)
{
	MUST(p, drg_changes_read_page(page, p->s, &p->err));
}

static struct drg_record redirect(int64_t id, int64_t to)
{
	struct drg_record r = blank(DRG_TYPE_REDIRECT);
	drg_record_set_i(&r, DRG_F_KIND, DRG_KIND_HOTEL);
	drg_record_set_i(&r, DRG_F_ID, id);
	drg_record_set_i(&r, DRG_F_TO, to);
	return r;
}

static struct drg_record hotel(int64_t id)
{
	struct drg_record r = dict(DRG_KIND_HOTEL, id);
	drg_record_set_i(&r, DRG_F_COUNTRY_ID, 1);
	return r;
}

static void put_a_few(struct place *p)
{
	const struct drg_record first[] = { adapter(7), dict(DRG_KIND_COUNTRY, 1), hotel(5),
		                            mapped(7, DRG_KIND_HOTEL, "a", 5),
		                            source(7, DRG_KIND_HOTEL, "b") };
	put_all(p, first, 5);
}

static void each_record_comes_once_with_what_happened(void **state)
{
	struct place *p = *state;
	struct given g;
	struct drg_changes_page page = page_of(&g, 100);
	put_a_few(p);
	read_page(p, &page);
	assert_given(&g, "dict country 1 created", "dict hotel 5 created", "source 7 a created mapped = 5",
	             "source 7 b created");
	assert_false(page.more);
	read_page(p, &page);
	assert_int_equal(page.n, 0);
	struct drg_record unmapped = source(7, DRG_KIND_HOTEL, "a");
	unmapped.nulls = UINT64_C(1) << DRG_F_DICT_ID;
	put_one(p, unmapped);
	put_one(p, mapped(7, DRG_KIND_HOTEL, "b", 5));
	put_one(p, gone(source(7, DRG_KIND_HOTEL, "a")));
	read_page(p, &page);
	assert_given(&g, "source 7 b mapped = 5", "source 7 a deleted");
}

static void base_moves_only_at_the_end_of_a_snapshot(void **state)
{
	struct place *p = *state;
	struct given g;
	struct drg_changes_page page = page_of(&g, 3);
	put_a_few(p);
	read_page(p, &page);
	assert_true(page.more);
	assert_int_equal(page.cursor.base, 0);
	put_one(p, mapped(7, DRG_KIND_HOTEL, "b", 5));
	read_page(p, &page);
	assert_given(&g, "source 7 b created mapped = 5");
	assert_false(page.more);
	assert_int_equal(page.cursor.base, 2);
}

static void a_redirect_speaks_for_the_record_that_was_merged(void **state)
{
	struct place *p = *state;
	struct given g;
	struct drg_changes_page page = page_of(&g, 100);
	put_a_few(p);
	put_one(p, hotel(6));
	read_page(p, &page);
	const struct drg_record merge[] = { gone(hotel(5)), redirect(5, 6) };
	put_all(p, merge, 2);
	read_page(p, &page);
	assert_given(&g, "dict hotel 5 merged into 6");
	put_one(p, mapped(7, DRG_KIND_HOTEL, "b", 5));
	read_page(p, &page);
	assert_given(&g, "source 7 b mapped = 6");
	const struct drg_record split[] = { hotel(5), gone(redirect(5, 6)) };
	put_all(p, split, 2);
	read_page(p, &page);
	assert_given(&g, "dict hotel 5 created");
}

static void a_redirect_that_goes_alone_leaves_nothing(void **state)
{
	struct place *p = *state;
	struct given g;
	struct drg_changes_page page = page_of(&g, 100);
	put_one(p, redirect(5, 6));
	read_page(p, &page);
	assert_given(&g, "dict hotel 5 merged into 6");
	put_one(p, gone(redirect(5, 6)));
	read_page(p, &page);
	assert_given(&g, "dict hotel 5 deleted");
}

static void a_cursor_of_another_history_or_of_the_future_is_gone(void **state)
{
	struct place *p = *state;
	struct given g;
	struct drg_changes_page page = page_of(&g, 100);
	put_a_few(p);
	page.since = DRG_SINCE_NOW;
	read_page(p, &page);
	assert_int_equal(page.n, 0);
	const struct drg_cursor good = page.cursor;
	page.cursor.place.seq++;
	page.cursor.seen++;
	read_page(p, &page);
	assert_true(page.gone);
	page.cursor = good;
	page.cursor.history++;
	read_page(p, &page);
	assert_true(page.gone);
	page.cursor = good;
	read_page(p, &page);
	assert_false(page.gone);
}

static void a_filter_lets_through_what_its_sources_show(void **state)
{
	(void)state;
	const struct drg_change_filter all = drg_change_filter(DRG_KIND_NONE, 0),
	                               hotels = drg_change_filter(DRG_KIND_HOTEL, 7),
	                               meals = drg_change_filter(DRG_KIND_MEAL, 0);
	assert_int_equal(all.source_kinds, DRG_KINDS_SOURCE);
	assert_int_equal(hotels.source_kinds, 1 << DRG_KIND_HOTEL);
	assert_int_equal(hotels.dict_kinds, 1 << DRG_KIND_HOTEL | 1 << DRG_KIND_COUNTRY | 1 << DRG_KIND_CITY |
	                                            1 << DRG_KIND_HOTEL_CATEGORY);
	assert_int_equal(meals.dict_kinds, 1 << DRG_KIND_MEAL);
}

static void a_look_tells_whom_a_commit_concerns(void **state)
{
	struct place *p = *state;
	struct drg_touched t;
	put_a_few(p);
	put_one(p, source(8, DRG_KIND_MEAL, "m"));
	MUST(p, drg_changes_touched(p->s, 1, &t, &p->err));
	assert_int_equal(t.clock.seq, 2);
	const struct {
		enum drg_kind kind;
		int64_t adapter;
		bool meets;
	} cases[] = {
		{ DRG_KIND_NONE, 0, true },  { DRG_KIND_MEAL, 0, true },   { DRG_KIND_MEAL, 8, true },
		{ DRG_KIND_MEAL, 7, false }, { DRG_KIND_HOTEL, 0, false }, { DRG_KIND_NONE, 7, false },
	};
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct drg_change_filter f = drg_change_filter(cases[i].kind, cases[i].adapter);
		assert_int_equal(drg_change_filter_matches(&f, &t), cases[i].meets);
	}
	put_one(p, dict(DRG_KIND_COUNTRY, 2));
	MUST(p, drg_changes_touched(p->s, 2, &t, &p->err));
	const struct drg_change_filter hotels = drg_change_filter(DRG_KIND_HOTEL, 7),
	                               meals = drg_change_filter(DRG_KIND_MEAL, 0);
	assert_true(drg_change_filter_matches(&hotels, &t));
	assert_false(drg_change_filter_matches(&meals, &t));
}

static void a_look_at_too_many_suppliers_concerns_everybody(void **state)
{
	struct place *p = *state;
	struct drg_touched t;
	for (int adapters = 32; adapters <= 33; adapters++) {
		put_one(p, source(adapters, DRG_KIND_MEAL, "m"));
		for (int a = 1; adapters == 32 && a < adapters; a++)
			put_one(p, source(a, DRG_KIND_MEAL, "m"));
		MUST(p, drg_changes_touched(p->s, 0, &t, &p->err));
		assert_int_equal(t.all, adapters > 32);
	}
}

GROUP(changes_page)
{
	const struct CMUnitTest tests[] = {
		on_new_store(each_record_comes_once_with_what_happened),
		on_new_store(base_moves_only_at_the_end_of_a_snapshot),
		on_new_store(a_redirect_speaks_for_the_record_that_was_merged),
		on_new_store(a_redirect_that_goes_alone_leaves_nothing),
		on_new_store(a_cursor_of_another_history_or_of_the_future_is_gone),
		cmocka_unit_test(a_filter_lets_through_what_its_sources_show),
		on_new_store(a_look_tells_whom_a_commit_concerns),
		on_new_store(a_look_at_too_many_suppliers_concerns_everybody),
	};
	return run_on_every_engine("server/changes_page", tests);
}
