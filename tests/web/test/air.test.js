// Air: what suppliers sent and nothing was found for, mapped and taken back by keys.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch } from "../lib/browser.js";
import { canChoose, settled, until } from "../lib/calm.js";
import { desk, openAt } from "../lib/desk.js";
import { asked, press } from "../lib/keyboard.js";
import { late } from "../lib/late.js";

const PICTURE = new URL("../../../docs/images/workbench-air.png", import.meta.url).pathname;
const TITLES = ["John F. Kenedy Intl (NY)", "La Guardia <b>NY</b>", "Newark Libertty"], SAID = [...TITLES, ...TITLES, ...TITLES];
const place = (source_id, code, name, rest) => ({ type: "air_place", source_id, place: "apt", code, name, country_code: "US", city_code: "NYC", ...rest });
let browser, server;

/** A key is known a moment after it was made. */
async function ask(key, body) {
  const headers = { "Content-Type": "application/json", "X-Service-Api-Key": key.key, "X-Service-Api-Secret": key.secret };
  await until(async () => (await fetch(`${server.url}/v1/avia/compared`, { method: "POST", headers, body: JSON.stringify(body) })).ok, "avia/compared answers");
}

before(async () => {
  const made = execFileSync(`${process.env.DRG_BIN}-synth`, ["--hotels", "300", "--adapters", "2", "--seed", "3", "--blind"], { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 });
  const records = made.toString().trim().split("\n").map(line => JSON.parse(line)).filter(r => !r.type.startsWith("air_"));
  records.push({ type: "adapter", id: 922, code: "aerofeed", name: "AeroFeed", domain: "air" },
    { type: "air_place", source_id: 101, place: "city", code: "NYC", name: "New York", country_code: "US", weight: 20000 },
    place(102, "JFK", "John F. Kennedy International Airport", { lat: 40.64, lng: -73.78, weight: 9000 }),
    place(103, "LGA", "LaGuardia Airport", { lat: 40.78, lng: -73.87, weight: 4000 }),
    place(104, "EWR", "Newark Liberty International Airport", { lat: 40.69, lng: -74.17, weight: 5000 }));
  server = await desk(records);
  browser = await launch();
  const key = server.secret("b");
  for (const [i, title] of SAID.entries())
    for (let n = 0; n < SAID.length - i; n++)
      await ask(key, { adapter_id: 922, lang_code: "en", external_id: `X-${i}`, title });
});
after(async () => { await browser?.close(); await server?.stop() });

async function bench(name, options, waiting = SAID.length) {
  const page = await openAt(browser, server.url, name, "workbench/air", options);
  await until(async () => (await asked(page, "v1/curate/air")).items.length >= waiting, `${waiting} reports`);
  await page.reload(); // they may have come after the page had asked
  await page.locator(".item.now").waitFor();
  return page;
}

const shown = page => page.locator(".item.now").getAttribute("data-key");

/** The first one from here on with an airport that it may be. */
async function answerable(page) {
  for (let i = 0; i < SAID.length && await page.locator(".place").count() === 0; i++) await press(page, "j");
  await page.locator(".place").first().waitFor();
  return shown(page);
}

const said = (page, text) => page.locator("#said", { hasText: text }).waitFor();

for (const scheme of ["light", "dark"]) {
  for (const [name, size] of Object.entries({ desk: { width: 1280, height: 800 }, tablet: { width: 768, height: 1024 } })) {
    test(`it fits and can be read, ${scheme}, ${name}`, async () => {
      const page = await bench("anna", { scheme, size });
      await page.locator(".place").first().waitFor();
      await accessible(page, `air, ${scheme}, ${name}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      if (process.env.DRG_IMAGES && scheme === "light" && name === "desk") fs.writeFileSync(PICTURE, await page.screenshot());
      await page.close();
    });
  }
}

test("a viewer looks and maps nothing", async () => {
  const page = await bench("vera");
  assert.equal(await page.locator("main button").count(), 0);
  await press(page, "1");
  await said(page, "Your role is viewer");
  assert.equal((await asked(page, "v1/curate/air")).items.length, SAID.length);
  await page.close();
});

test("by keys: the next, mapped, taken back", async () => {
  const page = await bench("anna");
  assert.equal(await shown(page), "922/X-0");
  await press(page, "j");
  assert.equal(await shown(page), "922/X-1");
  assert.match(await page.locator("#one h2").textContent(), /<b>NY<\/b>/);
  await press(page, "k");
  await press(page, "1");
  await said(page, "John F. Kennedy International Airport");
  assert.equal(await shown(page), "922/X-1");
  assert.equal((await asked(page, "v1/curate/air")).items.length, SAID.length - 1);
  await press(page, "u");
  await said(page, "Undone");
  assert.equal(await shown(page), "922/X-0");
  await press(page, "u");
  await said(page, "nothing of yours");
  await settled(page); // what has just moved is not decided
  await press(page, "1");
  await said(page, "Decided");
  assert.equal((await asked(page, "v1/curate/batches?limit=1")).items[0].by, "anna");
  await page.close();
});

test("a decision that comes late moves nobody from where they are", async () => {
  const page = await bench("anna", {}, SAID.length - 1), here = await answerable(page);
  await press(page, "j");
  const next = await shown(page);
  await press(page, "k");
  assert.equal(await shown(page), here);
  const answer = await late(page, "**/v1/curate/airMap");
  await press(page, "1");
  await answer.asked;
  await press(page, "1"); // twice is once
  await press(page, "j");
  await press(page, "u"); // not the one before it
  await said(page, "still on its way");
  answer.go();
  await said(page, "Decided");
  assert.equal(await shown(page), next);
  await settled(page); // the answer is taken in
  // What is taken back does not come under the key that was for another.
  const undone = await late(page, "**/v1/curate/airMap");
  await press(page, "u");
  await undone.asked;
  await press(page, "j");
  const now = await shown(page);
  undone.go();
  await said(page, "Undone");
  assert.equal(await shown(page), now);
  assert.equal(await page.locator(".item").count(), SAID.length - 1);
  await page.close();
});

test("a key for what has just gone is not for what comes in its place", async () => {
  const page = await bench("anna", {}, SAID.length - 2), here = await answerable(page);
  // As the answer comes, and before anybody can have seen it.
  await page.evaluate(() => new MutationObserver((_, seen) => {
    if (!document.querySelector("#said").textContent.startsWith("Decided")) return;
    seen.disconnect();
    document.querySelector("#list").dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
  }).observe(document.querySelector("#said"), { childList: true }));
  await press(page, "1");
  await said(page, "has just moved");
  assert.notEqual(await shown(page), here);
  assert.equal((await asked(page, "v1/curate/air")).items.length, SAID.length - 3);
  await press(page, "u");
  await said(page, "Undone");
  assert.equal(await shown(page), here);
  await page.close();
});

test("an airport that is no candidate is found by name, by keys, and taken back", async () => {
  const page = await bench("anna", {}, SAID.length - 3), here = await answerable(page), waiting = (await asked(page, "v1/curate/air")).items.length;
  await press(page, "/");
  await page.waitForFunction(() => document.activeElement.id === "find-input");
  await page.keyboard.type("nowhere at all");
  await page.locator("#find-list", { hasText: "No airport or city is called so" }).waitFor();
  await press(page, "Escape");
  await page.waitForFunction(() => document.activeElement.id === "list");
  assert.equal(await shown(page), here);
  await press(page, "/");
  await page.keyboard.type("new yo");
  await page.locator("#find-list [aria-selected=true]", { hasText: "New York (NYC)" }).waitFor();
  await canChoose(page, "#find-list");
  await press(page, "Enter");
  await said(page, "is New York");
  assert.notEqual(await shown(page), here);
  assert.equal((await asked(page, "v1/curate/air")).items.length, waiting - 1);
  await press(page, "u");
  await said(page, "Undone");
  assert.equal(await shown(page), here);
  await page.close();
});

test("somebody was faster", async () => {
  const anna = await openAt(browser, server.url, "anna", "workbench/air");
  await anna.locator(".item.now").waitFor();
  const [, external_id] = (await answerable(anna)).split("/");
  await anna.evaluate(async external_id => {
    const { data } = await (await fetch("/v1/session")).json();
    await fetch("/v1/curate/airMap", { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": data.csrf },
      body: JSON.stringify({ adapter_id: 922, external_id, source_id: 104 }) });
  }, external_id);
  await press(anna, "1");
  await said(anna, "somebody else has decided");
  assert.notEqual(await shown(anna), `922/${external_id}`);
  await anna.close();
});
