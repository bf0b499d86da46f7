/* src/workbench/presence.h
 * Who has which case open (decision C5): kept in memory, of this server, for as long as the client says so
 * again. */
#pragma once
#include "base/clock.h"
#include "model/model.h"
#include "text/json.h"

struct drg_presence;

/** How long it counts, and how many there can be: what does not fit is not kept. */
enum { DRG_PRESENCE_SECONDS = 30, DRG_PRESENCE_MAX = 1024, DRG_PRESENCE_WHO = 96 };

DRG_MUSTCHECK
int drg_presence_new(struct drg_presence **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_presence_free(struct drg_presence *p);

/** A case, and the person who has it open. Texts are copied. */
struct drg_presence_entry {
	int64_t adapter;
	enum drg_kind kind;
	struct drg_str id;
	struct drg_str who; /**< what is beyond DRG_PRESENCE_WHO bytes is cut */
};
/** The case is open for DRG_PRESENCE_SECONDS, or (@p open false) closed. From any thread. */
void drg_presence_set(struct drg_presence *p, const struct drg_presence_entry *o, bool open);

/** The member `open_by`: the people who have it open, except @p me. From any thread. */
void drg_presence_json(struct drg_presence *p, int64_t adapter, enum drg_kind kind, struct drg_str id,
                       struct drg_str me, struct drg_jw *w);
