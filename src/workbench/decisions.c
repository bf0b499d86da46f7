#include "workbench/decisions.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "api/body.h"
#include "api/curate_words.h"
#include "text/json_scan.h"
#include "text/utf8.h"

enum { NAME_ROOM = 64 };

struct decision_reading {
	struct drg_exchange *x;
	struct drg_arena *arena;
	struct drg_err *err;
	size_t at; /* of the item */
	unsigned has;
	bool has_verb;
	struct drg_json_item lang, name; /* as they were sent: looked at when the verb is known */
};

/* "decisions[3].kind" */
static const char *decision_name(const struct decision_reading *r, const char *member,
                                 char room[static NAME_ROOM])
{
	snprintf(room, NAME_ROOM, "decisions[%zu].%s", r->at, member);
	return room;
}

static int decision_bad(const struct decision_reading *r, const struct drg_reason *reason, const char *member,
                        const char *expected, const struct drg_json_item *v)
{
	char room[NAME_ROOM];
	return drg_body_bad_value(r->err, reason, decision_name(r, member, room), expected, v);
}

/* ---- members ------------------------------------------------------------------------------------------- */

static int decision_text(const struct decision_reading *r, const char *member, size_t max,
                         const struct drg_json_item *v, struct drg_str *ret)
{
	char room[NAME_ROOM];
	return drg_body_text(r->err, decision_name(r, member, room), max, v, ret);
}

/* As elsewhere, an id may be a number. */
static int decision_id(const struct decision_reading *r, const struct drg_json_item *v, struct drg_str *ret)
{
	char digits[DRG_I64_TEXT];
	if (v->type != DRG_JSON_INT)
		return decision_text(r, "id", DRG_CHARS_ID, v, ret);
	*ret = drg_arena_str(
	        r->arena, drg_str(digits, (size_t)snprintf(digits, sizeof digits, "%lld", (long long)v->i)));
	return ret->p != NULL ? DRG_OK : DRG_ENOMEM;
}

static int decision_verb(struct decision_reading *r, const struct drg_json_item *v, struct drg_decision *i)
{
	char words[200];
	size_t n = 0;
	for (unsigned k = 0; k < DRG_VERBS; k++) {
		const char *word = drg_verbs[k].word;
		if (word == NULL)
			continue;
		if (v->type == DRG_JSON_STRING && drg_str_eq(v->s, drg_str_c(word))) {
			i->verb = (enum drg_decide_verb)k;
			r->has_verb = true;
			return DRG_OK;
		}
		n += (size_t)snprintf(words + n, sizeof words - n, "%s%s", n > 0 ? ", " : "one of ", word);
		assert(n < sizeof words);
	}
	return decision_bad(r, DRG_R(unknown_word), "decide", words, v);
}

static int decision_kind(const struct decision_reading *r, const struct drg_json_item *v,
                         struct drg_decision *i)
{
	i->kind = v->type == DRG_JSON_STRING ? drg_kind_by_name(v->s) : DRG_KIND_NONE;
	return i->kind != DRG_KIND_NONE
	               ? DRG_OK
	               : decision_bad(r, DRG_R(unknown_kind), "kind", "a kind of records", v);
}

/* @return DRG_ENOENT: it is none of the numbers */
static int decision_number(struct decision_reading *r, struct drg_str name, const struct drg_json_item *v,
                           struct drg_decision *i)
{
	const struct {
		const char *name;
		unsigned bit;
		int64_t *to;
	} numbers[] = { { "adapter_id", DRG_SAYS_ADAPTER, &i->adapter },
		        { "dict_id", DRG_SAYS_DICT, &i->dict_id },
		        { "into", DRG_SAYS_INTO, &i->into },
		        { "version", DRG_SAYS_VERSION, &i->version },
		        { "into_version", DRG_SAYS_INTO_VERSION, &i->into_version } };
	for (size_t k = 0; k < DRG_ARRAY_LEN(numbers); k++) {
		if (!drg_str_eq(name, drg_str_c(numbers[k].name)))
			continue;
		if (!drg_body_int(v, numbers[k].to))
			return decision_bad(r, DRG_R(bad_integer), numbers[k].name, "an integer", v);
		r->has |= numbers[k].bit;
		return DRG_OK;
	}
	return DRG_ENOENT;
}

/* Of a record that nobody has looked at. */
static int decision_above(const struct decision_reading *r, const struct drg_json_item *v,
                          struct drg_decision *i)
{
	const double share = v->type == DRG_JSON_REAL ? v->d : v->type == DRG_JSON_INT ? (double)v->i : NAN;
	if (!(share >= 0 && share <= 1))
		return decision_bad(r, DRG_R(out_of_range), "above", "a probability from 0 to 1", v);
	i->unseen = true;
	i->above = (float)share;
	return DRG_OK;
}

static int decision_alone(const struct decision_reading *r, const struct drg_json_item *v,
                          struct drg_decision *i)
{
	if (v->type != DRG_JSON_BOOL)
		return decision_bad(r, DRG_R(wrong_type), "alone", "true or false", v);
	i->alone = v->b;
	return DRG_OK;
}

/* It is sent: what it is, is seen afterwards. */
static void decision_has(struct decision_reading *r, struct drg_str name)
{
	static const struct {
		const char *name;
		unsigned bit;
	} texts[] = { { "kind", DRG_SAYS_KIND }, { "id", DRG_SAYS_ID } };
	for (size_t k = 0; k < DRG_ARRAY_LEN(texts); k++)
		if (drg_str_eq(name, drg_str_c(texts[k].name)))
			r->has |= texts[k].bit;
}

/* What only some verbs have: the verb may be sent after it. @return is it that? */
static bool decision_put_off(struct decision_reading *r, struct drg_str name, const struct drg_json_item *v)
{
	bool is_name = drg_str_eq(name, DRG_STR("name")), is_lang = drg_str_eq(name, DRG_STR("lang"));
	if (is_name) {
		r->name = *v;
		r->has |= DRG_SAYS_NAME;
	} else if (is_lang && v->type != DRG_JSON_NULL) {
		r->lang = *v;
		r->has |= DRG_SAYS_LANG;
	}
	return is_name || is_lang;
}

static int decision_member(struct decision_reading *r, struct drg_str name, const struct drg_json_item *v,
                           struct drg_decision *i)
{
	if (decision_put_off(r, name, v) || v->type == DRG_JSON_NULL)
		return DRG_OK;
	int rc = decision_number(r, name, v, i);
	if (rc != DRG_ENOENT)
		return rc;
	decision_has(r, name);
	if (drg_str_eq(name, DRG_STR("decide")))
		return decision_verb(r, v, i);
	if (drg_str_eq(name, DRG_STR("above")))
		return decision_above(r, v, i);
	if (drg_str_eq(name, DRG_STR("alone")))
		return decision_alone(r, v, i);
	if (drg_str_eq(name, DRG_STR("why")))
		return decision_text(r, "why", DRG_CHARS_WHY, v, &i->why);
	if (drg_str_eq(name, DRG_STR("kind")))
		return decision_kind(r, v, i);
	if (drg_str_eq(name, DRG_STR("id")))
		return decision_id(r, v, &i->id);
	drg_exchange_ignored(r->x, name);
	return DRG_OK;
}

/* ---- an item ------------------------------------------------------------------------------------------- */

/* Of the verbs that have them; others ignore them. Null is no name. The verb checks what they may be, so that
 * one decision is refused, and not all. */
static int decision_naming(const struct decision_reading *r, struct drg_decision *i)
{
	unsigned wanted = drg_verbs[i->verb].needs & r->has, ignored = r->has & ~drg_verbs[i->verb].needs;
	int rc = DRG_OK;
	if ((ignored & DRG_SAYS_LANG) != 0)
		drg_exchange_ignored(r->x, DRG_STR("lang"));
	if (i->unseen && i->verb != DRG_VERB_MAP) {
		drg_exchange_ignored(r->x, DRG_STR("above"));
		i->unseen = false;
	}
	if (i->alone && i->verb != DRG_VERB_NEW) {
		drg_exchange_ignored(r->x, DRG_STR("alone"));
		i->alone = false;
	}
	if ((ignored & DRG_SAYS_NAME) != 0 && r->name.type != DRG_JSON_NULL)
		drg_exchange_ignored(r->x, DRG_STR("name"));
	if ((wanted & DRG_SAYS_LANG) != 0)
		rc = decision_text(r, "lang", SIZE_MAX, &r->lang, &i->lang);
	if (rc == DRG_OK && (wanted & DRG_SAYS_NAME) != 0 && r->name.type != DRG_JSON_NULL)
		rc = decision_text(r, "name", SIZE_MAX, &r->name, &i->name);
	return rc;
}

static int decision_check(const struct decision_reading *r, const struct drg_decision *i)
{
	static const char *const members[] = { "adapter_id", "kind",         "id",   "dict_id", "into",
		                               "version",    "into_version", "lang", "name" };
	char room[NAME_ROOM];
	const char *missing = r->has_verb ? NULL : "decide";
	for (unsigned k = DRG_ARRAY_LEN(members); r->has_verb && k-- > 0;)
		if ((drg_verbs[i->verb].needs & ~r->has & 1U << k) != 0)
			missing = members[k];
	if (missing != NULL)
		return drg_fail(r->err, DRG_EINVAL, DRG_R(missing_field), decision_name(r, missing, room),
		                "%s is required%s", room, r->has_verb ? " for this decision" : "");
	if (!drg_decision_is_shared(i) && i->kind >= DRG_KIND_SOURCE_COUNT)
		return drg_fail(r->err, DRG_EINVAL, DRG_R(unknown_kind), decision_name(r, "kind", room),
		                "%s: suppliers have no records of the kind %s", room, drg_kind_name(i->kind));
	return DRG_OK;
}

static int decision_read(struct decision_reading *r, const struct drg_json_item *v, struct drg_decision *i)
{
	struct drg_json_walk w;
	struct drg_json_item member;
	struct drg_str name;
	char room[NAME_ROOM];
	int rc;
	*i = (struct drg_decision){ .kind = DRG_KIND_NONE, .has_version = true, .has_into_version = true };
	r->has = 0;
	r->has_verb = false;
	snprintf(room, sizeof room, "decisions[%zu]", r->at);
	if (v->type != DRG_JSON_OBJECT)
		return drg_body_bad_value(r->err, DRG_R(wrong_type), room, "an object", v);
	drg_json_walk_init(&w, v, r->arena);
	while ((rc = drg_json_walk_next(&w, &name, &member)) == DRG_OK) {
		rc = decision_member(r, name, &member, i);
		if (rc != DRG_OK)
			return rc;
	}
	rc = rc == DRG_ENOENT ? decision_check(r, i) : rc;
	i->has_into = (r->has & DRG_SAYS_INTO) != 0;
	return rc == DRG_OK ? decision_naming(r, i) : rc;
}

/* ---- all of them --------------------------------------------------------------------------------------- */

static int decisions_count(struct decision_reading *r, const struct drg_json_item *array, size_t *ret)
{
	struct drg_json_walk w;
	struct drg_json_item v;
	*ret = 0;
	if (array->type != DRG_JSON_ARRAY)
		return drg_body_bad_value(r->err, DRG_R(bad_list), "decisions", "an array of decisions",
		                          array);
	drg_json_walk_init(&w, array, r->arena);
	int rc;
	while ((rc = drg_json_walk_next(&w, NULL, &v)) == DRG_OK)
		++*ret;
	if (rc != DRG_ENOENT)
		return rc;
	if (*ret == 0 || *ret > DRG_DECISIONS_MAX)
		return drg_fail(r->err, DRG_EINVAL, DRG_R(too_many_elements), "decisions",
		                "decisions: expected 1 to %d of them, found %zu", DRG_DECISIONS_MAX, *ret);
	return DRG_OK;
}

static int decisions_list(struct decision_reading *r, const struct drg_json_item *array,
                          struct drg_decisions *d)
{
	struct drg_json_walk w;
	struct drg_json_item v;
	int rc = decisions_count(r, array, &d->n);
	if (rc != DRG_OK)
		return rc;
	d->v = drg_arena_calloc(r->arena, d->n, sizeof *d->v);
	if (d->v == NULL)
		return DRG_ENOMEM;
	drg_json_walk_init(&w, array, r->arena);
	for (r->at = 0; rc == DRG_OK && r->at < d->n; r->at++) {
		rc = drg_json_walk_next(&w, NULL, &v);
		if (rc == DRG_OK)
			rc = decision_read(r, &v, &d->v[r->at]);
	}
	return rc;
}

/* In whose name: who has signed in is known; who comes with a key may say it. */
static int decisions_by(struct decision_reading *r, const struct drg_json_item *v, struct drg_decisions *d)
{
	struct drg_str by;
	int rc = drg_body_text(r->err, "by", DRG_CURATE_BY_MAX, v, &by);
	if (rc != DRG_OK)
		return rc;
	if (!drg_api_is_person(r->x))
		return drg_curate_by(r->x, by, &d->by);
	drg_exchange_ignored(r->x, DRG_STR("by"));
	return DRG_OK;
}

static int decisions_why(struct decision_reading *r, const struct drg_json_item *v, struct drg_decisions *d)
{
	d->why = DRG_STR("");
	return v->type == DRG_JSON_STRING && v->s.n == 0
	               ? DRG_OK
	               : drg_body_text(r->err, "why", DRG_CHARS_WHY, v, &d->why);
}

static int decisions_body(struct decision_reading *r, struct drg_decisions *d)
{
	struct drg_json_item v;
	struct drg_json_walk w;
	struct drg_str name;
	int rc = drg_body_object(r->x, &w);
	if (rc != DRG_OK)
		return rc;
	while ((rc = drg_json_walk_next(&w, &name, &v)) == DRG_OK) {
		if (v.type == DRG_JSON_NULL)
			continue;
		if (drg_str_eq(name, DRG_STR("decisions")))
			rc = decisions_list(r, &v, d);
		else if (drg_str_eq(name, DRG_STR("why")))
			rc = decisions_why(r, &v, d);
		else if (drg_str_eq(name, DRG_STR("by")))
			rc = decisions_by(r, &v, d);
		else
			drg_exchange_ignored(r->x, name);
		if (rc != DRG_OK)
			return rc;
	}
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* A key may be for some suppliers only: it decides about their records, and not about what all share. */
static int decisions_allowed(struct decision_reading *r, const struct drg_decisions *d)
{
	int rc = DRG_OK;
	for (size_t i = 0; i < d->n && rc == DRG_OK; i++) {
		bool all = drg_decision_is_shared(&d->v[i]);
		rc = drg_api_check_write(r->x, all ? 0 : d->v[i].adapter);
		if (rc == DRG_EAUTH && all)
			rc = drg_fail(r->err, rc, DRG_R(adapter_not_allowed), NULL,
			              "this key is for some suppliers only: it may not merge, split or name "
			              "records "
			              "that all share");
	}
	return rc;
}

int drg_decisions_read(struct drg_exchange *x, struct drg_decisions *ret)
{
	struct decision_reading r = { .x = x, .arena = drg_exchange_arena(x), .err = drg_exchange_err(x) };
	ret->by = drg_exchange_caller(x)->name;
	int rc = decisions_body(&r, ret);
	if (rc == DRG_OK && ret->n == 0)
		rc = drg_fail(r.err, DRG_EINVAL, DRG_R(missing_field), "decisions", "decisions is required");
	return rc == DRG_OK ? decisions_allowed(&r, ret) : rc;
}
