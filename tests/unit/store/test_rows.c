/* What puts, additions and look-ups make of rows, against a model that has them in an array: in transactions of any length,
 * in any order, announced or not, committed or not. */
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
	const struct modelled *m = &w->row[i];
	int version = -1;
	int want = m->exists && !m->deleted ? DRG_OK : DRG_ENOENT;
	assert_int_equal(drg_store_exists(p->s, key, &p->err), want);
	assert_int_equal(drg_store_get(p->s, key, take_version, &version, &p->err), want);
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
			MUST(p, drg_txn_expect(t, &r, &p->err));
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
	const struct drg_filter all = { .type = &drg_types[DRG_TYPE_SOURCE], .tombstones = true };
	struct rows got = { 0 };
	unsigned n = 0;
	char id[32];
	for (unsigned i = 0; i < IDS; i++) {
		struct drg_record r = identity(i, id);
		look_up(p, w, i, &r);
		n += w->row[i].exists;
	}
	MUST(p, drg_store_scan(p->s, &all, collect, &got, NULL, &p->err));
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
	MUST(p, drg_store_referrers(p->s, DRG_KIND_HOTEL, 3000, 10, collect, &got, &p->err));
	assert_rows(&got, (const char *[]){ "source 7 hotel 2999", NULL });
	MUST(p, drg_store_exists(p->s, &last, &p->err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		on_new_store(rows_are_what_was_made_of_them),
		on_new_store(long_transactions_keep_all_rows),
	};
	return run_on_every_engine("store/rows", tests);
}
