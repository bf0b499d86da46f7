/* src/api/people/endings.h
 * Sessions that somebody has ended while the store could not be written: over on this server at once, and
 * remembered until the store takes it (decision E25). In memory that is fixed, so a server that is started
 * again knows nothing of them. From any thread. */
#pragma once
#include "server/writer.h"
#include "access/session.h"

struct drg_endings;

DRG_MUSTCHECK
int drg_endings_start(struct drg_writer *w, struct drg_endings **ret, struct drg_err *reterr);
/** Before the writer; what the store has not taken is forgotten. NULL is fine. */
void drg_endings_stop(struct drg_endings *e);
/** It is over. @return false: too many wait for the store, and nothing is remembered. */
bool drg_endings_add(struct drg_endings *e, const struct drg_session_claim *claim);
/** Is it over here, whatever the store says? */
bool drg_endings_has(struct drg_endings *e, const struct drg_session_claim *claim);
