// What a traveller would notice at once.
import assert from 'node:assert/strict';
import test from 'node:test';
import { air, dict, records } from './built.js';
import { LANGUAGES, TABLE_LANGUAGES } from '../lib/cldr.js';

const country = (code) => dict('country').find((c) => c.iso_alpha_2 === code);
const city = (code, name) => dict('city').find((c) => c.country_id === country(code).id && c.name.en === name);
const airport = (code) => air('apt').find((a) => a.code === code);
const airCity = (code) => air('city').find((a) => a.code === code);
const near = (r, lat, lng) => assert.ok(Math.abs(r.lat - lat) < 0.1 && Math.abs(r.lng - lng) < 0.1, JSON.stringify(r));

test('every record has an English name', () => {
  for (const r of records()) assert.ok(r.name.en, JSON.stringify(r));
});

test('countries, currencies, meals and the like are named in every language', () => {
  const all = (names, languages, r) => assert.deepEqual(Object.keys(names).sort(), [...languages].sort(), JSON.stringify(r));
  for (const kind of ['country', 'currency']) for (const r of dict(kind)) all(r.name, LANGUAGES, r);
  for (const kind of ['hotel_type', 'description_type', 'facility_group']) for (const r of dict(kind)) all(r.name, TABLE_LANGUAGES, r);
  for (const r of dict('meal')) all(r.description, TABLE_LANGUAGES, r);
  const described = dict('hotel_category').filter((r) => r.description);
  assert.equal(described.length, 7);
  for (const r of described) all(r.description, TABLE_LANGUAGES, r);
  for (const r of dict('facility_type'))
    for (const lang of ['en', 'uk', 'de', 'ru']) assert.ok(r.name[lang], JSON.stringify(r));
});

test('departure cities are known by name in the languages of the demo', () => {
  const share = (lang) => dict('dep_city').filter((c) => c.name[lang]).length / dict('dep_city').length;
  for (const lang of LANGUAGES) assert.ok(share(lang) > 0.8, `${lang}: ${share(lang)}`);
  assert.ok(share('uk') > 0.98, `uk: ${share('uk')}`);
});

test('scripts: Cyrillic names are Cyrillic, Arabic ones Arabic, Chinese ones Chinese', () => {
  const script = { uk: /\p{Script=Cyrillic}/u, ar: /\p{Script=Arabic}/u, zh: /\p{Script=Han}/u, ru: /\p{Script=Cyrillic}/u };
  for (const r of [...dict('country'), ...dict('city'), ...dict('dep_city'), ...air('city')])
    for (const [lang, form] of Object.entries(script))
      if (r.name[lang]) assert.match(r.name[lang], form, JSON.stringify(r));
});

test('countries', () => {
  assert.equal(country('TR').id, 792);
  assert.equal(country('TR').name.uk, 'Туреччина');
  assert.equal(country('UA').name.de, 'Ukraine');
  assert.equal(country('HK').name.en, 'Hong Kong');
  assert.equal(country('US').name.uk, 'США');
  assert.equal(country('XK').name.en, 'Kosovo');
});

test('currencies: what is money today', () => {
  const codes = new Map(dict('currency').map((c) => [c.iso_code, c]));
  assert.equal(codes.get('UAH').id, 980);
  assert.equal(codes.get('EUR').name.en, 'Euro');
  assert.equal(codes.get('USD').name.pl, 'dolar amerykański');
  for (const gone of ['DEM', 'HRK', 'XAU', 'XXX', 'CHW']) assert.ok(!codes.has(gone), gone);
});

test('departure cities', () => {
  const find = (name) => dict('dep_city').find((c) => c.name.en === name);
  assert.equal(find('Kyiv').name.uk, 'Київ');
  assert.equal(find('Kyiv').country_id, country('UA').id);
  assert.equal(find('Lviv').name.pl, 'Lwów');
  assert.equal(find('Odesa').name.uk, 'Одеса');
  for (const name of ['Warsaw', 'Berlin', 'Munich', 'London', 'Istanbul', 'Vilnius', 'Prague', 'Almaty', 'New York', 'Tel Aviv'])
    assert.ok(find(name), name);
});

test('destinations and resorts', () => {
  near(city('TR', 'Antalya'), 36.9, 30.7);
  assert.equal(city('TR', 'Antalya').is_resort, false);
  near(city('EG', 'Hurghada'), 27.25, 33.82);
  for (const [code, name] of [['TR', 'Belek'], ['TR', 'Kemer'], ['TR', 'Side'], ['TR', 'Alanya'], ['EG', 'Hurghada'],
    ['EG', 'Sharm El Sheikh'], ['DO', 'Punta Cana'], ['TH', 'Phuket'], ['BG', 'Sunny Beach'], ['UA', 'Bukovel']])
    assert.equal(city(code, name)?.is_resort, true, name);
  assert.ok(city('BG', 'Sunny Beach').id < 0);
  assert.equal(city('BG', 'Sunny Beach').name.uk, 'Сонячний Берег');
  assert.equal(city('TR', 'Çankaya'), undefined); // a part of Ankara
});

test('no country offers two destinations of one name', () => {
  const names = dict('city').map((c) => `${c.country_id} ${c.name.en}`);
  assert.deepEqual(names.filter((n, i) => names.indexOf(n) !== i), []);
});

test('airports and their cities', () => {
  const cities = {
    LHR: 'LON', STN: 'LON', CDG: 'PAR', JFK: 'NYC', HND: 'TYO', SVO: 'MOW', FCO: 'ROM', MXP: 'MIL', ORD: 'CHI', IAD: 'WAS',
    EZE: 'BUE', GRU: 'SAO', GIG: 'RIO', ARN: 'STO', KIX: 'OSA', ICN: 'SEL', PEK: 'BJS', PVG: 'SHA', KBP: 'IEV', SAW: 'IST',
    AYT: 'AYT', LWO: 'LWO', HRG: 'HRG', DLM: 'DLM', BWI: 'WAS', MTN: 'BWI',
  };
  for (const [code, cityCode] of Object.entries(cities)) assert.equal(airport(code).city_code, cityCode, code);
  near(airport('LHR'), 51.47, -0.45);
  assert.equal(airCity('LON').name.uk, 'Лондон');
  assert.equal(airCity('IEV').name.uk, 'Київ');
  assert.equal(airCity('KRK').name.en, 'Kraków');
  assert.equal(airCity('BJV').name.en, 'Bodrum');
  assert.equal(airport('ODS').name.en, 'Odesa International Airport');
});

test('an airport is of the city that it serves, and not of a town in its name', () => {
  const cities = {
    KGD: 'Kaliningrad', HMO: 'Hermosillo', MSN: 'Madison', EOH: 'Medellín', RSW: 'Fort Myers', POS: 'Port of Spain',
    SXM: 'Sint Maarten', CGB: 'Cuiabá', FNI: 'Nîmes', PPT: 'Papeete', MHT: 'Manchester', MVY: 'Vineyard Haven', RMO: 'Chisinau',
    FUE: 'Fuerteventura', GOI: 'Goa', LOP: 'Mataram', OKA: 'Naha', CEB: 'Cebu City', VBS: 'Brescia',
  };
  const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '');
  for (const [code, name] of Object.entries(cities)) assert.equal(plain(airCity(airport(code).city_code).name.en), plain(name), code);
});

test('the town of a member of a metropolitan area is a city of its own', () => {
  for (const [code, name] of [['BWI', 'Baltimore'], ['EWR', 'Newark'], ['BGY', 'Bergamo'], ['LTN', 'Luton'], ['UKB', 'Kobe']])
    assert.equal(airCity(code).name.en, name);
  assert.equal(airCity('LHR'), undefined);
});

test('no closed airport, and no airport made of a metropolitan code', () => {
  for (const code of ['TXL', 'SXF', 'THF', 'NAY', 'PAR', 'BAK', 'KIV']) assert.equal(airport(code), undefined, code);
  for (const code of ['LKE', 'DTR', 'KEH', 'FBS', 'WSX', 'ADK']) assert.ok(airport(code), code); // where seaplanes fly to
});

test('ICAO codes are of one airport each', () => {
  const codes = air('apt').map((a) => a.icao_code).filter(Boolean);
  assert.ok(codes.length > 7000, `${codes.length}`);
  assert.equal(new Set(codes).size, codes.length);
  for (const code of codes) assert.match(code, /^[A-Z]{4}$/);
  assert.equal(airport('LHR').icao_code, 'EGLL');
});

test('GeoNames names cities that the CLDR does not, in Japanese too', () => {
  assert.equal(airCity('KGD').name.uk, 'Калінінград');
  assert.equal(airCity('MUC').name.ja, 'ミュンヘン');
  assert.equal(airCity('SIA').name.ja, '西安'); // without "city"
});

test('ids of air places follow from their codes', () => {
  assert.equal(airport('LHR').source_id, parseInt('LHR', 36));
  assert.equal(airCity('LON').source_id, 100000 + parseInt('LON', 36));
});

test('the place that is meant first has the greatest weight', () => {
  const first = (prefix) => [...air('apt'), ...air('city')].filter((a) => a.name.en.startsWith(prefix))
    .sort((a, b) => b.weight - a.weight)[0].code;
  assert.equal(first('Lon'), 'LON');
  assert.equal(first('Par'), 'PAR');
  assert.equal(first('Anta'), 'AYT');
  assert.ok(airport('LHR').weight > airport('SEN').weight);
  assert.ok(airCity('LON').weight > airport('LHR').weight);
});
