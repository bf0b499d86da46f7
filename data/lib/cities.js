// dict city: destinations. The resorts of a country come first, its largest towns fill up the number that the table gives.
import { fold, quotas, rows } from './text.js';
import { DESTINATIONS } from '../tables/destinations.js';
import { EXTRA_RESORTS, RESORTS } from '../tables/resorts.js';

const SUBURB_KM = 15;
const SUBURB_RATIO = 3;
const BIG_CITY = 200000;

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
      add(country, { ...spot(place), name: { ...gazetteer.names(place), ...(english && { en: english }) } });
    }
  for (const [id, country, name, lat, lng] of rows(EXTRA_RESORTS))
    add(country, { id: Number(id), name: { en: name }, lat: Number(lat), lng: Number(lng) });
  return map;
}

function addTowns(chosen, country, count, gazetteer) {
  const taken = new Set(chosen.flatMap((c) => [c.id, fold(c.name.en)]));
  for (const place of gazetteer.places) { // the largest first
    if (chosen.length >= count) return;
    if (place.country !== country || place.quarter || taken.has(place.id)) continue;
    const name = gazetteer.names(place);
    if (taken.has(fold(name.en)) || isSuburb(place, gazetteer)) continue;
    taken.add(fold(name.en));
    chosen.push({ ...spot(place), name, resort: false });
  }
}

/** Çankaya is counted as a city but is a part of Ankara: no destination of its own. */
function isSuburb(place, gazetteer) {
  return !place.capital && gazetteer.near(place, SUBURB_KM).some((n) =>
    n.place.population >= BIG_CITY && n.place.population >= SUBURB_RATIO * place.population);
}

function spot({ id, lat, lng }) {
  return { id, lat, lng };
}
