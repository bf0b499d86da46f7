// A month of a data manager who opens no shell: people, lists of many formats, the queue, a spreadsheet, an audit, keys. What a page says is
// compared with what programs are answered. A step is a click, a key, a choice or a file; what is typed belongs to the one that ends it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { launch, open } from "../lib/browser.js";
import { calm, canChoose, settled, until } from "../lib/calm.js";
import { desk, signInTo } from "../lib/desk.js";
import { asked } from "../lib/keyboard.js";

const LISTS = new URL("../../api/supplier_lists.py", import.meta.url).pathname;
const HARD = ["dawn", "dusk"], KEEPER = "comparison_feed"; // two with cases for people, and one that sends all it has each time
const CODES = { currency: [["Code", "Currency"], ["E", "Euro"], ["T", "Turkish Lira"]], meal: [["Board Code", "Board"], ["AI+", "Ultra All Inclusive"], ["B", "Bed & Breakfast"]],
  hotel_category: [["Code", "Category"], ["c5", "5*"], ["c4", "4 stars"]], city: [["Code", "City", "Country"], ["s1", "Side", "Turkey"], ["p1", "Praha", "CZ"]] };
const PLACES = [{ type: "adapter", id: 922, code: "aero", name: "Aero", domain: "air" },
  { type: "air_place", source_id: 101, place: "city", code: "NYC", name: "New York", country_code: "US", weight: 20000 },
  { type: "air_place", source_id: 102, place: "apt", code: "JFK", name: "John F. Kennedy International Airport", country_code: "US", city_code: "NYC", lat: 40.64, lng: -73.78, weight: 9000 }];
let browser, server, folder, lists, houses, olga, mira, key;
const ids = new Map();              // code of a supplier => its number

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "dragoman-month-"));
  execFileSync("/usr/bin/python3", [LISTS, folder]);
  lists = JSON.parse(fs.readFileSync(path.join(folder, "lists.json")));
  const records = fs.readFileSync(path.join(folder, "reference.ndjson"), "utf8").trim().split("\n").map(line => JSON.parse(line));
  houses = records.filter(r => r.kind === "hotel");
  const dict = (kind, id, more) => ({ type: "dict", kind, id, ...more });
  server = await desk([...records, ...PLACES, dict("currency", 1, { iso_code: "EUR", name: "Euro" }), dict("currency", 2, { iso_code: "TRY", name: "Turkish Lira" }),
    dict("meal", 1, { name: "Bed and Breakfast" }), dict("meal", 2, { name: "Ultra All Inclusive" })], "--match", "auto");
  browser = await launch();
  olga = await open(browser, `${server.url}/sign-in`);
});
after(async () => {
  await olga?.close();
  await mira?.close();
  await browser?.close();
  await server?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

/* ---- steps ---- */

let steps = 0;
const taken = [];                   // [task, steps]
const click = box => { steps++; return box.click() };
const key_ = (page, text) => { steps++; return page.keyboard.press(text) };
const choose = (box, file) => { steps++; return box.setInputFiles(file) };
const pick = (box, value) => { steps++; return box.selectOption(value) };

async function task(name, most, act) {
  steps = 0;
  const result = await act();
  if (!taken.some(([one]) => one === name)) taken.push([name, steps]);
  assert.ok(steps <= most, `${name}: ${steps} steps`);
  return result;
}

const said = (page, text) => page.locator("#said", { hasText: text }).waitFor();
const to = async (page, where, there) => { await page.goto(`${server.url}/workbench${where}`); await page.locator(there).first().waitFor(); await calm(page) };
const matched = async () => { const { data_version } = await server.ready(); await until(async () => (await server.ready()).matched >= data_version, "it is matched") };

/* ---- what programs are answered ---- */

async function told(where, options) {
  const answer = await fetch(`${server.url}/v1/${where}`, { ...options, headers: { "X-Service-Api-Key": key, "Content-Type": "application/json" } });
  return { status: answer.status, data: (await answer.json()).data };
}

/** Supplier's id => record of the reference, or null. */
async function translated(code, kind, list) {
  const { data } = await told(`tour/sourceInfo?adapter_id=${ids.get(code)}`, { method: "POST", body: JSON.stringify({ [kind]: list }) });
  return data[kind].map(it => it.dict?.id ?? null);
}

/** A file, and a batch that is taken back, are seen a moment after their answer. @param wanted  { supplier's id: record or null } */
const becomes = (code, kind, wanted) => until(async () => JSON.stringify(await translated(code, kind, Object.keys(wanted)))
  === JSON.stringify(Object.values(wanted)), `${code}: ${JSON.stringify(wanted)}`);

/** Hotels of a supplier, as a client's copy has them: { id, name, to }. */
async function exported(code) {
  const answer = await fetch(`${server.url}/v1/export/sources?kind=hotel&adapter_id=${ids.get(code)}`, { headers: { "X-Service-Api-Key": key } });
  return (await answer.text()).trim().split("\n").map(line => JSON.parse(line)).filter(r => r.type === "source")
    .map(r => ({ id: r.id, name: r.source.name, to: r.dict?.id ?? null }));
}

/* ---- the month ---- */

test("an administrator signs in, adds suppliers and somebody, who comes in by the link; a key is made", async () => {
  await task("sign in", 1, () => { steps++; return signInTo(olga, server.url, "olga", "workbench/suppliers") });
  for (const code of [...lists.map(l => l.name), ...HARD])
    await task("add a supplier", 1, async () => {
      await olga.locator("#add [name=code]").fill(code);
      await click(olga.locator("#add button"));
      await said(olga, `${code} is supplier`);
      ids.set(code, Number(/is supplier (\d+)/.exec(await olga.locator("#said").textContent())[1]));
    });
  await to(olga, "/access", "#people tr");
  const link = await task("add a person", 1, async () => {
    await olga.locator("#add [name=name]").fill("mira");
    await click(olga.locator("#add button"));
    return olga.locator("#given code").textContent();
  });
  mira = await open(browser, link, { before: page => page.addInitScript(keepAnswers) });
  await task("come in by a link", 1, async () => {
    await mira.locator("#new").fill("mira's own password");
    await mira.locator("#again").fill("mira's own password");
    steps++;
    await mira.keyboard.press("Enter");
    await mira.waitForURL(`${server.url}/workbench`);
  });
  await olga.locator("#given-done").click();
  key = await task("make a key", 1, async () => {
    await olga.locator("#key [name=name]").fill("a copy");
    await click(olga.locator("#key-go"));
    return olga.locator("#given code").first().textContent();
  });
  await olga.locator("#given-done").click();
  await until(async () => (await told("tour/reference")).status === 200, "the key works");
});

/** In the page: what it was told of lists. */
function keepAnswers() {
  const { json } = Response.prototype;
  window.told = [];
  Response.prototype.json = async function () {
    const body = await json.call(this);
    if (/curate\/load\?/.test(this.url) && body.data) window.told.push(body.data);
    return body;
  };
}

/** The list is chosen, read as `l` says, and loaded. @returns { looked, loaded }: the last answers */
async function load(code, file, { encoding, maps, tick, kind } = {}) {
  const last = () => mira.evaluate(() => window.told.at(-1));
  await to(mira, `/suppliers?adapter_id=${ids.get(code)}`, ".item.now");
  if (kind) await pick(mira.locator("#kind"), kind);
  await choose(mira.locator("#file"), file);
  await calm(mira);
  if (encoding && !await last()) await pick(mira.locator("#encoding"), encoding);
  await calm(mira);
  for (const [field, column] of maps ?? []) await pick(mira.locator(`#column-${field}`), column);
  if (maps?.length) await click(mira.getByRole("button", { name: "Look again" }));
  await calm(mira);
  if (tick) { steps++; await mira.locator(tick).check() }
  await calm(mira);
  await mira.locator("#go:not([disabled])").waitFor();
  const looked = await last();
  await click(mira.locator("#go"));
  await said(mira, "Loaded for");
  await calm(mira);
  const loaded = await last();
  assert.ok(!looked.applied && loaded.applied, code);
  const what = ({ applied: _, batch: __, sheets, ...rest }) => ({ ...rest, sheets: sheets.filter(s => s.read) }); // others are counted by a look only
  assert.deepEqual(what(looked), what(loaded), `${code}: what is looked at is what is loaded`);
  return { looked, loaded };
}

const kindOf = (t, kind = "hotel") => t.kinds.find(k => k.kind === kind);

test("lists of every format are looked at, loaded and matched", async () => {
  for (const l of lists) {
    const more = (l.encoding ? 1 : 0) + (l.maps.length ? l.maps.length + 1 : 0) + (l.name === KEEPER ? 1 : 0);
    const name = more ? "load a list whose columns or encoding have to be named" : "load a list of a new supplier";
    const { loaded } = await task(name, 2 + more, () => load(l.name, l.files[0], { ...l, tick: l.name === KEEPER ? "#complete" : null }));
    assert.equal(kindOf(loaded).new, houses.length, l.name);
  }
  await matched();
  for (const l of lists) {
    const found = await until(async () => { const all = await exported(l.name); return all.filter(r => r.to).length >= 54 && all }, `${l.name} is mapped`);
    assert.equal(found.length, houses.length);
    for (const r of found) assert.ok(!r.to || r.to === Number(r.id), `${l.name}: ${r.id} is mapped to ${r.to}`);
    const some = found.slice(0, 5);
    assert.deepEqual(await translated(l.name, "hotel", some.map(r => r.id)), some.map(r => r.to));
  }
});

test("a week later they are read as remembered: what is new, changed, gone and bad is told and done", async () => {
  let bad = 0;
  for (const l of lists) {
    const { looked } = await task("load the list of the next week", l.name === KEEPER ? 3 : 2,
      () => load(l.name, l.files[1], { tick: l.name === KEEPER ? "#accept_rejected" : null }));
    assert.deepEqual([kindOf(looked).new, kindOf(looked).gone], [1, l.name === KEEPER ? 1 : 0], l.name);
    assert.ok(kindOf(looked).changed >= 1 && looked.news.length > 0, l.name);
    bad += looked.rejected > 0;
    const all = await until(async () => { const list = await exported(l.name); return list.some(r => Number(r.id) === 999) && list }, "it is published");
    assert.match(all.find(r => Number(r.id) === 101).name, /Quite Another/i);
    assert.equal(all.some(r => Number(r.id) === 105), l.name !== KEEPER);
  }
  assert.ok(bad >= 5, `${bad} lists had a bad row`);
  const { files, name } = lists.find(l => l.encoding);
  const text = execFileSync(process.env.DRG_BIN, ["load", name, files[1], "--dry-run", "--data", server.data], { stdio: ["ignore", "pipe", "ignore"] });
  assert.match(text.toString(), /hotel +0 new +0 changed/); // the command line remembers the same
});

/* ---- the queue ---- */

const file = (name, rows) => { const where = path.join(folder, name); fs.writeFileSync(where, rows.map(row => row.join(";")).join("\n")); return where };
const ISO = { 1: "TR", 2: "CZ", 3: "AE", 4: "RU", 5: "HK" };
const hard = (n, ...more) => [["Code", "Hotel Name", "Country", "City", "Category", "Latitude", "Longitude"],
  ...houses.slice(0, n).map(h => [`v${h.id}`, h.name, ISO[h.country_id], "", `${h.hotel_category_id}*`, h.lat + 0.02, h.lng]), ...more];
const rowOf = id => mira.locator(`.row[data-key$="/hotel/${id}"]`);
const caseOf = (code, id) => asked(mira, `v1/curate/case?adapter_id=${ids.get(code)}&kind=hotel&id=${id}`);

/** The case is shown, and calm. A click at a list that has just moved chooses nothing. */
const at = id => until(async () => {
  await settled(mira);
  await rowOf(id).click();
  await settled(mira);
  return await mira.evaluate(() => document.querySelector("#case .side code")?.textContent) === id;
}, `the case ${id} is shown`);

test("cases that people decide: accepted, found by a search, made new, refused, taken back, alike, many at once", async () => {
  await load(HARD[0], file("dawn.csv", hard(12, ["n1", "Xyzzy Plugh", "TR", "Side", "4*", 36.9, 31], ["n2", "Quux Frob", "TR", "Side", "4*", 36.95, 31.05])));
  await load(HARD[1], file("dusk.csv", hard(2)));
  await matched();
  await until(async () => (await asked(mira, `v1/curate/queue?adapter_id=${ids.get(HARD[1])}&kind=hotel`)).items.length === 2, "they wait for people");
  await to(mira, `?adapter_id=${ids.get(HARD[0])}&kind=hotel`, ".row.now");
  const [a, b, c, d] = houses.slice(2, 6).map(h => h.id), is = async id => (await translated(HARD[0], "hotel", [id]))[0];
  await at(`v${a}`);
  await task("accept a suggestion", 1, () => key_(mira, "1").then(() => said(mira, "Decided: mapped")));
  assert.equal(await is(`v${a}`), a);
  await settled(mira);
  await task("take a decision back", 1, () => key_(mira, "u").then(() => said(mira, "Undone: mapped")));
  assert.equal(await is(`v${a}`), null);
  await at(`v${b}`);
  await task("say that it is not the same", 1, () => key_(mira, "x").then(() => said(mira, "not the same")));
  assert.deepEqual((await caseOf(HARD[0], `v${b}`)).not_same.map(n => n.dict_id), [b]);
  await at("n2");
  await task("map by a search", 2, async () => {
    await key_(mira, "/");
    await mira.keyboard.type(houses[6].name);
    await mira.locator("#find-list li", { hasText: houses[6].name }).first().waitFor();
    await canChoose(mira, "#find-list");
    await key_(mira, "Enter");
    await said(mira, "Decided: mapped");
  });
  assert.equal(await is("n2"), houses[6].id);
  await at("n1");
  await task("make a new record", 1, () => key_(mira, "n").then(() => said(mira, "Decided: new in the reference")));
  const made = await is("n1");
  assert.ok(made && !houses.some(h => h.id === made));
  await at(`v${houses[0].id}`);
  await task("decide what is called the same", 1, () => key_(mira, "c").then(() => said(mira, "2 decided")));
  for (const code of HARD) assert.deepEqual(await translated(code, "hotel", [`v${houses[0].id}`]), [houses[0].id]);
  await pick(mira.locator("#filters [name=above]"), "0.75");
  await mira.waitForURL(/above=0.75/);
  await settled(mira);
  const n = await task("accept all above a bound, after a look at ten", 2, async () => {
    await click(mira.locator("#accept-all"));
    await mira.locator("#accept-go:not([disabled])").waitFor();
    assert.ok(await mira.locator("#accept-sample li").count() > 0);
    await click(mira.locator("#accept-go"));
    await said(mira, "accepted, batch");
    return Number(/^(\d+) accepted/.exec(await mira.locator("#said").textContent())[1]);
  });
  assert.ok(n >= 5, `${n} accepted`);
  assert.deepEqual(await translated(HARD[0], "hotel", [`v${c}`, `v${d}`]), [c, d]);
  await task("take all of them back", 1, () => key_(mira, "u").then(() => said(mira, "Undone")));
  await becomes(HARD[0], "hotel", { [`v${c}`]: null, [`v${d}`]: null });
});

/* ---- now and then ---- */

test("records go into a spreadsheet and come back; what is refused is named", async () => {
  await to(mira, `/suppliers?adapter_id=${ids.get(HARD[0])}`, ".item.now");
  const [c, d] = houses.slice(4, 6).map(h => h.id), out = path.join(folder, "dawn.xlsx");
  await task("records as a workbook", 1, async () => {
    const [download] = await Promise.all([mira.waitForEvent("download"), click(mira.getByRole("link", { name: "Download as XLSX" }))]);
    await download.saveAs(out);
  });
  const fill = "import sys, openpyxl; b = openpyxl.load_workbook(sys.argv[1]); s = b.active; head = [x.value for x in s[1]]; to = dict(p.split('=') for p in sys.argv[2:])\n"
    + "for row in s.iter_rows(min_row=2):\n  at = {h: x for h, x in zip(head, row)}\n  if at['id'].value in to: at['dict_id'].value = to[at['id'].value]\nb.save(sys.argv[1])";
  execFileSync("/usr/bin/python3", ["-c", fill, out, `v${c}=${c}`, `v${d}=987654`]);
  await to(mira, "/tasks", "#take");
  await task("take a spreadsheet back", 2, async () => {
    await choose(mira.locator("#take-file"), out);
    await mira.locator("#taken", { hasText: "1 mapped, " }).waitFor();
    assert.match(await mira.locator("#taken tbody").textContent(), /there is no such record/);
    await click(mira.locator("#take-go"));
    await mira.locator("#taken h3", { hasText: "What it did" }).waitFor();
  });
  await becomes(HARD[0], "hotel", { [`v${c}`]: c, [`v${d}`]: null });
});

test("a sample of the matcher is drawn and judged; how good it is, by month too, stands there", async () => {
  await to(mira, "/tasks", "#draw");
  await task("draw a sample", 1, () => click(mira.locator("#draw button")).then(() => mira.locator("#sample .pair").waitFor()));
  for (let i = 1; i <= 5; i++) {
    await task("judge one", 1, () => key_(mira, "y"));
    await mira.locator("#sample .number", { hasText: `${i + 1} of` }).waitFor();
  }
  await to(mira, "/tasks", "#precision table");
  assert.deepEqual((await mira.locator("#precision tbody tr", { hasText: "All" }).locator("td").allTextContents()).slice(1, 3), ["5", "5"]);
  assert.ok(Number((await mira.locator("#months tbody tr", { hasText: "Hotel" }).first().locator("td").nth(2).textContent()).replaceAll(",", "")) >= 54 * lists.length);
  await to(mira, `/suppliers?adapter_id=${ids.get(lists[0].name)}`, "#months button");
  await task("what was matched by month", 1, () => click(mira.locator("#months button")).then(() => mira.locator("#months table").waitFor()));
});

test("lists of codes are loaded and matched", async () => {
  const code = HARD[1];
  for (const [kind, rows] of Object.entries(CODES)) {
    const { loaded } = await task("load a list of codes", 3, () => load(code, file(`${kind}.csv`, rows), { kind }));
    assert.equal(kindOf(loaded, kind).new, 2, kind);
  }
  await matched();
  const of = (kind, ...list) => until(async () => { const found = await translated(code, kind, list); return found.every(Boolean) && found }, `${kind} is mapped`);
  assert.deepEqual(await of("currency", "E", "T"), [1, 2]);
  assert.deepEqual(await of("hotel_category", "c5", "c4"), [5, 4]);
  assert.equal((await of("city", "s1")).length, 1);
});

test("a batch is taken back, and a list though the matcher has mapped it", async () => {
  const mapped = `v${houses[4].id}`, row = mira.locator("#batches tbody tr", { hasText: "dawn.xlsx" });
  await to(mira, `/suppliers?adapter_id=${ids.get(HARD[0])}`, "#batches tbody tr");
  await task("take a batch back", 2, async () => {
    await click(row.getByRole("button", { name: "Undo" }));
    await mira.keyboard.type("of last year");
    await click(row.getByRole("button", { name: "Undo it" }));
    await said(mira, "is undone");
  });
  await becomes(HARD[0], "hotel", { [mapped]: null });
  await row.filter({ hasText: "undone" }).waitFor();
  await to(mira, `/suppliers?adapter_id=${ids.get(HARD[1])}`, "#batches tbody tr");
  await click(mira.locator("#batches tbody tr", { hasText: "city.csv" }).getByRole("button", { name: "Undo" }));
  await mira.keyboard.press("Enter");
  await said(mira, "3 records removed, 0 as before."); // and its columns
  await becomes(HARD[1], "city", { s1: null, p1: null });
});

test("keys are limited, rotated and revoked; an airport that was asked for is mapped; somebody leaves", async t => {
  await to(olga, "/access", "#keys tr");
  await olga.locator("#key [name=secret]").check();
  await olga.locator("#key [name=name]").fill("shop");
  await click(olga.locator("#key-go"));
  await olga.locator("#given:not([hidden])").waitFor();
  const [shop, secret] = await olga.locator("#given code").allTextContents();
  await olga.locator("#given-done").click();
  const ask = (text, body) => fetch(`${server.url}/v1/avia/compared`, { method: "POST", body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", "X-Service-Api-Key": text, "X-Service-Api-Secret": secret } });
  const report = { adapter_id: 922, lang_code: "en", external_id: "X-1", title: "John F. Kenedy Intl (NY)" };
  await until(async () => (await ask(shop, report)).ok, "the key works");
  await until(async () => (await asked(mira, "v1/curate/air")).items.length > 0, "it is reported");
  await to(mira, "/air", ".place");
  await task("map an airport", 1, () => key_(mira, "1").then(() => said(mira, "")));
  await until(async () => (await (await ask(shop, report)).json()).data, "it is answered");
  const line = olga.locator("#keys tbody tr").filter({ hasText: "shop" });
  await task("limit a key", 2, async () => {
    await click(line.getByRole("button", { name: "Change" }));
    await olga.locator("#key [name=requests_per_second]").fill("50");
    await click(olga.locator("#key-go"));
    await said(olga, "shop is changed");
  });
  const copy = olga.locator("#keys tbody tr").filter({ hasText: "a copy" }), before = key;
  await task("rotate a key", 2, async () => {
    await click(copy.getByRole("button", { name: "Rotate" }));
    await click(copy.getByRole("button", { name: "Rotate it" }));
    key = await olga.locator("#given code").first().textContent();
  });
  await olga.locator("#given-done").click();
  await until(async () => (await told("tour/reference")).status === 200, "the new text works");
  await until(async () => (await fetch(`${server.url}/v1/tour/reference`, { headers: { "X-Service-Api-Key": before } })).status !== 200, "the old one does not");
  await task("revoke a key", 2, async () => {
    await click(copy.getByRole("button", { name: "Revoke" }));
    await click(copy.getByRole("button", { name: "Revoke it" }));
    await said(olga, "a copy is revoked");
  });
  await until(async () => (await told("tour/reference")).status !== 200, "it works no more");
  await task("disable a person", 1, () => click(olga.locator("#people tr[data-name=mira]").getByRole("button", { name: "Disable" })).then(() => said(olga, "mira may sign in no more")));
  await mira.reload();
  await mira.waitForURL(/sign-in/);
  t.diagnostic(`steps: ${taken.map(([name, n]) => `${name} ${n}`).join(", ")}`);
});
