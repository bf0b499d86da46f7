// Pictures of other hosts: a map that the operator names, suppliers' photos after a click, and neither without an option.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch } from "../lib/browser.js";
import { calm } from "../lib/calm.js";
import { atCase, desk, openAt, openBench } from "../lib/desk.js";

const at = i => ({ lat: 36.76 + i * 0.002, lng: 31.38 });
const LONG = `https://photos.example/${"long".repeat(120)}.jpg`;
const RECORDS = [
  { type: "adapter", id: 1, code: "one", name: "One", domain: "tour" },
  { type: "dict", kind: "country", id: 1, name: { en: "Turkey" }, iso_alpha_2: "TR" },
  { type: "dict", kind: "city", id: 10, name: { en: "Side" }, country_id: 1, lat: 36.767, lng: 31.389 },
  { type: "dict", kind: "hotel_category", id: 5, name: "5*" },
  { type: "dict", kind: "hotel", id: 100, name: "Orkide Resort", country_id: 1, city_id: 10, hotel_category_id: 5, ...at(1) },
  { type: "source", adapter_id: 1, kind: "hotel", id: "H0", name: "Orkide Resort Villas", country_name: "TURKEY", city_name: "SIDE", url: LONG, ...at(0) },
  { type: "hotel_content", adapter_id: 1, hotel_id: "H0",
    photos: [{ url: LONG }, { url: "http://plain.example/1.jpg" }, { url: "https://photos.example/gone.jpg" }, { url: "javascript:alert(1)" }] },
];
const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

let browser;
before(async () => { browser = await launch() });
after(() => browser?.close());

/** The case, in a page whose other hosts are made up; what was asked of them, with who asked. */
async function openWithHosts(server) {
  const page = await openAt(browser, server.url, "anna", "workbench/tasks"), asked = [];
  await page.route(url => url.origin !== server.url, route => {
    asked.push([route.request().url(), route.request().headers().referer ?? ""]);
    return /gone/.test(route.request().url()) ? route.abort() : route.fulfill({ contentType: "image/png", body: PIXEL });
  });
  await page.goto(`${server.url}/workbench`);
  await atCase(page);
  await calm(page);
  return { page, asked };
}

test("a map of the operator's lies under the drawing, and photos come after a click", async () => {
  const server = await desk(RECORDS, "--map-tiles", "https://tiles.example/{z}/{x}/{y}.png", "--map-credit", "© Map & <Makers>", "--photos");
  const { page, asked } = await openWithHosts(server);
  await page.waitForFunction(() => [...document.querySelectorAll(".map img")].every(img => img.complete && img.naturalWidth > 0)
    && document.querySelectorAll(".map img").length > 0);
  const tiles = asked.map(([url]) => url);
  assert.ok(tiles.length >= 4 && tiles.every(url => /^https:\/\/tiles\.example\/\d+\/\d+\/\d+\.png$/.test(url)), `${tiles}`);
  assert.ok(asked.every(([, referer]) => referer === `${server.url}/`), "a tile server is told who shows it, and no more");
  assert.equal(await page.locator(".map .credit").textContent(), "© Map & <Makers>");
  assert.equal(await page.locator(".photo").count(), 0);
  await accessible(page, "a case on a map");
  await page.locator(".photos button").click();
  await page.waitForFunction(() => [...document.querySelectorAll("img.photo")].some(img => img.naturalWidth > 0)
    && document.querySelector(".photos").textContent.includes("Photo 3"));
  const photos = asked.slice(tiles.length);
  assert.deepEqual(photos.map(([url]) => url).sort(), [LONG, "https://photos.example/gone.jpg"].sort());
  assert.ok(photos.every(([, referer]) => referer === ""));
  await accessible(page, "a case with photos");
  await page.context().close();
  await server.stop();
});

test("without an option no other host is asked, and a long address stays in its card", async () => {
  const server = await desk(RECORDS);
  const page = await openBench(browser, server.url, "anna"); // which holds that no other host is asked
  assert.equal(await page.locator(".map").count(), 0);
  assert.equal(await page.locator(".photos button").count(), 0);
  await page.locator(".plot").waitFor();
  const links = await page.locator(".side a[target]").evaluateAll(list => list.map(a => [a.protocol, a.rel]));
  assert.deepEqual(links, [["https:", "noreferrer noopener"], ["https:", "noreferrer noopener"], ["http:", "noreferrer noopener"],
    ["https:", "noreferrer noopener"]]);
  for (const width of [1280, 640, 360]) {
    await page.setViewportSize({ width, height: 740 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}: nothing pushes the page sideways`);
    assert.ok(await page.evaluate(() => [...document.querySelectorAll(".side a")].every(a =>
      a.getBoundingClientRect().right <= a.closest(".side").getBoundingClientRect().right)), `${width}: links stay in their card`);
  }
  await page.close();
  await server.stop();
});
