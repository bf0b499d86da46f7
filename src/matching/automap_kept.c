/* The reference in memory: a run of the matcher needs it, and a server keeps it between two runs. */
#include <math.h>
#include <stdlib.h>

#include "decide/apart.h"
#include "matching/automap_priv.h"

int drg_automap_keep_kinds(struct drg_store *s, unsigned kinds, const atomic_bool *leave,
                           struct drg_automap_kept **ret, struct drg_err *reterr)
{
	struct drg_automap_kept *k = calloc(1, sizeof *k);
	if (k == NULL)
		return drg_fail_memory(reterr);
	drg_tally_init(&k->apart);
	int rc = drg_normal_new(&k->normal, reterr);
	if (rc == DRG_OK)
		rc = drg_not_same_count_all(s, &k->apart, reterr);
	if (rc == DRG_OK)
		rc = drg_automap_reference_read(s, k->normal, kinds, leave, &k->ref, reterr);
	if (rc == DRG_OK)
		*ret = k;
	else
		drg_automap_kept_free(k);
	return rc;
}

int drg_automap_kept_new(struct drg_store *s, const atomic_bool *leave, struct drg_automap_kept **ret,
                         struct drg_err *reterr)
{
	return drg_automap_keep_kinds(s, DRG_KINDS_SOURCE, leave, ret, reterr);
}

int drg_automap_keep_apart(struct drg_automap_kept *k, struct drg_store *s, struct drg_err *reterr)
{
	drg_tally_done(&k->apart);
	drg_tally_init(&k->apart);
	return drg_not_same_count_all(s, &k->apart, reterr);
}

int drg_automap_kept_add(struct drg_automap_kept *k, const struct drg_record *hotel, struct drg_err *reterr)
{
	return drg_automap_reference_add(&k->ref, k->normal, hotel) == DRG_OK ? DRG_OK
	                                                                      : drg_fail_memory(reterr);
}

void drg_automap_kept_free(struct drg_automap_kept *k)
{
	if (k == NULL)
		return;
	if (k->normal != NULL && k->ref.vocab.tokens.max > 0)
		drg_automap_reference_done(&k->ref);
	drg_normal_free(k->normal);
	drg_tally_done(&k->apart);
	free(k->rarity);
	free(k->address_rarity);
	free(k);
}

int drg_automap_keep_rarity(struct drg_automap_kept *k)
{
	enum { MORE = 65536 };
	struct drg_places none;
	size_t n = drg_vocab_size(&k->ref.vocab), had = k->n_rarity;
	if (n < had)
		return DRG_OK;
	drg_places_init(&none, &k->ref.vocab);
	double *all[2] = { drg_rarity_new(&none, &k->ref.hotels, false),
		           drg_rarity_new(&none, &k->ref.hotels, true) };
	drg_places_done(&none);
	double records = (double)drg_places_size(&k->ref.hotels) + 1,
	       rare = log((records + 1) / 1.5) / log(records + 1);
	free(k->rarity);
	free(k->address_rarity);
	double **to[2] = { &k->rarity, &k->address_rarity };
	bool grew = true;
	for (unsigned i = 0; i < 2; i++) {
		double *more = all[i] != NULL ? realloc(all[i], (n + MORE) * sizeof *more) : NULL;
		*to[i] = more != NULL ? more : all[i];
		for (size_t t = n; more != NULL && t < n + MORE; t++)
			more[t] = rare;
		grew = grew && more != NULL;
	}
	k->n_rarity = grew ? n + MORE : 0;
	return grew ? DRG_OK : DRG_ENOMEM;
}
