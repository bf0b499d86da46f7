/* src/access/keys.h
 * API keys (decisions E6 and E11): random, shown once, stored only as a hash, revocable. access/key_check.h
 * finds the key of a request.
 *
 * A key is "drga_" or "drgb_" (its API) and 43 characters of base62, a secret likewise with "drgs_": 256
 * random bits each. With that much entropy a plain hash (BLAKE2b-256) is as good as a slow one. */
#pragma once
#include "store/txn_run.h"

/** "drga_" + 43 characters + NUL. */
#define DRG_KEY_TEXT 49

struct drg_key_spec {
	enum drg_api api;
	bool secret; /**< with a secret, for protected endpoints; API B only */
	struct drg_str name; /**< may be empty */
	const int64_t *adapters; /**< the key may write only these adapters, which must exist; none: all */
	size_t n_adapters;
	/** the key may read only these adapters, among them all that it may write; none: all */
	const int64_t *reads;
	size_t n_reads;
	struct drg_str expires; /**< "2027-01-31" (end of that day, UTC) or an RFC 3339 time; empty: never */
	int role; /**< enum drg_key_role; below 0: a registrar if it has a secret, else a reader */
	struct drg_str note; /**< may be empty */
	int64_t requests_per_second, adds_per_day; /**< decision E30; 0: no limit */
	bool text_ids; /**< every orig_id of sourceData is a text (M47); API B only */
};

/** The texts of a new key, which are shown once. */
struct drg_key_made {
	int64_t id;
	char key[DRG_KEY_TEXT];
	char secret[DRG_KEY_TEXT]; /**< "": the key has none */
};

/** Make a random text of a key, without storing it. @return DRG_OK; DRG_EINTERNAL: no source of random
 * bytes. */
DRG_MUSTCHECK
int drg_keys_generate(enum drg_api api, char text[static DRG_KEY_TEXT], struct drg_err *reterr);

struct drg_key_creation {
	struct drg_key_spec spec;
	struct drg_str by; /**< the person or key that does it, for the history; empty: not given */
	struct drg_key_made made; /**< the result */
};

/** Create a key. A drg_txn_fn; @p creation is a struct drg_key_creation. @return DRG_OK; DRG_EINVAL: the err
 * names the option at fault; errors of the store. */
DRG_MUSTCHECK
int drg_keys_create(void *creation, struct drg_txn *t, struct drg_err *reterr);

/** Call @p fn with the record (DRG_TYPE_API_KEY) of every key, revoked ones included, ascending by id. */
DRG_MUSTCHECK
int drg_keys_list(struct drg_store *s, drg_row_fn *fn, void *ctx, struct drg_err *reterr);

/** Changes of a key that works. Settings that are not given do not change. */
struct drg_key_setting {
	int64_t id;
	struct drg_key_spec spec; /**< api and secret are not read */
	struct drg_str by; /**< the person or key that does it, for the history; empty: not given */
	/** true: the setting is given. An empty text or an empty list of adapters then removes the setting */
	bool name, note, role, adapters, reads, expires, requests_per_second, adds_per_day, text_ids;
};

/** Change a key. A drg_txn_fn; @p setting is a struct drg_key_setting. @return DRG_OK; DRG_EINVAL: the err
 * names the option; DRG_ENOENT, DRG_EEXIST as drg_keys_revoke(). */
DRG_MUSTCHECK
int drg_keys_set(void *setting, struct drg_txn *t, struct drg_err *reterr);

struct drg_key_change {
	int64_t id;
	struct drg_str by; /**< the person or key that does it, for the history; empty: not given */
	int64_t overlap_us; /**< of drg_keys_rotate(): the old key and secret go on working for this time */
	bool force; /**< of drg_keys_rotate(): end an older pair whose overlap is still running */
	struct drg_key_made made; /**< the result of drg_keys_rotate() */
};

/** Revoke a key: it stops working. A drg_txn_fn; @p change is a struct drg_key_change. @return DRG_OK;
 * DRG_ENOENT: no such key; DRG_EEXIST: it was revoked already; errors of the store. */
DRG_MUSTCHECK
int drg_keys_revoke(void *change, struct drg_txn *t, struct drg_err *reterr);

/** Give a key a new text, and a new secret if it had one; id, name and rights stay. The previous text and
 * secret stop working at once, or after the overlap. The pair before them, if its overlap is still running,
 * ends only with @p force. A drg_txn_fn with the same argument and results as drg_keys_revoke(); DRG_EEXIST
 * also: an overlap is running, and @p force is not set. */
DRG_MUSTCHECK
int drg_keys_rotate(void *change, struct drg_txn *t, struct drg_err *reterr);
