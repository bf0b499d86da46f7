/* src/access/people.h
 * Adds and changes the people who may sign in (decisions E24 and E25). */
#pragma once
#include "access/first_link.h"
#include "store/txn_run.h"

/** Can the text be the name of a person: 1 to 64 characters of UTF-8, no control characters, no space at its
 * ends, and not the label of a key ("key 7")? @return DRG_OK or DRG_EINVAL. */
DRG_MUSTCHECK
int drg_person_name_check(struct drg_str name, struct drg_err *reterr);

/** A new person. */
struct drg_person_addition {
	struct drg_str name;
	enum drg_person_role role;
	struct drg_str by; /**< the person who adds this one, for the history; empty: not given */
	/** a result of drg_password_hash(), or `kept` of drg_link_make(); NULL: only a proxy can sign this
	 * person in */
	const char *hash;
	int64_t id; /**< the result: the id of the person */
};
/** Add a person. A drg_txn_fn; @p addition is a struct drg_person_addition. @return DRG_OK; DRG_EINVAL;
 * DRG_EEXIST: the name is taken, perhaps in other letter case. */
DRG_MUSTCHECK
int drg_person_add(void *addition, struct drg_txn *t, struct drg_err *reterr);

/** Changes of a person. Members that are not given do not change. */
struct drg_person_change {
	struct drg_str name; /**< the person to change */
	struct drg_str by; /**< the person who makes the change, for the history; empty: not given */
	int role; /**< enum drg_person_role; below 0: no change */
	int disabled; /**< 0 or 1; below 0: no change */
	const char *hash; /**< hash of a new password or link; NULL: no change */
	bool changed; /**< result: something has changed */
	int64_t id; /**< result: the id of the person */
	enum drg_person_role is; /**< result: the role */
	bool is_disabled; /**< result: is the person disabled? */
};
/** Is the person with this name an administrator, and not disabled? An action that needs this asks in its own
 * transaction, because the person may have been changed since they signed in.
 * @return DRG_OK; DRG_EAUTH, role_not_allowed: no; errors of the store. */
DRG_MUSTCHECK
int drg_person_check_admin(struct drg_txn *t, struct drg_str name, struct drg_err *reterr);
/** Change a person. A drg_txn_fn; @p change is a struct drg_person_change. If the person is disabled or
 * enabled, or gets a new password or link, all sessions of this person end.
 * @return DRG_OK; DRG_ENOENT: no person has this name. */
DRG_MUSTCHECK
int drg_person_set(void *change, struct drg_txn *t, struct drg_err *reterr);

/** A person chooses a password by a link. */
struct drg_person_choice {
	int64_t id;
	struct drg_str link; /**< the text of the link */
	const char *hash; /**< drg_password_hash() */
};
/** Store the password that the person has chosen; the link stops working. A drg_txn_fn; @p choice is a struct
 * drg_person_choice.
 * @return DRG_OK; DRG_EAUTH, sign_in_failed: there is no such link, it was used or is too old, or the person
 * is disabled. */
DRG_MUSTCHECK
int drg_person_redeem_link(void *choice, struct drg_txn *t, struct drg_err *reterr);
/** Fill @p reterr with the message for a link that does not work. @return DRG_EAUTH */
int drg_person_no_link(struct drg_err *reterr);

enum { DRG_FROM_MAX = 45 };

struct drg_person_failure {
	int64_t person;
	struct drg_str from; /**< the client's address; at most DRG_FROM_MAX bytes count */
};
/** Note in the history that an attempt to sign in was refused. A drg_txn_fn; @p failure is a
 * struct drg_person_failure. */
DRG_MUSTCHECK
int drg_person_failed(void *failure, struct drg_txn *t, struct drg_err *reterr);

/** Call @p fn with the record (DRG_TYPE_PERSON) of each person, ascending by id. */
DRG_MUSTCHECK
int drg_people_list(struct drg_store *s, drg_row_fn *fn, void *ctx, struct drg_err *reterr);
