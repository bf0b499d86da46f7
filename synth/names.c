#include "synth/names.h"

#include "base/compiler.h"

/** Words to choose from. */
struct words {
	const char *const *w;
	unsigned n;
};

#define WORDS(...)                                                                                           \
	{                                                                                                    \
		(const char *const[]){ __VA_ARGS__ },                                                        \
		        sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *)                  \
	}

/* Invented chains. */
static const struct words chains =
        WORDS("Corallia", "Meridia", "Aurelis", "Palmeron", "Vistamar", "Solenne", "Norvana", "Luxoria",
              "Belvento", "Maristella", "Thalassia", "Amberton", "Zafiro Line", "Oceanis", "Grandella",
              "Primasol", "Delfinera", "Rivanta", "Asterion", "Calvera", "Domus Magna", "Elysara",
              "Fiorenza Club", "Goldwyn", "Hesperion", "Isolina", "Kervana", "Lagunara", "Monteluce",
              "Nerissa", "Orsova", "Perlamare", "Quintessa", "Rosalba", "Sunmere", "Tamarisk", "Umbria Club",
              "Valdoro", "Westerlea", "Xanadu Bay", "Yasmara", "Zenobia");

static const struct words common_adjectives =
        WORDS("Blue", "Golden", "Royal", "Grand", "White", "Green", "Crystal", "Sunny", "Silver", "Imperial",
              "Paradise", "Diamond", "Emerald", "Pearl", "Sapphire", "Magic", "Elegance", "Premium", "Sunset",
              "Sunrise", "Ocean", "Sea", "Panorama", "Vista", "Bella", "Crown", "Star", "Dream", "Fantasia",
              "Harmony", "Aqua", "Coral", "Amber", "Noble", "Classic", "Happy", "Prime", "Majestic",
              "Serenity", "Grand Royal");
static const struct words common_nouns =
        WORDS("Bay", "Palace", "Garden", "Beach", "Park", "Sands", "Palm", "Palms", "View", "Wave", "Waves",
              "Cove", "Coast", "Lagoon", "Dolphin", "Marina", "Island", "Horizon", "Breeze", "Oasis", "Plaza",
              "Tower", "Village", "Gate", "Castle", "Pine", "Orchid", "Rose", "Lotus", "Riviera", "Terrace",
              "Harbour", "Cliff", "Shore", "Sun", "Moon", "Pearl", "Gardens", "Residence", "Blue");

static const struct vocabulary {
	struct words adjectives, nouns, proper;
} vocabularies[DRG_FLAVOUR_COUNT] = {
	[DRG_FLAVOUR_ENGLISH] = { WORDS("Old", "Little", "Northern", "Quiet", "Upper", "New"),
	                          WORDS("Lodge", "House", "Mill", "Bridge", "Abbey", "Court", "Meadow",
	                                "Lake"),
	                          WORDS("Kingston", "Windermere", "Ashford", "St. George", "Victoria",
	                                "Wellington", "Clarence", "Hamilton", "Bristol", "Queen's", "Maple",
	                                "Oakwood", "Riverside", "Lakeside", "Sherwood", "Pemberton") },
	[DRG_FLAVOUR_TURKISH] = { WORDS("Mavi", "Altın", "Beyaz", "Yeşil", "Büyük", "Güneş", "Deniz", "Ak"),
	                          WORDS("Saray", "Bahçe", "Konak", "Yıldız", "Köşk", "Sahil", "Çiçek",
	                                "Kale"),
	                          WORDS("Sultan", "Kervansaray", "Orkide", "Defne", "Zeytin", "Nar", "Selçuk",
	                                "Efes", "Lykia", "Pamfilya", "Aspendos", "Topkapı", "Hürrem",
	                                "Çamlık", "Lara", "Şelale", "Kleopatra", "Mevlana", "Limon",
	                                "Turkuaz", "Yakamoz", "Gül") },
	[DRG_FLAVOUR_ARABIC] = { WORDS("Al", "Desert", "Red Sea", "Arabian", "Oriental", "Nubian"),
	                         WORDS("Nile", "Reef", "Dunes", "Pyramids", "Caravan", "Souk", "Minaret",
	                               "Falcon"),
	                         WORDS("Cleopatra", "Ramses", "Nefertiti", "Tutankhamun", "Sindbad",
	                               "Aladdin", "Scheherazade", "Sphinx", "Isis", "Al Mas", "Al Jazira",
	                               "Dar El Medina", "Sahara", "Jasmine", "Carthage", "Hannibal", "Amwaj",
	                               "Noor", "Zahra") },
	[DRG_FLAVOUR_GREEK] = { WORDS("Aegean", "Olympic", "Ionian", "Minoan", "Dorian", "Argo"),
	                        WORDS("Thalassa", "Kyma", "Akti", "Ammos", "Asteria", "Galini", "Petra",
	                              "Elia"),
	                        WORDS("Aphrodite", "Poseidon", "Apollo", "Athena", "Hermes", "Artemis",
	                              "Helios", "Odysseus", "Nefeli", "Kalypso", "Electra", "Ariadne",
	                              "Zorbas", "Agia Marina", "Kouros", "Knossos", "Lindia", "Philoxenia",
	                              "Esperides", "Mythos", "Delfinia", "Kastro") },
	[DRG_FLAVOUR_SPANISH] = { WORDS("Gran", "Playa", "Costa", "Sol", "Bahía", "Vista", "Nuevo", "Puerto"),
	                          WORDS("Dorada", "del Mar", "Marítimo", "Mirador", "Palmeras", "Cala",
	                                "Arenas", "Jardín"),
	                          WORDS("Don Pancho", "San Cristóbal", "Santa Mónica", "Cervantes",
	                                "Flamenco", "La Paloma", "El Dorado", "Isabel", "Las Rocas",
	                                "Los Delfines", "Montaña Roja", "Reina Sofía", "Tropicana",
	                                "Bougainvillea", "Los Ángeles", "Caribe", "Tucán", "Cayo Blanco",
	                                "Sevilla", "Alhambra") },
	[DRG_FLAVOUR_ITALIAN] = { WORDS("Bel", "Bella", "Villa", "Nuovo", "Grande", "Porto"),
	                          WORDS("Vista", "Mare", "Sole", "Riviera", "Lido", "Fontana", "Giardino",
	                                "Torre"),
	                          WORDS("Adriatico", "San Marco", "Leonardo", "Michelangelo", "Garibaldi",
	                                "Excelsior", "Miramare", "Santa Lucia", "Cavour", "Stella Marina",
	                                "Al Gabbiano", "La Perla", "Du Lac", "Ambasciatori", "Vesuvio",
	                                "Medusa", "Gemma", "Portofino", "Bernini", "Tritone") },
	[DRG_FLAVOUR_GERMAN] = { WORDS("Alpen", "Berg", "Alte", "Schöne", "Sonnen", "Wald"),
	                         WORDS("Hof", "Blick", "Schlössl", "Stub'n", "Wiese", "Tal", "Krone", "Post"),
	                         WORDS("Edelweiß", "Enzian", "Zum Löwen", "Goldener Adler", "Kaiserhof",
	                               "Steinbock", "Tirolerhof", "Bergkristall", "Zur Post", "Sonnenalp",
	                               "Grüner Baum", "Weißes Rössl", "Alpenrose", "Jägerhof",
	                               "Gletscherblick", "Müllerhof", "Kitzhof", "Bären", "Seeblick",
	                               "Kronprinz") },
	[DRG_FLAVOUR_FRENCH] = { WORDS("Beau", "Belle", "Petit", "Grand", "Vieux", "Le"),
	                         WORDS("Rivage", "Château", "Jardin", "Plage", "Soleil", "Port", "Moulin",
	                               "Étoile"),
	                         WORDS("Méditerranée", "Napoléon", "Mirabeau", "Les Lavandes", "Côte d'Azur",
	                               "Bellevue", "Saint-Honoré", "Le Provençal", "Mont Blanc",
	                               "Les Flots Bleus", "Belle Époque", "Victor Hugo", "Lafayette",
	                               "La Réserve", "L'Hermitage", "Les Glycines", "Beauséjour",
	                               "Le Phare") },
	[DRG_FLAVOUR_EASTERN] = { WORDS("Zoloty", "Stary", "Nova", "Bila", "Zelena", "Kryshtaleva"),
	                          WORDS("Hora", "Perlyna", "Zirka", "Dzherelo", "Dvir", "Smereka", "Khutir",
	                                "Zatyshok"),
	                          WORDS("Karpaty", "Dnister", "Bogatyr", "Smerichka", "Edem", "Chornohora",
	                                "Kalyna", "Hetman", "Kozatsky", "Lybid", "Berezka", "Viktoria",
	                                "Magnolia", "Rus", "Kolyba", "Shevchenko", "Aivazovsky", "Kolkhida",
	                                "Iveria", "Ala-Tau") },
	[DRG_FLAVOUR_CENTRAL] = { WORDS("Stary", "Złoty", "Biały", "Górski", "Zlatá", "Modrá"),
	                          WORDS("Dwór", "Zdrój", "Młyn", "Dolina", "Potok", "Perła", "Zámek", "Růže"),
	                          WORDS("Morskie Oko", "Bursztyn", "Tatry", "Neptun", "Kasprowy", "Gubałówka",
	                                "Pod Lipami", "Sokolica", "Jantar", "Królewski", "Bałtyk", "Panorama",
	                                "Praha", "Krakonoš", "Jelení", "Kolonáda", "Gintaras", "Rigas") },
	[DRG_FLAVOUR_BALKAN] = { WORDS("Zlatna", "Stari", "Bela", "Plava", "Nova", "Gorna"),
	                         WORDS("Perla", "Zora", "Gora", "More", "Zvezda", "Kamen", "Sokol", "Uvala"),
	                         WORDS("Kaliakra", "Orlovets", "Adria", "Slavija", "Iskar", "Balkan",
	                               "Jadran", "Sveti Nikola", "Kamelia", "Trakia", "Rodopi", "Dalmacija",
	                               "Avala", "Kuban", "Evrika", "Lipa", "Mogren", "Riviera", "Kotva",
	                               "Sveti Stefan") },
	[DRG_FLAVOUR_ASIAN] = { WORDS("Siam", "Jade", "Andaman", "Zen", "Oriental", "Bamboo"),
	                        WORDS("Lotus", "Pagoda", "Temple", "Dragon", "Elephant", "Frangipani",
	                              "Spice", "Lantern"),
	                        WORDS("Baan Talay", "Ananda", "Chandra", "Dewi", "Phu Thai", "Saigon",
	                              "Ramayana", "Sawasdee", "Suan Dok", "Rattana", "Kinnaree", "Bunga Raya",
	                              "Hoa Sen", "Mandara", "Nirvana", "Padma", "Chao Phraya", "Mango Tree",
	                              "Ganesha", "Taprobane") },
	[DRG_FLAVOUR_TROPICAL] = { WORDS("Tropical", "Exotic", "Turquoise", "Hidden", "Barefoot", "Equator"),
	                           WORDS("Atoll", "Reef", "Turtle", "Coconut", "Mangrove", "Hibiscus",
	                                 "Banyan", "Manta"),
	                           WORDS("Robinson Cay", "Kuredhoo", "Veligandu Kandu", "Bougainville",
	                                 "Flamboyant", "Pirate's Nest", "Blue Marlin", "Baobab", "Safari",
	                                 "Zanzi", "Kilima", "Mahogany", "Casuarina", "Sea Urchin", "Dhoni",
	                                 "Frigate", "Pelican", "Takamaka") },
};

/* clang-format off */
const struct drg_synth_type drg_synth_types[] = {
	/* hotel type, category, weight, words in English, Ukrainian, Russian, German, Polish, Turkish,
	 * French, Spanish, Italian */
	{ "Hotel",          NULL,         300, { "Hotel", "Готель", "Отель", NULL, NULL, "Otel", "Hôtel",
		NULL, NULL } },
	{ "Resort",         NULL,         110, { "Resort", "Резорт", "Резорт", NULL, NULL, "Tatil Köyü", NULL,
		NULL, NULL } },
	{ "Resort",         NULL,          90, { "Resort & Spa", "Резорт і Спа", "Резорт и Спа", NULL, NULL,
		NULL, "Resort et Spa", "Resort y Spa", NULL } },
	{ "Beach hotel",    NULL,          60, { "Beach Hotel", "Біч Готель", "Бич Отель", "Strandhotel",
		NULL, "Plaj Oteli", NULL, NULL, NULL } },
	{ "Spa hotel",      NULL,          50, { "Hotel & Spa", "Готель і Спа", "Отель и Спа", NULL, NULL,
		"Otel & Spa", "Hôtel & Spa", NULL, NULL } },
	{ "Aparthotel",     NULL,          40, { "Suites", "Сьютс", "Сьютс", NULL, NULL, NULL, NULL, NULL,
		NULL } },
	{ "Aparthotel",     "Apartments",  60, { "Apartments", "Апартаменти", "Апартаменты", NULL,
		"Apartamenty", "Apart", "Appartements", "Apartamentos", "Appartamenti" } },
	{ "Aparthotel",     NULL,          35, { "Aparthotel", "Апарт-готель", "Апарт-отель", NULL, NULL,
		"Apart Otel", NULL, NULL, NULL } },
	{ "Villa",          "Villa",       18, { "Villas", "Вілли", "Виллы", NULL, "Wille", NULL, NULL, NULL,
		"Ville" } },
	{ "Villa",          "Villa",       22, { "Villa", "Вілла", "Вилла", NULL, "Willa", NULL, NULL, NULL,
		NULL } },
	{ "Hotel",          NULL,          28, { "Inn", "Інн", "Инн", "Gasthof", "Zajazd", NULL, "Auberge",
		"Posada", "Locanda" } },
	{ "Guest house",    "Unrated",     45, { "Guest House", "Гостьовий Дім", "Гостевой Дом", "Gästehaus",
		"Pensjonat", "Pansiyon", "Maison d'Hôtes", "Hostal", "Pensione" } },
	{ "Hostel",         "Hostel",      14, { "Hostel", "Хостел", "Хостел", NULL, NULL, NULL, NULL,
		"Albergue", "Ostello" } },
	{ "Boutique hotel", "Boutique",    24, { "Boutique Hotel", "Бутик-готель", "Бутик-отель", NULL, NULL,
		"Butik Otel", NULL, NULL, NULL } },
	{ "Resort",         "HV-1",        22, { "Club Hotel", "Клаб Готель", "Клаб Отель", NULL, NULL,
		"Club Otel", "Club Hôtel", NULL, NULL } },
	{ "Resort",         "HV-2",        16, { "Holiday Village", "Холідей Вілідж", "Холидей Виладж",
		"Feriendorf", NULL, "Tatil Köyü", "Village Vacances", NULL, "Villaggio" } },
	{ "Aparthotel",     NULL,          30, { "Residence", "Резиденс", "Резиденс", "Residenz",
		"Rezydencja", "Rezidans", "Résidence", "Residencia", "Residenza" } },
	{ "Bungalow",       "Unrated",     10, { "Bungalows", "Бунгало", "Бунгало", NULL, NULL, NULL, NULL,
		NULL, NULL } },
	{ "Sanatorium",     "Unrated",      6, { "Sanatorium", "Санаторій", "Санаторий", NULL, NULL, NULL,
		NULL, "Balneario", "Terme" } },
};
const unsigned drg_synth_n_types = DRG_ARRAY_LEN(drg_synth_types);

/* A adjective, N noun, P proper name, H chain, C city, T type. */
static const struct {
	const char *roles;
	uint32_t weight;
} templates[] = {
	{ "ANT", 22 }, { "PNT", 14 }, { "PT", 14 }, { "TP", 9 },  { "HAN", 8 }, { "APT", 8 }, { "HCT", 6 },
	{ "HC", 4 },   { "ACT", 4 },  { "CAN", 3 }, { "HPT", 3 }, { "CPT", 3 }, { "TPN", 2 },
};
/* clang-format on */

static const char *synth_names_pick(struct drg_rng *r, const struct words *list)
{
	return list->w[drg_rng_below(r, list->n)];
}

/** A word of the country in two of five names, of anywhere otherwise. */
static const char *pick_either(struct drg_rng *r, const struct words *local, const struct words *common)
{
	return synth_names_pick(r, drg_rng_chance(r, 400) ? local : common);
}

static struct drg_synth_word make_word(struct drg_rng *r, char role, const struct vocabulary *v,
                                       struct drg_str city, unsigned type)
{
	switch (role) {
	case 'A':
		return (struct drg_synth_word){ DRG_ROLE_WORD, drg_str_c(pick_either(r, &v->adjectives,
			                                                             &common_adjectives)) };
	case 'N':
		return (struct drg_synth_word){ DRG_ROLE_WORD,
			                        drg_str_c(pick_either(r, &v->nouns, &common_nouns)) };
	case 'P': return (struct drg_synth_word){ DRG_ROLE_WORD, drg_str_c(synth_names_pick(r, &v->proper)) };
	case 'H': return (struct drg_synth_word){ DRG_ROLE_CHAIN, drg_str_c(synth_names_pick(r, &chains)) };
	case 'C': return (struct drg_synth_word){ DRG_ROLE_CITY, city };
	default: return (struct drg_synth_word){ DRG_ROLE_TYPE, drg_synth_type_word(type, DRG_LANG_EN) };
	}
}

struct drg_str drg_synth_type_word(unsigned type, enum drg_synth_lang lang)
{
	const char *const *word = drg_synth_types[type].word;
	return drg_str_c(word[lang] != NULL ? word[lang] : word[DRG_LANG_EN]);
}

void drg_synth_name_make(struct drg_rng *r, enum drg_synth_flavour flavour, struct drg_str city,
                         struct drg_synth_name *ret)
{
	const struct vocabulary *v = &vocabularies[flavour];
	ret->n = 0;
	ret->type = drg_rng_pick(r, &drg_synth_types[0].weight, sizeof drg_synth_types[0], drg_synth_n_types);
	uint32_t t = drg_rng_pick(r, &templates[0].weight, sizeof templates[0], DRG_ARRAY_LEN(templates));
	for (const char *role = templates[t].roles; *role != '\0'; role++) {
		struct drg_synth_word w = make_word(r, *role, v, city, ret->type);
		if (ret->n == 0 || !drg_str_eq(w.text, ret->w[ret->n - 1].text))
			ret->w[ret->n++] = w;
	}
	ret->was[0] = pick_either(r, &v->adjectives, &common_adjectives);
	ret->was[1] = synth_names_pick(r, &v->proper);
}
