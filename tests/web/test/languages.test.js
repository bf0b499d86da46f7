// The workbench in other languages: the browser's at first, then the one that was chosen, on every page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch, open } from "../lib/browser.js";
import { calm } from "../lib/calm.js";
import { desk, openAt, signInTo } from "../lib/desk.js";
import { RECORDS } from "../lib/small.js";

let browser, server;

before(async () => { server = await desk(RECORDS); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

/** What is called so in every language: formats, encodings, the suppliers of the test. */
const NAMES = /API|XLSX|CSV|xlsx|Excel|UTF|windows|KOI8|DOS|EBCDIC|Mac|Shift JIS|Big5|EUC|ISO|dragoman|sunny|residence|villas|Aurora|Boreal|Cirrus|Turkey|anna|boris|olga/;

/** Words in Latin letters where all should be Ukrainian: a text that nobody has translated. */
const english = page => page.evaluate(names => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const own = node.parentElement.closest("script, style, code, kbd, bdi, noscript, #language, #who, .brand");
    if (!own && /[A-Za-z]{3}/.test(node.data.replace(new RegExp(names, "g"), ""))) found.push(node.data.trim());
  }
  return found;
}, NAMES.source);

test("the language of the browser, another that is chosen, and a browser whose language there is not", async () => {
  const page = await open(browser, `${server.url}/sign-in`, { locale: "uk-UA" });
  await page.getByRole("heading", { name: "Вхід" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "uk");
  assert.equal(await page.title(), "Вхід · dragoman");
  await page.getByLabel("Мова").selectOption("tr");
  await page.getByRole("heading", { name: "Oturum aç" }).waitFor();
  await signInTo(page, server.url, "olga", "workbench/access");
  await page.locator("#keys-title", { hasText: "Anahtarlar" }).waitFor();
  await page.getByLabel("Dil").selectOption("en");
  await page.locator("#keys-title", { hasText: "Keys" }).waitFor();
  await page.close();
  const other = await open(browser, `${server.url}/sign-in`, { locale: "fr" });
  await other.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.equal(await other.evaluate(() => document.documentElement.lang), "en");
  await other.close();
});

test("where a language cannot be fetched, the page is English", async () => {
  const page = await open(browser, `${server.url}/sign-in`, { locale: "uk", before: it => it.route("**/lang-uk.json", route => route.abort()) });
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByLabel("Language").waitFor();
  await page.close();
});

for (const to of ["", "/access", "/tasks", "/reference", "/suppliers", "/air", "/history"])
  test(`nothing of workbench${to} is left in English, and it can be read, light, dark and at 200 %`, async () => {
    const page = await openAt(browser, server.url, "olga", `workbench${to}`, { locale: "uk" });
    await calm(page);
    assert.deepEqual(await english(page), []);
    await accessible(page, `${to} light`);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 640, height: 400 }); // 200 %
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${wide} px wider than the window`);
    await accessible(page, `${to} dark, 200 %`);
    await page.close();
  });
