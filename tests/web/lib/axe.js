// axe-core on a page: no finding.
import assert from "node:assert/strict";
import axe from "axe-core";

/** Once in a page: half a second of a processor. Past Playwright's evaluate, which takes as long again for a text of its size. */
async function bring(page) {
  if (await page.evaluate(() => "axe" in window)) return;
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: `${axe.source};0` });
  await session.detach();
}

/** @param besides  rules that are left out. */
export async function accessible(page, what, besides = []) {
  await bring(page);
  await page.evaluate(() => { // a colour on its way to another is nobody's choice
    for (const one of document.getAnimations()) if (one.effect.getComputedTiming().endTime !== Infinity) one.finish();
  });
  const { violations } = await page.evaluate(rules => globalThis.axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    rules: Object.fromEntries(rules.map(rule => [rule, { enabled: false }])),
  }), besides);
  const told = violations.map(v => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map(n => n.target.join(" ")).join(" | ")}`);
  assert.deepEqual(told, [], what);
}
