/* src/base/proxy_header.h
 * The PROXY protocol, versions 1 (a line of text) and 2 (binary): the header by which a proxy names the
 * client before the first byte of a connection
 * (https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt). */
#pragma once
#include "base/address.h"

/** The longest header that is read; one of version 2 may carry more than addresses. */
enum { DRG_PROXY_HEADER_MAX = 4096 };

enum drg_proxy_header {
	DRG_PROXY_MORE, /**< valid so far; more bytes are needed */
	DRG_PROXY_BAD,
	DRG_PROXY_LOCAL, /**< complete; it is about the proxy itself */
	DRG_PROXY_NAMED /**< complete; it names a client */
};

/**
 * Read the header at the beginning of @p bytes.
 * @param ret_n  With LOCAL and NAMED: the length of the header.
 * @param ret    With NAMED: the client.
 */
enum drg_proxy_header drg_proxy_header_read(struct drg_str bytes, size_t *ret_n, struct drg_address *ret);
