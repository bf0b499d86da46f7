// A hotel whose supplier has no record of its country: the country is said at the hotel, and counts for all that name it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch } from "../lib/browser.js";
import { canChoose, settled } from "../lib/calm.js";
import { desk, openAt, openBench, told } from "../lib/desk.js";

const RECORDS = [
  { type: "adapter", id: 1, code: "one", name: "One", domain: "tour" },
  { type: "dict", kind: "country", id: 1, name: { en: "Turkey" }, iso_alpha_2: "TR" },
  { type: "dict", kind: "city", id: 10, name: { en: "Side" }, country_id: 1, lat: 36.767, lng: 31.389 },
  { type: "dict", kind: "hotel_category", id: 5, name: "5*" },
  { type: "dict", kind: "hotel", id: 100, name: "Orkide Resort", country_id: 1, city_id: 10, hotel_category_id: 5, lat: 36.76, lng: 31.38 },
  { type: "source", adapter_id: 1, kind: "hotel", id: "Z1", name: "Nowhere else", country_name: "Ruritania" },
  { type: "source", adapter_id: 1, kind: "hotel", id: "Z2", name: "Far away", country_name: "France" },
  { type: "source", adapter_id: 1, kind: "hotel", id: "Z3", name: "Somewhere" },
  { type: "source", adapter_id: 1, kind: "hotel", id: "Z4", name: "Palace", country_name: "Turkey", city_name: "Atlantis" },
];

let browser, server;
before(async () => { server = await desk(RECORDS); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const said = (page, text) => page.waitForFunction(text => document.querySelector("#said").textContent.includes(text), text);

test("a country that no record of the supplier is, is made of what the hotel says, mapped, and taken back", async () => {
  const page = await openAt(browser, server.url, "anna", "workbench?reason=country_unmapped");
  await page.locator(".why", { hasText: "map its country first" }).waitFor();
  await page.getByRole("button", { name: "Map its country" }).click();
  await page.locator("#find label", { hasText: "Its country in the reference" }).waitFor();
  await page.locator("#find-input").fill("Turkey");
  await canChoose(page, "#find-list");
  await accessible(page, "the country is sought");
  await page.keyboard.press("Enter");
  await said(page, "Decided: its country");
  const country = { adapter_id: 1, kind: "country", id: "Ruritania" };
  assert.equal((await told(page, country)).dict_id, 1);
  await settled(page);
  await page.keyboard.press("u");
  await said(page, "Undone: its country");
  assert.equal(await told(page, country), undefined);
  await page.close();
});

test("countries that have no record of their own are mapped at what names them, which the way to them leads to and says", async () => {
  const page = await openBench(browser, server.url, "anna");
  await page.locator("#without").click();
  const stuck = page.locator("#stuck li");
  await stuck.filter({ hasText: "1 × Hotel of One: the reference lacks its country. Add these countries to the reference" }).waitFor();
  await accessible(page, "what helps all of them");
  await stuck.filter({ hasText: "2 × Hotel of One: map its country first" }).getByRole("button", { name: "To its countries" }).click();
  await said(page, "“Map its country” at one of these counts for all that name it so");
  await page.locator(".row", { hasText: "Nowhere else" }).waitFor();
  assert.deepEqual([await page.locator(".row").count(), new URL(page.url()).search], [2, "?adapter_id=1&kind=hotel&reason=country_unmapped"]);
  await page.getByRole("button", { name: "Map its country" }).waitFor();
  await page.locator(".row", { hasText: "Somewhere" }).click();
  await page.locator(".why", { hasText: "It names no country, by code or by name" }).waitFor();
  await page.close();
});

test("where no city of a supplier waits, the way to them leads to what names them, and says so", async () => {
  const page = await openBench(browser, server.url, "anna");
  await page.locator("#without").click();
  await page.locator("#stuck li", { hasText: "1 × Hotel of One: map its city first" }).getByRole("button", { name: "To its cities" }).click();
  await said(page, "No city of this supplier waits: load its list of cities");
  await page.locator(".row", { hasText: "Palace" }).waitFor();
  assert.equal(new URL(page.url()).search, "?adapter_id=1&kind=hotel&reason=city_unmapped");
  await page.close();
});

test("a country that the reference lacks is said to be so, and can be mapped to another", async () => {
  const page = await openAt(browser, server.url, "anna", "workbench?reason=country_missing");
  await page.locator(".why", { hasText: "Add it to the reference with “dragoman import”, or map it to another country." }).waitFor();
  await page.getByRole("button", { name: "Map its country" }).waitFor();
  await page.close();
});
