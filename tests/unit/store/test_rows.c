/* What puts, additions and look-ups make of rows, against a model that has them in an array: in transactions
 * of any length, in any order, announced or not, committed or not. */
#include "place.h"

enum { IDS = 60, TRANSACTIONS = 300, STEPS = 40 };

struct modelled {
	bool exists, deleted;
	int version; /* of its name */
};

struct world {
	struct modelled row[IDS];
	uint64_t random;
};

static unsigned pick(struct world *w, unsigned n)
{
	w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(w->random >> 33) % n;
}

/* Ids in whose order bytes, letters and languages differ. */
static struct drg_record identity(unsigned i, char id[32])
{
	static const char *const first[] = { "a", "B", "_", "\xc3\xa9", "\xf0\x9f\x9b\xab", "0" };
	snprintf(id, 32, "%s%u", first[i % DRG_ARRAY_LEN(first)], i / 6);
	return source(1 + i % 3, i % 2 == 0 ? DRG_KIND_HOTEL : DRG_KIND_MEAL, id);
}

static int take_version(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct drg_str name = drg_record_s(r, DRG_F_NAME);
	*(int *)ctx = atoi(name.p + 1);
	return name.p[0] == 'v' ? DRG_OK : DRG_ECORRUPT;
}

static void look_up(struct place *p, struct world *w, unsigned i, const struct drg_record *key)
{
	struct drg_rows rows;
	const struct modelled *m = &w->row[i];
	int version = -1;
	int want = m->exists && !m->deleted ? DRG_OK : DRG_ENOENT;
	assert_int_equal(drg_store_exists(p->s, key, &p->err), want);
	assert_int_equal(drg_rows_each(drg_rows_get(&rows, p->s, key, &p->err), take_version, &version),
	                 want);
	assert_true(want != DRG_OK || version == m->version);
}

static enum drg_put_result modelled_put(struct modelled *m, int version, bool deleted)
{
	bool alive = m->exists && !m->deleted;
	if (deleted) {
		m->deleted = m->exists;
		return alive ? DRG_PUT_DELETED : DRG_PUT_SAME;
	}
	enum drg_put_result result = !alive                  ? DRG_PUT_CREATED
	                             : m->version == version ? DRG_PUT_SAME
	                                                     : DRG_PUT_CHANGED;
	*m = (struct modelled){ true, false, version };
	return result;
}

static void write_one(struct place *p, struct world *w, struct drg_txn *t, unsigned i, struct drg_record r)
{
	enum drg_put_result result, want;
	char name[16];
	int version = (int)pick(w, 3);
	snprintf(name, sizeof name, "v%d", version);
	drg_record_set_s(&r, DRG_F_NAME, drg_str_c(name));
	unsigned what = pick(w, 8);
	r.deleted = what == 0;
	if (what == 1) {
		bool alive = w->row[i].exists && !w->row[i].deleted;
		MUST(p, drg_txn_add(t, &r, &result, &p->err));
		want = alive ? DRG_PUT_SAME : modelled_put(&w->row[i], version, false);
	} else {
		MUST(p, drg_txn_put(t, &r, &result, &p->err));
		want = modelled_put(&w->row[i], version, r.deleted);
	}
	assert_int_equal(result, want);
}

static void one_transaction(struct place *p, struct world *w)
{
	const struct world before = *w;
	bool upwards = pick(w, 2) == 0, announced = pick(w, 3) == 0, commits = pick(w, 5) != 0;
	unsigned n = 1 + pick(w, STEPS), at = 0, ids[STEPS];
	struct drg_txn *t;
	char id[32];
	for (unsigned k = 0; k < n; k++)
		ids[k] = upwards ? (at += pick(w, 3)) % IDS : pick(w, IDS);
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	for (unsigned k = 0; k < n; k++) {
		struct drg_record r = identity(ids[k], id);
		if (announced && pick(w, 4) != 0)
			MUST(p, drg_txn_prefetch(t, &r, &p->err));
	}
	for (unsigned k = 0; k < n; k++) {
		struct drg_record r = identity(ids[k], id);
		if (pick(w, 3) == 0)
			look_up(p, w, ids[k], &r);
		else
			write_one(p, w, t, ids[k], r);
	}
	if (commits) {
		MUST(p, drg_txn_commit(t, NULL, &p->err));
		return;
	}
	uint64_t random = w->random;
	drg_txn_rollback(t);
	*w = before;
	w->random = random;
}

static void assert_store(struct place *p, struct world *w)
{
	struct drg_rows rows;
	const struct drg_filter all = { .type = &drg_types[DRG_TYPE_SOURCE], .tombstones = true };
	struct rows got = { 0 };
	unsigned n = 0;
	char id[32];
	for (unsigned i = 0; i < IDS; i++) {
		struct drg_record r = identity(i, id);
		look_up(p, w, i, &r);
		n += w->row[i].exists;
	}
	MUST(p, drg_rows_each(drg_rows_scan(&rows, p->s, &all, &p->err), collect, &got));
	assert_int_equal(got.n, n);
}

static void rows_are_what_was_made_of_them(void **state)
{
	struct place *p = *state;
	struct world w = { .random = 1 };
	for (int i = 0; i < TRANSACTIONS; i++)
		one_transaction(p, &w);
	assert_store(p, &w);
}

/* More than is gathered before it is sent, of several types by turns. */
static void long_transactions_keep_all_rows(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	enum { ROWS = 3000 };
	struct drg_txn *t;
	enum drg_put_result result;
	char id[32];
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < ROWS; i++) {
			snprintf(id, sizeof id, "%d", i);
			struct drg_record s = mapped(7, DRG_KIND_HOTEL, id, i + round),
			                  d = dict(DRG_KIND_HOTEL, i);
			MUST(p, drg_txn_put(t, &s, &result, &p->err));
			assert_int_equal(result, round == 0 ? DRG_PUT_CREATED : DRG_PUT_CHANGED);
			MUST(p, drg_txn_put(t, &d, &result, &p->err));
			assert_int_equal(result, round == 0 ? DRG_PUT_CREATED : DRG_PUT_SAME);
		}
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	struct drg_record last = mapped(7, DRG_KIND_HOTEL, "2999", 3000);
	struct rows got = { 0 };
	MUST(p, drg_rows_each(drg_rows_referrers(&rows, p->s, DRG_KIND_HOTEL, 3000, 10, &p->err), collect,
	                      &got));
	assert_rows(&got, (const char *[]){ "source 7 hotel 2999", NULL });
	MUST(p, drg_store_exists(p->s, &last, &p->err));
}

/* Every third has no mapping and no place, every fifth is removed. */
static struct drg_record changed_often(int i, int round, char id[32])
{
	snprintf(id, 32, "%d", i);
	struct drg_record r = source(7, DRG_KIND_HOTEL, id);
	r.deleted = round > 0 && i % 5 == 0;
	if ((i + round) % 3 == 0) {
		r.nulls |= UINT64_C(1) << DRG_F_DICT_ID;
		return r;
	}
	drg_record_set_i(&r, DRG_F_DICT_ID, i + round);
	drg_record_set_d(&r, DRG_F_LAT, i % 89 + round / 10.0);
	return r;
}

static int take_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct drg_record *to = ctx;
	(void)m;
	to->has = r->has;
	to->v[DRG_F_DICT_ID] = r->v[DRG_F_DICT_ID];
	to->v[DRG_F_LAT] = r->v[DRG_F_LAT];
	return DRG_OK;
}

static void assert_changed(struct place *p, int i, int round)
{
	struct drg_rows rows;
	static const enum drg_field fields[] = { DRG_F_DICT_ID, DRG_F_LAT };
	struct drg_record got;
	char id[32];
	struct drg_record want = changed_often(i, round, id);
	int rc = drg_rows_each(drg_rows_get(&rows, p->s, &want, &p->err), take_row, &got);
	assert_int_equal(rc, want.deleted ? DRG_ENOENT : DRG_OK);
	for (size_t f = 0; f < DRG_ARRAY_LEN(fields) && rc == DRG_OK; f++) {
		assert_int_equal(drg_record_has(&got, fields[f]), drg_record_has(&want, fields[f]));
		if (drg_record_has(&want, fields[f]))
			assert_memory_equal(&got.v[drg_field_index(fields[f])],
			                    &want.v[drg_field_index(fields[f])], sizeof(int64_t));
	}
}

/* Many together and few, one after the other and the same one again before it is sent, read in between. */
static void rows_that_change_in_one_transaction_are_as_the_last_one_says(void **state)
{
	struct place *p = *state;
	enum { ROWS = 1700, ROUNDS = 4, AGAIN = 7 };
	enum drg_put_result result;
	struct drg_txn *t;
	char id[32];
	for (int round = 0; round < ROUNDS; round++) {
		MUST(p, drg_store_begin(p->s, &t, &p->err));
		for (int i = 0; i < ROWS; i++) {
			for (int again = i % 100 == 0 ? round - AGAIN : round; again <= round; again++) {
				struct drg_record r = changed_often(i, again < 0 ? 0 : again, id);
				MUST(p, drg_txn_put(t, &r, &result, &p->err));
			}
			if (i % 250 == 0)
				assert_changed(p, i, round);
		}
		MUST(p, drg_txn_commit(t, NULL, &p->err));
		for (int i = 0; i < ROWS; i++)
			assert_changed(p, i, round);
	}
}

/* Those that live, whatever the order, and nobody else's. */
static void of_many_those_are_given_that_live(void **state)
{
	struct place *p = *state;
	const struct drg_str ids[] = { DRG_STR("b"), DRG_STR("gone"), DRG_STR("none"), DRG_STR("a"),
		                       DRG_STR("B") };
	struct drg_record key = source(7, DRG_KIND_HOTEL, "");
	struct rows got = { 0 };
	put_one(p, source(7, DRG_KIND_HOTEL, "a"));
	put_one(p, source(7, DRG_KIND_HOTEL, "b"));
	put_one(p, source(7, DRG_KIND_MEAL, "B"));
	put_one(p, source(8, DRG_KIND_HOTEL, "gone"));
	put_one(p, source(7, DRG_KIND_HOTEL, "gone"));
	put_one(p, gone(source(7, DRG_KIND_HOTEL, "gone")));
	MUST(p, drg_store_get_many(p->s, &key, ids, DRG_ARRAY_LEN(ids), collect, &got, &p->err));
	assert_int_equal(got.n, 2);
	got.n = 0;
	MUST(p, drg_store_get_many(p->s, &key, ids, 0, collect, &got, &p->err));
	assert_int_equal(got.n, 0);
}

GROUP(rows)
{
	const struct CMUnitTest tests[] = {
		on_new_store(rows_are_what_was_made_of_them),
		on_new_store(long_transactions_keep_all_rows),
		on_new_store(rows_that_change_in_one_transaction_are_as_the_last_one_says),
		on_new_store(of_many_those_are_given_that_live),
	};
	return run_on_every_engine("store/rows", tests);
}
