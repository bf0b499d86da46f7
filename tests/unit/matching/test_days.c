/* What was decided day by day (matching/survey/days.h): brought up to date it is what reading all gives. */
#include "../store/place.h"

#include "matching/survey/days.h"
#include "model/key.h"

/* At so many days, and so many microseconds, of 2026. */
static struct drg_record event(const char *id, unsigned day, unsigned us, enum drg_how how, char at[40])
{
	struct drg_record r = blank(DRG_TYPE_MAPPING_EVENT);
	unsigned ms = us / 1000, rest = us % 1000;
	drg_key_event(&r, 7, DRG_KIND_MEAL, drg_str_c(id));
	snprintf(at, 40,
	         rest != 0 ? "2026-%02u-%02uT10:00:%02u.%03u%03uZ" : "2026-%02u-%02uT10:00:%02u.%03uZ",
	         1 + day / 28, 1 + day % 28, ms / 1000 % 60, ms % 1000, rest);
	drg_record_set_s(&r, DRG_F_AT, drg_str_c(at));
	drg_record_set_i(&r, DRG_F_HOW, how);
	drg_record_set_i(&r, DRG_F_FROM, 1);
	drg_record_set_i(&r, DRG_F_TO, 1 + us % 2);
	if (how == DRG_HOW_UNDO && us % 3 == 0)
		drg_record_set_i(&r, DRG_F_OF_BATCH, 4);
	return r;
}

static void assert_as_read_anew(struct place *p, struct drg_survey_days *kept)
{
	struct drg_survey_days anew;
	drg_survey_days_init(&anew, 0, DRG_KIND_NONE);
	MUST(p, drg_survey_days_read(kept, p->s, &p->err));
	MUST(p, drg_survey_days_read(&anew, p->s, &p->err));
	assert_int_equal(kept->v.n, anew.v.n);
	assert_int_equal(kept->upto.seq, anew.upto.seq);
	const struct drg_survey_day *k = (const struct drg_survey_day *)(const void *)kept->v.p,
	                            *a = (const struct drg_survey_day *)(const void *)anew.v.p;
	for (size_t i = 0; i < anew.v.n / sizeof *a; i++) {
		assert_int_equal(k[i].adapter, a[i].adapter);
		assert_int_equal(k[i].kind, a[i].kind);
		assert_int_equal(k[i].day, a[i].day);
		assert_memory_equal(k[i].n, a[i].n, sizeof a[i].n);
	}
	drg_survey_days_done(&anew);
}

static int64_t counted(const struct drg_survey_days *d, enum drg_survey_what what)
{
	const struct drg_survey_day *v = (const struct drg_survey_day *)(const void *)d->v.p;
	int64_t n = 0;
	for (size_t i = 0; i < d->v.n / sizeof *v; i++)
		n += v[i].n[what];
	return n;
}

/* Events come in any order: the middle of a history too, as imports bring it. */
static void brought_up_to_date_it_is_what_reading_all_gives(void **state)
{
	static const enum drg_how hows[] = { DRG_HOW_MATCH, DRG_HOW_SET,    DRG_HOW_UNDO, DRG_HOW_AUDIT,
		                             DRG_HOW_MERGE, DRG_HOW_IMPORT, DRG_HOW_MATCH };
	struct place *p = *state;
	struct drg_survey_days kept;
	unsigned random = 1;
	drg_survey_days_init(&kept, 0, DRG_KIND_NONE);
	assert_as_read_anew(p, &kept);
	for (unsigned round = 0; round < 60; round++) {
		struct drg_record r[8];
		char at[8][40], id[8][8];
		for (unsigned i = 0; i < 8; i++) {
			random = random * 1103515245 + 12345;
			snprintf(id[i], sizeof id[i], "s%u", (random >> 8) % 9);
			r[i] = event(id[i], (random >> 12) % 100, (random >> 20) % 4000,
			             hows[(random >> 24) % 7], at[i]);
		}
		put_all(p, r, 1 + round % 8);
		assert_as_read_anew(p, &kept);
	}
	assert_true(counted(&kept, DRG_SURVEY_OVERRULED) > 0 && counted(&kept, DRG_SURVEY_UNDONE) > 0);
	assert_true(counted(&kept, DRG_SURVEY_CONFIRMED) > 0 && counted(&kept, DRG_SURVEY_AUTOMATIC) > 0);
	drg_survey_days_done(&kept);
}

/* What the matcher has mapped, and somebody mapped anew. */
struct overruled {
	char at[40], later[40];
	struct drg_record first, then;
};

static void put_overruled(struct place *p, struct overruled *o, struct drg_survey_days *kept)
{
	o->first = event("a", 1, 0, DRG_HOW_MATCH, o->at);
	o->then = event("a", 2, 1000, DRG_HOW_SET, o->later);
	drg_survey_days_init(kept, 0, DRG_KIND_NONE);
	put_one(p, o->first);
	put_one(p, o->then);
	assert_as_read_anew(p, kept);
}

static void what_was_changed_or_set_back_is_read_anew(void **state)
{
	struct place *p = *state;
	struct drg_survey_days kept;
	struct overruled o;
	char other[40];
	put_overruled(p, &o, &kept);
	assert_int_equal(counted(&kept, DRG_SURVEY_OVERRULED), 1);
	drg_record_set_i(&o.first, DRG_F_HOW, DRG_HOW_SET);
	put_one(p, o.first);
	assert_as_read_anew(p, &kept);
	assert_int_equal(counted(&kept, DRG_SURVEY_AUTOMATIC), 0);
	put_one(p, gone(o.then));
	assert_as_read_anew(p, &kept);
	assert_int_equal(counted(&kept, DRG_SURVEY_PEOPLE), 1);
	place_close(p);
	engine->backup(p);
	place_reopen(p);
	put_one(p, event("b", 3, 0, DRG_HOW_MATCH, other));
	assert_as_read_anew(p, &kept);
	place_close(p);
	engine->restore(p);
	place_reopen(p);
	put_one(p, event("c", 3, 0, DRG_HOW_AUDIT, other));
	assert_as_read_anew(p, &kept);
	assert_true(counted(&kept, DRG_SURVEY_AUTOMATIC) == 0 && counted(&kept, DRG_SURVEY_PEOPLE) == 2);
	drg_survey_days_done(&kept);
}

static void what_was_removed_and_came_again_counts_once(void **state)
{
	struct place *p = *state;
	struct drg_survey_days kept;
	struct overruled o;
	char other[40];
	put_overruled(p, &o, &kept);
	put_one(p, gone(o.first));
	put_one(p, o.first);
	assert_as_read_anew(p, &kept);
	assert_int_equal(counted(&kept, DRG_SURVEY_AUTOMATIC), 1);
	put_one(p, event("b", 3, 0, DRG_HOW_MATCH, other));
	assert_as_read_anew(p, &kept);
	put_one(p, gone(o.then));
	put_one(p, o.then);
	assert_as_read_anew(p, &kept);
	assert_int_equal(counted(&kept, DRG_SURVEY_OVERRULED), 1);
	drg_survey_days_done(&kept);
}

/* The bytes of a time with microseconds come before those of one of the same millisecond without. */
static void events_of_one_millisecond_are_in_their_order(void **state)
{
	struct place *p = *state;
	struct drg_survey_days d;
	char at[2][40];
	put_one(p, event("a", 1, 5000, DRG_HOW_MATCH, at[0]));
	put_one(p, event("a", 1, 5007, DRG_HOW_SET, at[1]));
	drg_survey_days_init(&d, 0, DRG_KIND_NONE);
	assert_as_read_anew(p, &d);
	assert_int_equal(counted(&d, DRG_SURVEY_OVERRULED), 1);
	drg_survey_days_done(&d);
}

GROUP(days)
{
	const struct CMUnitTest tests[] = {
		on_new_store(brought_up_to_date_it_is_what_reading_all_gives),
		on_new_store(what_was_changed_or_set_back_is_read_anew),
		on_new_store(what_was_removed_and_came_again_counts_once),
		on_new_store(events_of_one_millisecond_are_in_their_order),
	};
	return run_on_every_engine("days", tests);
}
