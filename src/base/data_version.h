/* src/base/data_version.h
 * The name of a state of the data (decision D1): the history and the number of a commit. Two states with one
 * name are equal on every server. Numbers of two histories are never confused. */
#pragma once
#include "base/err.h"
#include "base/str.h"

struct drg_data_version {
	uint64_t history; /**< of the commit; the follower makes it of epoch and branch */
	int64_t seq; /**< number of the commit */
	/** the state may have parts of later commits too, so two states with this name may differ */
	bool open;
};

/** Room for the text of a version with its NUL. */
enum { DRG_DATA_VERSION_TEXT = 44 };

/** Write a version as clients see it, "6f0c31d2a95b7e48-1234", with a "+" at its end if it is open. @return
 * its length. */
size_t drg_data_version_write(const struct drg_data_version *v, char buf[static DRG_DATA_VERSION_TEXT]);
/** Read such a text. @return false: it is not a version. */
bool drg_data_version_read(struct drg_str text, struct drg_data_version *ret);

static inline bool drg_data_version_eq(const struct drg_data_version *a, const struct drg_data_version *b)
{
	return a->seq == b->seq && a->history == b->history && a->open == b->open;
}
