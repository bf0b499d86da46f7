/* Reading the feed from a place on, and snapshots that are held. */
#include "place.h"

enum { WANTED = 1 << DRG_TYPE_DICT | 1 << DRG_TYPE_SOURCE };

static void put_three_commits(struct place *p)
{
	const struct drg_record first[] = { adapter(7),
		                            dict(DRG_KIND_HOTEL, 1),
		                            dict(DRG_KIND_HOTEL, 2),
		                            source(7, DRG_KIND_HOTEL, "a"),
		                            source(7, DRG_KIND_HOTEL, "b"),
		                            source(7, DRG_KIND_HOTEL, "c") };
	const struct drg_record second[] = { source(7, DRG_KIND_HOTEL, "d"), dict(DRG_KIND_HOTEL, 3) };
	put_all(p, first, 6);
	put_all(p, second, 2);
	put_one(p, source(7, DRG_KIND_HOTEL, "e"));
}

static const char *const in_order[] = { "dict hotel 1",     "dict hotel 2",     "source 7 hotel a",
	                                "source 7 hotel b", "source 7 hotel c", "dict hotel 3",
	                                "source 7 hotel d", "source 7 hotel e" };
enum { ROWS = 8 };

/* Takes so many rows, and refuses the next. */
struct taking {
	struct rows got;
	unsigned room;
};

static int take(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct taking *t = ctx;
	return t->got.n == t->room ? DRG_ESTOPPED : collect(&t->got, r, m);
}

static void pages_of_any_size_give_each_row_once_and_in_order(void **state)
{
	struct place *p = *state;
	put_three_commits(p);
	for (unsigned size = 1; size <= ROWS + 1; size++) {
		struct drg_feed_place place = { 0, DRG_FEED_END, 0 };
		unsigned at = 0;
		int rc = DRG_ESTOPPED;
		while (rc == DRG_ESTOPPED) {
			struct taking t = { .room = size };
			struct drg_clock clock = { 0 };
			rc = drg_store_feed_from(p->s, WANTED, &place, take, &t, &clock, &p->err);
			assert_int_equal(clock.seq, 3);
			for (unsigned i = 0; i < t.got.n; i++, at++)
				assert_string_equal(t.got.row[i].label, in_order[at]);
		}
		assert_int_equal(rc, DRG_OK);
		assert_int_equal(at, ROWS);
	}
}

static void a_place_stays_where_nothing_is_taken(void **state)
{
	struct place *p = *state;
	put_three_commits(p);
	struct drg_feed_place place = { 1, DRG_FEED_END, 0 };
	struct taking none = { .room = 0 };
	struct drg_clock clock;
	assert_int_equal(drg_store_feed_from(p->s, WANTED, &place, take, &none, &clock, &p->err),
	                 DRG_ESTOPPED);
	assert_int_equal(place.seq, 1);
	assert_int_equal(place.type, DRG_FEED_END);
}

static void a_row_that_changes_moves_behind_the_place(void **state)
{
	struct place *p = *state;
	put_three_commits(p);
	struct drg_feed_place place = { 0, DRG_FEED_END, 0 };
	struct taking three = { .room = 3 }, rest = { .room = 64 };
	struct drg_clock clock;
	assert_int_equal(drg_store_feed_from(p->s, WANTED, &place, take, &three, &clock, &p->err),
	                 DRG_ESTOPPED);
	put_one(p, mapped(7, DRG_KIND_HOTEL, "a", 1));
	put_one(p, mapped(7, DRG_KIND_HOTEL, "c", 1));
	MUST(p, drg_store_feed_from(p->s, WANTED, &place, take, &rest, &clock, &p->err));
	const char *want[] = { "source 7 hotel b",
		               "dict hotel 3",
		               "source 7 hotel d",
		               "source 7 hotel e",
		               "source 7 hotel a",
		               "source 7 hotel c",
		               NULL };
	assert_rows(&rest.got, want);
	assert_int_equal(clock.seq, 5);
}

static int look_up_adapter(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct drg_rows rows;
	struct place *p = ctx;
	struct rows got = { 0 };
	const struct drg_record key = adapter(7);
	(void)r, (void)m;
	return drg_rows_each(drg_rows_get(&rows, p->s, &key, &p->err), collect, &got);
}

static void rows_can_be_got_while_the_feed_is_read(void **state)
{
	struct place *p = *state;
	put_three_commits(p);
	struct drg_feed_place place = { 0, DRG_FEED_END, 0 };
	struct drg_clock clock;
	MUST(p, drg_store_feed_from(p->s, WANTED, &place, look_up_adapter, p, &clock, &p->err));
	assert_int_equal(place.seq, 3);
}

static void what_is_held_is_one_snapshot(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	struct drg_store *reader;
	struct drg_clock clock;
	put_three_commits(p);
	MUST(p, drg_store_open(p->url, DRG_STORE_READ, &reader, &p->err));
	MUST(p, drg_store_hold(reader, &clock, &p->err));
	put_one(p, source(7, DRG_KIND_HOTEL, "later"));
	for (int i = 0; i < 2; i++) {
		const struct drg_filter f = { .type = &drg_types[DRG_TYPE_SOURCE] };
		struct rows got = { 0 };
		MUST(p, drg_rows_each(drg_rows_scan(&rows, reader, &f, &p->err), collect, &got));
		assert_int_equal(got.n, 5);
		assert_int_equal(rows.clock.seq, clock.seq);
	}
	drg_store_release(reader);
	MUST(p, drg_store_clock(reader, &rows.clock, &p->err));
	assert_int_equal(rows.clock.seq, clock.seq + 1);
	drg_store_close(reader);
}

static int count_in_order(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	int64_t *n = ctx;
	(void)m;
	assert_int_equal(r->v[DRG_F_ID].i, ++*n);
	return DRG_OK;
}

/* An engine reads ahead, in pages of its own. */
static void each_of_many_rows_is_given_once_and_in_order(void **state)
{
	enum { MANY = 400 };
	struct place *p = *state;
	struct drg_record many[MANY];
	int64_t n = 0;
	for (int i = 0; i < MANY; i++)
		many[i] = dict(DRG_KIND_HOTEL, i + 1);
	put_all(p, many, MANY / 2);
	put_all(p, many + MANY / 2, MANY / 2);
	MUST(p, feed_of_all(p->s, 0, count_in_order, &n, NULL, &p->err));
	assert_int_equal(n, MANY);
}

GROUP(feed_from)
{
	const struct CMUnitTest tests[] = {
		on_new_store(pages_of_any_size_give_each_row_once_and_in_order),
		on_new_store(each_of_many_rows_is_given_once_and_in_order),
		on_new_store(a_place_stays_where_nothing_is_taken),
		on_new_store(a_row_that_changes_moves_behind_the_place),
		on_new_store(rows_can_be_got_while_the_feed_is_read),
		on_new_store(what_is_held_is_one_snapshot),
	};
	return run_on_every_engine("store/feed_from", tests);
}
