// Keys that come before an answer: they go neither into a field nor to another record.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "../lib/browser.js";
import { settled } from "../lib/calm.js";
import { caseShown, desk, openAt, openBench, told } from "../lib/desk.js";
import { asked, press } from "../lib/keyboard.js";
import { late } from "../lib/late.js";
import { RECORDS } from "../lib/small.js";

const CASES = Array.from({ length: 60 }, (_, i) => ({ type: "source", adapter_id: 3, kind: "hotel", id: `N-${i}`, name: `Sunny Nowhere ${i}`, country_id: "TR", city_id: "S", country_name: "Turkey", city_name: "Side" }));
let browser, server;
before(async () => { server = await desk([...RECORDS, ...CASES]); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const signedIn = to => to === "workbench" ? openBench(browser, server.url, "anna") : openAt(browser, server.url, "anna", to);

const said = (page, text) => page.locator("#said", { hasText: text }).waitFor();
const keyNow = page => page.locator(".row.now").getAttribute("data-key");
const waitKey = (page, key) => page.waitForFunction(key => document.querySelector(".row.now")?.dataset.key === key, key);
const hasFocus = (page, what) => page.waitForFunction(what => document.activeElement.it?.id === what || document.activeElement.id === what || String(document.activeElement.batch?.id) === what, what);

async function map(page, n) {
  await page.evaluate(async n => {
    const { root } = await import(`${location.pathname.includes("workbench/") ? ".." : "."}/web/session.js`);
    const at = path => new URL(path, root), { csrf } = (await (await fetch(at("v1/session"))).json()).data;
    const { version } = (await (await fetch(at(`v1/curate/case?adapter_id=3&kind=hotel&id=N-${n}`))).json()).data;
    const decisions = [{ decide: "map", adapter_id: 3, kind: "hotel", id: `N-${n}`, dict_id: 104, version }];
    await fetch(at("v1/curate/decide"), { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf }, body: JSON.stringify({ decisions }) });
  }, n);
}

/* ---- the queue ---- */

test("queue: after Enter in a filter j is for the list, and is counted until it is there", async () => {
  const page = await signedIn("workbench");
  await page.locator("[name=adapter_id]").selectOption("3");
  await page.locator("#rows").focus();
  await page.waitForURL(/adapter_id=3/);
  await page.waitForFunction(() => document.querySelectorAll(".row").length > 4 && [...document.querySelectorAll(".row")].every(r => r.dataset.key.startsWith("3/")));
  const third = await page.locator(".row").nth(2).getAttribute("data-key");
  await page.locator("#country").fill("Turkey");
  const answer = await late(page, "**/v1/curate/queue?*");
  await press(page, "Enter");
  await answer.asked;
  await page.keyboard.type("jj");
  answer.go();
  await waitKey(page, third);
  assert.equal(await page.locator("#country").inputValue(), "Turkey");
  await press(page, "k");
  assert.notEqual(await keyNow(page), third);
  await page.close();
});

test("queue: u takes back the decision that is on its way, and not the one before it", async () => {
  const page = await signedIn("workbench"), first = await caseShown(page);
  await press(page, "1");
  await said(page, "Decided: mapped");
  await page.waitForFunction(first => document.querySelector("#case .side code")?.textContent !== first.id, first);
  const second = await caseShown(page);
  await settled(page); // what has just moved is not decided
  const answer = await late(page, "**/v1/curate/decide");
  await press(page, "1");
  await answer.asked;
  await press(page, "u");
  answer.go();
  await said(page, "Undone");
  const [was, is] = [await told(page, first), await told(page, second)];
  assert.notEqual(was.dict_id, null);
  assert.equal(is.dict_id, null);
  assert.deepEqual(is.history.map(h => h.how), ["set", "undo"]);
  await page.close();
});

/* ---- the history ---- */

test("history: after Enter in a filter j is for the decisions, and is counted until they are there", async () => {
  const page = await signedIn("workbench/history");
  for (const n of [40, 41, 42]) await map(page, n);
  const answer = await late(page, "**/v1/curate/history?*");
  await page.locator("[name=by]").fill("anna");
  await press(page, "Enter");
  await answer.asked;
  await page.locator("#batches .event").first().waitFor();
  await page.keyboard.type("jj");
  answer.go();
  await hasFocus(page, "N-40");
  assert.equal(await page.locator("[name=by]").inputValue(), "anna");
  await press(page, "k");
  await hasFocus(page, "N-41");
  await page.close();
});

test("history: while older decisions are on their way j counts from the first of them", async () => {
  const page = await signedIn("workbench/history"), real = "**/v1/curate/history?*";
  for (const n of [43, 44, 45, 46]) await map(page, n);
  // Pages of two, so that there are several.
  await page.route(real, route => route.continue({ url: `${route.request().url()}&limit=2` }));
  await page.reload();
  await hasFocus(page, "N-46");
  const answer = await late(page, real);
  await page.route(real, route => route.fallback({ url: `${route.request().url()}&limit=2` }));
  await page.locator("#more").focus();
  await press(page, "Enter");
  await answer.asked;
  await press(page, "j");
  answer.go();
  await hasFocus(page, "N-43");
  await page.close();
});

test("history: while a batch is being taken back j goes to the next batch", async () => {
  const page = await signedIn("workbench/history");
  for (const n of [47, 48]) await map(page, n);
  await page.reload();
  await page.locator("#batches .event").nth(1).waitFor();
  const [newest, next] = (await asked(page, "v1/curate/batches?limit=2")).items;
  const answer = await late(page, "**/v1/curate/batchUndo");
  await page.locator("#batches .event .acts > button").nth(1).click();
  await page.waitForFunction(() => document.activeElement.closest(".reason input"));
  await page.keyboard.type("too fast");
  await press(page, "Enter");
  await answer.asked;
  await hasFocus(page, String(newest.id));
  await press(page, "j");
  await hasFocus(page, String(next.id));
  answer.go();
  await said(page, `Batch ${newest.id} was undone`);
  await hasFocus(page, String(next.id));
  await page.close();
});
