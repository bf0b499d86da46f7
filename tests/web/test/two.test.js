// Two curators at one case: who comes second is told, before or when it is sent, and nothing that was stored is written over.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "../lib/browser.js";
import { calm } from "../lib/calm.js";
import { atCase, caseShown, desk, openAt, openBench, told } from "../lib/desk.js";

const NAMES = ["Orkide Resort & Spa", "Pamfilya Konak", "Sultan Sahil Palace", "Meridia Beach"];
const at = i => ({ lat: 36.76 + i * 0.002, lng: 31.38 });
const RECORDS = [
  { type: "adapter", id: 1, code: "one", name: "One", domain: "tour" },
  { type: "dict", kind: "country", id: 1, name: { en: "Turkey" }, iso_alpha_2: "TR" },
  { type: "dict", kind: "city", id: 10, name: { en: "Side" }, country_id: 1, lat: 36.767, lng: 31.389 },
  { type: "dict", kind: "hotel_category", id: 5, name: "5*" },
  ...NAMES.map((name, i) => ({ type: "dict", kind: "hotel", id: 100 + i, name, country_id: 1, city_id: 10, hotel_category_id: 5, ...at(i) })),
  ...NAMES.map((name, i) => ({ type: "source", adapter_id: 1, kind: "hotel", id: `H${i}`, name: `${name} Villas`, country_name: "TURKEY",
    city_name: "SIDE", ...at(i) })),
];

let browser, server;
before(async () => { server = await desk(RECORDS); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const said = (page, text) => page.waitForFunction(text => document.querySelector("#said").textContent.includes(text), text);

/** Somebody at a case who hears of nothing that others do. */
async function deaf(name, it) {
  const page = await openAt(browser, server.url, name, "workbench/tasks");
  await page.route(/curate\/changes\?.*wait/, () => {}); // never answered
  await page.goto(`${server.url}/workbench?case=${it.adapter_id}/${it.kind}/${it.id}`);
  await atCase(page);
  await calm(page);
  return page;
}

test("who has a case open when another decides it is told, and is at the next one", async () => {
  const anna = await openBench(browser, server.url, "anna"), boris = await openBench(browser, server.url, "boris"), it = await caseShown(anna);
  assert.deepEqual(await caseShown(boris), it);
  await boris.keyboard.press("1");
  await said(boris, "Decided: mapped");
  await said(anna, "has just been decided by somebody else");
  assert.notDeepEqual(await caseShown(anna), it);
  await anna.close();
  await boris.close();
});

for (const [what, key] of [["a mapping", "1"], ["a new record", "n"], ["that they are not the same", "x"]])
  test(`${what} that is sent when another has decided is refused with words, and what was stored stands`, async () => {
    const boris = await openBench(browser, server.url, "boris"), it = await caseShown(boris), anna = await deaf("anna", it);
    assert.deepEqual(await caseShown(anna), it);
    await boris.keyboard.press("1");
    await said(boris, "Decided: mapped");
    const stored = await told(boris, it);
    await anna.keyboard.press(key);
    await said(anna, "was changed by somebody else meanwhile: what you decided is not stored");
    const now = await told(anna, it);
    assert.deepEqual([now.dict_id, now.version, now.not_same, now.history], [stored.dict_id, stored.version, [], stored.history]);
    assert.equal(now.history.at(-1).by, "boris");
    await boris.keyboard.press("u"); // the next test has a case
    await said(boris, "Undone");
    await anna.close();
    await boris.close();
  });
