// Names of the reference, changed in their place by keyboard; who was slower, a viewer, what is refused; and all of it in the history.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch } from "../lib/browser.js";
import { desk, openAt } from "../lib/desk.js";
import { late } from "../lib/late.js";
import { RECORDS, SCRIPT } from "../lib/small.js";

let browser, server;
before(async () => { server = await desk(RECORDS); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const at = (name, path, options) => openAt(browser, server.url, name, path, options);

const said = (page, text) => page.waitForFunction(text => document.querySelector("#said").textContent.includes(text), text)
  .catch(async () => assert.fail(`expected "${text}", found "${await page.locator("#said").textContent()}"`));
const title = (page, text) => page.locator("#one:not([aria-busy=true]) h2", { hasText: text }).waitFor();
const known = (page, kind, id) => page.evaluate(([kind, id]) => fetch(`../v1/curate/reference?kind=${kind}&id=${id}`).then(a => a.json()).then(a => a.data), [kind, id]);
const names = async (page, kind, id) => { const { name } = (await known(page, kind, id)).record; return typeof name === "string" ? { en: name } : name };
const focused = (page, label) => page.waitForFunction(label => document.activeElement.getAttribute("aria-label") === label, label);

/** Names as somebody else who works at the same time. */
const named = (page, decision) => page.evaluate(async decision => {
  const { csrf } = (await (await fetch("../v1/session")).json()).data;
  const answer = await fetch("../v1/curate/decide", { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf }, body: JSON.stringify({ decisions: [{ decide: "name", ...decision }] }) });
  return (await answer.json()).data.items[0];
}, decision);

async function opened(page, path) {
  await page.locator("#case").focus();
  await page.keyboard.press(path);
}

test("by keyboard: a name is changed, taken back, removed, and a language is added", async () => {
  const page = await at("anna", "workbench/reference?record=country/1");
  await title(page, "Turkey");
  await opened(page, "e");
  await focused(page, "Name in German");
  assert.equal(await page.evaluate(() => document.activeElement.value), "Türkei");
  await page.keyboard.type("Republik Türkei");
  await accessible(page, "a name is changed");
  await page.keyboard.press("Enter");
  await said(page, "Saved in German. Press u to undo.");
  assert.equal((await names(page, "country", 1)).de, "Republik Türkei");
  await focused(page, "Change the name in German");

  await page.keyboard.press("u");
  await said(page, "Undone: the name in German is again what it was.");
  assert.equal((await names(page, "country", 1)).de, "Türkei");
  await page.keyboard.press("u");
  await said(page, "nothing of yours");

  await page.keyboard.press("a");
  await focused(page, "Language, such as uk or pt-br");
  await page.keyboard.type("FR");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Turquie");
  await page.keyboard.press("Enter");
  await said(page, "Saved in French");
  await focused(page, "Change the name in French");
  assert.equal((await names(page, "country", 1)).fr, "Turquie");

  await page.keyboard.press("e"); // that which has the focus
  await focused(page, "Name in French");
  await page.getByRole("button", { name: "Remove" }).focus();
  await page.keyboard.press("Enter");
  await said(page, "The name in French was removed");
  assert.equal((await names(page, "country", 1)).fr, undefined);
  await page.keyboard.press("u");
  await said(page, "Undone: the name in French");
  assert.equal((await names(page, "country", 1)).fr, "Turquie");
  await page.close();
});

test("Escape leaves it, what is refused is said and can be mended, a language that is there is changed", async () => {
  const page = await at("anna", "workbench/reference?record=country/1"), before = await (await title(page, "Turkey"), names(page, "country", 1));
  await opened(page, "e");
  await focused(page, "Name in German");
  await page.keyboard.type("Something else");
  await page.keyboard.press("Escape");
  await focused(page, "Change the name in German");
  await page.keyboard.press("e");
  await focused(page, "Name in German");
  assert.equal(await page.evaluate(() => document.activeElement.value), "Türkei");
  await page.locator(".naming input").fill("");
  await page.keyboard.press("Enter");
  await said(page, "The name is empty");
  await page.keyboard.press("Escape");
  await page.keyboard.press("a");
  await page.keyboard.type("not a language!");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Name");
  await page.keyboard.press("Enter");
  await said(page, "language tag");
  await focused(page, "Name in it");
  await page.locator(".adding input").first().fill("de");
  await page.locator(".adding input").last().press("Enter");
  await said(page, "There is a name in German already");
  await focused(page, "Name in German");
  assert.deepEqual(await names(page, "country", 1), before);
  await page.close();
});

test("who was slower sees the record as it is now, and what was typed is still there", async () => {
  const page = await at("anna", "workbench/reference?record=hotel/103"), boris = await at("boris", "workbench/reference?record=hotel/103");
  await title(page, "Blue Lagoon");
  await opened(page, "e");
  await focused(page, "Name in English");
  await page.keyboard.type("Blue Lagoon Deluxe");
  const { version } = await known(boris, "hotel", 103);
  assert.equal((await named(boris, { kind: "hotel", dict_id: 103, lang: "en", name: "Blue Lagoon Inn", version })).result, "done");
  await page.keyboard.press("Enter");
  await said(page, "It is shown as it is now");
  await title(page, "Blue Lagoon Inn");
  await page.waitForFunction(() => document.activeElement.value === "Blue Lagoon Deluxe");
  await page.keyboard.press("Enter");
  await said(page, "Saved in English");
  assert.equal((await names(page, "hotel", 103)).en, "Blue Lagoon Deluxe");
  const mine = await known(boris, "hotel", 103);
  assert.equal((await named(boris, { kind: "hotel", dict_id: 103, lang: "en", name: "Blue Lagoon", version: mine.version })).result, "done");
  await page.keyboard.press("u"); // of what is not so any more
  await page.locator("#said.bad").waitFor();
  assert.equal((await names(page, "hotel", 103)).en, "Blue Lagoon");
  await boris.close();
  await page.close();
});

test("an answer that is late neither moves the focus nor shows its record over another", async () => {
  const page = await at("anna", "workbench/reference?record=hotel/104");
  await title(page, "Quiet Garden");
  const answer = await late(page, "**/v1/curate/decide");
  await opened(page, "e");
  await focused(page, "Name in English");
  await page.keyboard.type("Quiet Garden Hotel");
  await page.keyboard.press("Enter");
  await answer.asked;
  await page.keyboard.press("/");
  await page.keyboard.type("sunny");
  const saved = page.evaluate(() => new Promise(on => { // what is typed is asked for in a moment, and then nothing is said any more
    new MutationObserver(() => document.querySelector("#said").textContent.includes("Saved in English") && on())
      .observe(document.querySelector("#said"), { childList: true });
  }));
  answer.go();
  await saved;
  assert.equal(await page.evaluate(() => document.activeElement.name), "q");
  assert.equal(await page.locator("[name=q]").inputValue(), "sunny");
  await title(page, "Quiet Garden Hotel");
  await page.close();
});

test("a viewer changes no name, and a name with script in it is a name", async () => {
  const vera = await at("vera", "workbench/reference?record=hotel/101");
  await title(vera, "Sunny Palace");
  assert.equal(await vera.locator(".names button, .names-box button").count(), 0);
  for (const key of ["e", "a"]) {
    await opened(vera, key);
    await said(vera, "Your role is viewer");
  }
  const { version } = await known(vera, "hotel", 101);
  const refused = await vera.evaluate(async version => {
    const { csrf } = (await (await fetch("../v1/session")).json()).data;
    return (await fetch("../v1/curate/decide", { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
      body: JSON.stringify({ decisions: [{ decide: "name", kind: "hotel", dict_id: 101, lang: "en", name: "Mine", version }] }) })).status;
  }, version);
  assert.equal(refused, 403);
  await vera.close();
  const page = await at("anna", "workbench/reference?record=hotel/101");
  await title(page, "Sunny Palace");
  await opened(page, "a");
  await page.keyboard.type("uk");
  await page.keyboard.press("Tab");
  await page.keyboard.type(SCRIPT);
  await page.keyboard.press("Enter");
  await said(page, "Saved in Ukrainian");
  await page.locator(".names td", { hasText: SCRIPT }).waitFor();
  await page.goto(`${server.url}/workbench/history`);
  await page.locator("#events .event", { hasText: SCRIPT }).first().waitFor();
  assert.equal(await page.locator("main img").count(), 0);
  await page.close(); // a dialog would be told here
});

test("the history has names, merges and splits with what they are called, and takes back", async () => {
  const page = await at("boris", "workbench/history");
  const one = await known(page, "hotel", 105), other = await known(page, "hotel", 106);
  const decide = decision => page.evaluate(async decision => {
    const { csrf } = (await (await fetch("../v1/session")).json()).data;
    const answer = await fetch("../v1/curate/decide", { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf }, body: JSON.stringify({ decisions: [decision] }) });
    return (await answer.json()).data.items[0];
  }, decision);
  assert.equal((await decide({ decide: "merge", kind: "hotel", dict_id: 106, version: other.version, into: 105, into_version: one.version, why: "one house" })).result, "done");
  const { version } = await known(page, "hotel", 105), was = (await names(page, "hotel", 105)).en;
  assert.equal((await decide({ decide: "name", kind: "hotel", dict_id: 105, lang: "en", name: "Twin House Hotel", version })).result, "done");
  await page.reload();
  const line = text => page.locator("#events .event", { hasText: text });
  await line("was merged into").waitFor();
  assert.match(await line("was merged into").textContent(), new RegExp(`hotel ${other.name} 106 was merged into ${one.name} 105.*merged, boris.*one house`, "s"));
  assert.match(await line("name in English").first().textContent(), new RegExp(`Twin House Hotel 105, name in English: ${was} → Twin House Hotel`));
  await accessible(page, "history with names and merges");

  await line("name in English").first().focus();
  await page.keyboard.press("u");
  await said(page, "Undone: the name in English is again what it was.");
  assert.equal((await names(page, "hotel", 105)).en, was);
  await line("was merged into").focus();
  await page.keyboard.press("u");
  await said(page, "Undone: 106 is a record of its own again.");
  assert.equal((await known(page, "hotel", 106)).merged_into, null);

  await page.locator("[name=what]").selectOption("split");
  await line("was split off from").waitFor();
  assert.equal(await line("was split off from").locator("button").count(), 0, "a split has no button");
  await line("was split off from").focus();
  await page.keyboard.press("u");
  await said(page, "merge the two again");
  await page.locator("[name=what]").selectOption("name");
  await line("Twin House Hotel").first().waitFor();
  await line("→ Twin House Hotel").first().focus();
  await page.keyboard.press("u"); // it was taken back already
  await said(page, "There is a later decision");
  await page.close();
});

test("a supplier's records are downloaded", async () => {
  const page = await at("vera", "workbench/suppliers");
  for (const [label, ending] of [["Download as XLSX", /\.xlsx$/], ["as CSV", /\.csv$/]]) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: label }).click()]);
    assert.match(file.suggestedFilename(), ending);
    assert.equal(await file.failure(), null);
  }
  await page.close();
});
