// A queue of more cases than are fetched at once, and many of them selected.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "../lib/browser.js";
import { calm, until } from "../lib/calm.js";
import { caseShown, desk, openBench, told } from "../lib/desk.js";
import { asked } from "../lib/keyboard.js";
import { late } from "../lib/late.js";
import { RECORDS } from "../lib/small.js";

const THERE = 230, AT_ONCE = 200, ADAPTER = 4;
const MORE = [{ type: "adapter", id: ADAPTER, code: "a4", name: "Distant", domain: "tour" },
  { type: "source", adapter_id: ADAPTER, kind: "country", id: "TR", name: "TURKEY", dict_id: 1 },
  { type: "source", adapter_id: ADAPTER, kind: "city", id: "S", name: "Side", country_id: "TR", dict_id: 10 },
  ...Array.from({ length: THERE }, (_, i) => ({ type: "source", adapter_id: ADAPTER, kind: "hotel", id: `N-${i}`, name: `Sunny Nowhere ${i}`, category_name: "5*",
    country_id: "TR", city_id: "S", country_name: "Turkey", city_name: "Side" }))];
let browser, server;
before(async () => { server = await desk([...RECORDS, ...MORE]); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const said = (page, text) => page.waitForFunction(text => document.querySelector("#said").textContent.includes(text), text)
  .catch(async () => assert.fail(`expected "${text}", found "${await page.locator("#said").textContent()}"`));
const counted = (page, text) => page.waitForFunction(text => document.querySelector("#count").textContent === text, text)
  .catch(async () => assert.fail(`expected "${text}", found "${await page.locator("#count").textContent()}"`));

async function bench(name) {
  const page = await openBench(browser, server.url, name);
  await page.locator("[name=kind]").selectOption("hotel");
  await page.locator(`[name=adapter_id] option[value="${ADAPTER}"]`).waitFor({ state: "attached" });
  await page.locator("[name=adapter_id]").selectOption(String(ADAPTER));
  await page.waitForFunction(adapter => document.querySelector(".row.now")?.dataset.key.startsWith(`${adapter}/`), ADAPTER);
  await page.locator("#rows").focus();
  await page.locator("#case .side").waitFor();
  return page;
}

test("what is selected is decided once, and not at all where Escape comes before it is looked at", async () => {
  const page = await bench("anna"), it = await caseShown(page);
  let sent = 0;
  page.on("request", request => { sent += request.url().endsWith("/decide") });
  const answer = await late(page, "**/v1/curate/case?*");
  for (let i = 0; i < 10; i++) await page.keyboard.press(" ");
  await counted(page, `${THERE}, 10 selected`);
  await page.keyboard.press("n");
  await answer.asked;
  await said(page, "longer than usual");
  await page.keyboard.press("n");
  await said(page, "still being looked at");
  await page.keyboard.press("Escape");
  answer.go();
  await said(page, "no longer is: nothing of it was decided");
  assert.deepEqual([sent, (await told(page, it)).dict_id], [0, null]);
  await page.unrouteAll({ behavior: "wait" });

  await page.locator(".row").first().click();
  const again = await late(page, "**/v1/curate/case?*", url => url.includes("N-"));
  for (let i = 0; i < 10; i++) await page.keyboard.press(" ");
  await counted(page, `${THERE}, 10 selected`);
  await page.keyboard.press("n");
  await said(page, "longer than usual");
  await page.keyboard.press("n");
  again.go();
  await said(page, "10 decided: new in the reference");
  await calm(page);
  assert.equal(sent, 1);
  await page.keyboard.press("u");
  await said(page, "Undone");
  await until(async () => (await asked(page, `v1/curate/queue?adapter_id=${ADAPTER}&kind=hotel&limit=1`)).total === THERE, "they wait again");
  await page.close();
});

test("after a reload the case is the one that was shown, also beyond what is fetched at once", async () => {
  const page = await bench("boris"), rows = () => page.evaluate(() => Number.parseInt(document.querySelector(".rows-inner").style.height, 10) / 56);
  for (let i = 0; i < 150; i++) await page.keyboard.press("j");
  await page.waitForFunction(n => Number.parseInt(document.querySelector(".rows-inner").style.height, 10) >= n * 56, THERE);
  for (let i = 0; i < 65; i++) await page.keyboard.press("j");
  const it = await caseShown(page);
  await page.waitForFunction(() => history.state?.case === document.querySelector(".row.now").dataset.key);
  await page.reload();
  await page.locator("#case .side").waitFor();
  assert.deepEqual(await caseShown(page), it);
  assert.ok(await rows() > AT_ONCE);
  await page.close();
});

test("the link to the case takes the focus there, and nothing else", async () => {
  const page = await bench("boris"), asked = [];
  await page.keyboard.press("j");
  await page.keyboard.press(" ");
  await counted(page, `${THERE}, 1 selected`);
  const it = await caseShown(page);
  page.on("request", request => asked.push(request.url()));
  await page.locator(".skip").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.id === "case");
  await calm(page);
  assert.deepEqual(asked.filter(url => url.includes("/queue")), []);
  assert.deepEqual(await caseShown(page), it);
  assert.equal(await page.locator("#count").textContent(), `${THERE}, 1 selected`);
  await page.close();
});

test("what is selected, and which case is shown, are told apart to who cannot see it", async () => {
  const page = await bench("boris"), selected = () => page.locator(".row[aria-selected=true]").evaluateAll(rows => rows.map(row => row.dataset.at));
  const current = () => page.locator(".row[aria-current=true]").evaluateAll(rows => rows.map(row => row.dataset.at));
  assert.deepEqual([await selected(), await current()], [[], ["0"]]);
  await page.keyboard.press(" ");
  await counted(page, `${THERE}, 1 selected`);
  assert.deepEqual([await selected(), await current()], [["0"], ["1"]]);
  await page.close();
});

test("where all that was fetched is decided at once, the next case is shown", async () => {
  const page = await bench("anna");
  await page.keyboard.press("a");
  await counted(page, `${THERE}, ${AT_ONCE} selected`);
  await page.keyboard.press("n");
  await said(page, `${AT_ONCE} decided: new in the reference`);
  await counted(page, String(THERE - AT_ONCE));
  await page.locator(".row.now").waitFor();
  await page.locator("#case .side").waitFor();
  const it = await caseShown(page);
  await page.keyboard.press("j");
  await page.waitForFunction(id => !document.querySelector(".row.now").dataset.key.endsWith(`/${id}`), it.id);
  await page.close();
});
