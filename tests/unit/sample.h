/* tests/unit/sample.h
 * Valid values for records in a store. */
#pragma once
#include <stdio.h>
#include <string.h>

#include "model/record.h"

enum { SAMPLE_ROOM = 160 };

/** Set a field to a canonical value. @param n Another number gives another value, if the limits allow one.
 * @param room Holds a text. */
static inline void sample_field(struct drg_record *r, const struct drg_field_def *f, unsigned n,
                                char room[static SAMPLE_ROOM])
{
	size_t least = f->min > 1 ? (size_t)f->min : 0;
	switch (f->vtype) {
	case DRG_V_INT:
		drg_record_set_i(r, f->field, f->min <= -0x1p63 ? INT64_MIN + n : (int64_t)f->min + n % 7);
		return;
	case DRG_V_ENUM:
	case DRG_V_BOOL: drg_record_set_i(r, f->field, n % 2); return;
	case DRG_V_REAL: drg_record_set_d(r, f->field, 0.1 + n); return;
	case DRG_V_SRCID:
	case DRG_V_TEXT:
		memset(room, 'A', SAMPLE_ROOM);
		if (least == 0)
			snprintf(room, SAMPLE_ROOM, "%s%u", f->wire, n);
		else
			room[0] = (char)('A' + n % 26);
		drg_record_set_s(r, f->field, drg_str(room, least > 0 ? least : strlen(room)));
		return;
	case DRG_V_NAMES: snprintf(room, SAMPLE_ROOM, "{\"en\":\"%s%u\"}", f->wire, n); break;
	case DRG_V_LANG: snprintf(room, SAMPLE_ROOM, "%s", n % 2 == 0 ? "en" : "uk"); break;
	case DRG_V_UPPER: snprintf(room, SAMPLE_ROOM, "%0*u", (int)f->max, n % 100); break;
	case DRG_V_TIME: snprintf(room, SAMPLE_ROOM, "12:00:%02u", n % 60); break;
	case DRG_V_STAMP: snprintf(room, SAMPLE_ROOM, "2026-01-01T00:00:%02u.000Z", n % 60); break;
	case DRG_V_JSON: snprintf(room, SAMPLE_ROOM, "[]"); break;
	case DRG_V_RAW: snprintf(room, SAMPLE_ROOM, "{\"n\":%u}", n); break;
	}
	drg_record_set_s(r, f->field, drg_str_c(room));
}

/** Set the required fields that a record lacks. @param n, room  As above, for each field. */
static inline void sample_required(struct drg_record *r, unsigned n, char (*room)[SAMPLE_ROOM])
{
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		if ((f->flags & DRG_FF_REQUIRED) != 0 && drg_field_applies(f, drg_record_kind(r)) &&
		    !drg_record_has_value(r, f))
			sample_field(r, f, n, room[i]);
	}
}
