// A curator at a curator's pace: thirty decisions a minute by keys, for DRG_PACE_SECONDS (20; `make long ONLY=pace`: longer). Each is what
// was pressed, the next case is there at once, and the page does not grow.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "../../tests/web/lib/browser.js";
import { desk, openBench } from "../../tests/web/lib/desk.js";
import { Curator, doesNotGrow, sizeOf } from "../../tests/web/lib/work.js";
import { painted, percentile, watchPaint } from "./painted.js";

const SECONDS = Number(process.env.DRG_PACE_SECONDS ?? 20), A_MINUTE = 30, EVERY_MS = 60000 / A_MINUTE, MAX_KEY_MS = 50, QUIET = process.env.DRG_QUIET === "1";
const READ_MS = 500, WARM = 5;
let browser, server;
before(async () => { server = await desk(); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const later = ms => new Promise(on => setTimeout(on, ms)), mib = bytes => (bytes / 2 ** 20).toFixed(2);

test(`${A_MINUTE} decisions a minute for ${SECONDS} s, without a stumble`, { timeout: (SECONDS + 300) * 3000 }, async t => {
  const page = await openBench(browser, server.url, "anna"), size = await sizeOf(page), anna = new Curator(server.url, page, () => later(READ_MS));
  await watchPaint(page, "#one");
  const began = Date.now(), planned = Math.max(WARM + 5, Math.round((SECONDS * A_MINUTE) / 60));
  let warm, latest = 0;
  for (let n = 0; n < planned; n++) {
    const late = Date.now() - (began + n * EVERY_MS);
    latest = Math.max(latest, late);
    if (late < 0) await later(-late);
    if (n === WARM) warm = await size();
    await anna.piece(n);
  }
  const end = await size(), took = (await painted(page)).filter(p => "1njk".includes(p.key)).map(p => p.ms), half = Math.floor(took.length / 2);
  const seconds = (Date.now() - began) / 1000, median = percentile(took, 50), { counts } = anna;
  t.diagnostic(`${planned} decisions in ${seconds.toFixed(0)} s (${JSON.stringify(counts)}), at most ${(latest / 1000).toFixed(1)} s behind`);
  t.diagnostic(`key to the next case painted: median ${median.toFixed(1)} ms (of the first half ${percentile(took.slice(0, half), 50).toFixed(1)}, of the second ${
    percentile(took.slice(half), 50).toFixed(1)}), p99 ${percentile(took, 99).toFixed(1)} ms, worst ${Math.max(...took).toFixed(1)} ms, of ${took.length}`);
  t.diagnostic(`heap ${mib(warm.bytes)} MiB after ${WARM} decisions, ${mib(end.bytes)} MiB at the end; ${warm.nodes} nodes, then ${end.nodes}`);
  assert.ok((counts.refused ?? 0) * 10 <= planned, `${counts.refused} were refused`);
  assert.ok(median <= MAX_KEY_MS * (QUIET ? 1 : 4), `${median} ms`);
  doesNotGrow(warm, end);
  await page.close();
});
