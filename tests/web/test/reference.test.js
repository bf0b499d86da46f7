// The page of the reference: found, opened, merged with a preview, split, by keyboard; a viewer sees no buttons.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch, open } from "../lib/browser.js";
import { canChoose } from "../lib/calm.js";
import { desk, openAt } from "../lib/desk.js";
import { late } from "../lib/late.js";
import { RECORDS, SCRIPT } from "../lib/small.js";

const MAX_BYTES = 200 * 1024;
const PICTURE = new URL("../../../docs/images/workbench-reference.png", import.meta.url).pathname;
let browser, server;
before(async () => { server = await desk(RECORDS); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const reference = (name, query = "", options) => openAt(browser, server.url, name, `workbench/reference${query}`, options);

const said = (page, text) => page.waitForFunction(text => document.querySelector("#said").textContent.includes(text), text)
  .catch(async () => assert.fail(`expected "${text}", found "${await page.locator("#said").textContent()}"`));
const title = (page, text) => page.locator("#one:not([aria-busy=true]) h2", { hasText: text }).waitFor();
const told = (page, id) => page.evaluate(id => fetch(`../v1/curate/reference?kind=hotel&id=${id}`).then(a => a.json()).then(a => a.data), id);

/** Decides as somebody else who works at the same time. */
const decided = (page, decision) => page.evaluate(async decision => {
  const { csrf } = (await (await fetch("../v1/session")).json()).data;
  const answer = await fetch("../v1/curate/decide", { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf }, body: JSON.stringify({ decisions: [decision] }) });
  return (await answer.json()).data.items[0];
}, decision);

/** By keyboard: finds the first name and opens its record, then asks to merge it and chooses the other. */
async function preview(page, from, into) {
  await page.keyboard.press("/");
  await page.keyboard.type(from);
  await page.locator(".hit").first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.classList.contains("hit"));
  await page.keyboard.press("Enter");
  await title(page, from);
  await page.keyboard.press("m");
  await page.waitForFunction(() => document.activeElement.id === "into-input");
  await page.keyboard.type(into);
  await canChoose(page, "#into-list"); // Enter waits until the list could be read
  await page.keyboard.press("Enter");
  await page.locator(".moves").waitFor();
}

test("who has not signed in is asked to, and comes back", async () => {
  const page = await open(browser, `${server.url}/workbench/reference?q=sunny`);
  await page.waitForURL(/sign-in\?to=workbench%2Freference%3Fq%3Dsunny$/);
  await page.close();
  const back = await reference("anna", "?q=sunny");
  await back.locator(".hit").nth(1).waitFor();
  assert.equal(await back.locator(".hit").count(), 2);
  assert.equal(await back.locator("#pages [aria-current=page]").textContent(), "Reference");
  await back.close();
});

test("found by name, kind and country; what was chosen is in the address and survives a reload", async () => {
  const page = await reference("vera");
  await page.keyboard.type("Туреч");
  await page.locator(".hit", { hasText: "Turkey" }).waitFor();
  await page.locator("[name=kind]").selectOption("hotel");
  await page.getByText("Nothing in the reference is called so").waitFor();
  await page.locator("[name=q]").fill("sunny palace");
  await page.locator(".hit").nth(1).waitFor();
  await page.locator("[name=q]").press("Enter");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.waitForURL(/record=hotel/);
  await page.locator("#one[aria-busy=false] .others li").first().waitFor(); // the second one
  const open = await page.locator("#one h2").textContent();
  await page.reload();
  await title(page, open);
  assert.equal(await page.locator("[name=kind]").inputValue(), "hotel");
  await page.locator("#country").fill("77");
  await page.locator("#country").press("Enter");
  await page.getByText("Nothing in the reference is called so").waitFor();
  await page.goBack();
  await page.locator(".hit").nth(1).waitFor();
  await page.close();
});

test("keys behind Enter choose among what is found: at once where it is there, else once it has come", async () => {
  const page = await reference("vera");
  await page.locator("[name=q]").fill("sunny");
  await page.locator(".hit").nth(1).waitFor();
  let asked = 0;
  page.on("request", request => { asked += /curate\/search/.test(request.url()) });
  const answer = await late(page, /curate\/search/);
  await page.keyboard.press("Enter"); // the list shows the answer already
  await page.keyboard.press("j");
  await page.waitForURL(/record=hotel/);
  assert.equal(asked, 0, "nothing is asked twice");
  assert.equal(await page.locator("[name=q]").inputValue(), "sunny");
  await page.keyboard.press("/");
  await page.keyboard.type("Туреч");
  await page.keyboard.press("Enter");
  await answer.asked;
  answer.go();
  await page.waitForFunction(() => document.activeElement.matches(".hit") && document.activeElement.textContent.includes("Turkey"));
  await page.keyboard.press("j");
  await page.waitForURL(/record=country/);
  await page.close();
});

test("a record shows its names by language and all suppliers' records, what differs marked", async () => {
  const page = await reference("anna", "?record=country/1");
  await title(page, "Turkey");
  assert.match(await page.locator(".names").textContent(), /German de.*Türkei.*Ukrainian uk.*Туреччина/s);
  await page.goto(`${server.url}/workbench/reference?record=hotel/100`);
  await title(page, "Sunny Palace Resort");
  assert.equal(await page.locator("#one .others li").count(), 2);
  assert.deepEqual(await page.locator("#one .others li", { hasText: "B-1" }).locator("mark").allTextContents(), ["Spa"]);
  await page.goto(`${server.url}/workbench/reference?record=hotel/999`);
  await said(page, "999");
  await page.getByText("No record is open").waitFor();
  await page.close();
});

test("by keyboard alone: merged with a preview and a reason, taken back, merged again, split off", async () => {
  const page = await reference("anna");
  await preview(page, "Sunny Palace Resort", "Sunny Palace");
  assert.match(await page.locator(".moves").textContent(), /2 suppliers’ records will move to 101, which has 1/);
  assert.deepEqual(await page.locator(".both .card").nth(0).locator(".others code").allTextContents(), ["A-1", "B-1"]);
  assert.deepEqual(await page.locator(".both .card h3 mark").allTextContents(), ["Resort"]);
  await page.waitForFunction(() => document.activeElement.closest(".reason input"));
  await page.keyboard.press("Enter");
  assert.equal((await told(page, 100)).merged_into, null, "without a reason nothing is merged");
  await page.keyboard.type("one house, two names");
  await page.keyboard.press("Enter");
  await said(page, "Merged: 100 into 101. 2 of suppliers’ records moved");
  assert.equal((await told(page, 100)).merged_into, 101);
  assert.equal((await told(page, 101)).suppliers.length, 3);
  const [redirect] = (await told(page, 101)).redirects;
  assert.deepEqual([redirect.id, redirect.by, redirect.why], [100, "anna", "one house, two names"]);

  await page.keyboard.press("u");
  await said(page, "Split: 100 is a record of its own again, 2 of suppliers’ records");
  assert.equal((await told(page, 100)).suppliers.length, 2);
  await page.keyboard.press("u");
  await said(page, "nothing of yours");

  await preview(page, "Sunny Palace Resort", "Sunny Palace");
  await page.keyboard.type("again");
  await page.keyboard.press("Enter");
  await said(page, "Merged");
  await page.goto(`${server.url}/workbench/reference?record=hotel/100`);
  await page.getByText("it was merged into 101").waitFor();
  await page.getByRole("button", { name: "Split off again" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("two houses");
  await page.keyboard.press("Enter");
  await said(page, "Split: 100");
  assert.equal((await told(page, 100)).merged_into, null);
  await page.close();
});

test("who was slower is told so, sees both as they are now, and may go on", async () => {
  const page = await reference("anna");
  await preview(page, "Blue Lagoon", "Quiet Garden");
  const boris = await reference("boris");
  const other = await boris.evaluate(() => fetch("../v1/curate/reference?kind=hotel&id=103").then(a => a.json()).then(a => a.data));
  // Boris merges 103 away meanwhile, and splits it off again: its version is another.
  const into = await told(boris, 104);
  assert.equal((await decided(boris, { decide: "merge", kind: "hotel", dict_id: 103, version: other.version, into: 104, into_version: into.version })).result, "done");
  assert.equal((await decided(boris, { decide: "split", kind: "hotel", dict_id: 103, version: (await told(boris, 103)).version })).result, "done");
  await page.keyboard.type("slow");
  await page.keyboard.press("Enter");
  await said(page, "Look at both again");
  assert.equal((await told(page, 103)).merged_into, null);
  await page.waitForFunction(() => document.activeElement.closest(".reason input")?.value === "slow");
  await page.keyboard.press("Enter");
  await said(page, "Merged");

  // And the undo of what somebody else has taken back already.
  assert.equal((await decided(boris, { decide: "split", kind: "hotel", dict_id: 103, version: (await told(boris, 103)).version })).result, "done");
  await page.keyboard.press("u");
  await page.locator("#said.bad").waitFor();
  assert.equal((await told(page, 103)).merged_into, null);
  await boris.close();
  await page.close();
});

test("duplicates are listed, shown side by side, and merged by keyboard", async () => {
  const page = await reference("anna"), pairs = await page.evaluate(() => fetch("../v1/curate/duplicates").then(a => a.json()).then(a => a.data.items));
  assert.deepEqual(pairs.map(p => [p.from.id, p.into.id]), [[106, 105]]);
  await page.locator("#case").focus();
  await page.keyboard.press("d");
  await page.locator(".hit", { hasText: "looks like" }).waitFor();
  await page.waitForFunction(() => document.activeElement.classList.contains("hit"));
  await accessible(page, "reference, duplicates");
  await page.keyboard.press("Enter");
  await page.locator(".moves", { hasText: "1 supplier’s record will move to 105" }).waitFor();
  await page.reload();
  await page.locator(".moves").waitFor();
  const viewer = await reference("vera", new URL(page.url()).search);
  await viewer.locator("#one h2", { hasText: /twin.house/i }).waitFor();
  assert.equal(await viewer.locator(".merge").count(), 0);
  await viewer.close();
  await page.locator("#case").focus();
  await page.keyboard.press("m");
  await page.keyboard.type("the same");
  await page.keyboard.press("Enter");
  await said(page, "Merged: 106 into 105. 1 of suppliers’ records");
  await page.getByText("Nothing looks like the same thing twice").waitFor();
  await page.keyboard.press("u");
  await said(page, "Split: 106");
  await page.close();
});

test("a viewer sees no button that decides, and decides nothing", async () => {
  const page = await reference("vera", "?record=hotel/101");
  await title(page, "Sunny Palace");
  assert.equal(await page.locator("#one button").count(), 0);
  assert.equal(await page.locator(".decides:visible").count(), 0);
  await page.locator("#case").focus();
  await page.keyboard.press("m");
  await said(page, "Your role is viewer");
  assert.equal(await page.locator(".merge").count(), 0);
  await page.close();
});

test("a name with script in it is a name", async () => {
  const page = await reference("anna", `?${new URLSearchParams({ q: "<img", record: "hotel/102" })}`);
  await title(page, SCRIPT);
  await page.keyboard.press("Escape");
  await page.locator("#case").focus();
  await page.keyboard.press("m");
  await page.locator("#into-input").fill("quiet");
  await canChoose(page, "#into-list"); // a click waits as Enter does
  await page.locator("#into-list li").first().click();
  await page.locator(".moves").waitFor();
  await page.getByRole("button", { name: "The other way round" }).click();
  await page.locator(".both h3", { hasText: SCRIPT }).waitFor();
  assert.equal(await page.locator("main img").count(), 0);
  await page.close(); // a dialog would be told here
});

test("a server that does not answer, and one that is slow, are told", async () => {
  const page = await reference("anna");
  await page.route("**/v1/curate/search?*", route => route.abort());
  await page.keyboard.type("sunny");
  await said(page, "The server does not answer");
  await page.unroute("**/v1/curate/search?*");
  const answer = await late(page, "**/v1/curate/search?*");
  await page.keyboard.type(" p");
  await said(page, "longer than usual");
  answer.go();
  await page.locator(".hit").first().waitFor();
  await page.waitForFunction(() => document.querySelector("#said").hidden);
  await page.close();
});

for (const scheme of ["light", "dark"]) {
  for (const [name, size] of Object.entries({ desk: { width: 1280, height: 800 }, tablet: { width: 768, height: 1024 } })) {
    test(`it fits and can be read, ${scheme}, ${name}`, async () => {
      const page = await reference("anna", "?q=sunny&record=hotel/100", { scheme, size });
      await title(page, "Sunny Palace Resort");
      await accessible(page, `reference, ${scheme}, ${name}`);
      await page.locator("#case").focus();
      await page.keyboard.press("m");
      await page.keyboard.type("Sunny Palace");
      await canChoose(page, "#into-list");
      await accessible(page, `reference, a list, ${scheme}, ${name}`);
      await page.locator("#into-list li").first().click();
      await page.locator(".moves").waitFor();
      await accessible(page, `reference, merge, ${scheme}, ${name}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      if (process.env.DRG_IMAGES && scheme === "light" && name === "desk") fs.writeFileSync(PICTURE, await page.screenshot());
      await page.close();
    });
  }
}

test("the first view is small", async t => {
  const page = await reference("anna", "?q=sunny&record=hotel/100");
  let bytes = 0;
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  session.on("Network.loadingFinished", e => { bytes += e.encodedDataLength });
  await page.reload();
  await title(page, "Sunny Palace Resort");
  t.diagnostic(`first view: ${bytes} bytes transferred`);
  assert.ok(bytes > 10000 && bytes <= MAX_BYTES, `${bytes} bytes`);
  await page.close();
});
