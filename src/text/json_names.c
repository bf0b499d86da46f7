#include "text/json_names.h"

#include <assert.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/hash.h"
#include "text/json_priv.h"

/* So many names are compared one by one; an object with more gets a table. */
enum { FEW = 16 };

struct drg_json_name {
	const char *p;
	uint32_t n : 31, escapes : 1;
	uint32_t tag;
};

void drg_json_names_done(struct drg_json_names *all)
{
	free(all->all);
	free(all->decoded[0]);
	free(all->decoded[1]);
	*all = (struct drg_json_names){ 0 };
}

/* ---- names ---------------------------------------------------------------------------------------------- */

/* @param which  Two names can be decoded at the same time. */
static int names_decode(struct drg_json_names *all, unsigned which, struct drg_str *name)
{
	assert(which < DRG_ARRAY_LEN(all->decoded));
	if (all->room[which] < name->n) {
		free(all->decoded[which]);
		all->decoded[which] = malloc(name->n);
		all->room[which] = all->decoded[which] != NULL ? name->n : 0;
		if (all->decoded[which] == NULL)
			return DRG_ENOMEM;
	}
	*name = drg_str(all->decoded[which], drg_json_decode(*name, all->decoded[which]));
	return DRG_OK;
}

/* @p name is decoded. @return DRG_OK: they differ; DRG_EEXIST: they are the same; DRG_ENOMEM. */
static int names_compare(struct drg_json_names *all, const struct drg_json_name *other, struct drg_str name)
{
	struct drg_str text = drg_str(other->p, other->n);
	int rc = other->escapes ? names_decode(all, 1, &text) : DRG_OK;
	return rc == DRG_OK && drg_str_eq(text, name) ? DRG_EEXIST : rc;
}

static int names_push(struct drg_json_names *all, struct drg_json_name name)
{
	if (all->n == all->cap) {
		size_t cap = all->cap > 0 ? 2 * all->cap : 64;
		struct drg_json_name *more = reallocarray(all->all, cap, sizeof *more);
		if (more == NULL)
			return DRG_ENOMEM;
		all->all = more;
		all->cap = cap;
	}
	all->all[all->n++] = name;
	return DRG_OK;
}

/* ---- one object ----------------------------------------------------------------------------------------- */

void drg_json_object_begin(const struct drg_json_names *all, struct drg_json_object *o)
{
	*o = (struct drg_json_object){ .first = all->n };
}

void drg_json_object_end(struct drg_json_names *all, struct drg_json_object *o)
{
	assert(o->first <= all->n);
	drg_hashtab_done(&o->table);
	all->n = o->first;
}

static uint64_t object_hash(uint32_t tag)
{
	return (uint64_t)tag << 32;
}

/* Put the names that the table of an object lacks into it. */
static bool object_index(const struct drg_json_names *all, struct drg_json_object *o)
{
	size_t n = all->n - o->first;
	if (n < FEW)
		return true;
	if (!drg_hashtab_reserve(&o->table, n - o->table.n))
		return false;
	for (size_t i = o->first + o->table.n; i < all->n; i++)
		drg_hashtab_add(&o->table, object_hash(all->all[i].tag), (uint32_t)i);
	return true;
}

static int object_search(struct drg_json_names *all, const struct drg_json_object *o, uint32_t tag,
                         struct drg_str name)
{
	const struct drg_json_name *v = all->all;
	uint32_t i;
	size_t at;
	int rc = DRG_OK;
	for (size_t k = o->first; o->table.n == 0 && k < all->n && rc == DRG_OK; k++)
		if (v[k].tag == tag)
			rc = names_compare(all, &v[k], name);
	if (o->table.n > 0)
		DRG_HASHTAB_FIND(i, &o->table, object_hash(tag), at,
		                 (rc = names_compare(all, &v[i], name)) != DRG_OK);
	return rc;
}

int drg_json_object_add(struct drg_json_names *all, struct drg_json_object *o, struct drg_str name,
                        bool escapes)
{
	struct drg_json_name added = { .p = name.p, .n = (uint32_t)name.n & INT32_MAX, .escapes = escapes };
	if (name.n > INT32_MAX || all->n >= UINT32_MAX)
		return DRG_ENOMEM;
	int rc = escapes ? names_decode(all, 0, &name) : DRG_OK;
	if (rc != DRG_OK)
		return rc;
	added.tag = (uint32_t)drg_hash(name.p, name.n, 0);
	assert(o->first <= all->n && all->n <= all->cap);
	rc = object_search(all, o, added.tag, name);
	if (rc == DRG_OK)
		rc = names_push(all, added);
	return rc == DRG_OK && !object_index(all, o) ? DRG_ENOMEM : rc;
}
