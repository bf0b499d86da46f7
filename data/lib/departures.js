// dict dep_city: the cities with airports that tours start from. Their ids are those of GeoNames.
import { cityWeight } from './air.js';
import { compare, quotas } from './text.js';
import { DEPARTURES } from '../tables/departures.js';

/** `countryIds`: alpha-2 -> dict id. */
export function departureRecords(airCities, gazetteer, countryIds) {
  const records = [];
  for (const [country, count] of quotas(DEPARTURES)) {
    const cities = airCities.filter((c) => c.country === country && c.place && hasFlights(c));
    cities.sort((a, b) => cityWeight(b) - cityWeight(a) || compare(a.code, b.code));
    for (const { place } of cities.slice(0, count))
      records.push({ type: 'dict', kind: 'dep_city', id: place.id, name: gazetteer.names(place), country_id: countryIds.get(country) });
  }
  return records;
}

/** Large airports without flights today are kept: those of Ukraine will have them again. */
function hasFlights(city) {
  return city.airports.some((a) => a.scheduled || a.large);
}
