/* src/http/negotiate.h
 * Chooses the coding of a ready content for a client, and tells whether the client has the content already. */
#pragma once
#include "http/exchange.h"

/** A parsed Accept-Encoding, reused for the next request with the same text. */
struct drg_accept_encoding {
	int of[DRG_CODING_COUNT]; /**< thousandths; 0: refused (RFC 9110, 12.5.3) */
	size_t n; /**< length of `text`; 0: none is stored */
	char text[64];
};

/**
 * Read the weight that an Accept-Encoding gives each coding. If @p w has the same text from before, it is not
 * changed: parsing a browser's text costs 1,800 instructions, a sixth of a small request, and most texts
 * sent to one server are equal.
 * @param accept  Value of the header; p == NULL: it was not sent, which means the identity here.
 * @param w       All zero at first.
 */
void drg_negotiate_weights(struct drg_str accept, struct drg_accept_encoding *w);

/**
 * Choose a coding that @p c has: the highest weight first, then br, zstd, gzip, in the order of their sizes.
 * A client that names none of our codings gets the identity, unless it refuses that ("identity;q=0", or
 * "*;q=0" without naming it).
 * @return false: the client accepts none of our codings.
 */
DRG_MUSTCHECK
bool drg_negotiate_coding(const int weights[static DRG_CODING_COUNT], const struct drg_content *c,
                          enum drg_coding *ret);

/** Room for drg_etag_text(): quotes, the opaque part, "-identity", NUL. */
enum { DRG_ETAG_TEXT = 64 };
/** The entity tag of one coding: "abc", "abc-gzip" (with the quotes). */
void drg_etag_text(const char *etag, enum drg_coding coding, char *buf);

/**
 * Does If-None-Match or If-Match name one of the entity tags of @p etag? The tag of another coding counts
 * too: the content is the same.
 * @param strong      Weak tags do not match. If-Match is compared in this way (RFC 9110, 13.1.1),
 *                    If-None-Match is not: caches turn strong tags into weak ones.
 * @param coding      In: the coding chosen for this client. Out, on a match: the coding that its tag names,
 *                    since a cache finds its entry by the tag of the 304.
 */
bool drg_etag_matches(struct drg_str tags, bool strong, const char *etag, enum drg_coding *coding);
