/* src/match/variants.h
 * Makes variants of a name that suppliers write: without stars and suffixes, and the former name. */
#pragma once
#include "base/buf.h"
#include "base/str.h"

enum { DRG_VARIANTS_MAX = 4 };

struct drg_name_found {
	/** it had stars or a former name, which mean nothing: the first variant replaces the name */
	bool noise;
	bool former; /**< the last variant is a former name */
};

/**
 * @param room  Holds the texts, cleared here.
 * @param ret   The variants that differ from @p name. The first is without stars and former names; the next
 * also without "by GROUP", "adults only", "- Parking" and the like; the next also without "Best Western"
 * before a house's own name; the last is the former name.
 * @return how many.
 */
unsigned drg_name_variants(struct drg_str name, struct drg_buf *room,
                           struct drg_str ret[static DRG_VARIANTS_MAX], struct drg_name_found *ret_found);
