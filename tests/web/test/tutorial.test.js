// docs/search-form.md, as its reader follows it: `make run`, what is printed is typed and saved, and the page is opened as a file.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch } from "../lib/browser.js";
import { PATIENCE, until } from "../lib/calm.js";

const ROOT = new URL("../../../", import.meta.url);
const GUIDE = fs.readFileSync(new URL("docs/search-form.md", ROOT), "utf8");
const blocks = language => [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(m => m[1]);
let browser, run, folder;

const freePort = () => new Promise(done => {
  const server = net.createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});

/** tools/demo on a copy of the demo data, since making it takes its time. */
async function makeRun() {
  const data = path.join(folder, "demo"), copy = path.join(folder, "copy"), said = path.join(folder, "said");
  execFileSync(process.env.DRG_BIN, ["backup", copy, "--data", process.env.DRG_WEB_DATA], { stdio: "ignore" });
  execFileSync(process.env.DRG_BIN, ["restore", copy, "--data", data], { stdio: "ignore" });
  fs.writeFileSync(path.join(data, "done"), "");
  const out = fs.openSync(said, "w");
  run = spawn(new URL("tools/demo", ROOT).pathname, [process.env.DRG_BIN, data, String(await freePort())], { stdio: ["ignore", out, out] });
  await until(() => run.exitCode !== null || fs.readFileSync(said, "utf8").includes("Ctrl-C stops it"), "the demo is served");
  assert.equal(run.exitCode, null, fs.readFileSync(said, "utf8"));
}

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "dragoman-form-"));
  await makeRun();
  execFileSync("sh", ["-euc", blocks("sh")[0]], { cwd: folder, env: { PATH: "/usr/bin:/bin", HOME: folder } });
  fs.writeFileSync(path.join(folder, "form.js"), blocks("js").join(""));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  if (run && run.exitCode === null) await new Promise(done => { run.on("exit", done); run.kill("SIGTERM") });
  if (folder) fs.rmSync(folder, { recursive: true });
});

test("the page of the guide searches, narrows and suggests", async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  const errors = [];
  page.on("pageerror", e => errors.push(e.message));
  await page.goto(pathToFileURL(path.join(folder, "form.html")).href);
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
