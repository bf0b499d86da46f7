// A curator at work: thirty decisions a minute by keys, for DRG_PACE_SECONDS (20; `make pace`: ten minutes). Each is what was pressed,
// the next case is there at once, and the page does not grow.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open } from "../lib/browser.js";
import { caseShown, desk, signIn } from "../lib/desk.js";
import { painted, percentile, watchPaint } from "../lib/painted.js";

const SECONDS = Number(process.env.DRG_PACE_SECONDS ?? 20), A_MINUTE = 30, EVERY_MS = 60000 / A_MINUTE, MAX_KEY_MS = 50, QUIET = process.env.DRG_QUIET === "1";
const READ_MS = 500, WARM = 5, MAX_GROWTH = 2 * 2 ** 20, MAX_NODES = 3000;
// What a curator does, over and over: most cases are their first candidate, some are new, now and then one is none of it or was a mistake.
const WORK = ["1", "1", "jn", "1", "u", "1", "1", "xj", "n", "1", "jjk1", "n", "u", "1", "1", "jx", "j1", "n", "1", "1"];
let browser, server;
before(async () => { server = await desk(); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const later = ms => new Promise(on => setTimeout(on, ms));

/** What the server says of a case, past the page, of which the memory is looked at. */
async function told(page, { adapter_id, kind, id }) {
  const answer = await page.context().request.get(`${server.url}/v1/curate/case?${new URLSearchParams({ adapter_id, kind, id })}`);
  return (await answer.json()).data;
}

async function until(holds, what) {
  for (const end = Date.now() + 20000; Date.now() < end; await later(20)) {
    const value = await holds();
    if (value) return value;
  }
  assert.fail(`never: ${what}`);
}

const pageSays = page => page.locator("#said").textContent();

/** Presses the key, and waits until another case is marked in the list, and is the one that can be read, or n was refused. @param wanted  which one, if one only */
async function pressOn(page, key, wanted) {
  const from = await page.locator(".row.now").getAttribute("data-key");
  await page.keyboard.press(key);
  await page.waitForFunction(([from, wanted, key]) => {
    const now = document.querySelector(".row.now")?.dataset.key;
    if (key === "n" && document.querySelector("#said.bad")?.textContent.includes("is not known")) return true; // it has come back already
    return (wanted ? now === wanted : now !== from) && now.endsWith(`/${document.querySelector("#case .side code")?.textContent}`);
  }, [from, wanted, key]).catch(async () => assert.fail(`${key} leaves ${from}: the page says "${await pageSays(page)}"`));
}

const keyOf = it => `${it.adapter_id}/${it.kind}/${it.id}`;

/** No hotel can be made where its city, or its category, is not known, and the page says so. */
const isRefused = text => text.includes("is not known");
const complaint = page => page.evaluate(() => document.querySelector("#said.bad")?.textContent ?? "");

async function comesBack(page, it) {
  await page.waitForFunction(key => document.querySelector(".row.now")?.dataset.key === key, keyOf(it));
  assert.equal((await told(page, it)).dict_id, null);
  await pressOn(page, "j"); // for somebody else
  return "refused";
}

/** @param mine  what was mapped or made so far, the last at the end @returns what came of it */
async function decide(page, key, mine) {
  const it = await caseShown(page), before = await told(page, it);
  const shown = await page.locator(".candidate").evaluateAll(all => all.map(box => Number(box.dataset.id))), [first] = shown;
  const pressed = key === "1" && !first ? "n" : key;
  await later(READ_MS); // nobody decides what was not read
  if (pressed === "1" || pressed === "n") {
    await pressOn(page, pressed);
    const now = await until(async () => { const now = await told(page, it); return now.dict_id !== null ? now : pressed === "n" && isRefused(await complaint(page)) }, `${pressed} on ${it.id}`)
      .catch(async e => assert.fail(`${e.message}, the page says "${await pageSays(page)}"`));
    if (now === true) return comesBack(page, it);
    if (pressed === "1") assert.equal(now.dict_id, first, `${it.id} is its first candidate`);
    else assert.ok(!shown.includes(now.dict_id), `${it.id} is new`);
    assert.deepEqual([now.history.at(-1).by, now.history.at(-1).to], ["anna", now.dict_id]);
    mine.push(it);
  } else {
    const refused = before.not_same.length;
    await page.keyboard.press(pressed);
    await until(async () => (await told(page, it)).not_same.length === refused + 1, `x on ${it.id}`);
    const now = await told(page, it);
    assert.deepEqual([now.dict_id, now.not_same.some(n => n.dict_id === first)], [null, true], `${it.id} is not its first candidate`);
    assert.deepEqual(await caseShown(page), it);
  }
  return pressed;
}

async function takeBack(page, mine) {
  const it = mine.pop();
  await pressOn(page, "u", keyOf(it));
  await until(async () => (await told(page, it)).dict_id === null, `u takes ${it.id} back`);
}

/** Bytes and nodes of the page that are in use. */
async function size(session) {
  for (let i = 0; i < 2; i++) await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics"), metric = name => metrics.find(m => m.name === name).value;
  return { bytes: (await session.send("Runtime.getHeapUsage")).usedSize, nodes: metric("Nodes") };
}

const mib = bytes => (bytes / 2 ** 20).toFixed(2);

test(`${A_MINUTE} decisions a minute for ${SECONDS} s, without a stumble`, { timeout: (SECONDS + 300) * 3000 }, async t => {
  const page = await open(browser, `${server.url}/sign-in`), session = await page.context().newCDPSession(page), mine = [], counts = {};
  await signIn(page, server.url, "anna");
  for (const domain of ["HeapProfiler", "Performance", "Runtime"]) await session.send(`${domain}.enable`);
  await watchPaint(page, "#one");
  const began = Date.now(), planned = Math.max(WARM + 5, Math.round((SECONDS * A_MINUTE) / 60));
  let warm, latest = 0;
  for (let n = 0; n < planned; n++) {
    const late = Date.now() - (began + n * EVERY_MS);
    latest = Math.max(latest, late);
    if (late < 0) await later(-late);
    if (n === WARM) warm = await size(session);
    const keys = WORK[n % WORK.length];
    for (const key of keys) {
      if ("jk".includes(key)) await pressOn(page, key);
      else if (key === "u") await takeBack(page, mine);
      const did = "1nx".includes(key) ? await decide(page, key, mine) : key;
      counts[did] = (counts[did] ?? 0) + 1;
    }
    const bad = await complaint(page);
    assert.ok(bad === "" || isRefused(bad), bad);
  }
  const end = await size(session), took = (await painted(page)).filter(p => "1njk".includes(p.key)).map(p => p.ms), half = Math.floor(took.length / 2);
  const seconds = (Date.now() - began) / 1000, median = percentile(took, 50);
  t.diagnostic(`${planned} decisions in ${seconds.toFixed(0)} s (${JSON.stringify(counts)}), at most ${(latest / 1000).toFixed(1)} s behind`);
  t.diagnostic(`key to the next case painted: median ${median.toFixed(1)} ms (of the first half ${percentile(took.slice(0, half), 50).toFixed(1)}, of the second ${
    percentile(took.slice(half), 50).toFixed(1)}), p99 ${percentile(took, 99).toFixed(1)} ms, worst ${Math.max(...took).toFixed(1)} ms, of ${took.length}`);
  t.diagnostic(`heap ${mib(warm.bytes)} MiB after ${WARM} decisions, ${mib(end.bytes)} MiB at the end; ${warm.nodes} nodes, then ${end.nodes}`);
  assert.ok((counts.refused ?? 0) * 10 <= planned, `${counts.refused} were refused`);
  assert.ok(median <= MAX_KEY_MS * (QUIET ? 1 : 4), `${median} ms`);
  assert.ok(end.bytes - warm.bytes <= MAX_GROWTH, `the heap has grown by ${mib(end.bytes - warm.bytes)} MiB`);
  assert.ok(end.nodes <= warm.nodes + MAX_NODES, `${end.nodes} nodes`);
  await page.close();
});
