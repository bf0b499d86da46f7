// Names from suppliers are hostile by assumption: they are shown as text, letter by letter.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openForm } from "../lib/browser.js";
import { serveRecords } from "../lib/server.js";

const NAMES = ['<img src=x onerror="window.pwned=1">', '"><script>window.pwned=2</script>', "'-window.pwned-'\";//", "</textarea></select></title>x",
  "\u202Egnp.exe\u202E", "A\u2028B\u2029C", "{{7*7}} ${window.pwned}", "&lt;b&gt; &amp;", "javascript:window.pwned=3", "W".repeat(400)];
const dict = (kind, id, name, more) => ({ type: "dict", kind, id, name, ...more });
const records = [
  { type: "adapter", id: 1, code: "evil", name: `${NAMES[4]}${NAMES[0]} (synthetic)`, domain: "tour" },
  dict("country", 1, NAMES[0], { iso_alpha_2: "TR" }), dict("dep_city", 10, NAMES[1], { country_id: 1 }),
  dict("currency", 978, NAMES[2], { iso_code: "EUR" }), dict("meal", 1, NAMES[3], { description: NAMES[0] }),
  dict("hotel_category", 5, NAMES[4]), dict("city", 100, NAMES[5], { country_id: 1 }),
  ...NAMES.map((name, i) => dict("hotel", 1000 + i, name, { country_id: 1, city_id: 100, hotel_category_id: 5 })),
  ...NAMES.map((name, i) => ({ type: "source", adapter_id: 1, kind: "hotel", id: name.slice(0, 64).replace(/[,;]/g, "").trim(), name, dict_id: 1000 + i })),
  { type: "source", adapter_id: 1, kind: "hotel", id: "open", name: NAMES[0] },
  { type: "direction", adapter_id: 1, dep_city_id: 10, country_id: 1 },
  { type: "air_place", source_id: 1, place: "city", code: "EVL", name: NAMES[1], country_code: "TR" },
];
let browser, server;
before(async () => { server = await serveRecords(records, "--demo"); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

async function unharmed(page) {
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await page.locator("main img[src=x], main script, main b[onclick]").count(), 0);
}

for (const locale of ["en", "ar"]) {
  test(`names are text, ${locale}`, async () => {
    const page = await openForm(browser, server.url, { locale });
    const shown = await page.locator("#hotels .name").evaluateAll(all => all.map(b => [b.tagName, b.dir, b.textContent]));
    assert.deepEqual(shown.map(([, , text]) => text).sort(), [...NAMES].sort());
    assert.ok(shown.every(([tag, dir]) => tag === "BDI" && dir === "auto"), "each in a direction of its own");
    await page.locator("#from-input").click();
    await page.locator("#from-list li").first().waitFor();
    await page.locator("#to-input").click();
    await page.locator("#to-list li").first().waitFor();
    const ids = records.filter(r => r.type === "source").map(r => r.id);
    await page.locator("#ids").fill(ids.join("\n"));
    await page.locator("#translate button").first().click();
    await page.locator("#pairs .mapped").first().waitFor();
    const cells = await page.locator("#pairs td:nth-child(2) bdi:first-child").allTextContents();
    assert.ok(NAMES.every(name => cells.includes(name)), JSON.stringify(cells));
    await page.locator("#air-input").fill("evl");
    await page.locator("#air-list li[aria-selected=true]").waitFor();
    await unharmed(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${wide} px wider than the window`);
    await page.close();
  });
}

test("an override in a name turns nothing behind it around", async () => {
  const page = await openForm(browser, server.url);
  assert.match(await page.locator("#route").textContent(), /\u2068.*\u202E.*\u2069$/);
  const order = await page.locator("#hotels li").filter({ has: page.locator(".name", { hasText: "gnp.exe" }) }).evaluate(li => {
    const [name, category] = [li.querySelector(".name"), li.querySelector(".cat")].map(b => b.getBoundingClientRect().left);
    return name < category;
  });
  assert.ok(order);
  await page.close();
});
