/* src/access/first_link.h
 * The link with which a person chooses a password (decision E31): it works once, and for a week. The store
 * keeps the hash of the link in place of the hash of a password. */
#pragma once
#include "access/password.h"
#include "base/digest.h"

enum { DRG_LINK_TEXT = 44, DRG_LINK_DAYS = 7 };

/** Make a link. @param text  The text of the link: 256 random bits. @param kept  What the store keeps in
 * place of the password's hash.
 * @return DRG_OK; DRG_EINTERNAL: no source of random bytes. */
DRG_MUSTCHECK
int drg_link_make(int64_t now_us, char text[static DRG_LINK_TEXT], char kept[static DRG_PASSWORD_HASH],
                  struct drg_err *reterr);
/** Until when the link of this stored text works; 0: the stored text is not a link. */
int64_t drg_link_until(struct drg_str kept);
/** Is @p text the link of this stored text, and does it still work? */
bool drg_link_is_valid(struct drg_str kept, struct drg_str text, int64_t now_us);
