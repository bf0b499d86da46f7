/* src/text/json_names.h
 * The member names of the objects that are open while a text is checked: does one stand twice? Names are
 * compared decoded. Their memory grows with the members of the open objects and is the same whatever they are
 * called. */
#pragma once
#include "base/compiler.h"
#include "base/hashtab.h"
#include "base/str.h"

struct drg_json_name;

/** All open objects, innermost last. {0} is empty. */
struct drg_json_names {
	struct drg_json_name *all;
	size_t n, cap;
	char *decoded[2]; /**< room for names with escapes */
	size_t room[2];
};

/** One open object. {0} and `first` = names.n begin it. */
struct drg_json_object {
	size_t first; /**< its names begin here */
	struct drg_hashtab table; /**< of places in `all`; empty while they are few */
};

/** Free everything. */
void drg_json_names_done(struct drg_json_names *all);

void drg_json_object_begin(const struct drg_json_names *all, struct drg_json_object *o);
/**
 * Add a name to the innermost object.
 * @param name     What stands between the quotes, checked; borrowed until the object ends.
 * @param escapes  Does it have any?
 * @return DRG_OK; DRG_EEXIST: the object has it; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_json_object_add(struct drg_json_names *all, struct drg_json_object *o, struct drg_str name,
                        bool escapes);
/** Forget it, the innermost one. */
void drg_json_object_end(struct drg_json_names *all, struct drg_json_object *o);
