// dict city: destinations. The resorts of a country come first, its largest towns fill up the number that the table gives.
import { fold, quotas, rows } from './text.js';
import { DESTINATIONS, NO_DESTINATIONS } from '../tables/destinations.js';
import { EXTRA_RESORTS, RESORTS } from '../tables/resorts.js';

// A town this much smaller than a big city and within its reach is a suburb.
const SUBURB_RATIO = 3;
const BIG_CITY = 200000;
const reachKm = (population) => 10 + 10 * Math.sqrt(population / 1e6);
const MAX_REACH_KM = 55;

/** `countryIds`: alpha-2 -> dict id. Ids are those of GeoNames, negative for places of our own table. */
export function cityRecords(gazetteer, countryIds) {
  const resorts = resortsByCountry(gazetteer);
  return [...quotas(DESTINATIONS)].flatMap(([country, count]) => {
    const chosen = resorts.get(country) ?? [];
    addTowns(chosen, country, count, gazetteer);
    return chosen.map((c) => ({
      type: 'dict', kind: 'city', id: c.id, name: c.name, country_id: countryIds.get(country),
      is_resort: c.resort, lat: c.lat, lng: c.lng,
    }));
  });
}

/** country -> [{id, name, resort: true, lat, lng}] */
function resortsByCountry(gazetteer) {
  const map = new Map();
  const add = (country, resort) => map.set(country, [...(map.get(country) ?? []), { ...resort, resort: true }]);
  for (const [country, list] of rows(RESORTS))
    for (const entry of list.split(',')) {
      const [name, english] = entry.split('=').map((s) => s.trim());
      const place = gazetteer.find(country, name);
      if (!place) throw new Error(`tables/resorts.js: ${country} ${name} is not in GeoNames`);
      add(country, { ...spot(place), name: { ...gazetteer.names(place), en: english ?? name } });
    }
  for (const [id, country, name, lat, lng] of rows(EXTRA_RESORTS))
    add(country, { id: Number(id), name: gazetteer.namesWithoutPlace(country, name), lat: Number(lat), lng: Number(lng) });
  return map;
}

function addTowns(chosen, country, count, gazetteer) {
  const taken = new Set([...chosen.flatMap((c) => [c.id, fold(c.name.en)]), ...unwanted(country)]);
  for (const place of gazetteer.places) { // the largest first
    if (chosen.length >= count) return;
    if (place.country !== country || place.quarter || taken.has(place.id) || taken.has(fold(place.name))) continue;
    const name = gazetteer.names(place);
    if (taken.has(fold(name.en)) || isSuburb(place, gazetteer)) continue;
    taken.add(fold(name.en));
    chosen.push({ ...spot(place), name, resort: false });
  }
}

function unwanted(country) {
  return rows(NO_DESTINATIONS).filter(([c]) => c === country).flatMap(([, list]) => list.split(',').map(fold));
}

/** Çankaya is counted as a city but is a part of Ankara: no destination of its own. */
function isSuburb(place, gazetteer) {
  return !place.capital && gazetteer.near(place, MAX_REACH_KM).some(({ place: big, km }) =>
    big.population >= BIG_CITY && big.population >= SUBURB_RATIO * place.population && km <= reachKm(big.population));
}

function spot({ id, lat, lng }) {
  return { id, lat, lng };
}
