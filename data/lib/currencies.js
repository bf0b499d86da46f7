// dict currency: what is money today, id = ISO 4217 numeric code.
import { isoCodes } from './packages.js';
import { currencyNames, currentCurrencies } from './cldr.js';

// Currencies younger than the iso-codes of Debian 12. XCG took over the number of ANG, which is no longer current.
const YOUNGER = { XCG: '532', ZWG: '924' };

export function currencyRecords(isoFolder) {
  const numeric = new Map(Object.entries(YOUNGER));
  for (const c of isoCodes('4217', isoFolder)) numeric.set(c.alpha_3, c.numeric);
  return [...currentCurrencies()].filter((code) => numeric.has(code)).map((code) => ({
    type: 'dict', kind: 'currency', id: Number(numeric.get(code)), name: currencyNames(code), iso_code: code,
  }));
}
