// Which city an airport belongs to. The airport package does not say, so: our tables, then the name, then the neighbourhood.
import { compare, fold, rows } from './text.js';
import { AIRPORT_CITIES, METROPOLITAN } from '../tables/metropolitan.js';

const NAMED_KM = 80;  // a city in the airport's name
const NEAR_KM = 50;   // any other city

/** [{code, country, place, name, lat, lng, airports}]: every airport is in exactly one; place is null where no city is near. */
export function airCities(airports, gazetteer) {
  const metropolitan = metropolitanAirports(gazetteer);
  const placed = new Map(rows(AIRPORT_CITIES).map(([code, country, name]) => [code, gazetteer.find(country, name)]));
  const groups = new Map();
  for (const airport of airports) {
    const metro = metropolitan.get(airport.code);
    const place = metro?.place ?? placed.get(airport.code) ?? cityOf(airport, gazetteer);
    const key = metro?.code ?? (place ? place.id : airport.code);
    if (!groups.has(key)) groups.set(key, { metro: metro?.code, place, airports: [] });
    groups.get(key).airports.push(airport);
  }
  return joinMetropolitan(groups).map(toCity);
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

function toCity({ metro, place, airports }) {
  airports.sort((a, b) => b.weight - a.weight || compare(a.code, b.code));
  const [main] = airports;
  return {
    code: metro ?? main.code, country: place?.country ?? main.country, place, airports,
    name: place ? null : bareName(main.name),
    lat: place?.lat ?? main.lat, lng: place?.lng ?? main.lng,
  };
}

/** 'Aiambak Airport' -> 'Aiambak', for places too small for GeoNames' list. */
function bareName(name) {
  const bare = name.replace(/\(.*?\)/g, '')
    .replace(/\b(international|regional|municipal|domestic|county|airport|airfield|airstrip|aerodrome|air base|seaplane base|heliport|intl\.?)(?=\W|$)/gi, '')
    .replace(/\s+/g, ' ').replace(/^[\s\-–/,]+|[\s\-–/,]+$/g, '');
  return bare || name;
}

/** The largest city that the airport is named after, otherwise the one whose size outweighs its distance; undefined if none. */
export function cityOf(airport, gazetteer) {
  const name = ` ${fold(airport.name)} `;
  const near = gazetteer.near(airport, NAMED_KM);
  const named = near.filter(({ place }) => name.includes(` ${fold(place.name)} `)
    || name.includes(` ${fold(gazetteer.names(place).en)} `));
  const best = heaviest(named, ({ place, km }) => (place.population + 1) / (km + 20))
    ?? heaviest(near.filter(({ km }) => km <= NEAR_KM), ({ place, km }) => (place.population + 1) / (km + 10) ** 2);
  return best?.place;
}

function heaviest(list, weigh) {
  let best;
  let most = -1;
  for (const item of list) {
    const weight = weigh(item);
    if (weight > most || (weight === most && item.place.id < best.place.id)) [best, most] = [item, weight];
  }
  return best;
}
