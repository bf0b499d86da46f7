/* src/decide/supplier.h
 * Decisions about suppliers: a new supplier, and the profile of its files. */
#pragma once
#include "store/txn_run.h"

struct drg_supplier_new {
	int64_t id; /**< 0: the next free one; result: its number */
	struct drg_str code, name;
	enum drg_domain domain;
	enum drg_stage stage;
};

/** Add a supplier. A drg_txn_fn; @p ctx is a struct drg_supplier_new. @return DRG_OK; DRG_EEXIST: id or code
 * are taken; DRG_EINVAL: code or name are not fit (an import takes any text as a code); errors of the store. */
DRG_MUSTCHECK
int drg_supplier_add(void *ctx, struct drg_txn *t, struct drg_err *reterr);

struct drg_profile_decision {
	int64_t adapter;
	enum drg_kind kind;
	struct drg_str data; /**< the profile; empty: remove it */
	bool changed; /**< the result */
};

/** Store or remove the profile of a supplier. A drg_txn_fn; @p ctx is a struct drg_profile_decision.
 * @return DRG_OK; DRG_ENOENT: no such adapter; errors of the store. */
DRG_MUSTCHECK
int drg_supplier_profile(void *ctx, struct drg_txn *t, struct drg_err *reterr);
