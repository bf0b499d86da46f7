// The matcher's explanation (docs/matching.md) as bars: what speaks for it to the right, what against it to the left.
import { make, name } from "./dom.js";
import { explain, ofNames } from "./explain.js";
import { t } from "./texts.js";

/** "…: name +3.1 (carthage; missing: spa), zip +0.5" -> [{ what, bits, more }]; [] where it is no such text. */
export function parts(explanation) {
  const list = /\bbits \([^)]*\): (.*)$/.exec(explanation ?? "")?.[1] ?? "";
  return [...list.matchAll(/([^,(][^(]*?) ([+-]\d+(?:\.\d+)?)(?: \(([^)]*)\))?(?:, |$)/g)]
    .map(([, what, bits, more]) => ({ what: what.trim(), bits: Number(bits), more: more ?? "" }));
}

const WIDEST = 12;

function bar({ what, bits, more }) {
  const meter = make("span", bits < 0 ? "bar against" : "bar for");
  meter.style.setProperty("--share", Math.min(Math.abs(bits) / WIDEST, 1));
  return make("tr", "", make("th", "", what, more ? make("span", "soft", name(more)) : null), make("td", "bar-cell", meter),
    make("td", "number", `${bits > 0 ? "+" : ""}${bits.toFixed(1)}`));
}

const WORDS = {
  name: t("name"), distance: t("distance"), address: t("address"), zip: t("post code"), numbers: t("numbers"), nearer: t("nearer"),
  residence: t("words such as residence"), lead: t("nothing else comes near"), start: t("base"),
};

function tableOf(caption, found) {
  return make("table", "evidence", make("caption", "", caption), make("tbody", "", ...found.map(bar)));
}

/** The evidence for and against a candidate; null if it is not known. @param words  By comparison, the explanation's words. */
export function evidenceOf(candidate, explanation, open) {
  if (!candidate.evidence) return null;
  const words = new Map(parts(explanation).map(part => [part.what, part.more]));
  const found = candidate.evidence.filter(e => e.bits !== 0)
    .map(e => ({ what: WORDS[e.comparison] ?? e.comparison, bits: e.bits, more: ofNames(words.get(e.comparison) ?? "") }));
  const box = make("details", "", make("summary", "", t("Evidence")),
    tableOf(t("For and against, in bits (1 bit doubles the odds)"), found));
  box.open = open;
  return box;
}

/** Without the word for programs that it begins with. */
export const inWords = explanation => explain((explanation ?? "").replace(/^(?:automatic|ask|none)(?:, |$)/, ""));

/** The text alone, for what has no bits. */
export function explained(it) {
  const text = inWords(it.suggestion?.explanation);
  return text && !it.candidates[0]?.evidence ? make("p", "soft", name(text)) : null;
}
