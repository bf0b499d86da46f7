// dict dep_city: the cities with airports that tours start from. Their ids are those of GeoNames.
import { cityWeight } from './air.js';
import { compare, quotas } from './text.js';
import { DEPARTURES, NO_DEPARTURES } from '../tables/departures.js';

/** `countryIds`: alpha-2 -> dict id. */
export function departureRecords(airCities, gazetteer, countryIds) {
  const records = [];
  for (const [country, count] of quotas(DEPARTURES)) {
    const cities = airCities.filter((c) => c.country === country && c.place && !c.own && hasFlights(c));
    cities.sort((a, b) => cityWeight(b) - cityWeight(a) || compare(a.code, b.code));
    for (const { place } of cities.slice(0, count))
      records.push({ type: 'dict', kind: 'dep_city', id: place.id, name: gazetteer.names(place), country_id: countryIds.get(country) });
  }
  return records;
}

const CLOSED = new Set(NO_DEPARTURES.split(' '));

function hasFlights(city) {
  return city.airports.some((a) => a.scheduled && !CLOSED.has(a.code));
}
