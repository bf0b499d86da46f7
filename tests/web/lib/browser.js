// Debian's Chromium, and what has to hold for every page that a test opens.
import assert from "node:assert/strict";
import { PATIENCE, watchAnswers } from "./calm.js";
import { chromium } from "playwright-core";

export const SIZES = { phone: { width: 360, height: 740 }, desk: { width: 1280, height: 800 } };

/** CHROMIUM is the program. Root, as in a container, has no sandbox; what is loaded is ours. */
export const SETTINGS = { executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] };

/** That which all files share (tests/web/run), or one of its own. */
export const launch = () => process.env.DRG_WEB_BROWSER ? chromium.connect(process.env.DRG_WEB_BROWSER, { timeout: PATIENCE }) : chromium.launch(SETTINGS);

/** `clock`: the test may set its clock. A page whose mishaps are collected: an error, something against the policy, a request to another host. */
export async function open(browser, url, { size = SIZES.desk, scheme = "light", locale = "en", clock = false, before } = {}) {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme, locale, reducedMotion: "reduce" });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(watchAnswers);
  const page = await context.newPage();
  const mishaps = [];
  page.on("pageerror", e => mishaps.push(`error: ${e.message}`));
  page.on("console", m => /Content Security Policy|Refused to/.test(m.text()) && mishaps.push(m.text()));
  page.on("request", r => !/^data:/.test(r.url()) && new URL(r.url()).origin !== new URL(url).origin && mishaps.push(`request: ${r.url()}`));
  page.on("dialog", d => { mishaps.push(`dialog: ${d.message()}`); d.dismiss() });
  page.close = async () => {
    await context.close();
    assert.deepEqual(mishaps, []);
  };
  if (clock) await page.clock.install();
  await before?.(page);
  await page.goto(url);
  return page;
}

/** The search form with its first answer. */
export async function openForm(browser, url, options) {
  const page = await open(browser, `${url}/demo`, options);
  await page.locator("#hotels li").first().waitFor();
  return page;
}
