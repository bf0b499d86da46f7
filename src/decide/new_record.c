#include "decide/new_record.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "decide/new_choice.h"
#include "decide/verb.h"
#include "model/key.h"
#include "store/fetch.h"
#include "store/suggestions.h"
#include "text/json.h"

/* The dict ids that the matcher found. */
struct new_place {
	int64_t id[DRG_KIND_PARENTS];
};

static int new_take(void *ctx, const struct drg_suggestion *s)
{
	*(struct new_place *)ctx = (struct new_place){ { s->country, s->city, s->category } };
	return DRG_OK;
}

/* Gather the values of the sources. */
static int new_gather(struct drg_store *s, const struct drg_new_record *n, struct drg_new_choice *c,
                      struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (size_t i = 0; i < n->n && rc == DRG_OK; i++) {
		const struct drg_record *r = &n->sources[i];
		struct new_place place = { { INT64_MIN, INT64_MIN, INT64_MIN } };
		bool located = drg_record_has(r, DRG_F_LAT) && drg_record_has(r, DRG_F_LNG);
		rc = drg_store_suggestion(s, r->v[DRG_F_ADAPTER_ID].i, drg_record_kind(r),
		                          r->v[DRG_F_SOURCE_ID].s, new_take, &place, reterr);
		rc = rc == DRG_ENOENT ? DRG_OK : rc;
		c->countries[i] = place.id[DRG_PARENT_COUNTRY];
		c->cities[i] = place.id[DRG_PARENT_CITY];
		c->categories[i] = place.id[DRG_PARENT_CATEGORY];
		c->lats[i] = located ? r->v[DRG_F_LAT].d : NAN;
		c->lngs[i] = located ? r->v[DRG_F_LNG].d : NAN;
	}
	return rc;
}

static struct new_place new_place_of(const struct drg_new_choice *c)
{
	return (struct new_place){ { drg_new_choose_id(c->countries, c->n),
		                     drg_new_choose_id(c->cities, c->n),
		                     drg_new_choose_id(c->categories, c->n) } };
}

/* Find the largest id of a kind, counting ids that were merged away: they are not reused. */
static int new_largest(struct drg_store *s, enum drg_kind kind, int64_t *ret, struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_filter f = { .one_kind = true, .kind = kind, .any_order = true, .tombstones = true };
	static const enum drg_type_id types[] = { DRG_TYPE_DICT, DRG_TYPE_REDIRECT };
	int64_t largest = 0;
	int rc = DRG_OK;
	for (size_t i = 0; i < DRG_ARRAY_LEN(types) && rc == DRG_OK; i++) {
		f.type = &drg_types[types[i]];
		for (drg_rows_scan(&rows, s, &f, reterr); drg_rows_next(&rows);)
			largest = rows.row.r.v[DRG_F_ID].i > largest ? rows.row.r.v[DRG_F_ID].i : largest;
		rc = drg_rows_end(&rows);
	}
	if (rc == DRG_OK)
		*ret = largest;
	return rc;
}

/* Was the id ever used, by a dict record or by a redirect? */
static int new_id_was_used(struct drg_store *s, enum drg_kind kind, int64_t id, bool *ret,
                           struct drg_err *reterr)
{
	struct drg_record key;
	int64_t lives, removed = 0;
	int rc = drg_resolve(s, kind, id, &lives, reterr);
	*ret = rc == DRG_OK;
	if (rc != DRG_ENOENT)
		return rc;
	drg_key_dict(&key, kind, id);
	rc = drg_store_removed(s, &key, &removed, reterr);
	*ret = removed > 0;
	return rc;
}

/* Choose the next id after the known largest, skipping ids that were used since. */
static int new_id(struct drg_new_record *n, struct drg_store *s, enum drg_kind kind, struct drg_err *reterr)
{
	int64_t found = 0;
	bool given = true;
	int64_t *largest = n->largest != NULL ? &n->largest[kind] : &found;
	int rc = *largest == 0 ? new_largest(s, kind, largest, reterr) : DRG_OK;
	while (rc == DRG_OK && given && *largest < INT64_MAX) {
		rc = new_id_was_used(s, kind, *largest + 1, &given, reterr);
		*largest += rc == DRG_OK && given;
	}
	if (rc == DRG_OK && given)
		return drg_fail(reterr, DRG_ELIMIT, NULL, "id", "there is no id left for another %s",
		                drg_kind_name(kind));
	if (rc == DRG_OK)
		n->dict_id = *largest + 1;
	return rc;
}

/* Copy the most frequent text of a field. @param c  Its names are overwritten. */
static void new_copy_text(struct drg_record *to, const struct drg_new_record *n, struct drg_new_choice *c,
                          enum drg_field f)
{
	for (size_t i = 0; i < n->n; i++)
		c->names[i] = drg_record_s(&n->sources[i], f);
	struct drg_str text = drg_new_choose_text(c->names, n->n);
	if (text.n > 0)
		drg_record_set_s(to, f, text);
}

static void new_locate(struct drg_record *to, const struct drg_new_choice *c)
{
	double lat = drg_new_choose_degrees(c->lats, c->n), lng = drg_new_choose_degrees(c->lngs, c->n);
	if (isnan(lat) || isnan(lng))
		return;
	drg_record_set_d(to, DRG_F_LAT, lat);
	drg_record_set_d(to, DRG_F_LNG, lng);
}

static struct drg_str new_lang(const struct drg_record *source)
{
	struct drg_str tag = drg_record_s(source, DRG_F_LANG);
	return tag.n == 0 || tag.n >= 64 ? DRG_STR("en") : tag;
}

static int new_by_lang(const void *pa, const void *pb)
{
	const struct drg_str *a = pa, *b = pb;
	return drg_str_cmp(*a, *b);
}

/* Write the most frequent name in a language. */
static void new_name(struct drg_jw *w, const struct drg_new_record *n, struct drg_new_choice *c,
                     struct drg_str tag)
{
	char lang[64];
	for (size_t i = 0; i < n->n; i++)
		c->names[i] = drg_str_eq(new_lang(&n->sources[i]), tag)
		                      ? drg_record_s(&n->sources[i], DRG_F_NAME)
		                      : drg_str("", 0);
	struct drg_str name = drg_new_choose_text(c->names, n->n);
	if (name.n == 0)
		return;
	memcpy(lang, tag.p, tag.n);
	lang[tag.n] = '\0';
	drg_jw_member_str(w, lang, name);
}

static int new_names(struct drg_buf *b, const struct drg_new_record *n, struct drg_new_choice *c)
{
	struct drg_jw w = { .b = b };
	struct drg_str *tags = calloc(n->n, sizeof *tags);
	if (tags == NULL)
		return DRG_ENOMEM;
	for (size_t i = 0; i < n->n; i++)
		tags[i] = new_lang(&n->sources[i]);
	qsort(tags, n->n, sizeof *tags, new_by_lang);
	drg_jw_object(&w);
	for (size_t i = 0; i < n->n; i++)
		if (i == 0 || !drg_str_eq(tags[i], tags[i - 1]))
			new_name(&w, n, c, tags[i]);
	drg_jw_object_end(&w);
	free(tags);
	return b->rc;
}

/* Does the supplier have its own record of the place, which could be mapped? */
static int new_is_there(struct drg_store *s, const struct drg_record *source,
                        const struct drg_kind_parent *said, bool *ret, struct drg_err *reterr)
{
	struct drg_record key;
	struct drg_str id = drg_record_s(source, said->id);
	drg_key_source(&key, source->v[DRG_F_ADAPTER_ID].i, said->kind, id);
	int rc = id.n > 0 ? drg_store_exists(s, &key, reterr) : DRG_ENOENT;
	*ret = rc == DRG_OK;
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* Fail with advice: the matcher finds a place by the supplier's own record of it, or else by its name
 * (matching/automap_supplier.h). */
static int new_unknown(struct drg_store *s, const struct drg_record *source,
                       const struct drg_kind_parent *said, struct drg_err *reterr)
{
	enum { SHOWN = 120 };
	struct drg_str name = drg_record_s(source, said->source_name);
	const char *what = said->what;
	bool there;
	int rc = new_is_there(s, source, said, &there, reterr);
	if (rc != DRG_OK)
		return rc;
	if (there)
		return drg_fail(reterr, DRG_EINVAL, NULL, what,
		                "its %s is not known: map that of the supplier first, and run dragoman match",
		                what);
	if (name.n == 0)
		return drg_fail(
		        reterr, DRG_EINVAL, NULL, what,
		        "its %s is not known, and the supplier does not say it: load a list that does, or "
		        "choose a record of the reference",
		        what);
	return drg_fail(
	        reterr, DRG_EINVAL, NULL, what,
	        "its %s is not known, and the supplier has no record of \"%.*s\" to map: give the one of the "
	        "reference this name too, or choose a record of the reference; dragoman match looks again",
	        what, (int)(name.n < SHOWN ? name.n : SHOWN), name.p);
}

/* Set a reference to the record that has the id now. */
static int new_refer(struct drg_store *s, struct drg_record *r, const struct drg_kind_parent *said,
                     int64_t id, const struct drg_record *source, struct drg_err *reterr)
{
	if (id == INT64_MIN)
		return new_unknown(s, source, said, reterr);
	int rc = drg_resolve(s, said->kind, id, &id, reterr);
	if (rc == DRG_ENOENT)
		return drg_fail(reterr, DRG_EINVAL, NULL, said->what,
		                "its %s is not in the reference any more: run dragoman match", said->what);
	drg_record_set_i(r, said->dict, id);
	return rc;
}

static void new_is_resort(struct drg_record *r, const struct drg_record *source)
{
	if (drg_record_has(source, DRG_F_IS_RESORT))
		drg_record_set_i(r, DRG_F_IS_RESORT, source->v[DRG_F_IS_RESORT].i);
}

static int new_fill(struct drg_store *s, struct drg_record *r, const struct drg_new_record *n,
                    struct drg_new_choice *c, struct drg_err *reterr)
{
	const struct new_place p = new_place_of(c);
	enum drg_kind kind = drg_record_kind(n->sources);
	const enum drg_kind_comparison compared = drg_kind_compared(kind);
	int rc = DRG_OK;
	if (compared == DRG_COMPARED_TERMS || compared == DRG_COMPARED_LABELS)
		return DRG_OK;
	if (!drg_kind_has(DRG_TYPE_SOURCE, kind, DRG_F_SRC_COUNTRY_ID))
		return drg_fail(
		        reterr, DRG_EINVAL, NULL, "kind",
		        "a %s cannot be made from what a supplier says of it: import it as a dict record",
		        drg_kind_name(kind));
	for (unsigned i = 0; i < DRG_KIND_PARENTS && rc == DRG_OK; i++) {
		const struct drg_kind_parent *of = &drg_kind_parents[i];
		if (drg_kind_has(DRG_TYPE_DICT, kind, of->dict))
			rc = new_refer(s, r, of, p.id[i], n->sources, reterr);
	}
	if (drg_kind_has(DRG_TYPE_DICT, kind, DRG_F_ADDRESS)) {
		new_copy_text(r, n, c, DRG_F_ADDRESS);
		new_copy_text(r, n, c, DRG_F_ZIP);
	}
	new_is_resort(r, n->sources);
	new_locate(r, c);
	return rc;
}

static int new_put(struct drg_new_record *n, struct drg_txn *t, struct drg_new_choice *c,
                   struct drg_err *reterr)
{
	enum drg_kind kind = drg_record_kind(n->sources);
	enum drg_put_result result;
	struct drg_record r;
	struct drg_buf names;
	drg_buf_init(&names, 1 << 16);
	drg_key_dict(&r, kind, n->dict_id);
	int rc = new_names(&names, n, c) == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
	drg_record_set_s(&r, DRG_F_NAMES, drg_buf_view(&names));
	if (rc == DRG_OK)
		rc = new_fill(drg_txn_store(t), &r, n, c, reterr);
	if (rc == DRG_OK)
		rc = drg_ledger_put(n->ledger, t, &r, &result, reterr);
	drg_buf_done(&names);
	return rc;
}

int drg_new_record_make(struct drg_new_record *n, struct drg_txn *t, struct drg_err *reterr)
{
	assert(n->n > 0 && n->ledger != NULL);
	struct drg_new_choice c;
	if (drg_new_choice_init(&c, n->n) != DRG_OK)
		return drg_fail_memory(reterr);
	int rc = new_gather(drg_txn_store(t), n, &c, reterr);
	if (rc == DRG_OK)
		rc = new_id(n, drg_txn_store(t), drg_record_kind(n->sources), reterr);
	if (rc == DRG_OK)
		rc = new_put(n, t, &c, reterr);
	drg_new_choice_done(&c);
	return rc;
}

/* ---- records made before ------------------------------------------------------------------------------- */

int drg_new_record_made(struct drg_store *s, const struct drg_mapping_source *of, int64_t *ret_dict,
                        struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_record key;
	int64_t dict = 0, mapped_seq = 0, created_seq = 0;
	drg_key_source(&key, of->adapter, of->kind, of->id);
	drg_rows_get(&rows, s, &key, reterr);
	if (drg_rows_next(&rows)) {
		dict = drg_record_i(&rows.row.r, DRG_F_DICT_ID, 0); /* 0: not mapped */
		mapped_seq = rows.row.m.mapped_seq;
	}
	int rc = drg_rows_end(&rows);
	if (rc == DRG_OK && dict != 0) {
		drg_key_dict(&key, of->kind, dict);
		drg_rows_get(&rows, s, &key, reterr);
		if (drg_rows_next(&rows))
			created_seq = rows.row.m.created_seq;
		rc = drg_rows_end(&rows);
	}
	if (rc != DRG_OK && rc != DRG_ENOENT)
		return rc;
	*ret_dict = created_seq > 0 && created_seq == mapped_seq ? dict : 0;
	return DRG_OK;
}

/* ---- the verb ------------------------------------------------------------------------------------------ */

int drg_verb_new(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	const struct drg_mapping_source of = { d->adapter, d->kind, d->id };
	struct drg_new_record n = {
		.sources = &x->source, .n = 1, .ledger = x->ledger, .largest = d->largest
	};
	int64_t made = 0;
	int rc = d->repeats ? drg_new_record_made(x->s, &of, &made, reterr) : DRG_OK;
	if (rc != DRG_OK || made != 0)
		return rc;
	if (d->is.was_mapped)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(changed_since), "dict_id",
		                "it is mapped to %lld: there is no need of a new record",
		                (long long)d->is.was);
	if (d->beside.n > 0)
		return drg_fail(reterr, DRG_EEXIST, DRG_R(needs_a_look), "alone",
		                "something else of that name is nearby: %.*s; look at it first",
		                DRG_STR_ARG(d->beside));
	rc = drg_new_record_make(&n, x->txn, reterr);
	if (rc == DRG_OK && d->largest != NULL)
		d->largest[d->kind] = n.dict_id;
	return rc == DRG_OK ? drg_verb_map_to(x, d, &n.dict_id, reterr) : rc;
}
