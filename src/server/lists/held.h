/* src/server/lists/held.h
 * A reference list as it is handed out: its body and what was made of it in other codings, each a block that it shares with the
 * same list of later versions of the data. Freed when the last one who holds it lets go. */
#pragma once
#include <stdatomic.h>

#include "server/lists/lists.h"

struct drg_held_list {
	struct drg_list list; /**< first: it is what is handed out */
	_Atomic unsigned holders;
	size_t bytes;
	void (*detach)(void *attached); /**< NULL: nothing is attached */
	struct drg_list_block *block[DRG_CODING_COUNT]; /**< what list.body is in; NULL: it is not there */
};

/**
 * A list of @p body, in no other coding, with one holder: drg_list_release() it.
 * @return DRG_OK or DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_held_list_new(struct drg_str body, struct drg_held_list **ret, struct drg_err *reterr);

/** The same list in another version of the data, with one holder and nothing attached. NULL: out of memory. */
struct drg_held_list *drg_held_list_again(const struct drg_held_list *h,
                                          const struct drg_data_version *version);

/**
 * Make it in a coding that pays and is not there, before anybody else holds it.
 * @param p     How it is compressed.
 * @param work  Overwritten; kept by the caller between lists.
 * @return DRG_OK, DRG_ENOMEM, or what drg_packer_compress() says.
 */
DRG_MUSTCHECK
int drg_held_list_code(struct drg_held_list *h, enum drg_coding c, struct drg_packer *p, struct drg_buf *work,
                       struct drg_err *reterr);

/** One holder more. To be called by one who holds it, or keeps others from releasing it meanwhile. */
void drg_list_hold(struct drg_held_list *h);

/** The ETag of a body, into @p buf (DRG_LIST_ETAG bytes). */
void drg_list_etag(struct drg_str body, char *buf);
