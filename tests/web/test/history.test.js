// The page of the history: filtered, read on, one decision and a batch taken back, by keyboard; a viewer sees no buttons.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch } from "../lib/browser.js";
import { calm } from "../lib/calm.js";
import { desk, openAt } from "../lib/desk.js";
import { RECORDS, SCRIPT } from "../lib/small.js";

const MAX_BYTES = 200 * 1024, MANY = 130;
const PICTURE = new URL("../../../docs/images/workbench-history.png", import.meta.url).pathname;
/** Enough of them that there are older ones. */
const MORE = Array.from({ length: MANY }, (_, i) => ({ type: "source", adapter_id: 3, kind: "hotel", id: `N-${i}`, name: `Nowhere ${i}`, country_name: "Turkey", city_name: "Side" }));
let browser, server;
before(async () => { server = await desk([...RECORDS, ...MORE]); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

async function past(name, query = "", options) {
  const page = await openAt(browser, server.url, name, `workbench/history${query}`, options);
  await page.locator("#batches .event").first().waitFor();
  return page;
}

const said = (page, text) => page.waitForFunction(text => document.querySelector("#said").textContent.includes(text), text)
  .catch(async () => assert.fail(`expected "${text}", found "${await page.locator("#said").textContent()}"`));
const caseOf = (page, adapter_id, id) => page.evaluate(q => fetch(`../v1/curate/case?${new URLSearchParams(q)}`).then(a => a.json()).then(a => a.data), { adapter_id, kind: "hotel", id });

/** Decides about records of a supplier, each with its present version. @returns data of the answer */
async function decided(page, why, ...list) {
  const decisions = await Promise.all(list.map(async ([adapter_id, id, decision]) => ({ adapter_id, kind: "hotel", id, version: (await caseOf(page, adapter_id, id)).version, ...decision })));
  return page.evaluate(async body => {
    const { csrf } = (await (await fetch("../v1/session")).json()).data;
    const answer = await fetch("../v1/curate/decide", { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf }, body: JSON.stringify(body) });
    return (await answer.json()).data;
  }, { why, decisions });
}
const map = dict_id => ({ decide: "map", dict_id });

test("who decided what, filtered by person, supplier, kind, batch and day; in the address", async () => {
  const page = await past("anna");
  const { batch } = await decided(page, SCRIPT, [1, "A-9", map(102)], [2, "B-9", map(104)]);
  const boris = await past("boris");
  await decided(boris, "seems so", [3, "C-9", map(104)]);
  await page.reload();
  await page.locator("#events .event", { hasText: "boris" }).waitFor();
  assert.deepEqual(await page.locator("#events .event").first().locator("a").allTextContents(), ["C-9", "Quiet Garden 104"]);
  await page.locator("[name=by]").fill("anna");
  await page.locator("[name=by]").press("Enter");
  await page.waitForURL(/by=anna/);
  await page.waitForFunction(() => document.querySelectorAll("#events .event").length === 2);
  await page.locator("#events .why", { hasText: SCRIPT }).first().waitFor();
  await page.locator("[name=adapter_id]").selectOption("2");
  await page.waitForFunction(() => document.querySelectorAll("#events .event").length === 1);
  await page.reload();
  await page.locator("#events .event", { hasText: "B-9" }).waitFor();
  assert.equal(await page.locator("#events .event").count(), 1);
  await page.goto(`${server.url}/workbench/history?batch=${batch}&kind=hotel`);
  await page.waitForFunction(() => document.querySelectorAll("#events .event").length === 2);
  await page.goto(`${server.url}/workbench/history?since=2999-01-01`);
  await page.getByText("Nobody has decided anything").waitFor();
  await page.locator("[name=since]").fill("2026-01-01");
  await page.locator("#events .event", { hasText: "boris" }).waitFor();
  // What it is, as it is now, and the way to the record of the reference.
  await page.locator("#events .event", { hasText: "A-9" }).locator("summary").click();
  await page.getByText(`Seaside ${SCRIPT}, now mapped to ${SCRIPT}`).waitFor();
  await page.locator("#events .event", { hasText: "A-9" }).locator("a[href^=reference]").click();
  await page.waitForURL(/workbench\/reference\?record=hotel%2F102/);
  await page.locator("#one h2", { hasText: SCRIPT }).waitFor();
  assert.equal(await page.locator("main img").count(), 0);
  await boris.close();
  await page.close();
});

test("by keyboard alone: one decision is taken back, and one that was decided about again is not", async () => {
  const page = await past("anna");
  await decided(page, "the name fits", [3, "C-8", map(103)]);
  await decided(page, "no: it is in the garden", [3, "C-8", map(104)]);
  await page.reload();
  await page.locator("#events .event", { hasText: "in the garden" }).waitFor();
  await page.waitForFunction(() => document.activeElement.closest(".event"));
  if (process.env.DRG_IMAGES) fs.writeFileSync(PICTURE, await page.screenshot());
  await page.keyboard.press("j");
  await page.keyboard.press("u");
  await said(page, "There is a later decision");
  assert.equal((await caseOf(page, 3, "C-8")).dict_id, 104);
  await page.keyboard.press("k");
  await page.keyboard.press("u");
  await said(page, "Undone: it is mapped to 103 now");
  const { dict_id, history } = await caseOf(page, 3, "C-8");
  assert.deepEqual([dict_id, history.at(-1).by], [103, "anna"]);
  await page.keyboard.press("u"); // it has no button any more
  await calm(page);
  assert.equal((await caseOf(page, 3, "C-8")).dict_id, 103);
  await page.close();
});

test("somebody decides between looking and taking back: that is refused", async () => {
  const page = await past("anna"), boris = await past("boris");
  await decided(page, "mine", [3, "N-1", map(104)]);
  await page.reload();
  await page.locator("#events .event", { hasText: "mine" }).waitFor();
  // Boris is faster by as much as the decision takes to arrive.
  await page.route("**/v1/curate/decide", async route => {
    assert.equal((await decided(boris, "his", [3, "N-1", map(103)])).items[0].result, "done");
    await route.continue();
  });
  await page.keyboard.press("u");
  await page.locator("#said.bad").waitFor();
  assert.equal((await caseOf(page, 3, "N-1")).dict_id, 103);
  await boris.close();
  await page.close();
});

test("by keyboard alone: a batch is taken back, and what was decided about since is left and listed", async () => {
  const page = await past("anna");
  const { batch } = await decided(page, "a batch", [3, "N-2", map(104)], [3, "N-3", map(104)], [3, "N-4", map(104)]);
  await decided(page, "since", [3, "N-3", map(103)]);
  await page.reload();
  const box = page.locator("#batches .event", { hasText: `${batch} Decisions` });
  await box.getByRole("button", { name: "Undo it" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("wrong list");
  await page.keyboard.press("Enter");
  await said(page, `Batch ${batch} was undone`);
  assert.match(await box.locator(".note").textContent(), /2 restored, 1 left alone.*N-3/s);
  assert.deepEqual([(await caseOf(page, 3, "N-2")).dict_id, (await caseOf(page, 3, "N-3")).dict_id], [null, 103]);
  // Somebody else had the list of before.
  const late = await past("boris");
  const { batch: other } = await decided(page, "another", [3, "N-5", map(104)]);
  await late.reload();
  const button = late.locator("#batches .event", { hasText: `${other} Decisions` }).getByRole("button", { name: "Undo it" });
  await button.waitFor();
  await page.evaluate(async batch => {
    const { csrf } = (await (await fetch("../v1/session")).json()).data;
    await fetch("../v1/curate/batchUndo", { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf }, body: JSON.stringify({ batch }) });
  }, other);
  await button.click();
  await late.keyboard.press("Enter");
  await late.locator("#said.bad").waitFor();
  await late.close();
  await page.close();
});

test("older ones come with the button, none twice", async () => {
  const page = await past("anna");
  for (let i = 10; i < MANY; i += 40) await decided(page, "many", ...Array.from({ length: Math.min(40, MANY - i) }, (_, n) => [3, `N-${i + n}`, map(104)]));
  await page.reload();
  await page.locator("#events .event").nth(99).waitFor();
  assert.equal(await page.locator("#events .event").count(), 100);
  await page.locator("#more").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("#events .event").length > 120);
  assert.ok(await page.evaluate(() => [...document.querySelectorAll("#events .event")].indexOf(document.activeElement) === 100), "the first of them has the focus");
  const all = await page.locator("#events .event").evaluateAll(list => list.map(box => `${box.it.at} ${box.it.id}`));
  assert.equal(new Set(all).size, all.length);
  await page.close();
});

test("a viewer sees no button that decides, and decides nothing", async () => {
  const page = await past("vera");
  await page.locator("#events .event").first().waitFor();
  assert.deepEqual([...new Set(await page.locator("main button:visible").allTextContents())].sort(), ["Its decisions", "Older ones"]);
  await page.waitForFunction(() => document.activeElement.closest(".event"));
  await page.keyboard.press("u");
  await said(page, "Your role is viewer");
  await page.close();
});

for (const scheme of ["light", "dark"]) {
  for (const [name, size] of Object.entries({ desk: { width: 1280, height: 800 }, tablet: { width: 768, height: 1024 } })) {
    test(`it fits and can be read, ${scheme}, ${name}`, async () => {
      const page = await past("anna", "", { scheme, size });
      await page.locator("#events .event").first().waitFor();
      await page.locator("#batches").getByRole("button", { name: "Undo it" }).first().click();
      await accessible(page, `history, ${scheme}, ${name}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      await page.close();
    });
  }
}

test("the first view is small", async t => {
  const page = await past("anna");
  let bytes = 0;
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  session.on("Network.loadingFinished", e => { bytes += e.encodedDataLength });
  await page.reload();
  await page.locator("#events .event").first().waitFor();
  await page.locator("#batches .event").first().waitFor();
  t.diagnostic(`first view: ${bytes} bytes transferred`);
  assert.ok(bytes > 10000 && bytes <= MAX_BYTES, `${bytes} bytes`);
  await page.close();
});
