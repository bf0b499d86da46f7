// What is marked as different: not what only another way of writing is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parts } from "../../../web/differ.js";

const marks = (text, other) => parts(text, other).filter(([, differs]) => differs).map(([part]) => part);

test("what is the same in other letters, other scripts or with other signs is not marked", () => {
  for (const [text, other] of [
    ["Resort & Spa Chandra", "Резорт & Спа Чандра"], ["Резорт & Спа Чандра", "RESORT AND SPA CHANDRA"], ["4*", "4"], ["4", "4*"], ["5 ★", "5*"],
    ["İstanbul Köşkü", "istanbul kosku"], ["Київ", "KYIV"], ["Hotel-Palace (Side)", "hotel palace side"], ["Strauß", "STRAUSS"],
  ]) assert.deepEqual(marks(text, other).filter(m => m !== "&"), [], `${text} beside ${other}`);
});

test("what differs is marked", () => {
  for (const [text, other, expected] of [
    ["Sunny Palace 2", "Sunny Palace 3", ["2"]], ["HB+", "HB", ["+"]], ["5*", "4*", ["5"]], ["Blue Villas", "Blue Resort", ["Villas"]],
    ["Готель Море", "Hotel Sea", ["Море"]], ["Marina Beech", "Marina Beach", ["e"]], ["100 %", "100", ["%"]],
  ]) assert.deepEqual(marks(text, other), expected, `${text} beside ${other}`);
});

test("the parts are the text", () => {
  for (const text of ["ь", "ъX", "", "́", "😀 a", "ß", "a".repeat(50)])
    assert.equal(parts(text, "Straße ь b").map(([part]) => part).join(""), text);
});
