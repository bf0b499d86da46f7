/* src/workbench/history_priv.h
 * Shared by the files of GET curate/history. */
#pragma once
#include "api/reading.h"
#include "decide/newest.h"

/* HISTORY_LOOKED_MAX: one answer reads no more, except events of the same millisecond. */
enum { HISTORY_DEFAULT = 100, HISTORY_MAX = 1000, HISTORY_LOOKED_MAX = 50000 };

struct drg_history_work {
	int64_t adapter, batch, since_us; /* 0, 0, INT64_MIN: all */
	/* only what is about the record of the reference `dict_id`, of any kind if that is not said */
	bool one_dict;
	int64_t dict_id;
	enum drg_kind kind; /* DRG_KIND_NONE: all */
	struct drg_str by; /* empty: all */
	struct drg_str what; /* a word of `how`; empty: all */
	int64_t before_us, before_row; /* only what is older than this place; INT64_MAX: from the newest */
	size_t limit;
	struct drg_newest newest;
	size_t looked; /* how many events */
	int64_t ms; /* of the last */
	bool stopped; /* older ones were not looked at */
	struct drg_history_event *v; /* the newest first, in the arena of the request */
	size_t n;
	bool more;
};

struct drg_history_event {
	int64_t at_us, row;
	struct drg_record r;
};

DRG_MUSTCHECK
int drg_history_write(struct drg_reading *r, void *work);
bool drg_history_is_shared(const struct drg_record *r);
struct drg_str drg_history_how(const struct drg_record *r);
