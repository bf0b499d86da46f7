// Every page in light and dark, at both sizes, in English and Arabic: axe-core finds nothing, nothing runs out of the page.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch, open, openForm, SIZES } from "../lib/browser.js";
import { demo } from "../lib/server.js";

const IMAGES = new URL("../../../docs/images/", import.meta.url).pathname;
const SHOTS = process.env.DRG_SHOTS; // a folder for a picture of each, to look at
let browser, server;

before(async () => { server = await demo(); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

async function holds(page, what) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await looksRight(page, `${what} ${colorScheme}`);
  }
}

async function looksRight(page, what) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${what}: ${wide} px wider than the window`);
  await accessible(page, what);
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${what.replaceAll(" ", "-")}.png`, fullPage: true });
}

for (const size of Object.keys(SIZES)) {
  const options = { size: SIZES[size] };
  test(`start page, light and dark, ${size}`, async () => {
    const page = await open(browser, server.url, options);
    await page.locator("#counts dd").first().waitFor();
    await holds(page, `start ${size}`);
    await page.close();
  });
  for (const locale of ["en", "ar"]) {
    test(`search form, light and dark, ${size}, ${locale}`, async () => {
      const page = await openForm(browser, server.url, { ...options, locale });
      assert.equal(await page.evaluate(() => document.documentElement.dir), locale === "ar" ? "rtl" : "ltr");
      await page.locator("#example").click();
      await page.locator("#pairs .unknown").waitFor();
      await page.locator("#air-input").pressSequentially("lond");
      await page.locator("#air-list li").nth(2).waitFor();
      await holds(page, `form ${size} ${locale}`);
      await page.locator("#to-input").click();
      await page.locator("#to-list li").nth(2).waitFor();
      await holds(page, `countries ${size} ${locale}`);
      await page.close();
    });
  }
}

/** The pictures of the README: written where it is asked for, and always as small as that. */
async function picture(name, what) {
  const bytes = await what.screenshot();
  assert.ok(bytes.length < 150 * 1024, `${name}: ${bytes.length} bytes`);
  if (process.env.DRG_IMAGES) fs.writeFileSync(`${IMAGES}${name}`, bytes);
}

test("pictures for the documents", async () => {
  const form = await openForm(browser, server.url);
  await form.waitForFunction(() => document.querySelector("#to-flag").naturalWidth > 0);
  await picture("search-form.png", form);
  await form.locator("#example").click();
  await form.locator("#pairs .unknown").waitFor();
  await picture("translate.png", form.locator("section.translate"));
  await form.close();
});
