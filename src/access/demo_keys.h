/* src/access/demo_keys.h
 * The keys that `serve --demo` gives to its own pages (decision W3): one for each API, made at the start, in
 * memory only. They can only read, and only while every supplier was made up by `dragoman-synth`. So they
 * never give access to real data. */
#pragma once
#include "access/keys.h"
#include "catalog/catalog.h"

struct drg_demo_keys {
	char text[2][DRG_KEY_TEXT]; /**< by enum drg_api */
	struct drg_key key[2];
};

/** @return DRG_OK; DRG_EINTERNAL: no source of random bytes. */
DRG_MUSTCHECK
int drg_demo_keys_make(struct drg_demo_keys *ret, struct drg_err *reterr);

/** Are there suppliers, and are all of them made up? Inside a read section. */
bool drg_demo_keys_are_good(const struct drg_catalog *cat);

/** The demo key with this text, if demo keys are good now. Inside a read section. @param keys  May be NULL.
 * @return NULL: the text is not a demo key. */
const struct drg_key *drg_demo_keys_find(const struct drg_demo_keys *keys, const struct drg_catalog *cat,
                                         enum drg_api api, struct drg_str text);
/** Is @p key one of the demo keys? */
bool drg_demo_keys_has(const struct drg_demo_keys *keys, const struct drg_key *key);
