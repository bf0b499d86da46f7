/* Side tables (store/side.h), each by what its row in the table of them says. */
#include "../clock.h"
#include "place.h"

#include "store/access_events.h"
#include "store/restore.h"
#include "store/side_priv.h"

/* A row all of whose values go by a number: the keys, and the rest. */
struct made {
	union drg_side_row row;
	char texts[DRG_SIDE_MAX_VALUES][24];
};

static void make(struct made *m, enum drg_side_id side, int key, int64_t rest)
{
	memset(m, 0, sizeof *m);
	for (unsigned i = 0; i < drg_sides[side].n_columns; i++) {
		const struct drg_side_column *c = &drg_sides[side].columns[i];
		int64_t number = i < drg_sides[side].n_keys ? key : rest;
		snprintf(m->texts[i], sizeof m->texts[i], "%06lld", (long long)number);
		if (c->type == DRG_SIDE_TEXT)
			drg_side_set_s(&m->row, c, drg_str_c(m->texts[i]));
		else
			drg_side_set_i(&m->row, c, number);
	}
}

static int64_t number_of(const struct drg_side_column *c, const void *row)
{
	const struct drg_side_value v = drg_side_value(c, row);
	char text[24];
	if (!v.is_text)
		return v.v.i;
	snprintf(text, sizeof text, "%.*s", DRG_STR_ARG(v.v.s));
	return atoll(text);
}

/* What comes of a column in which `first` stood when `second` is put. */
static int64_t after(enum drg_side_write write, int64_t first, int64_t second)
{
	switch (write) {
	case DRG_SIDE_KEY:
	case DRG_SIDE_LONG_KEY:
	case DRG_SIDE_KEEP: return first;
	case DRG_SIDE_SET: return second;
	case DRG_SIDE_ADD: return first + second;
	case DRG_SIDE_MIN: return first < second ? first : second;
	case DRG_SIDE_MAX: return first > second ? first : second;
	}
	return -1;
}

struct expected {
	enum drg_side_id side;
	int n;
	int key;
	int64_t first, second;
};

static int check_row(void *ctx, const void *row)
{
	struct expected *x = ctx;
	const struct drg_side *side = &drg_sides[x->side];
	x->n++;
	for (unsigned i = 0; i < side->n_columns; i++)
		assert_int_equal(number_of(&side->columns[i], row),
		                 i < side->n_keys ? x->key
		                                  : after(side->columns[i].write, x->first, x->second));
	return DRG_OK;
}

static void put_made(struct place *p, struct drg_txn *t, enum drg_side_id side, int key, int64_t rest)
{
	struct made m;
	make(&m, side, key, rest);
	MUST(p, drg_txn_restore_side(t, side, &m.row, &p->err));
}

/* A new store has a time of its own. */
static void empty_moments(struct place *p)
{
	MUST(p, drg_store_make_target(p->s, &p->err));
}

static void what_is_put_twice_is_what_its_columns_say(void **state)
{
	struct place *p = *state;
	empty_moments(p);
	for (unsigned side = 0; side < DRG_SIDE_TABLES; side++)
		for (unsigned i = 0; i < 2; i++) {
			struct expected x = { .side = side, .key = 3, .first = i == 0 ? 7 : 5 };
			struct drg_txn *t;
			x.second = i == 0 ? 5 : 7;
			MUST(p, drg_store_begin(p->s, &t, &p->err));
			put_made(p, t, side, 3, x.first);
			put_made(p, t, side, 3, x.second);
			MUST(p, drg_store_each_side(p->s, side, check_row, &x, &p->err));
			assert_int_equal(x.n, 1); /* a transaction sees its own */
			drg_txn_rollback(t);
		}
}

static int count_event(void *ctx, const struct drg_access_event *e)
{
	unsigned *n = ctx;
	n[strcmp(e->what.p, "created") == 0 ? 0 : 1]++;
	return DRG_OK;
}

static void what_strangers_can_note_is_bounded(void **state)
{
	struct place *p = *state;
	struct drg_txn *t;
	unsigned n[2] = { 0, 0 };
	clock_stop();
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p,
	     drg_txn_access_note(t, DRG_ACCESS_PERSON, 1, "created", DRG_STR("ann"), DRG_STR(""), &p->err));
	for (unsigned i = 0; i < DRG_SIGN_INS_KEPT + 5 && clock_pass_ms(1); i++)
		MUST(p, drg_txn_access_note(t, DRG_ACCESS_PERSON, 1, i % 2 == 0 ? "failed" : "signed_in",
		                            DRG_STR(""), DRG_STR(""), &p->err));
	MUST(p, drg_store_access_events(p->s, DRG_ACCESS_PERSON, 1, count_event, n, &p->err));
	assert_int_equal(n[0], 1);
	assert_int_equal(n[1], DRG_SIGN_INS_KEPT);
	drg_txn_rollback(t);
	clock_go();
}

struct newest {
	unsigned n;
	int64_t numbers[4], at_us;
};

static int take_newest(void *ctx, const struct drg_access_event *e)
{
	struct newest *x = ctx;
	assert_true(x->n == 0 || e->at_us <= x->at_us);
	assert_true(x->n < DRG_ARRAY_LEN(x->numbers));
	x->at_us = e->at_us;
	x->numbers[x->n++] = e->number;
	return DRG_OK;
}

static void the_newest_events_of_all_come_first_and_no_others(void **state)
{
	struct place *p = *state;
	struct drg_txn *t;
	struct newest all = { .n = 0 }, one = { .n = 0 };
	clock_stop();
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	for (int64_t i = 0; i < 12 && clock_pass_ms(1); i++) /* of 3, 2, 1, 3, ... */
		MUST(p, drg_txn_access_note(t, DRG_ACCESS_PERSON, 3 - i % 3, "changed", DRG_STR("ann"),
		                            DRG_STR(""), &p->err));
	MUST(p, drg_txn_access_note(t, DRG_ACCESS_KEY, 9, "created", DRG_STR("ann"), DRG_STR(""), &p->err));
	MUST(p, drg_store_access_newest(p->s, DRG_ACCESS_PERSON, 0, 4, take_newest, &all, &p->err));
	MUST(p, drg_store_access_newest(p->s, DRG_ACCESS_PERSON, 2, 3, take_newest, &one, &p->err));
	drg_txn_rollback(t);
	clock_go();
	assert_int_equal(all.n, 4);
	for (int64_t i = 0; i < 4; i++)
		assert_int_equal(all.numbers[i], 1 + i % 3);
	assert_int_equal(one.n, 3);
	assert_int_equal(one.numbers[2], 2);
}

struct ascending {
	enum drg_side_id side;
	int n;
};

static int check_next(void *ctx, const void *row)
{
	struct ascending *x = ctx;
	assert_int_equal(number_of(&drg_sides[x->side].columns[0], row), x->n++);
	return DRG_OK;
}

/* Kept answers are read in pages of 200. */
static void all_are_read_whatever_pages_they_fill(void **state)
{
	struct place *p = *state;
	const int page = (int)drg_sides[DRG_SIDE_KEPT].page,
	          counts[] = { page - 1, page, page + 1, 2 * page };
	int stored = 0;
	for (unsigned i = 0; i < DRG_ARRAY_LEN(counts); i++) {
		struct ascending x = { .side = DRG_SIDE_KEPT };
		struct drg_txn *t;
		MUST(p, drg_store_begin(p->s, &t, &p->err));
		for (; stored < counts[i]; stored++)
			put_made(p, t, DRG_SIDE_KEPT, stored, 1);
		MUST(p, drg_txn_commit(t, NULL, &p->err));
		MUST(p, drg_store_each_side(p->s, DRG_SIDE_KEPT, check_next, &x, &p->err));
		assert_int_equal(x.n, counts[i]);
	}
}

static int stop_at_once(void *ctx, const void *row)
{
	(void)row;
	++*(int *)ctx;
	return DRG_ESTOPPED;
}

static void who_stops_is_asked_no_more(void **state)
{
	struct place *p = *state;
	struct drg_txn *t;
	int n = 0;
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	put_made(p, t, DRG_SIDE_USE, 1, 1);
	put_made(p, t, DRG_SIDE_USE, 2, 1);
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	assert_int_equal(drg_store_each_side(p->s, DRG_SIDE_USE, stop_at_once, &n, &p->err), DRG_ESTOPPED);
	assert_int_equal(n, 1);
}

GROUP(side)
{
	const struct CMUnitTest tests[] = {
		on_new_store(what_is_put_twice_is_what_its_columns_say),
		on_new_store(all_are_read_whatever_pages_they_fill),
		on_new_store(who_stops_is_asked_no_more),
		on_new_store(what_strangers_can_note_is_bounded),
		on_new_store(the_newest_events_of_all_come_first_and_no_others),
	};
	return run_on_every_engine("side", tests);
}
