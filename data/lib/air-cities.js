// Which city an airport belongs to: our tables, then the city that the lists of airports name, then the neighbourhood.
import { compare, fold, rows } from './text.js';
import { distance } from './gazetteer.js';
import { AIRPORT_CITIES, METROPOLITAN } from '../tables/metropolitan.js';

const NAMED_KM = 120; // as far as a place may be that a list names
const SERVED_KM = 45; // of several names within this the largest place counts: "Brussels", and not "Zaventem"
const NEAR_KM = 40;   // a place that nobody names
const OWN_KM = 12;    // so far from the middle of its metropolitan area, a town is one of its own …
const OWN_POPULATION = 30000; // … with so many people: Baltimore beside Washington, Newark beside New York

/** [{code, country, place, name, lat, lng, airports, own}]: every airport is in exactly one of those that are not `own`.
 * place is null where GeoNames has no such city. `own`: the town of an airport that belongs to a metropolitan code. */
export function airCities(airports, gazetteer) {
  const metropolitan = metropolitanAirports(gazetteer);
  const table = new Map(rows(AIRPORT_CITIES).map(([code, country, name]) => [code, { country, name }]));
  const groups = new Map();
  const own = [];
  for (const airport of airports) {
    const metro = metropolitan.get(airport.code);
    const city = metro ?? chosen(table.get(airport.code), gazetteer) ?? cityOf(airport, gazetteer);
    const key = metro?.code ?? city.place?.id ?? `${airport.country}|${fold(city.name)}`;
    if (!groups.has(key)) groups.set(key, { metro: metro?.code, place: city.place, name: city.name, airports: [] });
    airport.towns = city.towns ?? [];
    groups.get(key).airports.push(airport);
    const town = metro && metro.code !== airport.code && ownTown(airport, metro.place, table, gazetteer);
    if (town) own.push({ place: town, airports: [airport], own: true });
  }
  return withOwn(joinMetropolitan(groups).map(toCity), own.map(toCity));
}

/** airport -> {code, place} */
function metropolitanAirports(gazetteer) {
  const map = new Map();
  for (const [code, country, name, list] of rows(METROPOLITAN)) {
    const place = gazetteer.find(country, name);
    for (const airport of list.split(' ')) map.set(airport, { code, place });
  }
  return map;
}

function chosen(entry, gazetteer) {
  if (!entry) return undefined;
  if (entry.name.startsWith('=')) return { name: entry.name.slice(1) };
  return { place: gazetteer.find(entry.country, entry.name) };
}

function ownTown(airport, middle, table, gazetteer) {
  const told = chosen(table.get(airport.code), gazetteer)?.place;
  if (told) return told;
  const { place } = cityOf({ ...airport, cities: airport.cities.slice(0, 1) }, gazetteer); // others name what it serves
  return place && place.id !== middle.id && place.population >= OWN_POPULATION && distance(place, middle) >= OWN_KM ? place : undefined;
}

/** A small airfield near London that the table does not name belongs to LON as well: one city, one item. */
function joinMetropolitan(groups) {
  const metroOf = new Map();
  for (const group of groups.values()) if (group.metro && group.place) metroOf.set(group.place.id, group);
  const kept = [];
  for (const group of groups.values()) {
    const home = group.metro || !group.place ? undefined : metroOf.get(group.place.id);
    if (home) home.airports.push(...group.airports);
    else kept.push(group);
  }
  return kept;
}

function toCity({ metro, place, name, airports, own = false }) {
  airports.sort((a, b) => b.weight - a.weight || compare(a.code, b.code));
  const [main] = airports;
  return {
    code: metro ?? main.code, country: place?.country ?? main.country, place: place ?? null, airports, own,
    name: place ? null : name, lat: place?.lat ?? main.lat, lng: place?.lng ?? main.lng,
  };
}

/** A town that is the city of smaller airports already takes the code of the one in the metropolitan area: Baltimore is BWI. */
function withOwn(cities, own) {
  const codes = new Set(cities.map((c) => c.code));
  const byPlace = new Map(cities.filter((c) => c.place).map((c) => [c.place.id, c]));
  const added = [];
  for (const town of own) {
    if (codes.has(town.code)) continue;
    codes.add(town.code);
    const there = byPlace.get(town.place.id);
    if (there) there.code = town.code;
    else byPlace.set(town.place.id, town) && added.push(town);
  }
  return [...cities, ...added];
}

/** {place, name, towns}: the city that the lists name for an airport, and what else near by they name: New Delhi, of Delhi's. Where
 * GeoNames has none of that name, the name alone; where nothing is named, the place whose size outweighs its distance, or the airport's own name. */
export function cityOf(airport, gazetteer) {
  const near = gazetteer.near(airport, NAMED_KM);
  const named = airport.cities.flatMap((name) => best(candidates(name, near, gazetteer)) ?? []);
  const served = named.filter(({ km }) => km <= SERVED_KM).sort((a, b) => b.place.population - a.place.population);
  const found = served[0] ?? named[0];
  if (found) return { place: found.place, towns: served.map(({ place }) => place).filter(({ id }) => id !== found.place.id) };
  if (airport.cities.length > 0) return { name: airport.cities[0].replace(/\s*([(/,]| - ).*/, '') || airport.cities[0] };
  const around = near.filter(({ km }) => km <= NEAR_KM).sort((a, b) => b.place.population / (b.km + 10) ** 2
    - a.place.population / (a.km + 10) ** 2 || a.place.id - b.place.id);
  return around.length > 0 ? { place: around[0].place } : { name: bareName(airport.name) };
}

/** The places that a list may mean by "Metz / Nancy" or "Paris (Roissy-en-France)": written alike, else nearly alike. */
function candidates(name, near, gazetteer) {
  for (const part of [name, ...name.split(/[(/,;)]|\s-\s/)]) {
    const wanted = fold(part);
    if (!wanted) continue;
    for (const alike of [same, nearly]) {
      const found = near.filter(({ place, km }) => (alike === same || km <= NEAR_KM)
        && [place.name, gazetteer.names(place).en].some((n) => alike(fold(n), wanted)));
      if (found.length > 0) return found;
    }
  }
  return [];
}

const same = (a, b) => a === b || a.replaceAll(' ', '') === b.replaceAll(' ', '');

/** "Bhubaneswar" and Bhubaneshwar, "Catamarca" and San Fernando del Valle de Catamarca. */
function nearly(a, b) {
  if (b.length < 5) return false;
  const words = a.split(' ');
  return b.split(' ').every((word) => words.includes(word)) || (a[0] === b[0] && edits(a, b, 2) <= (b.length > 7 ? 2 : 1));
}

/** How many letters differ, at most `most` + 1. */
function edits(a, b, most) {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length];
}

function best(list) {
  return list.sort((a, b) => b.place.population - a.place.population || a.km - b.km || a.place.id - b.place.id)[0];
}

/** 'Aiambak Airport' -> 'Aiambak', for places too small for GeoNames' list. */
function bareName(name) {
  const bare = name.replace(/\(.*?\)/g, '')
    .replace(/\b(international|regional|municipal|domestic|county|airport|airfield|airstrip|aerodrome|air base|seaplane base|heliport|intl\.?)(?=\W|$)/gi, '')
    .replace(/\s+/g, ' ').replace(/^[\s\-–/,]+|[\s\-–/,]+$/g, '');
  return bare || name;
}
