#include "access/people.h"

#include <stdio.h>

#include "base/clock.h"
#include "model/key.h"
#include "model/value.h"
#include "store/access_events.h"
#include "store/fetch.h"

int drg_person_name_check(struct drg_str name, struct drg_err *reterr)
{
	bool ok = drg_field_check_text(DRG_TYPE_PERSON, DRG_F_NAME, name, NULL) == DRG_OK &&
	          drg_str_trim(name).n == name.n;
	if (ok && name.n >= 4 && drg_str_eq_nocase(drg_str(name.p, 4), DRG_STR("key ")))
		ok = false; /* the history calls the decisions of a key "key 7" */
	return ok ? DRG_OK
	          : drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_text), "name",
	                     "name: expected 1 to %d characters, without control characters or spaces "
	                     "at its ends, and not beginning with \"key \"",
	                     DRG_CHARS_PERSON);
}

int drg_people_list(struct drg_store *s, drg_row_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter people = { .type = &drg_types[DRG_TYPE_PERSON] };
	return drg_rows_each(drg_rows_scan(&rows, s, &people, reterr), fn, ctx);
}

struct people_look {
	struct drg_str name;
	int64_t highest, found; /* found: the id of the person; 0: none */
	bool administers; /* the person found is an administrator */
};

static int people_look_for(struct drg_store *s, struct people_look *look, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter all = { .type = &drg_types[DRG_TYPE_PERSON], .tombstones = true };
	for (drg_rows_scan(&rows, s, &all, reterr); drg_rows_next(&rows);) {
		const struct drg_record *r = &rows.row.r;
		look->highest = r->v[DRG_F_ID].i > look->highest ? r->v[DRG_F_ID].i : look->highest;
		if (r->deleted || !drg_str_eq_nocase(drg_record_s(r, DRG_F_NAME), look->name))
			continue;
		look->found = r->v[DRG_F_ID].i;
		look->administers = drg_record_i(r, DRG_F_DISABLED, 0) == 0 &&
		                    drg_record_i(r, DRG_F_PERSON_ROLE, DRG_PERSON_VIEWER) == DRG_PERSON_ADMIN;
	}
	return drg_rows_end(&rows);
}

static int person_put(struct drg_txn *t, const struct drg_record *r, struct drg_err *reterr)
{
	enum drg_put_result what;
	return drg_txn_put(t, r, &what, reterr);
}

int drg_person_check_admin(struct drg_txn *t, struct drg_str name, struct drg_err *reterr)
{
	struct people_look look = { .name = name };
	int rc = people_look_for(drg_txn_store(t), &look, reterr);
	if (rc != DRG_OK || look.administers)
		return rc;
	return drg_fail(reterr, DRG_EAUTH, DRG_R(role_not_allowed), NULL,
	                "\"%.*s\" is no longer an administrator", DRG_STR_ARG(name));
}

int drg_person_failed(void *failure, struct drg_txn *t, struct drg_err *reterr)
{
	const struct drg_person_failure *f = failure;
	char detail[sizeof "from " + DRG_FROM_MAX];
	snprintf(detail, sizeof detail, "from %.*s", DRG_STR_ARG(f->from));
	return drg_txn_access_note(t, DRG_ACCESS_PERSON, f->person, "failed", DRG_STR(""), drg_str_c(detail),
	                           reterr);
}

int drg_person_add(void *addition, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_person_addition *a = addition;
	struct people_look look = { .name = a->name };
	struct drg_record r;
	char now[DRG_WALL_TEXT];
	int rc = drg_person_name_check(a->name, reterr);
	if (rc == DRG_OK)
		rc = people_look_for(drg_txn_store(t), &look, reterr);
	if (rc == DRG_OK && look.found != 0)
		rc = drg_fail(reterr, DRG_EEXIST, DRG_R(user_exists), "name",
		              "there is a user \"%.*s\" already", DRG_STR_ARG(a->name));
	if (rc != DRG_OK)
		return rc;
	drg_key_person(&r, look.highest + 1);
	drg_record_set_s(&r, DRG_F_NAME, a->name);
	drg_record_set_i(&r, DRG_F_PERSON_ROLE, a->role);
	if (a->hash != NULL)
		drg_record_set_s(&r, DRG_F_PASSWORD, drg_str_c(a->hash));
	drg_record_set_i(&r, DRG_F_GENERATION, 0);
	drg_record_set_i(&r, DRG_F_DISABLED, 0);
	drg_wall_text(drg_wall_us(), now);
	drg_record_set_s(&r, DRG_F_ADDED, drg_str_c(now));
	rc = person_put(t, &r, reterr);
	if (rc == DRG_OK)
		rc = drg_txn_access_note(t, DRG_ACCESS_PERSON, look.highest + 1, "created", a->by,
		                         drg_str_c(drg_person_role_words[a->role]), reterr);
	if (rc == DRG_OK)
		a->id = look.highest + 1;
	return rc;
}

/* The members of a person's record that a change has changed. */
struct person_changed {
	bool role, disabled, password;
};

static struct person_changed person_apply(const struct drg_person_change *c, struct drg_record *r)
{
	bool role = c->role >= 0 && c->role != drg_record_i(r, DRG_F_PERSON_ROLE, 0);
	bool disabled = c->disabled >= 0 && c->disabled != drg_record_i(r, DRG_F_DISABLED, 0);
	if (role)
		drg_record_set_i(r, DRG_F_PERSON_ROLE, c->role);
	if (disabled)
		drg_record_set_i(r, DRG_F_DISABLED, c->disabled);
	if (c->hash != NULL)
		drg_record_set_s(r, DRG_F_PASSWORD, drg_str_c(c->hash));
	if (disabled || c->hash != NULL)
		drg_record_set_i(r, DRG_F_GENERATION, drg_record_i(r, DRG_F_GENERATION, 0) + 1);
	return (struct person_changed){ role, disabled, c->hash != NULL };
}

static int person_note_change(const struct drg_person_change *c, struct person_changed is, int64_t id,
                              struct drg_txn *t, struct drg_err *reterr)
{
	const char *what = !is.disabled ? "changed" : c->disabled ? "disabled" : "enabled";
	bool link = is.password && drg_link_until(drg_str_c(c->hash)) != 0;
	const char *detail = link          ? "link"
	                     : is.password ? "password"
	                     : is.role     ? drg_person_role_words[c->role]
	                                   : "";
	return drg_txn_access_note(t, DRG_ACCESS_PERSON, id, what, c->by, drg_str_c(detail), reterr);
}

int drg_person_set(void *change, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_person_change *c = change;
	struct people_look look = { .name = c->name };
	struct drg_arena arena;
	struct drg_record key, r;
	bool changed = false;
	int rc = people_look_for(drg_txn_store(t), &look, reterr);
	if (rc == DRG_OK && look.found == 0)
		rc = drg_fail(reterr, DRG_ENOENT, DRG_R(unknown_user), "name",
		              "there is no user \"%.*s\"; 'dragoman user list' shows them",
		              DRG_STR_ARG(c->name));
	if (rc != DRG_OK)
		return rc;
	drg_arena_init(&arena, 1 << 20);
	drg_key_person(&key, look.found);
	rc = drg_fetch(drg_txn_store(t), &key, &arena, &r, reterr);
	if (rc == DRG_OK) {
		const struct person_changed is = person_apply(c, &r);
		changed = is.role || is.disabled || is.password;
		rc = changed ? person_put(t, &r, reterr) : DRG_OK;
		if (rc == DRG_OK && changed)
			rc = person_note_change(c, is, look.found, t, reterr);
	}
	if (rc == DRG_OK) {
		c->changed = changed;
		c->id = look.found;
		c->is = (enum drg_person_role)drg_record_i(&r, DRG_F_PERSON_ROLE, DRG_PERSON_VIEWER);
		c->is_disabled = drg_record_i(&r, DRG_F_DISABLED, 0) != 0;
	}
	drg_arena_done(&arena);
	return rc;
}

int drg_person_no_link(struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_EAUTH, DRG_R(sign_in_failed), NULL,
	                "this link was used, or is too old: ask an administrator for a new one");
}

int drg_person_redeem_link(void *choice, struct drg_txn *t, struct drg_err *reterr)
{
	const struct drg_person_choice *c = choice;
	struct drg_person_change change = { .role = -1, .disabled = -1, .hash = c->hash };
	struct drg_arena arena;
	struct drg_record key, r;
	drg_arena_init(&arena, 1 << 20);
	drg_key_person(&key, c->id);
	int rc = drg_fetch(drg_txn_store(t), &key, &arena, &r, reterr);
	bool good = rc == DRG_OK && drg_record_i(&r, DRG_F_DISABLED, 0) == 0 &&
	            drg_link_is_valid(drg_record_s(&r, DRG_F_PASSWORD), c->link, drg_wall_us());
	if (rc == DRG_ENOENT || (rc == DRG_OK && !good))
		rc = drg_person_no_link(reterr);
	if (rc == DRG_OK) {
		change.by = drg_record_s(&r, DRG_F_NAME);
		(void)person_apply(&change, &r);
		rc = person_put(t, &r, reterr);
	}
	if (rc == DRG_OK)
		rc = person_note_change(&change, (struct person_changed){ .password = true }, c->id, t,
		                        reterr);
	drg_arena_done(&arena);
	return rc;
}
