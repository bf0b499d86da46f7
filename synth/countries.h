/* synth/countries.h
 * What the generator knows of countries: how much they are visited and travel themselves, how hotels are called
 * there, and what numbers look like. */
#pragma once
#include "synth/base.h"

/** Groups of countries that name hotels and streets alike. */
enum drg_synth_flavour {
	DRG_FLAVOUR_ENGLISH,
	DRG_FLAVOUR_TURKISH,
	DRG_FLAVOUR_ARABIC,
	DRG_FLAVOUR_GREEK,
	DRG_FLAVOUR_SPANISH,
	DRG_FLAVOUR_ITALIAN,
	DRG_FLAVOUR_GERMAN,
	DRG_FLAVOUR_FRENCH,
	DRG_FLAVOUR_EASTERN, /**< Ukraine and around */
	DRG_FLAVOUR_CENTRAL, /**< Poland, Czechia and around */
	DRG_FLAVOUR_BALKAN,
	DRG_FLAVOUR_ASIAN,
	DRG_FLAVOUR_TROPICAL,
	DRG_FLAVOUR_COUNT
};

struct drg_synth_country {
	char code[3]; /**< ISO alpha-2 */
	enum drg_synth_flavour flavour;
	unsigned visited; /**< weight as a destination */
	unsigned travels; /**< weight as a home market of suppliers */
	enum drg_synth_lang
	        lang; /**< language of its suppliers and of local names; English: none of its own */
	unsigned phone; /**< calling code */
	unsigned zip_digits; /**< 0: no postal codes */
};

/** Never NULL: a country without a row has the row of a small English-speaking one. */
const struct drg_synth_country *drg_synth_country(const char *code);
