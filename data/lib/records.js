// All records of reference.ndjson, in their order.
import { airCities } from './air-cities.js';
import { airRecords } from './air.js';
import { airports } from './airports.js';
import { cityRecords } from './cities.js';
import { countries, countryRecords } from './countries.js';
import { currencyRecords } from './currencies.js';
import { departureRecords } from './departures.js';
import { Gazetteer } from './gazetteer.js';
import { otherNames } from './other-names.js';
import { termRecords } from './terms.js';
import { compare } from './text.js';

export async function referenceRecords(isoFolder) {
  const list = countries(isoFolder);
  const ids = new Map(list.map((c) => [c.code, c.id]));
  const gazetteer = new Gazetteer();
  const cities = airCities(await airports(new Set(ids.keys())), gazetteer);
  const others = await otherNames(new Set(cities.flatMap((c) => c.place?.id ?? [])));
  return [
    ...countryRecords(list),
    ...currencyRecords(isoFolder),
    ...departureRecords(cities, gazetteer, ids),
    ...cityRecords(gazetteer, ids),
    ...termRecords(),
    ...airRecords(cities, gazetteer, others),
  ].sort(byIdentity);
}

function byIdentity(a, b) {
  return compare(a.type, b.type) || compare(a.kind ?? '', b.kind ?? '') || (a.id ?? a.source_id) - (b.id ?? b.source_id);
}

/** One line each; the members stand in the order in which the records were made, `type` first. */
export function toNdjson(records) {
  return records.map((r) => `${JSON.stringify(r)}\n`).join('');
}
