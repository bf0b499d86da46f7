// The airports that have an IATA code (npm airport-data-js).
import { npm } from './packages.js';
import { clean, rows } from './text.js';
import { AIRPORT_NAMES, BUSIEST } from '../tables/airports.js';

// A code alone is often that of a railway station, a pier or a heliport, or of nothing that still exists:
// an airport also has an ICAO code or a runway whose length is known.
const isAirport = (a) => Boolean(a.icao || a.runway_length);
const NO_AIRPORT = /\b(rail|railway|train|bus|ferry)\b.*\b(station|terminal)\b|^null$|\bduplicate\b|\bclosed\b/i;
const TYPE_WEIGHT = { large_airport: 400, medium_airport: 200, small_airport: 60, seaplane_base: 40, heliport: 30 };
const SCHEDULED_WEIGHT = 200;

/** [{code, icao, name, country, lat, lng, weight, scheduled, large}] of the countries in `known` (a Set of alpha-2 codes). */
export async function airports(known) {
  const names = new Map(rows(AIRPORT_NAMES));
  const busiest = new Map(BUSIEST.trim().split(/\s+/).map((code, i, all) => [code, all.length - i]));
  return (await npm('airport-data-js').findAirports({})).filter((a) => usable(a, known)).map((a) => ({
    code: a.iata, icao: /^[A-Z]{4}$/.test(a.icao) ? a.icao : undefined,
    name: names.get(a.iata) ?? clean(a.airport),
    country: a.country_code,
    lat: a.latitude, lng: a.longitude,
    scheduled: a.scheduled_service === 'TRUE',
    large: a.type === 'large_airport',
    weight: (TYPE_WEIGHT[a.type] ?? 0) + (a.scheduled_service === 'TRUE' ? SCHEDULED_WEIGHT : 0) + 4 * (busiest.get(a.iata) ?? 0),
  }));
}

function usable(a, known) {
  return /^[A-Z]{3}$/.test(a.iata) && known.has(a.country_code) && isAirport(a) && clean(a.airport ?? '') && !NO_AIRPORT.test(a.airport)
    && Math.abs(a.latitude) <= 90 && Math.abs(a.longitude) <= 180 && !(a.latitude === 0 && a.longitude === 0);
}
