/* synth/spelling.h
 * How a supplier spells: script, case, abbreviations, order of words, additions, typing errors.
 * The tables of letters are our own, not ICU's: the same bytes must come out on every machine for ever. */
#pragma once
#include "base/buf.h"
#include "synth/names.h"

enum drg_synth_case { DRG_CASE_AS_IS, DRG_CASE_UPPER };

/** The habits of one supplier; numbers are per mille of its records. */
struct drg_synth_style {
	enum drg_synth_lang lang;
	enum drg_synth_case letters;
	bool cyrillic; /**< writes hotels in the letters of its language (Ukrainian, Russian) */
	bool ascii; /**< drops the marks from letters: "Kusadasi" */
	bool local_type; /**< "Otel", "Готель": the kind of house in its language */
	const char *ampersand; /**< what it writes for "&" */
	unsigned abbreviate; /**< "HTL", "BCH" */
	unsigned drop_type; /**< "Blue Bay" for "Blue Bay Hotel" */
	unsigned type_first; /**< "Hotel Blue Bay" */
	unsigned swap_words; /**< "Palace Hotel Blue", */
	unsigned by_chain; /**< "Blue Bay by Corallia" */
	unsigned add_stars; /**< "Blue Bay 5*" */
	unsigned add_was; /**< "Blue Bay (ex. Golden Sultan)" */
	unsigned add_city; /**< "Blue Bay Antalya" */
	unsigned quotes; /**< "Hotel "Blue Bay"" */
	unsigned typos;
};

/** Append @p text in the supplier's letters and case. */
void drg_synth_spell_text(const struct drg_synth_style *s, struct drg_str text, struct drg_buf *out);

/** Append the name of a hotel as the supplier has it. @param city  In its language. @param
 * scratch  Overwritten. */
void drg_synth_spell_name(const struct drg_synth_style *s, struct drg_rng *r,
                          const struct drg_synth_name *name, unsigned stars, struct drg_str city,
                          struct drg_buf *scratch, struct drg_buf *out);

/** Append @p text in Cyrillic letters, Ukrainian or Russian: known words as they are written, others by sound;
 * what is Cyrillic already stays. */
void drg_synth_cyrillic(bool ukrainian, struct drg_str text, struct drg_buf *out);

/** One typing error in the valid UTF-8 from @p from on, if there are letters enough. */
void drg_synth_typo(struct drg_rng *r, struct drg_buf *text, size_t from);
