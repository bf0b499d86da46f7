// What somebody stumbled over who used the workbench for an hour without having read about it.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch } from "../lib/browser.js";
import { canChoose, settled } from "../lib/calm.js";
import { caseShown, desk, openAt, openBench, told } from "../lib/desk.js";
import { press } from "../lib/keyboard.js";
import { late } from "../lib/late.js";
import { RECORDS } from "../lib/small.js";

const MORE = Array.from({ length: 40 }, (_, i) => ({ type: "source", adapter_id: 3, kind: "hotel", id: `N-${i}`, name: `Sunny Nowhere ${i}`, category_name: "5*", country_id: "TR", city_id: "S", country_name: "Turkey", city_name: "Side" }));
const GREECE = { type: "dict", kind: "country", id: 2, name: { en: "Greece", uk: "Греція" }, iso_alpha_2: "GR" };
const CITY = { type: "dict", kind: "city", id: 20, name: "Rhodes", country_id: 2 };
const SUNNY = { type: "dict", kind: "hotel", id: 300, name: "Sunny Alpha Inn", country_id: 2, city_id: 20, hotel_category_id: 5 };
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "dragoman-hour-"));
let browser, server;
before(async () => { server = await desk([...RECORDS, GREECE, CITY, SUNNY, ...MORE]); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop(); fs.rmSync(folder, { recursive: true }) });

const at = (to, name = "anna", options) => openAt(browser, server.url, name, to, options);
const bench = (name = "anna", options) => openBench(browser, server.url, name, options);
/** The browser knows which case it is. */
const placed = page => page.waitForFunction(() => history.state?.case === document.querySelector(".row.now").dataset.key);

const said = (page, text) => page.waitForFunction(text => document.querySelector("#said").textContent.includes(text), text)
  .catch(async () => assert.fail(`expected "${text}", found "${await page.locator("#said").textContent()}"`));
const silent = page => page.waitForFunction(() => document.querySelector("#said").hidden);
const rows = page => page.locator(".row").evaluateAll(all => all.map(r => r.dataset.key));
/** The case is there, as its row says. */
const drawn = page => page.waitForFunction(() => document.querySelector("#case .side h2")?.textContent === document.querySelector(".row.now .row-name")?.textContent);

function file(name, text) {
  const to = path.join(folder, name);
  fs.writeFileSync(to, text);
  return to;
}

/* ---- the queue ---- */

test("a supplier and a country are chosen by name, in any language; their names are shown again", async () => {
  const page = await bench();
  await page.locator(".row", { hasText: /Aurora|Boreal|Cirrus/ }).first().waitFor(); // names come with another answer than the list
  await page.locator("[name=adapter_id]").selectOption("Cirrus");
  await page.waitForURL(/adapter_id=3/);
  await page.waitForFunction(() => [...document.querySelectorAll(".row")].every(r => r.dataset.key.startsWith("3/")));
  await page.locator("#country").fill("туреччина");
  await press(page, "Enter");
  await page.waitForURL(/country_id=1$/);
  assert.equal(await page.locator("#country").inputValue(), "Turkey");
  await page.locator("#country").fill("Atlantis");
  await press(page, "Enter");
  await said(page, "No country of the reference is called “Atlantis”.");
  await page.waitForFunction(() => document.querySelector("#country").value === "Turkey"); // nothing else is in force
  assert.match(page.url(), /country_id=1$/);
  await page.reload();
  await page.locator(".row.now").waitFor();
  await page.waitForFunction(() => document.querySelector("#country").value === "Turkey");
  await page.locator("[name=adapter_id] option:checked", { hasText: "Cirrus" }).waitFor({ state: "attached" });
  await page.locator("#country").fill("");
  await press(page, "Enter");
  await page.waitForURL(/adapter_id=3$/);
  await accessible(page, "filters by name");
  await page.close();
});

test("a key that comes while a country is being looked for is for no case of the list before", async () => {
  const page = await bench(), first = await caseShown(page);
  const answer = await late(page, "**/v1/curate/search?*");
  await page.locator("#country").fill("Turkey");
  await press(page, "Enter");
  await answer.asked;
  await press(page, "1");
  await press(page, "n");
  answer.go();
  await page.waitForURL(/country_id=1$/);
  await settled(page);
  assert.equal((await told(page, first)).dict_id, null);
  await page.close();
});

test("u after x takes nothing else back; what was refused is listed, and can be the one after all", async () => {
  const page = await bench();
  await page.locator("[name=adapter_id]").selectOption("Cirrus");
  await page.waitForFunction(() => document.querySelectorAll(".row").length > 4 && [...document.querySelectorAll(".row")].every(r => r.dataset.key.startsWith("3/")));
  await page.locator("#rows").focus();
  await drawn(page);
  const mapped = await caseShown(page);
  await press(page, "1");
  await said(page, "Decided: mapped");
  await settled(page);
  await drawn(page);
  const refused = await caseShown(page);
  await press(page, "x");
  await said(page, "Decided: not the same");
  await page.waitForFunction(() => document.querySelector("#one").textContent.includes("as was said"));
  await press(page, "u");
  await said(page, "Undone: not the same");
  assert.deepEqual((await told(page, refused)).not_same, []);
  await settled(page);
  assert.notEqual((await told(page, mapped)).dict_id, null);
  await press(page, "u");
  await said(page, "Undone: mapped");
  assert.equal((await told(page, mapped)).dict_id, null);
  // A candidate that was refused has its own button as long as it is one; what is none any more is listed.
  const { version, candidates, not_same } = await told(page, refused), known = [...candidates.map(c => c.id), ...not_same.map(n => n.dict_id)];
  const gone = [103, 104, 105].find(id => !known.includes(id));
  assert.equal(await page.evaluate(async decision => {
    const { csrf } = (await (await fetch("v1/session")).json()).data;
    const answer = await fetch("v1/curate/decide", { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf }, body: JSON.stringify({ decisions: [decision] }) });
    return (await answer.json()).data.items[0].result;
  }, { ...refused, adapter_id: Number(refused.adapter_id), decide: "not_same", dict_id: gone, version }), "done");
  await page.goto(`${server.url}/workbench?case=3/hotel/${refused.id}`);
  await page.waitForFunction(key => document.querySelector(".row.now")?.dataset.key === key, `3/hotel/${refused.id}`);
  await drawn(page);
  await settled(page);
  await page.locator("#case li", { hasText: `record ${gone}` }).getByRole("button", { name: "It is this one after all" }).click();
  await said(page, "Decided: mapped");
  assert.equal((await told(page, refused)).dict_id, gone);
  await page.close();
});

test("what has changed since it was selected counts once it was looked at again; Escape selects nothing, a all", async () => {
  const page = await bench();
  await page.locator('.row[data-key^="3/hotel/N-"]').first().click();
  await drawn(page);
  await page.locator("#rows").focus();
  const it = await caseShown(page);
  await press(page, "x");
  await said(page, "not the same");
  await page.locator("#case", { hasText: "Not the same, as was said" }).waitFor(); // the list says the same then
  await press(page, " ");
  await page.locator("#count", { hasText: "1 selected" }).waitFor();
  await press(page, "n");
  await said(page, "Decided: new in the reference");
  assert.notEqual((await told(page, it)).dict_id, null);
  await press(page, " ");
  await page.locator("#count", { hasText: "1 selected" }).waitFor();
  await press(page, "Escape");
  await page.waitForFunction(() => !document.querySelector("#count").textContent.includes("selected"));
  await press(page, "a");
  await page.waitForFunction(() => {
    const [all, picked] = document.querySelector("#count").textContent.match(/\d+/g);
    return all === picked;
  });
  await press(page, "a");
  await page.waitForFunction(() => !document.querySelector("#count").textContent.includes("selected"));
  await page.close();
});

test("what was said is gone once one goes on, and with other filters", async () => {
  const page = await bench("anna", { clock: true });
  await press(page, "u");
  await said(page, "nothing of yours");
  await page.getByLabel("Kind").selectOption("hotel");
  await silent(page);
  await press(page, "Tab");
  await page.locator("#rows").focus();
  await press(page, "u");
  await said(page, "nothing of yours");
  await page.clock.fastForward(4200); // it could be read
  await press(page, "j");
  await silent(page);
  await page.close();
});

test("what cannot be fetched is not shown as something else, and can be asked for again", async () => {
  const page = await bench();
  await page.route("**/v1/curate/**", route => route.abort());
  const there = await rows(page);
  for (let i = 0; i < 6; i++) await press(page, "j"); // beyond what was fetched ahead
  await page.locator("#case h2", { hasText: "This case could not be fetched" }).waitFor();
  assert.equal(await page.locator("#case .side").count(), 0);
  await page.unroute("**/v1/curate/**");
  await page.getByRole("button", { name: "Try again" }).click();
  await drawn(page);
  await silent(page); // it answers again
  await page.route("**/v1/curate/queue?*", route => route.abort());
  await page.getByLabel("Kind").selectOption("city");
  await page.locator("#case h2", { hasText: "The list could not be fetched" }).waitFor();
  assert.deepEqual(await rows(page), []); // not those of before
  await page.unroute("**/v1/curate/queue?*");
  await page.getByLabel("Kind").selectOption("hotel");
  await page.waitForFunction(n => document.querySelectorAll(".row").length >= Math.min(n, 5), there.length);
  await page.close();
});

test("h and l go through the candidates, and the supplier's record stays in sight", async () => {
  const page = await bench("anna", { size: { width: 1280, height: 720 } });
  const focused = () => page.evaluate(() => document.activeElement?.closest(".candidate")?.dataset.at);
  for (let i = 0; i < 30 && await page.locator(".candidate").count() < 2; i++) { await press(page, "j"); await drawn(page) }
  const last = await page.locator(".candidate").count() - 1;
  assert.ok(last >= 1);
  await press(page, "l");
  assert.equal(await focused(), "0");
  for (let i = 0; i < last; i++) await press(page, "l");
  assert.equal(await focused(), String(last));
  const [side, box] = await page.evaluate(() => [".side", ".case"].map(s => document.querySelector(s).getBoundingClientRect().top));
  assert.ok(await page.locator("#case").evaluate(box => box.scrollTop) > 0);
  assert.ok(side >= box - 1, `the record is at ${side}, what shows the case begins at ${box}`);
  await press(page, "h");
  assert.equal(await focused(), String(last - 1));
  await page.close();
});

test("a decision that was overtaken is told in words for people", async () => {
  const [anna, boris] = await Promise.all([bench("anna"), bench("boris")]), row = page => page.locator('.row[data-key^="3/hotel/N-"]').first();
  await row(boris).click();
  await drawn(boris);
  const it = await caseShown(boris), answer = await late(boris, "**/v1/curate/decide");
  await press(boris, "n");
  await answer.asked;
  await anna.locator(`.row[data-key="${it.adapter_id}/${it.kind}/${it.id}"]`).click();
  await drawn(anna);
  await press(anna, "n");
  await said(anna, "Decided: new");
  answer.go();
  await said(boris, "was changed by somebody else meanwhile: what you decided is not stored");
  await anna.close();
  await boris.close();
});

test("at 200 % the list is a list, the page begins at its top, and the case can be reached", async () => {
  const page = await bench("anna", { size: { width: 640, height: 400 } });
  assert.equal(await page.evaluate(() => scrollY), 0);
  const { height } = await page.locator("#rows").boundingBox();
  assert.ok(height < 300, `the list is ${height} px high`);
  await page.close();
});

test("after a reload, and on the way back, the case is the one that was shown", async () => {
  const page = await bench();
  for (let i = 0; i < 3; i++) await press(page, "j");
  await drawn(page);
  const it = await caseShown(page);
  await placed(page);
  await page.reload();
  await page.locator(".row.now").waitFor();
  await drawn(page);
  assert.deepEqual(await caseShown(page), it);
  await page.locator("[name=kind]").selectOption("city");
  await page.waitForURL(/kind=city/);
  await page.goBack();
  await page.waitForFunction(key => document.querySelector(".row.now")?.dataset.key === key, `${it.adapter_id}/${it.kind}/${it.id}`);
  await page.close();
});

test("a wrong mapping is mended: from the record of the reference to the case, and mapped to another", async () => {
  const page = await at("workbench/reference?record=hotel%2F103"), it = { adapter_id: 2, kind: "hotel", id: "B-2" };
  await page.locator("#one").getByRole("link", { name: "B-2" }).click();
  await page.waitForURL(/workbench\?case=2%2Fhotel%2FB-2/);
  await page.locator('.row.now[data-key="2/hotel/B-2"]').waitFor(); // the list is there before it
  await drawn(page);
  assert.deepEqual(await caseShown(page), { ...it, adapter_id: "2" });
  await page.locator("#case .why", { hasText: "Mapped to record 103" }).waitFor();
  await settled(page);
  await press(page, "/");
  await page.keyboard.type("quiet garden");
  await page.locator("#find-list li", { hasText: "Quiet Garden" }).first().waitFor();
  await canChoose(page, "#find-list");
  await press(page, "Enter");
  await said(page, "Decided: mapped");
  assert.equal((await told(page, it)).dict_id, 104);
  await press(page, "u");
  await said(page, "Undone: mapped");
  assert.equal((await told(page, it)).dict_id, 103);
  await page.close();
});

/* ---- the other pages ---- */

test("a record of the reference is found by its number; a country there by its name", async () => {
  const page = await at("workbench/reference");
  await page.getByLabel("Name or number").fill("300");
  await page.locator(".hit", { hasText: "Sunny Alpha Inn" }).waitFor();
  await page.getByLabel("Name or number").fill("sunny");
  await page.locator(".hit", { hasText: "Sunny Palace Resort" }).waitFor();
  await page.locator("#country").fill("греція");
  await press(page, "Enter");
  await page.waitForURL(/country_id=2/);
  await page.waitForFunction(() => document.querySelectorAll(".hit").length === 1);
  await page.close();
});

test("a search beside a case has what is in the country of the case first, and finds by number", async () => {
  const page = await bench();
  await page.waitForFunction(() => /Turkey/.test(document.querySelector(".row.now").textContent));
  await press(page, "/");
  await page.keyboard.type("sunny");
  await page.locator("#find-list li", { hasText: "Sunny Alpha Inn" }).waitFor();
  const list = await page.locator("#find-list li").allTextContents();
  assert.ok(list.findIndex(t => t.includes("Sunny Alpha")) > list.findIndex(t => t.includes("Sunny Palace")), list.join(" | "));
  await page.locator("#find-input").fill("104");
  await page.locator("#find-list li", { hasText: "Quiet Garden" }).waitFor();
  await page.close();
});

test("a language can be said by its name, and what is no code is not kept as one", async () => {
  const page = await at("workbench/reference?record=hotel%2F103");
  const add = async lang => {
    await page.getByRole("button", { name: "Add a language" }).click();
    await page.locator(".adding input").first().fill(lang);
    await page.locator(".adding input").last().fill("Blaue Lagune");
    await press(page, "Enter");
  };
  await add("Klingonese");
  await said(page, "“Klingonese” is none");
  await press(page, "Escape");
  await add("German");
  await said(page, "Saved in German");
  const { record } = await page.evaluate(() => fetch("/v1/curate/reference?kind=hotel&id=103").then(a => a.json()).then(a => a.data));
  assert.equal(record.name.de, "Blaue Lagune");
  await page.close();
});

test("a word that both names have is not marked, wherever it stands", async () => {
  const page = await at("workbench/reference");
  const marks = await page.evaluate(async () => {
    const { marked } = await import("/web/differ.js");
    return [["Helios Resort & Spa", "HELIOS HOTEL"], ["HTL Nar", "Nar Hotel"], ["Lafayette Hotel", "HOTEL LAFAYETTE"], ["Asterion Paralia", "Zenobia Paralia"], ["HB+", "HB"], ["Nikolaou 19", "Nikolaos 44"]]
      .map(([a, b]) => [...marked(a, b).querySelectorAll("mark")].map(m => m.textContent).join("|"));
  });
  assert.deepEqual(marks, ["Resort & Spa", "", "", "Asterion", "+", "u 19"]);
  await page.close();
});

test("history: what went with a merge is not offered to be taken back alone", async () => {
  const page = await at("workbench/history");
  const status = await page.evaluate(async () => {
    const get = path => fetch(`/v1/curate/${path}`).then(a => a.json()).then(a => a.data);
    const [from, into] = await Promise.all([106, 105].map(id => get(`reference?kind=hotel&id=${id}`)));
    const csrf = (await (await fetch("/v1/session")).json()).data.csrf;
    const answer = await fetch("/v1/curate/decide", { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
      body: JSON.stringify({ decisions: [{ decide: "merge", kind: "hotel", dict_id: 106, into: 105, version: from.version, into_version: into.version }] }) });
    return (await answer.json()).data.items[0].status;
  });
  assert.equal(status, 200);
  await page.reload();
  const moved = page.locator("#events .event", { hasText: "C-3" }).first(), merge = page.locator("#events .event", { hasText: "was merged into" }).first();
  await moved.waitFor();
  assert.equal(await moved.getByRole("button", { name: "Undo it" }).count(), 0);
  assert.equal(await merge.getByRole("button", { name: "Undo it" }).count(), 1);
  await moved.focus();
  await press(page, "u");
  await said(page, "It was part of a merge");
  await page.close();
});

test("what the matcher says begins with no word for programs", async () => {
  const page = await at("workbench");
  const texts = await page.evaluate(async () => {
    const { inWords } = await import("/web/evidence.js");
    return ["ask, its country is not mapped: 1 of this name", "none", "asks a lot", undefined].map(inWords);
  });
  assert.deepEqual(texts, ["its country is not mapped: 1 of this name", "", "asks a lot", ""]);
  await page.close();
});

/* ---- suppliers ---- */

const told_ = page => page.locator("#told");

test("suppliers: what was ticked for a file is not meant for the next, nor for another supplier", async () => {
  const page = await at("workbench/suppliers?adapter_id=1"), ticks = ["#complete", "#keep_going", "#accept"];
  const all = () => Promise.all(ticks.map(t => page.locator(t).isChecked()));
  await page.locator("#load").waitFor();
  await page.locator("#file").setInputFiles(file("a.csv", "id;name\n1;Alpha\n"));
  for (const tick of ticks) await page.locator(tick).check();
  await page.locator("#file").setInputFiles(file("b.csv", "id;name\n2;Beta\n"));
  assert.deepEqual(await all(), [false, false, false]);
  for (const tick of ticks) await page.locator(tick).check();
  await page.locator("#list .item", { hasText: "Boreal" }).click();
  await page.locator("#name", { hasText: "Boreal" }).waitFor();
  assert.deepEqual(await all(), [false, false, false]);
  await page.close();
});

test("suppliers: of another's file the columns are shown; why it cannot be loaded is said, and where to tick", async () => {
  const page = await at("workbench/suppliers?adapter_id=3");
  await page.locator("#load").waitFor();
  const list = ["Hotel code;Hotel;Country", ...Array.from({ length: 30 }, (_, i) => `Z${i};Hotel Z ${i};Turkey`), "Z30;;Turkey"].join("\n");
  await page.locator("#file").setInputFiles(file("z.csv", list));
  await told_(page).getByText("tick above that the columns are right").waitFor();
  assert.doesNotMatch(await page.locator("#supplier").textContent(), /accept loads/);
  await page.locator("#column-id").waitFor();
  assert.equal(await page.locator("#column-id").inputValue(), "Hotel code");
  await page.locator("#accept").check();
  await page.getByRole("button", { name: "Look at it" }).click();
  await told_(page).getByText("Bad rows are left out").waitFor();
  assert.equal(await page.locator("#go:not([disabled])").textContent(), "Load it without the bad rows");
  await told_(page).getByText("1 of 31 rows is bad").waitFor();
  // Looked at from below, the answer is where it can be seen.
  await page.locator("#keep_going").check();
  await page.getByRole("button", { name: "Look again" }).click();
  await page.waitForFunction(() => { const { top } = document.querySelector("#go").getBoundingClientRect(); return top > 0 && top < innerHeight && !document.querySelector("#go").disabled });
  assert.equal(await page.evaluate(() => document.documentElement.scrollTop), 0, "the page itself stays where it is");
  await page.close();
});

test("suppliers: of a workbook with several sheets one is chosen, or several", async () => {
  const to = path.join(folder, "two.xlsx");
  execFileSync("/usr/bin/python3", ["-c", `
import openpyxl, sys
book = openpyxl.Workbook()
book.active.title = "Hotels 2026"
for row in (["Hotel code", "Hotel"], ["M-1", "Mavi"], ["M-2", "Deniz"]): book.active.append(row)
old = book.create_sheet("Hotels, old")
for row in (["Hotel code", "Hotel"], ["M-9", "Eski"]): old.append(row)
book.save(sys.argv[1])`, to]);
  const page = await at("workbench/suppliers?adapter_id=1");
  await page.locator("#load").waitFor();
  await page.locator("#file").setInputFiles(to); // it is looked at by itself
  await said(page, "several sheets");
  assert.deepEqual(await page.getByLabel("Sheet").locator("option").allTextContents(), ["Hotels 2026", "Hotels, old"]);
  await page.getByLabel("Sheet").selectOption("Hotels 2026");
  await page.getByRole("button", { name: "Look at it" }).click();
  await told_(page).getByText("sheet Hotels 2026").waitFor();
  await told_(page).getByText("Other sheets are not read: Hotels, old (2 rows)").waitFor();
  await page.getByLabel("Sheet").selectOption(["Hotels 2026", "Hotels, old"]);
  await told_(page).getByText("sheet Hotels 2026, Hotels, old").waitFor();
  await told_(page).getByText("3 new").waitFor();
  await page.locator("#file").setInputFiles(file("c.csv", "id;name\n1;Alpha\n"));
  await page.getByLabel("Sheet").waitFor({ state: "hidden" });
  await page.close();
});

test("suppliers: from what is not mapped to the queue; no word is broken", async () => {
  const page = await at("workbench/suppliers?adapter_id=3", "anna", { size: { width: 768, height: 1024 } });
  await page.locator("#coverage tbody tr", { hasText: "Hotel" }).waitFor();
  const heights = await page.locator("#coverage th").evaluateAll(all => all.map(th => th.getBoundingClientRect().height));
  assert.ok(Math.max(...heights) < 40, String(heights));
  await page.locator("#coverage tr", { hasText: /^Hotel\d|^Hotel/ }).last().locator("a").click();
  await page.waitForURL(/workbench\?kind=hotel&adapter_id=3$/);
  await page.locator(".row.now").waitFor();
  await page.close();
});
