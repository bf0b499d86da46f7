/* src/http/negotiate.h
 * Which coding of a ready-made content a client takes, and whether it has that content already. */
#pragma once
#include "http/exchange.h"

/**
 * Choose a coding that @p c has: the highest q-value first, then the smallest body. A client that names nothing we have is
 * sent the identity, unless it refuses that ("identity;q=0", or "*;q=0" without naming it; RFC 9110, 12.5.3).
 * @param accept  Value of Accept-Encoding; p == NULL: none was sent, which means the identity here.
 * @return false: nothing that we have is accepted.
 */
DRG_MUSTCHECK
bool drg_negotiate_coding(struct drg_str accept, const struct drg_content *c, enum drg_coding *ret);

/** Room for drg_etag_text(): quotes, the opaque part, "-identity", NUL. */
enum { DRG_ETAG_TEXT = 64 };
/** The entity tag of one coding: "abc", "abc-gzip" (with the quotes). */
void drg_etag_text(const char *etag, enum drg_coding coding, char *buf);

/**
 * Does If-None-Match name one of the entity tags of @p etag? Compared weakly, as GET and HEAD demand; caches turn
 * strong tags into weak ones. The tag of another coding counts too: the content is the same.
 * @param coding      In: the coding chosen for this client. Out, on a match: the one its tag names, since a cache
 *                    finds its entry by the tag of the 304.
 */
bool drg_etag_matches(struct drg_str if_none_match, const char *etag, enum drg_coding *coding);
