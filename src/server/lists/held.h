/* src/server/lists/held.h
 * A reference list as requests hold it: its body, and the body in other codings. Each is a block that later
 * versions of the same list share. It is freed when its last holder releases it. */
#pragma once
#include <stdatomic.h>

#include "server/lists/lists.h"

struct drg_held_list {
	struct drg_list list; /**< first: requests get a pointer to it */
	_Atomic unsigned holders;
	size_t bytes;
	void (*detach)(void *attached); /**< NULL: nothing is attached */
	/** the memory of list.body; NULL: not in this coding */
	struct drg_list_block *block[DRG_CODING_COUNT];
};

/**
 * Make a list of @p body, in no other coding, with one holder; drg_list_release() it.
 * @return DRG_OK or DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_held_list_new(struct drg_str body, struct drg_held_list **ret, struct drg_err *reterr);

/** Make the same list for another version of the data, with one holder and nothing attached. NULL: out of
 * memory. */
struct drg_held_list *drg_held_list_clone(const struct drg_held_list *h,
                                          const struct drg_data_version *version);

/**
 * Compress the list in a coding that it lacks and that pays, before any other thread holds it.
 * @param p     How it is compressed.
 * @param work  Overwritten; kept by the caller between lists.
 * @return DRG_OK, DRG_ENOMEM, or errors of drg_packer_compress().
 */
DRG_MUSTCHECK
int drg_held_list_compress(struct drg_held_list *h, enum drg_coding c, struct drg_packer *p,
                           struct drg_buf *work, struct drg_err *reterr);

/** Add a holder. The caller holds it already, or keeps others from releasing it. */
void drg_list_hold(struct drg_held_list *h);

/** Write the ETag of a body to @p buf (DRG_LIST_ETAG bytes). */
void drg_list_etag(struct drg_str body, char *buf);
