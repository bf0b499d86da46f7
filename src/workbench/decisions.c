#include "workbench/decisions.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "api/body.h"
#include "api/curate_words.h"
#include "text/json_scan.h"
#include "text/utf8.h"

enum { NAME_ROOM = 64 };

/* The fields of a decision. An error names the first missing field in this order. */
enum member {
	VERB,
	ADAPTER,
	KIND,
	ID,
	DICT,
	INTO,
	VERSION,
	INTO_VERSION,
	LANG,
	NAME,
	WHY,
	ABOVE,
	ALONE,
	MEMBERS
};
enum member_type { A_VERB, A_KIND, AN_ID, A_NUMBER, A_TEXT, A_SHARE, A_FLAG };
static const struct decision_member {
	const char *name;
	unsigned says; /* DRG_SAYS_...; 0: optional for all verbs */
	enum member_type type;
	size_t to; /* its offset in struct drg_decision */
	size_t max; /* most characters of a text */
} decision_members[MEMBERS] = {
#define AT(member) offsetof(struct drg_decision, member)
	[VERB] = { "decide", 0, A_VERB, AT(verb), 0 },
	[ADAPTER] = { "adapter_id", DRG_SAYS_ADAPTER, A_NUMBER, AT(adapter), 0 },
	[KIND] = { "kind", DRG_SAYS_KIND, A_KIND, AT(kind), 0 },
	[ID] = { "id", DRG_SAYS_ID, AN_ID, AT(id), DRG_CHARS_ID },
	[DICT] = { "dict_id", DRG_SAYS_DICT, A_NUMBER, AT(dict_id), 0 },
	[INTO] = { "into", DRG_SAYS_INTO, A_NUMBER, AT(into), 0 },
	[VERSION] = { "version", DRG_SAYS_VERSION, A_NUMBER, AT(version), 0 },
	[INTO_VERSION] = { "into_version", DRG_SAYS_INTO_VERSION, A_NUMBER, AT(into_version), 0 },
	/* The verb checks these two, so that a wrong value rejects one decision instead of all. */
	[LANG] = { "lang", DRG_SAYS_LANG, A_TEXT, AT(lang), SIZE_MAX },
	[NAME] = { "name", DRG_SAYS_NAME, A_TEXT, AT(name), SIZE_MAX },
	[WHY] = { "why", 0, A_TEXT, AT(why), DRG_CHARS_WHY },
	[ABOVE] = { "above", 0, A_SHARE, AT(above), 0 },
	[ALONE] = { "alone", 0, A_FLAG, AT(alone), 0 },
#undef AT
};

struct decision_reading {
	struct drg_exchange *x;
	struct drg_arena *arena;
	struct drg_err *err;
	size_t at; /* of the item */
	struct drg_json_item sent[MEMBERS]; /* null if missing */
	bool has[MEMBERS]; /* sent and not null; for a name, null counts too and means none */
};

/* "decisions[3].kind" */
static const char *decision_name(const struct decision_reading *r, const char *member,
                                 char room[static NAME_ROOM])
{
	snprintf(room, NAME_ROOM, "decisions[%zu].%s", r->at, member);
	return room;
}

static int decision_verb(const struct decision_reading *r, const struct drg_json_item *v, const char *name,
                         enum drg_decide_verb *ret)
{
	char words[200];
	size_t n = 0;
	for (unsigned k = 0; k < DRG_VERBS; k++) {
		const char *word = drg_verbs[k].word;
		if (word == NULL)
			continue;
		if (v->type == DRG_JSON_STRING && drg_str_eq(v->s, drg_str_c(word))) {
			*ret = (enum drg_decide_verb)k;
			return DRG_OK;
		}
		n += (size_t)snprintf(words + n, sizeof words - n, "%s%s", n > 0 ? ", " : "one of ", word);
		assert(n < sizeof words);
	}
	return drg_body_bad_value(r->err, DRG_R(unknown_word), name, words, v);
}

static int decision_take(struct decision_reading *r, enum member which, struct drg_decision *i)
{
	const struct decision_member *m = &decision_members[which];
	const struct drg_json_item *v = &r->sent[which];
	void *to = (char *)i + m->to;
	char room[NAME_ROOM], digits[DRG_I64_TEXT];
	const char *name = decision_name(r, m->name, room);
	double share;
	switch (m->type) {
	case A_VERB: return decision_verb(r, v, name, to);
	case A_KIND:
		*(enum drg_kind *)to = v->type == DRG_JSON_STRING ? drg_kind_by_name(v->s) : DRG_KIND_NONE;
		return *(enum drg_kind *)to != DRG_KIND_NONE
		               ? DRG_OK
		               : drg_body_bad_value(r->err, DRG_R(unknown_kind), name, "a kind of records",
		                                    v);
	case AN_ID: /* an id can be a number, as elsewhere */
		if (v->type != DRG_JSON_INT)
			return drg_body_text(r->err, name, m->max, v, to);
		*(struct drg_str *)to = drg_arena_str(r->arena, drg_str(digits, drg_i64_text(v->i, digits)));
		return i->id.p != NULL ? DRG_OK : DRG_ENOMEM;
	case A_NUMBER:
		return drg_body_int(v, to)
		               ? DRG_OK
		               : drg_body_bad_value(r->err, DRG_R(bad_integer), name, "an integer", v);
	case A_TEXT: return drg_body_text(r->err, name, m->max, v, to);
	case A_SHARE:
		share = v->type == DRG_JSON_REAL ? v->d : v->type == DRG_JSON_INT ? (double)v->i : NAN;
		*(float *)to = (float)share;
		return share >= 0 && share <= 1 ? DRG_OK
		                                : drg_body_bad_value(r->err, DRG_R(out_of_range), name,
		                                                     "a probability from 0 to 1", v);
	case A_FLAG:
		*(bool *)to = v->b;
		return v->type == DRG_JSON_BOOL
		               ? DRG_OK
		               : drg_body_bad_value(r->err, DRG_R(wrong_type), name, "true or false", v);
	}
	return DRG_EINTERNAL;
}

/* Some fields belong to some verbs only; other verbs ignore them. */
static bool decision_ignores(enum drg_decide_verb verb, enum member which)
{
	switch (which) {
	case LANG:
	case NAME: return (drg_verbs[verb].needs & decision_members[which].says) == 0;
	case ABOVE: return verb != DRG_VERB_MAP;
	case ALONE: return verb != DRG_VERB_NEW;
	default: return false;
	}
}

static int decision_take_all(struct decision_reading *r, struct drg_decision *i)
{
	char room[NAME_ROOM];
	int rc = DRG_OK;
	if (r->has[VERB])
		rc = decision_take(r, VERB, i);
	for (unsigned k = VERB + 1; k < MEMBERS && rc == DRG_OK; k++) {
		const struct drg_json_item *v = &r->sent[k];
		if (!r->has[k] || (k == NAME && v->type == DRG_JSON_NULL))
			continue;
		if (r->has[VERB] && decision_ignores(i->verb, k))
			drg_exchange_ignored(r->x, drg_str_c(decision_members[k].name));
		else
			rc = decision_take(r, k, i);
	}
	for (unsigned k = VERB; k < MEMBERS && rc == DRG_OK; k++)
		if (!r->has[k] && (k == VERB || (drg_verbs[i->verb].needs & decision_members[k].says) != 0))
			return drg_fail(r->err, DRG_EINVAL, DRG_R(missing_field),
			                decision_name(r, decision_members[k].name, room), "%s is required%s",
			                room, k != VERB ? " for this decision" : "");
	if (rc == DRG_OK && !drg_decision_is_shared(i) && !drg_kind_is_source(i->kind))
		return drg_fail(r->err, DRG_EINVAL, DRG_R(unknown_kind), decision_name(r, "kind", room),
		                "%s: suppliers have no records of the kind %s", room, drg_kind_name(i->kind));
	i->has_into = r->has[INTO];
	i->unseen = r->has[ABOVE] && !decision_ignores(i->verb, ABOVE);
	return rc;
}

static int decision_read(struct decision_reading *r, const struct drg_json_item *v, struct drg_decision *i)
{
	struct drg_json_walk w;
	struct drg_json_item member;
	struct drg_str name;
	char room[NAME_ROOM];
	int rc;
	*i = (struct drg_decision){ .kind = DRG_KIND_NONE, .has_version = true, .has_into_version = true };
	memset(r->has, 0, sizeof r->has);
	snprintf(room, sizeof room, "decisions[%zu]", r->at);
	if (v->type != DRG_JSON_OBJECT)
		return drg_body_bad_value(r->err, DRG_R(wrong_type), room, "an object", v);
	drg_json_walk_init(&w, v, r->arena);
	while ((rc = drg_json_walk_next(&w, &name, &member)) == DRG_OK) {
		unsigned k = 0;
		while (k < MEMBERS && !drg_str_eq(name, drg_str_c(decision_members[k].name)))
			k++;
		if (k == MEMBERS) {
			if (member.type != DRG_JSON_NULL)
				drg_exchange_ignored(r->x, name);
			continue;
		}
		r->sent[k] = member;
		r->has[k] = member.type != DRG_JSON_NULL || k == NAME;
	}
	return rc == DRG_ENOENT ? decision_take_all(r, i) : rc;
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

/* Read the author: a signed-in user is known; a request with a key may name one. */
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
