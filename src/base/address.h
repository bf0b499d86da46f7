/* src/base/address.h
 * Addresses of clients and networks of proxies. IPv4 is kept as IPv6 has it, ::ffff:a.b.c.d. */
#pragma once
#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>
#include "base/err.h"
#include "base/str.h"

struct drg_address {
	unsigned char bytes[16];
};

/** An address and how many of its first bits count. */
struct drg_network {
	struct drg_address base;
	unsigned bits; /**< of 128 */
};

/** The address of a socket's other side; all zero for anything but IPv4 and IPv6. */
struct drg_address drg_address_of(const struct sockaddr *a);
/** Make an address from four bytes in network order. */
struct drg_address drg_address_v4(const void *bytes);
/** Read an address as X-Forwarded-For has it: plain or in brackets, and either with ":port" (IPv6 then in
 * brackets). @return false: the text is not an address. */
bool drg_address_parse(struct drg_str text, struct drg_address *ret);
/** Write an address as people do, NUL-terminated. */
void drg_address_text(const struct drg_address *a, char buf[static INET6_ADDRSTRLEN]);
/** The address by which connections are counted: an IPv4 address, or the first 64 bits of an IPv6 address. */
struct drg_address drg_address_client(const struct drg_address *a);

/** Read a network: "10.0.0.0/8", "::1". @return DRG_OK; DRG_EINVAL with a message that begins with the
 * text. */
DRG_MUSTCHECK
int drg_network_parse(struct drg_str text, struct drg_network *ret, struct drg_err *reterr);
bool drg_networks_contain(const struct drg_network *networks, size_t n, const struct drg_address *a);
