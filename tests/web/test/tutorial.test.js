// The page of docs/search-form.md, put together as the guide says, from another origin than the server.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { launch } from "../lib/browser.js";
import { PATIENCE } from "../lib/calm.js";
import { demo } from "../lib/server.js";

const GUIDE = fs.readFileSync(new URL("../../../docs/search-form.md", import.meta.url), "utf8");
const blocks = language => [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(m => m[1]);
let browser, server, folder, site;

async function makePage() {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "dragoman-form-"));
  const env = { ...process.env, BASE: server.url, KEY_A: await server.key("a"), KEY_B: await server.key("b") };
  execFileSync("sh", ["-euc", blocks("sh")[0].replace(". demo/keys.env\n", "")], { cwd: folder, env });
  fs.writeFileSync(path.join(folder, "form.js"), blocks("js").join("\n"));
}

before(async () => {
  server = await demo();
  await makePage();
  const types = { ".html": "text/html", ".js": "text/javascript" };
  site = http.createServer((request, answer) => {
    const file = path.join(folder, path.basename(request.url));
    if (!fs.existsSync(file)) return answer.writeHead(404).end();
    answer.writeHead(200, { "Content-Type": types[path.extname(file)] }).end(fs.readFileSync(file));
  });
  await new Promise(done => site.listen(0, "127.0.0.1", done));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  site?.close();
  await server?.stop();
  if (folder) fs.rmSync(folder, { recursive: true });
});

test("the page of the guide searches, narrows and suggests", async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  const errors = [];
  page.on("pageerror", e => errors.push(e.message));
  await page.goto(`http://127.0.0.1:${site.address().port}/form.html`);
  await page.locator("#hotels li").first().waitFor();
  assert.match(await page.locator("#city option:checked").textContent(), /Київ/);
  const count = async () => Number((await page.locator("#count").textContent()).replace(/\D/g, ""));
  const all = await count();
  await page.locator("#category").selectOption({ index: 1 });
  assert.ok((await count()) > 0 && (await count()) < all);
  await page.locator("#country").selectOption("300");
  await page.waitForFunction(n => document.querySelector("#count").textContent !== `Hotels: ${n}`, all);
  await page.locator("#airport").pressSequentially("лонд");
  await page.waitForFunction(() => document.querySelector("#airports option")?.text.startsWith("LON "));
  assert.deepEqual(errors, []);
});
