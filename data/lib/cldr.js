// Names by language out of the CLDR: territories, currencies, and the cities that stand for time zones.
import { npm } from './packages.js';
import { clean } from './text.js';

export const LANGUAGES = ['en', 'uk', 'ru', 'de', 'fr', 'es', 'it', 'pl', 'tr', 'zh', 'ar', 'ja'];

// Those of the cells in our own tables.
export const TABLE_LANGUAGES = LANGUAGES.slice(0, 11);

// Where the CLDR's main name is an administrative phrase ("Hong Kong SAR China") travellers expect its short one.
// "США" is what the US is called in these languages; "US" and "É.-U." are not what a country list says in the others.
const SHORT = {
  HK: LANGUAGES, MO: LANGUAGES, PS: LANGUAGES, MM: ['en'], US: ['uk', 'ru', 'de', 'it', 'pl', 'tr'],
};

function byLanguage(pick) {
  const names = {};
  for (const lang of LANGUAGES) {
    const name = pick(lang);
    if (name) names[lang] = clean(name);
  }
  return names;
}

/** Names of a country, `code` being ISO alpha-2. */
export function territoryNames(code) {
  return byLanguage((lang) => {
    const all = npm(`cldr-localenames-full/main/${lang}/territories.json`).main[lang].localeDisplayNames.territories;
    const short = SHORT[code]?.includes(lang) ? all[`${code}-alt-short`] : undefined;
    return short ?? all[code];
  });
}

/** Names of a currency, `code` being ISO 4217. */
export function currencyNames(code) {
  return byLanguage((lang) =>
    npm(`cldr-numbers-full/main/${lang}/currencies.json`).main[lang].numbers.currencies[code]?.displayName);
}

/** The codes of the currencies that are legal tender somewhere with no end in sight. */
export function currentCurrencies() {
  const codes = new Set();
  const { region } = npm('cldr-core/supplemental/currencyData.json').supplemental.currencyData;
  for (const entry of Object.values(region).flat()) {
    const [code, use] = Object.entries(entry)[0];
    if (!use._to && use._tender !== 'false') codes.add(code);
  }
  return codes;
}

/** Every time-zone city: [{country, names}]; names has all languages. Islands and polar stations are among them. */
export function zoneCities() {
  const cities = [];
  for (const [zone, country] of zoneCountries())
    cities.push({ country, names: byLanguage((lang) => exemplarCity(lang, zone)) });
  return cities;
}

/** zone id -> country. The table for Windows is the one place of the CLDR that ties zones to countries. */
function zoneCountries() {
  const zones = new Map();
  const { mapTimezones } = npm('cldr-core/supplemental/windowsZones.json').supplemental.windowsZones;
  for (const { mapZone } of mapTimezones)
    for (const zone of mapZone._type.split(' ').filter(Boolean))
      if (/^[A-Z]{2}$/.test(mapZone._territory) && mapZone._territory !== 'ZZ') zones.set(zone, mapZone._territory);
  return zones;
}

/** English that has no city name of its own uses the last part of the zone's id: the CLDR's rule. Others are left unnamed. */
function exemplarCity(lang, zone) {
  let node = npm(`cldr-dates-full/main/${lang}/timeZoneNames.json`).main[lang].dates.timeZoneNames.zone;
  for (const part of zone.split('/')) node = node?.[part];
  return node?.exemplarCity ?? (lang === 'en' ? zone.split('/').pop().replaceAll('_', ' ') : undefined);
}
