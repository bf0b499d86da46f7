// What holds for every record: identity, references, bounds, order.
import assert from 'node:assert/strict';
import test from 'node:test';
import { air, dict, records } from './built.js';
import { LANGUAGES } from '../lib/cldr.js';
import { MORE_LANGUAGES } from '../lib/geonames.js';

const between = (n, low, high, what) => assert.ok(n >= low && n <= high, `${what}: ${n} is not in ${low}..${high}`);

test('as many records as a search form expects', () => {
  const counts = {
    country: [249, 251], currency: [145, 165], dep_city: [300, 300], city: [2900, 3200], meal: [11, 13],
    hotel_category: [11, 13], hotel_type: [11, 14], description_type: [8, 8], facility_group: [8, 8], facility_type: [58, 70],
  };
  for (const [kind, [low, high]] of Object.entries(counts)) between(dict(kind).length, low, high, kind);
  between(air('apt').length, 8800, 9300, 'airports');
  between(air('city').length, 7000, 9300, 'cities with airports');
  between(new Set(dict('city').map((c) => c.country_id)).size, 110, 140, 'countries of destinations');
  between(dict('city').filter((c) => c.is_resort).length, 150, 500, 'resorts');
});

const OPTIONAL = ['icao_code', 'description']; // small airfields have none; nor have categories that say what they are

test('only the fields of the interchange format, type first', () => {
  const fields = {
    country: 'type kind id name iso_alpha_2', currency: 'type kind id name iso_code', dep_city: 'type kind id name country_id',
    city: 'type kind id name country_id is_resort lat lng', meal: 'type kind id name description',
    hotel_category: 'type kind id name description', hotel_type: 'type kind id name', description_type: 'type kind id name',
    facility_group: 'type kind id name', facility_type: 'type kind id name facility_group_id',
    apt: 'type source_id place code name city_code country_code lat lng weight icao_code',
    'air city': 'type source_id place code name country_code lat lng weight',
  };
  for (const r of records()) {
    const key = r.kind ?? (r.place === 'city' ? 'air city' : r.place);
    const expected = fields[key].split(' ').filter((field) => !OPTIONAL.includes(field) || field in r);
    assert.deepEqual(Object.keys(r), expected, JSON.stringify(r));
  }
});

test('identities are unique and the records stand in their order', () => {
  const keys = records().map((r) => [r.type, r.kind ?? '', r.id ?? r.source_id]);
  assert.equal(new Set(keys.map(String)).size, keys.length);
  const sorted = [...keys].sort(([t, k, i], [u, l, j]) => (t < u ? -1 : t > u) || (k < l ? -1 : k > l) || i - j);
  assert.deepEqual(keys, sorted);
});

test('codes are unique and well formed', () => {
  const unique = (list, form) => {
    assert.equal(new Set(list).size, list.length);
    for (const code of list) assert.match(code, form);
  };
  unique(dict('country').map((c) => c.iso_alpha_2), /^[A-Z]{2}$/);
  unique(dict('currency').map((c) => c.iso_code), /^[A-Z]{3}$/);
  unique(air('apt').map((a) => a.code), /^[A-Z]{3}$/);
  unique(air('city').map((a) => a.code), /^[A-Z]{3}$/);
});

test('every reference leads somewhere', () => {
  const countries = new Set(dict('country').map((c) => c.id));
  for (const r of [...dict('city'), ...dict('dep_city')]) assert.ok(countries.has(r.country_id), JSON.stringify(r));
  const groups = new Set(dict('facility_group').map((g) => g.id));
  for (const r of dict('facility_type')) assert.ok(groups.has(r.facility_group_id), JSON.stringify(r));
  const cities = new Set(air('city').map((c) => c.code));
  for (const r of air('apt')) assert.ok(cities.has(r.city_code), JSON.stringify(r));
  const served = new Set(air('apt').flatMap((a) => [a.city_code, a.code])); // a town of a metropolitan area has its airport's code
  for (const r of air('city')) assert.ok(served.has(r.code), JSON.stringify(r));
  const codes = new Set(dict('country').map((c) => c.iso_alpha_2));
  for (const r of [...air('apt'), ...air('city')]) assert.ok(codes.has(r.country_code), JSON.stringify(r));
});

test('a city code that is also an airport is one of that city, or of a metropolitan area of several airports', () => {
  const cityOf = new Map(air('apt').map((a) => [a.code, a.city_code]));
  const members = (code) => [...cityOf.values()].filter((c) => c === code).length;
  for (const { code } of air('city'))
    assert.ok(!cityOf.has(code) || cityOf.get(code) === code || members(cityOf.get(code)) > 0, code);
});

test('numbers are within bounds', () => {
  for (const r of records()) {
    for (const id of [r.id, r.source_id, r.country_id, r.facility_group_id, r.weight])
      assert.ok(id === undefined || Number.isSafeInteger(id), JSON.stringify(r));
    if (r.lat !== undefined || r.kind === 'city' || r.type === 'air_place') {
      assert.equal(typeof r.lat, 'number', JSON.stringify(r));
      assert.equal(typeof r.lng, 'number', JSON.stringify(r));
      assert.ok(Math.abs(r.lat) <= 90 && Math.abs(r.lng) <= 180, JSON.stringify(r));
    }
  }
});

test('texts are of a sane length, without control characters or stray spaces, in known languages', () => {
  for (const r of records())
    for (const texts of [r.name, r.description ?? {}])
      for (const [lang, text] of Object.entries(texts)) {
        const base = r.type === 'air_place' ? lang.replace(/-x-[1-9]$/, '') : lang; // lib/other-names.js
        assert.ok(LANGUAGES.includes(base) || (r.type === 'air_place' && MORE_LANGUAGES.includes(base)), JSON.stringify(r));
        const length = [...text].length;
        assert.ok(length >= 1 && length <= 1024, JSON.stringify(r));
        assert.doesNotMatch(text, /\p{Cc}|[\u200e\u200f]|^\s|\s$|\s\s/u, JSON.stringify(r));
        assert.equal(text, text.normalize('NFC'));
      }
});
