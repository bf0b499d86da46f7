// The workbench: cases worked off by keyboard alone, by two people at once, and by one who may only look.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch, open } from "../lib/browser.js";
import { calm, settled } from "../lib/calm.js";
import { atCase, caseShown, desk, openBench, signInTo, told } from "../lib/desk.js";
import { late } from "../lib/late.js";

const MAX_BYTES = 200 * 1024;
const PICTURE = new URL("../../../docs/images/workbench.png", import.meta.url).pathname;
let browser, server;
before(async () => { server = await desk(); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const bench = (name, options) => openBench(browser, server.url, name, options);

/** "1,218" or "1,218, 2 selected": about how many there are, as of when the queue was last put in order (C2); of one list, then, not of two. */
const count = async page => Number(/^[\d,]*\d/.exec(await page.locator("#count").textContent())[0].replaceAll(",", ""));
const said = (page, text) => page.waitForFunction(text => document.querySelector("#said").textContent.includes(text), text)
  .catch(async () => assert.fail(`expected "${text}", found "${await page.locator("#said").textContent()}"`));

/** How many records of the reference have the name of this case, in full. */
const recordsNamed = async (page, it) => {
  const { record } = await told(page, it);
  const found = await page.evaluate(q => fetch(`v1/curate/search?${new URLSearchParams(q)}`).then(a => a.json()), { q: record.name, kind: it.kind });
  return (found.data?.items ?? []).filter(r => r.name === record.name).length;
};

/** Presses the key, and waits until another case is shown. */
async function pressOn(page, key) {
  const before = await page.locator(".row.now").getAttribute("data-key");
  await page.keyboard.press(key);
  await page.waitForFunction(key => document.querySelector(".row.now")?.dataset.key !== key, before);
}

/** Whether an open case or a record of the reference has the name of this case. */
async function hasNamesakes(page, { kind }, name) {
  const items = await page.evaluate(([kind, q]) => Promise.all([`queue?${new URLSearchParams({ kind, limit: 500 })}`, `search?${new URLSearchParams({ kind, q })}`]
    .map(path => fetch(`v1/curate/${path}`).then(a => a.json()).then(a => a.data.items))), [kind, name]);
  const folded = text => text.normalize("NFD").replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
  return items.flat().filter(item => folded(item.name) === folded(name)).length > 1; // the case itself is one
}

/** On to a case that can be new in the reference: its category has stars. Which is first depends on when the queue was last put in order.
 * `alone`: nothing else has its name, so that n asks nothing. */
async function onToNew(page, alone = false) {
  for (;; await pressOn(page, "j")) {
    const it = await caseShown(page), { record } = await told(page, it);
    if (/[1-5*]/.test(record.category_name ?? "") && !(alone && await hasNamesakes(page, it, record.name))) break;
  }
  await settled(page);
  return caseShown(page);
}

/** Makes a new record of the case. If something nearby has its name, the page asks first, and n once more makes it. */
async function makeNew(page) {
  const before = await page.locator(".row.now").getAttribute("data-key");
  const asksOrHasGone = key => document.querySelector("#case .nearby") !== null || document.querySelector(".row.now")?.dataset.key !== key;
  await page.keyboard.press("n");
  await page.waitForFunction(asksOrHasGone, before);
  await settled(page); // what is nearby could be seen
  if (await page.locator("#case .nearby").count() > 0) await pressOn(page, "n");
}

test("who has not signed in is asked to, and comes back", async () => {
  const page = await open(browser, `${server.url}/workbench`);
  await page.waitForURL(`${server.url}/sign-in?to=workbench`);
  await signInTo(page, server.url, "anna", "workbench");
  await atCase(page);
  await page.close();
});

test("by keyboard alone: mapped, new, not the same, several at once, taken back", async () => {
  const page = await bench("anna");
  const there = await count(page);
  assert.ok(there > 30, `${there} cases`);

  const mapped = await caseShown(page), candidate = (await told(page, mapped)).candidates[0];
  await pressOn(page, "1");
  await said(page, "Decided: mapped");
  assert.equal((await told(page, mapped)).dict_id, candidate.id);
  assert.equal((await told(page, mapped)).history.at(-1).by, "anna");

  const made = await onToNew(page), refused = (await told(page, made)).candidates[0], named = await recordsNamed(page, made);
  await makeNew(page);
  await said(page, "new in the reference");
  assert.ok((await told(page, made)).dict_id > 0);
  await page.keyboard.press("u");
  await said(page, "Undone");
  assert.deepEqual(await caseShown(page), made);
  assert.equal((await told(page, made)).dict_id, null);
  assert.equal(await recordsNamed(page, made), named);
  await settled(page); // it has come back by itself: a key waits until it could be read

  await page.keyboard.press("x");
  await said(page, "not the same");
  assert.deepEqual((await told(page, made)).not_same.map(n => n.dict_id), [refused.id]);

  await pressOn(page, "j");
  await onToNew(page, true);
  await page.keyboard.press(" ");
  await onToNew(page, true);
  await page.keyboard.press(" ");
  await page.locator("#count", { hasText: "2 selected" }).waitFor();
  await page.keyboard.press("n");
  await said(page, "2 decided: new in the reference");
  assert.equal(await count(page), there - 3);
  await page.close();
});

test("that they are not the same is taken back, from another case too, and the candidates are as before", async () => {
  const page = await bench("anna"), it = await caseShown(page), before = await told(page, it);
  const drawn = () => page.locator(".candidate h3").allTextContents();
  const shown = await drawn();
  await page.keyboard.press("x");
  await said(page, "not the same");
  assert.equal((await told(page, it)).not_same.length, before.not_same.length + 1); // a test before may have left one
  await pressOn(page, "j");
  assert.notDeepEqual(await caseShown(page), it);
  await page.keyboard.press("u");
  await said(page, "Undone: not the same");
  assert.deepEqual(await caseShown(page), it);
  await page.locator("#case .candidate").first().waitFor();
  const { dict_id, not_same, candidates } = await told(page, it), said_of = list => list.map(c => [c.id, c.bits]);
  assert.deepEqual([dict_id, not_same, said_of(candidates)], [null, before.not_same, said_of(before.candidates)]);
  assert.deepEqual(await drawn(), shown);
  await page.keyboard.press("u");
  await said(page, "nothing of yours");
  await page.close();
});

test("several decisions about one case are taken back one after the other, however quickly", async () => {
  const page = await bench("anna"), it = await onToNew(page), before = await told(page, it);
  await page.keyboard.press("x");
  await said(page, "not the same");
  await calm(page);
  await makeNew(page);
  await said(page, "new in the reference");
  await page.keyboard.press("u");
  await page.keyboard.press("u");
  await said(page, "Undone: not the same");
  const { dict_id, not_same } = await told(page, it);
  assert.deepEqual([dict_id, not_same], [null, before.not_same]);
  assert.deepEqual(await caseShown(page), it);
  await page.close();
});

test("what somebody said not to be the one may be it again, at the case", async () => {
  const page = await bench("boris"), it = await caseShown(page), { candidates, not_same } = await told(page, it), first = candidates[0].id;
  const apart = async () => (await told(page, it)).not_same;
  await page.keyboard.press("x");
  await said(page, "not the same");
  await page.locator("#case li", { hasText: `record ${first}` }).getByRole("button", { name: "It may be" }).click();
  await said(page, "it may be that one after all");
  assert.deepEqual(await apart(), not_same);
  await page.locator(`.candidate[data-id="${first}"]`).waitFor();
  await page.keyboard.press("u");
  await said(page, "Undone: it may be that one after all");
  assert.deepEqual((await apart()).map(n => n.dict_id).sort(), [...not_same.map(n => n.dict_id), first].sort());
  await settled(page);
  await page.keyboard.press("u");
  await said(page, "Undone: not the same");
  assert.deepEqual(await apart(), not_same);
  await page.close();
});

test("a key decides the case that can be seen, once, and no other", async () => {
  const page = await bench("anna");
  // The next case is slow to come: no key may decide it unseen.
  const answer = await late(page, "**/v1/curate/case?*");
  await page.reload();
  await page.locator(".row.now").waitFor();
  const there = await count(page);
  await answer.asked;
  await page.keyboard.press("n");
  answer.go();
  await page.locator("#case .side").waitFor();
  await calm(page);
  assert.equal(await count(page), there);
  // A key that is held is one decision.
  await onToNew(page, true);
  await page.keyboard.down("n");
  for (let i = 0; i < 5; i++) await page.keyboard.down("n");
  await page.keyboard.up("n");
  await said(page, "new in the reference");
  await calm(page);
  assert.equal(await count(page), there - 1);
  // With a selection, the buttons of a case are about that case.
  await page.keyboard.press(" ");
  await page.locator("#count", { hasText: "1 selected" }).waitFor();
  await calm(page); // the next case is drawn
  const shown = await caseShown(page), candidate = (await told(page, shown)).candidates[0];
  await page.locator(".candidate button").first().click();
  await said(page, "Decided: mapped");
  assert.equal((await told(page, shown)).dict_id, candidate.id);
  await page.locator("#count", { hasText: "1 selected" }).waitFor();
  await page.close();
});

test("a viewer looks and decides nothing", async () => {
  const page = await bench("vera");
  const it = await caseShown(page);
  await page.keyboard.press("1");
  await said(page, "Your role is viewer");
  assert.deepEqual(await caseShown(page), it);
  const status = await page.evaluate(async it => (await fetch("v1/curate/decide", {
    method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": (await (await fetch("v1/session")).json()).data.csrf },
    body: JSON.stringify({ decisions: [{ ...it, adapter_id: Number(it.adapter_id), decide: "new", version: 1 }] }),
  })).status, it);
  assert.equal(status, 403);
  await page.close();
});

test("two people: each sees what the other looks at and what is decided", async () => {
  const anna = await bench("anna"), boris = await bench("boris"), it = await onToNew(boris);
  await calm(boris); // it is known that he looks at it
  await anna.goto(`${server.url}/workbench?case=${it.adapter_id}/${it.kind}/${it.id}`); // what others decided may stand before it
  await atCase(anna);
  await anna.locator("#case .note", { hasText: "boris" }).waitFor();
  await makeNew(boris);
  await anna.waitForFunction(key => document.querySelector(".row.now") && ![...document.querySelectorAll(".row")].some(r => r.dataset.key === key),
    `${it.adapter_id}/${it.kind}/${it.id}`);
  await anna.close();
  await boris.close();
});

test("two people: what the other decides at once after one's own decision about a case is noticed", async () => {
  const anna = await bench("anna"), boris = await bench("boris"), it = await onToNew(anna), key = `${it.adapter_id}/${it.kind}/${it.id}`;
  await anna.keyboard.press("x");
  await said(anna, "Decided: not the same");
  await settled(anna);
  await boris.goto(`${server.url}/workbench?case=${key}`); // the feed tells of mappings only, and the case is less likely now
  await atCase(boris);
  await settled(boris);
  assert.deepEqual(await caseShown(boris), it);
  await makeNew(boris);
  await said(boris, "Decided: new");
  await anna.waitForFunction(key => ![...document.querySelectorAll(".row")].some(row => row.dataset.key === key), key);
  assert.equal((await told(anna, it)).history.at(-1).by, "boris");
  await anna.close();
  await boris.close();
});

test("the filters are in the address, and survive a reload", async () => {
  const page = await bench("anna"), kinds = () => page.locator(".row").evaluateAll(rows => [...new Set(rows.map(row => row.dataset.key.split("/")[1]))]);
  const [first] = await kinds(), another = first === "city" ? "hotel" : "city";
  await page.locator("[name=kind]").selectOption(another);
  await page.waitForURL(`${server.url}/workbench?kind=${another}`);
  await page.locator(`.row.now[data-key*="/${another}/"]`).waitFor();
  assert.deepEqual(await kinds(), [another]);
  await page.reload();
  await atCase(page);
  assert.equal(await page.locator("[name=kind]").inputValue(), another);
  assert.deepEqual(await kinds(), [another]);
  await page.close();
});

for (const scheme of ["light", "dark"]) {
  for (const [name, size] of Object.entries({ desk: { width: 1280, height: 800 }, tablet: { width: 768, height: 1024 } })) {
    test(`it fits and can be read, ${scheme}, ${name}`, async () => {
      const page = await bench("anna", { scheme, size });
      await accessible(page, `workbench, ${scheme}, ${name}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      if (process.env.DRG_IMAGES && scheme === "light" && name === "desk") {
        while (await page.locator(".plot").count() === 0) await pressOn(page, "j").then(() => calm(page));
        fs.writeFileSync(PICTURE, await page.screenshot());
      }
      await page.close();
    });
  }
}

test("the first view is small", async t => {
  const page = await bench("anna");
  let bytes = 0;
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  session.on("Network.loadingFinished", e => { bytes += e.encodedDataLength });
  await page.reload();
  await page.locator("#case .side").waitFor();
  t.diagnostic(`first view: ${bytes} bytes transferred`);
  assert.ok(bytes > 10000 && bytes <= MAX_BYTES, `${bytes} bytes`);
  await page.close();
});
