// A new record of a name that something else nearby has: it is shown first, and n once more makes it. The matcher of the server is off.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch } from "../lib/browser.js";
import { settled } from "../lib/calm.js";
import { desk, openAt, told } from "../lib/desk.js";

const roma = (adapter_id, id, more) => ({ type: "source", adapter_id, kind: "hotel", id, name: "Hotel Roma", category_name: "5*", country_name: "Turkey", city_name: "Side", ...more });
const RECORDS = [
  ...["One", "Two"].map((name, i) => ({ type: "adapter", id: i + 1, code: name, name, domain: "tour" })),
  { type: "dict", kind: "country", id: 1, name: { en: "Turkey" }, iso_alpha_2: "TR" },
  { type: "dict", kind: "city", id: 10, name: { en: "Side" }, country_id: 1, lat: 36.767, lng: 31.389 },
  { type: "dict", kind: "hotel_category", id: 5, name: "5*" },
  { type: "dict", kind: "hotel", id: 100, name: "Orkide Resort", country_id: 1, city_id: 10, hotel_category_id: 5, lat: 36.76, lng: 31.38 },
  roma(1, "R1", { lat: 36.77, lng: 31.39 }), roma(2, "R2", { name: "HOTEL ROMA", lat: 36.771, lng: 31.39 }), roma(1, "R3"),
];

let browser, server;
before(async () => { server = await desk(RECORDS); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const said = (page, text) => page.waitForFunction(text => document.querySelector("#said").textContent.includes(text), text)
  .catch(async () => assert.fail(`expected "${text}", found "${await page.locator("#said").textContent()}"`));
const it = (adapter_id, id) => ({ adapter_id, kind: "hotel", id });

async function at({ adapter_id, id }) {
  const page = await openAt(browser, server.url, "anna", `workbench?case=${adapter_id}/hotel/${id}`);
  await page.locator("#case .side", { hasText: id }).waitFor();
  await page.locator("#rows").focus();
  return page;
}

test("n shows the open cases of that name nearby, and once more makes the record", async () => {
  const page = await at(it(1, "R1"));
  await page.keyboard.press("n");
  await said(page, "Hotel Roma is not made yet");
  const box = page.locator("#case .nearby");
  await box.waitFor();
  assert.deepEqual(await box.locator("li").count(), 2);
  assert.match(await box.textContent(), /HOTEL ROMA R2, Two, 111 m/);
  assert.equal((await told(page, it(1, "R1"))).dict_id, null);
  await accessible(page, "what is nearby");
  await page.keyboard.press("n");
  await said(page, "Decided: new in the reference");
  assert.ok((await told(page, it(1, "R1"))).dict_id > 100);
  await page.close();
});

test("a record of that name nearby can be taken instead", async () => {
  const page = await at(it(2, "R2")), made = (await told(page, it(1, "R1"))).dict_id;
  await page.keyboard.press("n");
  await said(page, "HOTEL ROMA is not made yet");
  await settled(page); // the case has come back by itself
  await page.locator("#case .nearby").getByRole("button", { name: "It is this one" }).click();
  await said(page, "Decided: mapped");
  assert.equal((await told(page, it(2, "R2"))).dict_id, made);
  await settled(page);
  await page.close();
});
