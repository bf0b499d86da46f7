// air_place: airports, and the cities that they serve.
import { territoryNames } from './cldr.js';
import { familiarNames, islandNames, keywordNames, withOthers } from './other-names.js';
import { fold } from './text.js';

// source_id: the IATA code read as a base-36 number, below 46,656; cities start here, as many codes mean both.
const CITY_OFFSET = 100000;

/** `others`: id of a place in GeoNames -> its further names by language (other-names.js). */
export function airRecords(cities, gazetteer, others) {
  const islands = islandNames(), familiar = familiarNames(), nations = countryKeys(cities);
  const taken = new Set([...cities.map(cityKey), ...nations]);
  return cities.flatMap((city) => {
    const population = city.place?.population ?? 0;
    const size = Math.round(40 * Math.log10(population + 1));
    const airports = city.own ? [] : city.airports; // those are in their metropolitan area
    const own = [familiar.get(`${city.code}*`), islands.get(city.code)];
    return [cityRecord(city, size, cityNames(city, gazetteer, others, own, nations)),
      ...airports.map((a) => airportRecord(a, city, size, airportNames(a, city, gazetteer, familiar, taken)))];
  });
}

/** A country is found by its places, not by the one airport that lists call so. */
function countryKeys(cities) {
  const codes = new Set(cities.map((c) => c.country));
  return new Set([...codes].flatMap((code) => Object.values(territoryNames(code)).map(fold)));
}

const cityKey = (city) => fold(city.place?.name ?? city.name);

function airportNames(airport, city, gazetteer, familiar, taken) {
  const far = new Set(taken);
  far.delete(cityKey(city));
  const towns = airport.towns.filter(({ name }) => !far.has(fold(name)));
  return withOthers({ en: airport.name }, familiar.get(airport.code), { en: airport.others }, keywordNames(airport.keywords, far),
    ...towns.map((town) => listed(gazetteer.names(town))));
}

/** {en: name} as {en: [name]} */
const listed = (names) => Object.fromEntries(Object.entries(names).map(([lang, name]) => [lang, [name]]));

function airportRecord(airport, city, size, name) {
  return {
    type: 'air_place', source_id: parseInt(airport.code, 36), place: 'apt', code: airport.code,
    name, city_code: city.code, country_code: airport.country,
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

function cityNames(city, gazetteer, others, own, nations) {
  const names = city.place ? { ...differing(gazetteer, city.place), ...gazetteer.names(city.place) }
    : gazetteer.namesWithoutPlace(city.country, city.name);
  return withOthers(names, ...own, city.place && gazetteer.otherNames(city.place), furtherNames(others.get(city.place?.id), names, nations));
}

/** GeoNames' alternates; those in Cyrillic may be of any language, and are needed only where no Russian name is known. */
function furtherNames(others, names, nations) {
  const { ru = [], ...rest } = others ?? {};
  return names.ru ? rest : { ...rest, ru: ru.filter((name) => !nations.has(fold(name))) };
}

/** Its names in further languages where they are no English ones. */
function differing(gazetteer, place) {
  const english = fold(gazetteer.names(place).en);
  return Object.fromEntries(Object.entries(gazetteer.moreNames(place) ?? {}).filter(([, name]) => fold(name) !== english));
}

export function cityWeight(city, size = Math.round(40 * Math.log10((city.place?.population ?? 0) + 1))) {
  return city.airports[0].weight + 2 * size + 1;
}
