// Answers that come late, and what others do meanwhile: no key means something else than what could be seen, and nobody's answer is taken back.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open } from "../lib/browser.js";
import { calm, canChoose, settled } from "../lib/calm.js";
import { caseShown, desk, openAt, openBench, signInTo } from "../lib/desk.js";
import { late } from "../lib/late.js";
import { RECORDS } from "../lib/small.js";

const MORE = Array.from({ length: 130 }, (_, i) => ({ type: "source", adapter_id: 3, kind: "hotel", id: `N-${i}`, name: `Sunny Nowhere ${i}`, country_id: "TR", city_id: "S", country_name: "Turkey", city_name: "Side" }));
let browser, server;
const GREECE = { type: "dict", kind: "country", id: 2, name: { en: "Greece" }, iso_alpha_2: "GR" };
before(async () => { server = await desk([...RECORDS, GREECE, ...MORE]); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const said = (page, text) => page.waitForFunction(text => document.querySelector("#said").textContent.includes(text), text)
  .catch(async () => assert.fail(`expected "${text}", found "${await page.locator("#said").textContent()}"`));

const signedIn = (name, to) => to === "workbench" ? openBench(browser, server.url, name) : openAt(browser, server.url, name, to);

const ask = (page, path, body) => page.evaluate(async ([path, body]) => {
  const { root } = await import(`${location.pathname.includes("workbench/") ? ".." : "."}/web/session.js`);
  const { csrf } = (await (await fetch(new URL("v1/session", root))).json()).data;
  const options = body && { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf }, body: JSON.stringify(body) };
  return (await (await fetch(new URL(path, root), options)).json()).data;
}, [path, body]);
const caseOf = (page, it) => ask(page, `v1/curate/case?${new URLSearchParams(it)}`);
const known = (page, id) => ask(page, `v1/curate/reference?kind=hotel&id=${id}`);
const N = i => ({ adapter_id: 3, kind: "hotel", id: `N-${i}` });
const map = async (page, it, dict_id) => (await ask(page, "v1/curate/decide", { decisions: [{ decide: "map", ...it, dict_id, version: (await caseOf(page, it)).version }] })).items[0];
const focus = page => page.evaluate(() => document.activeElement.id || document.activeElement.name || document.activeElement.className || document.activeElement.tagName);

/* ---- the history ---- */

test("history: an answer that comes late leaves the focus where it is, so u takes back what has it", async () => {
  const page = await signedIn("anna", "workbench/history");
  await map(page, N(1), 104);
  await map(page, N(2), 104);
  const batches = await late(page, "**/v1/curate/batches?*");
  await page.reload();
  await page.waitForFunction(() => document.activeElement.it?.id === "N-2"); // though the batches are not there
  await page.keyboard.press("j");
  assert.equal(await page.evaluate(() => document.activeElement.it.id), "N-1");
  batches.go();
  await page.locator("#batches .event").first().waitFor();
  await calm(page);
  assert.equal(await page.evaluate(() => document.activeElement.it?.id), "N-1");
  // And so does the answer of a decision that was taken back.
  const undone = await late(page, "**/v1/curate/decide");
  await page.keyboard.press("u");
  await undone.asked;
  await page.keyboard.press("k");
  undone.go();
  await said(page, "Undone");
  assert.equal(await page.evaluate(() => document.activeElement.it?.id), "N-2");
  assert.deepEqual([(await caseOf(page, N(1))).dict_id, (await caseOf(page, N(2))).dict_id], [null, 104]);
  await page.close();
});

/* ---- the reference ---- */

test("reference: Enter gives the focus to what was found only if nobody goes on writing", async () => {
  const page = await signedIn("anna", "workbench/reference");
  await page.locator("[name=q]").fill("sunny palace");
  await page.locator(".hit").nth(1).waitFor();
  const answer = await late(page, "**/v1/curate/search?*");
  await page.locator("[name=q]").fill("quiet");
  await page.keyboard.press("Enter");
  await answer.asked;
  await page.keyboard.type(" g");
  answer.go();
  await page.waitForURL(/q=quiet\+g/);
  await page.locator("#found[aria-busy=false] .hit", { hasText: "Quiet Garden" }).waitFor();
  await calm(page);
  assert.equal(await focus(page), "q");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.route("**/v1/curate/search?*", route => route.abort());
  await page.locator("[name=q]").fill("sunny");
  await page.keyboard.press("Enter");
  await said(page, "The server does not answer");
  assert.equal(await focus(page), "q"); // what stands there is not what was asked for
  await page.close();
});

test("reference: while another record is on its way, m merges nothing", async () => {
  const page = await signedIn("anna", "workbench/reference?q=sunny+palace&record=hotel/100");
  await page.locator("#one h2", { hasText: "Sunny Palace Resort" }).waitFor();
  const answer = await late(page, "**/v1/curate/reference?*", url => url.includes("id=101"));
  await page.locator(".hit", { hasText: "101" }).click();
  await answer.asked;
  await page.keyboard.press("m");
  await said(page, "still on its way");
  assert.equal(await page.locator(".merge").count(), 0);
  assert.equal(await page.locator("#one").getAttribute("aria-busy"), "true");
  answer.go();
  await page.waitForFunction(() => document.querySelector("#one .soft")?.textContent === "hotel 101");
  assert.equal(await page.locator("#one").getAttribute("aria-busy"), "false");
  await page.keyboard.press("m");
  await page.locator(".merge h2", { hasText: "101" }).waitFor();
  await page.close();
});

test("merge: what was chosen last is shown, however late the one before it comes", async () => {
  const page = await signedIn("anna", "workbench/reference?record=hotel/103");
  await page.locator("#one h2", { hasText: "Blue Lagoon" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("#case").focus();
  await page.keyboard.press("m");
  const choose = async text => {
    await page.locator("#into-input").fill(text);
    await page.locator("#into-list[aria-busy=false] [aria-selected=true]", { hasText: new RegExp(text, "i") }).waitFor();
    await page.keyboard.press("Enter");
  };
  const slow = await late(page, "**/v1/curate/reference?*", url => url.includes("id=104"));
  await choose("Quiet Garden");
  await slow.asked;
  await choose("Twin House");
  await page.locator(".both h3", { hasText: /twin house/i }).waitFor();
  const chosen = await page.locator(".both").textContent();
  slow.go();
  await calm(page);
  assert.equal(await page.locator(".both").textContent(), chosen);
  // While the next one is on its way there is nothing to merge.
  const next = await late(page, "**/v1/curate/reference?*", url => url.includes("id=101"));
  await choose("Sunny Palace");
  await next.asked;
  assert.equal(await page.locator(".both").count(), 0);
  next.go();
  // Escape closes the list, and not the panel with it.
  await page.locator(".both").waitFor();
  await page.locator("#into-input").fill("Quiet");
  await page.locator("#into-list [aria-selected=true]").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".merge").count(), 1);
  await page.close();
});

test("merge: a record that was opened by an id that leads to it can be merged at once", async () => {
  const page = await signedIn("anna", "workbench/reference");
  const [from, into] = [await known(page, 106), await known(page, 105)];
  const { items: [merged] } = await ask(page, "v1/curate/decide", { decisions: [{ decide: "merge", kind: "hotel", dict_id: 106, version: from.version, into: 105, into_version: into.version, why: "twice" }] });
  assert.equal(merged.result, "done");
  await page.goto(`${server.url}/workbench/reference?record=hotel/106`);
  await page.getByText("it was merged into 105").waitFor();
  await page.locator("#case").focus();
  await page.keyboard.press("m");
  await page.locator("#into-input").fill("quiet");
  await canChoose(page, "#into-list");
  // A key that comes with the list chooses nothing, nor does one that is held.
  await page.evaluate(() => document.querySelector("#into-list").setAttribute("aria-busy", "true"));
  await page.keyboard.down("Enter");
  await page.evaluate(() => document.querySelector("#into-list").setAttribute("aria-busy", "false"));
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await calm(page);
  assert.equal(await page.locator(".moves").count(), 0);
  await canChoose(page, "#into-list");
  await page.keyboard.press("Enter");
  await page.locator(".moves").waitFor();
  await page.waitForFunction(() => document.activeElement.closest(".reason input"));
  await page.keyboard.type("one house");
  await page.keyboard.press("Enter");
  await said(page, "Merged: 105 into 104");
  assert.equal((await known(page, 105)).merged_into, 104);
  await page.close();
});

/* ---- the queue ---- */

test("queue: what was so already is nothing of one's own to take back", async () => {
  const page = await signedIn("anna", "workbench"), boris = await signedIn("boris", "workbench");
  await page.route("**/v1/curate/changes?*", route => route.abort());
  await page.reload();
  await page.locator("#case .side").waitFor();
  const it = await caseShown(page), { candidates: [first] } = await caseOf(page, it);
  // Boris says the same, between the look of Anna and the arrival of her decision.
  await page.route("**/v1/curate/decide", async route => {
    const body = route.request().postDataJSON();
    assert.equal((await map(boris, { ...it, adapter_id: Number(it.adapter_id) }, body.decisions[0].dict_id)).result, "done");
    body.decisions[0].version = (await caseOf(boris, it)).version;
    await route.continue({ postData: JSON.stringify(body) });
  }, { times: 1 });
  assert.ok(first, "a case with a candidate");
  await page.keyboard.press("1");
  await said(page, "It was so already");
  await page.keyboard.press("u");
  await said(page, "nothing of yours");
  assert.equal((await caseOf(page, it)).dict_id, first.id);
  await boris.close();
  await page.close();
});

test("queue: a case that comes back while one has gone on is not put under the next key", async () => {
  const page = await signedIn("anna", "workbench"), it = await caseShown(page);
  await page.keyboard.press("1");
  await said(page, "Decided: mapped");
  const undone = await late(page, "**/v1/curate/decide");
  await page.keyboard.press("u");
  await undone.asked;
  const key = await page.locator(".row.now").getAttribute("data-key");
  await page.keyboard.press("j");
  await page.waitForFunction(key => document.querySelector(".row.now").dataset.key !== key, key);
  const now = await caseShown(page);
  undone.go();
  await said(page, "Undone");
  assert.deepEqual(await caseShown(page), now);
  assert.equal((await caseOf(page, it)).dict_id, null);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // Else it is shown, and no key decides it before it could be read.
  await settled(page);
  await page.keyboard.press("1");
  await said(page, "Decided: mapped");
  await page.evaluate(() => new MutationObserver((_, seen) => {
    if (!document.querySelector("#said").textContent.startsWith("Undone")) return;
    seen.disconnect();
    document.querySelector("#rows").dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
  }).observe(document.querySelector("#said"), { childList: true }));
  await page.keyboard.press("u");
  await said(page, "has just moved");
  assert.equal((await caseOf(page, now)).dict_id, null);
  await page.close();
});

test("queue: x again, after an answer, is about the candidate that had the focus and no other", async () => {
  const page = await signedIn("anna", "workbench");
  while (await page.locator(".candidate").count() < 2) {
    const key = await page.locator(".row.now").getAttribute("data-key");
    await page.keyboard.press("j");
    await page.waitForFunction(key => document.querySelector(".row.now").dataset.key !== key, key);
    await calm(page);
  }
  const it = await caseShown(page), second = Number(await page.locator(".candidate").nth(1).getAttribute("data-id") ?? /record (\d+)/.exec(await page.locator(".candidate").nth(1).textContent())[1]);
  await page.locator(".candidate").nth(1).focus();
  await page.keyboard.press("x");
  await said(page, "not the same");
  // It has the focus still, or is no candidate any more, and another one is not meant.
  await page.waitForFunction(id => {
    const box = document.activeElement.closest(".candidate");
    return box ? box.textContent.includes(`record ${id} `) || box.textContent.includes("as was said") : document.activeElement.id === "case";
  }, second);
  await page.keyboard.press("x");
  await page.waitForFunction(() => /so already|no longer among/.test(document.querySelector("#said").textContent));
  assert.deepEqual((await caseOf(page, it)).not_same.map(n => n.dict_id), [second]);
  await page.close();
});

test("queue: a new sign-in in another window is the same person, and another person is another page", async () => {
  const page = await open(browser, `${server.url}/sign-in`); // a session of its own, which ends
  await signInTo(page, server.url, "anna", "workbench");
  await page.locator("#case .side").waitFor();
  const again = name => page.evaluate(name => fetch("v1/session", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name, password: "a long password" }) }).then(a => a.status), name);
  assert.equal(await again("anna"), 200);
  await settled(page); // what has come by itself could be seen: a key decides
  const it = await caseShown(page);
  await page.keyboard.press("x");
  await said(page, "Decided: not the same");
  assert.equal((await caseOf(page, it)).not_same.at(-1).by, "anna");
  const next = await caseShown(page);
  await settled(page); // what the page sends as anna would be refused from then on, and the page begun anew
  const before = (await caseOf(page, next)).not_same.length;
  assert.equal(await again("boris"), 200);
  await page.keyboard.press("n");
  await page.locator("#who", { hasText: "boris" }).waitFor();
  assert.deepEqual([(await caseOf(page, next)).dict_id, (await caseOf(page, next)).not_same.length], [null, before]);
  await page.close();
});

/** Maps the case that is shown to its first candidate, and waits for the next. */
async function accepted(page) {
  const it = await caseShown(page), key = `${it.adapter_id}/${it.kind}/${it.id}`;
  await page.locator(".candidate").first().waitFor();
  await page.keyboard.press("1");
  await said(page, "Decided: mapped");
  await page.waitForFunction(key => {
    const now = document.querySelector(".row.now")?.dataset.key;
    return now !== key && now.endsWith(`/${document.querySelector("#case .side code")?.textContent}`);
  }, key);
  return it;
}

const refusing = (status, reason) => route => route.fulfill({ status, contentType: "application/json", body: JSON.stringify({ error: { reason, message: `no: ${reason}` } }) });
const isMapped = async (page, it) => (await caseOf(page, it)).dict_id !== null;

test("queue: an undo that was refused is not tried again, one that nobody answered is", async () => {
  const page = await signedIn("anna", "workbench");
  const first = await accepted(page);
  await settled(page);
  await page.evaluate(() => { document.querySelector("#said").textContent = "" });
  const second = await accepted(page);
  await page.route("**/v1/curate/decide", refusing(503, "store_away"), { times: 1 });
  await page.keyboard.press("u");
  await said(page, "no: store_away");
  await page.keyboard.press("u");
  await said(page, "Undone: mapped");
  assert.deepEqual([await isMapped(page, first), await isMapped(page, second)], [true, false]);
  await settled(page);
  const third = await accepted(page);
  await page.route("**/v1/curate/decide", refusing(422, "not_processable"), { times: 1 });
  await page.keyboard.press("u");
  await said(page, "no: not_processable");
  await page.keyboard.press("u");
  await said(page, "Undone: mapped");
  assert.deepEqual([await isMapped(page, first), await isMapped(page, third)], [false, true]);
  await page.close();
});

test("queue: what was taken back is not taken back again because its case could not be fetched", async () => {
  const page = await signedIn("anna", "workbench"), it = await accepted(page);
  let undone = 0;
  page.on("request", request => { undone += request.url().endsWith("/decide") });
  const fails = route => route.abort();
  await page.route("**/v1/curate/case?*", fails);
  await page.keyboard.press("u");
  await page.locator("#case h2", { hasText: "This case could not be fetched" }).waitFor();
  assert.deepEqual(await caseShown(page), it);
  await page.unroute("**/v1/curate/case?*", fails);
  await page.keyboard.press("u");
  await said(page, "nothing of yours");
  assert.equal(undone, 1);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator("#case .side").waitFor();
  assert.equal(await isMapped(page, it), false);
  await page.close();
});

test("queue: a decision that could not be sent comes back, and that is said until something is answered", async () => {
  const page = await signedIn("anna", "workbench"), it = await caseShown(page);
  await calm(page); // the next ones are there
  await page.route("**/v1/curate/{decide,case?*}", route => route.abort());
  await page.keyboard.press("n");
  await said(page, "The server does not answer");
  assert.deepEqual(await caseShown(page), it);
  await calm(page);
  await said(page, "The server does not answer");
  await page.close();
});

test("queue: a country that was found late is not in force where another was chosen meanwhile", async () => {
  const page = await signedIn("anna", "workbench");
  const answer = await late(page, "**/v1/curate/search?*", url => url.includes("Turkey"));
  const choose = async text => {
    await page.locator("#country").fill(text);
    await page.keyboard.press("Enter");
  };
  await choose("Turkey");
  await answer.asked;
  await choose("Greece");
  await page.waitForURL(/country_id=2/);
  answer.go();
  await calm(page);
  assert.deepEqual([new URL(page.url()).search, await page.locator("#country").inputValue()], ["?country_id=2", "Greece"]);
  await page.locator("[name=kind]").selectOption("hotel");
  await page.waitForURL(/kind=hotel/);
  assert.equal(new URL(page.url()).searchParams.get("country_id"), "2");
  await page.close();
});
