/* src/http/forwarded.h
 * X-Forwarded-For: a list to which each proxy adds, at its end, the address that it was asked from. What a
 * proxy of ours added is true; what stands before may be made up. */
#pragma once
#include "base/address.h"

/** The client as far as it is known: the last address in the list that is not a proxy of ours. Read the values
 * of all fields in their order, each with one call. */
struct drg_forwarded {
	const struct drg_network *trusted;
	size_t n_trusted;
	bool known;
	struct drg_address client;
};

void drg_forwarded_add(struct drg_forwarded *f, struct drg_str value);
