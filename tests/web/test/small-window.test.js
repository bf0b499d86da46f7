// A small window, and one at 200 %: filters fold away, the work keeps its room, and the keyboard unfolds them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch, SIZES } from "../lib/browser.js";
import { calm } from "../lib/calm.js";
import { desk, openAt } from "../lib/desk.js";
import { press, tabTo } from "../lib/keyboard.js";
import { RECORDS } from "../lib/small.js";

const SMALL = { "1280 x 720": { width: 1280, height: 720 }, "1280 x 800 at 200 %": { width: 640, height: 400 } };
let browser, server;
before(async () => { server = await desk(RECORDS); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

for (const [what, size] of Object.entries(SMALL))
  for (const to of ["workbench", "workbench/history", "workbench/reference"])
    test(`${to}, ${what}: filters are folded, and unfold by keys`, async () => {
      const page = await openAt(browser, server.url, "anna", to, { size });
      await calm(page);
      assert.equal(await page.locator("#filters").isVisible(), false);
      const { y } = await page.locator("main").boundingBox();
      assert.ok(y <= size.height * .45, `the work begins at ${y} px`);
      await accessible(page, `${to} folded`);
      await tabTo(page, ".fold > summary");
      await press(page, "Enter");
      await page.locator("#filters [name=kind]").selectOption("hotel");
      await page.locator("#filters button").click();
      await calm(page);
      await page.locator("#chosen", { hasText: "(1)" }).waitFor();
      await accessible(page, `${to} unfolded`);
      await page.close();
    });

test("in a large window they stand there, and come back when it grows", async () => {
  const page = await openAt(browser, server.url, "anna", "workbench", { size: SIZES.desk });
  assert.deepEqual([await page.locator("#filters").isVisible(), await page.locator(".fold > summary").isVisible()], [true, false]);
  await page.setViewportSize(SMALL["1280 x 720"]);
  await page.locator("#filters").waitFor({ state: "hidden" });
  await page.setViewportSize(SIZES.desk);
  await page.locator("#filters").waitFor();
  await page.close();
});
