#include "matching/other_house.h"

#include <math.h>
#include <stdlib.h>

#include "match/compare.h"
#include "matching/automap_priv.h"

enum {
	NAME_NOT_LIKE = 3, /* the highest level of a name that is not like the other */
	NAME_LIKE = 4, /* sister houses in two towns have such names */
	ADDRESS_NOTHING = 6, /* nothing of two addresses agrees */
};
/* From here on two records with one name are mostly two houses, and are surely. */
#define APART_METRES 1200.0
#define FAR_METRES 20000.0

struct drg_house_compare {
	struct drg_normal *normal;
	struct drg_arena arena; /* of a pair */
	struct drg_buf scratch;
};

int drg_house_compare_new(struct drg_house_compare **ret, struct drg_err *reterr)
{
	struct drg_house_compare *x = calloc(1, sizeof *x);
	if (x == NULL)
		return drg_fail_memory(reterr);
	drg_arena_init(&x->arena, 1 << 20);
	drg_buf_init(&x->scratch, 1 << 16);
	int rc = drg_normal_new(&x->normal, reterr);
	if (rc == DRG_OK)
		*ret = x;
	else
		drg_house_compare_free(x);
	return rc;
}

void drg_house_compare_free(struct drg_house_compare *x)
{
	if (x == NULL)
		return;
	drg_normal_free(x->normal);
	drg_arena_done(&x->arena);
	drg_buf_done(&x->scratch);
	free(x);
}

/* Do two texts say the same? -1: one of them says nothing. */
static int says_same(struct drg_house_compare *x, const struct drg_record *a, const struct drg_record *b,
                     enum drg_field f)
{
	char was[DRG_NORMAL_MAX + 1];
	struct drg_str one = drg_normal_fold(x->normal, drg_record_s(a, f));
	if (one.n == 0)
		return -1;
	memcpy(was, one.p, one.n);
	one.p = was;
	struct drg_str other = drg_normal_fold(x->normal, drg_record_s(b, f));
	return other.n == 0 ? -1 : drg_str_eq(one, other);
}

/* Likewise of a place, by its id or its name. */
static int is_same_place(struct drg_house_compare *x, const struct drg_record *a, const struct drg_record *b,
                         enum drg_field id, enum drg_field name)
{
	const int by_id = says_same(x, a, b, id), by_name = says_same(x, a, b, name);
	return by_id > by_name ? by_id : by_name;
}

static int house_add(struct drg_house_compare *x, struct drg_places *l, const struct drg_record *r,
                     int64_t city)
{
	const bool placed = drg_record_has(r, DRG_F_LAT) && drg_record_has(r, DRG_F_LNG) &&
	                    (r->v[DRG_F_LAT].d != 0 || r->v[DRG_F_LNG].d != 0);
	struct drg_place_input in = { .city_name = drg_record_s(r, DRG_F_CITY_NAME),
		                      .address = drg_record_s(r, DRG_F_ADDRESS),
		                      .zip = drg_record_s(r, DRG_F_ZIP),
		                      .lat = placed ? r->v[DRG_F_LAT].d : NAN,
		                      .lng = placed ? r->v[DRG_F_LNG].d : NAN,
		                      .country = DRG_PLACE_UNKNOWN,
		                      .city = city,
		                      .category = DRG_PLACE_UNKNOWN };
	drg_automap_name(&in, drg_record_s(r, DRG_F_NAME), &x->arena, &x->scratch);
	return drg_places_add(l, x->normal, &in);
}

static double house_worth(void *ctx, unsigned level, const struct drg_form *a, const struct drg_form *b)
{
	(void)ctx, (void)a, (void)b;
	return level;
}

/* A name without a word, such as "***", is a form of none. */
static bool house_has_name(const struct drg_places *l, const struct drg_place_record *r)
{
	return r->n_forms > 0 && drg_place_form(l, r, 0)->n > 0;
}

/* Are name and place others? @param elsewhere  Both say their town or country, and these are two. */
static bool house_judge(struct drg_comparing *c, bool elsewhere)
{
	const struct drg_place_record *a = drg_place(c->a, 0), *b = drg_place(c->b, 0);
	const struct drg_form *fa, *fb;
	const bool placed = drg_place_located(a) && drg_place_located(b);
	const double metres = placed ? drg_metres(a, b) : NAN;
	const unsigned address = drg_level_address(c, a, b);
	const bool far = placed ? metres >= FAR_METRES : elsewhere;
	const unsigned other_name = far ? NAME_LIKE : NAME_NOT_LIKE;
	if (!house_has_name(c->a, a) || !house_has_name(c->b, b) ||
	    drg_level_name(c, a, b, house_worth, NULL, &fa, &fb) > other_name)
		return false;
	const bool agrees = address == DRG_ADDRESS_SAME || address == DRG_ADDRESS_STREET;
	return far || (placed ? metres >= APART_METRES && !agrees : address == ADDRESS_NOTHING);
}

int drg_is_other_house(struct drg_house_compare *x, const struct drg_record *was, const struct drg_record *is,
                       bool *ret, struct drg_err *reterr)
{
	struct drg_vocab vocab;
	struct drg_places a, b;
	struct drg_comparing c;
	drg_arena_reset(&x->arena);
	const int city = is_same_place(x, was, is, DRG_F_SRC_CITY_ID, DRG_F_CITY_NAME),
	          country = is_same_place(x, was, is, DRG_F_SRC_COUNTRY_ID, DRG_F_COUNTRY_NAME);
	drg_vocab_init(&vocab);
	drg_places_init(&a, &vocab);
	drg_places_init(&b, &vocab);
	int rc = house_add(x, &a, was, 1);
	if (rc == DRG_OK)
		rc = house_add(x, &b, is, city == 1 ? 1 : 2);
	/* With two records only, rare words are not known: all count alike, except words of a type. */
	double *alike = rc == DRG_OK ? malloc((drg_vocab_size(&vocab) + (size_t)1) * sizeof *alike) : NULL;
	for (uint32_t t = 0; alike != NULL && t <= drg_vocab_size(&vocab); t++)
		alike[t] = 1;
	rc = alike != NULL ? drg_comparing_init(&c, &a, &b, alike, alike) : DRG_ENOMEM;
	if (rc == DRG_OK)
		*ret = house_judge(&c, city == 0 || country == 0);
	else
		*ret = false;
	if (alike != NULL)
		drg_comparing_done(&c);
	free(alike);
	drg_places_done(&a);
	drg_places_done(&b);
	drg_vocab_done(&vocab);
	return rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}
