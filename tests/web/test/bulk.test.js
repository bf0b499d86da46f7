// Many answers at once: facets, what is likely right, what is called the same, and what nobody can map one by one.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch } from "../lib/browser.js";
import { calm, settled, until } from "../lib/calm.js";
import { desk, openAt, openBench, told } from "../lib/desk.js";

const PLACES = [
  { type: "adapter", id: 1, code: "one", name: "One", domain: "tour" }, { type: "adapter", id: 2, code: "two", name: "Two", domain: "tour" },
  { type: "dict", kind: "country", id: 1, name: { en: "Turkey" }, iso_alpha_2: "TR" },
  { type: "dict", kind: "city", id: 10, name: { en: "Side" }, country_id: 1, lat: 36.767, lng: 31.389 },
  { type: "dict", kind: "hotel_category", id: 5, name: "5*" },
];
const NAMES = ["Orkide Resort & Spa", "Pamfilya Konak", "Sultan Sahil Palace", "Meridia Beach", "Zeytin Hotel", "Aspendos Mirage"];
const at = i => ({ lat: 36.76 + i * 0.002, lng: 31.38 });
const hotel = (i, adapter_id) =>
  ({ type: "source", adapter_id, kind: "hotel", id: `H${i}`, name: NAMES[i], country_name: "TURKEY", city_name: "SIDE", ...at(i + 10) });
const RECORDS = [...PLACES,
  ...NAMES.map((name, i) => ({ type: "dict", kind: "hotel", id: 100 + i, name, country_id: 1, city_id: 10, hotel_category_id: 5, ...at(i) })),
  ...NAMES.map((_, i) => hotel(i, 1)), hotel(0, 2), hotel(1, 2),
  ...[1, 2, 3].map(i => ({ type: "source", adapter_id: 1, kind: "hotel", id: `X${i}`, name: `Nowhere ${i}`, country_id: "C1", country_name: "Xanadu" })),
  { type: "source", adapter_id: 1, kind: "country", id: "C1", name: "Xanadu" }];

let browser, server;
before(async () => { server = await desk(RECORDS); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const count = (page, n) => page.waitForFunction(n => document.querySelector("#count").textContent.startsWith(`${n}`), n);
const said = (page, text) => page.waitForFunction(text => document.querySelector("#said").textContent.includes(text), text);

test("all that is likely right is accepted after a look, and taken back whole, as the list of batches shows", async () => {
  const page = await openBench(browser, server.url, "anna");
  await count(page, 12);
  await page.locator("#accept-all").click();
  await page.locator("#accept [name=above]").selectOption("0.75");
  await page.locator("#accept-go", { hasText: "Accept 8" }).waitFor();
  assert.equal(await page.locator("#accept-sample li").count(), 8);
  await accessible(page, "the look at many");
  await page.locator("#accept [name=why]").fill("they look right");
  await page.locator("#accept-go").click();
  await said(page, "8 accepted, batch");
  await count(page, 4);
  assert.equal((await told(page, { adapter_id: 2, kind: "hotel", id: "H1" })).dict_id, 101);
  await page.keyboard.press("u");
  await said(page, "Undone");
  const { items } = await page.evaluate(() => fetch("v1/curate/batches?limit=2").then(a => a.json()).then(a => a.data));
  assert.deepEqual(items.map(b => [b.what, b.why, b.undone !== null]), [["undo", null, false], ["decide", "they look right", true]]);
  assert.equal((await told(page, { adapter_id: 2, kind: "hotel", id: "H1" })).dict_id, null);
  // Between two readings of the store the server's queue counts what is alike as it was, in the versions of then.
  await until(async () => {
    const { items } = await page.evaluate(() => fetch("v1/curate/queue").then(a => a.json()).then(a => a.data)), alike = items.filter(it => it.alike === 2);
    const now = await Promise.all(alike.map(({ adapter_id, kind, id }) => told(page, { adapter_id, kind, id })));
    return alike.length === 4 && alike.every((it, i) => it.version === now[i].version);
  }, "the queue counts those that are back");
  await page.close();
});

test("the button shows at most as many as one request accepts", async () => {
  const page = await openBench(browser, server.url, "anna");
  await count(page, 12);
  await page.route(/curate\/accept/, async route => {
    const response = await route.fetch(), json = await response.json();
    json.data.total = 11976;
    await route.fulfill({ response, json });
  });
  await page.locator("#accept-all").click();
  await page.locator("#accept-go", { hasText: /^Accept 5,000$/ }).waitFor();
  await page.close();
});

test("c maps all that are called the same", async () => {
  const page = await openBench(browser, server.url, "anna");
  await page.locator(".row.now", { hasText: "2 called the same" }).waitFor();
  const { id } = await page.locator(".row.now").evaluate(row => ({ id: row.dataset.key.split("/")[2] }));
  await settled(page);
  await page.keyboard.press("c");
  await said(page, "2 decided: all that are called the same are mapped");
  for (const adapter_id of [1, 2]) assert.equal((await told(page, { adapter_id, kind: "hotel", id })).dict_id, id === "H0" ? 100 : 101);
  await page.keyboard.press("u");
  await said(page, "Undone");
  await page.close();
});

test("an administrator adds a supplier, and nobody else is asked to", async () => {
  const page = await openAt(browser, server.url, "olga", "workbench/suppliers");
  await page.locator("#add [name=code]").fill("mavi");
  await page.locator("#add [name=name]").fill("Mavi Tur");
  await page.keyboard.press("Enter");
  await said(page, "Mavi Tur is supplier 3");
  await page.locator(".item.now", { hasText: "Mavi Tur" }).waitFor();
  await page.locator("#add [name=code]").fill("MAVI");
  await page.keyboard.press("Enter");
  await said(page, "already");
  await accessible(page, "the suppliers of an administrator");
  await page.close();
  const other = await openAt(browser, server.url, "anna", "workbench/suppliers");
  await other.locator(".item").first().waitFor();
  assert.equal(await other.locator("#add").isVisible(), false);
  await other.close();
});

test("what a page does not know of its address is said", async () => {
  const page = await openAt(browser, server.url, "anna", "workbench?adapter=vostok&kind=hotel");
  await said(page, "does not know “adapter”");
  await page.close();
});

for (const at of ["", "/reference", "/suppliers", "/tasks", "/air", "/history", "/access"]) {
  test(`workbench${at}: what it does not know of its address is said, and stands when it is loaded`, async () => {
    const page = await openAt(browser, server.url, "olga", `workbench${at}?nonsense=1&lang=en&adapter_id=1`);
    await calm(page);
    await said(page, "“nonsense”, “lang”");
    assert.equal((await page.locator("#said").textContent()).includes("adapter_id"), ["/tasks", "/air", "/access", "/reference"].includes(at));
    await page.close();
  });
}

for (const at of ["", "/reference?q=hotel", "/history"]) {
  test(`workbench${at}: what it does not know of its address and what is wrong in it are both said`, async () => {
    const page = await openAt(browser, server.url, "olga", `workbench${at}${at.includes("?") ? "&" : "?"}nonsense=1&kind=planet`);
    await said(page, "kind: expected");
    await said(page, "“nonsense”");
    await page.close();
  });
}

test("what the filters show is there as a file", async () => {
  const page = await openAt(browser, server.url, "anna", "workbench?suggested=0");
  await count(page, 4);
  const lines = await page.evaluate(() => fetch(document.querySelector("#queue-file a[data-format=csv]").href).then(a => a.text()));
  assert.equal(lines.trim().split("\n").length, 1 + 4);
  assert.match(await page.locator("#queue-file a").first().getAttribute("href"), /queueFile\?suggested=0&format=xlsx$/);
  await page.close();
});

test("a file that has not all of them says how many it has", async () => {
  const page = await openBench(browser, server.url, "anna"), part = page.locator("#file-part");
  assert.equal(await part.textContent(), "");
  await page.route("**/v1/curate/queue?*", async route => {
    const response = await route.fetch(), json = await response.json();
    const { items } = json.data, more = Array.from({ length: 200 }, (_, i) => ({ ...items[0], id: `more ${i}` }));
    Object.assign(json.data, { items: [...items, ...more], total: 100001, cursor: "of the next page" });
    await route.fulfill({ response, json });
  });
  await page.reload();
  await count(page, "100,001");
  assert.equal(await part.textContent(), "the first 100,000");
  await page.close();
});

test("a count is a filter, and what nobody can map says what helps all of it", async () => {
  const page = await openAt(browser, server.url, "anna", "workbench");
  await page.locator("#without", { hasText: "4 without a suggestion" }).click();
  await count(page, 4);
  await page.locator("#stuck li", { hasText: "3 × Hotel of One: map its country first" }).getByRole("button", { name: "To its countries" }).click();
  await count(page, 1);
  await page.locator(".row.now", { hasText: "3 others wait for it" }).waitFor();
  await page.goBack();
  await page.goBack();
  await page.locator("#facets summary").click();
  await page.locator("#facet-lists").getByRole("button", { name: /^Two/ }).click();
  await count(page, 2);
  assert.match(page.url(), /adapter_id=2/);
  await accessible(page, "the queue with its counts");
  await page.close();
});
