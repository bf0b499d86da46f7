// What people note at a case: comments, who should look, what is put off; and how far the day's work is.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch } from "../lib/browser.js";
import { calm, canChoose, settled } from "../lib/calm.js";
import { caseShown, desk, openBench, told } from "../lib/desk.js";

const NAMES = ["Orkide Resort & Spa", "Pamfilya Konak", "Sultan Sahil Palace"];
const at = i => ({ lat: 36.76 + i * 0.002, lng: 31.38 });
const RECORDS = [
  { type: "adapter", id: 1, code: "one", name: "One", domain: "tour" },
  { type: "dict", kind: "country", id: 1, name: { en: "Turkey" }, iso_alpha_2: "TR" },
  { type: "dict", kind: "city", id: 10, name: { en: "Side" }, country_id: 1, lat: 36.767, lng: 31.389 },
  { type: "dict", kind: "hotel_category", id: 5, name: "5*" },
  ...NAMES.map((name, i) => ({ type: "dict", kind: "hotel", id: 100 + i, name, country_id: 1, city_id: 10, hotel_category_id: 5, ...at(i) })),
  ...NAMES.map((name, i) => ({ type: "source", adapter_id: 1, kind: "hotel", id: `H${i}`, name: `${name} Villas`, country_name: "TURKEY",
    city_name: "SIDE", ...at(i) })),
  { type: "source", adapter_id: 1, kind: "country", id: "C1", name: "Xanadu" },
  { type: "source", adapter_id: 1, kind: "hotel", id: "X1", name: "Nowhere", country_id: "C1", country_name: "Xanadu" },
];

let browser, server;
before(async () => { server = await desk(RECORDS); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const said = (page, text) => page.waitForFunction(text => document.querySelector("#said").textContent.includes(text), text);
const rows = page => page.locator(".row").evaluateAll(list => list.map(row => row.dataset.key));
const choose = (page, filter, value) => page.locator(`#filters [name=${filter}]`).selectOption(value);

/** The list as the server has it by now: a note shows with the next reading. */
async function listed(page, keys) {
  for (;;) {
    await page.locator("#filters button").click();
    await calm(page);
    const now = await rows(page);
    if (JSON.stringify(now) === JSON.stringify(keys)) return;
  }
}

test("a case that is skipped comes after the others, is found by the filter, and is taken back", async () => {
  const page = await openBench(browser, server.url, "anna");
  await page.locator("#case .case-notes").waitFor();
  const before = await rows(page);
  await page.keyboard.press("s");
  await said(page, "Put off");
  await settled(page);
  assert.deepEqual(await rows(page), [...before.slice(1), before[0]]);
  assert.equal(await page.locator(".row.now").getAttribute("data-key"), before[1]);
  await listed(page, [...before.slice(1), before[0]]);
  const other = await openBench(browser, server.url, "boris");
  assert.deepEqual(await rows(other), before);
  await other.close();
  await choose(page, "later", "1");
  await listed(page, [before[0]]);
  await page.locator(".case-notes", { hasText: "later — anna" }).waitFor();
  await page.locator(".case-notes button", { hasText: "No longer later" }).click();
  await said(page, "with the others again");
  await choose(page, "later", "");
  await listed(page, before);
  await page.close();
});

test("a comment is kept with who wrote it, a draft outlives what is drawn anew, and a case is for somebody", async () => {
  const page = await openBench(browser, server.url, "anna");
  const it = await caseShown(page), input = page.locator(".note-text");
  await page.keyboard.press("m");
  await page.keyboard.type("<b>Is it</b> the old house?");
  // somebody else notes at the same case meanwhile, and it is drawn anew here
  const boris = await openBench(browser, server.url, "boris");
  await boris.locator(".note-text").fill("seen");
  await boris.keyboard.press("Enter");
  await boris.locator(".case-notes li", { hasText: "seen — boris" }).waitFor();
  await page.locator(".note-person").selectOption("boris");
  await page.locator(".case-notes li", { hasText: "for boris — anna" }).waitFor();
  await page.locator(".case-notes li", { hasText: "seen — boris" }).waitFor();
  assert.equal(await input.inputValue(), "<b>Is it</b> the old house?");
  await input.press("Enter");
  await page.locator(".case-notes li", { hasText: "<b>Is it</b> the old house? — anna" }).waitFor();
  assert.equal(await input.inputValue(), "");
  const known = await told(page, it);
  assert.deepEqual(known.notes.map(n => [n.by, n.what]).slice(-3), [["boris", "comment"], ["anna", "assign"], ["anna", "comment"]]);
  assert.equal(known.assigned, "boris");
  await accessible(page, "a case with notes");
  await choose(boris, "assigned", "boris");
  await listed(boris, [`${it.adapter_id}/${it.kind}/${it.id}`]);
  await boris.locator(".row", { hasText: "for boris" }).waitFor();
  await boris.close();
  await page.close();
});

test("a viewer reads notes and writes none", async () => {
  const page = await openBench(browser, server.url, "vera");
  await page.locator(".case-notes li").first().waitFor();
  assert.equal(await page.locator(".note-text").count(), 0);
  await page.keyboard.press("s");
  await calm(page);
  assert.equal((await told(page, await caseShown(page))).later, false);
  await page.close();
});

test("what each has decided today, and how long the rest takes", async () => {
  const page = await openBench(browser, server.url, "anna");
  await calm(page); // what was decided before is known, and not this with it
  await page.keyboard.press("1");
  await said(page, "Decided: mapped");
  await page.waitForFunction(() => /Decided today: 1; within the hour: 1; left: 4, at this pace 4 hours/.test(document.querySelector("#day").textContent));
  const boris = await openBench(browser, server.url, "boris");
  await boris.locator("#people summary").click();
  await boris.locator("#people li", { hasText: "anna: 1 decided, 1 within the hour" }).waitFor();
  await boris.close();
  await page.keyboard.press("u");
  await said(page, "Undone");
  await page.close();
});

test("a record whose country is not mapped leads to the country, which is mapped there", async () => {
  const page = await openBench(browser, server.url, "anna");
  await page.goto(`${server.url}/workbench?case=1/hotel/X1`);
  await page.locator(".why", { hasText: "map its country first" }).waitFor();
  await page.getByRole("button", { name: "Map its country" }).click();
  await page.locator('.row.now[data-key="1/country/C1"]').waitFor();
  await settled(page);
  await page.locator("#find-input").fill("Turkey");
  await canChoose(page, "#find-list");
  await page.keyboard.press("Enter");
  await said(page, "Decided: mapped");
  assert.equal((await told(page, { adapter_id: 1, kind: "country", id: "C1" })).dict_id, 1);
  await page.close();
});
