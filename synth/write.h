/* synth/write.h
 * The output of the generator: lines are gathered in a buffer and handed on in large pieces. Errors are sticky:
 * write as many lines as you like and look at rc now and then. */
#pragma once
#include "synth/synth.h"
#include "text/json.h"

struct drg_synth_out {
	struct drg_buf buf;
	struct drg_jw jw; /**< writes to buf; inside a line, use it for whatever is not below */
	const struct drg_synth_sink *sink;
	struct drg_synth_totals totals;
	int rc; /**< the first error */
	struct drg_err err;
};

void drg_synth_out_init(struct drg_synth_out *o, const struct drg_synth_sink *sink);
void drg_synth_out_done(struct drg_synth_out *o);

/** Begin a line: {"type":TYPE. Fields follow, then drg_synth_line_end(). */
void drg_synth_line(struct drg_synth_out *o, const char *type);
void drg_synth_line_end(struct drg_synth_out *o);
/** Lines that are there already, each with its newline, @p n of them. */
void drg_synth_raw_lines(struct drg_synth_out *o, struct drg_str text, uint64_t n);
/** Hand on what is gathered. @return rc. */
int drg_synth_flush(struct drg_synth_out *o);

/** Fields of the object that is being written; an empty text is left out. */
void drg_synth_str(struct drg_synth_out *o, const char *key, struct drg_str s);
void drg_synth_int(struct drg_synth_out *o, const char *key, int64_t v);
void drg_synth_bool(struct drg_synth_out *o, const char *key, bool v);
/** Millionths of a degree, always with six decimals: no floating point, so the same digits everywhere. */
void drg_synth_degrees(struct drg_synth_out *o, const char *key, int64_t micro);
/** A member that is an object with one member: {"en":"text"}. */
void drg_synth_in_lang(struct drg_synth_out *o, const char *key, const char *lang, struct drg_str s);
