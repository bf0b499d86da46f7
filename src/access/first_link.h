/* src/access/first_link.h
 * The link with which somebody chooses their password (decision E31): it works once, and for a week. The
 * store keeps its hash in the place of that of a password. */
#pragma once
#include "access/password.h"
#include "base/digest.h"

enum { DRG_LINK_TEXT = 44, DRG_LINK_DAYS = 7 };

/** A new one. @param text  What the link has: 256 random bits. @param kept  In the place of the hash.
 * @return DRG_OK; DRG_EINTERNAL: no source of random bytes. */
DRG_MUSTCHECK
int drg_link_make(int64_t now_us, char text[static DRG_LINK_TEXT], char kept[static DRG_PASSWORD_HASH],
                  struct drg_err *reterr);
/** Until when the link works that is kept here; 0: it is no link. */
int64_t drg_link_until(struct drg_str kept);
/** Is this the link, and does it work still? */
bool drg_link_ok(struct drg_str kept, struct drg_str text, int64_t now_us);
