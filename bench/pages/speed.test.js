// The figures of docs/performance.md: time until the form is filled, keystroke to painted. What is held to
// the bounds is the processor time of the page's thread, whatever else runs; with DRG_QUIET=1, on a quiet machine, the time that
// passes too.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, openForm } from "../../tests/web/lib/browser.js";
import { demo } from "../../tests/web/lib/server.js";

const MAX_READY_MS = 300, MAX_KEYSTROKE_MS = 30, ROUNDS = 4, QUIET = process.env.DRG_QUIET === "1";
const TYPED = ["london", "kyiv", "paris", "tokyo", "new york", "istanbul"];
let browser, server;
before(async () => { server = await demo(); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** The best of some rounds: another process that has the processor for a moment is not what is measured. */
async function best(round, limit) {
  const seen = [];
  for (let i = 0; i < ROUNDS; i++) {
    seen.push(await round());
    if (seen.at(-1) <= limit) break;
  }
  return Math.min(...seen);
}

/** @returns a function: processor time of the page's thread so far, in ms. */
async function processor(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => (await session.send("Performance.getMetrics")).metrics.find(m => m.name === "TaskDuration").value * 1000;
}

test("the form is soon filled", async t => {
  let busy = Infinity;
  const round = async () => {
    let used;
    const page = await open(browser, `${server.url}/demo`, {
      before: async p => {
        used = await processor(p);
        await p.addInitScript(() => new MutationObserver((_, watch) => {
        if (!document.querySelector("#hotels li")) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => { window.filledAt = performance.now() }));
      }).observe(document, { childList: true, subtree: true }));
      },
    });
    const ms = await (await page.waitForFunction(() => window.filledAt)).jsonValue();
    busy = Math.min(busy, await used());
    await page.close();
    return ms;
  };
  await round(); // the lists are built when they are first asked for
  const ms = await best(round, MAX_READY_MS);
  t.diagnostic(`lists and hotels painted ${ms.toFixed(0)} ms after the navigation, ${busy.toFixed(0)} ms of them at work`);
  assert.ok(busy > 5 && busy <= MAX_READY_MS, `${busy} ms at work`);
  if (QUIET) assert.ok(ms <= MAX_READY_MS, `${ms} ms`);
});

test("suggestions follow the keystrokes", async t => {
  const page = await openForm(browser, server.url);
  const used = await processor(page), before = await used();
  let typed = 0;
  const round = async () => {
    await page.evaluate(() => performance.clearMeasures());
    for (const text of TYPED) {
      await page.locator("#air-input").fill("");
      await page.locator("#air-input").pressSequentially(text, { delay: 60 });
      typed += text.length;
    }
    return median(await page.evaluate(() => performance.getEntriesByName("keystroke").map(m => m.duration)));
  };
  const ms = await best(round, MAX_KEYSTROKE_MS);
  const n = await page.evaluate(() => performance.getEntriesByName("keystroke").length);
  const busy = ((await used()) - before) / typed;
  t.diagnostic(`keystroke to painted: ${ms.toFixed(1)} ms, the median of ${n}; ${busy.toFixed(1)} ms at work for each`);
  assert.ok(n >= 20, `${n} keystrokes measured`);
  assert.ok(busy > 0.1 && busy <= MAX_KEYSTROKE_MS, `${busy} ms at work`);
  if (QUIET) assert.ok(ms <= MAX_KEYSTROKE_MS, `${ms} ms`);
  await page.close();
});
