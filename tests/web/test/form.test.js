// The search form as a visitor uses it: with the keyboard alone, and when things go wrong.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch, open, openForm } from "../lib/browser.js";
import { calm } from "../lib/calm.js";
import { late } from "../lib/late.js";
import { demo } from "../lib/server.js";

const MAX_BYTES = 100 * 1024;
let browser, server;
before(async () => { server = await demo(); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const counted = page => page.locator("#count").textContent().then(text => Number(text.replace(/\D/g, "")));
const until = (page, fn, arg) => page.waitForFunction(fn, arg);
const focused = page => page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.textContent);

async function tabTo(page, id) {
  for (let i = 0; i < 60; i++) {
    if ((await focused(page)) === id) return;
    await page.keyboard.press("Tab");
    const seen = await page.evaluate(() => {
      const it = document.activeElement, box = it.matches("input[type=checkbox]") ? it.nextElementSibling : it;
      return it === document.body || getComputedStyle(box).outlineStyle !== "none";
    });
    assert.ok(seen, `no outline around ${await focused(page)}`);
  }
  assert.fail(`Tab does not come to ${id}`);
}

test("the keyboard alone is enough", async () => {
  const page = await openForm(browser, server.url);
  await page.keyboard.press("Tab");
  assert.match(await focused(page), /skip/);
  await page.keyboard.press("Enter");
  await tabTo(page, "from-input");
  await page.keyboard.type("wars");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#from-input").inputValue(), "Warsaw");
  await tabTo(page, "to-input");
  await page.keyboard.type("gree");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await until(page, () => document.querySelector("#to-flag").src.endsWith("/flags/4x3/gr.svg"));
  await until(page, () => new URLSearchParams(location.search).get("to") === "300");
  await page.locator("#hotels li").first().waitFor();
  const all = await counted(page);
  await page.locator("#categories input").first().focus();
  await page.keyboard.press("Space");
  assert.ok((await counted(page)) < all, "a category narrows");
  await tabTo(page, "hotel");
  await page.keyboard.type("zzzz");
  assert.equal(await counted(page), 0);
  await tabTo(page, "anything");
  await page.keyboard.press("Enter");
  assert.equal(await counted(page), all);
  await tabTo(page, "air-input");
  await page.keyboard.type("lond");
  await calm(page); // the list is that of the last letter
  await page.keyboard.press("ArrowDown");
  const option = await page.locator("#air-input").getAttribute("aria-activedescendant");
  assert.equal(await page.locator(`#${option}`).getAttribute("aria-selected"), "true");
  await page.keyboard.press("Enter");
  assert.match(await page.locator("#air-chosen").textContent(), /Heathrow|London/);
  await tabTo(page, "ids");
  await page.keyboard.type("no-such-id");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator("#pairs .unknown").waitFor();
  await page.close();
});

test("Escape leaves the list and what was chosen", async () => {
  const page = await openForm(browser, server.url);
  const before = await page.locator("#to-input").inputValue();
  await page.locator("#to-input").fill("qq");
  await page.locator("#to-list .none").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#to-input").inputValue(), before);
  assert.equal(await page.locator("#to-list").isHidden(), true);
  await page.close();
});

test("another language changes the words, the names and the direction", async () => {
  const page = await openForm(browser, server.url);
  await page.locator("#lang").selectOption("ar");
  await until(page, () => document.documentElement.dir === "rtl" && document.querySelector("#to-input").value === "تركيا");
  assert.equal(await page.locator("h1").textContent(), "إلى أين؟");
  await page.locator("#lang").selectOption("uk");
  await until(page, () => document.documentElement.dir === "ltr" && document.querySelector("#from-input").value === "Київ");
  await page.close();
});

test("every language has every word", async () => {
  const page = await openForm(browser, server.url);
  for (const lang of await page.locator("#lang option").evaluateAll(all => all.map(o => o.value))) {
    await page.locator("#lang").selectOption(lang);
    const bare = await page.evaluate(async () => {
      const { t } = await import("./web/words.js");
      const names = [...document.querySelectorAll("[data-t]")].map(b => b.dataset.t);
      const said = ["hotels", "noneFits", "noneThere", "noneCalled", "noLists", "route", "routeNone", "airNone", "airSaid", "mapped",
        "open", "unknown", "translated", "noIds", "loading", "asking", "slow", "away", "keyBad", "failed", "again", "keysWhy", "anywhere"];
      return [...names, ...said].filter(name => { try { return !t(name) } catch { return true } });
    });
    assert.deepEqual(bare, [], lang);
  }
  await page.close();
});

test("meals have descriptions, countries flags, categories counts that add up", async () => {
  const page = await openForm(browser, server.url);
  assert.match(await page.locator("#meals").textContent(), /AIAll inclusive/);
  await page.locator("#to-input").click();
  await until(page, () => document.querySelector("#to-list li[aria-selected=true] img").naturalWidth > 0);
  const counts = await page.locator("#categories .pills .number").allTextContents();
  assert.equal(counts.reduce((sum, n) => sum + Number(n.replace(/\D/g, "")), 0), await counted(page));
  await page.close();
});

test("a slow answer is said to be slow, and the form stays usable", async () => {
  const page = await openForm(browser, server.url);
  const answer = await late(page, "**/hotel-references*");
  await page.locator("#to-input").fill("spain");
  await page.keyboard.press("Enter");
  await until(page, () => document.querySelector("#slow").textContent !== "");
  await page.locator("#hotel").fill("a");
  answer.go();
  await until(page, () => document.querySelector("#slow").textContent === "");
  await page.close();
});

test("an answer that fails can be tried again", async () => {
  const page = await openForm(browser, server.url);
  await page.route("**/hotel-references*", route => route.abort());
  await page.locator("#to-input").fill("spain");
  await page.keyboard.press("Enter");
  await page.locator("#trouble:not([hidden])").waitFor();
  assert.match(await page.locator("#trouble").textContent(), /does not answer/);
  await page.unroute("**/hotel-references*");
  await page.locator("#trouble .retry").click();
  await page.locator("#trouble").waitFor({ state: "hidden" });
  await until(page, () => new URLSearchParams(location.search).get("to") === "724");
  await page.close();
});

test("what the server refuses is told in its words", async () => {
  const page = await openForm(browser, server.url);
  await page.locator("#ids").fill(Array.from({ length: 10001 }, (_, i) => i).join(","));
  await page.locator("#translate button").first().click();
  await page.locator("#translate-trouble:not([hidden])").waitFor();
  assert.match(await page.locator("#translate-trouble").textContent(), /The server says: .*10000/);
  await page.locator("#ids").fill("  , \n ");
  await page.locator("#translate button").first().click();
  assert.match(await page.locator("#translate-said").textContent(), /Type an id first/);
  await page.close();
});

test("an example has what is mapped, what is not and what is unknown", async () => {
  const page = await openForm(browser, server.url);
  await page.locator("#example").click();
  await page.locator("#pairs .unknown").waitFor();
  assert.ok((await page.locator("#pairs .mapped").count()) > 0);
  assert.ok((await page.locator("#pairs .open").count()) > 0);
  assert.match(await page.locator("#translate-said").textContent(), /in [\d.]+ ms/);
  assert.equal(await page.locator("#pairs tbody tr").count(), (await page.locator("#ids").inputValue()).split(", ").length);
  await page.close();
});

test("while the server loads its data, the page says so and goes on by itself", async () => {
  let loading = true;
  const page = await open(browser, `${server.url}/demo`, {
    before: p => p.route("**/about.json", route => (loading ? route.fulfill({ status: 503, body: "{}" }) : route.continue())),
  });
  await page.locator("#news:not([hidden])").waitFor();
  assert.match(await page.locator("#news").textContent(), /loading/);
  loading = false;
  await page.locator("#hotels li").first().waitFor();
  assert.equal(await page.locator("#news").isHidden(), true);
  await page.close();
});

test("without a demo key the page asks for keys, and says when they are wrong", async () => {
  const page = await open(browser, `${server.url}/demo`, {
    before: p => p.route("**/about.json", async route => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), demo: null, demo_wanted: false } });
    }),
  });
  await page.getByRole("link", { name: "People and keys" }).waitFor();
  assert.match(await page.locator("#keys").textContent(), /No key yet\?.*dragoman key create/s);
  await accessible(page, "keys are asked for");
  await page.locator("#key-a").fill("drga_wrong");
  await page.locator("#key-b").fill("drgb_wrong");
  await page.locator("#keys button").click();
  await until(page, () => /does not take this key/.test(document.querySelector("#keys-said").textContent));
  await page.locator("#key-a").fill(await server.key("a"));
  await page.locator("#key-b").fill(await server.key("b"));
  await page.locator("#keys button").click();
  await page.locator("#hotels li").first().waitFor();
  await page.close();
});

test("Enter before the suggestions have come is for what is typed, and not for what was there before", async () => {
  const page = await openForm(browser, server.url);
  await page.locator("#air-input").pressSequentially("lond");
  await page.locator("#air-list li", { hasText: "London" }).first().waitFor();
  const answer = await late(page, "**/v1/avia/reference?*");
  await page.locator("#air-input").selectText();
  await page.keyboard.type("paris");
  await answer.asked;
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#air-chosen").isVisible(), false);
  answer.go();
  await page.locator("#air-chosen", { hasText: "Paris" }).waitFor();
  assert.match(await page.locator("#air-input").inputValue(), /Paris/);
  await page.close();
});

test("the category that has the focus keeps it when another search is answered", async () => {
  const page = await openForm(browser, server.url);
  const categories = () => page.locator("#categories input").evaluateAll(boxes => boxes.map(box => box.value));
  const city = async name => {
    await page.locator("#from-input").click();
    await page.locator("#from-input").fill(name);
    await page.locator("#from-list [aria-selected=true]", { hasText: name }).waitFor();
    await page.keyboard.press("Enter");
  };
  const before = await categories(), kyiv = "703448";
  await city("Warsaw");
  await until(page, from => new URLSearchParams(location.search).get("from") !== from, kyiv);
  const value = (await categories()).find(id => before.includes(id));
  assert.ok(value, "a category from both cities");
  const answer = await late(page, "**/hotel-references?*");
  await city("Kyiv");
  await answer.asked;
  await page.locator(`#categories input[value="${value}"]`).focus();
  answer.go();
  await until(page, from => new URLSearchParams(location.search).get("from") === from, kyiv);
  await page.waitForFunction(value => document.activeElement.value === value, value);
  await page.keyboard.press("Space");
  assert.equal(await page.locator(`#categories input[value="${value}"]`).isChecked(), true);
  await page.close();
});

test("the first view is small", async t => {
  let bytes = 0;
  const page = await openForm(browser, server.url, {
    before: async p => {
      const session = await p.context().newCDPSession(p);
      await session.send("Network.enable");
      session.on("Network.loadingFinished", e => { bytes += e.encodedDataLength });
    },
  });
  await page.waitForFunction(() => window.awaited === 0 && [...document.images].every(img => img.hidden || img.naturalWidth > 0));
  t.diagnostic(`first view: ${bytes} bytes transferred`);
  assert.ok(bytes > 10000 && bytes <= MAX_BYTES, `${bytes} bytes`);
  await page.close();
});
