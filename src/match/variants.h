/* src/match/variants.h
 * Other forms of a name that suppliers write: without stars and suffixes, and the name that the house had
 * before. */
#pragma once
#include "base/buf.h"
#include "base/str.h"

enum { DRG_VARIANTS_MAX = 3 };

struct drg_name_found {
	bool noise; /**< stars or a former name, which tell nothing: the first variant stands for the name */
	bool former; /**< the last variant is a name that it has no more */
};

/**
 * @param room  Holds the texts, cleared here.
 * @param ret   Those that differ from @p name: without stars and former names; besides, without "by GROUP",
 *              "adults only" and their like; the former name.
 * @return how many.
 */
unsigned drg_name_variants(struct drg_str name, struct drg_buf *room,
                           struct drg_str ret[static DRG_VARIANTS_MAX], struct drg_name_found *ret_found);
