/* src/curate/reference/dict_name.h
 * Decisions about the name of a record of the reference in one language (decision M41): set, remove, take back. Each is kept as
 * a dict_event in the same transaction; one that would change nothing is none. Whoever refuses has written nothing. */
#pragma once
#include "store/txn_run.h"

struct drg_dict_naming {
	enum drg_kind kind;
	int64_t id; /**< alive */
	struct drg_str lang; /**< in any letter case (decision L1) */
	struct drg_str name; /**< of drg_dict_name(); empty: it has none in this language */
	struct drg_str by, why; /**< empty: not said */
	struct drg_arena *arena; /**< holds the texts of the result */

	/* The result. */
	bool changed;
	struct drg_str was, is; /**< empty: none in this language */
};

/**
 * A decision (struct drg_dict_naming). The name is checked as that of an import.
 * @return DRG_OK; DRG_ENOENT: no such dict record; DRG_EINVAL: it was merged into another, the language is no language tag, the name
 *         cannot be one, it would be without any name, or by or why is no text that can be kept; errors of the store.
 */
DRG_MUSTCHECK
int drg_dict_name(void *naming, struct drg_txn *t, struct drg_err *reterr);

/**
 * Likewise: take the last decision about its name in this language back. That is a decision too, so a second one takes the first
 * one back.
 * @return also DRG_ENOENT: there was no decision; DRG_EINVAL: the name was changed without a decision since, as by an import.
 */
DRG_MUSTCHECK
int drg_dict_name_undo(void *naming, struct drg_txn *t, struct drg_err *reterr);
