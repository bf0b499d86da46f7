// air_place: airports, and the cities that they serve.
import { familiarNames, islandNames, keywordNames, withOthers } from './other-names.js';

// source_id: the IATA code read as a base-36 number, below 46,656; cities start here, as many codes mean both.
const CITY_OFFSET = 100000;

/** `others`: id of a place in GeoNames -> its further names by language (other-names.js). */
export function airRecords(cities, gazetteer, others) {
  const islands = islandNames(), familiar = familiarNames();
  return cities.flatMap((city) => {
    const population = city.place?.population ?? 0;
    const size = Math.round(40 * Math.log10(population + 1));
    const airports = city.own ? [] : city.airports; // those are in their metropolitan area
    const own = [familiar.get(`${city.code}*`), islands.get(city.code)];
    return [cityRecord(city, size, cityNames(city, gazetteer, others, own)),
      ...airports.map((a) => airportRecord(a, city, size, familiar.get(a.code)))];
  });
}

function airportRecord(airport, city, size, familiar) {
  return {
    type: 'air_place', source_id: parseInt(airport.code, 36), place: 'apt', code: airport.code,
    name: withOthers({ en: airport.name }, familiar, keywordNames(airport.keywords)), city_code: city.code, country_code: airport.country,
    lat: airport.lat, lng: airport.lng, weight: airport.weight + size, icao_code: airport.icao,
  };
}

/** A city ranks above each of its airports: who types "lon" means London before Heathrow. */
function cityRecord(city, size, name) {
  return {
    type: 'air_place', source_id: CITY_OFFSET + parseInt(city.code, 36), place: 'city', code: city.code,
    name, country_code: city.country,
    lat: city.lat, lng: city.lng, weight: cityWeight(city, size),
  };
}

function cityNames(city, gazetteer, others, own) {
  const names = city.place ? gazetteer.names(city.place) : gazetteer.namesWithoutPlace(city.country, city.name);
  return withOthers(names, ...own, city.place && gazetteer.otherNames(city.place), others.get(city.place?.id));
}

export function cityWeight(city, size = Math.round(40 * Math.log10((city.place?.population ?? 0) + 1))) {
  return city.airports[0].weight + 2 * size + 1;
}
