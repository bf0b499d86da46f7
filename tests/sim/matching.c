/* The matcher of both servers: nothing new is left out, nothing is done twice, people are not overruled. */
#include "sim.h"

struct history {
	unsigned by_matcher[PLAIN + HOTELS];
	bool by_people[PLAIN + HOTELS];
};

static int history_take(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct history *x = ctx;
	const struct drg_str id = r->v[DRG_F_SOURCE_ID].s;
	const bool hotel = drg_record_kind(r) == DRG_KIND_HOTEL;
	const unsigned plain = id_number(id) - IDS;
	const int h = hotel ? hotel_number(id) : -1;
	(void)m;
	if (r->v[DRG_F_ADAPTER_ID].i != ADAPTER || (hotel ? h < 0 : plain >= PLAIN))
		return DRG_OK;
	const unsigned i = hotel ? PLAIN + (unsigned)h : plain;
	const int64_t how = drg_record_i(r, DRG_F_HOW, DRG_HOW_SET);
	hold(how != DRG_HOW_MATCH || !x->by_people[i], "the matcher has overruled people", "");
	x->by_matcher[i] += how == DRG_HOW_MATCH;
	x->by_people[i] |= how == DRG_HOW_SET;
	return DRG_OK;
}

void look_at_matching(struct drg_store *s)
{
	struct history x = { .by_matcher = { 0 } };
	const struct shown store = shown_by_store(s);
	struct drg_clock clock;
	hold(drg_store_clock(s, &clock, NULL) == DRG_OK, "no clock", "");
	hold(drg_event_scan(s, &drg_types[DRG_TYPE_MAPPING_EVENT], history_take, &x, NULL) == DRG_OK,
	     "no history", "");
	for (unsigned i = 0; i < PLAIN; i++) {
		hold(!store.plain[i] || store.plain_mapped[i] == PLAIN_DICT, "not matched", "");
		hold(x.by_matcher[i] == store.plain[i], "matched twice", "");
		done.mapped += x.by_matcher[i];
	}
	for (unsigned i = 0; i < SERVERS; i++)
		hold(drg_automatch_matched(w.servers[i].automatch) == clock.seq, "the matcher is behind", "");
}

bool matcher_has_begun(void)
{
	bool begun = false;
	for (unsigned i = 0; i < SERVERS; i++)
		begun = begun || (w.servers[i].up && drg_automatch_matched(w.servers[i].automatch) >= 0);
	return begun;
}
