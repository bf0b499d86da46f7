#include "match/countries/territories.h"

#include "base/compiler.h"

/* clang-format off */
/* Territories that ISO 3166-2 lists as parts of a state (CLDR: supplemental/aliases.json, subdivisionAlias),
 * and further dependencies of ISO 3166-1; EA, IC, AC and TA (the Canary Islands is one) are reserved there. */
static const struct {
	char state[3], territories[48];
} states[] = {
	{ "AU", "CC CX HM NF" },
	{ "CN", "HK MO TW" },
	{ "DK", "FO GL" },
	{ "ES", "EA IC" },
	{ "FI", "AX" },
	{ "FR", "BL GF GP MF MQ NC PF PM RE TF WF YT" },
	{ "GB", "AI BM FK GG GI GS IM IO JE KY MS PN SH TC VG" },
	{ "NL", "AW BQ CW SX" },
	{ "NO", "BV SJ" },
	{ "NZ", "CK NU TK" },
	{ "SH", "AC TA" },
	{ "US", "AS GU MP PR UM VI" },
};
/* clang-format on */

struct drg_str drg_territory_state(struct drg_str alpha_2)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(states); i++) {
		struct drg_str rest = drg_str_c(states[i].territories), one;
		while (drg_str_split(&rest, ' ', &one))
			if (drg_str_eq(one, alpha_2))
				return drg_str_c(states[i].state);
	}
	return drg_str(NULL, 0);
}

struct drg_str drg_territories_of(struct drg_str alpha_2)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(states); i++)
		if (drg_str_eq(drg_str_c(states[i].state), alpha_2))
			return drg_str_c(states[i].territories);
	return drg_str(NULL, 0);
}
