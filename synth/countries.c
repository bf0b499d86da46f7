#include "synth/countries.h"

#include "base/compiler.h"

#define F(flavour) DRG_FLAVOUR_##flavour
#define L(lang) DRG_LANG_##lang

/* clang-format off */
static const struct drg_synth_country table[] = {
	/* code flavour     visited travels language phone zip */
	{ "AD", F(SPANISH),    6,  0, L(ES), 376, 3 },
	{ "AE", F(ARABIC),    45,  4, L(EN), 971, 0 },
	{ "AL", F(ITALIAN),   14,  0, L(EN), 355, 4 },
	{ "AM", F(EASTERN),    4,  1, L(RU), 374, 4 },
	{ "AR", F(SPANISH),    6,  1, L(ES),  54, 4 },
	{ "AT", F(GERMAN),    40,  6, L(DE),  43, 4 },
	{ "AU", F(ENGLISH),   10,  2, L(EN),  61, 4 },
	{ "AW", F(TROPICAL),   2,  0, L(EN), 297, 0 },
	{ "AZ", F(TURKISH),    6,  2, L(RU), 994, 4 },
	{ "BG", F(BALKAN),    40,  2, L(EN), 359, 4 },
	{ "BR", F(SPANISH),   12,  1, L(EN),  55, 8 },
	{ "BY", F(EASTERN),    3,  4, L(RU), 375, 6 },
	{ "CA", F(ENGLISH),    8,  3, L(EN),   1, 0 },
	{ "CH", F(GERMAN),    18,  4, L(DE),  41, 4 },
	{ "CN", F(ASIAN),     20,  3, L(EN),  86, 6 },
	{ "CU", F(SPANISH),   14,  0, L(ES),  53, 5 },
	{ "CV", F(TROPICAL),   3,  0, L(EN), 238, 4 },
	{ "CY", F(GREEK),     24,  1, L(EN), 357, 4 },
	{ "CZ", F(CENTRAL),   16,  6, L(EN), 420, 5 },
	{ "DE", F(GERMAN),    36, 20, L(DE),  49, 5 },
	{ "DO", F(SPANISH),   22,  0, L(ES),   1, 5 },
	{ "EE", F(CENTRAL),    3,  2, L(EN), 372, 5 },
	{ "EG", F(ARABIC),    65,  1, L(EN),  20, 5 },
	{ "ES", F(SPANISH),   80,  5, L(ES),  34, 5 },
	{ "FR", F(FRENCH),    55,  6, L(FR),  33, 5 },
	{ "GB", F(ENGLISH),   24, 10, L(EN),  44, 0 },
	{ "GE", F(EASTERN),   16,  1, L(RU), 995, 4 },
	{ "GR", F(GREEK),     75,  2, L(EN),  30, 5 },
	{ "HR", F(BALKAN),    34,  1, L(EN), 385, 5 },
	{ "HU", F(GERMAN),    10,  3, L(EN),  36, 4 },
	{ "ID", F(ASIAN),     26,  1, L(EN),  62, 5 },
	{ "IL", F(ARABIC),    12,  3, L(EN), 972, 7 },
	{ "IN", F(ASIAN),     16,  2, L(EN),  91, 6 },
	{ "IT", F(ITALIAN),   75,  5, L(IT),  39, 5 },
	{ "JO", F(ARABIC),     8,  0, L(EN), 962, 5 },
	{ "JM", F(TROPICAL),   5,  0, L(EN),   1, 0 },
	{ "JP", F(ASIAN),     10,  2, L(EN),  81, 7 },
	{ "KE", F(TROPICAL),   6,  0, L(EN), 254, 5 },
	{ "KZ", F(EASTERN),    6, 10, L(RU),   7, 6 },
	{ "LK", F(ASIAN),     16,  0, L(EN),  94, 5 },
	{ "LT", F(CENTRAL),    4,  4, L(EN), 370, 5 },
	{ "LV", F(CENTRAL),    4,  4, L(EN), 371, 4 },
	{ "MA", F(ARABIC),    14,  1, L(FR), 212, 5 },
	{ "MD", F(EASTERN),    2,  4, L(RU), 373, 4 },
	{ "ME", F(BALKAN),    16,  0, L(EN), 382, 5 },
	{ "MT", F(ITALIAN),    8,  0, L(EN), 356, 0 },
	{ "MU", F(TROPICAL),   8,  0, L(FR), 230, 5 },
	{ "MV", F(TROPICAL),  18,  0, L(EN), 960, 5 },
	{ "MX", F(SPANISH),   22,  2, L(ES),  52, 5 },
	{ "MY", F(ASIAN),     10,  1, L(EN),  60, 5 },
	{ "NL", F(ENGLISH),    8,  6, L(EN),  31, 4 },
	{ "PH", F(ASIAN),      8,  1, L(EN),  63, 4 },
	{ "PL", F(CENTRAL),   18, 18, L(PL),  48, 5 },
	{ "PT", F(SPANISH),   26,  2, L(EN), 351, 7 },
	{ "RO", F(ITALIAN),   14,  6, L(EN),  40, 6 },
	{ "RS", F(BALKAN),     5,  3, L(EN), 381, 5 },
	{ "RU", F(EASTERN),   12, 10, L(RU),   7, 6 },
	{ "SC", F(TROPICAL),   5,  0, L(EN), 248, 0 },
	{ "SI", F(BALKAN),     6,  1, L(EN), 386, 4 },
	{ "SK", F(CENTRAL),    8,  3, L(EN), 421, 5 },
	{ "TH", F(ASIAN),     50,  1, L(EN),  66, 5 },
	{ "TN", F(ARABIC),    26,  0, L(FR), 216, 4 },
	{ "TR", F(TURKISH),  120,  8, L(TR),  90, 5 },
	{ "TZ", F(TROPICAL),  14,  0, L(EN), 255, 5 },
	{ "UA", F(EASTERN),   14, 26, L(UK), 380, 5 },
	{ "US", F(ENGLISH),   30,  6, L(EN),   1, 5 },
	{ "UZ", F(TURKISH),    3,  3, L(RU), 998, 6 },
	{ "VN", F(ASIAN),     26,  1, L(EN),  84, 6 },
	{ "ZA", F(ENGLISH),    6,  1, L(EN),  27, 4 },
};
/* clang-format on */

/* +800 is the calling code of international freephone: no country's. */
static const struct drg_synth_country other = { "", F(ENGLISH), 2, 0, L(EN), 800, 5 };

const struct drg_synth_country *drg_synth_country(const char *code)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(table); i++)
		if (strcmp(table[i].code, code) == 0)
			return &table[i];
	return &other;
}
