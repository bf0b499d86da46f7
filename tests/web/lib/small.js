// A small reference with two records of one hotel, suppliers' records at both, and names with script in them.
export const SCRIPT = "<img src=x onerror=alert(1)>Harbour";
const COUNTRY = 1, CITY = 10;
const hotel = (id, name, more) => ({ type: "dict", kind: "hotel", id, name, country_id: COUNTRY, city_id: CITY, hotel_category_id: 5, ...more });
const source = (adapter_id, id, name, dict_id) => ({ type: "source", adapter_id, kind: "hotel", id, name, country_id: "TR", city_id: "S", country_name: "Turkey", city_name: "Side", ...(dict_id ? { dict_id } : {}) });

export const RECORDS = [
  ...[1, 2, 3].map(id => ({ type: "adapter", id, code: `a${id}`, name: ["Aurora", "Boreal", "Cirrus"][id - 1], domain: "tour" })),
  { type: "dict", kind: "country", id: COUNTRY, name: { en: "Turkey", de: "Türkei", uk: "Туреччина" }, iso_alpha_2: "TR" },
  { type: "dict", kind: "hotel_category", id: 5, name: "5*" },
  { type: "dict", kind: "city", id: CITY, name: "Side", country_id: COUNTRY, is_resort: true },
  ...[1, 2, 3].flatMap(adapter_id => [{ type: "source", adapter_id, kind: "country", id: "TR", name: "TURKEY", dict_id: COUNTRY },
    { type: "source", adapter_id, kind: "city", id: "S", name: "Side", country_id: "TR", dict_id: CITY }]),
  hotel(100, "Sunny Palace Resort", { lat: 36.77, lng: 31.39, zip: "07330" }), hotel(101, "Sunny Palace", { lat: 36.7701, lng: 31.39, zip: "07331" }),
  hotel(102, SCRIPT), hotel(103, "Blue Lagoon 5"), hotel(104, "Quiet Garden"),
  hotel(105, "Twin House", { lat: 36.78, lng: 31.4 }), hotel(106, "TWIN-HOUSE", { lat: 36.781, lng: 31.4 }),
  source(1, "A-1", "SUNNY PALACE RESORT", 100), source(2, "B-1", "Sunny Palace Resort & Spa", 100), source(3, "C-1", "Sunny Palace", 101),
  source(1, "A-2", SCRIPT, 102), source(2, "B-2", "Blue Lagoon", 103),
  source(1, "A-3", "Twin House", 105), source(2, "B-3", "Twin House", 105), source(3, "C-3", "Twin House", 106),
  source(1, "A-9", `Seaside ${SCRIPT}`), source(2, "B-9", "Elsewhere Villas"), source(3, "C-9", "Garden of Nobody"), source(3, "C-8", "Lagoon 77"),
];
