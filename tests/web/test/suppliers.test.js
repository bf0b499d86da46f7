// Suppliers: an agency's file of 500 messy hotels is looked at, loaded, matched, worked off and taken back, by keyboard alone.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch } from "../lib/browser.js";
import { settled, until } from "../lib/calm.js";
import { desk, openAt } from "../lib/desk.js";
import { asked, chooseFile, press, tabTo } from "../lib/keyboard.js";

const AGENCY = 104, HOTELS = 500, BY_KEYS = 30;
const PICTURE = new URL("../../../docs/images/workbench-suppliers.png", import.meta.url).pathname;
const COLUMNS = { "Hotel Code": "id", "Hotel Name": "name", Category: "category_name", Country: "country_name", City: "city_name", Latitude: "lat", Longitude: "lng",
  Address: "address", Telephone: "phone" };
let browser, server, folder, file;

/** What the agency sends: its hotels are in no store yet. One name has what a page must not take for its own. */
function agency(records) {
  const hotels = records.filter(r => r.type === "source" && r.kind === "hotel" && r.adapter_id === AGENCY).slice(0, HOTELS);
  hotels[0] = { ...hotels[0], name: `${hotels[0].name} <img src=x onerror=alert(1)>` };
  const cell = value => `"${String(value ?? "").replaceAll('"', '""')}"`;
  return [Object.keys(COLUMNS).join(";"), ...hotels.map(h => Object.values(COLUMNS).map(field => cell(h[field])).join(";"))].join("\r\n");
}

before(async () => {
  const made = execFileSync(`${process.env.DRG_BIN}-synth`, ["--hotels", "3000", "--adapters", "4", "--seed", "3", "--blind", "--hard"],
    { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 });
  const records = made.toString().trim().split("\n").map(line => JSON.parse(line));
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "dragoman-agency-"));
  file = path.join(folder, "hotels of november.csv");
  fs.writeFileSync(file, agency(records));
  server = await desk(records.filter(r => !(r.adapter_id === AGENCY && (r.type === "hotel_content" || r.kind === "hotel"))), "--match", "auto");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const bench = (name, where = "suppliers", options) => openAt(browser, server.url, name, `workbench/${where}`, options);

const said = (page, text) => page.locator("#said", { hasText: text }).waitFor();
const queued = page => asked(page, `v1/curate/queue?adapter_id=${AGENCY}&kind=hotel&limit=1`).then(d => d.total);
const hotelsOf = page => asked(page, `v1/curate/coverage?adapter_id=${AGENCY}&kind=hotel`).then(d => d.items[0] ?? { records: 0, mapped: 0 });

test("an agency's file: looked at, loaded, matched, worked off, taken back", async t => {
  const page = await bench("anna");
  await page.locator(".item.now").waitFor();
  while (!(await page.locator(".item.now").getAttribute("id").then(id => page.evaluate(() => location.search))).includes(String(AGENCY))) await press(page, "j");

  await press(page, "f");
  await chooseFile(page, file);
  await page.locator("#told .note", { hasText: "new of this supplier" }).waitFor();
  assert.match(await page.locator("#told").textContent(), /hotel: 500 new/);
  assert.equal(await page.locator("#go:not([disabled])").textContent(), "The columns are right: load it");
  assert.equal((await hotelsOf(page)).records, 0, "a look changes nothing");
  if (process.env.DRG_IMAGES) fs.writeFileSync(PICTURE, await page.screenshot());
  await tabTo(page, "#go");
  await press(page, "Enter");
  await said(page, "Loaded for");
  const batch = Number(/batch (\d+)/.exec(await page.locator("#said").textContent())[1]);
  assert.ok(batch > 0);

  // The server matches by itself; what it cannot tell waits in the queue.
  const { data_version } = await server.ready();
  await until(async () => (await server.ready()).matched >= data_version, "the list is matched");
  await until(async () => { const now = await hotelsOf(page); return now.records === HOTELS && now.mapped > 0 && await queued(page) + now.mapped >= HOTELS }, "what is left is in the queue");
  const left = await queued(page);
  t.diagnostic(`${HOTELS} hotels: ${HOTELS - left} mapped by the matcher, ${left} left for people`);
  assert.ok(left > BY_KEYS, `${left} cases`);

  await tabTo(page, "#pages a[href$='/workbench']");
  await press(page, "Enter");
  await page.locator(".row.now").waitFor();
  await tabTo(page, "[name=adapter_id]");
  const called = page.locator(`[name=adapter_id] option[value="${AGENCY}"]`);
  await called.waitFor({ state: "attached" });
  await page.keyboard.type(await called.textContent()); // as whoever knows the supplier by its name
  await page.waitForURL(/adapter_id=104/);
  await tabTo(page, "#rows");
  await page.waitForFunction(n => document.querySelectorAll(".row").length > 0 && Number(/^[\d,]+/.exec(document.querySelector("#count").textContent)?.[0].replaceAll(",", "")) <= n, left + 100);
  const shown = () => page.locator(".row.now").getAttribute("data-key");
  for (let i = 0; i < BY_KEYS; i++) {
    const key = await shown();
    const drawn = () => page.waitForFunction(() => document.querySelector(".row.now").dataset.key.endsWith(`/${document.querySelector("#case .side code")?.textContent}`));
    await until(async () => {
      await drawn();
      await settled(page);
      if (await shown() !== key) return true;
      await press(page, await page.locator(".candidate").count() > 0 ? "1" : "n"); // once more where the list has just moved
      return await shown() !== key;
    }, "the next case");
  }

  // The rest in bulk: each is its first candidate; then new hotels, but for those whose city the reference does not know.
  const count = () => page.locator("#count").textContent().then(text => Number(/^[\d,]*/.exec(text)[0].replaceAll(",", "")));
  const bulk = async key => {
    const before = await count();
    for (let i = 0; i < Math.min(before, 100); i++) await press(page, " ");
    await page.locator("#count", { hasText: "selected" }).waitFor();
    await settled(page); // what was refused before has come back by itself
    await press(page, key);
    await settled(page);
    t.diagnostic(`${before} selected, "${key}": ${await page.locator("#said").textContent()}`);
  };
  await bulk("1");
  if (await count() > 0) await bulk("n");
  // Where something nearby has the name, each is looked at; n makes it then.
  await until(async () => {
    await settled(page);
    if (await count() === 0) return true;
    await press(page, "n");
    return false;
  }, "nothing is left");
  await page.locator("#one", { hasText: "Nothing is waiting here" }).waitFor();
  await until(async () => (await hotelsOf(page)).mapped === HOTELS, "all 500 are mapped");

  // One batch is taken back: the one that decided most.
  await tabTo(page, "#pages a[href$='/suppliers']");
  await press(page, "Enter");
  await page.locator(".item.now").waitFor();
  while (!page.url().includes(String(AGENCY))) await press(page, "j");
  const { items: batches } = await asked(page, `v1/curate/batches?adapter_id=${AGENCY}`);
  const { id } = batches.filter(b => b.what === "decide").reduce((most, b) => (b.changed > most.changed ? b : most));
  await page.locator(`#batches tr[data-id="${id}"] button`).waitFor();
  await press(page, "b");
  await tabTo(page, `#batches tr[data-id="${id}"] button`);
  await press(page, "Enter");
  await page.keyboard.type("too fast");
  await press(page, "Enter");
  await said(page, "is undone");
  const open = HOTELS - (await until(async () => { const { mapped } = await hotelsOf(page); return mapped < HOTELS && mapped }, "some are open again"));
  t.diagnostic(`${open} cases are open again`);
  await until(async () => await queued(page) >= open, "they wait in the queue");
  await page.close();
});

test("what cannot be read is said, and changes nothing", async () => {
  const page = await bench("anna", `suppliers?adapter_id=${AGENCY}`), bad = path.join(folder, "bad.xlsx");
  fs.writeFileSync(bad, "PK\u0003\u0004 and no more");
  await page.locator(".item.now").waitFor();
  await press(page, "f");
  await chooseFile(page, bad);
  await tabTo(page, "#look");
  await press(page, "Enter");
  await page.locator("#said.bad", { hasText: "bad.xlsx" }).waitFor();
  assert.equal(await page.locator("#go").isDisabled(), true);
  await page.close();
});

test("a viewer sees how much is mapped, and no buttons", async () => {
  const page = await bench("vera");
  await page.locator("#coverage table").waitFor();
  await page.locator("#batches table").waitFor();
  assert.equal(await page.locator("#load").isVisible(), false);
  assert.equal(await page.locator("#batches button").count(), 0);
  await page.close();
});

test("by country, and a server that does not answer", async () => {
  const page = await bench("anna", "suppliers?adapter_id=101");
  await page.locator(".line polyline").waitFor();
  await page.locator("#countries button").focus();
  await press(page, "Enter");
  await page.locator("#countries table").waitFor();
  assert.ok(await page.locator("#countries tbody tr").count() > 3);
  await page.locator("#months button").focus();
  await press(page, "Enter");
  await page.locator("#months table").waitFor();
  const { items: months } = await asked(page, "v1/curate/agreement?adapter_id=101"), hotels = months.find(m => m.kind === "hotel");
  assert.deepEqual(await page.locator("#months tbody tr").filter({ has: page.getByText("Hotel", { exact: true }) }).first().locator("td").allTextContents(),
    [hotels.month, "Hotel", ...["automatic", "asked", "people", "overruled"].map(what => hotels[what].toLocaleString("en"))]);
  assert.ok(hotels.automatic > 0 && hotels.asked > 0, "some were mapped, some are asked");
  await page.route("**/v1/curate/coverage?*countries*", route => route.abort());
  await press(page, "j");
  await page.locator("#countries button").focus();
  await press(page, "Enter");
  await said(page, "The server does not answer");
  await page.close();
});

for (const scheme of ["light", "dark"]) {
  for (const [name, size] of Object.entries({ desk: { width: 1280, height: 800 }, tablet: { width: 768, height: 1024 } })) {
    test(`it fits and can be read, ${scheme}, ${name}`, async () => {
      const page = await bench("anna", "suppliers?adapter_id=101", { scheme, size });
      await page.locator(".line polyline").waitFor();
      await page.locator("#batches table").waitFor();
      await accessible(page, `suppliers, ${scheme}, ${name}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      await page.close();
    });
  }
}
