// Reads every answer of the two APIs as a team writes it by hand: zod, a member that the schema lacks is an error, and nothing is
// nullable but what docs/contract.md's table of nulls says. In JavaScript, ids are as exact as its numbers are.
// node reader.mjs FILE: lines of an operation, a tab, the body. node reader.mjs: requests to the server of BASE.
import fs from "node:fs";
import { z } from "zod";

const o = z.strictObject, id = z.number(), text = z.string(), texts = z.record(text, text), orNull = what => what.nullable();
const api = (data, more = {}) => o({ status: z.literal("success"), data, ...more });
const mapOf = what => z.record(text, what), named = o({ id, name: text }), kinds = shape => o(Object.fromEntries(
  ["country", "dep_city", "currency", "city", "meal", "hotel_category", "hotel"].map(kind => [kind, shape(kind).optional()])));

// API A
const described = { id, name: text, description: orNull(text).optional() }, digits = z.string().regex(/^-?\d+$/);
const operators = mapOf(o({ id, name: text, code: text })), cityCountry = o({ id, name: text, iso_alpha_2: text });
const main = o({ data: o({
  operators, countries: mapOf(o({ id, name: text, iso_alpha_2: text, ico: o({ "1x1": text, "4x3": text }) })),
  dep_cities: mapOf(o({ id, name: text, country: cityCountry })), hotel_categories: mapOf(o(described)), meals: mapOf(o(described)),
  currencies: mapOf(o({ id, name: text, iso_code: text })),
}) });
const hotels = o({ data: o({
  operators, cities: mapOf(o({ id, title: text, country_id: digits, country_title: text })), resorts: mapOf(named),
  hotels: mapOf(o({ id, name: text, country_id: digits, city_id: digits, hotel_category: o(described) })),
}) });

// API B
const adapter = o({ id, code: text, name: text });
const reference = api(o({ operator: z.array(named), country: z.array(named), dep_city: z.array(o({ id, name: text, country: named })),
  hotel_category: z.array(o(described)), meal: z.array(o(described)), currency: z.array(named) }), { items: z.array(o({ kind: text, id, name: text })) });
const referenceData = api(o({ city: z.array(o({ id, name: text, country_id: id })),
  hotel: z.array(o({ id, name: text, country_id: id, city_id: id, hotel_category: o(described) })) }));
const dicts = {
  currency: o({ id, iso_code: text, name: text }), meal: o({ id, name: text, description: orNull(text) }),
  hotel: o({ id, name: text, country_id: id, country_name: orNull(text), city_id: id, city_name: orNull(text), hotel_category_id: id, hotel_category_name: orNull(text) }),
};
const sources = {
  currency: o({ id: text, name: text, iso_code: orNull(text) }),
  hotel: o({ id: text, name: text, category_id: orNull(text), category_title: orNull(text), country_id: orNull(text), country_title: orNull(text),
    city_id: orNull(text), city_title: orNull(text) }),
};
const sourceInfo = api(kinds(kind => z.array(o({ id: text, source: orNull(sources[kind] ?? o({ id: text, name: text })), dict: orNull(dicts[kind] ?? named) }))));
const orig = { dict_id: id, orig_id: z.union([id, text]) };
const sourceData = api(o({ adapter, dep_city: orNull(o(orig)), country: orNull(o(orig)), city: z.array(o({ ...orig, is_resort: z.boolean() })), hotel: z.array(o(orig)),
  hotel_category: z.array(o({ ...orig, orig_title: text })), meal: z.array(o({ ...orig, orig_title: text })),
  currency: orNull(o({ dict_id: id, orig_id: text, orig_iso_code: orNull(text), orig_title: text })) }));
const hotelCheck = api(z.array(o({ hotel_orig_id: text, adapter_id: id, adapter: o({ code: text, name: text }) })));
const hotelDescription = api(o({
  adapter: o({ id, code: text, name: text, logo: orNull(text) }),
  hotel: orNull(o({ id, title: text, country: texts, city: texts, hotel_category: orNull(text), lat: orNull(z.number()), lng: orNull(z.number()), hotel_type: texts,
    address: orNull(text), zip: orNull(text) })),
  orig_hotel: o({ orig_id: text, title: text, country: orNull(text), city: orNull(text), hotel_category: orNull(text), address: orNull(text), check_in: orNull(text),
    check_out: orNull(text), room_count: orNull(z.int()), url: orNull(text), zip: orNull(text), lat: orNull(z.number()), lng: orNull(z.number()) }),
  hotel_description: z.array(o({ type: texts, orig_type: texts, orig_description: texts })),
  hotel_facility: z.array(o({ facility_group: texts, orig_facility_group: texts,
    data: z.array(o({ facility_type: texts, orig_facility_type: texts, value_type: orNull(text), value: orNull(text) })) })),
  hotel_photo: z.array(o({ url_orig: text, is_main: z.boolean() })),
}));
const sent = {
  currency: sources.currency, city: o({ id: text, name: text, is_resort: z.boolean(), country_id: orNull(text), country_name: orNull(text) }),
  hotel: o({ id: text, name: text, category_id: orNull(text), category_name: text, country_id: orNull(text), country_name: text, city_id: orNull(text), city_name: text }),
};
const elementError = o({ error: o({ code: z.literal(400), reason: text, message: text }) });
const sourceAdd = api(kinds(kind => mapOf(z.union([o({ source: sent[kind] ?? o({ id: text, name: text }), dict: z.null() }), elementError])))
  .extend({ language: text, adapter }));
const part = o({ id: orNull(id), name: orNull(text) }), found = { id: orNull(id), name: text };
const matched = { currency: o({ ...found, iso_code: orNull(text) }), hotel: o({ ...found, hotel_category: part, country: part, city: part }) };
const tourCompared = api(kinds(kind => mapOf(matched[kind] ?? o(found))).extend({ language: text, adapter }));

// air
const codeTitle = o({ code: text, title: text }), coordinates = o({ lat: z.number(), lng: z.number() }), airAdapter = o({ id, code: text, title: text });
const place = { source_id: id, language: text, type: text, code: text, title: text, city: orNull(codeTitle), country: codeTitle, coordinates: orNull(coordinates) };
const aviaDetail = api(o({ adapters: mapOf(airAdapter), items: mapOf(o({ ...place, adapters: z.array(o({ adapter_id: id, data: z.record(text, z.unknown()) })) })) }));
const aviaCompared = api(o({
  language: text,
  request: o({ lang_code: text, iata_code: orNull(text), external_id: orNull(z.union([id, text])), title: orNull(text), adapter: airAdapter }),
  compared: o(Object.fromEntries(Object.entries(place).map(([name, what]) => [name, name === "language" ? what : what.nullable()]))),
}));

const error = o({ status: z.literal("error"), error: o({ code: z.int(), reason: text, field: orNull(text), message: text }) });
const SCHEMAS = { mainReferences: main, mainReferencesOfCountry: main, hotelReferences: hotels, reference, referenceData, sourceInfo, sourceData, hotelCheck,
  hotelDescription, sourceAdd, tourCompared, aviaReference: api(o({ items: z.array(o(place)) })), aviaDetail, aviaCompared, aviaComparedIn: aviaCompared, error };

function readAll(file) {
  const count = {};
  for (const line of fs.readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    const [operation, body] = line.split(/\t(.*)/s), read = SCHEMAS[operation].safeParse(JSON.parse(body));
    if (!read.success) {
      console.error(`${operation}: ${z.prettifyError(read.error)}\n  ${body}`);
      process.exit(1);
    }
    count[operation] = (count[operation] ?? 0) + 1;
  }
  return count;
}

async function askAll({ BASE, KEY_A, KEY_B, KEY_FEW, SECRET_FEW }) {
  const b = { headers: { "X-Service-Api-Key": KEY_B } }, list = await fetch(`${BASE}/v1/tour/reference`, b);
  const meals = reference.parse(await list.json()).data.meal.length;
  const again = await fetch(`${BASE}/v1/tour/reference`, { headers: { ...b.headers, "If-None-Match": list.headers.get("ETag") } });
  const none = await fetch(`${BASE}/v1/tour/hotelDescription?adapter_id=999&hotel_orig_id=1`, b), refused = error.parse(await none.json()).error;
  const empty = await fetch(`${BASE}/api/v1/tour/hotel-references?dep_city=11&country=1`, { headers: { "X-Api-Key": KEY_A } });
  const found = hotels.parse(await empty.json()).data;
  const many = await fetch(`${BASE}/v1/tour/sourceAdd`, { method: "POST", body: JSON.stringify({ adapter_id: 7, lang_code: "en", meal: [{ id: 1, name: "A" }, { id: 2, name: "B" }] }),
    headers: { "Content-Type": "application/json", "X-Service-Api-Key": KEY_FEW, "X-Service-Api-Secret": SECRET_FEW } });
  const told = error.parse(await many.json()).error;
  return { meals, unchanged: [again.status, await again.text()], refused: [none.status, refused.reason, refused.field],
    empty: Object.values(found).map(map => Object.keys(map).length), limited: [many.status, told.reason, /^\d+$/.test(many.headers.get("Retry-After"))] };
}

console.log(JSON.stringify(process.argv[2] ? readAll(process.argv[2]) : await askAll(process.env)));
