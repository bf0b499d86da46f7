// air_place: airports, and the cities that they serve.

// source_id: the IATA code read as a base-36 number, below 46,656; cities start here, as many codes mean both.
const CITY_OFFSET = 100000;

export function airRecords(cities, gazetteer) {
  return cities.flatMap((city) => {
    const population = city.place?.population ?? 0;
    const size = Math.round(40 * Math.log10(population + 1));
    const airports = city.own ? [] : city.airports; // those are in their metropolitan area
    return [cityRecord(city, size, gazetteer), ...airports.map((a) => airportRecord(a, city, size))];
  });
}

function airportRecord(airport, city, size) {
  return {
    type: 'air_place', source_id: parseInt(airport.code, 36), place: 'apt', code: airport.code,
    name: { en: airport.name }, city_code: city.code, country_code: airport.country,
    lat: airport.lat, lng: airport.lng, weight: airport.weight + size, icao_code: airport.icao,
  };
}

/** A city ranks above each of its airports: who types "lon" means London before Heathrow. */
function cityRecord(city, size, gazetteer) {
  return {
    type: 'air_place', source_id: CITY_OFFSET + parseInt(city.code, 36), place: 'city', code: city.code,
    name: city.place ? gazetteer.names(city.place) : gazetteer.namesWithoutPlace(city.country, city.name), country_code: city.country,
    lat: city.lat, lng: city.lng, weight: cityWeight(city, size),
  };
}

export function cityWeight(city, size = Math.round(40 * Math.log10((city.place?.population ?? 0) + 1))) {
  return city.airports[0].weight + 2 * size + 1;
}
