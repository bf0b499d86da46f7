/* src/base/proxy_header.h
 * The PROXY protocol, versions 1 (a line of text) and 2 (binary): what a proxy sends in front of a
 * connection's first byte to name the client (https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt). */
#pragma once
#include "base/address.h"

/** The longest header that is read: that of version 2 may carry more than addresses. */
enum { DRG_PROXY_HEADER_MAX = 4096 };

enum drg_proxy_header {
	DRG_PROXY_MORE, /**< good so far; more bytes are needed */
	DRG_PROXY_BAD,
	DRG_PROXY_LOCAL, /**< whole; it is about the proxy itself */
	DRG_PROXY_NAMED /**< whole, and names a client */
};

/**
 * Read the header at the beginning of @p bytes.
 * @param ret_n  With LOCAL and NAMED: how many bytes it has.
 * @param ret    With NAMED: the client.
 */
enum drg_proxy_header drg_proxy_header_read(struct drg_str bytes, size_t *ret_n, struct drg_address *ret);
