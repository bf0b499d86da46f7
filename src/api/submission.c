#include "api/submission.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "access/key_limits.h"
#include "api/freshness.h"
#include "api/reading.h"
#include "api/tables.h"
#include "text/lang.h"

/* How many different unknown members are looked out for; the answer's header has no room for more. */
enum { IGNORED_MAX = 32 };

struct submission_reader {
	struct drg_submission *s;
	struct drg_exchange *x;
	struct drg_arena *arena;
	struct drg_err *err;
	struct drg_element_ignored ignored_members;
	const struct drg_columns *columns;
	bool given[DRG_KIND_COUNT + 3]; /* by attribute */
	size_t cap; /* of the elements */
	struct {
		enum drg_kind kind;
		struct drg_str name; /* borrowed from body or arena */
	} ignored[IGNORED_MAX];
	size_t n_ignored;
};

/* ---- elements ------------------------------------------------------------------------------------------- */

static bool is_noted(const struct submission_reader *r, enum drg_kind kind, struct drg_str name)
{
	size_t i = 0;
	while (i < r->n_ignored && !(r->ignored[i].kind == kind && drg_str_eq(r->ignored[i].name, name)))
		i++;
	return i < r->n_ignored;
}

/* Told of each element's unknown members: names each once. */
static void submission_note_ignored(void *ctx, enum drg_kind kind, struct drg_str name)
{
	struct submission_reader *r = ctx;
	char path[128];
	if (r->n_ignored == IGNORED_MAX || is_noted(r, kind, name))
		return;
	r->ignored[r->n_ignored].kind = kind;
	r->ignored[r->n_ignored++].name = name;
	int n = snprintf(path, sizeof path, "%s.%.*s", drg_kind_name(kind), (int)(name.n < 64 ? name.n : 64),
	                 name.p);
	drg_exchange_ignored(r->x, drg_str(path, (size_t)n));
}

static struct drg_element *new_element(struct submission_reader *r)
{
	struct drg_registration *g = &r->s->reg;
	if (g->n == r->cap) {
		size_t cap = r->cap > 0 ? 2 * r->cap : 16;
		struct drg_element *more = drg_arena_alloc(r->arena, cap * sizeof *more);
		if (more == NULL)
			return NULL;
		if (g->n > 0)
			memcpy(more, g->elements, g->n * sizeof *more);
		g->elements = more;
		r->cap = cap;
	}
	return &g->elements[g->n++];
}

/* How many # a key begins with, if only digits follow. */
static size_t count_hashes(struct drg_str key)
{
	size_t hashes = 0, i;
	while (hashes < key.n && key.p[hashes] == '#')
		hashes++;
	for (i = hashes; i < key.n && key.p[i] >= '0' && key.p[i] <= '9'; i++) {
	}
	return i == key.n ? hashes : 0;
}

/* Elements without an id get "#POSITION", with one # more than any id of the kind that looks so (M6). */
static int make_keys(struct submission_reader *r, struct drg_element *elements, size_t n)
{
	size_t hashes = 0;
	for (size_t i = 0; i < n; i++) {
		size_t of_this = count_hashes(elements[i].key);
		hashes = of_this > hashes ? of_this : hashes;
	}
	for (size_t i = 0; i < n; i++) {
		char digits[DRG_I64_TEXT];
		if (elements[i].key.p != NULL)
			continue;
		size_t n_digits = drg_i64_text((int64_t)i, digits);
		char *key = drg_arena_alloc(r->arena, hashes + 1 + n_digits);
		if (key == NULL)
			return DRG_ENOMEM;
		memset(key, '#', hashes + 1);
		memcpy(key + hashes + 1, digits, n_digits);
		elements[i].key = drg_str(key, hashes + 1 + n_digits);
	}
	return DRG_OK;
}

static int read_elements(struct submission_reader *r, enum drg_kind kind, const struct drg_json_item *array)
{
	struct drg_submission *s = r->s;
	size_t max = (size_t)drg_app_of(r->x)->max_batch, n = 0;
	struct drg_json_walk w;
	struct drg_json_item item;
	int rc;
	s->kind[kind].given = true;
	s->kind[kind].first = s->reg.n;
	drg_json_walk_init(&w, array, r->arena);
	while ((rc = drg_json_walk_next(&w, NULL, &item)) == DRG_OK) {
		if (s->reg.n == max)
			return drg_fail(r->err, DRG_EINVAL, DRG_R(too_many_elements), drg_kind_name(kind),
			                "%s: expected at most %zu elements in a request, all kinds together, "
			                "found more",
			                drg_kind_name(kind), max);
		struct drg_element *e = new_element(r);
		if (e == NULL || drg_element_read(r->columns->elements, kind, &item, r->arena,
		                                  &r->ignored_members, e) != DRG_OK)
			return DRG_ENOMEM;
		n++;
	}
	s->kind[kind].n = n;
	if (rc != DRG_ENOENT)
		return DRG_ENOMEM;
	return n == 0 ? DRG_OK : make_keys(r, &s->reg.elements[s->kind[kind].first], n);
}

/* ---- attributes ----------------------------------------------------------------------------------------- */

static bool is_lang(const struct drg_json_item *v)
{
	return v->type == DRG_JSON_STRING && drg_lang_valid(v->s);
}

static int keep_lang(struct submission_reader *r, struct drg_str sent, struct drg_str *ret)
{
	char tag[DRG_LANG_MAX + 1];
	*ret = drg_arena_str(r->arena, drg_lang_normal(sent, tag));
	return ret->p != NULL ? DRG_OK : DRG_ENOMEM;
}

static int read_lang_code(struct submission_reader *r, const struct drg_json_item *v)
{
	if (!is_lang(v))
		return drg_body_bad_value(r->err, DRG_R(bad_language), "lang_code",
		                          "a language tag such as uk or pt-BR", v);
	r->s->lang_code = v->s;
	return keep_lang(r, v->s, &r->s->reg.lang);
}

/* As the parameter of that name, but that is always a text. */
static int submission_read_lang(struct submission_reader *r, const struct drg_json_item *v)
{
	if (is_lang(v))
		return keep_lang(r, v->s, &r->s->lang);
	if (v->type != DRG_JSON_STRING)
		return drg_body_bad_value(r->err, DRG_R(wrong_type), "lang",
		                          "a text, a language tag such as uk or pt-BR", v);
	drg_exchange_ignored(r->x, DRG_STR("lang"));
	return DRG_OK;
}

static int read_adapter_id(struct submission_reader *r, const struct drg_json_item *v)
{
	return drg_body_int(v, &r->s->reg.adapter)
	               ? DRG_OK
	               : drg_body_bad_value(r->err, DRG_R(bad_integer), "adapter_id", "an integer", v);
}

static int submission_read_attribute(struct submission_reader *r, struct drg_str name,
                                     const struct drg_json_item *v)
{
	size_t at = drg_body_find(r->columns->fields, name);
	const struct drg_body_field *f = &r->columns->fields[at];
	if (f->name == NULL) {
		drg_exchange_ignored(r->x, name);
		return DRG_OK;
	}
	if (v->type == DRG_JSON_NULL)
		return DRG_OK;
	assert(at < DRG_ARRAY_LEN(r->given));
	r->given[at] = true;
	switch (f->type) {
	case DRG_B_INT: return read_adapter_id(r, v);
	case DRG_B_LANG: return read_lang_code(r, v);
	case DRG_B_LANG_OR_NOT: return submission_read_lang(r, v);
	default: assert(f->type == DRG_B_ELEMENTS); break;
	}
	if (v->type != DRG_JSON_ARRAY)
		return drg_body_bad_value(r->err, DRG_R(bad_list), f->name, "an array of elements", v);
	return read_elements(r, drg_kind_by_name(name), v);
}

static int submission_read_body(struct submission_reader *r)
{
	struct drg_json_item v;
	struct drg_json_walk w;
	struct drg_str name;
	int rc = drg_body_object(r->x, &w);
	if (rc != DRG_OK)
		return rc;
	while ((rc = drg_json_walk_next(&w, &name, &v)) == DRG_OK) {
		rc = submission_read_attribute(r, name, &v);
		if (rc != DRG_OK)
			return rc;
	}
	return rc == DRG_ENOENT ? DRG_OK : DRG_ENOMEM;
}

static int submission_check_required(const struct submission_reader *r)
{
	const struct drg_body_field *f = r->columns->fields;
	for (size_t i = 0; f[i].name != NULL; i++)
		if (f[i].required && !r->given[i])
			return drg_fail(r->err, DRG_EINVAL, DRG_R(missing_field), f[i].name,
			                "%s is required: %s in the body", f[i].name,
			                drg_body_type_text(f[i].type));
	return DRG_OK;
}

static int keep_adapter(struct drg_reading *r, void *ctx)
{
	struct drg_submission *s = ctx;
	struct drg_arena *arena = drg_exchange_arena(r->x);
	s->reg.adds.per_day = drg_exchange_caller(r->x)->adds_per_day;
	s->reg.adds.key_id = drg_exchange_caller(r->x)->id;
	s->adapter = (struct drg_adapter){ .id = r->adapter->id,
		                           .code_esc = drg_arena_str(arena, r->adapter->code_esc),
		                           .name_esc = drg_arena_str(arena, r->adapter->name_esc) };
	return s->adapter.code_esc.p != NULL && s->adapter.name_esc.p != NULL ? DRG_OK : DRG_ENOMEM;
}

int drg_submission_read(struct drg_exchange *x, struct drg_submission **ret)
{
	struct submission_reader r = {
		.x = x,
		.arena = drg_exchange_arena(x),
		.err = drg_exchange_err(x),
		.columns = drg_columns_of(x),
	};
	r.ignored_members = (struct drg_element_ignored){ .note = submission_note_ignored, .ctx = &r };
	r.s = drg_arena_calloc(r.arena, 1, sizeof *r.s);
	if (r.s == NULL)
		return DRG_ENOMEM;
	r.s->x = x;
	r.s->lang = DRG_STR("en");
	int rc = submission_read_body(&r);
	if (rc == DRG_OK)
		rc = submission_check_required(&r);
	if (rc == DRG_OK)
		rc = drg_api_check_write(x, r.s->reg.adapter);
	if (rc == DRG_OK)
		rc = drg_reading_run_adapter(x, r.s->reg.adapter, keep_adapter, r.s);
	if (rc == DRG_OK)
		*ret = r.s;
	return rc;
}

/* ---- the same id twice ---------------------------------------------------------------------------------- */

/* By key, then by position. */
static int submission_by_key(const void *a, const void *b)
{
	const struct drg_element *x = *(struct drg_element *const *)a, *y = *(struct drg_element *const *)b;
	int order = drg_str_cmp(x->key, y->key);
	return order != 0 ? order : (x > y) - (x < y);
}

static int merge_sorted(struct drg_submission *s, struct drg_element **e, size_t n,
                        int (*differs)(struct drg_submission *s, struct drg_element *first))
{
	int rc = DRG_OK;
	for (size_t i = 0, next; i < n && rc == DRG_OK; i = next) {
		const struct drg_element *bad = e[i]->state == DRG_ELEMENT_REFUSED ? e[i] : NULL;
		bool same = true;
		for (next = i + 1; next < n && drg_str_eq(e[next]->key, e[i]->key); next++) {
			same = same && drg_element_same(e[i], e[next]);
			if (bad == NULL && e[next]->state == DRG_ELEMENT_REFUSED)
				bad = e[next];
			e[next]->state = DRG_ELEMENT_REPEATED;
		}
		if (!same && bad != NULL) /* of one key there is one answer: the error that explains it */
			rc = drg_element_refuse(e[i], drg_exchange_arena(s->x), bad->reason,
			                        "%s; none of the %s elements with this id was added",
			                        bad->message, drg_kind_name(bad->kind));
		else if (!same && differs != NULL)
			rc = differs(s, e[i]);
	}
	return rc;
}

int drg_submission_merge(struct drg_submission *s,
                         int (*differs)(struct drg_submission *s, struct drg_element *first))
{
	struct drg_element **sorted =
	        drg_arena_alloc(drg_exchange_arena(s->x), (s->reg.n + 1) * sizeof *sorted);
	int rc = sorted != NULL ? DRG_OK : DRG_ENOMEM;
	for (unsigned k = 0; k < DRG_KIND_COUNT && rc == DRG_OK; k++) {
		size_t n = s->kind[k].n;
		for (size_t i = 0; i < n; i++)
			sorted[i] = &s->reg.elements[s->kind[k].first + i];
		if (n > 1)
			qsort(sorted, n, sizeof *sorted, submission_by_key);
		rc = merge_sorted(s, sorted, n, differs);
	}
	return rc;
}

/* ---- registering ---------------------------------------------------------------------------------------- */

static int registered(struct drg_exchange *x)
{
	struct drg_submission *s = drg_exchange_data(x);
	int rc = drg_api_write_finish(&s->write);
	const bool refused = drg_reason_find(s->write.job.err.reason) == DRG_R(too_many_today);
	if (s->reg.adds.per_day > 0 && (refused || (rc == DRG_OK && !s->write.replayed)))
		drg_key_limits_adds(x, s->reg.adds.per_day, s->reg.adds.left, refused);
	return rc == DRG_OK ? s->then(x) : rc;
}

static size_t count_new(const struct drg_submission *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->reg.n; i++)
		n += s->reg.elements[i].state == DRG_ELEMENT_NEW;
	return n;
}

int drg_submission_register(struct drg_submission *s, bool all_count, drg_handler_fn *then)
{
	assert(then != NULL);
	const size_t n_new = count_new(s);
	s->reg.adds.n = (int64_t)(all_count ? s->reg.n : n_new);
	const bool counts = s->reg.adds.per_day > 0 && s->reg.adds.n > 0;
	drg_exchange_set_data(s->x, s);
	if (n_new == 0 && !counts && s->write.retry == NULL)
		return then(s->x);
	s->then = then;
	s->write.run = drg_registration_run;
	s->write.expect = drg_registration_prefetch;
	s->write.ctx = &s->reg;
	s->write.job.rows = s->reg.n;
	return drg_api_write(s->x, &s->write, registered);
}

/* ---- the answer ----------------------------------------------------------------------------------------- */

void drg_submission_begin(const struct drg_submission *s, struct drg_jw *w, struct drg_str language)
{
	drg_data_begin(w);
	drg_jw_object(w);
	drg_jw_member_str(w, "language", language);
	drg_jw_key(w, "adapter");
	drg_adapter_json(w, &s->adapter, "name");
}

void drg_submission_end(struct drg_jw *w)
{
	drg_jw_object_end(w);
	drg_data_end(w);
}
