/* Compares a record of a list with the stored one. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "load/load_priv.h"
#include "model/key.h"
#include "text/json.h"
#include "text/utf8.h"

/* ---- ids that a program took for numbers --------------------------------------------------------------- */

/* Find the stored id "00123" for the unknown id "123" or "123.0": Excel has cut the zeros, or a program has
 * added decimals. */
static struct drg_str known_otherwise(const struct load_run *l, const struct drg_record *r)
{
	struct drg_str id = r->v[DRG_F_SOURCE_ID].s, whole = drg_load_whole(id);
	char padded[LOAD_PADDED_MAX];
	for (size_t zeros = whole.n == id.n; drg_load_may_lack_zeros(whole) && zeros <= LOAD_ZEROS_MAX;
	     zeros++) {
		const struct drg_record *known =
		        drg_load_stored(l, drg_record_kind(r), drg_load_padded(whole, zeros, padded));
		if (known != NULL)
			return known->v[DRG_F_SOURCE_ID].s;
	}
	return drg_str(NULL, 0);
}

/* ---- differences --------------------------------------------------------------------------------------- */

static struct drg_str value_text(const struct drg_record *r, const struct drg_field_def *f, struct drg_buf *b)
{
	struct drg_jw w = { .b = b };
	drg_buf_clear(b);
	if (!drg_record_has_value(r, f))
		return drg_str("", 0);
	if (drg_value_is_text(f->vtype))
		return drg_record_value(r, f)->s;
	if (f->vtype == DRG_V_REAL)
		drg_jw_real(&w, drg_record_value(r, f)->d);
	else if (f->vtype == DRG_V_BOOL)
		drg_jw_bool(&w, drg_record_value(r, f)->i != 0);
	else
		drg_buf_i64(b, drg_record_value(r, f)->i);
	return drg_buf_view(b);
}

/* Report each field that differs. @return how many do. */
static unsigned report_changes(struct load_run *l, const struct drg_record *was, const struct drg_record *is)
{
	struct drg_buf from, to;
	unsigned n = 0;
	drg_buf_init(&from, 4096);
	drg_buf_init(&to, 4096);
	for (unsigned i = 0; i < is->type->n_fields; i++) {
		const struct drg_field_def *f = &is->type->fields[i];
		bool silent = (f->flags & DRG_FF_KEEP) != 0 && !drg_record_has_value(is, f) &&
		              !drg_record_is_null(is, f);
		if (silent || drg_record_field_eq(f, was, is))
			continue;
		bool cleared = !drg_record_has_value(is, f);
		bool unmapped = cleared && f->field == DRG_F_DICT_ID;
		n++;
		l->sums->fields[drg_field_index(f->field)]++;
		l->sums->cleared += cleared && !unmapped;
		l->sums->unmapped += unmapped;
		drg_load_note(l,
		              unmapped  ? DRG_LOAD_UNMAPPED
		              : cleared ? DRG_LOAD_CLEARED
		                        : DRG_LOAD_CHANGED,
		              is, f->wire, value_text(was, f, &from), value_text(is, f, &to));
	}
	drg_buf_done(&from);
	drg_buf_done(&to);
	return n;
}

/* A field without a column keeps its stored value; without a stored record it has its default. */
static void keep_silent(const struct load_run *l, struct drg_record *r, uint64_t mask,
                        const struct drg_record *was)
{
	struct drg_str lang = l->plan.profile.lang;
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		uint64_t bit = drg_field_bit(f->field);
		if ((r->has & bit) != 0 || (f->flags & DRG_FF_KEEP) != 0 ||
		    !drg_field_applies(f, drg_record_kind(r)))
			continue;
		if ((mask & bit) == 0 && was != NULL && drg_record_has_value(was, f)) {
			drg_record_set_value(r, f, *drg_record_value(was, f));
		} else if (f->vtype == DRG_V_LANG) {
			drg_record_set_s(r, f->field, lang.n > 0 ? lang : DRG_STR("en"));
		} else if ((f->flags & DRG_FF_DEFAULT) != 0) {
			drg_record_set_i(r, f->field, f->dflt);
		}
	}
	if (lang.n > 0 && (mask >> DRG_F_LANG & 1) == 0)
		drg_record_set_s(r, DRG_F_LANG, lang);
}

/* Find faults that only the store shows. @param ret  The faults; empty: none. */
static int compare_check(struct load_run *l, struct drg_record *r, const struct drg_record *was,
                         struct drg_buf *ret, struct drg_err *reterr)
{
	struct drg_str id = r->v[DRG_F_SOURCE_ID].s;
	struct drg_str known = was == NULL ? known_otherwise(l, r) : drg_str(NULL, 0);
	if (!drg_record_has(r, DRG_F_NAME))
		drg_buf_printf(ret, "name: expected a name, found nothing");
	else if (known.n > 0)
		drg_buf_printf(ret,
		               "id: expected %.*s as it is known, found %.*s: Excel has %s; make the column "
		               "text",
		               DRG_STR_ARG(known), DRG_STR_ARG(id),
		               drg_load_whole(id).n < id.n ? "added decimals" : "cut the zeros");
	const struct drg_profile_column *column = drg_profile_column_of(&l->plan.profile, DRG_F_SOURCE_ID);
	const bool own = column != NULL && drg_record_kind(r) == l->plan.profile.kind;
	const char *spoilt =
	        own && was == NULL && known.n == 0
	                ? drg_convert_spoilt(&l->plan, (unsigned)(column - l->plan.profile.columns), id)
	                : NULL;
	if (spoilt != NULL)
		drg_buf_printf(ret,
		               "%sid: expected an id, found %.*s, %s: export the ids as text "
		               "(dragoman import --csv takes them as they are)",
		               ret->n > 0 ? "; " : "", DRG_STR_ARG(id), spoilt);
	int rc = drg_load_mapped(l, r, was, reterr);
	if (rc == DRG_ENOENT)
		drg_buf_printf(ret, "%sdict_id: expected a dict %s that exists, found %" PRId64,
		               ret->n > 0 ? "; " : "", drg_kind_name(drg_record_kind(r)),
		               r->v[DRG_F_DICT_ID].i);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* ---- rows of one id ------------------------------------------------------------------------------------ */

/* The outcome of the last row of an id, kept in the bits below the hash of that row. */
enum { OUTCOME_NEW = 1, OUTCOME_CHANGED, OUTCOME_SAME, OUTCOMES };

static uint64_t hash_of_record(const struct drg_record *r)
{
	uint64_t h = drg_hash(&r->nulls, sizeof r->nulls, 0);
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		const union drg_value *v = drg_record_value(r, f);
		if (!drg_record_has_value(r, f))
			continue;
		if (drg_value_is_text(f->vtype))
			h = drg_hash(v->s.p, v->s.n, h + i);
		else if (f->vtype == DRG_V_REAL)
			h = drg_hash(&v->d, sizeof v->d, h + i);
		else
			h = drg_hash(&v->i, sizeof v->i, h + i);
	}
	return h & ~(uint64_t)(OUTCOMES - 1);
}

static unsigned compare_report(struct load_run *l, const struct drg_record *r, const struct drg_record *was,
                               unsigned before)
{
	if (was != NULL)
		return report_changes(l, was, r) > 0 ? OUTCOME_CHANGED : OUTCOME_SAME;
	if (before == 0)
		drg_load_note(l, DRG_LOAD_NEW, r, "", drg_str("", 0), drg_str("", 0));
	return OUTCOME_NEW;
}

/* Count each id once, as its last row has it: a list may have a row for each room of a hotel. */
static void compare_count(struct load_run *l, const struct drg_record *r, const struct drg_record *was)
{
	struct drg_load_kind_sums *sums = &l->sums->kinds[drg_record_kind(r)];
	uint64_t *counts[OUTCOMES] = { NULL, &sums->added, &sums->changed, &sums->same };
	uint64_t *note = drg_seen_note(&l->seen, (unsigned)drg_record_kind(r), r->v[DRG_F_SOURCE_ID].s);
	unsigned before = (unsigned)(*note & (OUTCOMES - 1));
	if (before != 0)
		--*counts[before];
	unsigned now = compare_report(l, r, was, before);
	++*counts[now];
	*note = hash_of_record(r) | now;
}

/* Did the last row of the same id say exactly the same, and was it good? */
static bool was_said(const struct load_run *l, const struct drg_record *r)
{
	uint64_t note = *drg_seen_note(&l->seen, (unsigned)drg_record_kind(r), r->v[DRG_F_SOURCE_ID].s);
	return note != 0 && (note & ~(uint64_t)(OUTCOMES - 1)) == hash_of_record(r);
}

/* Does the id mean another house by now? Then report it, and make a mapping that the list does not give itself
 * an open question again.
 * @param ret_asks  True: it does. */
static int compare_house(struct load_run *l, struct drg_record *r, const struct drg_record *was,
                         bool *ret_asks, struct drg_err *reterr)
{
	const uint64_t dict = UINT64_C(1) << DRG_F_DICT_ID;
	bool other = false;
	*ret_asks = false;
	if (was == NULL || drg_kind_compared(drg_record_kind(r)) != DRG_COMPARED_HOTELS ||
	    drg_str_eq(drg_record_s(was, DRG_F_NAME), drg_record_s(r, DRG_F_NAME)))
		return DRG_OK;
	int rc = l->houses == NULL ? drg_house_compare_new(&l->houses, reterr) : DRG_OK;
	if (rc == DRG_OK)
		rc = drg_is_other_house(l->houses, was, r, &other, reterr);
	if (rc != DRG_OK || !other)
		return rc;
	l->sums->other++;
	drg_load_note(l, DRG_LOAD_OTHER, r, "name", drg_record_s(was, DRG_F_NAME),
	              drg_record_s(r, DRG_F_NAME));
	if (!drg_record_has(was, DRG_F_DICT_ID) || ((r->has | r->nulls) & dict) != 0)
		return DRG_OK;
	r->nulls |= dict;
	l->sums->asked++;
	*ret_asks = true;
	return DRG_OK;
}

int drg_load_record(struct load_run *l, struct drg_record *r, uint64_t mask, struct drg_err *reterr)
{
	assert(r->type->id == DRG_TYPE_SOURCE);
	enum drg_kind kind = drg_record_kind(r);
	const struct drg_record *was = drg_load_stored(l, kind, r->v[DRG_F_SOURCE_ID].s);
	struct drg_buf wrong;
	keep_silent(l, r, mask, was);
	if (was_said(l, r))
		return DRG_OK;
	drg_buf_init(&wrong, 1024);
	l->read[kind]++;
	l->known[kind] += was != NULL;
	int rc = compare_check(l, r, was, &wrong, reterr);
	if (rc == DRG_OK && wrong.n > 0)
		rc = drg_load_reject(l, r, drg_buf_view(&wrong), reterr);
	else if (rc == DRG_OK) {
		bool asks;
		compare_count(l, r, was);
		rc = compare_house(l, r, was, &asks, reterr);
		drg_load_give(l, r, asks);
	}
	if (rc == DRG_OK && wrong.rc != DRG_OK)
		rc = drg_fail_memory(reterr);
	drg_buf_done(&wrong);
	return rc;
}

/* ---- what is gone -------------------------------------------------------------------------------------- */

struct gone_one {
	enum drg_kind kind;
	struct drg_str id, name; /* texts in l->gone_texts */
};

static void gone_note(struct load_run *l, enum drg_load_what what, const struct gone_one *one)
{
	struct drg_record r;
	drg_key_source(&r, l->o->adapter, one->kind, one->id);
	drg_record_set_s(&r, DRG_F_NAME, one->name);
	drg_load_note(l, what, &r, "", drg_str("", 0), drg_str("", 0));
}

/* More is gone than may be: name the first. */
static int gone_refuse(const struct load_run *l, enum drg_kind kind, const struct gone_one *v, uint64_t n,
                       struct drg_err *reterr)
{
	enum { NAMED = 3, ID_SHOWN = 32, NAME_SHOWN = 60 };
	char first[NAMED * (ID_SHOWN + NAME_SHOWN + 4)] = "";
	size_t at = 0;
	for (uint64_t i = 0; i < n && i < NAMED; i++)
		at += (size_t)snprintf(first + at, sizeof first - at, "%s%.*s %.*s", i > 0 ? ", " : "",
		                       DRG_STR_ARG(drg_utf8_cut(v[i].id, ID_SHOWN)),
		                       DRG_STR_ARG(drg_utf8_cut(v[i].name, NAME_SHOWN)));
	return drg_fail(reterr, DRG_EINVAL, DRG_R(too_many_gone), NULL,
	                "%llu of %llu stored %s records are not in the file, more than %g %%: nothing was "
	                "applied; if they are gone indeed, raise --max-gone; they are %s%s",
	                (unsigned long long)n, (unsigned long long)l->stored[kind], drg_kind_name(kind),
	                l->o->max_gone, first, n > NAMED ? ", ..." : "");
}

static int gone_of_kind(struct load_run *l, enum drg_kind kind, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter f = {
		.type = &drg_types[DRG_TYPE_SOURCE], .one_kind = true, .kind = kind, .adapter = l->o->adapter
	};
	const uint64_t max = (uint64_t)(l->o->max_gone * (double)l->stored[kind] / 100);
	const size_t before = l->gone.n / sizeof(struct gone_one);
	uint64_t n = 0;
	for (drg_rows_scan(&rows, l->store, &f, reterr); drg_rows_next(&rows);) {
		const struct drg_record *r = &rows.row.r;
		if (drg_seen_has(&l->seen, (unsigned)kind, r->v[DRG_F_SOURCE_ID].s))
			continue;
		const struct gone_one one = { kind, drg_arena_str(&l->gone_texts, r->v[DRG_F_SOURCE_ID].s),
			                      drg_arena_str(&l->gone_texts, drg_record_s(r, DRG_F_NAME)) };
		n++;
		drg_buf_add(&l->gone, &one, sizeof one);
		if (one.id.p == NULL || one.name.p == NULL || l->gone.rc != DRG_OK)
			rows.rc = drg_fail_memory(reterr);
	}
	int rc = drg_rows_end(&rows);
	if (rc == DRG_OK && n > max && !l->keep_gone)
		rc = gone_refuse(l, kind, (const struct gone_one *)(const void *)l->gone.p + before, n,
		                 reterr);
	return rc;
}

int drg_load_find_gone(struct load_run *l, struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (unsigned k = 0; k < DRG_KIND_COUNT && rc == DRG_OK; k++)
		if ((l->complete >> k & 1) != 0)
			rc = gone_of_kind(l, (enum drg_kind)k, reterr);
	return rc;
}

uint64_t drg_load_keep_gone(struct load_run *l)
{
	const size_t n = l->gone.n / sizeof(struct gone_one);
	l->line = 0;
	for (; l->gone_at < n; l->gone_at++)
		gone_note(l, DRG_LOAD_KEPT, (const struct gone_one *)(const void *)l->gone.p + l->gone_at);
	return n;
}

/* Remove a record that is gone, with the supplier's content of a hotel. */
int drg_load_remove(struct load_run *l, struct drg_err *reterr)
{
	struct drg_record gone, content;
	int rc = DRG_ENOENT;
	if (l->gone_at == l->gone.n / sizeof(struct gone_one))
		return DRG_ENOENT;
	const struct gone_one *one = (const struct gone_one *)(const void *)l->gone.p + l->gone_at++;
	l->line = 0;
	drg_key_source(&gone, l->o->adapter, one->kind, one->id);
	drg_record_init(&content, &drg_types[DRG_TYPE_HOTEL_CONTENT]);
	drg_record_set_i(&content, DRG_F_ADAPTER_ID, l->o->adapter);
	drg_record_set_s(&content, DRG_F_HOTEL_ID, one->id);
	if (one->kind == DRG_KIND_HOTEL)
		rc = drg_store_exists(l->store, &content, reterr);
	if (rc != DRG_OK && rc != DRG_ENOENT)
		return rc;
	content.deleted = gone.deleted = true;
	if (rc == DRG_OK)
		drg_load_give(l, &content, false);
	drg_load_give(l, &gone, false);
	gone_note(l, DRG_LOAD_GONE, one);
	l->sums->kinds[one->kind].gone++;
	return DRG_OK;
}
