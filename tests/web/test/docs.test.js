// The reference: it shows every endpoint of the document, and "Execute" asks this server with the keys of the page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch, open, SIZES } from "../lib/browser.js";
import { desk } from "../lib/desk.js";
import { demo, serve } from "../lib/server.js";

/** Swagger UI has a link inside the button of each operation, leaves out a level of headings, and its main part holds the operations
 * alone. */
const OF_THE_VIEWER = ["nested-interactive", "heading-order", "region"];
let browser, server;
before(async () => { server = await demo(); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

async function openReference(options) {
  const page = await open(browser, `${server.url}/docs`, options);
  await page.locator(".opblock").first().waitFor();
  return page;
}

/** Opens an operation, fills in its fields and executes it. */
async function execute(page, path, fields) {
  const operation = page.locator(".opblock").filter({ has: page.locator(`[data-path="${path}"]`) }).first();
  await operation.locator(".opblock-summary-control").click();
  for (const [name, value] of Object.entries(fields)) await operation.locator(`tr[data-param-name="${name}"] input`).fill(value);
  await operation.locator(".execute").click();
  const code = operation.locator(".live-responses-table .response-col_status").last();
  await code.waitFor();
  return { status: (await code.textContent()).trim().slice(0, 3), text: await operation.locator(".live-responses-table").textContent() };
}

test("every endpoint of the document is there", async () => {
  const page = await openReference();
  const { paths } = await (await fetch(`${server.url}/openapi.json`)).json();
  const wanted = Object.values(paths).flatMap(p => Object.keys(p).filter(m => ["get", "post", "delete"].includes(m))).length;
  assert.equal(await page.locator(".opblock").count(), wanted);
  await page.close();
});

test("with the demo's keys, Execute answers as it is", async () => {
  const page = await openReference();
  const list = await execute(page, "/api/v1/tour/main-references", { lang: "uk" });
  assert.equal(list.status, "200");
  const search = await execute(page, "/v1/avia/reference", { search: "lond", limit: "1" });
  assert.match(search.text, /"code": "LON"/);
  await page.close();
});

test("a key that is typed in is the one that is sent", async () => {
  const page = await openReference();
  await page.locator("#key-a").fill("drga_wrong");
  await page.locator("#key-b").focus();
  const sent = page.waitForRequest("**/main-references*");
  assert.equal((await execute(page, "/api/v1/tour/main-references", {})).status, "403");
  assert.equal((await sent).headers()["x-api-key"], "drga_wrong");
  await page.close();
});

test("the address of a word of an error shows it and what it means", async () => {
  const { error } = await (await fetch(`${server.url}/v1/avia/reference`)).json();
  const page = await open(browser, `${server.url}/docs#${error.reason}`);
  await page.locator(".opblock").first().waitFor();
  const word = page.locator("#reasons :target");
  await page.waitForFunction(() => {
    const at = document.querySelector("#reasons :target")?.getBoundingClientRect();
    return at && at.top >= 0 && at.bottom <= innerHeight;
  });
  assert.equal(await word.textContent(), error.reason);
  assert.match(await page.locator("#reasons tr:has(:target)").textContent(), /key or secret/);
  await page.close();
});

for (const size of Object.keys(SIZES)) {
  test(`it fits, light and dark, ${size}`, async () => {
    const page = await openReference({ size: SIZES[size] });
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${wide} px wider than the window`);
      await accessible(page, `docs ${colorScheme} ${size}`, OF_THE_VIEWER);
      if (process.env.DRG_SHOTS) await page.screenshot({ path: `${process.env.DRG_SHOTS}/docs-${colorScheme}-${size}.png` });
    }
    await page.close();
  });
}

test("with a store of one's own, the reference says where a key comes from; the demo's asks for none", async () => {
  const own = await desk([]);
  try {
    const page = await open(browser, `${own.url}/docs`);
    await page.locator("#no-key:not([hidden])", { hasText: "dragoman key create" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "People and keys" }).evaluate(a => a.href), `${own.url}/workbench/access`);
    await page.close();
  } finally {
    await own.stop();
  }
  const page = await openReference();
  assert.equal(await page.locator("#no-key").isVisible(), false);
  await page.close();
});

test("behind another public address it still asks the server it came from", async () => {
  const other = await serve(process.env.DRG_WEB_DATA, "--demo", "--snapshot", "none", "--public-url", "https://travel.example.com");
  try {
    for (const path of ["/docs", "/demo"]) {
      const page = await open(browser, other.url + path);
      await page.locator(path === "/docs" ? ".opblock" : "#hotels li").first().waitFor();
      if (path === "/docs") assert.equal((await execute(page, "/healthz", {})).status, "200");
      await page.close();
    }
  } finally {
    await other.stop();
  }
});
