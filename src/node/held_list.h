/* src/node/held_list.h
 * A reference list as it is handed out: its body in every coding in one block, freed when the last one who holds it
 * lets go. */
#pragma once
#include <stdatomic.h>

#include "node/lists.h"

struct drg_held_list {
	struct drg_list list; /**< first: it is what is handed out */
	_Atomic unsigned holders;
	size_t bytes;
	void (*detach)(void *attached); /**< NULL: nothing is attached */
	char data[]; /**< all codings, one after the other */
};

/**
 * A list of @p body, with one holder: drg_list_release() it.
 * @param work  Overwritten; kept by the caller between lists.
 * @return DRG_OK, DRG_ENOMEM, or what drg_compress() says.
 */
DRG_MUSTCHECK
int drg_held_list_new(struct drg_str body, struct drg_buf *work, struct drg_held_list **ret,
                      struct drg_err *reterr);

/** One holder more. To be called by one who holds it, or keeps others from releasing it meanwhile. */
void drg_list_hold(struct drg_held_list *h);

/** The ETag of a body, into @p buf (DRG_LIST_ETAG bytes). */
void drg_list_etag(struct drg_str body, char *buf);
