// What curators do now and then: an audit by keyboard, a file taken back, new records made of what several suppliers have.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch } from "../lib/browser.js";
import { calm, canChoose } from "../lib/calm.js";
import { desk, openAt } from "../lib/desk.js";
import { asked, press, tabTo } from "../lib/keyboard.js";
import { late } from "../lib/late.js";

const place = i => ({ lat: 36.76 + i * 0.002, lng: 31.38 });
const NAMES = ["Orkide Resort & Spa", "Pamfilya Konak", "Sultan Sahil Palace", "Meridia Beach"];
const hotel = (adapter_id, id, name, more) => ({ type: "source", adapter_id, kind: "hotel", id, name, country_name: "TURKEY", city_name: "SIDE", category_id: "5", ...more });
const RECORDS = [
  ...["sunny", "other", "third"].map((code, i) => ({ type: "adapter", id: i + 1, code, name: code, domain: "tour" })),
  { type: "dict", kind: "country", id: 1, name: { en: "Turkey" }, iso_alpha_2: "TR" },
  { type: "dict", kind: "city", id: 10, name: { en: "Side" }, country_id: 1, lat: 36.767, lng: 31.389 },
  { type: "dict", kind: "hotel_category", id: 5, name: "5*" },
  ...NAMES.map((name, i) => ({ type: "dict", kind: "hotel", id: 100 + i, name, country_id: 1, city_id: 10, hotel_category_id: 5, ...place(i) })),
  ...[1, 2, 3].map(adapter_id => ({ type: "source", adapter_id, kind: "hotel_category", id: "5", name: "5*", dict_id: 5 })),
  ...NAMES.map((name, i) => hotel(1, `h${i}`, name, place(i))),
  hotel(1, "a", "Villa <b>Mundo</b> Verde", { lat: 36.9, lng: 31 }), hotel(2, "b", "Villa <b>Mundo</b> Verde", { lat: 36.9002, lng: 31 }),
  hotel(3, "c", "Villa <b>Mundo</b> Verde", { lat: 36.9003, lng: 31 }), hotel(2, "open", "Xyzzy Plugh", { lat: 50, lng: 10 }),
];
let browser, server, folder;
before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "dragoman-tasks-"));
  server = await desk(RECORDS);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const openTasks = (name, options) => openAt(browser, server.url, name, "workbench/tasks", options);
const said = (page, text) => page.locator("#said", { hasText: text }).waitFor();
const file = (name, rows) => {
  const where = path.join(folder, name);
  fs.writeFileSync(where, rows.map(row => row.join(",")).join("\n"));
  return where;
};

test("an audit by keyboard: a sample is drawn, judged, and tells", async () => {
  const page = await openTasks("anna");
  await page.locator("#precision", { hasText: "Nothing was judged yet." }).waitFor();
  await tabTo(page, "#draw button");
  await press(page, "Enter");
  await page.locator("#sample .pair").waitFor();
  const { among } = await asked(page, "v1/curate/audit?size=1");
  assert.equal(await page.locator("#sample .number").textContent(), `1 of ${among}`);
  await accessible(page, "a sample");
  const nth = i => page.locator("#sample .number", { hasText: `${i} of` }).waitFor();
  const first = await page.locator("#sample .pair a").first().textContent();
  const mapped = async () => (await asked(page, `v1/curate/case?adapter_id=1&kind=hotel&id=${first}`)).dict_id;
  const before = await mapped();
  assert.equal(await page.locator("#sample .pair a").first().evaluate(a => a.href), `${server.url}/workbench?case=${encodeURIComponent(`1/hotel/${first}`)}`);
  await press(page, "y"); // a mistake: it is taken back, and its right record is found
  await nth(2);
  await press(page, "u");
  await said(page, "Undone: judge it again.");
  await nth(1);
  await calm(page);
  await press(page, "/");
  await page.keyboard.type(before === 103 ? "Pamfilya" : "Meridia");
  await canChoose(page, "#right-list");
  await press(page, "Enter");
  await nth(2);
  assert.equal(await mapped(), before === 103 ? 101 : 103);
  await press(page, "u");
  await nth(1);
  await calm(page);
  assert.equal(await mapped(), before);
  for (const [i, key] of ["n", ...Array(among - 2).fill("y"), "s"].entries()) {
    await nth(i + 1);
    await press(page, key);
    await calm(page);
  }
  await page.locator("#sample .note", { hasText: `${among - 1} of ${among} are judged` }).waitFor();
  const all = page.locator("#precision tbody tr", { hasText: "All" });
  await all.waitFor();
  assert.deepEqual((await all.locator("td").allTextContents()).slice(1, 3), [String(among - 1), String(among - 2)]);
  assert.equal((await asked(page, "v1/curate/audit?size=1")).among, 1);
  await page.close();
});

test("what the matcher says is in the language of the page", async () => {
  const page = await openTasks("anna", { locale: "uk" });
  await page.locator("#draw button").click();
  const why = page.locator("#sample p", { hasText: "початкове значення" });
  await why.waitFor();
  const text = (await why.textContent()).replace(/\([^)]*\)/g, "");
  assert.deepEqual(text.match(/[a-z]{3,}/g), null, text);
  await page.close();
});

test("nothing is skipped while a judgement is under way", async () => {
  const page = await openTasks("anna");
  const decision = await late(page, "**/v1/curate/decide");
  await page.locator("#draw button").click();
  await page.locator("#sample .number", { hasText: "1 of 1" }).waitFor();
  await press(page, "y");
  await press(page, "s");
  assert.equal(await page.locator("#sample .pair").count(), 1);
  decision.go();
  await page.locator("#sample .note", { hasText: "1 of 1 are judged" }).waitFor();
  await page.close();
});

test("a file is looked at, and taken back", async () => {
  const page = await openTasks("anna"), where = file("map.csv", [["adapter_id", "kind", "id", "dict_id"], [2, "hotel", "open", 103], [2, "hotel", "nobody", 103]]);
  const look = await late(page, "**/v1/curate/takeBack?*");
  await page.locator("#take-file").setInputFiles(where); // it is looked at by itself
  await look.asked;
  assert.equal(await page.locator("#take-go").isDisabled(), true);
  look.go();
  await page.locator("#taken h3", { hasText: "What it would do" }).waitFor();
  assert.match(await page.locator("#taken").textContent(), /2 rows: 1 mapped, 1 refused/);
  assert.equal((await asked(page, "v1/curate/case?adapter_id=2&kind=hotel&id=open")).dict_id, null);
  await accessible(page, "what a file would do");
  await page.locator("#take-go").click();
  await page.locator("#taken h3", { hasText: "What it did" }).waitFor();
  assert.equal((await asked(page, "v1/curate/case?adapter_id=2&kind=hotel&id=open")).dict_id, 103);
  await page.locator("#take-file").setInputFiles(file("other.csv", [["a", "b"], [1, 2]]));
  await said(page, "other.csv");
  assert.equal(await page.locator("#take-go").isDisabled(), true);
  await page.close();
});

test("a file in an encoding that cannot be recognised is taken back in the one that is chosen", async () => {
  const page = await openTasks("anna"), where = file("old.csv", [["adapter_id", "kind", "id", "dict_id"], [2, "hotel", "nobody", "caf\u00e9"]]);
  fs.writeFileSync(where, fs.readFileSync(where, "utf8"), "latin1");
  await page.locator("#take-file").setInputFiles(where);
  await said(page, "encoding");
  await page.locator("#take [name=encoding]").selectOption("windows-1252");
  await page.locator("#taken h3", { hasText: "What it would do" }).waitFor();
  assert.match(await page.locator("#taken").textContent(), /1 row: 1 refused/);
  await page.close();
});

test("what several suppliers have is made", async () => {
  const page = await openTasks("anna");
  await page.locator("#new-look").click();
  await page.locator(".proposal").waitFor();
  assert.equal(await page.locator(".proposal b").textContent(), "Villa <b>Mundo</b> Verde");
  assert.equal(await page.locator(".proposal li").count(), 3);
  await accessible(page, "proposals");
  await page.getByRole("button", { name: "See what would be made" }).click();
  await said(page, "Tick one first");
  await page.getByRole("button", { name: "Tick all" }).click();
  const look = () => page.getByRole("button", { name: "See what would be made" }).click();
  await look();
  await page.locator("#proposed li", { hasText: "Villa <b>Mundo</b> Verde Side, Turkey: joins 3 records" }).waitFor();
  assert.equal((await asked(page, "v1/curate/case?adapter_id=1&kind=hotel&id=a")).dict_id, null);
  await accessible(page, "what would be made");
  await page.getByRole("button", { name: "Choose others" }).click();
  await page.getByRole("button", { name: "Tick all" }).click();
  await look();
  await page.getByRole("button", { name: "Make them" }).click();
  await page.locator("#proposed h3", { hasText: "What it did" }).waitFor();
  const ids = await Promise.all([[1, "a"], [2, "b"], [3, "c"]].map(([adapter, id]) =>
    asked(page, `v1/curate/case?adapter_id=${adapter}&kind=hotel&id=${id}`).then(d => d.dict_id)));
  assert.ok(ids[0] !== null && new Set(ids).size === 1);
  await page.close();
});

test("a viewer sees what the matcher is worth, and decides nothing", async () => {
  const page = await openTasks("vera");
  await page.locator("#precision table, #precision .soft").waitFor();
  assert.equal(await page.locator("#taking").isVisible() || await page.locator("#proposing").isVisible(), false);
  await page.close();
});

for (const scheme of ["light", "dark"]) {
  for (const [name, size] of Object.entries({ desk: { width: 1280, height: 720 }, zoomed: { width: 640, height: 360 }, phone: { width: 360, height: 740 } })) {
    test(`it fits and can be read, ${scheme}, ${name}`, async () => {
      const page = await openTasks("anna", { scheme, size });
      await page.locator("#months > *").waitFor();
      await accessible(page, `tasks, ${scheme}, ${name}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      if (process.env.DRG_SHOTS) await page.screenshot({ path: `${process.env.DRG_SHOTS}/tasks-${scheme}-${name}.png` });
      await page.close();
    });
  }
}
