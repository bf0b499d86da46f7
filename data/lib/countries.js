// dict country: the countries of ISO 3166-1, id = ISO numeric code.
import { isoCodes } from './packages.js';
import { territoryNames } from './cldr.js';

// Sold by every tour operator though not in ISO 3166-1; XK is a user-assigned code, and so is a number from 900 on.
const USER_ASSIGNED = [{ alpha_2: 'XK', numeric: '983', name: 'Kosovo' }];

/** [{id, code, name}] in the order of codes. */
export function countries(isoFolder) {
  return [...isoCodes('3166-1', isoFolder), ...USER_ASSIGNED].map((c) => ({
    id: Number(c.numeric),
    code: c.alpha_2,
    name: { en: c.common_name ?? c.name, ...territoryNames(c.alpha_2) },
  }));
}

export function countryRecords(list) {
  return list.map(({ id, code, name }) => ({ type: 'dict', kind: 'country', id, name, iso_alpha_2: code }));
}
