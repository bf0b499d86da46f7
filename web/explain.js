// The matcher's explanation (src/match) in the user's language: its phrases, each as a text of the workbench. The texts in
// brackets are words of names, which stay as they are.
import { t } from "./texts.js";

/** Phrases as the matcher has them, and what is shown for them. */
const PHRASES = {
  "sure enough": t("sure enough"), "nothing in the reference is like it": t("nothing in the reference is like it"),
  "not sure enough": t("not sure enough"), "another record fits nearly as well": t("another record fits nearly as well"),
  "it lies in another country": t("it lies in another country"), "the numbers in the names differ": t("the numbers in the names differ"),
  "the brands differ": t("the brands differ"),
  "words that tell sister houses apart differ": t("words that tell sister houses apart differ"),
  "the names have different places": t("the names have different places"),
  "another record of this supplier claims it too": t("another record of this supplier claims it too"),
  "it lies more than 60 km away": t("it lies more than 60 km away"), "it is in another city": t("it is in another city"),
  "one of them is a part of a house": t("one of them is a part of a house"),
  "most of this list's names and coordinates disagree": t("most of this list’s names and coordinates disagree"),
  "a person said that it is not the one that is like it": t("a person said that it is not the one that is like it"),
  "it has no name that could be compared": t("it has no name that could be compared"),
  "nothing tells where it is": t("nothing tells where it is"), "its country is not mapped": t("its country is not mapped"),
  "the reference lacks its country": t("the reference lacks its country"),
  "it can mean several things": t("it can mean several things"),
  "the decision about it was undone": t("the decision about it was undone"),
  "it has no coordinates and its city is not mapped": t("it has no coordinates and its city is not mapped"),
  "no coordinates": t("no coordinates"), "nothing else comes near": t("nothing else comes near"),
  "base": t("base"), "no other": t("no other"), "in its country": t("in its country"),
};

/** Words before their bits or points: what was compared. */
const COMPARED = {
  "words such as residence": t("words such as residence"), "same country": t("same country"), "other country": t("other country"),
  "same city": t("same city"), name: t("name"), distance: t("distance"), address: t("address"), zip: t("post code"), numbers: t("numbers"),
  nearer: t("nearer"), residence: t("words such as residence"), code: t("code"), size: t("size"),
};

const NUMBER = "(-?[\\d.]+)";
/** With a number, or a code, in them. */
const FILLED = [
  [`next best ${NUMBER} bits behind`, n => t("next best {bits} bits behind", { bits: n })],
  [`next best ${NUMBER} points behind`, n => t("next best {points} points behind", { points: n })],
  [`${NUMBER} bits`, n => t("{bits} bits", { bits: n })],
  [`${NUMBER} points`, n => t("{points} points", { points: n })],
  ["(\\d+) of this name", n => t("{count} of this name", { count: n })],
  ['its record "([^"]*)" is like it too: accept one, or both if they are one house',
    id => t("its record “{id}” is like it too: accept one, or both if they are one house", { id })],
  ["code (\\S+?)(?=,|$)", code => t("code {code}", { code })],
];

const longestFirst = words => Object.entries(words).sort(([a], [b]) => b.length - a.length);
const PATTERNS = [
  ...longestFirst(PHRASES).map(([phrase, text]) => [new RegExp(`\\b${phrase}\\b`, "g"), () => text]),
  ...longestFirst(COMPARED).map(([word, text]) => [new RegExp(`\\b${word}(?= [+-]\\d)`, "g"), () => text]),
  ...FILLED.map(([pattern, text]) => [new RegExp(`\\b${pattern}`, "g"), (_, value) => text(value)]),
];

/** The words of the two names, which stand in brackets. */
export const ofNames = text => text.replace("left over: ", () => t("left over: ")).replace("missing: ", () => t("missing: "));

/** An explanation, or a part of it. */
export const explain = text => text.split(/(\([^)]*\))/)
  .map((part, i) => (i % 2 ? ofNames(part) : PATTERNS.reduce((now, [pattern, said]) => now.replace(pattern, said), part))).join("");

/** All known phrases, for a test. */
export const KNOWN = [...Object.keys(PHRASES), ...Object.keys(COMPARED), ...FILLED.map(([pattern]) => pattern), "left over", "missing"];
