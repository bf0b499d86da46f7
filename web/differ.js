// Marks the differences between two names, by words, and by letters in words that are nearly the same, so that the eye finds them.
import { make } from "./dom.js";

const CYRILLIC = { а: "a", б: "b", в: "v", г: "g", ґ: "g", д: "d", е: "e", ё: "e", є: "ie", ж: "zh", з: "z", и: "i", і: "i", ї: "i", й: "i",
  к: "k", л: "l", м: "m", н: "n", о: "o", п: "p", р: "r", с: "s", т: "t", у: "u", ў: "u", ф: "f", х: "h", ц: "ts", ч: "ch",
  ш: "sh", щ: "sh", ъ: "", ы: "i", ь: "", э: "e", ю: "iu", я: "ia" };
const SPECIAL = { ı: "i", ß: "ss", æ: "ae", ø: "o", đ: "d", ł: "l" };

/** A sign without case and accents, in Latin letters where it is of an alphabet that people write so. */
function plain(sign) {
  const small = sign.toLowerCase(), known = CYRILLIC[small] ?? SPECIAL[small];
  return known ?? small.normalize("NFD").replace(/\p{M}/gu, "");
}

/** [letter, which sign of the text it is of] */
const letters = text => Array.from(text).flatMap((sign, i) => Array.from(plain(sign), letter => [letter, i]));

/** A word as it sounds: what another script writes otherwise. */
const sound = word => word
  .replace(/ph/g, "f").replace(/kh/g, "h").replace(/g/g, "h").replace(/[cq]/g, "k").replace(/x/g, "ks")
  .replace(/z/g, "s").replace(/w/g, "v").replace(/[yj]/g, "i").replace(/(.)\1+/g, "$1");
const isOther = text => /(?!\p{Script=Latin})\p{L}/u.test(text);

/** For each sign of `a`: is it part of the longest common subsequence with `b`? Both are short. */
function shared(a, b) {
  const width = b.length + 1;
  const best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      best[i * width + j] = a[i] === b[j] ? 1 + best[(i + 1) * width + j + 1]
        : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
  const common = new Array(a.length).fill(false);
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) [common[i++], j] = [true, j + 1];
    else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) i++;
    else j++;
  }
  return common;
}

const LONGEST = 300;
const COUNTS = /[+%#@]/;           // signs beside words: "HB+" is not "HB", but "4*" is "4"
const isWord = sign => /[\p{L}\p{N}]/u.test(sign);

/** [[from, end], …] of the words. */
function words(signs) {
  const list = [];
  for (let i = 0; i < signs.length; i++) {
    if (!isWord(signs[i])) continue;
    const from = i;
    while (i < signs.length && isWord(signs[i])) i++;
    list.push([from, i]);
  }
  return list;
}

const wordText = (signs, [from, end]) => signs.slice(from, end).join("");

/** For each sign of `a`: does `b` have it? A word that both have is common as a whole, wherever it stands; of the others the letters
 * that follow each other in both, but of a word that is quite another one none: single letters in common say nothing. @param heard  are
 * words compared as they sound? */
function inCommon(a, b, heard) {
  const as = heard ? sound : word => word;
  const [ours, theirs] = [words(a), words(b)], left = theirs.map(word => as(wordText(b, word)));
  const common = new Array(a.length).fill(false), others = [];
  for (const word of ours) {
    const at = left.indexOf(as(wordText(a, word)));
    if (at < 0) others.push(word);
    else left.splice(at, 1);
    if (at >= 0) common.fill(true, ...word);
  }
  const rest = others.flatMap(([from, end]) => a.slice(from, end)), same = shared(rest, Array.from(left.join("")));
  let compared = 0;
  for (const [from, end] of others) {
    const of = same.slice(compared, compared += end - from);
    if (of.filter(Boolean).length * 2 > end - from) of.forEach((is, i) => { common[from + i] = is });
  }
  // The signs between words count if nothing else does.
  if (ours.length === 0) return shared(a, b);
  const near = (i, by) => { // the nearest that counts
    while (a[i] !== undefined && !isWord(a[i]) && !COUNTS.test(a[i])) i += by;
    return a[i] === undefined || common[i] || (COUNTS.test(a[i]) && b.includes(a[i]));
  };
  return common.map((is, i) => is || (isWord(a[i]) ? false : COUNTS.test(a[i]) ? b.includes(a[i]) : near(i, -1) || near(i, 1)));
}

/** The parts of a text: [[part, does the other one not have it?], …] */
export function parts(text, other) {
  const signs = Array.from(text), ours = letters(text), common = new Array(signs.length).fill(true);
  inCommon(ours.map(([letter]) => letter), letters(other).map(([letter]) => letter), isOther(text) !== isOther(other))
    .forEach((is, k) => { common[ours[k][1]] &&= is });
  const list = [];
  for (let i = 0; i < signs.length;) {
    let end = i;
    while (end < signs.length && common[end] === common[i]) end++;
    const part = signs.slice(i, end).join("");
    list.push([part, !common[i] && part.trim() !== ""]);
    i = end;
  }
  return list;
}

/** The text, with what the other one does not have in <mark>. */
export function marked(text, other) {
  const box = make("bdi");
  box.dir = "auto";
  if (!text || !other || text.length > LONGEST || other.length > LONGEST) box.append(text ?? "—");
  else box.append(...parts(text, other).map(([part, differs]) => (differs ? make("mark", "", part) : part)));
  return box;
}
