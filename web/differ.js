// What differs between two names, letter by letter, so that the eye need not look for it.
import { make } from "./dom.js";

/** Without case, accents and punctuation, one sign for each sign of the text. */
const plain = text => Array.from(text, c => c.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase() || c);

/** For each sign of `a`: is it part of the longest common subsequence with `b`? Both are short. */
function shared(a, b) {
  const width = b.length + 1;
  const best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      best[i * width + j] = a[i] === b[j] ? 1 + best[(i + 1) * width + j + 1] : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
  const common = new Array(a.length).fill(false);
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) [common[i++], j] = [true, j + 1];
    else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) i++;
    else j++;
  }
  return common;
}

const LONGEST = 300;

/** The text, with what the other one does not have in <mark>. */
export function marked(text, other) {
  const box = make("bdi");
  box.dir = "auto";
  if (!text || !other || text.length > LONGEST || other.length > LONGEST) {
    box.append(text ?? "—");
    return box;
  }
  const signs = Array.from(text), common = shared(plain(text), plain(other));
  // Of what is quite another text, single letters in common say nothing.
  if (common.filter(Boolean).length * 2 < signs.length) common.fill(false);
  for (let i = 0; i < signs.length;) {
    let end = i;
    while (end < signs.length && common[end] === common[i]) end++;
    const part = signs.slice(i, end).join("");
    box.append(common[i] || part.trim() === "" ? part : make("mark", "", part));
    i = end;
  }
  return box;
}
