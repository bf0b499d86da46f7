// What is on its way is seen: the page is busy for as long as an answer takes, and no longer.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch } from "../lib/browser.js";
import { calm } from "../lib/calm.js";
import { desk, openAt, openBench } from "../lib/desk.js";
import { late } from "../lib/late.js";
import { RECORDS } from "../lib/small.js";

let browser, server;
before(async () => { server = await desk(RECORDS); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

async function busyUntil(page, answer) {
  await answer.asked;
  await page.locator("main[aria-busy=true]").waitFor();
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.querySelector("main"), "::before").content), "none");
  await accessible(page, "busy");
  answer.go();
  await page.locator("main[aria-busy=false]").waitFor();
}

test("the queue and a case", async () => {
  const page = await openBench(browser, server.url, "anna");
  const list = await late(page, "**/v1/curate/queue?*");
  await page.locator("#filters [name=kind]").selectOption("hotel");
  await busyUntil(page, list);
  await calm(page);
  await page.unrouteAll();
  const found = await late(page, "**/v1/curate/case?*");
  await page.reload();
  await busyUntil(page, found);
  await page.close();
});

test("the history", async () => {
  const page = await openAt(browser, server.url, "anna", "workbench/history");
  await calm(page);
  const list = await late(page, "**/v1/curate/history?*");
  await page.locator("#filters [name=kind]").selectOption("hotel");
  await busyUntil(page, list);
  await page.close();
});
