// axe-core on a page: no finding.
import assert from "node:assert/strict";
import axe from "axe-core";

/** @param besides  rules that are left out. */
export async function accessible(page, what, besides = []) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(rules => globalThis.axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    rules: Object.fromEntries(rules.map(rule => [rule, { enabled: false }])),
  }), besides);
  const told = violations.map(v => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map(n => n.target.join(" ")).join(" | ")}`);
  assert.deepEqual(told, [], what);
}
