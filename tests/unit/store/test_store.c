/* What every engine must do. */
#include "place.h"

/* ---- opening ------------------------------------------------------------------------------------------- */

static void a_url_names_an_engine_and_a_place(void **state)
{
	struct place *p = *state;
	const char *bad[] = { "", "sqlite", "sqlite:", "nosuch:x", ":x", "/tmp/x.db" };
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct drg_store *s = NULL;
		assert_int_equal(drg_store_open(bad[i], DRG_STORE_CREATE, &s, &p->err), DRG_EINVAL);
		assert_null(s);
		assert_true(p->err.message[0] != '\0');
	}
}

static void only_create_makes_a_store(void **state)
{
	struct place *p = *state;
	assert_int_equal(drg_store_open(p->url, DRG_STORE_READ, &p->s, &p->err), DRG_ENOENT);
	assert_int_equal(drg_store_open(p->url, DRG_STORE_WRITE, &p->s, &p->err), DRG_ENOENT);
	assert_null(p->s);
	MUST(p, drg_store_open(p->url, DRG_STORE_CREATE, &p->s, &p->err));
	drg_store_close(p->s);
	MUST(p, drg_store_open(p->url, DRG_STORE_READ, &p->s, &p->err));
}

static void an_epoch_stays_with_its_store(void **state)
{
	struct place *p = *state;
	struct drg_clock first, again;
	MUST(p, drg_store_clock(p->s, &first, &p->err));
	assert_int_equal(first.seq, 0);
	assert_true(strlen(first.epoch) >= 16);
	put_one(p, adapter(1));
	place_reopen(p);
	MUST(p, drg_store_clock(p->s, &again, &p->err));
	assert_string_equal(first.epoch, again.epoch);
	assert_int_equal(again.seq, 1);

	void *elsewhere = NULL;
	struct drg_clock third;
	assert_int_equal(place_with_store(&elsewhere), 0);
	struct place *other = elsewhere;
	MUST(other, drg_store_clock(other->s, &third, &other->err));
	place_remove(&elsewhere);
	assert_string_not_equal(first.epoch, third.epoch);
}

/* ---- putting ------------------------------------------------------------------------------------------- */

static int compare_with(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	assert_true(drg_record_eq(r, ctx));
	assert_int_equal(m->created_seq, m->seq);
	return DRG_OK;
}

/* A value for every field that the kind has. */
static struct drg_record full(const struct drg_type *t, enum drg_kind kind, char (*text)[SAMPLE_ROOM])
{
	struct drg_record r = blank(t->id);
	for (unsigned i = 0; i < t->n_fields; i++)
		if (drg_field_applies(&t->fields[i], kind))
			sample_field(&r, &t->fields[i], i, text[i]);
	if (t->kinds != 0)
		drg_record_set_i(&r, DRG_F_KIND, kind);
	return r;
}

static void every_field_of_every_kind_comes_back(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	char text[64][SAMPLE_ROOM];
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++) {
		unsigned kinds = drg_types[t].kinds != 0 ? drg_types[t].kinds : 1;
		for (unsigned k = 0; k < DRG_KIND_COUNT; k++) {
			if (!drg_kind_in(kinds, k))
				continue;
			struct drg_record r = full(&drg_types[t], (enum drg_kind)k, text);
			assert_int_equal(put_one(p, r), DRG_PUT_CREATED);
			MUST(p, drg_rows_each(drg_rows_get(&rows, p->s, &r, &p->err), compare_with, &r));
			assert_int_equal(put_one(p, r), DRG_PUT_SAME);
			assert_int_equal(put_one(p, gone(r)), DRG_PUT_DELETED);
			assert_int_equal(
			        drg_rows_each(drg_rows_get(&rows, p->s, &r, &p->err), compare_with, &r),
			        DRG_ENOENT);
		}
	}
}

static void every_field_that_changes_is_a_change(void **state)
{
	struct place *p = *state;
	char text[64][SAMPLE_ROOM], other[SAMPLE_ROOM];
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++) {
		struct drg_record r = full(&drg_types[t], DRG_KIND_CITY, text);
		put_one(p, r);
		for (unsigned i = 0; i < drg_types[t].n_fields; i++) {
			const struct drg_field_def *f = &drg_types[t].fields[i];
			if ((f->flags & DRG_FF_ID) != 0 || !drg_record_has_value(&r, f))
				continue;
			struct drg_record less = r;
			if ((f->flags & DRG_FF_REQUIRED) != 0 && f->vtype != DRG_V_JSON) {
				sample_field(&less, f, i + 1, other);
			} else {
				less.has &= ~drg_field_bit(f->field);
				less.nulls |= drg_field_bit(f->field);
			}
			assert_int_equal(put_one(p, less), DRG_PUT_CHANGED);
			assert_int_equal(put_one(p, less), DRG_PUT_SAME);
			assert_int_equal(put_one(p, r), DRG_PUT_CHANGED);
		}
	}
}

static void texts_are_kept_byte_for_byte(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	struct drg_record r = source(7, DRG_KIND_HOTEL, "001"), other = source(7, DRG_KIND_HOTEL, "1");
	drg_record_set_s(&r, DRG_F_NAME,
	                 DRG_STR("quote \" ' and \\, \xd0\x9a\xd0\xb8\xd1\x97\xd0\xb2, a\tb\nc "));
	put_one(p, r);
	MUST(p, drg_rows_each(drg_rows_get(&rows, p->s, &r, &p->err), compare_with, &r));
	assert_int_equal(drg_store_exists(p->s, &other, &p->err), DRG_ENOENT);
	/* Ids are compared by bytes. */
	other = source(7, DRG_KIND_CITY, "ABC");
	put_one(p, other);
	other = source(7, DRG_KIND_CITY, "abc");
	assert_int_equal(drg_store_exists(p->s, &other, &p->err), DRG_ENOENT);
	assert_int_equal(put_one(p, other), DRG_PUT_CREATED);
}

static void a_long_text_comes_back(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	struct drg_record r = blank(DRG_TYPE_PROFILE);
	size_t n = 3000000;
	char *text = malloc(n);
	memset(text, 'x', n);
	memcpy(text, "{\"a\":\"", 6);
	memcpy(text + n - 2, "\"}", 2);
	drg_record_set_i(&r, DRG_F_ADAPTER_ID, 1);
	drg_record_set_i(&r, DRG_F_KIND, DRG_KIND_HOTEL);
	drg_record_set_s(&r, DRG_F_DATA, drg_str(text, n));
	put_one(p, r);
	MUST(p, drg_rows_each(drg_rows_get(&rows, p->s, &r, &p->err), compare_with, &r));
	assert_int_equal(put_one(p, r), DRG_PUT_SAME);
	free(text);
}

static void a_source_that_is_silent_keeps_its_mapping(void **state)
{
	struct place *p = *state;
	struct drg_record with = mapped(7, DRG_KIND_HOTEL, "1", 55), without = source(7, DRG_KIND_HOTEL, "1");
	put_one(p, with);
	assert_int_equal(put_one(p, without), DRG_PUT_SAME);
	drg_record_set_s(&without, DRG_F_ZIP, DRG_STR("07100"));
	assert_int_equal(put_one(p, without), DRG_PUT_CHANGED);
	drg_record_set_s(&with, DRG_F_ZIP, DRG_STR("07100"));
	assert_int_equal(put_one(p, with), DRG_PUT_SAME);
	without.nulls = UINT64_C(1) << DRG_F_DICT_ID;
	assert_int_equal(put_one(p, without), DRG_PUT_CHANGED);
	assert_int_equal(put_one(p, without), DRG_PUT_SAME);
	assert_int_equal(put_one(p, with), DRG_PUT_CHANGED);
	/* A record that comes back after its removal has forgotten it. */
	without.nulls = 0;
	put_one(p, gone(with));
	assert_int_equal(put_one(p, without), DRG_PUT_CREATED);
	assert_int_equal(put_one(p, with), DRG_PUT_CHANGED);
}

static void removing_what_is_not_there_changes_nothing(void **state)
{
	struct place *p = *state;
	struct drg_clock clock;
	assert_int_equal(put_one(p, gone(adapter(1))), DRG_PUT_SAME);
	put_one(p, adapter(1));
	assert_int_equal(put_one(p, gone(adapter(1))), DRG_PUT_DELETED);
	assert_int_equal(put_one(p, gone(adapter(1))), DRG_PUT_SAME);
	MUST(p, drg_store_clock(p->s, &clock, &p->err));
	assert_int_equal(clock.seq, 2);
}

static int take_meta(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)r;
	*(struct drg_row_meta *)ctx = *m;
	return DRG_OK;
}

/* What becomes of the seqs of one source, transaction by transaction; "row" is {seq, created, data, mapped}. */
static void seqs_tell_what_happened_when(void **state)
{
	struct place *p = *state;
	const struct {
		const char *what;
		int64_t dict_id;
		const char *zip;
		bool gone;
		struct drg_row_meta row;
	} steps[] = {
		{ "created", 0, NULL, false, { 1, 1, 1, 0, 0 } },
		{ "mapped", 55, NULL, false, { 2, 1, 1, 2, 0 } },
		{ "updated", 55, "07100", false, { 3, 1, 3, 2, 0 } },
		{ "both", 56, NULL, false, { 4, 1, 4, 4, 0 } },
		{ "removed", 0, NULL, true, { 5, 1, 5, 5, 0 } },
		{ "created again", 0, NULL, false, { 6, 6, 6, 5, 0 } },
		{ "mapped again", 56, NULL, false, { 7, 6, 6, 7, 0 } },
	};
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		struct drg_record r = source(7, DRG_KIND_HOTEL, "1");
		if (steps[i].dict_id != 0)
			drg_record_set_i(&r, DRG_F_DICT_ID, steps[i].dict_id);
		if (steps[i].zip != NULL)
			drg_record_set_s(&r, DRG_F_ZIP, drg_str_c(steps[i].zip));
		r.deleted = steps[i].gone;
		put_one(p, r);
		struct drg_row_meta m = { 0 };
		MUST(p, feed_of_all(p->s, (int64_t)i, take_meta, &m, NULL, &p->err));
		assert_true(m.row > 0);
		m.row = 0;
		if (memcmp(&m, &steps[i].row, sizeof m) != 0)
			fail_msg("%s: %lld %lld %lld %lld", steps[i].what, (long long)m.seq,
			         (long long)m.created_seq, (long long)m.data_seq, (long long)m.mapped_seq);
	}
}

static void an_incomplete_record_is_refused_and_the_transaction_goes_on(void **state)
{
	struct place *p = *state;
	struct drg_record no_id = dict(DRG_KIND_HOTEL, 1), bad_kind = dict(DRG_KIND_HOTEL, 1),
	                  foreign = dict(DRG_KIND_HOTEL, 1), too_long = dict(DRG_KIND_HOTEL, 1),
	                  good = dict(DRG_KIND_HOTEL, 1);
	char name[1100];
	no_id.has &= ~(UINT64_C(1) << DRG_F_ID);
	drg_record_set_i(&bad_kind, DRG_F_KIND, DRG_KIND_COUNT);
	drg_record_set_s(&foreign, DRG_F_ISO_CODE, DRG_STR("EUR"));
	snprintf(name, sizeof name, "{\"en\":\"%01025d\"}", 0);
	drg_record_set_s(&too_long, DRG_F_NAMES, drg_str_c(name));
	struct drg_txn *t;
	enum drg_put_result result = DRG_PUT_SAME;
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	assert_int_equal(drg_txn_put(t, &no_id, &result, &p->err), DRG_EINTERNAL);
	assert_string_equal(p->err.field, "id");
	assert_int_equal(drg_txn_put(t, &bad_kind, &result, &p->err), DRG_EINTERNAL);
	assert_string_equal(p->err.field, "kind");
	assert_int_equal(drg_txn_put(t, &foreign, &result, &p->err), DRG_EINTERNAL);
	assert_int_equal(drg_txn_put(t, &too_long, &result, &p->err), DRG_EINTERNAL);
	assert_string_equal(p->err.field, "name.en");
	assert_non_null(
	        strstr(p->err.message, "dict hotel 1: name.en: expected a text of 1 to 1024 characters"));
	assert_int_equal(drg_txn_add(t, &too_long, &result, &p->err), DRG_EINTERNAL);
	assert_int_equal(result, DRG_PUT_SAME);
	MUST(p, drg_txn_put(t, &good, &result, &p->err));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	assert_int_equal(result, DRG_PUT_CREATED);
}

/* ---- transactions -------------------------------------------------------------------------------------- */

/* With its branch, also of the commit that begins one. */
static void is_clock(struct place *p, const struct drg_clock *commit)
{
	struct drg_clock now;
	MUST(p, drg_store_clock(p->s, &now, &p->err));
	assert_int_equal(commit->seq, now.seq);
	assert_true(commit->branch != 0 && commit->branch == now.branch);
	assert_string_equal(commit->epoch, now.epoch);
}

static void a_transaction_without_changes_leaves_the_clock(void **state)
{
	struct place *p = *state;
	struct drg_txn *t;
	enum drg_put_result result;
	struct drg_record a = adapter(1);
	struct drg_clock commit;
	put_one(p, a);
	place_reopen(p);
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	assert_int_equal(drg_txn_seq(t), 0);
	MUST(p, drg_txn_put(t, &a, &result, &p->err));
	assert_int_equal(drg_txn_seq(t), 0);
	MUST(p, drg_txn_commit(t, &commit, &p->err));
	assert_int_equal(commit.seq, 1);
	is_clock(p, &commit);

	MUST(p, drg_store_begin(p->s, &t, &p->err));
	a = adapter(2);
	MUST(p, drg_txn_put(t, &a, &result, &p->err));
	assert_int_equal(drg_txn_seq(t), 2);
	MUST(p, drg_txn_commit(t, &commit, &p->err));
	assert_int_equal(commit.seq, 2);
	is_clock(p, &commit);
}

static void a_rollback_leaves_no_trace(void **state)
{
	struct place *p = *state;
	struct drg_txn *t;
	struct drg_clock clock;
	enum drg_put_result result;
	struct drg_record a = adapter(1);
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_put(t, &a, &result, &p->err));
	MUST(p, drg_store_exists(p->s, &a, &p->err));
	drg_txn_rollback(t);
	drg_txn_rollback(NULL);
	assert_int_equal(drg_store_exists(p->s, &a, &p->err), DRG_ENOENT);
	MUST(p, drg_store_clock(p->s, &clock, &p->err));
	assert_int_equal(clock.seq, 0);
	assert_int_equal(put_one(p, a), DRG_PUT_CREATED);
}

static void others_see_a_transaction_when_it_is_committed(void **state)
{
	struct place *p = *state;
	struct drg_store *reader;
	struct drg_txn *t;
	enum drg_put_result result;
	struct drg_record a = adapter(1);
	MUST(p, drg_store_open(p->url, DRG_STORE_READ, &reader, &p->err));
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_put(t, &a, &result, &p->err));
	assert_int_equal(drg_store_exists(reader, &a, &p->err), DRG_ENOENT);
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	MUST(p, drg_store_exists(reader, &a, &p->err));
	drg_store_close(reader);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* Put in an order that no reading gives. */
static void put_a_few(struct place *p)
{
	struct drg_record key = blank(DRG_TYPE_API_KEY), direction = blank(DRG_TYPE_DIRECTION);
	drg_record_set_i(&key, DRG_F_ID, 1);
	complete(&key);
	drg_record_set_i(&direction, DRG_F_ADAPTER_ID, 7);
	drg_record_set_i(&direction, DRG_F_DEP_CITY_ID, 10);
	drg_record_set_i(&direction, DRG_F_COUNTRY_ID, 1);
	const struct drg_record few[] = {
		mapped(8, DRG_KIND_HOTEL, "1", 55),
		source(7, DRG_KIND_HOTEL, "9"),
		mapped(7, DRG_KIND_HOTEL, "10", 55),
		source(7, DRG_KIND_CITY, "A"),
		source(7, DRG_KIND_HOTEL, "gone"),
		key,
		direction,
		dict(DRG_KIND_HOTEL, 55),
		dict(DRG_KIND_HOTEL, -3),
		dict(DRG_KIND_COUNTRY, 1),
		adapter(8),
		adapter(7),
	};
	put_all(p, few, sizeof few / sizeof few[0]);
	put_one(p, gone(few[4]));
}

static void a_scan_gives_what_the_filter_wants_in_order(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	put_a_few(p);
	const struct {
		const char *what;
		struct drg_filter f;
		const char *want[16];
	} cases[] = {
		{ "all",
		  { 0 },
		  { "adapter 7", "adapter 8", "dict country 1", "dict hotel -3", "dict hotel 55",
		    "source 7 city A", "source 7 hotel 10", "source 7 hotel 9", "source 8 hotel 1",
		    "direction 7 10 1", NULL } },
		{ "one type",
		  { .type = &drg_types[DRG_TYPE_DICT] },
		  { "dict country 1", "dict hotel -3", "dict hotel 55", NULL } },
		{ "one kind",
		  { .one_kind = true, .kind = DRG_KIND_HOTEL },
		  { "dict hotel -3", "dict hotel 55", "source 7 hotel 10", "source 7 hotel 9",
		    "source 8 hotel 1", NULL } },
		{ "a kind that only dict has",
		  { .one_kind = true, .kind = DRG_KIND_FACILITY_TYPE },
		  { NULL } },
		{ "one adapter",
		  { .adapter = 7 },
		  { "source 7 city A", "source 7 hotel 10", "source 7 hotel 9", "direction 7 10 1", NULL } },
		{ "adapter and kind",
		  { .adapter = 8, .one_kind = true, .kind = DRG_KIND_HOTEL },
		  { "source 8 hotel 1", NULL } },
		{ "tombstones",
		  { .adapter = 7, .one_kind = true, .kind = DRG_KIND_HOTEL, .tombstones = true },
		  { "source 7 hotel 10", "source 7 hotel 9", "source 7 hotel gone", NULL } },
		{ "internal",
		  { .internal = true, .type = &drg_types[DRG_TYPE_API_KEY] },
		  { "api_key 1", NULL } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct rows got = { 0 };
		MUST(p, drg_rows_each(drg_rows_scan(&rows, p->s, &cases[i].f, &p->err), collect, &got));
		assert_rows(&got, cases[i].want);
		assert_int_equal(rows.clock.seq, 2);

		struct drg_filter any = cases[i].f;
		struct rows unordered = { 0 };
		any.any_order = true;
		MUST(p, drg_rows_each(drg_rows_scan(&rows, p->s, &any, &p->err), collect, &unordered));
		assert_int_equal(unordered.n, got.n);
	}
}

static void keys_are_scanned_only_when_asked_for(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	put_a_few(p);
	struct drg_filter f = { .internal = true };
	struct rows with = { 0 }, without = { 0 };
	MUST(p, drg_rows_each(drg_rows_scan(&rows, p->s, &f, &p->err), collect, &with));
	f.internal = false;
	MUST(p, drg_rows_each(drg_rows_scan(&rows, p->s, &f, &p->err), collect, &without));
	assert_int_equal(with.n, without.n + 1);
	assert_string_equal(with.row[with.n - 1].label, "api_key 1");
}

static void the_feed_goes_by_seq_then_type_and_gives_each_row_once(void **state)
{
	struct place *p = *state;
	const struct drg_record first[] = { source(7, DRG_KIND_HOTEL, "2"), source(7, DRG_KIND_HOTEL, "1"),
		                            adapter(7), dict(DRG_KIND_HOTEL, 5) };
	const struct drg_record second[] = { mapped(7, DRG_KIND_HOTEL, "2", 5),
		                             gone(dict(DRG_KIND_HOTEL, 5)) };
	put_all(p, first, 4);
	put_all(p, second, 2);
	put_one(p, adapter(9));
	const struct {
		int64_t since;
		const char *want[8];
	} cases[] = {
		{ 0,
		  { "adapter 7", "source 7 hotel 1", "dict hotel 5", "source 7 hotel 2", "adapter 9",
		    NULL } },
		{ 1, { "dict hotel 5", "source 7 hotel 2", "adapter 9", NULL } },
		{ 2, { "adapter 9", NULL } },
		{ 3, { NULL } },
		{ 4, { NULL } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct rows got = { 0 };
		struct drg_clock clock = { 0 };
		MUST(p, feed_of_all(p->s, cases[i].since, collect, &got, &clock, &p->err));
		assert_rows(&got, cases[i].want);
		assert_int_equal(clock.seq, 3);
		for (unsigned k = 0; k < got.n; k++)
			assert_int_equal(got.row[k].deleted, strcmp(got.row[k].label, "dict hotel 5") == 0);
	}
}

static int stop_at_second(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)r, (void)m;
	return ++*(int *)ctx == 2 ? DRG_ESTOPPED : DRG_OK;
}

static void a_callback_ends_the_reading(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	put_a_few(p);
	struct drg_filter f = { 0 };
	struct drg_clock clock = { .seq = 42 };
	int n = 0;
	assert_int_equal(drg_rows_each(drg_rows_scan(&rows, p->s, &f, &p->err), stop_at_second, &n),
	                 DRG_ESTOPPED);
	assert_int_equal(n, 2);
	n = 0;
	assert_int_equal(feed_of_all(p->s, 0, stop_at_second, &n, &clock, &p->err), DRG_ESTOPPED);
	assert_int_equal(n, 2);
	n = 1;
	struct drg_record key = adapter(7);
	assert_int_equal(drg_rows_each(drg_rows_get(&rows, p->s, &key, &p->err), stop_at_second, &n),
	                 DRG_ESTOPPED);
	assert_int_equal(clock.seq, 42);
	/* The handle is as good as before. */
	struct rows got = { 0 };
	MUST(p, feed_of_all(p->s, 1, collect, &got, NULL, &p->err));
	assert_int_equal(got.n, 1);
	put_one(p, adapter(70));
}

struct writes_between {
	struct place *p;
	struct drg_store *writer;
	unsigned rows;
};

static int write_between(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)r, (void)m;
	struct writes_between *w = ctx;
	struct place other = *w->p;
	other.s = w->writer;
	put_one(&other, adapter(100 + (int64_t)w->rows++));
	return w->rows < 50 ? DRG_OK : DRG_ELIMIT;
}

static void a_reading_is_one_snapshot(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	put_a_few(p);
	struct writes_between w = { .p = p };
	struct drg_clock clock;
	struct drg_filter f = { .any_order = true };
	MUST(p, drg_store_open(p->url, DRG_STORE_WRITE, &w.writer, &p->err));
	MUST(p, drg_rows_each(drg_rows_scan(&rows, p->s, &f, &p->err), write_between, &w));
	assert_int_equal(w.rows, 10);
	assert_int_equal(rows.clock.seq, 2);
	w.rows = 0;
	MUST(p, feed_of_all(p->s, 0, write_between, &w, &clock, &p->err));
	assert_int_equal(clock.seq, 12);
	drg_store_close(w.writer);
}

static void get_and_exists_see_live_rows_only(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	struct rows got = { 0 };
	struct drg_record live = source(7, DRG_KIND_HOTEL, "9"), dead = source(7, DRG_KIND_HOTEL, "gone"),
	                  never = source(7, DRG_KIND_HOTEL, "never"), broken = blank(DRG_TYPE_SOURCE);
	put_a_few(p);
	MUST(p, drg_rows_each(drg_rows_get(&rows, p->s, &live, &p->err), collect, &got));
	MUST(p, drg_store_exists(p->s, &live, &p->err));
	assert_int_equal(drg_rows_each(drg_rows_get(&rows, p->s, &dead, &p->err), collect, &got), DRG_ENOENT);
	assert_int_equal(drg_store_exists(p->s, &dead, &p->err), DRG_ENOENT);
	assert_int_equal(drg_rows_each(drg_rows_get(&rows, p->s, &never, &p->err), collect, &got),
	                 DRG_ENOENT);
	assert_int_equal(drg_store_exists(p->s, &never, &p->err), DRG_ENOENT);
	assert_int_equal(drg_rows_each(drg_rows_get(&rows, p->s, &broken, &p->err), collect, &got),
	                 DRG_EINVAL);
	assert_int_equal(drg_store_exists(p->s, &broken, &p->err), DRG_EINVAL);
	assert_int_equal(got.n, 1);
}

static void referrers_are_found_by_mapping_and_by_field(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	struct drg_record hotel = dict(DRG_KIND_HOTEL, 70), redirect = blank(DRG_TYPE_REDIRECT);
	drg_record_set_i(&hotel, DRG_F_COUNTRY_ID, 1);
	drg_record_set_i(&hotel, DRG_F_CITY_ID, 1);
	drg_record_set_i(&redirect, DRG_F_KIND, DRG_KIND_HOTEL);
	drg_record_set_i(&redirect, DRG_F_ID, 71);
	drg_record_set_i(&redirect, DRG_F_TO, 55);
	const struct drg_record more[] = { hotel, redirect, mapped(9, DRG_KIND_CITY, "x", 55),
		                           mapped(9, DRG_KIND_HOTEL, "dead", 55) };
	put_a_few(p);
	put_all(p, more, 4);
	put_one(p, gone(more[3]));
	const struct {
		enum drg_kind kind;
		int64_t id;
		unsigned limit;
		const char *want[8];
	} cases[] = {
		{ DRG_KIND_HOTEL,
		  55,
		  10,
		  { "redirect hotel 71", "source 7 hotel 10", "source 8 hotel 1", NULL } },
		{ DRG_KIND_HOTEL,
		  55,
		  3,
		  { "redirect hotel 71", "source 7 hotel 10", "source 8 hotel 1", NULL } },
		{ DRG_KIND_HOTEL, 55, 2, { "source 7 hotel 10", "source 8 hotel 1", NULL } },
		{ DRG_KIND_HOTEL, 55, 0, { NULL } },
		{ DRG_KIND_CITY, 55, 10, { "source 9 city x", NULL } },
		{ DRG_KIND_COUNTRY, 1, 10, { "dict hotel 70", "direction 7 10 1", NULL } },
		{ DRG_KIND_CITY, 1, 10, { "dict hotel 70", NULL } },
		{ DRG_KIND_DEP_CITY, 10, 10, { "direction 7 10 1", NULL } },
		{ DRG_KIND_FACILITY_TYPE, 1, 10, { NULL } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct rows got = { 0 };
		MUST(p, drg_rows_each(drg_rows_referrers(&rows, p->s, cases[i].kind, cases[i].id,
		                                         cases[i].limit, &p->err),
		                      collect, &got));
		sort_rows(&got);
		assert_rows(&got, cases[i].want);
	}
}

/* ---- counts and check ---------------------------------------------------------------------------------- */

struct counted {
	unsigned n;
	struct drg_count c[32];
};

static int take_count(void *ctx, const struct drg_count *c)
{
	struct counted *all = ctx;
	all->c[all->n++] = *c;
	return DRG_OK;
}

static void counts_go_by_type_kind_and_adapter(void **state)
{
	struct place *p = *state;
	struct counted got = { 0 };
	const struct {
		enum drg_type_id type;
		enum drg_kind kind;
		int64_t adapter, live, mapped, tombstones;
	} want[] = {
		{ DRG_TYPE_ADAPTER, DRG_KIND_NONE, 0, 2, 0, 0 },
		{ DRG_TYPE_DICT, DRG_KIND_COUNTRY, 0, 1, 0, 0 },
		{ DRG_TYPE_DICT, DRG_KIND_HOTEL, 0, 2, 0, 0 },
		{ DRG_TYPE_SOURCE, DRG_KIND_CITY, 7, 1, 0, 0 },
		{ DRG_TYPE_SOURCE, DRG_KIND_HOTEL, 7, 2, 1, 1 },
		{ DRG_TYPE_SOURCE, DRG_KIND_HOTEL, 8, 1, 1, 0 },
		{ DRG_TYPE_DIRECTION, DRG_KIND_NONE, 7, 1, 0, 0 },
		{ DRG_TYPE_API_KEY, DRG_KIND_NONE, 0, 1, 0, 0 },
	};
	put_a_few(p);
	MUST(p, drg_store_counts(p->s, take_count, &got, &p->err));
	assert_int_equal(got.n, sizeof want / sizeof want[0]);
	for (unsigned i = 0; i < got.n; i++) {
		assert_ptr_equal(got.c[i].type, &drg_types[want[i].type]);
		assert_int_equal(got.c[i].kind, want[i].kind);
		assert_int_equal(got.c[i].adapter, want[i].adapter);
		assert_int_equal(got.c[i].live, want[i].live);
		assert_int_equal(got.c[i].mapped, want[i].mapped);
		assert_int_equal(got.c[i].tombstones, want[i].tombstones);
	}
}

static void an_empty_store_counts_nothing(void **state)
{
	struct place *p = *state;
	struct counted got = { 0 };
	MUST(p, drg_store_counts(p->s, take_count, &got, &p->err));
	assert_int_equal(got.n, 0);
}

struct findings {
	unsigned n;
	char text[16][200];
};

static void take_finding(void *ctx, const char *text)
{
	struct findings *f = ctx;
	snprintf(f->text[f->n++ % 16], sizeof f->text[0], "%s", text);
}

static void a_check_reports_references_to_nothing(void **state)
{
	struct place *p = *state;
	struct findings got = { 0 };
	struct drg_record content = blank(DRG_TYPE_HOTEL_CONTENT), air = blank(DRG_TYPE_AIR_MAP);
	drg_record_set_i(&content, DRG_F_ADAPTER_ID, 7);
	drg_record_set_s(&content, DRG_F_HOTEL_ID, DRG_STR("1"));
	drg_record_set_i(&air, DRG_F_ADAPTER_ID, 7);
	drg_record_set_s(&air, DRG_F_EXTERNAL_ID, DRG_STR("X"));
	drg_record_set_i(&air, DRG_F_PLACE_ID, 3);
	const struct drg_record good[] = { adapter(7), source(7, DRG_KIND_HOTEL, "1"), dict(DRG_KIND_MEAL, 5),
		                           content, mapped(7, DRG_KIND_MEAL, "2", 5) };
	put_all(p, good, 5);
	MUST(p, drg_store_check(p->s, take_finding, &got, &p->err));
	assert_int_equal(got.n, 0);

	const struct drg_record bad[] = { gone(good[1]), gone(good[2]), air, source(8, DRG_KIND_CITY, "1") };
	put_all(p, bad, 4);
	MUST(p, drg_store_check(p->s, take_finding, &got, &p->err));
	assert_int_equal(got.n, 4);
	assert_string_equal(got.text[0], "source 8 city 1: adapter_id: names a record that does not exist");
	assert_string_equal(got.text[1], "source 7 meal 2: dict_id: names a record that does not exist");
	assert_string_equal(got.text[2], "hotel_content 7 1: hotel_id: names a record that does not exist");
	assert_string_equal(got.text[3], "air_map 7 X: source_id: names a record that does not exist");
}

#define without_store(test) cmocka_unit_test_setup_teardown(test, place_without_store, place_remove)

GROUP(store)
{
	const struct CMUnitTest tests[] = {
		without_store(a_url_names_an_engine_and_a_place),
		without_store(only_create_makes_a_store),
		on_new_store(an_epoch_stays_with_its_store),
		on_new_store(every_field_of_every_kind_comes_back),
		on_new_store(every_field_that_changes_is_a_change),
		on_new_store(texts_are_kept_byte_for_byte),
		on_new_store(a_long_text_comes_back),
		on_new_store(a_source_that_is_silent_keeps_its_mapping),
		on_new_store(removing_what_is_not_there_changes_nothing),
		on_new_store(seqs_tell_what_happened_when),
		on_new_store(an_incomplete_record_is_refused_and_the_transaction_goes_on),
		on_new_store(a_transaction_without_changes_leaves_the_clock),
		on_new_store(a_rollback_leaves_no_trace),
		on_new_store(others_see_a_transaction_when_it_is_committed),
		on_new_store(a_scan_gives_what_the_filter_wants_in_order),
		on_new_store(keys_are_scanned_only_when_asked_for),
		on_new_store(the_feed_goes_by_seq_then_type_and_gives_each_row_once),
		on_new_store(a_callback_ends_the_reading),
		on_new_store(a_reading_is_one_snapshot),
		on_new_store(get_and_exists_see_live_rows_only),
		on_new_store(referrers_are_found_by_mapping_and_by_field),
		on_new_store(counts_go_by_type_kind_and_adapter),
		on_new_store(an_empty_store_counts_nothing),
		on_new_store(a_check_reports_references_to_nothing),
	};
	return run_on_every_engine("store/store", tests);
}
