/* synth/base.h
 * The common reference that the generator builds on: its lines as they are, and what it needs to know of
 * them. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "model/record.h"

/** Languages that suppliers and hotels are made in. */
enum drg_synth_lang {
	DRG_LANG_EN,
	DRG_LANG_UK,
	DRG_LANG_RU,
	DRG_LANG_DE,
	DRG_LANG_PL,
	DRG_LANG_TR,
	DRG_LANG_FR,
	DRG_LANG_ES,
	DRG_LANG_IT,
	DRG_LANG_COUNT
};

/** Tags of the languages: "en", "uk". */
extern const char *const drg_synth_lang_tags[DRG_LANG_COUNT];

/** An index that names nothing. */
#define DRG_SYNTH_NONE UINT32_MAX

/** One dict record of any kind. */
struct drg_synth_element {
	int64_t id;
	/** a language that it lacks has the English name, or any; cut at 200 bytes */
	struct drg_str name[DRG_LANG_COUNT];
	char code[4]; /**< country, currency: its ISO code; else "" */
	uint32_t parent; /**< city, dep_city: index of its country; facility_type: of its group */
	bool is_resort, located;
	int32_t lat, lng; /**< millionths of a degree, when located */
	int64_t parent_id;
	struct drg_str *description; /**< meal: by language as name; NULL when it has none */
};

struct drg_synth_place {
	int64_t id;
	bool is_city, located;
	char code[4], city_code[4], country[4];
	struct drg_str name;
	int32_t lat, lng;
};

struct drg_synth_list {
	struct drg_synth_element *e;
	uint32_t n;
	struct drg_buf memory; /**< holds e */
};

struct drg_synth_base {
	struct drg_arena arena;
	struct drg_buf text; /**< all lines, each with its newline */
	uint64_t n_lines;
	struct drg_synth_list list[DRG_KIND_COUNT];
	struct drg_synth_place *places;
	uint32_t n_places;
	struct drg_buf places_memory; /**< holds places */
};

/**
 * Read a base, or make the one in the program.
 * @param path  See struct drg_synth_options.
 * @param ret   Written in any case; release it with drg_synth_base_done(), also after an error.
 */
DRG_MUSTCHECK
int drg_synth_base_load(const char *path, struct drg_synth_base *ret, struct drg_err *reterr);
void drg_synth_base_done(struct drg_synth_base *b);

/** Index of the first record of a kind whose English name begins with @p word, letters compared without case;
 * DRG_SYNTH_NONE when there is none. */
uint32_t drg_synth_base_find(const struct drg_synth_base *b, enum drg_kind kind, const char *word);

/** Index of an element by id; DRG_SYNTH_NONE when there is none. */
uint32_t drg_synth_base_index(const struct drg_synth_base *b, enum drg_kind kind, int64_t id);
