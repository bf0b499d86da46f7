// What the matcher says is known to the page, word by word, and said in its language.
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { explain, KNOWN } from "../../../web/explain.js";

const source = name => fs.readFileSync(new URL(`../../../src/match/${name}`, import.meta.url), "utf8");
const from = (text, begin, end) => text.slice(text.indexOf(begin), end ? text.indexOf(end, text.indexOf(begin)) : undefined);
const literals = text => [...text.replace(/\/\*.*?\*\/|#include.*|(?<=\[DRG_WHY_\w+\]\s*=\s*\{\s*)"\w+"/gs, "").matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, it]) => it);
/** What stands between numbers, names and punctuation. */
const phrasesOf = text => text.replace(/\((?:\\.|\[[^\]]*\]|[^()\\])*\\[^()]*\)|\(\[[^()]*\)|\(\?=[^)]*\)|%[-+.*\d]*[a-z]/g, ",")
  .split(/[,:;()"\\]|\.\.\./).map(part => part.trim()).filter(part => /[a-z]/.test(part));

const SAID = [
  from(source("outcome.c"), "reasons[", "/* clang-format on */"), from(source("explain.c"), "static void explain_words"),
  from(source("labels/labels.c"), "void drg_label_explain"), from(source("airports_match.c"), "static void explain_points"),
  from(source("../matching/automap_hotels.c"), "if (m->twin > 0)", "return"), from(source("card/scorecard.c"), "names[", ";"),
].flatMap(literals);
const UNITS = ["km", "m", "p"];

test("each phrase of an explanation is known", () => {
  const known = new Set(KNOWN.flatMap(phrasesOf));
  assert.ok(SAID.length > 50);
  assert.deepEqual(SAID.flatMap(phrasesOf).filter(phrase => !known.has(phrase) && !UNITS.includes(phrase)), []);
});

test("in English it is what the matcher says, but for the word of a comparison", () => {
  for (const text of [
    "not sure enough, 3.1 bits (p 0.895): name +3.1 (numbers, name; left over: spa; missing: code), 120 m +1.9, nothing else comes near +6.0, base -2.0, no other",
    "another record fits nearly as well: code TR, 2 of this name in its country, 3.0 km",
    "2.0 points: name +1.0, same city +0.5, other country -1.0, 3.1 km -0.2, next best 1.5 points behind"])
    assert.equal(explain(text), text);
  assert.equal(explain("zip +0.5"), "post code +0.5");
});
