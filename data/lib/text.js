// Text: folding for comparisons, cleaning of what packages give us, and reading our own tables.

const SPECIAL = { ł: 'l', ı: 'i', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ß: 'ss', æ: 'ae', œ: 'oe', ə: 'e' };

/** 'Şanlıurfa' -> 'sanliurfa', 'Sharm el-Sheikh' -> 'sharm el sheikh': equal results mean "the same name". */
export function fold(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
    .replace(/[łıøđðþßæœə]/g, (c) => SPECIAL[c])
    .replace(/['’‘`´ʼʻʹ]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/** Without control and direction characters, with single spaces. */
export function clean(text) {
  return text.normalize('NFC').replace(/[\u200e\u200f\u061c\ufeff]/g, '').replace(/[\p{Cc}\s]+/gu, ' ').trim();
}

/** The rows of a table: one line each, cells separated by '|', blank lines and '#' comments skipped. */
export function rows(table) {
  return table.split('\n').map((line) => line.trim()).filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

/** By code unit: the same on every machine, unlike localeCompare. */
export function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** 'TR 150 EG 60' -> Map { TR => 150, EG => 60 } */
export function quotas(table) {
  const words = table.split(/\s+/).filter(Boolean);
  const map = new Map();
  for (let i = 0; i < words.length; i += 2) map.set(words[i], Number(words[i + 1]));
  return map;
}
