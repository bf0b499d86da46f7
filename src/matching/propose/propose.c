/* Proposes records for hotels that two suppliers or more have and the reference lacks (decision M40). */
#include "matching/propose/propose.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decide/apart.h"
#include "matching/propose/propose_priv.h"

#define CORNER_METRES 200.0

struct proposing {
	struct drg_store *s;
	struct drg_proposing *p;
	struct drg_automap_kept *kept;
	struct drg_pooled pool;
	struct drg_candidate_index index;
	bool indexed;
	bool *known; /* by record: the reference has a possible match by now */
	pthread_mutex_t lock; /* protects the ties, while there are threads */
	struct drg_buf ties; /* struct drg_tie */
	struct drg_err *err;
};

/* ---- comparing ----------------------------------------------------------------------------------------- */

/* Is the pair never compared? Two records of one supplier are two houses; a record that the reference has is
 * not new. */
static bool propose_never(const void *ctx, uint32_t a, uint32_t b)
{
	const struct proposing *x = ctx;
	return x->known[a] || x->known[b] ||
	       drg_pooled_row(&x->pool, a)->adapter == drg_pooled_row(&x->pool, b)->adapter;
}

static bool propose_is_apart(const void *ctx, uint32_t record, uint32_t reference)
{
	const struct proposing *x = ctx;
	const struct drg_pooled_row *row = drg_pooled_row(&x->pool, record);
	int64_t dict_id = drg_place(&x->kept->ref.hotels, reference)->id;
	return x->kept->apart.used > 0 &&
	       drg_tally_get(&x->kept->apart,
	                     drg_not_same_key(row->adapter, DRG_KIND_HOTEL, row->id, dict_id)) > 0;
}

/* Has neither coordinates nor street and house nor a postcode said where they are, and have many hotels their
 * name? */
static bool propose_is_common(const struct drg_hotel_pair *p)
{
	return isnan(p->metres) && p->level[DRG_CMP_NAME] > DRG_NAME_SAME_FEW &&
	       p->level[DRG_CMP_ADDRESS] != DRG_ADDRESS_SAME && p->level[DRG_CMP_ZIP] != DRG_ZIP_SAME;
}

/* Is the pair located well enough? Without a rival in the reference a name alone does not prove that two
 * houses of a city are one: they must be close together, or in one street and
 * house, or in one street without coordinates. */
static bool propose_placed(const struct drg_hotel_pair *p)
{
	unsigned street = p->level[DRG_CMP_ADDRESS];
	bool same_street = street == DRG_ADDRESS_SAME || (street == DRG_ADDRESS_STREET && isnan(p->metres));
	return p->placed && !propose_is_common(p) && (same_street || (double)p->metres <= DRG_TIE_METRES);
}

/* Does the pair match by name alone: as far as is known they are not apart, and the city has the name once?
 * That is enough if nothing speaks against it. */
static bool propose_named(const struct drg_hotel_pair *p)
{
	return p->placed && !p->former && isnan(p->metres) && p->level[DRG_CMP_NAME] >= DRG_NAME_SAME &&
	       p->level[DRG_CMP_ADDRESS] == 0 && p->level[DRG_CMP_ZIP] != DRG_ZIP_OTHER;
}

/* Do their addresses differ? Then houses of one name are two. In another street they may be one, at a
 * corner, if name and coordinates say so; with another postcode, if street and house do. */
static bool propose_has_other_address(const struct drg_hotel_pair *p)
{
	unsigned street = p->level[DRG_CMP_ADDRESS];
	bool corner = (double)p->metres < CORNER_METRES && p->level[DRG_CMP_NAME] >= DRG_NAME_SAME;
	return (street > DRG_ADDRESS_STREET && !corner) ||
	       (street != DRG_ADDRESS_SAME && p->level[DRG_CMP_ZIP] == DRG_ZIP_OTHER);
}

/* Note a pair. Below the bound for asking it means nothing; with a lead less than the bound it may be a
 * rival. */
static void propose_pair(void *ctx, uint32_t record, const struct drg_hotel_pair *p,
                         enum drg_match_reason veto)
{
	struct proposing *x = ctx;
	double bits = (double)p->bits;
	bool apart = veto != DRG_WHY_SURE || propose_has_other_address(p);
	if (bits < x->p->card.ask || (!apart && bits < x->p->card.automatic - x->p->card.lead))
		return;
	bool placed = propose_placed(p);
	const struct drg_tie t = { .a = record < p->i ? record : p->i,
		                   .b = record < p->i ? p->i : record,
		                   .bits = p->bits,
		                   .apart = apart,
		                   .clear = placed &&
		                            (p->level[DRG_CMP_ADDRESS] == DRG_ADDRESS_SAME ||
		                             (p->level[DRG_CMP_ADDRESS] == DRG_ADDRESS_STREET &&
		                              p->level[DRG_CMP_NAME] >= DRG_NAME_SAME) ||
		                             (double)p->metres < CORNER_METRES) &&
		                            !p->former && p->level[DRG_CMP_NAME] >= DRG_NAME_SAME_CORE &&
		                            p->level[DRG_CMP_DISTANCE] < x->p->card.n_metres,
		                   .placed = placed,
		                   .named = propose_named(p) };
	pthread_mutex_lock(&x->lock);
	drg_buf_add(&x->ties, &t, sizeof t);
	pthread_mutex_unlock(&x->lock);
}

static void propose_progress(void *ctx, uint64_t done, uint64_t total)
{
	const struct proposing *x = ctx;
	if (x->p->progress != NULL)
		x->p->progress(x->p->ctx, "comparing", done, total);
}

static struct drg_hotel_matching propose_matching(struct proposing *x)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	return (struct drg_hotel_matching){ .card = &x->p->card,
		                            .src = &x->pool.places,
		                            .threads = x->p->threads > 0 ? x->p->threads
		                                       : cores > 0       ? (unsigned)cores
		                                                         : 1,
		                            .apart_ctx = x,
		                            .progress = propose_progress,
		                            .ctx = x };
}

/* Match the pool against the reference as it is now, for records that were added since the last run. Rarity
 * of names is that of the pool, so a hotel that was just below the bound may be above it: it is better asked
 * about than made twice. */
static int propose_match_reference(struct proposing *x, struct drg_hotel_match *m)
{
	struct drg_hotel_matching matching = propose_matching(x);
	matching.index = &x->kept->ref.index;
	matching.apart = propose_is_apart;
	int rc = drg_hotels_match(&matching, m, x->err);
	for (uint32_t i = 0; rc == DRG_OK && i < drg_places_size(&x->pool.places); i++) {
		x->known[i] = m[i].outcome != DRG_MATCH_NONE;
		x->p->in_reference += x->known[i];
	}
	x->p->records -= x->p->in_reference;
	return rc;
}

static int propose_compare_all(struct proposing *x, struct drg_hotel_match *m)
{
	struct drg_hotel_matching matching = propose_matching(x);
	matching.index = &x->index;
	matching.apart = propose_never;
	matching.pair = propose_pair;
	matching.pair_ctx = x;
	int rc = drg_candidate_index_make(&x->pool.places, NULL, &x->index);
	x->indexed = rc == DRG_OK;
	return rc == DRG_OK ? drg_hotels_match(&matching, m, x->err) : drg_fail_memory(x->err);
}

static int propose_compare(struct proposing *x)
{
	size_t n = (size_t)drg_places_size(&x->pool.places) + 1;
	struct drg_hotel_match *m = calloc(n, sizeof *m);
	x->known = calloc(n, sizeof *x->known);
	int rc = m != NULL && x->known != NULL ? propose_match_reference(x, m) : drg_fail_memory(x->err);
	if (rc == DRG_OK) {
		memset(m, 0, n * sizeof *m);
		rc = propose_compare_all(x, m);
	}
	free(m);
	return rc == DRG_OK && x->ties.rc != DRG_OK ? drg_fail_memory(x->err) : rc;
}

/* ---- reporting the proposals --------------------------------------------------------------------------- */

/* A record and its cluster. */
struct clustered {
	uint32_t first, i;
	uint32_t size;
	float bits;
};

static int clustered_by_first(const void *pa, const void *pb)
{
	const struct clustered *a = pa, *b = pb;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return a->i < b->i ? -1 : a->i > b->i;
}

static int clustered_by_size(const void *pa, const void *pb)
{
	const struct clustered *a = pa, *b = pb;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	if (a->bits != b->bits)
		return a->bits > b->bits ? -1 : 1;
	return clustered_by_first(a, b);
}

/* Sort records by cluster; single ones come last. */
static void propose_order(struct clustered *v, uint32_t n, const uint32_t *first, const float *bits)
{
	for (uint32_t i = 0; i < n; i++)
		v[i] = (struct clustered){ .first = first[i], .i = i, .bits = bits[first[i]] };
	if (n > 0)
		qsort(v, n, sizeof *v, clustered_by_first);
	for (uint32_t from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && v[to].first == v[from].first;)
			to++;
		for (uint32_t i = from; i < to; i++)
			v[i].size = to - from;
	}
	if (n > 0)
		qsort(v, n, sizeof *v, clustered_by_size);
}

static void propose_fill(const struct proposing *x, const struct clustered *v,
                         struct drg_proposal_member *members, struct drg_new_choice *choice)
{
	for (uint32_t i = 0; i < v[0].size; i++) {
		const struct drg_pooled_row *row = drg_pooled_row(&x->pool, v[i].i);
		const struct drg_place_record *place = drg_place(&x->pool.places, v[i].i);
		members[i] = (struct drg_proposal_member){ row->adapter, row->id, row->name, row->lang,
			                                   row->city_name };
		choice->names[i] = row->name;
		choice->countries[i] = row->country;
		choice->cities[i] = row->city;
		choice->categories[i] = row->category;
		choice->lats[i] = place->lat;
		choice->lngs[i] = place->lng;
	}
	choice->n = v[0].size;
}

static int propose_report_one(struct proposing *x, const struct clustered *v, drg_proposal_fn *fn, void *ctx)
{
	struct drg_proposal_member *members = calloc(v[0].size, sizeof *members);
	struct drg_new_choice choice;
	int rc = members != NULL ? drg_new_choice_init(&choice, v[0].size) : DRG_ENOMEM;
	if (rc != DRG_OK) {
		free(members);
		return drg_fail_memory(x->err);
	}
	propose_fill(x, v, members, &choice);
	const struct drg_proposal p = { .members = members,
		                        .n = v[0].size,
		                        .bits = (double)v[0].bits,
		                        .name = drg_new_choose_text(choice.names, choice.n),
		                        .country = drg_new_choose_id(choice.countries, choice.n),
		                        .city = drg_new_choose_id(choice.cities, choice.n),
		                        .category = drg_new_choose_id(choice.categories, choice.n),
		                        .lat = drg_new_choose_degrees(choice.lats, choice.n),
		                        .lng = drg_new_choose_degrees(choice.lngs, choice.n) };
	x->p->proposals++;
	x->p->members += v[0].size;
	rc = fn(ctx, &p);
	free(members);
	drg_new_choice_done(&choice);
	return rc;
}

static int propose_report(struct proposing *x, drg_proposal_fn *fn, void *ctx)
{
	uint32_t n = drg_places_size(&x->pool.places);
	uint32_t *first = calloc((size_t)n + 1, sizeof *first);
	float *bits = calloc((size_t)n + 1, sizeof *bits);
	struct clustered *v = calloc((size_t)n + 1, sizeof *v);
	int rc = first != NULL && bits != NULL && v != NULL
	                 ? drg_pooled_join(&x->pool, &x->p->card, &x->ties, first, bits, &x->p->ambiguous)
	                 : DRG_ENOMEM;
	if (rc != DRG_OK)
		rc = drg_fail_memory(x->err);
	else
		propose_order(v, n, first, bits);
	for (uint32_t i = 0; i < n && rc == DRG_OK && v[i].size > 1; i += v[i].size)
		rc = propose_report_one(x, &v[i], fn, ctx);
	free(first);
	free(bits);
	free(v);
	return rc;
}

int drg_propose(struct drg_store *s, struct drg_proposing *p, drg_proposal_fn *fn, void *ctx,
                struct drg_err *reterr)
{
	struct proposing x = { .s = s, .p = p, .lock = PTHREAD_MUTEX_INITIALIZER, .err = reterr };
	p->records = p->in_reference = p->ambiguous = p->proposals = p->members = 0;
	int rc = drg_automap_kept_new(s, NULL, &x.kept, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_buf_init(&x.ties, SIZE_MAX);
	rc = drg_pooled_read(s, x.kept, &x.pool, reterr);
	p->records = x.pool.rows.n / sizeof(struct drg_pooled_row);
	if (rc == DRG_OK)
		rc = propose_compare(&x);
	if (rc == DRG_OK)
		rc = propose_report(&x, fn, ctx);
	if (x.indexed)
		drg_candidate_index_done(&x.index);
	drg_buf_done(&x.ties);
	free(x.known);
	drg_pooled_done(&x.pool);
	drg_automap_kept_free(x.kept);
	return rc;
}
