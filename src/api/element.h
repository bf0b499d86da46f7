/* src/api/element.h
 * The elements of tour/sourceAdd and tour/compared: what the tables of spec 4.2 and the bounds of section 8 and
 * decision M11 say of each field, read from JSON and echoed (decisions M8, M10, M22). */
#pragma once
#include "server/register.h"
#include "text/json.h"
#include "text/json_scan.h"

/** A flag of these tables only: a required text may be empty, and counts as not sent (M12, M22). */
#define DRG_ELEMENT_EMPTY (1U << 15)

extern const struct drg_element_table drg_source_add_elements, drg_compared_elements;

/** Told of the members that an element's table does not have. */
struct drg_element_ignored {
	void (*note)(void *ctx, enum drg_kind kind, struct drg_str name);
	void *ctx;
};

/**
 * Read one element. One that breaks a rule comes out as DRG_ELEMENT_REFUSED, else as DRG_ELEMENT_NEW; its key
 * is what was sent as id, valid or not, or without text if that was neither an integer nor a text (M6).
 * @param arena  Holds what the element borrows besides the body.
 * @return DRG_OK or DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_element_read(const struct drg_element_table *table, enum drg_kind kind,
                     const struct drg_json_item *item, struct drg_arena *arena,
                     const struct drg_element_ignored *ignored, struct drg_element *ret);

/** Refuse it. @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_element_refuse(struct drg_element *e, struct drg_arena *arena, const struct drg_reason *reason,
                       const char *fmt, ...) DRG_PRINTF(4, 5);

/** Are two elements of one kind and key the same, in every field of their table (decision M7)? */
bool drg_element_same(const struct drg_element *a, const struct drg_element *b);

/** The object `source` of an answer (decision M10): every field of the kind, null where it was not sent. */
void drg_element_json(const struct drg_element *e, struct drg_jw *w);
