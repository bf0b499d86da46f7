// Signing in: by keyboard, in light and dark; what a page of another site, and a name with script in it, can do.
import assert from "node:assert/strict";
import http from "node:http";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch, open, SIZES } from "../lib/browser.js";
import { desk, PASSWORD } from "../lib/desk.js";
import { RECORDS } from "../lib/small.js";

const HOSTILE = "<img src=x onerror=alert(1)>"; // a name (tests/web/run)
let browser, server;
before(async () => { server = await desk(RECORDS); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

async function openDoor(options) {
  const page = await open(browser, `${server.url}/sign-in`, options);
  await page.locator("#name").waitFor();
  return page;
}

async function typeIn(page, name, password) {
  await page.locator("#name").focus();
  await page.keyboard.type(name);
  await page.keyboard.press("Tab");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
}

/** Who has signed in is at the workbench, and finds this page again to sign out. */
async function inside(page, text) {
  await page.waitForURL(`${server.url}/workbench`);
  await page.locator("#who", { hasText: /, / }).waitFor();
  await page.goto(`${server.url}/sign-in`);
  await page.getByText(text).waitFor();
}

for (const scheme of ["light", "dark"]) {
  for (const size of Object.keys(SIZES)) {
    test(`by keyboard alone, ${scheme}, ${size}`, async () => {
      const page = await openDoor({ scheme, size: SIZES[size] });
      assert.equal(await page.evaluate(() => document.activeElement.id), "name");
      await accessible(page, "the form");
      await typeIn(page, "anna", "wrong password");
      await page.getByText("Name or password is wrong.").waitFor();
      await accessible(page, "a wrong password");
      await page.keyboard.type(PASSWORD); // what was wrong is selected
      await page.keyboard.press("Enter");
      await inside(page, "You are anna, curator");
      await accessible(page, "inside");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0);
      await page.reload();
      await page.getByText("You are anna, curator").waitFor();
      await page.locator("#out").focus();
      await page.keyboard.press("Enter");
      await page.getByText("You have signed out.").waitFor();
      await page.reload();
      await page.locator("#name").waitFor();
      await page.close();
    });
  }
}

test("a link that is pasted where this page is open already", async () => {
  const page = await openDoor();
  await page.evaluate(() => { location.hash = `#link=1-${"x".repeat(43)}` });
  await page.locator("#choose:not([hidden])").waitFor();
  assert.equal(await page.locator("#form").isVisible(), false);
  await page.close();
});

test("a name with script in it is a name", async () => {
  const page = await openDoor();
  await typeIn(page, HOSTILE, PASSWORD);
  await inside(page, `You are ${HOSTILE}, viewer`);
  assert.equal(await page.locator("img[src=x]").count(), 0);
  await page.close();
});

test("no script reads the cookie", async () => {
  const page = await openDoor();
  await typeIn(page, "anna", PASSWORD);
  await inside(page, "You are anna");
  assert.equal(await page.evaluate(() => document.cookie), "");
  const [cookie] = await page.context().cookies();
  assert.ok(cookie.httpOnly && cookie.sameSite === "Strict" && cookie.path === "/" && cookie.expires === -1);
  await page.close();
});

/** Another site: the same machine by another name, which to a browser is as far as can be. */
async function elsewhere(html) {
  const site = http.createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end(html));
  await new Promise(done => site.listen(0, "127.0.0.1", done));
  return { url: `http://localhost:${site.address().port}/`, stop: () => site.close() };
}

test("a page of another site neither reads nor writes", async () => {
  const page = await openDoor();
  await typeIn(page, "anna", PASSWORD);
  await inside(page, "You are anna");
  const site = await elsewhere("<!doctype html><title>Elsewhere</title>");
  const other = await page.context().newPage();
  await other.goto(site.url);
  const tried = await other.evaluate(async ours => {
    const call = options => fetch(`${ours}/v1/session`, { credentials: "include", ...options }).then(a => `read ${a.status}`, () => "no");
    return [await call({}), await call({ method: "DELETE" }), await call({ method: "POST", mode: "no-cors", body: '{"name":"x","password":"y"}' }).then(() => "no")];
  }, server.url);
  assert.deepEqual(tried, ["no", "no", "no"]);
  const framed = await other.evaluate(ours => new Promise(done => {
    const frame = document.createElement("iframe");
    frame.onload = () => { try { done(frame.contentDocument === null ? "closed" : "open") } catch { done("closed") } };
    frame.src = `${ours}/sign-in`;
    document.body.append(frame);
  }), server.url);
  assert.equal(framed, "closed");
  await page.reload();
  await page.getByText("You are anna").waitFor();
  site.stop();
  await page.close().catch(e => assert.match(e.message, /request:|Refused/)); // what the other page did
});
