/* src/curate/verb.h
 * The functions behind the rows of `drg_verbs` (curate/decision.h), and what they are given. The runner has checked texts and
 * versions, has taken the right to import where the row wants it, and has fetched the source. A verb checks the rest before it writes
 * anything, writes by drg_verb_put(), and fills in what it changes of `is`, where is_mapped and is are as was_mapped and was yet. */
#pragma once
#include "curate/decision.h"
#include "curate/history.h"

struct drg_verb_run {
	struct drg_txn *txn;
	struct drg_store *s; /**< of the transaction */
	struct drg_ledger *ledger;
	struct drg_str why; /**< of this decision: its own, or that of the ledger */
	struct drg_arena arena; /**< of this decision */
	struct drg_record source; /**< of a decision about one: as it is stored */
	enum drg_how how; /**< of the mapping events of this decision */
};

/** Store a record, and keep in the batch what was. */
DRG_MUSTCHECK
int drg_verb_put(struct drg_verb_run *x, const struct drg_record *r, struct drg_err *reterr);

/** Map the source to @p dict_id or to what that was merged into; NULL: to nothing. Sets all of `is` that is about a mapping. */
DRG_MUSTCHECK
int drg_verb_map_to(struct drg_verb_run *x, struct drg_decision *d, const int64_t *dict_id,
                    struct drg_err *reterr);

#define DRG_VERB_FN(name)                                                                                    \
	DRG_MUSTCHECK int name(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)

/** curate/mapping.c. DRG_ENOENT: no such dict record. */
DRG_VERB_FN(drg_verb_map);
DRG_VERB_FN(drg_verb_clear);
/** The last decision is taken back. DRG_ENOENT: there was none; DRG_EINVAL: the last event is of a merge or split, or the mapping was
 * changed without a decision since (by an import). */
DRG_VERB_FN(drg_verb_undo);

/** curate/apart.c: they are not the same. Where the source is mapped to it, that mapping goes; and that taken back: a mapping that
 * went with it does not come back. */
DRG_VERB_FN(drg_verb_not_same);
DRG_VERB_FN(drg_verb_undo_not_same);

/** curate/propose/new_record.c: of what the source says. DRG_EINVAL: what the record would have to refer to is not known, or this
 * kind cannot be made. */
DRG_VERB_FN(drg_verb_new);

/** curate/learn/audit.c: an event `audit` (decision M39). What is wrong is mapped no more, or to something else, and remembered as
 * not the same (decision M33). DRG_EINVAL: the mapping is not the matcher's, or not this one, by now. */
DRG_VERB_FN(drg_verb_right);
DRG_VERB_FN(drg_verb_wrong);

/** curate/reference/dict_name.c: the name is checked as that of an import. DRG_ENOENT: no such dict record; DRG_EINVAL: it was merged
 * into another, the language is no language tag, the name cannot be one, or it would be without any name. Taken back is the last
 * decision about its name in this language. DRG_ENOENT also: there was none; DRG_EINVAL also: the name was changed without a decision
 * since, as by an import. */
DRG_VERB_FN(drg_verb_name);
DRG_VERB_FN(drg_verb_undo_name);

/**
 * curate/reference/merge.c: what refers to FROM (`dict_id`) is moved to INTO, FROM is removed, and a redirect takes its place. DRG_EINVAL:
 * they are the same, or INTO was merged into FROM; DRG_ELIMIT: more refers to FROM than a redirect can remember.
 * curate/reference/merge_split.c: FROM comes back with its fields. What the merge moved goes back, unless it was changed since: a source
 * by a decision, anything else by now having another value. DRG_EINVAL: the redirect came without its undo; what FROM refers to is gone;
 * a value that must be unique is another's now.
 */
DRG_VERB_FN(drg_verb_merge);
DRG_VERB_FN(drg_verb_split);

/** curate/air_map.c: an identifier means a place, and the reports about it are forgotten; or it means nothing. DRG_ENOENT: no such adapter or
 * place, or it means nothing; DRG_EINVAL: the adapter is not for air, or external_id is no text that can be an identifier; DRG_EEXIST,
 * changed_since: it is not mapped as was seen. */
DRG_VERB_FN(drg_verb_place);
DRG_VERB_FN(drg_verb_no_place);
