// A curator at work, as fast as the page goes (make long ONLY=pace: as fast as people): each decision is what was pressed, and the page does not grow.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "../lib/browser.js";
import { settled } from "../lib/calm.js";
import { desk, openBench } from "../lib/desk.js";
import { Curator, doesNotGrow, sizeOf } from "../lib/work.js";

const PIECES = 20, WARM = 5;
let browser, server;
before(async () => { server = await desk(); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

test(`${PIECES} pieces of work by keys, without a stumble`, async t => {
  const page = await openBench(browser, server.url, "anna"), size = await sizeOf(page), anna = new Curator(server.url, page, () => settled(page));
  let warm;
  for (let n = 0; n < PIECES; n++) {
    if (n === WARM) warm = await size();
    await anna.piece(n);
  }
  t.diagnostic(JSON.stringify(anna.counts));
  assert.ok((anna.counts.refused ?? 0) * 10 <= PIECES, `${anna.counts.refused} were refused`);
  doesNotGrow(warm, await size());
  await page.close();
});
