/* Decisions about the name of a record of the reference in one language (decision M41). */
#include "decide/reference/dict_name.h"

#include <assert.h>

#include "decide/reference/dict_history.h"
#include "decide/verb.h"
#include "model/value.h"
#include "text/utf8.h"

struct dict_naming {
	struct drg_verb_run *v;
	struct drg_decision *d;
	struct drg_record dict;
	struct drg_str lang; /* in its normal form */
	struct drg_str was, is;
};

/* ---- the record ---------------------------------------------------------------------------------------- */

static int naming_gone(const struct dict_naming *x, struct drg_err *reterr)
{
	int64_t lives;
	int rc = drg_resolve(x->v->s, x->d->kind, x->d->dict_id, &lives, reterr);
	return rc != DRG_OK ? rc
	                    : drg_fail(reterr, DRG_EINVAL, DRG_R(merged_already), "dict_id",
	                               "%s %lld was merged into %lld: that is the record to name",
	                               drg_kind_name(x->d->kind), (long long)x->d->dict_id, (long long)lives);
}

static int naming_lang(struct dict_naming *x, struct drg_err *reterr)
{
	const struct drg_field_def *f = drg_field_of(&drg_types[DRG_TYPE_DICT_EVENT], DRG_F_LANG);
	const struct drg_json_item item = { .type = DRG_JSON_STRING, .s = x->d->lang };
	union drg_value v;
	struct drg_err e;
	int rc = drg_value_read(f, &item, &x->v->arena, &v, &e);
	if (rc != DRG_OK)
		return drg_fail(reterr, rc, drg_reason_find(e.reason), "lang", "lang: %s", e.message);
	x->lang = v.s;
	return DRG_OK;
}

static int naming_begin(struct dict_naming *x, struct drg_err *reterr)
{
	struct drg_record key;
	int rc = naming_lang(x, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_key_dict(&key, x->d->kind, x->d->dict_id);
	rc = drg_fetch(x->v->s, &key, &x->v->arena, &x->dict, reterr);
	return rc == DRG_ENOENT ? naming_gone(x, reterr) : rc;
}

/* ---- its names ----------------------------------------------------------------------------------------- */

/* @return DRG_OK, DRG_ENOMEM, DRG_EINVAL: the stored names are not an object. */
static int naming_walk(const struct drg_record *dict, struct drg_arena *arena, struct drg_json_walk *ret)
{
	struct drg_json_item names;
	int rc = drg_json_scan(drg_record_s(dict, DRG_F_NAMES), arena, &names, NULL);
	if (rc != DRG_OK || names.type != DRG_JSON_OBJECT)
		return rc != DRG_OK ? rc : DRG_EINVAL;
	drg_json_walk_init(ret, &names, arena);
	return DRG_OK;
}

/* Find the record's name in a language; empty: none. @return as above */
static int naming_find(const struct drg_record *dict, struct drg_arena *arena, struct drg_str lang,
                       struct drg_str *ret)
{
	struct drg_json_walk walk;
	struct drg_json_item text;
	struct drg_str is;
	int rc = naming_walk(dict, arena, &walk);
	*ret = drg_str("", 0);
	while (rc == DRG_OK && (rc = drg_json_walk_next(&walk, &is, &text)) == DRG_OK)
		if (drg_str_eq(is, lang)) {
			*ret = text.s;
			return DRG_OK;
		}
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int naming_failed(int rc, struct drg_err *reterr)
{
	return rc == DRG_EINVAL
	               ? drg_fail(reterr, DRG_ECORRUPT, NULL, "name", "the stored names cannot be read")
	               : drg_fail_memory(reterr);
}

/* ---- its names with one replaced ----------------------------------------------------------------------- */

/* Write the names in other languages as JSON, and find the name in this one. @return DRG_OK, DRG_ENOMEM,
 * DRG_EINVAL: the stored names are not an object. */
static int naming_others(struct dict_naming *x, struct drg_jw *w, unsigned *ret_n)
{
	struct drg_json_item text;
	struct drg_json_walk walk;
	struct drg_str lang;
	*ret_n = 0;
	int rc = naming_walk(&x->dict, &x->v->arena, &walk);
	while (rc == DRG_OK && (rc = drg_json_walk_next(&walk, &lang, &text)) == DRG_OK) {
		if (drg_str_eq(lang, x->lang)) {
			x->was = text.s;
			continue;
		}
		drg_jw_key_str(w, lang);
		drg_jw_str(w, text.s);
		++*ret_n;
	}
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* Check the names like those of an import, and bring them into the same form. */
static int naming_read(struct dict_naming *x, struct drg_str json, struct drg_err *reterr)
{
	const struct drg_field_def *f = drg_field_of(x->dict.type, DRG_F_NAMES);
	struct drg_json_item item;
	union drg_value v;
	struct drg_err e;
	int rc = drg_json_scan(json, &x->v->arena, &item, &e);
	if (rc == DRG_OK)
		rc = drg_value_read(f, &item, &x->v->arena, &v, &e);
	if (rc != DRG_OK)
		return drg_fail(reterr, rc, drg_reason_find(e.reason), e.field, "%s: %s", e.field, e.message);
	drg_record_set_s(&x->dict, DRG_F_NAMES, v.s);
	return DRG_OK;
}

static int naming_text(struct dict_naming *x, struct drg_err *reterr)
{
	struct drg_buf b;
	unsigned others = 0;
	drg_buf_init(&b, SIZE_MAX);
	struct drg_jw w = { .b = &b };
	drg_jw_object(&w);
	int rc = naming_others(x, &w, &others);
	if (x->is.n > 0) {
		drg_jw_key_str(&w, x->lang);
		drg_jw_str(&w, x->is);
	}
	drg_jw_object_end(&w);
	if (rc != DRG_OK || b.rc != DRG_OK)
		rc = naming_failed(rc, reterr);
	else if (others == 0 && x->is.n == 0)
		rc = drg_fail(reterr, DRG_EINVAL, DRG_R(empty_text), "name",
		              "name: %s %lld would be without any name; name it in another language first",
		              drg_kind_name(x->d->kind), (long long)x->d->dict_id);
	else
		rc = naming_read(x, drg_buf_view(&b), reterr);
	drg_buf_done(&b);
	return rc;
}

/* ---- the verb name ------------------------------------------------------------------------------------- */

static int naming_keep(struct drg_txn *t, const struct drg_record *dict, struct drg_dict_event *e,
                       struct drg_err *reterr)
{
	e->kind = drg_record_kind(dict);
	e->id = dict->v[DRG_F_ID].i;
	return drg_dict_event_put(t, e, reterr);
}

/* Store the name `is`. */
static int naming_apply(struct dict_naming *x, enum drg_dict_how how, struct drg_err *reterr)
{
	struct drg_decision_result *is = &x->d->is;
	struct drg_dict_event e = {
		.how = how, .lang = x->lang, .is = x->is, .by = x->v->ledger->by, .why = x->v->why
	};
	int rc = naming_text(x, reterr);
	e.was = x->was;
	is->changed = rc == DRG_OK && !drg_str_eq(x->was, x->is);
	if (is->changed)
		rc = drg_verb_put(x->v, &x->dict, reterr);
	if (rc == DRG_OK && is->changed)
		rc = naming_keep(x->v->txn, &x->dict, &e, reterr);
	if (rc != DRG_OK || x->d->texts == NULL)
		return rc;
	is->name_was = drg_arena_str(x->d->texts, x->was);
	is->name_is = drg_arena_str(x->d->texts, x->is);
	return is->name_was.p != NULL && is->name_is.p != NULL ? DRG_OK : drg_fail_memory(reterr);
}

int drg_verb_name(struct drg_verb_run *v, struct drg_decision *d, struct drg_err *reterr)
{
	struct dict_naming x = { .v = v, .d = d, .is = d->name };
	if (!drg_utf8_valid(d->name, NULL))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_value), "name", "name: expected UTF-8");
	int rc = naming_begin(&x, reterr);
	return rc == DRG_OK ? naming_apply(&x, DRG_DICT_HOW_NAME, reterr) : rc;
}

/* ---- the verb undo_name -------------------------------------------------------------------------------- */

/* The last decision about the name in a language. */
struct dict_naming_last {
	struct drg_str lang;
	struct drg_buf was, is;
	bool any;
};

static int naming_take_last(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct dict_naming_last *l = ctx;
	int64_t how = drg_record_i(r, DRG_F_DICT_HOW, DRG_DICT_HOW_NAME);
	if ((how != DRG_DICT_HOW_NAME && how != DRG_DICT_HOW_UNDO) ||
	    !drg_str_eq(drg_record_s(r, DRG_F_LANG), l->lang))
		return DRG_OK;
	l->any = true;
	drg_buf_clear(&l->was);
	drg_buf_clear(&l->is);
	drg_buf_str(&l->was, drg_record_s(r, DRG_F_NAME_WAS));
	drg_buf_str(&l->is, drg_record_s(r, DRG_F_NAME_IS));
	return l->was.rc == DRG_OK ? l->is.rc : l->was.rc;
}

static int naming_take_back(struct dict_naming *x, struct dict_naming_last *last, struct drg_err *reterr)
{
	const struct drg_decision *d = x->d;
	last->lang = x->lang;
	int rc = drg_dict_event_each(x->v->s, d->kind, d->dict_id, naming_take_last, last, reterr);
	if (rc == DRG_OK && !last->any)
		return drg_fail(reterr, DRG_ENOENT, DRG_R(no_decision), "lang",
		                "there is no decision about the name of %s %lld in %.*s that could be undone",
		                drg_kind_name(d->kind), (long long)d->dict_id, DRG_STR_ARG(x->lang));
	if (rc != DRG_OK)
		return rc;
	rc = naming_find(&x->dict, &x->v->arena, x->lang, &x->was);
	if (rc != DRG_OK)
		return naming_failed(rc, reterr);
	if (!drg_str_eq(x->was, drg_buf_view(&last->is)))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(changed_since), "lang",
		                "an import has changed the name since the last decision: set the name again");
	x->is = drg_buf_view(&last->was);
	return naming_apply(x, DRG_DICT_HOW_UNDO, reterr);
}

int drg_verb_undo_name(struct drg_verb_run *v, struct drg_decision *d, struct drg_err *reterr)
{
	struct dict_naming x = { .v = v, .d = d };
	struct dict_naming_last last = { .any = false };
	drg_buf_init(&last.was, SIZE_MAX);
	drg_buf_init(&last.is, SIZE_MAX);
	int rc = naming_begin(&x, reterr);
	if (rc == DRG_OK)
		rc = naming_take_back(&x, &last, reterr);
	drg_buf_done(&last.was);
	drg_buf_done(&last.is);
	return rc;
}

/* ---- names restored with a batch ----------------------------------------------------------------------- */

/* Write an event for each language in which @p dict has another name than @p other.
 * @param back  @p dict is the restored record, and only languages that @p other lacks count. */
static int naming_compare(struct drg_txn *t, const struct drg_record *dict, const struct drg_record *other,
                          bool back, const struct drg_audit *a, struct drg_arena *arena,
                          struct drg_err *reterr)
{
	struct drg_json_walk walk;
	struct drg_json_item text;
	struct drg_str lang, there;
	int rc = naming_walk(dict, arena, &walk);
	while (rc == DRG_OK && (rc = drg_json_walk_next(&walk, &lang, &text)) == DRG_OK) {
		rc = naming_find(other, arena, lang, &there);
		if (rc != DRG_OK || drg_str_eq(there, text.s) || (back && there.n > 0))
			continue;
		struct drg_dict_event e = { .how = DRG_DICT_HOW_UNDO,
			                    .lang = lang,
			                    .was = back ? there : text.s,
			                    .is = back ? text.s : there,
			                    .by = a->by,
			                    .why = a->why };
		rc = naming_keep(t, dict, &e, reterr);
	}
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

int drg_dict_names_restored(struct drg_txn *t, const struct drg_record *was, const struct drg_record *is,
                            const struct drg_audit *a, struct drg_arena *arena, struct drg_err *reterr)
{
	assert(was->type->id == DRG_TYPE_DICT && is->type->id == DRG_TYPE_DICT);
	int rc = naming_compare(t, was, is, false, a, arena, reterr);
	return rc == DRG_OK ? naming_compare(t, is, was, true, a, arena, reterr) : rc;
}
