#include "synth/address.h"

#include "base/compiler.h"

enum { KINDS = 3, STREETS = 12 };

/** How a country writes streets. */
static const struct manner {
	struct {
		const char *full, *brief;
	} kind[KINDS];
	bool kind_first; /**< "Calle Mayor", not "Main Street" */
	bool number_first; /**< "12 Main Street", not "Main Street 12" */
	const char *street[STREETS];
} manners[DRG_FLAVOUR_COUNT] = {
	/* clang-format off */
	[DRG_FLAVOUR_ENGLISH] = { { { "Street", "St." }, { "Road", "Rd" }, { "Avenue", "Ave" } }, false, true,
		{ "High", "Beach", "Station", "Church", "Marine", "Park", "Mill", "Harbour", "Bridge",
			"Ocean", "Queen's", "Lake" } },
	[DRG_FLAVOUR_TURKISH] = { { { "Caddesi", "Cad." }, { "Sokak", "Sok." }, { "Bulvarı", "Blv." } },
		false, false,
		{ "Atatürk", "Lara", "Cumhuriyet", "İskele", "Sahil", "Turizm", "Barbaros", "Gazi", "Çamyuva",
			"Yalı", "Liman", "Deniz" } },
	[DRG_FLAVOUR_ARABIC] = { { { "Street", "St" }, { "Road", "Rd." }, { "Corniche", "Corn." } }, false,
		true,
		{ "Sheraton", "El Nasr", "El Corniche", "Village", "Airport", "Al Salam", "El Mamsha",
			"Habib Bourguiba", "Al Wasl", "Hassan II",
		  "Safaga", "El Dahar" } },
	[DRG_FLAVOUR_GREEK] = { { { "Street", "Str." }, { "Avenue", "Av." }, { "Square", "Sq." } }, false,
		false,
		{ "Leoforos Kallitheas", "Venizelou", "Poseidonos", "Akti Miaouli", "Eleftherias",
			"Agiou Nikolaou", "Papandreou", "Kanari",
		  "Amerikis", "Nissi", "Dimokratias", "Paralia" } },
	[DRG_FLAVOUR_SPANISH] = { { { "Calle", "C/" }, { "Avenida", "Avda." }, { "Paseo", "Pº" } }, true, false,
		{ "Mayor", "del Mar", "de la Playa", "San Juan", "Marítimo", "de las Palmeras", "Cervantes",
			"Juan Carlos I", "del Sol", "Cuba",
		  "Bulevar Kukulcán", "Colón" } },
	[DRG_FLAVOUR_ITALIAN] = { { { "Via", "V." }, { "Viale", "V.le" }, { "Piazza", "P.za" } }, true, false,
		{ "Roma", "Garibaldi", "Dante", "Regina Elena", "Vespucci", "Nazario Sauro", "Marconi",
			"delle Rose", "Cavour", "Lungomare", "Tasso",
		  "Mazzini" } },
	[DRG_FLAVOUR_GERMAN] = { { { "Straße", "Str." }, { "Weg", "W." }, { "Platz", "Pl." } }, false, false,
		{ "Haupt", "Dorf", "Bahnhof", "Berg", "Kirchen", "See", "Wiesen", "Schloss", "Alpen", "Kur",
			"Post", "Linden" } },
	[DRG_FLAVOUR_FRENCH] = { { { "Rue", "R." }, { "Avenue", "Av." }, { "Boulevard", "Bd" } }, true, true,
		{ "de la Plage", "de la Gare", "Victor Hugo", "du Port", "des Anglais", "de la République",
			"Saint-Michel", "du Général Leclerc",
		  "des Lilas", "du Château", "de Verdun", "Pasteur" } },
	[DRG_FLAVOUR_EASTERN] = { { { "vulytsia", "vul." }, { "bulvar", "bul." }, { "ploshcha", "pl." } },
		true, false,
		{ "Shevchenka", "Zamkova", "Parkova", "Morska", "Sonyachna", "Franka", "Rustaveli",
			"Lesi Ukrainky", "Naberezhna", "Hirska",
		  "Chavchavadze", "Abaya" } },
	[DRG_FLAVOUR_CENTRAL] = { { { "ulica", "ul." }, { "aleja", "al." }, { "plac", "pl." } }, true, false,
		{ "Kościuszki", "Krupówki", "Mickiewicza", "Nadmorska", "Lázeňská", "Zdrojowa",
			"Piłsudskiego", "Hlavní", "Leśna",
		  "Masarykova", "Słoneczna", "Zamkowa" } },
	[DRG_FLAVOUR_BALKAN] = { { { "ulica", "ul." }, { "bulevar", "bul." }, { "trg", "tg." } }, true, false,
		{ "Slavyanska", "Obala", "Primorska", "Jadranska", "Slovenska", "Kralja Tomislava", "Vitosha",
			"Ivan Vazov", "Mediteranska",
		  "Svetog Stefana", "Hristo Botev", "Šetalište" } },
	[DRG_FLAVOUR_ASIAN] = { { { "Road", "Rd." }, { "Street", "St." }, { "Soi", "S." } }, false, true,
		{ "Thaweewong", "Beach", "Tran Phu", "Jalan Pantai Kuta", "Rat-U-Thit", "Sukhumvit",
			"Nguyen Hue", "Jalan Legian", "Galle", "Chaweng",
		  "Monkey Forest", "Vo Nguyen Giap" } },
	[DRG_FLAVOUR_TROPICAL] = { { { "Road", "Rd" }, { "Magu", "Mg." }, { "Drive", "Dr." } }, false, false,
		{ "Coastal", "Beach", "Ziyaaraiy", "Coral", "Sunset", "Palm", "Royal", "Lagoon", "Mombasa",
			"Harbour", "Reef", "Anse" } },
	/* clang-format on */
};

void drg_synth_address_make(struct drg_rng *r, enum drg_synth_flavour flavour, struct drg_synth_address *ret)
{
	ret->flavour = flavour;
	ret->kind = drg_rng_chance(r, 700) ? 0 : drg_rng_below(r, KINDS);
	ret->street = manners[flavour].street[drg_rng_below(r, STREETS)];
	ret->number = drg_rng_chance(r, 900) ? 1 + drg_rng_below(r, drg_rng_chance(r, 800) ? 80 : 400) : 0;
}

static void add_c(struct drg_buf *out, const char *text)
{
	drg_buf_str(out, drg_str_c(text));
}

static void add_street(const struct manner *m, const char *street, const char *kind, struct drg_buf *out)
{
	add_c(out, m->kind_first ? kind : street);
	drg_buf_char(out, ' ');
	add_c(out, m->kind_first ? street : kind);
}

void drg_synth_address_write(const struct drg_synth_address *a, enum drg_synth_address_form form,
                             struct drg_str city, struct drg_buf *out)
{
	const struct manner *m = &manners[a->flavour];
	bool brief = form == DRG_ADDRESS_SHORT || form == DRG_ADDRESS_WITH_CITY;
	const char *kind = brief ? m->kind[a->kind].brief : m->kind[a->kind].full;
	bool numbered = a->number > 0 && form != DRG_ADDRESS_NO_NUMBER;
	if (numbered && m->number_first) {
		drg_buf_i64(out, a->number);
		drg_buf_char(out, ' ');
	}
	add_street(m, a->street, kind, out);
	if (numbered && !m->number_first) {
		drg_buf_char(out, ' ');
		drg_buf_i64(out, a->number);
	}
	if (form == DRG_ADDRESS_WITH_CITY) {
		drg_buf_lit(out, ", ");
		drg_buf_str(out, city);
	}
}
