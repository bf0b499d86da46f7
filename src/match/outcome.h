/* src/match/outcome.h
 * The matcher's result for a record: one of three outcomes, with a reason. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "base/compiler.h"
#include "base/str.h"

enum drg_match_outcome {
	DRG_MATCH_AUTOMATIC, /**< map it */
	DRG_MATCH_ASK, /**< a person has to decide */
	DRG_MATCH_NONE, /**< nothing is similar to it */
	DRG_MATCH_OUTCOMES
};

/** Why a result is not automatic; docs/matching.md explains them for people. */
enum drg_match_reason {
	DRG_WHY_SURE, /**< automatic */
	DRG_WHY_NO_CANDIDATES,
	DRG_WHY_BELOW_THRESHOLD,
	DRG_WHY_AMBIGUOUS, /**< the second best is too close */
	DRG_WHY_VETO_COUNTRY, /**< another country */
	DRG_WHY_VETO_NUMBERS, /**< other numbers in the name */
	DRG_WHY_VETO_BRANDS, /**< two brands */
	DRG_WHY_VETO_RESIDENCE, /**< words that distinguish sister houses differ */
	DRG_WHY_VETO_PLACES, /**< each name contains another place */
	DRG_WHY_VETO_CLAIMED, /**< another record of this supplier claims it */
	DRG_WHY_VETO_PART, /**< one is only a part of a house */
	DRG_WHY_LACKS_NAME,
	DRG_WHY_LACKS_PLACE, /**< neither coordinates nor a city narrow it enough */
	DRG_WHY_COUNTRY_UNMAPPED,
	DRG_WHY_CITY_UNMAPPED,
	DRG_WHY_UNCLEAR, /**< a meal or category that can mean several things */
	DRG_WHY_VETO_NOT_SAME, /**< a person has said that it is not this one */
	/** a person's decision was undone, and the matcher has not seen it since */
	DRG_WHY_TAKEN_BACK,
	DRG_WHY_VETO_LIST, /**< names and coordinates disagree in most of the supplier's list */
	DRG_WHY_VETO_FAR, /**< more than 60 km away */
	DRG_WHY_COUNTRY_MISSING, /**< it names a country that the reference lacks */
	DRG_WHY_VETO_CITY, /**< without coordinates, and in another city */
	DRG_WHY_COUNT
};

/** Does something contradict the best candidate, or has a person refused another one? Then each case needs
 * its own look, however probable. */
bool drg_reason_is_veto(enum drg_match_reason r);

/** "automatic", "ask", "none". */
const char *drg_outcome_name(enum drg_match_outcome o);
/** "veto_country": for programs. */
const char *drg_reason_name(enum drg_match_reason r);
/** DRG_WHY_COUNT: no such word. */
enum drg_match_reason drg_reason_by_name(struct drg_str word);
/** "another country": for people. */
const char *drg_reason_words(enum drg_match_reason r);
