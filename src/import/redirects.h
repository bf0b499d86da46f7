/* src/import/redirects.h
 * All redirects, of the store and of an import, in memory for the import. They are few compared with other
 * records. */
#pragma once
#include "store/store.h"

struct drg_redirect {
	enum drg_kind kind;
	bool removed;
	int64_t id, to;
	/** place in the spool: of two redirects of one id the later one counts; redirects of the store have
	 * 0 */
	uint64_t at;
};

struct drg_redirects;

DRG_MUSTCHECK
int drg_redirects_new(struct drg_redirects **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_redirects_free(struct drg_redirects *d);
void drg_redirects_clear(struct drg_redirects *d);

/** Add the redirects of the store. */
DRG_MUSTCHECK
int drg_redirects_load(struct drg_redirects *d, struct drg_store *s, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_redirects_add(struct drg_redirects *d, const struct drg_redirect *r, struct drg_err *reterr);

/** Sort the redirects. Call it after the last one was added, before the functions below. */
void drg_redirects_sort(struct drg_redirects *d);

/** Are there any redirects? */
bool drg_redirects_any(const struct drg_redirects *d);
/** The redirect of an id; NULL: it has none. */
const struct drg_redirect *drg_redirects_find(const struct drg_redirects *d, enum drg_kind kind, int64_t id);

/**
 * Follow redirects to the end: an id that has no redirect.
 * @return false: @p id has no redirect, or its redirects form a circle.
 */
bool drg_redirects_resolve(const struct drg_redirects *d, enum drg_kind kind, int64_t id, int64_t *ret);
