/* src/http/conns/peers.h
 * Counts the connections of each client (decision E18): an IPv4 address, or the first 64 bits of an IPv6
 * address. The caller allows one thread at a time. */
#pragma once
#include "base/address.h"

struct drg_peers;
struct drg_peer;

/** Make the counts. @param n  Expected number of simultaneous clients; more are possible, and slower. */
DRG_MUSTCHECK
int drg_peers_new(size_t n, struct drg_peers **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_peers_free(struct drg_peers *p);

/**
 * Add a connection.
 * @return DRG_OK; DRG_ELIMIT: the client has @p max already; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_peers_join(struct drg_peers *p, const struct drg_address *a, unsigned max, struct drg_peer **ret);
/** Remove a connection; with its last one the client is forgotten. NULL is fine. */
void drg_peers_leave(struct drg_peers *p, struct drg_peer *peer);
