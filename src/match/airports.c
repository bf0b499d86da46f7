#include "match/airports.h"

#include <math.h>

#include "match/words.h"

void drg_airports_init(struct drg_airports *l, struct drg_vocab *vocab)
{
	l->vocab = vocab;
	drg_buf_init(&l->items, SIZE_MAX);
	drg_buf_init(&l->names, SIZE_MAX);
	drg_buf_init(&l->tokens, SIZE_MAX);
}

void drg_airports_done(struct drg_airports *l)
{
	drg_buf_done(&l->items);
	drg_buf_done(&l->names);
	drg_buf_done(&l->tokens);
}

/* Add the tokens of a name to the list, and compute its hashes. */
static int airport_tokens(struct drg_airports *l, const struct drg_tokens *t, struct drg_airport_name *ret)
{
	char text[2 * DRG_NORMAL_MAX];
	size_t len = 0;
	*ret = (struct drg_airport_name){ .at = (uint32_t)(l->tokens.n / sizeof(uint32_t)), .n = t->n };
	for (unsigned i = 0; i < t->n; i++) {
		uint32_t id;
		if (drg_vocab_add(l->vocab, t->t[i], &id) != DRG_OK)
			return DRG_ENOMEM;
		drg_buf_add(&l->tokens, &id, sizeof id);
		ret->set += drg_match_hash(t->t[i], 1);
		for (size_t k = 0; k < t->t[i].n && len < sizeof text; k++)
			text[len++] = t->t[i].p[k];
	}
	ret->joined = drg_match_hash(drg_str(text, len), 0);
	return l->tokens.rc;
}

/* Is the name new among those from @p from on? */
static bool airport_name_is_new(const struct drg_airports *l, uint32_t from,
                                const struct drg_airport_name *name)
{
	const struct drg_airport_name *v = (const struct drg_airport_name *)(const void *)l->names.p;
	for (size_t i = from; i < l->names.n / sizeof *v; i++)
		if (v[i].joined == name->joined && v[i].n == name->n)
			return false;
	return true;
}

static int airport_names(struct drg_airports *l, struct drg_normal *n, const struct drg_str *v, unsigned n_v,
                         uint32_t *ret_at, uint16_t *ret_n)
{
	struct drg_tokens t;
	int rc = DRG_OK;
	*ret_at = (uint32_t)(l->names.n / sizeof(struct drg_airport_name));
	for (unsigned i = 0; i < n_v && rc == DRG_OK; i++) {
		struct drg_airport_name name;
		drg_normal_tokens(drg_normal_fold(n, v[i]), &t);
		if (t.n == 0)
			continue;
		rc = airport_tokens(l, &t, &name);
		if (rc == DRG_OK && airport_name_is_new(l, *ret_at, &name))
			drg_buf_add(&l->names, &name, sizeof name);
	}
	*ret_n = (uint16_t)(l->names.n / sizeof(struct drg_airport_name) - *ret_at);
	return rc == DRG_OK ? l->names.rc : rc;
}

static char airport_letter(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - ('a' - 'A')) : c;
}

/* The number of a code of @p n letters and digits; 0: it is no such code. */
static uint64_t airport_code(struct drg_str code, size_t n)
{
	char text[4];
	if (code.n != n)
		return 0;
	for (size_t i = 0; i < n; i++) {
		text[i] = airport_letter(code.p[i]);
		if ((text[i] < 'A' || text[i] > 'Z') && (text[i] < '0' || text[i] > '9'))
			return 0;
	}
	return drg_match_hash(drg_str(text, n), n);
}

static uint16_t airport_country(struct drg_str code)
{
	return code.n == 2 ? (uint16_t)((unsigned char)airport_letter(code.p[0]) << 8 |
	                                (unsigned char)airport_letter(code.p[1]))
	                   : 0;
}

int drg_airports_add(struct drg_airports *l, struct drg_normal *n, const struct drg_airport_input *in)
{
	struct drg_airport a = { .lat = in->lat,
		                 .lng = in->lng,
		                 .id = in->id,
		                 .weight = in->weight,
		                 .iata = airport_code(in->iata, 3),
		                 .icao = airport_code(in->icao, 4),
		                 .country = airport_country(in->country),
		                 .taken = in->taken };
	if (a.lat == 0 && a.lng == 0) /* coordinates 0,0 mean that none are known */
		a.lat = a.lng = NAN;
	int rc = airport_names(l, n, in->names, in->n_names, &a.names, &a.n_names);
	if (rc == DRG_OK)
		rc = airport_names(l, n, in->cities, in->n_cities, &a.cities, &a.n_cities);
	drg_buf_add(&l->items, &a, sizeof a);
	return rc == DRG_OK && l->items.rc == DRG_OK ? DRG_OK : DRG_ENOMEM;
}
