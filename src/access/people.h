/* src/access/people.h
 * People who may sign in (decisions E24 and E25): adding and changing them. */
#pragma once
#include "access/first_link.h"
#include "store/txn_run.h"

enum { DRG_PERSON_NAME_MAX = 64 };

/** Is it fit to sign in with: 1 to 64 characters of UTF-8, no control characters, no space at its ends, and
 * not the label of a key ("key 7")? @return DRG_OK or DRG_EINVAL. */
DRG_MUSTCHECK
int drg_person_name_check(struct drg_str name, struct drg_err *reterr);

/** Somebody new. */
struct drg_person_addition {
	struct drg_str name;
	enum drg_person_role role;
	struct drg_str by; /**< who adds them, for the history; empty: not said */
	/** drg_password_hash(), or what drg_link_make() keeps; NULL: only a proxy can sign them in. */
	const char *hash;
	int64_t id; /**< the result */
};
/** Of a transaction (struct drg_person_addition). @return DRG_OK; DRG_EINVAL; DRG_EEXIST: the name is taken,
 * in other letters too. */
DRG_MUSTCHECK
int drg_person_add(void *addition, struct drg_txn *t, struct drg_err *reterr);

/** What is changed of somebody. What is not said stays. */
struct drg_person_change {
	struct drg_str name; /**< who */
	struct drg_str by; /**< who changes it, for the history; empty: not said */
	int role; /**< enum drg_person_role; below 0: stays */
	int disabled; /**< 0 or 1; below 0: stays */
	const char *hash; /**< of a new password, or link; NULL: stays */
	bool changed; /**< the result: something is not as before */
	int64_t id; /**< likewise */
	enum drg_person_role is; /**< likewise: the role */
	bool is_disabled; /**< likewise */
};
/** Is somebody of this name an administrator, and not disabled? It is asked in the transaction of what they do:
 * another may have changed it since they signed in.
 * @return DRG_OK; DRG_EAUTH, role_not_allowed: no; errors of the store. */
DRG_MUSTCHECK
int drg_person_administers(struct drg_txn *t, struct drg_str name, struct drg_err *reterr);
/** Of a transaction (struct drg_person_change). A new password, and whoever is disabled: all their sessions
 * are over.
 * @return DRG_OK; DRG_ENOENT: there is nobody of this name. */
DRG_MUSTCHECK
int drg_person_set(void *change, struct drg_txn *t, struct drg_err *reterr);

/** Somebody chooses a password by their link. */
struct drg_person_choice {
	int64_t id;
	struct drg_str link; /**< the text of it */
	const char *hash; /**< drg_password_hash() */
};
/** Of a transaction (struct drg_person_choice): it is their password from now on, and the link is over.
 * @return DRG_OK; DRG_EAUTH, sign_in_failed: there is no such link, it was used or is too old, or they are
 * disabled. */
DRG_MUSTCHECK
int drg_person_choose(void *choice, struct drg_txn *t, struct drg_err *reterr);
/** Fill @p reterr with what who comes with such a link is told. @return DRG_EAUTH */
int drg_person_no_link(struct drg_err *reterr);

/** Of a transaction (int64_t, the person): an attempt to sign in was refused, which the history has from now
 * on. */
DRG_MUSTCHECK
int drg_person_failed(void *failure, struct drg_txn *t, struct drg_err *reterr);

/** Calls @p fn with the record (DRG_TYPE_PERSON) of each, ascending by id. */
DRG_MUSTCHECK
int drg_people_list(struct drg_store *s, drg_row_fn *fn, void *ctx, struct drg_err *reterr);
