#include "match/outcome.h"

#include <string.h>

/* clang-format off */
static const struct {
	const char *name, *words;
} reasons[DRG_WHY_COUNT] = {
	[DRG_WHY_SURE]             = { "sure",             "sure enough" },
	[DRG_WHY_NO_CANDIDATES]    = { "no_candidates",    "nothing in the reference is like it" },
	[DRG_WHY_BELOW_THRESHOLD]  = { "below_threshold",  "not sure enough" },
	[DRG_WHY_AMBIGUOUS]        = { "ambiguous",        "another record fits nearly as well" },
	[DRG_WHY_VETO_COUNTRY]     = { "veto_country",     "it lies in another country" },
	[DRG_WHY_VETO_NUMBERS]     = { "veto_numbers",     "the numbers in the names differ" },
	[DRG_WHY_VETO_BRANDS]      = { "veto_brands",      "the brands differ" },
	[DRG_WHY_VETO_RESIDENCE]   = { "veto_residence",   "words that tell sister houses apart differ" },
	[DRG_WHY_VETO_PLACES]      = { "veto_places",      "the names have different places" },
	[DRG_WHY_VETO_CLAIMED]     = { "veto_claimed",     "another record of this supplier claims it too" },
	[DRG_WHY_VETO_FAR]         = { "veto_far",         "it lies more than 60 km away" },
	[DRG_WHY_VETO_PART]        = { "veto_part",        "one of them is a part of a house" },
	[DRG_WHY_VETO_LIST]        = { "veto_list",
		"most of this list's names and coordinates disagree" },
	[DRG_WHY_VETO_NOT_SAME]    = { "veto_not_same",
		"a person said that it is not the one that is like it" },
	[DRG_WHY_LACKS_NAME]       = { "lacks_name",       "it has no name that could be compared" },
	[DRG_WHY_VETO_CITY]        = { "veto_city",        "it is in another city" },
	[DRG_WHY_LACKS_PLACE]      = { "lacks_place",      "nothing tells where it is" },
	[DRG_WHY_COUNTRY_UNMAPPED] = { "country_unmapped", "its country is not mapped" },
	[DRG_WHY_COUNTRY_MISSING]  = { "country_missing",  "the reference lacks its country" },
	[DRG_WHY_UNCLEAR]          = { "unclear",          "it can mean several things" },
	[DRG_WHY_TAKEN_BACK]       = { "taken_back",       "the decision about it was undone" },
	[DRG_WHY_CITY_UNMAPPED]    = { "city_unmapped",    "it has no coordinates and its city is not mapped" },
};
/* clang-format on */

const char *drg_outcome_name(enum drg_match_outcome o)
{
	static const char *const names[DRG_MATCH_OUTCOMES] = { "automatic", "ask", "none" };
	return names[o];
}

bool drg_reason_is_veto(enum drg_match_reason r)
{
	return r < DRG_WHY_COUNT && strncmp(reasons[r].name, "veto_", 5) == 0;
}

const char *drg_reason_name(enum drg_match_reason r)
{
	return reasons[r].name;
}

enum drg_match_reason drg_reason_by_name(struct drg_str word)
{
	unsigned r = 0;
	while (r < DRG_WHY_COUNT && !drg_str_eq(word, drg_str_c(reasons[r].name)))
		r++;
	return (enum drg_match_reason)r;
}

const char *drg_reason_words(enum drg_match_reason r)
{
	return reasons[r].words;
}
