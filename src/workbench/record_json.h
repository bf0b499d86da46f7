/* src/workbench/record_json.h
 * Stored records in answers for curators: as docs/interchange.md has them, and short forms of what people
 * look at. */
#pragma once
#include "api/reading.h"
#include "model/record.h"
#include "store/case_notes.h"

/** The member @p name: the record as a line of an export is, null where it has no type. */
void drg_curate_record(struct drg_jw *w, const char *name, const struct drg_record *r);
/** The members adapter_id, code, name of its supplier, and kind and id of a source. */
void drg_curate_source_members(struct drg_reading *r, const struct drg_record *source);
/** The members of a dict record: id, name in the language asked for, version; country, city, category ({id,
 * name}, or null). */
void drg_curate_dict_words(struct drg_reading *r, const struct drg_record *dict,
                           const struct drg_lang_pref *pref);
/** A mapping event: at, how, from, to (ids or null), by, why (texts or null), batch (or null). */
void drg_curate_event(struct drg_jw *w, const struct drg_record *event);
/** A note at a case: at, by, what, text (or null). */
void drg_curate_note_members(struct drg_jw *w, const struct drg_case_note *n);
/** Metres between two records that have coordinates; below 0: one has none. */
double drg_curate_metres(const struct drg_record *a, const struct drg_record *b);

void drg_curate_int_or_null(struct drg_jw *w, const char *name, const struct drg_record *r, enum drg_field f);
