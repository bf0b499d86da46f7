// The page of suppliers: columns are named, batches are of the supplier, and answers that come late belong to what was asked for.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch } from "../lib/browser.js";
import { calm } from "../lib/calm.js";
import { desk, openAt } from "../lib/desk.js";
import { asked, chooseFile, press, tabTo } from "../lib/keyboard.js";
import { late } from "../lib/late.js";
import { RECORDS, SCRIPT } from "../lib/small.js";

const SIZES = { desk: { width: 1280, height: 800 }, tablet: { width: 768, height: 1024 } };
const MANY = Array.from({ length: 40 }, (_, i) => ({ type: "adapter", id: 200 + i, code: `many${i}`, name: `Supplier ${i}`, domain: "tour" }));
let browser, server, folder, known, unknown;

const file = (name, rows) => { const to = path.join(folder, name); fs.writeFileSync(to, rows.map(r => r.join(";")).join("\n")); return to };

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "dragoman-lists-"));
  known = file("known.csv", [["Code", "Hotel Name", "Country Code", "Country"], ["k1", "Mavi Koy", "TR", "Turkey"], ["k2", "Deniz Palas", "TR", "Turkey"]]);
  unknown = file("unknown.csv", [["List", SCRIPT], ["Kk", "Bb", "Xx"], ["u1", "Ada Resort", "TR"], ["u2", "Çam Otel", "TR"]]);
  server = await desk([...RECORDS, ...MANY], "--max-url", "8192");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function bench(where, options, name = "anna") {
  const page = await openAt(browser, server.url, name, `workbench/suppliers${where}`, options);
  await page.locator(".item.now").waitFor();
  return page;
}

const said = (page, text) => page.locator("#said", { hasText: text }).waitFor();
const ask = (page, path) => asked(page, `v1/curate/${path}`);
const hotels = async (page, id) => (await ask(page, `coverage?adapter_id=${id}&kind=hotel`)).items[0]?.records ?? 0;
const list = (page, row, what) => page.locator("#batches tbody tr").nth(row).locator(what);

const maps = request => new URL(request.url()).searchParams.getAll("map");

/** As it was chosen, and once more by the button: both are answered. */
async function look(page, file) {
  await press(page, "f");
  await chooseFile(page, file);
  await tabTo(page, "#look");
  await press(page, "Enter");
  await calm(page);
}

/** A file of the command line's, by the API: a batch of this supplier. */
async function load(page, id, file, more = {}) {
  return page.evaluate(async ([id, body, more]) => {
    const { data } = await (await fetch("/v1/session")).json();
    const answer = await fetch(`/v1/curate/load?${new URLSearchParams({ adapter_id: id, accept: 1, ...more })}`,
      { method: "POST", headers: { "Content-Type": "application/octet-stream", "X-CSRF-Token": data.csrf }, body });
    return (await answer.json()).data.batch;
  }, [id, fs.readFileSync(file, "utf8"), { file: path.basename(file), ...more }]);
}

/** In the select that has the focus, by the one key that no other choice begins with. */
async function pick(page, column) {
  await press(page, column[0].toLowerCase());
  await page.waitForFunction(column => document.activeElement.value === column, column);
}

test("a file whose headings nobody knows: its columns are named by keys, looked at, loaded, and remembered", async () => {
  const page = await bench("?adapter_id=201");
  await look(page, unknown);
  await page.locator("#told .note", { hasText: "look again" }).waitFor();
  assert.equal(await page.locator("#go").isDisabled(), true);
  await tabTo(page, "#column-id");
  await pick(page, "Kk");
  await tabTo(page, "#column-name");
  await pick(page, "Bb");
  assert.match(await page.locator("tr:has(#column-name)").textContent(), /Ada Resort/);
  assert.match(await page.locator("#columns-rest").textContent(), /Not read: Xx/);
  await tabTo(page, "#columns button");
  await press(page, "Enter");
  await page.locator("#told", { hasText: "hotel: 2 new" }).waitFor();
  assert.equal(await page.locator("#go").textContent(), "The columns are right: load it");
  await tabTo(page, "#go", "Shift+Tab");
  await press(page, "Enter");
  await said(page, "Loaded for Supplier 1.");
  await page.locator("#months button").waitFor(); // its first list has come
  assert.equal(await hotels(page, 201), 2);
  assert.equal((await ask(page, "case?adapter_id=201&kind=hotel&id=u1")).record.name, "Ada Resort");
  // The next file of the sort is read so by itself.
  await page.reload();
  await page.locator(".item.now").waitFor();
  await look(page, unknown);
  await page.locator("#told", { hasText: "2 the same" }).waitFor();
  assert.equal(await page.locator("#column-name").inputValue(), "Bb");
  assert.equal(await page.locator("#go:not([disabled])").textContent(), "Load it");
  await page.close();
});

test("what is being typed stays when the answer to what was typed before comes", async () => {
  const page = await bench("?adapter_id=229");
  await look(page, file("typed.csv", [["Nombre", "Ciudad"], ["Ada Resort", "Side"]]));
  await page.locator("#told .note", { hasText: "look again" }).waitFor();
  await page.locator("#column-id").selectOption("Nombre");
  await tabTo(page, "#columns button");
  await press(page, "Enter");
  await page.locator("#told", { hasText: "hotel: 1 new" }).waitFor();
  const answer = await late(page, "**/v1/curate/load?*");
  await page.locator("#country").fill("Turkey");
  await page.locator("#lang").pressSequentially("es");
  await answer.asked;
  const came = page.waitForResponse("**/v1/curate/load?*");
  answer.go();
  await came;
  await calm(page);
  assert.equal(await page.locator("#lang").inputValue(), "es");
  await page.close();
});

test("a list without ids, of one country: both are said once, and a new column is told first the next time", async () => {
  const names = file("names.csv", [["Nombre", "Ciudad"], ["Ada Resort", "Side"], ["Bora Palas", "Kemer"]]);
  const more = file("names-more.csv", [["Nombre", "Ciudad", "Playa"], ["Ada Resort", "Side", "x"], ["Bora Palas", "Kemer", "y"]]);
  const page = await bench("?adapter_id=230");
  await look(page, names);
  await page.locator("#told .note", { hasText: "look again" }).waitFor();
  await page.locator("#column-id").selectOption("Nombre");
  assert.equal(await page.locator("#column-name").inputValue(), "Nombre", "the column of the names feeds both");
  await tabTo(page, "#country", "Shift+Tab");
  await page.keyboard.type("Turkey");
  await page.locator("#lang").fill("es");
  await tabTo(page, "#columns button");
  await press(page, "Enter");
  await page.locator("#told", { hasText: "hotel: 2 new" }).waitFor();
  await page.locator("#go:not([disabled])").click();
  await said(page, "Loaded for");
  const { record } = await ask(page, "case?adapter_id=230&kind=hotel&id=Ada%20Resort");
  assert.deepEqual([record.name, record.country_name], ["Ada Resort", "Turkey"]);
  await page.reload();
  await page.locator(".item.now").waitFor();
  await look(page, more);
  await page.locator("#told", { hasText: "2 the same" }).waitFor();
  assert.match(await page.locator("#told > :first-child").textContent(), /^A new column, which nothing reads: Playa\. /);
  assert.deepEqual([await page.locator("#country").inputValue(), await page.locator("#lang").inputValue()], ["Turkey", "es"], "it is remembered");
  // Taken back, and remembered so.
  await page.locator("#country").fill("");
  await tabTo(page, "#look");
  await calm(page);
  await page.locator("#go:not([disabled])").click();
  await said(page, "Loaded for");
  await page.reload();
  await page.locator(".item.now").waitFor();
  await look(page, names);
  await page.locator("#told", { hasText: "2 the same" }).waitFor();
  assert.deepEqual([await page.locator("#country").inputValue(), await page.locator("#lang").inputValue()], ["", "es"]);
  await accessible(page, "what holds for a list");
  await page.close();
});

test("a column that is read wrongly feeds another field, or nothing", async () => {
  const page = await bench("?adapter_id=202");
  await look(page, known);
  await page.locator("#columns").waitFor();
  assert.equal(await page.locator("#column-country_name").inputValue(), "Country");
  await page.locator("#column-address").selectOption("Country"); // and so it is no longer the country's name
  assert.equal(await page.locator("#column-country_name").inputValue(), "");
  await page.locator("#column-country_id").selectOption("");
  await tabTo(page, "#accept", "Shift+Tab");
  const asked = page.waitForRequest(/curate\/load/);
  await press(page, " "); // what is ticked is looked at
  assert.deepEqual(maps(await asked).sort(), ["address=Country", "country_id=", "country_name=", "id=Code"]); // what differs from the proposal
  await page.locator("#go:not([disabled])").waitFor();
  assert.equal(await page.locator("#column-country_id").inputValue(), "");
  await tabTo(page, "#go");
  await press(page, "Enter");
  await said(page, "Loaded for");
  const { record } = await ask(page, "case?adapter_id=202&kind=hotel&id=k1");
  assert.deepEqual([record.name, record.address, record.country_name, record.country_id], ["Mavi Koy", "Turkey", undefined, undefined]);
  await page.close();
});

test("a column that is named leaves the rows what they are remembered as", async () => {
  const page = await bench("?adapter_id=207"), meals = file("meals.csv", [["Code", "Name", "Note"], ["ai", "Everything", "All inclusive"]]);
  await load(page, 207, meals, { kind: "meal" });
  await load(page, 207, file("cities.csv", [["Code", "Name", "Country Code"], ["1", "Kemer", "TR"]]), { kind: "city" });
  await look(page, meals);
  await page.locator("#told", { hasText: "meal: 0 new" }).waitFor();
  await page.locator("#column-name").selectOption("Note");
  await page.locator("#accept").check();
  await tabTo(page, "#look");
  await press(page, "Enter");
  await page.locator("#told", { hasText: "meal: 0 new, 1 changed" }).waitFor();
  await tabTo(page, "#go");
  await press(page, "Enter");
  await said(page, "Loaded for");
  assert.equal(await hotels(page, 207), 0);
  assert.equal((await ask(page, "case?adapter_id=207&kind=meal&id=ai")).record.name, "All inclusive");
  await page.close();
});

test("a list that lacks too much is not taken for one whose columns nobody knows", async () => {
  const page = await bench("?adapter_id=208");
  await load(page, 208, known);
  await look(page, file("half.csv", [["Code", "Hotel Name", "Country Code", "Country"], ["k1", "Mavi Koy", "TR", "Turkey"]]));
  await page.locator("#told", { hasText: "hotel: 0 new" }).waitFor();
  let looks = 0;
  page.on("request", request => { looks += /curate\/load/.test(request.url()) });
  await page.locator("#complete").check(); // it is looked at by that
  await said(page, "are not in the file");
  assert.equal(looks, 1); // and not a second one for its columns
  assert.doesNotMatch(await page.locator("#told").textContent(), /which column is what/);
  await page.close();
});

/** Cyrillic as windows-1251 has it, and the rest as ASCII. */
const cyrillic = text => Buffer.from([...text].map(c => (c >= "А" && c <= "я" ? c.charCodeAt() - 0x350 : c.charCodeAt())));
const FEW = cyrillic("Code;Hotel Name;City\nc1;Нива;Ruse\nc2;Утес;Ruse\n");
const MANY_LETTERS = cyrillic("Код отеля;Название отеля;Курорт\nm1;Солнечный берег;Несебр\nm2;Золотые пески;Варна\n");
const raw = (name, bytes) => { const to = path.join(folder, name); fs.writeFileSync(to, bytes); return to };
const untouched = page => page.locator("#encoding option").first().textContent();

test("an encoding that cannot be told is chosen by keys, and remembered", async () => {
  const page = await bench("?adapter_id=210"), few = raw("few.csv", FEW);
  await look(page, few);
  await page.locator("#told tr", { hasText: "Нива" }).getByRole("button", { name: "windows-1251" }).waitFor();
  assert.match(await page.locator("#told").textContent(), /choose above the encoding/);
  assert.equal(await page.locator("#columns").isVisible(), false);
  await tabTo(page, "#encoding", "Shift+Tab");
  await page.keyboard.type("cyr");
  await page.waitForFunction(() => document.querySelector("#encoding").value === "windows-1251");
  await tabTo(page, "#accept");
  await press(page, " ");
  await tabTo(page, "#look");
  await press(page, "Enter");
  await page.locator("#go:not([disabled])").waitFor();
  assert.match(await page.locator("#told").textContent(), /windows-1251, header in row 1.*hotel: 2 new/);
  assert.match(await page.locator("tr:has(#column-name)").textContent(), /Нива \| Утес/);
  await tabTo(page, "#go");
  await press(page, "Enter");
  await said(page, "Loaded for");
  assert.equal((await ask(page, "case?adapter_id=210&kind=hotel&id=c1")).record.name, "Нива");
  await page.reload();
  await page.locator(".item.now").waitFor();
  await look(page, few);
  await page.locator("#told", { hasText: "2 the same" }).waitFor();
  assert.equal(await page.locator("#encoding").inputValue(), "");
  assert.equal(await untouched(page), "by itself: windows-1251");
  await page.close();
});

test("the reading that is right is chosen by its look, also of an encoding that the list lacks", async () => {
  const page = await bench("?adapter_id=211");
  await look(page, raw("mac.csv", Buffer.from("Code;Hotel Name;City\nc1;H\x99tel \x83toile;N\x94mes\n", "latin1")));
  await page.locator("#told tr", { hasText: "Hôtel Étoile, Nîmes" }).getByRole("button", { name: "macintosh" }).click();
  await page.locator("tr:has(#column-name)", { hasText: "Hôtel Étoile" }).waitFor();
  assert.equal(await page.locator("#encoding").inputValue(), "macintosh");
  await page.locator("#list").focus();
  await look(page, raw("dos.csv", Buffer.from("Code;Hotel Name;City\nc1;Hotell \x8flesund;Troms\x9b\n", "latin1")));
  const button = page.locator("#told tr", { hasText: "Hotell Ålesund" }).locator("button").last(), encoding = await button.textContent();
  await button.click();
  await page.locator("tr:has(#column-name)", { hasText: "Hotell Ålesund" }).waitFor();
  assert.equal(await page.locator("#encoding").inputValue(), encoding);
  await page.close();
});

test("a quote that is not closed is told, and how cells are quoted can be chosen", async () => {
  const page = await bench("?adapter_id=211");
  await look(page, raw("open.csv", Buffer.from('"Code","Hotel Name"\n"c1","Ada"\n"c2","Bora, Side"\n"c3","Can\n')));
  await page.locator("#told .note", { hasText: "column 2 is never closed" }).waitFor();
  await page.locator("#quote").selectOption("none");
  await page.locator("#told", { hasText: "quotes: no cell is quoted" }).waitFor();
  await page.close();
});

test("the encoding that was recognised is shown, another one can be chosen, and is not meant for the next file", async () => {
  const page = await bench("?adapter_id=211");
  assert.equal(await untouched(page), "as remembered, else recognised");
  await look(page, raw("many.csv", MANY_LETTERS));
  await page.locator("tr:has(#column-name)", { hasText: "Солнечный берег" }).waitFor();
  assert.equal(await untouched(page), "by itself: windows-1251");
  assert.equal(await page.locator("#column-name").inputValue(), "Название отеля");
  const asked = page.waitForRequest(/curate\/load/);
  await page.locator("#encoding").selectOption("windows-1252"); // the columns are others now
  assert.equal(new URL((await asked).url()).searchParams.get("encoding"), "windows-1252");
  await page.locator("#columns-rest", { hasText: "Íàçâàíèå îòåëÿ" }).waitFor();
  await press(page, "f");
  await chooseFile(page, known);
  assert.equal(await page.locator("#encoding").inputValue(), "");
  await tabTo(page, "#look");
  await press(page, "Enter");
  await page.locator("#told", { hasText: "UTF-8, header in row 1" }).waitFor();
  assert.equal(await untouched(page), "by itself: UTF-8");
  await page.locator("#encoding").selectOption("windows-1254");
  await page.locator("#list").focus();
  await press(page, "j"); // nor for another supplier
  assert.equal(await page.locator("#encoding").inputValue(), "");
  assert.equal(await untouched(page), "as remembered, else recognised");
  await page.close();
});

test("every encoding that can be chosen is one that the server knows", async () => {
  const page = await bench("?adapter_id=212");
  const names = await page.locator("#encoding option").evaluateAll(all => all.map(o => o.value).filter(Boolean));
  assert.ok(names.length > 10);
  const said = await page.evaluate(async names => {
    const { data } = await (await fetch("/v1/session")).json(), headers = { "Content-Type": "application/octet-stream", "X-CSRF-Token": data.csrf };
    const tell = async encoding => {
      const answer = await fetch(`/v1/curate/load?${new URLSearchParams({ adapter_id: 212, file: "a.csv", dry_run: 1, encoding })}`, { method: "POST", headers, body: "Code;Name\n1;Ada\n" });
      return (await answer.json()).data?.encoding;
    };
    const list = [];
    for (const encoding of [...names, "windows-9"]) list.push(await tell(encoding));
    return list;
  }, names);
  // Encodings other than UTF-16 and EBCDIC leave ASCII unchanged.
  assert.deepEqual(said, [...names.map(n => (/^(utf-16|ibm-1\d+)$/.test(n) ? undefined : n)), undefined]);
  await page.close();
});

test("a file of which no column is the name says so", async () => {
  const page = await bench("?adapter_id=213");
  await look(page, file("nameless.csv", [["Code", "City", "What"], ["1", "Side", "Ada"]]));
  const note = page.locator("#told .note", { hasText: "No column is the name" });
  await note.waitFor();
  await page.locator("#column-name").selectOption("What");
  await page.locator("#look").click();
  await page.locator("#told", { hasText: "hotel: 1 new" }).waitFor();
  assert.equal(await note.count(), 0);
  await page.close();
});

test("an id that means another house now is flagged before the list is loaded, and mapped it is a case again", async () => {
  const page = await bench("?adapter_id=214"), head = ["Code", "Hotel Name", "Country", "City", "Latitude", "Longitude"];
  await load(page, 214, file("june.csv", [head, ["g1", "Mavi Koy Resort", "Turkey", "Side", "36.76", "31.38"], ["g2", "Ada", "Turkey", "Side", "36.77", "31.38"]]));
  await look(page, file("july.csv", [head, ["g1", "Grand Bellevue", "Spain", "Toledo", "39.86", "-4.02"], ["g2", "Ada", "Turkey", "Side", "36.77", "31.38"]]));
  const sums = page.locator("#told .sums li", { hasText: "1 id seems to mean another house now" });
  await sums.waitFor();
  const row = page.locator("#told tbody tr", { hasText: "another house?" });
  assert.match(await row.textContent(), /row 2g1name: Mavi Koy Resort → Grand Bellevue/);
  await accessible(page, "an id that means another house");
  await page.evaluate(async () => {
    const { data } = await (await fetch("/v1/session")).json(), headers = { "Content-Type": "application/json", "X-CSRF-Token": data.csrf };
    const about = { adapter_id: 214, kind: "hotel", id: "g1" };
    const { data: { version } } = await (await fetch(`/v1/curate/case?${new URLSearchParams(about)}`)).json();
    await fetch("/v1/curate/decide", { method: "POST", headers, body: JSON.stringify({ decisions: [{ ...about, decide: "map", dict_id: 101, version }] }) });
  });
  await tabTo(page, "#look");
  await press(page, "Enter");
  await page.locator("#told .sums li", { hasText: "mapped are 1 of them" }).waitFor();
  await tabTo(page, "#go");
  await press(page, "Enter");
  await said(page, "Loaded for");
  assert.equal((await ask(page, "case?adapter_id=214&kind=hotel&id=g1")).dict_id, null);
  await page.close();
});

test("headings that are too long to be sent are told as that", async () => {
  const page = await bench("?adapter_id=209"), long = Array.from({ length: 10 }, (_, i) => `${i}${"ж".repeat(147)}`);
  await look(page, file("long.csv", [["Code", "Name", `x${"ж".repeat(200)}`, ...long], ["1", "Ada", "", ...long]]));
  await page.locator("#columns-rest", { hasText: "cannot be chosen" }).waitFor();
  const choices = await page.locator("#column-address option").allTextContents();
  assert.deepEqual(choices, ["no column", "Code", "Name", ...long]);
  const fields = await page.locator("#columns-table select").evaluateAll(all => all.map(s => s.dataset.field).filter(f => !["id", "name"].includes(f)));
  for (const [i, heading] of long.entries()) await page.locator(`#column-${fields[i]}`).selectOption(heading);
  await tabTo(page, "#look", "Shift+Tab");
  await press(page, "Enter");
  await said(page, "too long together");
  await page.close();
});

test("an answer to a look at one supplier's file does not let it be loaded for another", async () => {
  const page = await bench("?adapter_id=202"), other = 203;
  const before = await hotels(page, other), answer = await late(page, "**/v1/curate/load?*");
  await press(page, "f");
  await chooseFile(page, known);
  await page.locator("#accept").check();
  await tabTo(page, "#look");
  await press(page, "Enter");
  await answer.asked;
  await page.locator("#list").focus();
  await press(page, "j");
  await page.waitForURL(new RegExp(`adapter_id=${other}`));
  answer.go();
  await said(page, "looked at again");
  assert.equal(await page.locator("#go").isDisabled(), true);
  assert.equal(await page.locator("#told").textContent(), "");
  assert.equal(await hotels(page, other), before);
  await page.close();
});

test("that a list was loaded is said, however long the counts after it take", async () => {
  const page = await bench("?adapter_id=213", { clock: true });
  await look(page, known);
  const counts = await late(page, "**/v1/curate/coverage*");
  await tabTo(page, "#go");
  await press(page, "Enter");
  await counts.asked;
  await page.clock.fastForward(1000);
  assert.match(await page.locator("#said").textContent(), /^Loaded for Supplier 13/);
  counts.go();
  await calm(page);
  assert.match(await page.locator("#said").textContent(), /^Loaded for Supplier 13/);
  await page.close();
});

test("batches are of the supplier that is shown, and never of the one before", async () => {
  const page = await bench("?adapter_id=204");
  const batch = await load(page, 204, known), next = await load(page, 205, known);
  await page.reload();
  await list(page, 0, "button").waitFor();
  assert.deepEqual(await page.locator("#batches tbody td:first-child").allTextContents(), [batch, 1].map(String));
  const answer = await late(page, "**/v1/curate/batches?*");
  await press(page, "j");
  await answer.asked;
  await press(page, "b");
  await press(page, "Enter"); // before they are there
  assert.equal(await page.locator("#batches form").count(), 0);
  answer.go();
  await page.waitForFunction(next => document.activeElement.getAttribute("aria-label") === `Undo batch ${next}`, next);
  await page.close();
});

test("a reason that is being written stays while another batch is taken back", async () => {
  const page = await bench("?adapter_id=206");
  const first = await load(page, 206, known), more = path.join(folder, "more.csv");
  fs.writeFileSync(more, "Code;Hotel Name;Country Code;Country\nk1;Mavi Koy;TR;Turkey\nk9;Ada;TR;Turkey");
  const second = await load(page, 206, more);
  await page.reload();
  await list(page, 1, "button").waitFor();
  const answer = await late(page, "**/v1/curate/batchUndo");
  await page.getByRole("button", { name: `Undo batch ${second}` }).focus();
  await press(page, "Enter");
  await press(page, "Enter");
  await answer.asked;
  await page.getByRole("button", { name: `Undo batch ${first}` }).focus();
  await press(page, "Enter");
  await page.waitForFunction(() => document.activeElement.closest(".reason input"));
  await page.keyboard.type("a list of last");
  answer.go();
  await page.locator("#batches", { hasText: "undone" }).waitFor();
  await page.keyboard.type(" year");
  assert.equal(await page.evaluate(() => document.activeElement.value), "a list of last year");
  await page.close();
});

test("the list opens without taking the focus from who has gone elsewhere", async () => {
  const page = await openAt(browser, server.url, "anna", "workbench/suppliers");
  const answer = await late(page, "**/v1/curate/coverage*");
  await page.reload();
  await answer.asked;
  await page.locator("#pages a").last().focus();
  answer.go();
  await page.locator(".item.now").waitFor();
  await calm(page);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "History");
  await page.close();
});

for (const scheme of ["light", "dark"]) {
  for (const [name, size] of Object.entries(SIZES)) {
    test(`with its columns it fits and can be read, and the list stays where it is: ${scheme}, ${name}`, async () => {
      const page = await bench("?adapter_id=201", { scheme, size });
      await look(page, known);
      await page.locator("#columns").waitFor();
      await page.locator("#batches table").waitFor();
      await accessible(page, `columns, ${scheme}, ${name}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      await page.locator("#batches").scrollIntoViewIfNeeded();
      const now = await page.locator(".item.now").boundingBox();
      assert.ok(now.y >= 0 && now.y + now.height <= size.height, `the supplier is at ${now.y}`);
      await page.locator("#list").focus();
      for (let i = 0; i < 30; i++) await press(page, "j");
      const last = await page.locator(".item.now").boundingBox();
      assert.ok(last.y >= 0 && last.y + last.height <= size.height, `the 30th supplier is at ${last.y}`);
      await page.close();
    });
  }
}
