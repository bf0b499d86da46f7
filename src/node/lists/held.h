/* src/node/lists/held.h
 * A reference list as it is handed out: its body in every coding in one block, which it shares with the same list of later
 * versions of the data. Freed when the last one who holds it lets go. */
#pragma once
#include <stdatomic.h>

#include "node/lists/lists.h"

struct drg_held_list {
	struct drg_list list; /**< first: it is what is handed out */
	_Atomic unsigned holders;
	size_t bytes;
	void (*detach)(void *attached); /**< NULL: nothing is attached */
	struct drg_list_bodies *bodies;
};

/**
 * A list of @p body, with one holder: drg_list_release() it.
 * @param work  Overwritten; kept by the caller between lists.
 * @return DRG_OK, DRG_ENOMEM, or what drg_compress() says.
 */
DRG_MUSTCHECK
int drg_held_list_new(struct drg_str body, struct drg_buf *work, struct drg_held_list **ret,
                      struct drg_err *reterr);

/** The same list in another version of the data, with one holder and nothing attached. NULL: out of memory. */
struct drg_held_list *drg_held_list_again(const struct drg_held_list *h,
                                          const struct drg_data_version *version);

/** One holder more. To be called by one who holds it, or keeps others from releasing it meanwhile. */
void drg_list_hold(struct drg_held_list *h);

/** The ETag of a body, into @p buf (DRG_LIST_ETAG bytes). */
void drg_list_etag(struct drg_str body, char *buf);
