/* Gives countries further names, besides those in the reference (decision M44). */
#include "match/countries/countries.h"

#include <stdio.h>

#include "match/countries/territories.h"
#include "matching/automap_priv.h"
#include "text/icu.h"

/* Languages of suppliers' lists, besides those of the reference. */
static const char *const usual_langs[] = { "en", "ru", "uk", "tr", "de", "pl", "es", "it", "fr" };
enum { LANGS_MAX = 24 };

const struct drg_label_reader drg_automap_country_reader = { drg_country_keys, 2, drg_country_code,
	                                                     drg_country_capitals, drg_country_plain };

struct country_naming {
	struct drg_automap_reference *x;
	struct drg_normal *normal;
	struct drg_labels *to; /* the countries of the reference, or those that it lacks */
	struct drg_str langs[DRG_ARRAY_LEN(usual_langs) + LANGS_MAX];
	size_t n_langs, item;
};

static int naming_add(void *ctx, struct drg_str name)
{
	struct country_naming *w = ctx;
	return w->to == &w->x->missing ? drg_labels_name(w->to, w->normal, name)
	                               : drg_labels_further_name(w->to, w->normal, w->item, name);
}

static int name_item(struct country_naming *w, const struct drg_label *hit, struct drg_str alpha_2)
{
	const struct drg_label *v = (const void *)w->x->labels[DRG_KIND_COUNTRY].items.p;
	w->item = (size_t)(hit - v);
	return drg_country_names(alpha_2, w->langs, w->n_langs, naming_add, w);
}

/* Give the names of a territory that the reference lacks to the state that it belongs to. */
static int name_territories(struct country_naming *w, const struct drg_label *state)
{
	struct drg_str rest = drg_territories_of(drg_str_c(state->code)), one;
	int rc = DRG_OK;
	while (rc == DRG_OK && rest.n > 0 && drg_str_split(&rest, ' ', &one))
		if (drg_labels_of_code(&w->x->labels[DRG_KIND_COUNTRY], one) == NULL)
			rc = name_item(w, state, one);
	return rc;
}

static void naming_lang(struct country_naming *w, struct drg_str lang)
{
	for (size_t i = 0; i < w->n_langs; i++)
		if (drg_str_eq(w->langs[i], lang))
			return;
	if (w->n_langs < DRG_ARRAY_LEN(w->langs))
		w->langs[w->n_langs++] = lang;
}

/* Gather the countries that the reference lacks, with their names. */
static int name_missing(struct country_naming *w)
{
	int rc = DRG_OK;
	w->to = &w->x->missing;
	for (const char *const *code = uloc_getISOCountries(); *code != NULL && rc == DRG_OK; code++) {
		struct drg_label item = { .id = DRG_PLACE_UNKNOWN };
		snprintf(item.code, sizeof item.code, "%s", *code);
		if (drg_automap_country_of(w->x, drg_str_c(*code)) != DRG_PLACE_UNKNOWN)
			continue;
		rc = drg_labels_add(w->to, &item);
		if (rc == DRG_OK)
			rc = drg_country_names(drg_str_c(*code), w->langs, w->n_langs, naming_add, w);
	}
	return rc == DRG_OK ? drg_labels_build_index(w->to) : rc;
}

int drg_automap_name_countries(struct drg_automap_reference *x, struct drg_normal *n)
{
	const struct drg_buf *items = &x->labels[DRG_KIND_COUNTRY].items;
	const struct drg_label *v = (const void *)items->p;
	const struct drg_str *langs = (const void *)x->langs.p;
	struct country_naming w = { .x = x, .normal = n, .to = &x->labels[DRG_KIND_COUNTRY] };
	int rc = DRG_OK;
	for (size_t i = 0; i < DRG_ARRAY_LEN(usual_langs); i++)
		naming_lang(&w, drg_str_c(usual_langs[i]));
	for (size_t i = 0; i < x->langs.n / sizeof *langs; i++)
		naming_lang(&w, langs[i]);
	for (size_t i = 0; i < items->n / sizeof *v && rc == DRG_OK; i++) {
		rc = name_item(&w, &v[i], drg_str_c(v[i].code));
		if (rc == DRG_OK)
			rc = name_territories(&w, &v[i]);
	}
	return rc == DRG_OK ? name_missing(&w) : rc;
}

int64_t drg_automap_country_of(const struct drg_automap_reference *x, struct drg_str code)
{
	const struct drg_labels *countries = &x->labels[DRG_KIND_COUNTRY];
	struct drg_str alpha_2 = drg_country_code(code);
	const struct drg_label *hit = drg_labels_of_code(countries, alpha_2);
	if (hit == NULL && alpha_2.n > 0)
		hit = drg_labels_of_code(countries, drg_territory_state(alpha_2));
	return hit != NULL ? hit->id : DRG_PLACE_UNKNOWN;
}

bool drg_automap_lacks_country(const struct drg_automap_reference *x, struct drg_normal *n,
                               struct drg_str text, bool by_code)
{
	const struct drg_label_query q = {
		.name = text, .country = DRG_PLACE_UNKNOWN, .lat = NAN, .lng = NAN
	};
	struct drg_label_match m;
	struct drg_str code = drg_country_code(text);
	if (code.n > 0 && (by_code || drg_country_capitals(text)))
		return by_code && drg_labels_of_code(&x->missing, code) != NULL;
	drg_label_match(&x->missing, n, &q, &m);
	return m.outcome != DRG_MATCH_NONE && !m.cut;
}

/* The code of the record that a code means: of a territory that the reference lacks, that of its state. */
static struct drg_str code_of_record(const struct drg_automap_reference *x, struct drg_str code)
{
	const struct drg_labels *countries = &x->labels[DRG_KIND_COUNTRY];
	struct drg_str state = drg_territory_state(code);
	return drg_labels_of_code(countries, code) == NULL && drg_labels_of_code(countries, state) != NULL
	               ? state
	               : code;
}

/* Fill in the code of the query: that of the name if the name is an ISO code in any form, which in capitals is
 * certain; else that of the id. */
void drg_automap_country_query(const struct drg_automap_reference *x, struct drg_str id,
                               struct drg_label_query *q)
{
	struct drg_str code = drg_country_code(q->name);
	q->code_only = code.n > 0 && drg_country_capitals(q->name);
	q->code_is_sure = q->code_only;
	q->code_is_name = code.n > 0;
	q->code = code_of_record(x, code.n > 0 ? code : drg_country_code(id));
}

int drg_country_find(struct drg_store *s, const struct drg_str *texts, size_t n, int64_t *ret,
                     struct drg_err *reterr)
{
	struct drg_label_match m;
	struct drg_automap_kept *k = NULL;
	int rc = drg_automap_keep_kinds(s, 1U << DRG_KIND_COUNTRY, NULL, &k, reterr);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		struct drg_label_query q = {
			.name = texts[i], .country = DRG_PLACE_UNKNOWN, .lat = NAN, .lng = NAN
		};
		drg_automap_country_query(&k->ref, texts[i], &q);
		drg_label_match(&k->ref.labels[DRG_KIND_COUNTRY], k->normal, &q, &m);
		ret[i] = m.outcome == DRG_MATCH_AUTOMATIC ? m.id : DRG_PLACE_UNKNOWN;
	}
	drg_automap_kept_free(k);
	return rc;
}
