/* A record of a list beside what is stored of it. */
#include <string.h>

#include "load/load_priv.h"
#include "model/key.h"
#include "model/ndjson.h"
#include "text/json.h"

struct stored {
	struct drg_arena *arena;
	struct drg_record r;
};

static int copy_stored(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct stored *s = ctx;
	(void)m;
	return drg_record_copy(s->arena, r, &s->r);
}

/* ---- Excel's zeros ---------------------------------------------------------------------------------------- */

/* "123" is not known, and "00123" is: Excel has taken the zeros for none of its business. */
static int zeros_were_cut(struct load_run *l, const struct drg_record *r, struct drg_str *ret,
                          struct drg_err *reterr)
{
	struct drg_str id = r->v[DRG_F_SOURCE_ID].s;
	char padded[32];
	int64_t number;
	*ret = drg_str(NULL, 0);
	if (id.n > 12 || !drg_str_is_canonical_i64(id, &number) || number < 0)
		return DRG_OK;
	for (size_t zeros = 1; zeros <= 5; zeros++) {
		struct drg_record key;
		memset(padded, '0', zeros);
		memcpy(padded + zeros, id.p, id.n);
		drg_key_source(&key, r->v[DRG_F_ADAPTER_ID].i, drg_record_kind(r),
		               drg_str(padded, zeros + id.n));
		int rc = drg_store_exists(l->store, &key, reterr);
		if (rc == DRG_OK)
			*ret = drg_arena_str(&l->arena, key.v[DRG_F_SOURCE_ID].s);
		if (rc != DRG_ENOENT)
			return rc;
	}
	return DRG_OK;
}

/* ---- differences ------------------------------------------------------------------------------------------ */

static struct drg_str value_text(const struct drg_record *r, const struct drg_field_def *f, struct drg_buf *b)
{
	struct drg_jw w = { .b = b };
	drg_buf_clear(b);
	if (!drg_record_has(r, f->field))
		return drg_str("", 0);
	if (drg_value_is_text(f->vtype))
		return r->v[f->field].s;
	if (f->vtype == DRG_V_REAL)
		drg_jw_real(&w, r->v[f->field].d);
	else if (f->vtype == DRG_V_BOOL)
		drg_jw_bool(&w, r->v[f->field].i != 0);
	else
		drg_buf_i64(b, r->v[f->field].i);
	return drg_buf_view(b);
}

/* @return how many fields differ. */
static unsigned tell_changes(struct load_run *l, const struct drg_record *was, const struct drg_record *is)
{
	struct drg_buf from, to;
	unsigned n = 0;
	drg_buf_init(&from, 4096);
	drg_buf_init(&to, 4096);
	for (unsigned i = 0; i < is->type->n_fields; i++) {
		const struct drg_field_def *f = &is->type->fields[i];
		bool silent = (f->flags & DRG_FF_KEEP) != 0 && !drg_record_has(is, f->field) &&
		              (is->nulls >> f->field & 1) == 0;
		if (silent || drg_record_same(f, was, is))
			continue;
		bool cleared = !drg_record_has(is, f->field);
		bool unmapped = cleared && f->field == DRG_F_DICT_ID;
		n++;
		l->sums->fields[f->field]++;
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

/* What the file has no column for stays as it is stored; what is stored nowhere has its default. */
static void keep_silent(const struct load_run *l, struct drg_record *r, uint64_t mask,
                        const struct drg_record *was)
{
	struct drg_str lang = l->plan.profile.lang;
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		uint64_t bit = UINT64_C(1) << f->field;
		if ((r->has & bit) != 0 || (f->flags & DRG_FF_KEEP) != 0 ||
		    !drg_field_applies(f, drg_record_kind(r)))
			continue;
		if ((mask & bit) == 0 && was != NULL && drg_record_has(was, f->field)) {
			r->v[f->field] = was->v[f->field];
			r->has |= bit;
		} else if (f->vtype == DRG_V_LANG) {
			drg_record_set_s(r, f->field, lang.n > 0 ? lang : DRG_STR("en"));
		} else if ((f->flags & DRG_FF_DEFAULT) != 0) {
			drg_record_set_i(r, f->field, f->dflt);
		}
	}
	if (lang.n > 0 && (mask >> DRG_F_LANG & 1) == 0)
		drg_record_set_s(r, DRG_F_LANG, lang);
}

static int compare_new(struct load_run *l, const struct drg_record *r, bool *ret_good, struct drg_err *reterr)
{
	struct drg_str known;
	char text[160];
	*ret_good = false;
	if (!drg_record_has(r, DRG_F_NAME))
		return drg_load_reject(l, r, DRG_STR("name: expected a name, found nothing"), reterr);
	int rc = zeros_were_cut(l, r, &known, reterr);
	if (rc != DRG_OK)
		return rc;
	if (known.n > 0) {
		snprintf(text, sizeof text,
		         "id: expected %.*s as it is known, found %.*s: Excel has cut the zeros; make the "
		         "column "
		         "text",
		         DRG_STR_ARG(known), DRG_STR_ARG(r->v[DRG_F_SOURCE_ID].s));
		return drg_load_reject(l, r, drg_str_c(text), reterr);
	}
	*ret_good = true;
	l->sums->kinds[drg_record_kind(r)].added++;
	drg_load_note(l, DRG_LOAD_NEW, r, "", drg_str("", 0), drg_str("", 0));
	return DRG_OK;
}

int drg_load_record(struct load_run *l, struct drg_record *r, uint64_t mask, struct drg_err *reterr)
{
	struct stored s = { .arena = &l->arena };
	enum drg_kind kind = drg_record_kind(r);
	bool good = true;
	int rc = drg_store_get(l->store, r, copy_stored, &s, reterr);
	bool found = rc == DRG_OK;
	if (rc != DRG_OK && rc != DRG_ENOENT)
		return rc;
	keep_silent(l, r, mask, found ? &s.r : NULL);
	rc = DRG_OK;
	l->read[kind]++;
	l->known[kind] += found;
	if (!found)
		rc = compare_new(l, r, &good, reterr);
	else if (!drg_record_has(r, DRG_F_NAME))
		return drg_load_reject(l, r, DRG_STR("name: expected a name, found nothing"), reterr);
	else if (tell_changes(l, &s.r, r) > 0)
		l->sums->kinds[kind].changed++;
	else
		l->sums->kinds[kind].same++;
	if (rc == DRG_OK && good)
		drg_ndjson_write(r, &l->lines);
	return rc == DRG_OK && l->lines.rc != DRG_OK ? drg_fail_memory(reterr) : rc;
}

/* ---- what is gone ----------------------------------------------------------------------------------------- */

struct gone_search {
	struct load_run *l;
	struct drg_arena names;
	struct drg_buf list; /* struct drg_record, texts in names */
	struct drg_err *err;
};

static int find_gone(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct gone_search *g = ctx;
	struct drg_record copy;
	(void)m;
	if (drg_seen_has(&g->l->seen, (unsigned)drg_record_kind(r), r->v[DRG_F_SOURCE_ID].s))
		return DRG_OK;
	if (drg_record_copy(&g->names, r, &copy) != DRG_OK)
		return drg_fail_memory(g->err);
	drg_buf_add(&g->list, &copy, sizeof copy);
	return g->list.rc == DRG_OK ? DRG_OK : drg_fail_memory(g->err);
}

/* What a supplier says of a hotel goes with the hotel. */
static int remove_record(struct load_run *l, const struct drg_record *r, struct drg_err *reterr)
{
	struct drg_record gone = *r, content;
	int rc = DRG_ENOENT;
	drg_record_init(&content, &drg_types[DRG_TYPE_HOTEL_CONTENT]);
	drg_record_set_i(&content, DRG_F_ADAPTER_ID, r->v[DRG_F_ADAPTER_ID].i);
	drg_record_set_s(&content, DRG_F_HOTEL_ID, r->v[DRG_F_SOURCE_ID].s);
	if (drg_record_kind(r) == DRG_KIND_HOTEL)
		rc = drg_store_exists(l->store, &content, reterr);
	if (rc != DRG_OK && rc != DRG_ENOENT)
		return rc;
	content.deleted = gone.deleted = true;
	if (rc == DRG_OK)
		drg_ndjson_write(&content, &l->lines);
	drg_ndjson_write(&gone, &l->lines);
	drg_load_note(l, DRG_LOAD_GONE, r, "", drg_str("", 0), drg_str("", 0));
	l->sums->kinds[drg_record_kind(r)].gone++;
	return l->lines.rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}

static int gone_of_kind(struct load_run *l, enum drg_kind kind, struct gone_search *g, struct drg_err *reterr)
{
	const struct drg_filter f = {
		.type = &drg_types[DRG_TYPE_SOURCE], .one_kind = true, .kind = kind, .adapter = l->o->adapter
	};
	int rc = drg_store_scan(l->store, &f, find_gone, g, NULL, reterr);
	const struct drg_record *list = (const struct drg_record *)(const void *)g->list.p;
	size_t n = g->list.n / sizeof *list;
	if (rc == DRG_OK && (double)n * 100 > l->o->max_gone * (double)l->stored[kind])
		return drg_fail(
		        reterr, DRG_EINVAL, NULL, NULL,
		        "%zu of %llu stored %s records are not in the file, more than %g %%: nothing was "
		        "applied; if they are gone indeed, raise --max-gone",
		        n, (unsigned long long)l->stored[kind], drg_kind_name(kind), l->o->max_gone);
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		rc = remove_record(l, &list[i], reterr);
	return rc;
}

int drg_load_gone(struct load_run *l, struct drg_err *reterr)
{
	int rc = DRG_OK;
	l->line = 0;
	for (unsigned k = 0; k < DRG_KIND_SOURCE_COUNT && rc == DRG_OK; k++) {
		struct gone_search g = { .l = l, .err = reterr };
		if ((l->complete >> k & 1) == 0)
			continue;
		drg_arena_init(&g.names, SIZE_MAX);
		drg_buf_init(&g.list, SIZE_MAX);
		rc = gone_of_kind(l, (enum drg_kind)k, &g, reterr);
		drg_arena_done(&g.names);
		drg_buf_done(&g.list);
	}
	return rc;
}
