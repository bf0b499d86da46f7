// The small dicts about hotels: meals, categories, types of hotels and descriptions, facilities.
import { TABLE_LANGUAGES as LANGUAGES } from './cldr.js';
import { rows } from './text.js';
import { CATEGORY_DESCRIPTIONS } from '../tables/category-descriptions.js';
import { MEALS } from '../tables/meals.js';
import { DESCRIPTION_TYPES, FACILITY_GROUPS, HOTEL_CATEGORIES, HOTEL_TYPES } from '../tables/hotel-terms.js';
import { FACILITIES, FACILITY_LANGUAGES } from '../tables/facilities.js';

export function termRecords() {
  return [
    ...meals(),
    ...categories(),
    ...named('hotel_type', HOTEL_TYPES),
    ...named('description_type', DESCRIPTION_TYPES),
    ...named('facility_group', FACILITY_GROUPS),
    ...facilityTypes(),
  ];
}

function byLanguage(languages, cells) {
  return Object.fromEntries(languages.map((lang, i) => [lang, cells[i]]).filter(([, text]) => text));
}

function meals() {
  return rows(MEALS).map(([id, name, ...texts]) => ({
    type: 'dict', kind: 'meal', id: Number(id), name: { en: name }, description: byLanguage(LANGUAGES, texts),
  }));
}

function named(kind, table) {
  return rows(table).map(([id, ...names]) => ({
    type: 'dict', kind, id: Number(id), name: byLanguage(LANGUAGES, names),
  }));
}

function categories() {
  const described = new Map(rows(CATEGORY_DESCRIPTIONS).map(([id, ...texts]) => [Number(id), byLanguage(LANGUAGES, texts)]));
  return named('hotel_category', HOTEL_CATEGORIES).map((record) => (
    described.has(record.id) ? { ...record, description: described.get(record.id) } : record));
}

function facilityTypes() {
  return rows(FACILITIES).map(([id, group, ...names]) => ({
    type: 'dict', kind: 'facility_type', id: Number(id),
    name: byLanguage(FACILITY_LANGUAGES, names), facility_group_id: Number(group),
  }));
}
