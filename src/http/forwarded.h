/* src/http/forwarded.h
 * X-Forwarded-For: a list to whose end each proxy adds the address of its own client. Entries that a trusted
 * proxy added are true; entries before them may be made up. */
#pragma once
#include "base/address.h"

/** The client as far as it is known: the last address in the list that is not a trusted proxy. Call
 * drg_forwarded_add() for the value of each field, in order. */
struct drg_forwarded {
	const struct drg_network *trusted;
	size_t n_trusted;
	bool known;
	struct drg_address client;
};

void drg_forwarded_add(struct drg_forwarded *f, struct drg_str value);
