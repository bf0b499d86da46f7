/* The country of a supplier's hotel or city, where the supplier has no record of it (decision M44): one is made
 * of what the hotel says, and mapped. */
#include "decide/verb.h"

#include "model/key.h"
#include "store/fetch.h"

static bool country_is_named(enum drg_kind kind)
{
	return drg_kind_has(DRG_TYPE_SOURCE, kind, DRG_F_SRC_COUNTRY_ID);
}

/* Return the source's country: its id, or if it has none, an id made of its name. @param room  Can hold the
 * id. */
static int country_read(const struct drg_verb_run *x, char room[static DRG_NAME_ID], struct drg_str *id,
                        struct drg_str *name, struct drg_err *reterr)
{
	*id = drg_str_trim(drg_record_s(&x->source, DRG_F_SRC_COUNTRY_ID));
	*name = drg_str_trim(drg_record_s(&x->source, DRG_F_COUNTRY_NAME));
	if (name->n == 0)
		*name = *id;
	if (id->n == 0)
		*id = drg_key_name_id(*name, room);
	return id->n > 0 ? DRG_OK
	                 : drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_text), "id",
	                            "this record names no country, by code or by name");
}

/* @param of  Its decision: the supplier's record of the country as the source. */
static int country_map(struct drg_verb_run *x, struct drg_decision *of, const struct drg_record *country,
                       struct drg_err *reterr)
{
	const struct drg_record source = x->source;
	x->source = *country;
	int rc = drg_verb_map_to(x, of, &of->dict_id, reterr);
	x->source = source;
	return rc;
}

/* The supplier's record of the country; where it has none, one is made before it is mapped, so that the mapping
 * is a decision of its own. */
static int country_fetch(struct drg_verb_run *x, struct drg_str id, struct drg_str name, int64_t adapter,
                         struct drg_record *ret, struct drg_err *reterr)
{
	struct drg_record key;
	drg_key_source(&key, adapter, DRG_KIND_COUNTRY, id);
	int rc = drg_fetch(x->s, &key, &x->arena, ret, reterr);
	if (rc != DRG_ENOENT)
		return rc;
	*ret = key;
	drg_record_set_s(ret, DRG_F_NAME, name);
	return drg_verb_put(x, ret, reterr);
}

int drg_verb_country(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	struct drg_decision of = { .kind = DRG_KIND_COUNTRY, .adapter = d->adapter, .dict_id = d->dict_id };
	struct drg_record country;
	struct drg_str name;
	char room[DRG_NAME_ID];
	int64_t live;
	if (!country_is_named(d->kind))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_kind), "kind",
		                "only hotels and cities have a country");
	int rc = country_read(x, room, &of.id, &name, reterr);
	if (rc == DRG_OK)
		rc = drg_resolve(x->s, DRG_KIND_COUNTRY, d->dict_id, &live, reterr);
	if (rc == DRG_OK)
		rc = country_fetch(x, of.id, name, d->adapter, &country, reterr);
	if (rc != DRG_OK)
		return rc;
	of.is.was_mapped = drg_record_has(&country, DRG_F_DICT_ID);
	of.is.was = drg_record_i(&country, DRG_F_DICT_ID, 0);
	of.keeps = true; /* a mapping that somebody made meanwhile stays until it is changed there */
	rc = country_map(x, &of, &country, reterr);
	d->is.changed = of.is.changed;
	if (rc != DRG_OK || d->texts == NULL)
		return rc;
	d->is.country = drg_arena_str(d->texts, of.id);
	return d->is.country.p != NULL ? DRG_OK : drg_fail_memory(reterr);
}
