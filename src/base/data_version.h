/* src/base/data_version.h
 * The name of a state of the data (decision D1): of a commit, by its history and its number. Two states with
 * one name are the same, on every node; a number of another history is never taken for this one. */
#pragma once
#include "base/err.h"
#include "base/str.h"

struct drg_data_version {
	uint64_t history; /**< of the commit, as the follower makes it of epoch and branch */
	int64_t seq; /**< number of the commit */
	bool open; /**< something of later commits may be in it too: two such states need not be the same */
};

/** Room for its text with a NUL. */
enum { DRG_DATA_VERSION_TEXT = 44 };

/** As clients see it, "6f0c31d2a95b7e48-1234", with a "+" behind it when it is open. @return its length. */
size_t drg_data_version_write(const struct drg_data_version *v, char buf[static DRG_DATA_VERSION_TEXT]);
/** @return false: that is none. */
bool drg_data_version_read(struct drg_str text, struct drg_data_version *ret);

static inline bool drg_data_version_eq(const struct drg_data_version *a, const struct drg_data_version *b)
{
	return a->seq == b->seq && a->history == b->history && a->open == b->open;
}
