// Names of places by language, of Debian's libgeonames-common: gettext catalogues whose keys are GeoNames ids.
import { geonamesCatalogue, npm } from './packages.js';
import { clean } from './text.js';

// Ours: the folders that have it, the better one first.
const FOLDERS = {
  en: ['en'], uk: ['uk'], ru: ['ru'], de: ['de'], fr: ['fr'], es: ['es'], it: ['it'], pl: ['pl'], tr: ['tr'],
  zh: ['zh_CN', 'zh'], ar: ['ar'], ja: ['ja'],
};
// Air places have names in these, too, where they are others than the English ones; all that is told in them is told in English.
export const MORE_LANGUAGES = ['bg', 'cs', 'da', 'el', 'fi', 'he', 'hr', 'hu', 'id', 'ko', 'nl', 'pt', 'ro', 'sk', 'sv', 'vi'];
const SCRIPTS = {
  uk: /\p{Script=Cyrillic}/u, ru: /\p{Script=Cyrillic}/u, ar: /\p{Script=Arabic}/u, zh: /\p{Script=Han}/u,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
};
// "City" behind the name, as in 西安市; not where it is a part of it, as in 四日市.
const SUFFIX = { zh: /(?<=..)(?<!日)市$/u, ja: /(?<=..)(?<!日)市$/u };

/** Map: id -> {language: name}, of every place that has a name there. */
export function geonamesNames() {
  return namesOf(FOLDERS);
}

/** The same in the languages that only air places are named in. */
export function moreGeonamesNames() {
  return namesOf(Object.fromEntries(MORE_LANGUAGES.map((lang) => [lang, [lang]])));
}

function namesOf(wanted) {
  const all = new Map();
  for (const [lang, folders] of Object.entries(wanted))
    for (const folder of folders)
      for (const [id, name] of catalogue(folder)) {
        const text = clean(name).replace(SUFFIX[lang] ?? /$^/, '');
        if (!text || (SCRIPTS[lang] && !SCRIPTS[lang].test(text))) continue;
        if (!all.has(id)) all.set(id, {});
        all.get(id)[lang] ??= text;
      }
  return all;
}

function* catalogue(folder) {
  for (const messages of Object.values(npm('gettext-parser').mo.parse(geonamesCatalogue(folder)).translations))
    for (const [id, { msgstr }] of Object.entries(messages)) if (/^[0-9]+$/.test(id)) yield [Number(id), msgstr[0]];
}
