/* src/matching/propose/accept.h
 * Makes the records of proposals, as one batch (decision M40). */
#pragma once
#include "decide/ledger.h"
#include "matching/propose/propose.h"

/** A record that waits to be made. */
struct drg_new_end {
	size_t end; /**< the end of its sources among those that wait */
	int64_t number; /**< for people */
};

/** A record that is made, or would be. */
struct drg_new_made {
	int64_t number; /**< of its cluster, for people */
	struct drg_str name, city, country; /**< main names; empty: none */
	size_t n; /**< how many suppliers' records it joins */
};

struct drg_new_accept {
	struct drg_str by, why; /**< empty: not said */
	bool dry_run; /**< make it, and roll it back at once */
	/** Called for each record that is made, borrowed for the call. May be NULL. */
	void (*makes)(void *ctx, const struct drg_new_made *made);
	/** Called for each record that is refused, with the reason. @param where  "cluster 3". May be
	 * NULL. */
	void (*refused)(void *ctx, const char *where, const char *why);
	void *ctx;

	/* The result. */
	uint64_t made, mapped, n_refused;
	uint64_t same; /**< proposals whose record was made before */
	struct drg_ledger ledger; /**< the batch; its state is valid until the end */

	/* private */
	struct drg_store *s;
	bool locked; /**< it holds the right to import */
	int64_t largest[DRG_KIND_COUNT];
	struct drg_buf waiting; /**< struct drg_mapping_source */
	struct drg_buf ends; /**< struct drg_new_end, one for each cluster */
	struct drg_arena texts;
	int64_t proposed; /**< records added so far */
	struct drg_err *err;
};

/** Begin; holds the right to import until drg_new_accept_end(), which is called in any case. @return DRG_OK;
 * DRG_EBUSY: an import runs. */
DRG_MUSTCHECK
int drg_new_accept_begin(struct drg_new_accept *a, struct drg_store *s, const char *files,
                         struct drg_err *reterr);
/** Add a record to be made, now or later; the sources are copied. @param number  For messages. @return DRG_OK,
 * also if it is refused; errors of the store. */
DRG_MUSTCHECK
int drg_new_accept_add(struct drg_new_accept *a, const struct drg_mapping_source *sources, size_t n,
                       int64_t number);
/** Make the waiting records. @param rc  The result so far. @return @p rc, or errors of the store. */
DRG_MUSTCHECK
int drg_new_accept_end(struct drg_new_accept *a, int rc);

/** Make the records of all proposals. @return DRG_OK, also if some were refused; DRG_EBUSY: an import runs; as
 * drg_propose(). */
DRG_MUSTCHECK
int drg_new_accept_all(struct drg_store *s, struct drg_proposing *p, struct drg_new_accept *a,
                       struct drg_err *reterr);
