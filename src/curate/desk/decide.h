/* src/curate/desk/decide.h
 * Decisions of a request (decisions C3 and C4): several at once, each for itself, each only where nothing was decided since its
 * maker looked. What they map is one batch (store/ledger.h). */
#pragma once
#include "curate/reference/merge.h"
#include "store/ledger.h"

/** What clients are told where somebody else has the right to import; who that is, and where, is not for them (decision E3). */
#define DRG_DECIDE_IMPORT_RUNNING "an import or undo is under way; try again"

/** The words of `drg_decide_words`, in this order. */
enum drg_decide_sort {
	DRG_DECIDE_MAP,
	DRG_DECIDE_CLEAR,
	DRG_DECIDE_NOT_SAME,
	DRG_DECIDE_NEW,
	DRG_DECIDE_UNDO,
	DRG_DECIDE_UNDO_NOT_SAME,
	DRG_DECIDE_MERGE,
	DRG_DECIDE_SPLIT,
	DRG_DECIDE_NAME,
	DRG_DECIDE_UNDO_NAME,
	DRG_DECIDE_SORTS
};
/** Is it about the reference, which all share, and not about a source? */
#define DRG_DECIDE_IS_SHARED(sort) ((sort) >= DRG_DECIDE_MERGE)
extern const char *const drg_decide_words[]; /**< NULL-terminated */

struct drg_decide_item {
	enum drg_decide_sort sort;
	enum drg_kind kind;
	int64_t adapter;
	struct drg_str id; /**< the source: adapter, kind, id; of what is about the reference not used */
	int64_t dict_id; /**< of MAP, NOT_SAME, UNDO_NOT_SAME; of MERGE and SPLIT the record that goes, or comes back; of NAME, UNDO_NAME */
	int64_t into; /**< of MERGE */
	struct drg_str lang; /**< of NAME, UNDO_NAME */
	struct drg_str name; /**< of NAME; empty: none */
	struct drg_str why; /**< empty: that of the request */
	bool has_version; /**< refused where the record has another version by now */
	int64_t version; /**< of the source (drg_decide_version()); of SPLIT the seq of the redirect, else of `dict_id` */
	bool has_into_version;
	int64_t into_version; /**< of MERGE: the seq of `into` */

	/* The result. */
	int rc; /**< DRG_OK; DRG_EEXIST: somebody decided meanwhile; else what the decision returned: nothing of it is stored */
	struct drg_err err;
	bool changed; /**< else it was so already */
	bool was_mapped, is_mapped; /**< of a source, before and after */
	int64_t was, is; /**< dict ids, where mapped */
	int64_t is_version; /**< of a source: that which it has now, also where it was refused for its version; of NAME, UNDO_NAME likewise */
	unsigned n_ranked; /**< of a source that is not mapped: candidates that are left */
	int64_t best; /**< the best of them */
	struct drg_merge_sums sums; /**< of MERGE, SPLIT */
};

struct drg_decide {
	struct drg_decide_item *v;
	size_t n;
	struct drg_str by, why; /**< empty: not said */
	int64_t after; /**< in and out: the number of a batch that is known to be there; 0: not known */
	int64_t *largest; /**< of NEW: what is remembered of ids (curate/propose/new_record.h); may be NULL */

	int64_t batch; /**< result: 0: nothing was mapped */
};

/**
 * A decision (struct drg_decide): all that can be done is done, in order; each sees those before it.
 * @return DRG_OK, be some refused or all; DRG_EINVAL: by or why is no text that can be kept; errors of the store.
 */
DRG_MUSTCHECK
int drg_decide_run(void *decide, struct drg_txn *t, struct drg_err *reterr);

/** The version of a source: the seq of its last change or of the last that was said that it is not. @return DRG_OK, DRG_ENOENT. */
DRG_MUSTCHECK
int drg_decide_version(struct drg_store *s, int64_t adapter, enum drg_kind kind, struct drg_str id,
                       struct drg_record *source, struct drg_arena *arena, int64_t *ret,
                       struct drg_err *reterr);
/** The seq of a dict record, or of the redirect in its place. @param ret_gone  It was merged away. @return DRG_OK, DRG_ENOENT. */
DRG_MUSTCHECK
int drg_decide_dict_version(struct drg_store *s, enum drg_kind kind, int64_t id, bool *ret_gone, int64_t *ret,
                            struct drg_err *reterr);
