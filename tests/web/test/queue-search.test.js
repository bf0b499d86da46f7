// In the queue: a search of the reference for the case that is shown, and filters that are kept under a name.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch, open } from "../lib/browser.js";
import { calm, canChoose } from "../lib/calm.js";
import { atCase, caseShown, desk, openBench, signInTo, told } from "../lib/desk.js";
import { late } from "../lib/late.js";
import { RECORDS, SCRIPT } from "../lib/small.js";

const MORE = Array.from({ length: 5 }, (_, i) => ({ type: "source", adapter_id: 3, kind: "hotel", id: `N-${i}`, name: `Nowhere ${i}`, country_name: "Turkey", city_name: "Side" }));
let browser, server;
before(async () => { server = await desk([...RECORDS, ...MORE]); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const bench = (name, options) => openBench(browser, server.url, name, options);

const said = (page, text) => page.waitForFunction(text => document.querySelector("#said").textContent.includes(text), text)
  .catch(async () => assert.fail(`expected "${text}", found "${await page.locator("#said").textContent()}"`));
const count = async page => Number(/^\d+/.exec(await page.locator("#count").textContent())[0]);

/** Writes it into the search, and waits until what was found could be read. */
async function look(page, text) {
  await page.keyboard.press("/");
  await page.waitForFunction(() => document.activeElement.id === "find-input");
  await page.keyboard.type(text);
  await canChoose(page, "#find-list");
}

test("by keyboard alone: the case is mapped to what was found, and that is taken back", async () => {
  const page = await bench("anna"), it = await caseShown(page), there = await count(page);
  await look(page, "quiet");
  await page.keyboard.press("Enter");
  await said(page, "Decided: mapped");
  const { dict_id, history } = await told(page, it);
  assert.deepEqual([dict_id, history.at(-1).by], [104, "anna"]);
  assert.equal(await count(page), there - 1);
  assert.equal(await page.locator("#find-input").inputValue(), "");
  assert.notDeepEqual(await caseShown(page), it);
  await page.keyboard.press("u");
  await said(page, "Undone");
  assert.equal((await told(page, it)).dict_id, null);
  await page.close();
});

test("Escape leaves the search, and the keys of the queue are back; names with script in them are names", async () => {
  const page = await bench("anna"), it = await caseShown(page);
  await look(page, "<img");
  await page.locator("#find-list li", { hasText: SCRIPT }).waitFor();
  assert.equal(await page.locator("main img").count(), 0);
  await accessible(page, "the search of the queue");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#find-list").isVisible(), false);
  await page.keyboard.press("j");
  await page.waitForFunction(id => document.querySelector(".row.now").dataset.key !== id, `${it.adapter_id}/${it.kind}/${it.id}`);
  assert.equal((await told(page, it)).dict_id, null);
  await page.keyboard.press("/");
  await page.keyboard.type("zzzz");
  await page.getByText("Nothing in the reference is called so").waitFor();
  await page.keyboard.press("Enter");
  await calm(page);
  assert.equal((await told(page, await caseShown(page))).dict_id, null);
  await page.close();
});

test("Enter decides only what could be seen", async () => {
  const page = await bench("anna"), it = await caseShown(page);
  await look(page, "qui");
  // The next answer is slow: what stands there is what was found for fewer letters.
  await late(page, "**/v1/curate/search?*");
  await page.keyboard.type("et");
  await page.keyboard.press("Enter");
  await said(page, "Look again");
  assert.equal((await told(page, it)).dict_id, null);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.keyboard.press("Escape");

  // The case goes while somebody searches for it: what was found was for that one.
  const boris = await bench("boris");
  await page.reload();
  await page.locator("#case .side").waitFor();
  const shown = await caseShown(page);
  await look(page, "quiet");
  await boris.locator(`.row[data-key="${shown.adapter_id}/${shown.kind}/${shown.id}"]`).click();
  await boris.waitForFunction(key => document.querySelector(".row.now").dataset.key === key, `${shown.adapter_id}/${shown.kind}/${shown.id}`);
  await boris.locator("#case .side h2", { hasText: (await told(boris, shown)).record.name }).waitFor();
  await look(boris, "blue");
  await boris.keyboard.press("Enter");
  await said(boris, "Decided: mapped");
  await page.waitForFunction(key => document.querySelector(".row.now")?.dataset.key !== key, `${shown.adapter_id}/${shown.kind}/${shown.id}`);
  await page.locator("#case .side").waitFor();
  await page.keyboard.press("Enter");
  await calm(page);
  assert.equal((await told(page, await caseShown(page))).dict_id, null);
  assert.equal((await told(page, shown)).dict_id, 103);
  await boris.close();
  await page.close();
});

test("a case that somebody else has decided is a conflict, and keeps their answer", async () => {
  const page = await bench("anna"), it = await caseShown(page);
  await page.route("**/v1/curate/decide", async route => {
    const known = await told(page, it);
    const answer = await fetch(`${server.url}/v1/curate/decide`, { method: "POST", headers: { ...route.request().headers(), cookie: (await page.context().cookies()).map(c => `${c.name}=${c.value}`).join("; "), "idempotency-key": "another" },
      body: JSON.stringify({ decisions: [{ ...it, adapter_id: Number(it.adapter_id), decide: "map", version: known.version, dict_id: 103 }] }) });
    assert.equal(answer.status, 200);
    await route.continue();
  }, { times: 1 });
  await look(page, "quiet");
  await page.keyboard.press("Enter");
  await page.locator("#said.bad").waitFor();
  assert.equal((await told(page, it)).dict_id, 103);
  await page.close();
});

test("a viewer has no search that decides", async () => {
  const page = await bench("vera");
  assert.equal(await page.locator("#find").isVisible(), false);
  await page.close();
});

test("by keyboard alone: filters are kept under a name, chosen again and deleted, for each person", async () => {
  const page = await open(browser, `${server.url}/sign-in`), signIn = name => signInTo(page, server.url, name, "workbench").then(() => atCase(page)); // sessions of its own, which end
  const signOut = async () => {
    await page.goto("about:blank"); // the workbench would go to the sign-in page itself
    const session = `${server.url}/v1/session`, { data } = await page.request.get(session).then(a => a.json());
    await page.request.delete(session, { headers: { "X-CSRF-Token": data.csrf } });
  };
  await signIn("anna");
  await page.locator("[name=kind]").selectOption("hotel");
  await page.locator("[name=adapter_id]").selectOption("3");
  await page.waitForURL(/adapter_id=3/);
  await page.locator("#view-keep").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.name === "view_name");
  await page.keyboard.type(SCRIPT);
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("[name=view]").inputValue(), SCRIPT);
  await page.goto(`${server.url}/workbench`);
  await page.locator(".row.now").waitFor();
  assert.equal(await page.locator("[name=view]").inputValue(), "");
  await page.locator("[name=view]").focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForURL(/kind=hotel&adapter_id=3/);
  assert.equal(await page.locator("[name=adapter_id]").inputValue(), "3");
  await page.waitForFunction(() => [...document.querySelectorAll(".row")].every(row => row.dataset.key.startsWith("3/hotel/")));
  await accessible(page, "a kept view");
  // In the same browser, somebody else has views of their own.
  await signOut();
  await signIn("boris");
  assert.equal(await page.locator("[name=view] option").count(), 1);
  await signOut();
  await signIn("anna");
  await page.locator("[name=view]").selectOption(SCRIPT);
  await page.waitForURL(/adapter_id=3/);
  await page.locator("#view-delete").focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("[name=view] option").count(), 1);
  await page.reload();
  await page.locator(".row.now").waitFor();
  assert.equal(await page.locator("[name=view] option").count(), 1);
  await page.close();
});
