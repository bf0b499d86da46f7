// The tables: every line says something that the build uses.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Gazetteer, distance } from '../lib/gazetteer.js';
import { LANGUAGES } from '../lib/cldr.js';
import { fold, quotas, rows } from '../lib/text.js';
import { AIRPORT_NAMES, BUSIEST } from '../tables/airports.js';
import { CITY_NAMES } from '../tables/city-names.js';
import { DEPARTURES } from '../tables/departures.js';
import { DESTINATIONS, NO_DESTINATIONS } from '../tables/destinations.js';
import { FAMILIAR } from '../tables/familiar.js';
import { FACILITIES } from '../tables/facilities.js';
import { DESCRIPTION_TYPES, FACILITY_GROUPS, HOTEL_CATEGORIES, HOTEL_TYPES } from '../tables/hotel-terms.js';
import { MEALS } from '../tables/meals.js';
import { AIRPORT_CITIES, METROPOLITAN } from '../tables/metropolitan.js';
import { EXTRA_RESORTS, RESORTS } from '../tables/resorts.js';
import { air, dict } from './built.js';

const gazetteer = new Gazetteer();
const extra = new Set(rows(EXTRA_RESORTS).map(([, country, name]) => `${country}|${fold(name)}`));

const widths = (table, ...allowed) => {
  for (const cells of rows(table)) assert.ok(allowed.includes(cells.length), cells.join('|'));
};

test('rows have the cells that their heading names', () => {
  widths(CITY_NAMES, 13);
  widths(EXTRA_RESORTS, 5);
  widths(RESORTS, 2);
  widths(NO_DESTINATIONS, 2);
  widths(METROPOLITAN, 4);
  widths(AIRPORT_CITIES, 3);
  widths(AIRPORT_NAMES, 2);
  widths(FAMILIAR, 3);
  widths(MEALS, 13);
  widths(FACILITIES, 9);
  widths(HOTEL_CATEGORIES, 2, 12);
  for (const table of [HOTEL_TYPES, DESCRIPTION_TYPES, FACILITY_GROUPS]) widths(table, 12);
});

test('every named place exists, once', () => {
  const seen = new Set();
  for (const [country, name] of rows(CITY_NAMES)) {
    const key = `${country}|${fold(name)}`;
    assert.ok(gazetteer.find(country, name) || extra.has(key), key);
    assert.ok(!seen.has(key), `twice: ${key}`);
    seen.add(key);
  }
  for (const table of [METROPOLITAN, AIRPORT_CITIES])
    for (const [code, country, name] of rows(table)) assert.ok(name.startsWith('=') || gazetteer.find(country, name), `${code} ${name}`);
});

test('our own resorts are not in GeoNames, save for namesakes far away, and have ids of their own', () => {
  const ids = rows(EXTRA_RESORTS).map(([id]) => Number(id));
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id) => id < 0));
  for (const [, country, name, lat, lng] of rows(EXTRA_RESORTS)) {
    const place = gazetteer.find(country, name);
    assert.ok(!place || distance(place, { lat: Number(lat), lng: Number(lng) }) > 50, `${country} ${name} is in GeoNames`);
  }
});

test('our own resorts lie in their countries: a city of the country is within 150 km', () => {
  for (const [, country, name, lat, lng] of rows(EXTRA_RESORTS))
    assert.ok(gazetteer.near({ country, lat: Number(lat), lng: Number(lng) }, 150).length > 0, `${country} ${name}`);
});

test('each country has the number of cities that its table promises', () => {
  const codes = new Map(dict('country').map((c) => [c.id, c.iso_alpha_2]));
  for (const [kind, table] of [['dep_city', DEPARTURES], ['city', DESTINATIONS]]) {
    const counts = new Map();
    for (const r of dict(kind)) counts.set(codes.get(r.country_id), (counts.get(codes.get(r.country_id)) ?? 0) + 1);
    assert.deepEqual([...counts].sort(), [...quotas(table)].sort(), kind);
  }
});

test('metropolitan codes and the busiest airports exist', () => {
  const codes = new Set(air('apt').map((a) => a.code));
  for (const code of BUSIEST.trim().split(/\s+/)) assert.ok(codes.has(code), code);
  const cities = new Set(air('city').map((a) => a.code));
  for (const [code] of rows(METROPOLITAN)) assert.ok(cities.has(code), code);
});

test('what travellers say leads to places that there are, in our languages, each name once', () => {
  const codes = new Set([...air('apt').map((a) => a.code), ...air('city').map((a) => `${a.code}*`)]);
  const seen = new Set();
  for (const [list, lang, names] of rows(FAMILIAR)) {
    for (const code of list.split(' ')) assert.ok(codes.has(code), code);
    assert.ok(LANGUAGES.includes(lang), lang);
    for (const name of names.split(',')) {
      assert.ok(!seen.has(`${lang}|${name}`), `twice: ${lang} ${name}`);
      seen.add(`${lang}|${name}`);
    }
  }
});
