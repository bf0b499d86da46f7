/* Suggestions (store/suggestions.h): what is kept of many, in whatever transactions. */
#include "place.h"

#include <time.h>

#include "store/suggestions.h"
#include "store/uses.h"

enum { MANY = 1203 };

static struct drg_suggestion suggested(const char *id, const char *ranked)
{
	return (struct drg_suggestion){ .adapter = 7,
		                        .kind = DRG_KIND_MEAL,
		                        .id = drg_str_c(id),
		                        .outcome = 1,
		                        .reason = DRG_STR("ambiguous"),
		                        .country = INT64_MIN,
		                        .city = 5,
		                        .category = -1,
		                        .ranked = drg_str_c(ranked),
		                        .explanation = DRG_STR("") };
}

static const char *id_of(unsigned i, char room[16])
{
	snprintf(room, 16, "M%05u", i);
	return room;
}

struct read_back {
	unsigned n;
	char ranked[64]; /* of the last */
};

static int read_one(void *ctx, const struct drg_suggestion *s)
{
	struct read_back *b = ctx;
	b->n++;
	snprintf(b->ranked, sizeof b->ranked, "%.*s", DRG_STR_ARG(s->ranked));
	assert_true(s->country == INT64_MIN && s->city == 5 && s->category == -1 && s->outcome == 1);
	assert_true(drg_str_eq(s->reason, DRG_STR("ambiguous")) && s->explanation.n == 0);
	return DRG_OK;
}

static struct read_back of(struct place *p, const char *id)
{
	struct read_back b = { .n = 0 };
	int rc = drg_store_suggestion(p->s, 7, DRG_KIND_MEAL, drg_str_c(id), read_one, &b, &p->err);
	assert_true(rc == DRG_OK || rc == DRG_ENOENT);
	return b;
}

static unsigned all_of(struct place *p)
{
	struct read_back b = { .n = 0 };
	MUST(p, drg_store_suggestions(p->s, 7, read_one, &b, &p->err));
	return b.n;
}

static void many_are_kept_and_of_one_that_comes_twice_the_last(void **state)
{
	struct place *p = *state;
	enum drg_put_result result;
	struct drg_txn *t;
	char id[16];
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	for (unsigned i = 0; i < MANY; i++) {
		const struct drg_record r = source(7, DRG_KIND_MEAL, id_of(i, id));
		const struct drg_suggestion s = suggested(id, "1:1");
		MUST(p, drg_txn_put(t, &r, &result, &p->err));
		MUST(p, drg_txn_suggestion_put(t, &s, &p->err));
	}
	for (unsigned i = 0; i < 3; i++) {
		const struct drg_suggestion twice = suggested("M00100", i < 2 ? "2:2" : "3:3");
		MUST(p, drg_txn_suggestion_put(t, &twice, &p->err));
	}
	assert_int_equal(all_of(p), MANY); /* a transaction sees its own */
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	assert_int_equal(all_of(p), MANY);
	assert_string_equal(of(p, "M00100").ranked, "3:3");
	assert_string_equal(of(p, "M01202").ranked, "1:1");
}

static void what_is_there_stays_where_a_new_one_is_kept(void **state)
{
	struct place *p = *state;
	struct drg_txn *t;
	const struct drg_suggestion first = suggested("a", "1:1"), second = suggested("a", "2:2"),
	                            other = suggested("b", "4:4"), last = suggested("b", "5:5");
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_suggestion_add(t, &first, &p->err));
	MUST(p, drg_txn_suggestion_add(t, &second, &p->err));
	MUST(p, drg_txn_suggestion_add(t, &other, &p->err));
	assert_string_equal(of(p, "a").ranked, "1:1");
	MUST(p, drg_txn_suggestion_add(t, &second, &p->err));
	MUST(p, drg_txn_suggestion_put(t, &last, &p->err));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	assert_string_equal(of(p, "a").ranked, "1:1");
	assert_string_equal(of(p, "b").ranked, "5:5");
}

static void forgetting_stands_where_it_was_said(void **state)
{
	struct place *p = *state;
	struct drg_txn *t;
	const struct drg_suggestion a = suggested("a", "1:1"), b = suggested("b", "1:1"),
	                            again = suggested("a", "2:2");
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_suggestion_put(t, &a, &p->err));
	MUST(p, drg_txn_suggestion_put(t, &b, &p->err));
	MUST(p, drg_txn_suggestion_delete(t, 7, DRG_KIND_MEAL, DRG_STR("b"), &p->err));
	MUST(p, drg_txn_suggestion_delete(t, 7, DRG_KIND_MEAL, DRG_STR("a"), &p->err));
	MUST(p, drg_txn_suggestion_add(t, &again, &p->err));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	assert_string_equal(of(p, "a").ranked, "2:2");
	assert_int_equal(of(p, "b").n, 0);
}

/* Those of a kind go where the source is gone, be it in the same transaction. */
static void what_is_gone_is_forgotten_and_nothing_else(void **state)
{
	struct place *p = *state;
	enum drg_put_result result;
	struct drg_txn *t;
	const char *ids[] = { "open", "done", "gone" };
	for (unsigned i = 0; i < 3; i++)
		put_one(p, source(7, DRG_KIND_MEAL, ids[i]));
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	const struct drg_record done = mapped(7, DRG_KIND_MEAL, "done", 5),
	                        removed = gone(source(7, DRG_KIND_MEAL, "gone"));
	for (unsigned i = 0; i < 3; i++) {
		const struct drg_suggestion s = suggested(ids[i], "1:1");
		MUST(p, drg_txn_suggestion_put(t, &s, &p->err));
	}
	MUST(p, drg_txn_put(t, &done, &result, &p->err));
	MUST(p, drg_txn_put(t, &removed, &result, &p->err));
	MUST(p, drg_txn_suggestion_delete(t, 7, DRG_KIND_MEAL, drg_str("", 0), &p->err));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	assert_int_equal(of(p, "open").n, 1);
	assert_int_equal(of(p, "done").n, 1);
	assert_int_equal(of(p, "gone").n, 0);
}

struct asked {
	int64_t total, adapters;
};

static int add_asked(void *ctx, const struct drg_use *u)
{
	struct asked *a = ctx;
	int64_t today = time(NULL) / 86400;
	assert_true(u->kind == DRG_KIND_MEAL && u->mapped == 0 && u->id.n == 0);
	assert_true(u->slot == u->day && u->slot <= today && u->slot >= today - 1);
	a->total += u->count;
	a->adapters += u->number;
	return DRG_OK;
}

static struct asked asked_of(struct place *p)
{
	struct asked a = { 0 };
	MUST(p, drg_store_uses(p->s, DRG_USE_ASKED, 0, add_asked, &a, &p->err));
	return a;
}

/* What is said again of the same record asks nobody anew; a mapping that is taken back does. */
static void each_question_counts_once(void **state)
{
	struct place *p = *state;
	struct drg_txn *t;
	char id[16];
	for (unsigned round = 0; round < 3; round++) {
		MUST(p, drg_store_begin(p->s, &t, &p->err));
		for (unsigned i = 0; i < MANY + round; i++) {
			const struct drg_suggestion s = suggested(id_of(i, id), round < 2 ? "1:1" : "2:2");
			MUST(p, drg_txn_suggestion_put(t, &s, &p->err));
		}
		const struct drg_suggestion twice = suggested("M00000", "3:3");
		MUST(p, drg_txn_suggestion_put(t, &twice, &p->err));
		MUST(p, drg_txn_commit(t, NULL, &p->err));
		assert_int_equal(asked_of(p).total, MANY + round);
	}
	const struct drg_suggestion back = suggested("M00000", "4:4"), new = suggested("new", "4:4");
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_suggestion_add(t, &back, &p->err));
	MUST(p, drg_txn_suggestion_add(t, &new, &p->err));
	drg_txn_rollback(t);
	assert_int_equal(asked_of(p).total, MANY + 2);
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_suggestion_add(t, &back, &p->err));
	MUST(p, drg_txn_suggestion_add(t, &new, &p->err));
	MUST(p, drg_txn_suggestion_delete(t, 7, DRG_KIND_MEAL, DRG_STR("new"), &p->err));
	MUST(p, drg_txn_suggestion_put(t, &new, &p->err));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	assert_true(asked_of(p).total == MANY + 5 && asked_of(p).adapters == 7);
}

static void what_is_rolled_back_leaves_nothing(void **state)
{
	struct place *p = *state;
	struct drg_txn *t;
	const struct drg_suggestion a = suggested("a", "1:1"), b = suggested("b", "1:1");
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_suggestion_put(t, &a, &p->err));
	drg_txn_rollback(t);
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_suggestion_put(t, &b, &p->err));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	assert_int_equal(of(p, "a").n, 0);
	assert_int_equal(of(p, "b").n, 1);
}

GROUP(suggestions)
{
	const struct CMUnitTest tests[] = {
		on_new_store(many_are_kept_and_of_one_that_comes_twice_the_last),
		on_new_store(what_is_there_stays_where_a_new_one_is_kept),
		on_new_store(forgetting_stands_where_it_was_said),
		on_new_store(what_is_gone_is_forgotten_and_nothing_else),
		on_new_store(each_question_counts_once),
		on_new_store(what_is_rolled_back_leaves_nothing),
	};
	return run_on_every_engine("suggestions", tests);
}
