/* src/import/redirects.h
 * Every redirect there is, in memory, for an import: those of the store and those that it brings. They are
 * few beside everything else. */
#pragma once
#include "store/store.h"

struct drg_redirect {
	enum drg_kind kind;
	bool removed;
	int64_t id, to;
	uint64_t at; /**< of two for one id the later counts; those of the store have 0 */
};

struct drg_redirects;

DRG_MUSTCHECK
int drg_redirects_new(struct drg_redirects **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_redirects_free(struct drg_redirects *d);
void drg_redirects_clear(struct drg_redirects *d);

/** Add those of the store. */
DRG_MUSTCHECK
int drg_redirects_load(struct drg_redirects *d, struct drg_store *s, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_redirects_add(struct drg_redirects *d, const struct drg_redirect *r, struct drg_err *reterr);

/** All are in: to be called before they are asked for. */
void drg_redirects_settle(struct drg_redirects *d);

/** Is there any? */
bool drg_redirects_any(const struct drg_redirects *d);
/** The redirect of an id; NULL when it has none. */
const struct drg_redirect *drg_redirects_find(const struct drg_redirects *d, enum drg_kind kind, int64_t id);

/**
 * Follow redirects to their end, an id that has none.
 * @return false: @p id has none, or they lead in a circle.
 */
bool drg_redirects_resolve(const struct drg_redirects *d, enum drg_kind kind, int64_t id, int64_t *ret);
