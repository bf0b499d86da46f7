// What differs between two names, by words, and letter by letter in those that both have nearly, so that the eye need not look for it.
import { make } from "./dom.js";

/** Without case, accents and punctuation, one sign for each sign of the text. */
const plain = text => Array.from(text, c => c.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase() || c);

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
 * that follow each other in both, but of a word that is quite another one none: single letters in common say nothing. */
function inCommon(a, b) {
  const [ours, theirs] = [words(a), words(b)], left = theirs.map(word => wordText(b, word));
  const common = new Array(a.length).fill(false), others = [];
  for (const word of ours) {
    const at = left.indexOf(wordText(a, word));
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
  // What stands between words counts where nothing else does.
  if (ours.length === 0) return shared(a, b);
  const all = common.map((is, i) => is || (!isWord(a[i]) && b.includes(a[i])));
  return all.map((is, i) => a[i].trim() === "" ? (all[i - 1] ?? true) || (all[i + 1] ?? true) : is);
}

/** The text, with what the other one does not have in <mark>. */
export function marked(text, other) {
  const box = make("bdi");
  box.dir = "auto";
  if (!text || !other || text.length > LONGEST || other.length > LONGEST) {
    box.append(text ?? "—");
    return box;
  }
  const signs = Array.from(text), common = inCommon(plain(text), plain(other));
  for (let i = 0; i < signs.length;) {
    let end = i;
    while (end < signs.length && common[end] === common[i]) end++;
    const part = signs.slice(i, end).join("");
    box.append(common[i] || part.trim() === "" ? part : make("mark", "", part));
    i = end;
  }
  return box;
}
